"""A row of the ledger with a right checksum and impossible values: the game is named as damaged, the list stays."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.ui.storage.traces import by_other_rules
from tilescore.scoring.context import Seat
from tilescore.scoring.deal import Deal
from tilescore.scoring.game.ledger import Game
from tilescore.scoring.game.statistics import tallies_of
from tilescore.scoring.traits import KnownValue
from tilescore.ui.storage import ledger_store
from tilescore.ui.storage.ledger_schema import MIGRATIONS
from tilescore.ui.storage.ledger_store import LedgerStore

if TYPE_CHECKING:
    from pathlib import Path

NAMES = ("Ann", "Ben", "Cleo", "Dan")
ODD: list[tuple[str, dict[str, Any], str]] = [
    # what, fields of the summary, the time
    ("no zone", {}, "2026-11-27T10:00:00"),
    ("after the last year", {}, "9999-12-31T23:59:59-12:00"),
    ("unknown ruleset", {"ruleset": "hk"}, ""),
    ("a player as a number", {"players": [1, 2, 3, 4]}, ""),
    ("totals as text", {"totals": "many"}, ""),
    ("totals without end", {"totals": [10**30, 0, 0, 0]}, ""),
    ("deals as text", {"deals": "3"}, ""),
    ("no round", {"round": None}, ""),
    ("deal 0", {"number": 0}, ""),
    ("over as a number", {"over": 1}, ""),
    ("a tag as a number", {"tag": 7}, ""),
]
DEAL = (
    '{"deal": {"hands": {}, "winner": "S", "discarder": "W"}, "seating": "ABCD", "riichi": ["S"], "agreed": null, '
    '"values": {"S": {"han": 2, "fu": 30}}}'
)
CHANGE = f'{{"kind": "deal", "at": 0, "cut": 0, "put": [{DEAL}]}}'
DOCUMENT = (
    '{"ruleset": "riichi", "options": {}, "players": ["Ann", "Ben", "Cleo", "Dan"], "start": 25000, '
    f'"deals": [{DEAL}], "closed": false, "tag": "club"}}'
)
SUMMARY = (
    '{"ruleset": "riichi", "players": ["Ann", "Ben", "Cleo", "Dan"], "totals": [25000, 27000, 23000, 25000], '
    '"deals": 1, "round": "E", "number": 2, "over": false, "tag": "club", "tallies": ['
    '{"wins": 0, "deal_ins": 0, "riichi": 0, "place": null, "result": 0, "changes": [0], "hands": []}, '
    '{"wins": 1, "deal_ins": 0, "riichi": 1, "place": null, "result": 0, "changes": [2000], "hands": [[2000, ""]]}, '
    '{"wins": 0, "deal_ins": 1, "riichi": 0, "place": null, "result": 0, "changes": [-2000], "hands": []}, '
    '{"wins": 0, "deal_ins": 0, "riichi": 0, "place": null, "result": 0, "changes": [0], "hands": []}]}'
)


@pytest.mark.parametrize(("what", "fields", "at"), ODD)
def test_an_impossible_row_is_a_damaged_game(what: str, fields: dict[str, Any], at: str, tmp_path: Path) -> None:
    store = LedgerStore(tmp_path / "games.sqlite3")
    odd, whole = store.begin(Game.new("mcr", NAMES)), store.begin(Game.new("riichi", NAMES))
    with store.file.writing() as file:
        summary, changed = file.execute("SELECT summary, changed_at FROM games WHERE id = ?", (odd.id,)).fetchone()
        row = (json.dumps(json.loads(summary) | fields), at or changed, odd.id)
        file.execute("UPDATE games SET summary = ?, changed_at = ? WHERE id = ?", row)
        file.execute(
            "UPDATE games SET checksum = row_sum(id, version, document, summary, begun_at, changed_at, hidden, photos)"
        )
    listing = store.listing()
    assert ([game.id for game in listing.games], listing.damaged) == ([whole.id], (odd.id,)), what
    assert json.loads(store.remains(odd.id))["intact"]


def test_a_game_in_quarters_of_a_point_is_whole(tmp_path: Path) -> None:
    store = LedgerStore(tmp_path / "games.sqlite3")
    game = Game.new("hongkong", NAMES, options={"unit": 0.25, "minimum": 0, "responsibility": "half"})
    win = Deal(winner=Seat.SOUTH, discarder=Seat.WEST, hands={})
    store.begin(game.play(win, values={Seat.SOUTH: KnownValue(points=0)}))
    assert (store.games()[0].totals, store.listing().damaged) == ((-0.25, 1, -0.5, -0.25), ())
    store.back_up(anew=True)
    assert store.backups.has_today()


@pytest.mark.parametrize("change", [{"at": "x"}, {"at": 10**30}, {"cut": -1}, {"kind": 7}, {"put": {}}, {"put": [7]}])
def test_an_impossible_entry_of_the_log_costs_undo_alone(change: dict[str, Any], tmp_path: Path) -> None:
    store = LedgerStore(tmp_path / "games.sqlite3")
    saved = store.begin(Game.new("mcr", NAMES))
    with store.file.writing() as file:
        entry = json.dumps({"kind": "begin", "at": 0, "cut": 0, "put": []} | change)
        file.execute("DROP TRIGGER events_stay")
        file.execute("UPDATE events SET change = ?", (entry,))
        file.execute("UPDATE events SET checksum = row_sum(game, version, change, at)")
    found = store.load(saved.id)
    assert (found.game, found.log_damaged) == (saved.game, True)


def fails(*_: object) -> None:
    raise OSError(28, "No space left on device")


def test_what_an_earlier_version_counted_is_counted_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = LedgerStore(tmp_path / "games.sqlite3")
    store.begin(Game.new("mcr", NAMES))
    with store.file.writing() as file:
        (summary,) = file.execute("SELECT summary FROM games").fetchone()
        old = json.loads(summary) | {"tallies": [[0, 0, [], [], 0, None, 0]] * 4}
        file.execute("UPDATE games SET summary = ?", (json.dumps(old),))
        file.execute(
            "UPDATE games SET checksum = row_sum(id, version, document, summary, begun_at, changed_at, hidden, photos)"
        )
    assert store.games()[0].tallies is None
    counted = {store.games()[0].id: tallies_of(Game.new("mcr", NAMES))}
    with monkeypatch.context() as full:
        full.setattr(ledger_store, "seal", fails)
        assert store.summarise() == counted, "a full disk hides no league"
    assert store.games()[0].tallies is None
    assert store.summarise() == counted
    assert store.games()[0].tallies == tallies_of(Game.new("mcr", NAMES))


def test_a_stored_row_changes_with_the_version_of_the_file(tmp_path: Path) -> None:
    store = LedgerStore(tmp_path / "games.sqlite3")
    begun = store.begin(Game.new("riichi", NAMES).then(tag="club"))
    win = Deal(winner=Seat.SOUTH, discarder=Seat.WEST, hands={})
    played = begun.game.play(win, values={Seat.SOUTH: KnownValue(han=2, fu=30)}, riichi=(Seat.SOUTH,))
    store.save(begun, played, kind="deal")
    with store.file.reading() as file:
        row = file.execute("SELECT summary, document FROM games").fetchone()
        (change,) = file.execute("SELECT change FROM events WHERE version = 2").fetchone()
    assert (*row, change, len(MIGRATIONS)) == (SUMMARY, DOCUMENT, CHANGE, 5), (
        "a program of an earlier version may call this row damaged: add a step to MIGRATIONS, then pin the row anew"
    )


def test_what_was_booked_by_other_rules_is_kept_until_the_game_changes(tmp_path: Path) -> None:
    store = LedgerStore(tmp_path / "games.sqlite3")
    before = store.load(by_other_rules(store).id)
    assert (before.booked, before.game.totals, store.check()) == ((26000, 25000, 24000, 25000), (25000,) * 4, ())
    assert store.summarise() == {before.id: tallies_of(before.game)}
    assert (store.summarise(), store.games()[0].tallies) == ({}, tallies_of(before.game))
    assert (store.load(before.id), store.games()[0].totals) == (before, before.booked)
    after = store.save(before, before.game.then(tag="club"), kind="tag")
    assert (after.booked, store.load(after.id)) == ((), after)
