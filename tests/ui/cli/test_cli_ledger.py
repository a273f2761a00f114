"""`tilescore ledger`: what it prints and writes, and what it refuses."""

from __future__ import annotations

import errno
import json
import os
import shutil
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.ui.cli.test_cli_names import run
from tests.ui.storage.test_hand_store import past
from tests.ui.storage.traces import by_other_rules
from tilescore.files.locks import sole_writer
from tilescore.files.outputs import write_whole
from tilescore.files.paths import private_folder
from tilescore.scoring.deal import Deal
from tilescore.scoring.game.ledger import Game
from tilescore.ui.storage.copies.backup import exported
from tilescore.ui.storage.database import Database, StoreError
from tilescore.ui.storage.hand_store import HandStore
from tilescore.ui.storage.ledger_schema import MIGRATIONS, TABLES, is_ours, seal
from tilescore.ui.storage.ledger_store import LedgerStore

NAMES = ("Zacharias", "Ben", "Cleo", "Dan")


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILESCORE_DATA", str(tmp_path / "data"))


@pytest.fixture
def name() -> str:
    """A game on the disk."""
    saved = LedgerStore().begin(Game.new("riichi", NAMES))
    return LedgerStore().save(saved, saved.game.play(Deal(hands={}, draw="exhausted")), kind="deal").id


def damage() -> bytes:
    path = LedgerStore().path
    path.write_bytes(path.read_bytes().replace(b'"Zacharias"', b'"Zackarias"'))
    return path.read_bytes()


def test_list(name: str) -> None:
    assert name in run("ledger", "list")[1]
    shown = json.loads(run("ledger", "list", "--json")[1])
    assert (shown["id"], shown["players"], shown["damaged"]) == (name, list(NAMES), False)
    LedgerStore().hide(name)
    assert ", hidden: " in run("ledger", "list")[1], "as the app calls it"


def test_damage_is_named_and_a_backup_comes_back(name: str) -> None:
    assert run("ledger", "check")[0] == 0
    assert run("ledger", "backup")[0] == 0
    damage()
    assert f"{name}  damaged" in run("ledger", "list")[1]
    code, out, err = run("ledger", "check")
    assert (code, name in out, "ledger restore" in err) == (2, True, True)
    assert run("ledger", "backup")[0] == 2
    assert "Zackarias" in run("ledger", "export", name)[1]
    code, out, _ = run("ledger", "restore")
    assert code == 0
    assert "before-" in out
    assert LedgerStore().load(name).game.players == NAMES
    assert len(list(LedgerStore().path.parent.glob("games.sqlite3.before-*"))) == 1


def test_check_names_both_totals_of_a_game_that_was_booked_by_other_rules(name: str) -> None:
    other = by_other_rules(LedgerStore()).id
    code, out, _ = run("ledger", "check")
    assert (code, name in out, "2 games" in out) == (0, False, True)
    assert f"Game {other} was booked by other rules, as Ann 26000, Ben 25000, Cleo 24000, Dan 25000; the rules" in out
    assert "Ann 25000, Ben 25000" in out
    assert run("ledger", "backup")[0] == 0


def test_a_damaged_game_comes_back_alone(name: str) -> None:
    LedgerStore().attach(name, "11m", b"a photo")
    assert run("ledger", "backup")[0] == 0
    before = LedgerStore().load(name)
    newer = LedgerStore().begin(Game.new("mcr", ("Eve", *NAMES[1:])))
    damage()
    code, _, err = run("ledger", "restore")
    assert (code, "lacks 1 whole game" in err, "restore --game" in err) == (2, True, True)
    assert run("ledger", "restore", "--game", name)[0] == 0
    assert run("ledger", "check")[0] == 0
    assert [LedgerStore().load(one.id) for one in LedgerStore().games()] == [before, newer]
    assert LedgerStore().photo(name, "11m") == b"a photo"
    code, _, err = run("ledger", "restore", "--game", name)
    assert (code, "is whole" in err) == (2, True)


def test_a_phone_that_slept_through_a_restore_books_nothing_over_a_later_deal(name: str) -> None:
    assert run("ledger", "backup")[0] == 0
    store, drawn = LedgerStore(), Deal(hands={}, draw="exhausted")
    before = store.load(name)
    asleep = store.save(before, before.game.play(drawn), kind="deal")
    assert run("ledger", "restore", "--yes")[0] == 0
    before = store.load(name)
    other = store.save(before, before.game.play(Deal(hands={}, draw="four_winds")), kind="deal")
    assert other.version == asleep.version
    with pytest.raises(StoreError, match="another window"):
        store.save(asleep, asleep.game.play(drawn), kind="deal")
    with pytest.raises(StoreError, match="another window"):
        store.delete_deal(asleep, 1)
    assert store.load(name) == other


def test_an_app_that_has_the_file_open_while_a_backup_comes_back_writes_to_what_came_back(name: str) -> None:
    assert run("ledger", "backup")[0] == 0
    store = LedgerStore()
    later = store.begin(Game.new("mcr", ("Eve", *NAMES[1:])))
    with store.file.reading() as app:
        code, out, _ = run("ledger", "restore", "--yes")
        app.execute("UPDATE games SET hidden = 1 WHERE id = ?", (name,))
        seal(app, name)
    assert code == 0
    assert [one.id for one in store.games(hidden=True)] == [name]
    (aside,) = store.path.parent.glob("games.sqlite3.before-*")
    assert f"'{aside}'" in out
    assert {one.id for one in LedgerStore(aside).games()} == {name, later.id}
    assert (store.check(), LedgerStore(aside).check()) == ((), ())


def test_a_backup_waits_for_nobody_who_writes_for_long(name: str) -> None:
    assert run("ledger", "backup")[0] == 0
    with closing(sqlite3.connect(LedgerStore().path, isolation_level=None)) as app:
        app.execute("BEGIN IMMEDIATE")
        code, _, err = run("ledger", "restore", "--yes")
        app.execute("COMMIT")
    assert (code, "another program" in err, len(err.splitlines())) == (2, True, 1), err
    assert [*LedgerStore().path.parent.glob("games.sqlite3.before-*")] == []
    assert LedgerStore().load(name).game.players == NAMES


def test_a_backup_in_which_a_game_is_damaged_gives_the_others(name: str) -> None:
    assert run("ledger", "backup")[0] == 0
    whole = LedgerStore().backups.paths()[0]
    other = LedgerStore().begin(Game.new("mcr", ("Eve", *NAMES[1:])))
    damage()
    whole.rename(whole.with_name("games-2020-01-01.sqlite3"))
    LedgerStore().back_up()
    LedgerStore().path.unlink()
    code, out, err = run("ledger", "restore")
    assert (code, "1 game from" in out, f"Game {name} is damaged" in err) == (0, True, True)
    assert run("ledger", "restore", "--game", name)[0] == 0
    assert {one.id for one in LedgerStore().games()} == {name, other.id}
    code, _, err = run("ledger", "restore", "--game", "abc")
    assert (code, "no backup has game abc" in err) == (2, True)


def test_hidden_games_that_come_back_count_too(name: str) -> None:
    LedgerStore().hide(name)
    assert "1 game in " in run("ledger", "check")[1]
    assert run("ledger", "backup")[0] == 0
    assert run("ledger", "restore")[1].startswith("1 game from ")


def test_the_latest_backup_is_none_that_a_wrong_clock_dated_years_ahead(name: str) -> None:
    LedgerStore().back_up()
    ahead = LedgerStore().backups.paths()[0].rename(LedgerStore().backups.folder / "games-9035-02-18.sqlite3")
    LedgerStore().hide(name)
    assert run("ledger", "backup")[0] == 0
    latest = LedgerStore().backups.paths()[0]
    code, out, err = run("ledger", "restore")
    assert (code, f"'{latest}'" in out, f"'{ahead}' is dated after today" in err) == (0, True, True)
    assert [game.id for game in LedgerStore().games(hidden=True)] == [name]
    latest.unlink()
    assert f"'{ahead}'" in run("ledger", "restore", "--yes")[1], "the only one is better than none"


def test_games_of_a_newer_version_give_way_to_a_backup_only_when_asked(name: str) -> None:
    assert run("ledger", "backup")[0] == 0
    with closing(sqlite3.connect(LedgerStore().path)) as file:
        file.execute("PRAGMA user_version = 99")
    before = LedgerStore().path.read_bytes()
    code, out, err = run("ledger", "restore")
    assert (code, out, "newer version" in err, "--yes" in err) == (2, "", True, True)
    assert LedgerStore().path.read_bytes() == before
    assert run("ledger", "restore", "--yes")[0] == 0
    assert LedgerStore().load(name).game.players == NAMES


def test_a_damaged_backup_is_refused(name: str, tmp_path: Path) -> None:
    bad = tmp_path / "bad.sqlite3"
    whole = LedgerStore().path.read_bytes()
    for content in (whole[:3000], whole[:20_000], whole[:100], b"{}", b""):
        bad.write_bytes(content)
        code, _, err = run("ledger", "restore", bad)
        assert (code, f"'{bad}' is damaged or no backup" in err, "ledger restore" in err) == (2, True, False), err
    with closing(sqlite3.connect(bad)) as file:
        file.execute("PRAGMA user_version = 99")
    assert f"{bad} was written by a newer version" in run("ledger", "restore", bad)[2]
    assert LedgerStore().load(name).game.players == NAMES
    assert run("ledger", "restore", tmp_path / "none")[0] == 2


ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT others.* FROM others, n"


@pytest.mark.parametrize(
    "script",
    [
        "CREATE TRIGGER evil AFTER INSERT ON events BEGIN DELETE FROM games WHERE id <> NEW.game; END",
        f"ALTER TABLE games RENAME TO others; CREATE VIEW games AS {ENDLESS}",
        "DROP TRIGGER events_stay",
    ],
)
def test_a_backup_with_triggers_or_views_of_somebody_else_is_refused(name: str, script: str) -> None:
    assert run("ledger", "backup")[0] == 0
    with closing(sqlite3.connect(LedgerStore().backups.paths()[0])) as file:
        file.executescript(script)
    code, _, err = run("ledger", "restore")
    assert (code, "is damaged or no backup" in err) == (2, True)
    assert LedgerStore().load(name).game.players == NAMES


@pytest.mark.parametrize("version", range(1, len(MIGRATIONS) + 1))
def test_a_file_of_every_version_is_ours(version: int, tmp_path: Path) -> None:
    earlier = Database(tmp_path / "earlier.sqlite3", MIGRATIONS[:version])
    earlier.trim()
    assert is_ours(earlier.path)
    with earlier.writing() as file:
        file.execute("INSERT INTO games (id, version, document, summary, begun_at, changed_at) VALUES (1,1,1,1,1,1)")
    earlier.leave_out("1", TABLES)
    assert is_ours(earlier.path)


def test_of_a_damaged_backup_the_one_before_it_is_named(name: str) -> None:
    assert run("ledger", "backup")[0] == 0
    latest = LedgerStore().backups.paths()[0]
    older = latest.with_name("games-2020-01-01.sqlite3")
    latest.rename(older)
    latest.write_bytes(older.read_bytes()[:9000])
    code, _, err = run("ledger", "restore")
    assert (code, f"'{latest}' is damaged" in err, f"such as '{older}'" in err) == (2, True, True)
    assert run("ledger", "restore", older)[0] == 0
    assert LedgerStore().load(name).game.players == NAMES


@pytest.mark.parametrize("alone", [False, True])
def test_a_disk_without_room_for_a_copy_is_named(name: str, monkeypatch: pytest.MonkeyPatch, *, alone: bool) -> None:
    assert run("ledger", "backup")[0] == 0
    backup, damaged = LedgerStore().backups.paths()[0], damage()

    def no_room(_: Path, data: bytes) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), len(data))

    with monkeypatch.context() as full:
        full.setattr(Path, "write_bytes", no_room)
        code, _, err = run("ledger", "restore", *(("--game", name) if alone else ()))
    assert (code, "disk is full" in err, f"two copies of '{backup}'" in err) == (2, True, True), err
    assert LedgerStore().path.read_bytes() == damaged
    assert run("ledger", "restore")[0] == 0


def test_export_and_import(name: str, tmp_path: Path) -> None:
    out = tmp_path / "games.json"
    assert run("ledger", "export", "--out", out)[0] == 0
    assert run("ledger", "export", "--out", out)[0] == 2
    LedgerStore().delete(name)
    assert "1 game imported" in run("ledger", "import", out)[1]
    assert "0 games imported, 1 here already." in run("ledger", "import", out)[1]
    assert [one.players for one in LedgerStore().games()] == [NAMES]
    assert run("ledger", "import", tmp_path / "none.json")[0] == 2


def test_hands_of_a_browser_are_counted_as_left_out(tmp_path: Path) -> None:
    HandStore().put_hand("ann", past("hand1"), photo=None)
    copy = tmp_path / "copy.json"
    copy.write_text("\n".join(exported("ann")), encoding="utf-8")
    assert "Of a browser, to import on its page History, Copies: 1 past hand." in run("ledger", "import", copy)[1]


def test_what_cannot_come_in_is_named(name: str, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    game = json.loads(run("ledger", "export", name)[1])
    for field, value, named in (
        ("ruleset", "hk", "'game' cannot come in: 'hk' is no ruleset: choose one of mcr,"),
        ("start", 10**30, "'start' must hold whole numbers of points"),
        ("players", ["Ann", "Ben", "Cleo", "\ud800"], "'players' must be four names"),
        ("deals", [{}], "a deal ends in one way"),
    ):
        file.write_text(json.dumps({**game, field: value}), encoding="utf-8")
        code, _, err = run("ledger", "import", file)
        assert (code, named in err, len(err.splitlines())) == (2, True, 1), err
    assert len(LedgerStore().games()) == 1


def test_what_is_left_of_a_damaged_game_is_json(name: str) -> None:
    damage()
    assert "Zackarias" in json.loads(run("ledger", "export", name)[1])["document"]


def test_no_games_yet() -> None:
    for command, expected in (("list", 0), ("list --json", 0), ("check", 2)):
        code, out, err = run("ledger", *command.split())
        assert (code, out, "does not exist" in err) == (expected, "", True)


def test_a_backup_that_came_back_has_a_log_of_writes(name: str) -> None:
    assert [run("ledger", word)[0] for word in ("backup", "restore")] == [0, 0]
    with LedgerStore().file.reading() as file:
        assert file.execute("PRAGMA journal_mode").fetchone() == ("wal",), "readers and a writer do not wait"
        assert file.execute("SELECT id FROM games").fetchall() == [(name,)]


def test_every_file_that_a_backup_replaces_stays(name: str, tmp_path: Path) -> None:
    assert run("ledger", "backup")[0] == 0
    LedgerStore().begin(Game.new("mcr", NAMES))
    copy = tmp_path / "copy.sqlite3"
    copy.write_bytes(LedgerStore().backups.paths()[0].read_bytes())
    assert [run("ledger", "restore", copy, "--yes")[0] for _ in range(8)] == [0] * 8
    replaced = [*LedgerStore().path.parent.glob("games.sqlite3.before-*")]
    assert sorted(len(LedgerStore(path).games()) for path in replaced) == [1] * 7 + [2]
    assert [game.id for game in LedgerStore().games()] == [name]


def test_what_is_in_the_log_of_a_backup_alone_comes_back_too(name: str, tmp_path: Path) -> None:
    with closing(sqlite3.connect(LedgerStore().path)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM games").fetchall()
        LedgerStore().begin(Game.new("mcr", NAMES))
        for path in LedgerStore().path.parent.glob("games.sqlite3*"):
            (tmp_path / path.name).write_bytes(path.read_bytes())
    assert run("ledger", "restore", tmp_path / "games.sqlite3")[1].startswith("2 games from ")
    assert name in [game.id for game in LedgerStore().games()]


def test_a_backup_whose_log_stays_full_replaces_nothing(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = LedgerStore().path.read_bytes()
    copy = tmp_path / "copy"
    copy.write_bytes(before)
    readers = []
    check = LedgerStore.check

    def with_a_reader(store: LedgerStore) -> tuple[str, ...]:
        """As on a full disk, what was written into the copy stays in its log."""
        readers.append(sqlite3.connect(store.path, isolation_level=None))
        readers[-1].execute("BEGIN")
        readers[-1].execute("SELECT * FROM games").fetchall()
        with store.file.writing() as file:
            file.execute("INSERT INTO drafts VALUES (?, 'ann', '{}')", (name,))
        return check(store)

    with monkeypatch.context() as full:
        full.setattr(LedgerStore, "check", with_a_reader)
        code, _, err = run("ledger", "restore", copy)
    assert (code, "another program" in err) == (2, True)
    assert LedgerStore().path.read_bytes() == before
    for reader in readers:
        reader.close()


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() != 0, reason="only the superuser gives files away")
@pytest.mark.parametrize("linked", [False, True])
@pytest.mark.usefixtures("name")
def test_what_the_superuser_makes_belongs_to_the_owner_of_the_folder(tmp_path: Path, *, linked: bool) -> None:
    games = tmp_path / "games.json"
    assert run("ledger", "export", "--out", games)[0] == 0
    assert games.stat().st_uid == 0
    home = LedgerStore().path.parent
    shutil.rmtree(home)
    if linked:  # as systemd does with DynamicUser
        home.symlink_to(tmp_path / "private")
    home.resolve().mkdir()
    os.chown(home, 10001, 10002)
    for command in (("import", games), ("backup",), ("restore", "--yes")):
        assert run("ledger", *command)[0] == 0
    write_whole(private_folder(home / "models" / "jade") / "model.json", b"{}")
    with LedgerStore().file.writing(), sole_writer(home / "models" / "jade"):
        made = {str(path.relative_to(home)): path.stat() for path in home.rglob("*")}
    assert {(status.st_uid, status.st_gid) for status in made.values()} == {(10001, 10002)}, made
    assert {"games.sqlite3", "games.sqlite3-wal", "games.sqlite3-shm", "backups", "room-to-delete"} <= {*made}
    assert home.parent.stat().st_uid == 0
