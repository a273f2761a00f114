"""The database file of an index: where it lies, its tables, and what becomes of a damaged or older one."""

import hashlib
import os
import sqlite3
from pathlib import Path
from typing import Final

from tilescore.files.paths import data_folder, private_file

_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS picture (
    key TEXT PRIMARY KEY, stamp TEXT, state TEXT, width INT, height INT, checked INT, boxes INT, open INT, worst REAL,
    problem TEXT, hand TEXT, rejected TEXT
);
CREATE INDEX IF NOT EXISTS picture_worst ON picture (IFNULL(worst, 2), key);
CREATE INDEX IF NOT EXISTS picture_open ON picture (checked, key);
CREATE TABLE IF NOT EXISTS mark (
    key TEXT, number INT, name TEXT, x0 REAL, y0 REAL, x1 REAL, y1 REAL, source TEXT, trust REAL,
    PRIMARY KEY (key, number)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS mark_name ON mark (name, IFNULL(trust, 2), key);
CREATE TABLE IF NOT EXISTS remark (key TEXT, code TEXT, detail TEXT, rank REAL, remarks TEXT);
CREATE INDEX IF NOT EXISTS remark_key ON remark (key);
CREATE INDEX IF NOT EXISTS remark_rank ON remark (rank);
CREATE TABLE IF NOT EXISTS prediction (key TEXT PRIMARY KEY, stamp TEXT, text TEXT);
CREATE TABLE IF NOT EXISTS small (key TEXT, part TEXT, stamp TEXT, jpeg BLOB, PRIMARY KEY (key, part));
"""
"""Tables of the index. `remark` holds the findings, `small` the thumbnails; `trust` and `worst` are confidences.

`remarks` are those of the finding, as JSON.
"""
INDEX_TABLES: Final = ("picture", "mark", "remark", "prediction", "small")
"""Names of the tables; each has a column `key`."""
_VERSION: Final = 4
"""Version of the schema; an index of another version is rebuilt."""


def index_file(root: Path) -> Path:
    """Path of the index of that folder."""
    name = hashlib.sha256(os.path.realpath(root).encode(errors="surrogateescape")).hexdigest()[:24]
    return data_folder() / "indexes" / f"{name}.sqlite3"


def opened(place: Path) -> sqlite3.Connection:
    """The database in that file; a damaged file is renamed and replaced."""
    try:
        return _connected(place)
    except sqlite3.DatabaseError as error:
        if error.sqlite_errorcode not in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
            raise
        place.replace(place.with_suffix(".damaged"))
        private_file(place)
        return _connected(place)


def _connected(place: Path) -> sqlite3.Connection:
    database = sqlite3.connect(place, timeout=20, check_same_thread=False)
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA synchronous = NORMAL")
    database.execute("PRAGMA secure_delete = ON")
    version = database.execute("PRAGMA user_version").fetchone()[0]
    if version not in (0, _VERSION):
        for table in INDEX_TABLES:
            database.execute(f"DROP TABLE IF EXISTS {table}")
    database.executescript(_SCHEMA)
    database.execute(f"PRAGMA user_version = {_VERSION}")
    database.commit()
    return database
