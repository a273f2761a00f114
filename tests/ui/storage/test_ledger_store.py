"""The games on the disk: crashes, two windows, old and new versions of the file, full and locked disks."""

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from threading import Thread

import pytest

from tilescore.files.paths import data_folder
from tilescore.scoring.context import Context, Occasion, Seat, WinBy
from tilescore.scoring.deal import Deal
from tilescore.scoring.game.ledger import Game
from tilescore.scoring.hand import Hand
from tilescore.ui.storage import database, ledger_store
from tilescore.ui.storage.database import Database, StoreError
from tilescore.ui.storage.game_log import change_between
from tilescore.ui.storage.ledger_schema import MIGRATIONS, seal
from tilescore.ui.storage.ledger_store import LedgerStore, Saved
from tilescore.ui.storage.summary import summarised

ROOT = Path(__file__).parents[3]
NAMES = ("Ann", "Ben", "Cleo", "Dan")
HAND = "123m345678p99s567s +5s"
KILLS = 100 if os.environ.get("TILESCORE_LONG") else 20
WRITER = """
import sys
from pathlib import Path
from tilescore.scoring.context import Seat
from tilescore.scoring.deal import Deal
from tilescore.ui.storage.ledger_store import LedgerStore

store = LedgerStore(Path(sys.argv[1]))
saved = store.load(sys.argv[2])
print("ready", flush=True)
while True:
    kind = "undo" if saved.version % 5 == 0 else "deal"
    foul = Deal(hands={}, foul_by=Seat.WEST, foul_kind="false_mahjong")
    saved = store.save(saved, saved.game.undo() if kind == "undo" else saved.game.play(foul), kind=kind)
    print(saved.version, len(saved.game.records), flush=True)
"""


@pytest.fixture
def store(tmp_path: Path) -> LedgerStore:
    return LedgerStore(tmp_path / "games" / "games.sqlite3")


def draw(*ready: Seat) -> Deal:
    return Deal(hands={}, draw="exhausted", ready=ready)


def won(winner: Seat) -> Deal:
    declared = Context(win_by=WinBy.SELF_DRAW, seat=winner, occasions=Occasion.RIICHI)
    return Deal(winner=winner, hands={winner: (Hand.parse(HAND), declared)})


def played(store: LedgerStore, *, deals: int = 2) -> Saved:
    saved = store.begin(Game.new("riichi", NAMES))
    for _ in range(deals):
        saved = store.save(saved, saved.game.play(draw(Seat.SOUTH)), kind="deal")
    return saved


def code_of(caught: pytest.ExceptionInfo[StoreError]) -> str:
    assert str(caught.value).endswith(".")
    assert "\n" not in str(caught.value)
    return caught.value.code


# --- what is saved is there -----------------------------------------------------------------------------------------


def test_a_game_comes_back_with_its_undo_and_redo(store: LedgerStore) -> None:
    saved = played(store)
    steps: tuple[tuple[str, Callable[[Game], Game]], ...] = (
        ("deal", lambda game: game.play(won(Seat.WEST), riichi=(Seat.WEST,))),
        ("correct", lambda game: game.correct(1, draw(Seat.EAST))),
        ("remove", lambda game: game.without(2)),
        ("names", lambda game: game.then(players=("Ann", "Eve", "Cleo", "Dan"))),
        ("close", Game.close),
        ("tag", lambda game: game.then(tag="Club")),
        ("correct", lambda game: game.correct(1, draw(Seat.WEST))),
        ("open", lambda game: game.close(closed=False)),
        *[("undo", Game.undo)] * 6,
        *[("redo", Game.redo)] * 3,
    )
    for kind, step in steps:
        saved = store.save(saved, step(saved.game), kind=kind)
        loaded = store.load(saved.id)
        assert loaded == saved, kind
        assert (loaded.game.past, loaded.game.future) == (saved.game.past, saved.game.future), kind
    while saved.game.past:
        saved = replace(saved, game=saved.game.undo())
    assert saved.game == Game.new("riichi", NAMES)


def test_change_between_is_the_smallest(store: LedgerStore) -> None:
    records = played(store, deals=4).game.records
    for after in (records[:3], records[1:], (*records, records[0]), (records[0], *records[2:]), (), records):
        change = change_between(records, after, kind="correct")
        assert change.applied(records) == after
        assert len(change.put) <= 1


def test_list_of_games(store: LedgerStore) -> None:
    first, second = played(store), store.begin(Game.new("mcr", NAMES))
    assert [game.id for game in store.games()] == [second.id, first.id]
    assert store.games()[1].totals == first.game.totals
    store.hide(first.id)
    assert [game.id for game in store.games()] == [second.id]
    assert [game.id for game in store.games(hidden=True)] == [first.id]
    store.hide(first.id, hidden=False)
    assert len(store.games()) == 2
    assert store.load(first.id) == first


def test_the_last_changed_comes_first_though_the_clock_was_set_back(
    store: LedgerStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = played(store)
    monkeypatch.setattr("tilescore.ui.storage.ledger_store._now", lambda: "2001-01-01T00:00:00+00:00")
    second = played(store)
    assert [summary.id for summary in store.games()] == [second.id, first.id]
    store.save(first, first.game.undo(), kind="undo")
    assert [summary.id for summary in store.games()] == [first.id, second.id]


def test_photos(store: LedgerStore) -> None:
    saved = played(store)
    store.attach(saved.id, HAND, b"jpeg")
    assert store.photographed(saved.id) == {HAND}
    assert store.photo(saved.id, HAND) == b"jpeg"
    assert store.photo(saved.id, "11m") is None


def test_the_log_is_only_added_to(store: LedgerStore) -> None:
    played(store)
    file = sqlite3.connect(store.path)
    for statement in ("DELETE FROM events", "UPDATE events SET at = ''"):
        with pytest.raises(sqlite3.IntegrityError, match="only added"):
            file.execute(statement)
    file.close()


def test_a_log_that_tells_otherwise_gives_way_to_the_document(store: LedgerStore) -> None:
    saved = played(store)
    with store.file.writing() as file:
        file.execute("UPDATE games SET document = ?", (str(saved.game.without(1)),))
        seal(file, saved.id)
    game = store.load(saved.id).game
    assert game == saved.game.without(1)
    assert game.undo().records == ()


# --- two windows ----------------------------------------------------------------------------------------------------


def test_the_second_window_is_told(store: LedgerStore) -> None:
    mine = played(store)
    theirs = store.load(mine.id)
    newer = store.save(theirs, theirs.game.play(won(Seat.EAST)), kind="deal")
    with pytest.raises(StoreError) as caught:
        store.save(mine, mine.game.play(draw()), kind="deal")
    assert code_of(caught) == "game_changed"
    assert store.load(mine.id) == newer
    assert store.version(mine.id) == newer.version


def test_many_windows_lose_nothing(store: LedgerStore) -> None:
    """Eight threads book five deals each, again whenever another was faster."""
    name = store.begin(Game.new("classical", NAMES)).id

    def book() -> None:
        done = 0
        while done < 5:
            saved = store.load(name)
            try:
                store.save(saved, saved.game.play(draw()), kind="deal")
            except StoreError as error:
                if error.code != "game_changed":
                    raise
            else:
                done += 1

    threads = [Thread(target=book) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    saved = store.load(name)
    assert (saved.version, len(saved.game.records), len(saved.game.past)) == (41, 40, 40)


# --- crashes --------------------------------------------------------------------------------------------------------


def test_killed_writers_lose_nothing_acknowledged(store: LedgerStore) -> None:
    """`kill -9` at random moments: every change that was reported is there, and the log agrees with the document."""
    rng = random.Random(6)
    name = store.begin(Game.new("mcr", NAMES)).id
    for _ in range(KILLS):
        command = [sys.executable, "-c", WRITER, str(store.path), name]
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as writer:  # noqa: S603
            assert writer.stdout is not None
            assert writer.stdout.readline() == "ready\n"
            time.sleep(rng.uniform(0, 0.08))
            writer.send_signal(signal.SIGKILL)
            reported = [line.split() for line in writer.stdout.read().splitlines() if len(line.split()) == 2]
        saved = store.load(name)
        if reported:
            version, deals = map(int, reported[-1])
            assert saved.version in (version, version + 1)
            if saved.version == version:
                assert len(saved.game.records) == deals
        steps = saved.version - 1
        undone = sum(number % 5 == 0 for number in range(1, saved.version))
        assert len(saved.game.records) == steps - 2 * undone, "the document is not what the changes add up to"
        assert len(saved.game.past) == len(saved.game.records), "the log is not what the document says"
    file = sqlite3.connect(store.path)
    assert file.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert file.execute("SELECT count(*) FROM events").fetchone() == (store.version(name),)
    file.close()


# --- versions of the file -------------------------------------------------------------------------------------------


def test_an_old_file_is_brought_up_to_date(store: LedgerStore) -> None:
    """A file of version 1, written by hand: its games are all there."""
    game = Game.new("mcr", NAMES).play(draw())
    store.path.parent.mkdir(parents=True)
    file = sqlite3.connect(store.path)
    file.executescript(f"PRAGMA journal_mode = WAL; {MIGRATIONS[0]} PRAGMA user_version = 1;")
    summary = json.loads(summarised(game))
    row = ("old", 1, str(game), json.dumps(summary), "2026-01-01T00:00:00+00:00", "2026-01-01T00:00:00+00:00")
    file.execute("INSERT INTO games VALUES (?, ?, ?, ?, ?, ?)", row)
    file.commit()
    file.close()
    assert [one.id for one in store.games()] == ["old"]
    loaded = store.load("old")
    assert loaded.game == game
    assert store.save(loaded, game.play(draw()), kind="deal").version == 2
    store.hide("old")
    file = sqlite3.connect(store.path)
    assert file.execute("PRAGMA user_version").fetchone() == (len(MIGRATIONS),)
    assert file.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    file.close()


def test_a_migration_that_fails_changes_nothing(store: LedgerStore, monkeypatch: pytest.MonkeyPatch) -> None:
    saved = played(store)
    with monkeypatch.context() as patched:
        patched.setattr(
            ledger_store, "MIGRATIONS", (*MIGRATIONS, "CREATE TABLE more (id TEXT); CREATE TABLE games (x);")
        )
        with pytest.raises(StoreError):
            store.load(saved.id)
    assert store.load(saved.id) == saved


def test_a_newer_file_is_refused_and_left_alone(store: LedgerStore) -> None:
    saved = played(store)
    file = sqlite3.connect(store.path)
    file.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    file.close()
    before = store.path.read_bytes()
    for attempt in (store.games, lambda: store.load(saved.id), lambda: store.save(saved, saved.game, kind="deal")):
        with pytest.raises(StoreError) as caught:
            attempt()
        assert code_of(caught) == "games_newer"
        assert str(store.path) in str(caught.value)
    assert store.path.read_bytes() == before


# --- the disk -------------------------------------------------------------------------------------------------------


def test_no_file_of_games(store: LedgerStore) -> None:
    store.path.parent.mkdir(parents=True)
    store.path.write_bytes(b"not a database, but long enough to look like a header" * 30)
    with pytest.raises(StoreError) as caught:
        store.games()
    assert code_of(caught) == "games_damaged"


def test_a_folder_that_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file")
    with pytest.raises(StoreError) as caught:
        LedgerStore(tmp_path / "taken" / "games.sqlite3").games()
    assert code_of(caught) == "games_unwritable"


def test_a_locked_file(store: LedgerStore, monkeypatch: pytest.MonkeyPatch) -> None:
    saved = played(store)
    monkeypatch.setattr(database, "_PATIENCE_S", 0.05)
    other = sqlite3.connect(store.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreError) as caught:
        store.save(saved, saved.game.play(draw()), kind="deal")
    assert code_of(caught) == "games_busy"
    assert store.load(saved.id) == saved, "reading goes on"
    other.execute("ROLLBACK")
    other.close()
    assert store.save(saved, saved.game.play(draw()), kind="deal").version == saved.version + 1


def roll_back_soon(other: sqlite3.Connection) -> None:
    time.sleep(0.3)
    other.execute("ROLLBACK")


def test_a_writer_waits_its_turn(store: LedgerStore) -> None:
    saved = played(store)
    other = sqlite3.connect(store.path, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    release = Thread(target=roll_back_soon, args=(other,))
    release.start()
    assert store.save(saved, saved.game.play(draw()), kind="deal").version == saved.version + 1
    release.join()
    other.close()


def test_a_full_disk(store: LedgerStore, monkeypatch: pytest.MonkeyPatch) -> None:
    saved = store.begin(Game.new("mcr", NAMES))
    plain_open = Database._open

    def no_room(self: Database) -> sqlite3.Connection:
        file = plain_open(self)
        file.execute("PRAGMA max_page_count = 1")  # as many as there are
        return file

    with monkeypatch.context() as patched:
        patched.setattr(Database, "_open", no_room)
        with pytest.raises(StoreError) as caught:
            store.attach(saved.id, HAND, b"x" * 100_000)
        assert code_of(caught) == "disk_full"
        game = saved.game
        for _ in range(60):
            game = game.play(Deal(hands={}, foul_by=Seat.WEST, foul_kind="false_mahjong"))
        with pytest.raises(StoreError) as caught:
            store.save(saved, game, kind="deal")
        assert code_of(caught) == "disk_full"
    assert store.load(saved.id) == saved


def test_a_game_that_is_not_there(store: LedgerStore) -> None:
    for attempt in (store.load, store.version):
        with pytest.raises(StoreError) as caught:
            attempt("nothing")
        assert code_of(caught) == "no_such_game"


FOLDERS = [
    # platform, environment, folder below the home directory or named
    ("linux", {"TILESCORE_DATA": "/somewhere"}, "/somewhere"),
    ("linux", {"XDG_DATA_HOME": "/data"}, "/data/tilescore"),
    ("linux", {}, "~/.local/share/tilescore"),
    ("darwin", {}, "~/Library/Application Support/Tilescore"),
    ("win32", {"LOCALAPPDATA": "/local"}, "/local/Tilescore"),
]


@pytest.mark.parametrize(("platform", "environment", "folder"), FOLDERS)
def test_data_folder(platform: str, environment: dict[str, str], folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("TILESCORE_DATA", "XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "platform", platform)
    assert data_folder() == Path(folder).expanduser()
