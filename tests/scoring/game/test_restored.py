"""Saved games whose deals an earlier version booked although the tiles contradict the circumstances."""

import json
from dataclasses import replace

import pytest

from tilescore.errors import ContextError, HandError, InputError
from tilescore.scoring.context import Context, Occasion, Seat, WinBy
from tilescore.scoring.deal import Deal, completion
from tilescore.scoring.game import deals as deals_module
from tilescore.scoring.game.ledger import Game
from tilescore.scoring.game.record import Record
from tilescore.scoring.han import riichi
from tilescore.scoring.hand import Hand

S, W = Seat.SOUTH, Seat.WEST
NAMES = ("Ann", "Ben", "Cleo", "Dan")
HAND = Hand.parse("234m567m345p678s99s +8s")
PLAUSIBLE = Deal(winner=Seat.EAST, hands={Seat.EAST: (HAND, Context(win_by=WinBy.SELF_DRAW))})
AFTER_A_KONG = Context(win_by=WinBy.SELF_DRAW, occasions=Occasion.KONG_REPLACEMENT)
WITHOUT_KONG = Deal(winner=Seat.EAST, hands={Seat.EAST: (HAND, AFTER_A_KONG)})


def booked_before(*deals: Deal) -> Game:
    """A game with deals that are refused today, as a version booked them that did not compare."""
    with pytest.MonkeyPatch.context() as earlier:
        earlier.setattr(riichi, "check_plausible", lambda *_: None)
        earlier.setattr(completion, "check_melds", lambda _: None)
        earlier.setattr(deals_module, "check_one_set", lambda _: None)
        game = Game.new("riichi", NAMES)
        for deal in deals:
            game = game.play(deal)
        return game


def test_only_deals_that_are_refused_today_count_as_they_were_booked() -> None:
    before = booked_before(PLAUSIBLE, WITHOUT_KONG)
    with pytest.raises(ContextError):
        Game.parse(str(before))
    game = Game.restored(str(before))
    assert game.totals == before.totals
    assert [record.as_booked for record in game.records] == [False, True]
    assert game.rules.settle(game.entries[1].deal).values == before.entries[1].values, "the deal itself says so"
    assert Game.parse(str(game)).totals == before.totals, "the text form says which deals are not checked"
    with pytest.raises(ContextError):
        game.play(WITHOUT_KONG)


def test_a_chow_claimed_from_the_right_counts_as_it_was_booked() -> None:
    hand = Hand.parse("234m567m678s55s (345p>3p) +8s")
    deal = Deal(winner=Seat.EAST, hands={Seat.EAST: (hand, Context(win_by=WinBy.SELF_DRAW))})
    before = booked_before(deal)
    with pytest.raises(HandError):
        Game.parse(str(before))
    assert Game.restored(str(before)).totals == before.totals


def test_a_deal_of_more_tiles_than_a_set_holds_counts_as_it_was_booked() -> None:
    hand = Hand.parse("234m345678p66s678s +8s")
    both = {seat: (hand, Context(win_by=WinBy.DISCARD, discarder=Seat.EAST, seat=seat)) for seat in (S, W)}
    before = booked_before(Deal(winner=S, also_won=(W,), discarder=Seat.EAST, hands=both))
    with pytest.raises(HandError):
        Game.parse(str(before))
    assert Game.restored(str(before)).totals == before.totals


def test_a_win_of_a_hand_that_a_foul_has_made_dead_counts_as_it_was_booked() -> None:
    foul = Deal(hands={}, foul_by=W, foul_kind="false_mahjong")
    hand = Hand.parse("11123455678999m +5m")
    win = Deal(winner=W, hands={W: (hand, Context(win_by=WinBy.SELF_DRAW, seat=W))})
    with pytest.MonkeyPatch.context() as earlier:
        earlier.setattr(Record, "check_dead", lambda *_: None)
        before = Game.new("mcr", NAMES).play(foul).play(win)
    with pytest.raises(ContextError, match="cannot win this deal"):
        Game.parse(str(before))
    game = Game.restored(str(before))
    assert game.totals == before.totals
    assert game.undo().totals == before.undo().totals
    with pytest.raises(ContextError, match="cannot win this deal"):
        game.undo().play(win)


def test_a_deal_more_replays_no_earlier_one(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game.new("riichi", NAMES).play(PLAUSIBLE).play(PLAUSIBLE)
    replayed = []
    monkeypatch.setattr(Record, "check_seats", lambda record, _: replayed.append(record))
    assert game.play(PLAUSIBLE) == Game.parse(str(game.play(PLAUSIBLE)))
    replayed.clear()
    after = game.play(PLAUSIBLE)
    assert len(replayed) == 2, "once as it is entered, once in its place"
    monkeypatch.undo()
    assert after.correct(2, PLAUSIBLE).entries == after.entries
    assert after.without(1).totals == Game.parse(str(after.without(1))).totals == game.totals


def test_a_whole_game_is_restored_as_it_is() -> None:
    game = Game.new("riichi", NAMES).play(PLAUSIBLE)
    assert Game.restored(str(game)) == game


@pytest.mark.parametrize("deals", ["no list", [17], [{"deal": 1}]])
def test_what_no_version_booked_stays_refused(deals: object) -> None:
    text = json.dumps({**json.loads(str(booked_before(WITHOUT_KONG))), "deals": deals})
    with pytest.raises(InputError):
        Game.restored(text)


def test_no_game_is_refused_as_before() -> None:
    with pytest.raises(InputError) as refused:
        Game.restored("[")
    assert refused.value.code == "unreadable_game"


def test_no_game_has_names_that_its_file_would_not_give_back() -> None:
    game = Game.new("mcr", ("Ann", "Ben", "Cleo", "Dan"))
    for name in ("A" * 10_000, "\ud800"):
        with pytest.raises(InputError, match="'players' must be four names"):
            replace(game, players=(name, *game.players[1:]))
        with pytest.raises(InputError, match="'tag' must be a text"):
            replace(game, tag=name)


def test_deals_after_the_end_by_the_rules_of_today_count() -> None:
    played_on = Game.new("riichi", NAMES, options={"bankruptcy_ends": False})
    broke = played_on.play(Deal(winner=S, hands={}), agreed={S: 26_000, W: -26_000})
    before = broke.play(Deal(hands={}, draw="exhausted"))
    text = json.dumps({**before.to_json(), "options": {}})
    with pytest.raises(ContextError, match="over after 1 deals, but 2"):
        Game.parse(text)
    game = Game.restored(text)
    assert (game.totals, game.over, len(game.records)) == (before.totals, True, 2)
    assert game.then(tag="club").correct(2, Deal(hands={}, draw="four_winds")).undo().undo() == game
    assert (game.undo().totals, game.undo().redo()) == (before.undo().totals, game)
