"""One game out of a backup: its rows, and the others stay as they are."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from tilescore.ui.storage.database import trouble
from tilescore.ui.storage.ledger_schema import TABLES, delete_game
from tilescore.ui.storage.ledger_store import LedgerStore

_PUT: Final = "INSERT INTO {0} VALUES ({1})"


def rows_of(backup: LedgerStore, name: str) -> Mapping[str, Sequence[tuple[Any, ...]]]:
    """The rows of that game by table; raises StoreError unless the game, its log and its photos are whole."""
    if backup.load(name).log_damaged:
        raise trouble("game_damaged", backup.path)
    for hand in backup.photographed(name):
        backup.photo(name, hand)
    with backup.file.reading() as file:
        return {
            table: file.execute(f"SELECT * FROM {table} WHERE {column} = ?", (name,)).fetchall()  # noqa: S608  # ours
            for table, column in TABLES.items()
        }


def bring_back(store: LedgerStore, name: str, rows: Mapping[str, Sequence[tuple[Any, ...]]]) -> None:
    """Put these rows in the place of those of that game; raises StoreError."""
    store.back_up()
    with store.file.writing() as file:
        delete_game(file, name)
        for table, found in rows.items():
            for row in found:
                values = (None, *row[1:]) if table == "events" else row  # each file numbers its log itself
                file.execute(_PUT.format(table, ", ".join("?" * len(row))), values)
