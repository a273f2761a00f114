"""Everything out of the program in one file and in again: nothing lost or doubled, little memory."""

from __future__ import annotations

import json
import tracemalloc
from dataclasses import replace
from io import BytesIO
from typing import TYPE_CHECKING

import pytest

from tests.ui.storage.test_hand_store import JPEG, past
from tilescore.scoring.context import Context, Seat, WinBy
from tilescore.scoring.deal import Deal
from tilescore.scoring.game.ledger import Game
from tilescore.scoring.game.record import Record
from tilescore.scoring.hand import Hand
from tilescore.ui.storage.copies import backup
from tilescore.ui.storage.copies.backup import Imported, exported, imported
from tilescore.ui.storage.database import Database, StoreError
from tilescore.ui.storage.hand_store import MIGRATIONS, HandStore
from tilescore.ui.storage.ledger_store import LedgerStore

if TYPE_CHECKING:
    from pathlib import Path

DRAW = Deal(hands={}, draw="exhausted")
FOUL = Deal(hands={}, foul_by=Seat.EAST, foul_kind="false_mahjong")
GAME = Game.new("mcr", ("Ann", "Ben", "Cleo", "Dan")).play(DRAW)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TILESCORE_DATA", str(tmp_path / "one"))
    return tmp_path


def written(visitor: str | None = "ann") -> bytes:
    return "\n".join(exported(visitor)).encode()


def taken(data: bytes, visitor: str | None = "ann") -> Imported:
    return imported(BytesIO(data), visitor)


def filled() -> bytes:
    saved = LedgerStore().begin(GAME)
    LedgerStore().attach(saved.id, "11m", JPEG)
    HandStore().put_hand("ann", past("hand1"), photo=JPEG)
    HandStore().put_hand("ann", past("hand2"), photo=None)
    return written()


def test_a_copy_of_a_version_that_refused_less_comes_in_as_it_was_booked() -> None:
    hand = Hand.parse("11123455678999m +5m")
    win = Deal(winner=Seat.EAST, hands={Seat.EAST: (hand, Context(win_by=WinBy.SELF_DRAW))})
    with pytest.MonkeyPatch.context() as earlier:
        earlier.setattr(Record, "check_dead", lambda *_: None)
        game = GAME.emptied().play(FOUL).play(win)
    assert taken(str(game).encode()) == Imported(games=1, hands=0, known=0)
    (summary,) = LedgerStore().games()
    assert summary.totals == LedgerStore().load(summary.id).game.totals == game.totals
    assert taken(written()) == Imported(games=0, hands=0, known=1)


def test_everything_comes_back_on_another_machine_and_once_only(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = filled()
    monkeypatch.setenv("TILESCORE_DATA", str(folder / "two"))
    assert taken(data, "ann on her phone") == Imported(games=1, hands=2, known=0)
    (summary,) = LedgerStore().games()
    assert LedgerStore().load(summary.id).game == GAME
    assert LedgerStore().photo(summary.id, "11m") == JPEG
    assert HandStore().photo("ann on her phone", "hand1") == JPEG
    assert taken(data, "ann on her phone") == Imported(games=0, hands=0, known=3)
    assert written("ann on her phone") == data
    assert len(LedgerStore().games()) == 1


def test_games_keep_their_days_their_order_and_their_place_off_the_list(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = LedgerStore()
    games = [store.begin(Game.new("mcr", (name, "Ben", "Cleo", "Dan"))) for name in ("one", "two", "three")]
    store.save(games[0], replace(games[0].game, tag="club"), kind="tag")
    store.hide(games[1].id)
    before = [(g.players, g.begun_at, g.changed_at) for g in (*store.games(), *store.games(hidden=True))]
    data = written()
    monkeypatch.setenv("TILESCORE_DATA", str(folder / "two"))
    taken(data)
    store = LedgerStore()
    assert [(g.players, g.begun_at, g.changed_at) for g in (*store.games(), *store.games(hidden=True))] == before
    assert [g.players[0] for g in store.games(hidden=True)] == ["two"]


def test_a_later_copy_of_a_game_goes_on_with_it_and_an_earlier_one_is_known(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, copies = LedgerStore(), []
    saved = store.begin(GAME)
    for game in (GAME, GAME.play(DRAW), replace(GAME.play(DRAW).play(FOUL).close(), tag="club")):
        saved = store.save(saved, game, kind="deal")
        copies.append(written())
    monkeypatch.setenv("TILESCORE_DATA", str(folder / "two"))
    for data in copies:
        assert taken(data) == Imported(games=1, hands=0, known=0)
    for data in copies:
        assert taken(data) == Imported(games=0, hands=0, known=1)
    (summary,) = LedgerStore().games()
    found = LedgerStore().load(summary.id)
    assert (found.game, found.begun_at) == (saved.game, saved.begun_at)
    assert found.game.undo().records == GAME.play(DRAW).records, "what was here can come back"


def test_a_game_with_other_names_is_the_same_game(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    saved, data = LedgerStore().begin(GAME), written()
    LedgerStore().save(saved, replace(GAME, players=("Anna", *GAME.players[1:])), kind="names")
    later = written()
    assert taken(data) == Imported(games=0, hands=0, known=1), "the old names do not come back"
    monkeypatch.setenv("TILESCORE_DATA", str(folder / "two"))
    taken(data)
    assert taken(later) == Imported(games=1, hands=0, known=0)
    assert [summary.players[0] for summary in LedgerStore().games()] == ["Anna"]


def test_a_game_of_other_rules_that_began_at_the_same_moment_replaces_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved, data = LedgerStore().begin(GAME), written()
    LedgerStore().save(saved, GAME.play(DRAW), kind="deal")
    forged = written().replace(b'"ruleset": "mcr"', b'"ruleset": "simplified"')
    monkeypatch.setenv("TILESCORE_DATA", str(folder / "two"))
    taken(data)
    (here,) = LedgerStore().games()
    assert taken(forged) == Imported(games=1, hands=0, known=0)
    assert LedgerStore().load(here.id).game == GAME


def test_two_games_that_went_on_apart_both_stay(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    saved = LedgerStore().begin(GAME)
    data = written()
    LedgerStore().save(saved, GAME.play(DRAW), kind="deal")
    later = written()
    monkeypatch.setenv("TILESCORE_DATA", str(folder / "two"))
    taken(data)
    (here,) = LedgerStore().games()
    LedgerStore().save(LedgerStore().load(here.id), GAME.play(FOUL), kind="deal")
    assert taken(later) == Imported(games=1, hands=0, known=0)
    games = [LedgerStore().load(one.id).game for one in LedgerStore().games()]
    assert GAME.play(DRAW) in games
    assert GAME.play(FOUL) in games
    assert len(games) == 2


def test_a_game_that_lost_a_deal_here_is_changed_here(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    saved = LedgerStore().begin(GAME)
    saved = LedgerStore().save(saved, GAME.play(FOUL), kind="deal")
    data = written()
    monkeypatch.setenv("TILESCORE_DATA", str(folder / "two"))
    taken(data)
    here = LedgerStore().load(LedgerStore().games()[0].id)
    here = LedgerStore().delete_deal(here, 1)
    monkeypatch.setenv("TILESCORE_DATA", str(folder / "one"))
    LedgerStore().save(saved, GAME.play(FOUL).play(DRAW), kind="deal")
    later = written()
    monkeypatch.setenv("TILESCORE_DATA", str(folder / "two"))
    assert taken(later) == Imported(games=1, hands=0, known=0)
    assert LedgerStore().load(here.id) == here


def test_another_browser_of_the_same_machine_gets_the_hands_too() -> None:
    """Also the same browser after its cookies were cleared; the hands stay in the first one."""
    data = filled()
    assert taken(data, "ben") == Imported(games=0, hands=2, known=1)
    assert [hand.id for hand in HandStore().hands("ben").hands] == ["hand1", "hand2"]
    HandStore().forget_all("ben")
    assert [hand.id for hand in HandStore().hands("ann").hands] == ["hand1", "hand2"]


def test_without_a_browser_hands_are_counted_as_left_out() -> None:
    data = filled()
    assert taken(data, None) == Imported(games=0, hands=0, known=1, left_out=2)


def test_the_json_of_one_game_comes_in() -> None:
    data = json.dumps(GAME.to_json(), indent=2).encode()
    assert taken(data) == Imported(games=1, hands=0, known=0)
    assert taken(data) == Imported(games=0, hands=0, known=1)


def test_a_file_of_version_1_comes_in() -> None:
    data = written().replace(b'{"tilescore_backup": 2,', b'{"tilescore_backup": 1,')
    assert taken(data) == Imported(games=0, hands=0, known=0)
    assert taken(filled().replace(b'"tilescore_backup": 2', b'"tilescore_backup": 1'), "ben").hands == 2


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-32"])
def test_an_editor_may_have_saved_it_in_another_encoding(encoding: str) -> None:
    assert taken(filled().decode().encode(encoding), "ben").hands == 2


def test_a_game_with_many_photos_is_several_entries_and_one_game(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    saved = LedgerStore().begin(GAME)
    photos = {f"{number}{number}m": JPEG + bytes([number]) for number in range(1, 8)}
    for hand, jpeg in photos.items():
        LedgerStore().attach(saved.id, hand, jpeg)
    monkeypatch.setattr(backup, "_TOGETHER", 20_000)
    data = written()
    assert len(json.loads(data)["games"]) == 4
    monkeypatch.setenv("TILESCORE_DATA", str(folder / "two"))
    assert taken(data) == Imported(games=1, hands=0, known=0)
    (summary,) = LedgerStore().games()
    assert {hand: LedgerStore().photo(summary.id, hand) for hand in photos} == photos
    assert taken(data) == Imported(games=0, hands=0, known=1)


def test_a_backup_brings_the_photos_of_a_game_that_came_before_without_them(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = filled()
    monkeypatch.setenv("TILESCORE_DATA", str(folder / "two"))
    taken(str(GAME).encode())
    (summary,) = LedgerStore().games()
    LedgerStore().attach(summary.id, "22m", JPEG + b"here")
    for _ in range(2):
        assert taken(data).games == 0
        assert LedgerStore().photo(summary.id, "11m") == JPEG
        assert LedgerStore().photo(summary.id, "22m") == JPEG + b"here"


def test_a_file_with_the_same_game_and_hand_twice_brings_each_once() -> None:
    document = json.loads(filled())
    doubled = {key: value * 2 if isinstance(value, list) else value for key, value in document.items()}
    LedgerStore().delete_all()
    assert taken(json.dumps(doubled).encode(), "ben") == Imported(games=1, hands=2, known=2)
    assert len(LedgerStore().games()) == 1


def test_nothing_is_dropped_however_many_hands_there_are() -> None:
    """An earlier version said "3000 imported" and kept 2,000."""
    one = json.loads(filled())["hands"][1]
    data = json.dumps({"tilescore_backup": 2, "games": [], "hands": [{**one, "id": f"h{n}"} for n in range(2500)]})
    assert taken(data.encode(), "ben").hands == 2500
    assert len(HandStore().hands("ben").hands) == 2500
    assert len(json.loads(written("ben"))["hands"]) == 2500


def test_the_memory_is_that_of_one_entry(tmp_path: Path) -> None:
    """60 photos of a megabyte go out and come in again within a few of them."""
    photo = JPEG + bytes(1_000_000)
    for number in range(60):
        HandStore().put_hand("ann", past(f"hand{number}"), photo=photo + number.to_bytes(2))
    path = tmp_path / "copy.json"
    tracemalloc.start()
    with path.open("w", encoding="utf-8") as out:
        out.writelines(exported("ann"))
    with path.open("rb") as file:
        assert imported(file, "ben").hands == 60
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 30_000_000 < path.stat().st_size


def test_what_is_damaged_here_stays_behind() -> None:
    filled()
    with Database(HandStore().path, MIGRATIONS).writing() as file:
        file.execute("UPDATE hands SET total = 9 WHERE id = 'hand1'")
    assert [hand["id"] for hand in json.loads(written())["hands"]] == ["hand2"]


@pytest.mark.parametrize("store", [HandStore, LedgerStore])
def test_a_disk_that_fills_up_half_way_leaves_nothing_behind(
    store: type, monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    data = filled()
    monkeypatch.setenv("TILESCORE_DATA", str(folder / "two"))
    taken(json.dumps({"tilescore_backup": 2, "games": [], "hands": []}).encode())
    name = "_put" if store is HandStore else "attach_photo"
    module = f"tilescore.ui.storage.{'hand_store' if store is HandStore else 'ledger_store'}.{name}"

    def fails(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(module, fails)
    with pytest.raises(StoreError) as caught:
        taken(data)
    assert caught.value.code == "disk_full"
    assert (LedgerStore().games(), HandStore().hands("ann").hands) == ((), ())


def test_hands_are_sorted_by_time_whatever_their_zone() -> None:
    one, two = json.loads(filled())["hands"]
    late, early = "2026-11-27T12:00:00+00:00", "2026-11-27T12:30:00+05:00"
    hands = [{**one, "id": "early", "at": early}, {**two, "id": "late", "at": late}]
    taken(json.dumps({"tilescore_backup": 2, "games": [], "hands": hands}).encode(), "ben")
    assert [hand.id for hand in HandStore().hands("ben").hands] == ["late", "early"]
    assert [hand["id"] for hand in json.loads(written("ben"))["hands"]] == ["late", "early"]
