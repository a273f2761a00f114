"""Another phone changes the game while this one enters a deal: nothing breaks, nothing that was entered is lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.ui.pages.table_app import (
    MCR,
    NAMES,
    PHOTO,
    RIICHI,
    A,
    B,
    C,
    D,
    begin,
    book_win,
    checked,
    choose,
    game,
    hand_field,
    keyed,
    markup,
    photograph,
    press,
    said,
    type_hand,
)
from tilescore.scoring.context import Seat
from tilescore.scoring.deal import Deal
from tilescore.scoring.game.ledger import Game
from tilescore.scoring.traits import KnownValue
from tilescore.ui.state.kept import table_draft
from tilescore.ui.storage.ledger_store import LedgerStore
from tilescore.ui.words.text import plain, words

if TYPE_CHECKING:
    from collections.abc import Callable

    from streamlit.testing.v1 import AppTest

PHOTOGRAPHED = "12345678m44666z9m +9m"


def elsewhere(change: Callable[[Game], Game]) -> None:
    """Change the game on another phone."""
    store = LedgerStore()
    saved = store.load(store.games()[0].id)
    store.save(saved, change(saved.game), kind="deal")


def drawn(game: Game) -> Game:
    """The game with its first deal a draw."""
    return game.correct(1, Deal(hands={}, draw="exhausted"))


def correcting(visit: Callable[..., AppTest], number: int = 1) -> AppTest:
    """A page that corrects one of two deals: Ann won the first, Ben the second."""
    app = book_win(begin(visit(), "riichi"), A, D, RIICHI)
    book_win(app, B, D, RIICHI)
    return press(app, f"ledger.correct.{number}")


def test_a_game_of_three_on_a_page_of_four(visit: Callable[..., AppTest]) -> None:
    app = begin(visit(), "riichi")
    choose(app, "deal.winners", [D])
    choose(app, "deal.riichi", [B, D])
    type_hand(app, D, RIICHI)
    elsewhere(lambda _: Game.new("riichi3", NAMES[:3]))
    checked(app.run())
    assert plain(words("store.reloaded")) in "".join(one.value for one in app.toast)
    shown = markup(app, "table_view")
    assert [name in shown for name in NAMES] == [True, True, True, False]
    choose(app, "deal.winners", [A])
    assert "Ann" in markup(app, "table_view")


def test_the_link_of_a_game_of_three_opens_over_a_deal_of_four(visit: Callable[..., AppTest]) -> None:
    app = begin(visit(), "riichi")
    four = LedgerStore().games()[0].id
    choose(app, "deal.winners", [D])
    type_hand(app, D, RIICHI)
    app.query_params["game"] = LedgerStore().begin(Game.new("riichi3", NAMES[:3])).id
    assert "Dan" not in markup(checked(app.run()), "table_view")
    app.query_params["game"] = four
    assert "Dan" in markup(checked(app.run()), "table_view")


def test_a_photo_of_the_next_deal_while_an_earlier_one_is_corrected(visit: Callable[..., AppTest]) -> None:
    app = book_win(begin(visit(), "riichi"), A, D, RIICHI)
    choose(app, "deal.winners", [B])
    elsewhere(drawn)
    photograph(app, B, PHOTO.read_bytes())
    assert hand_field(app, B).value == PHOTOGRAPHED
    assert game().records[0].deal.winner is None


def test_a_photo_of_a_correction_while_another_phone_corrects_that_deal(visit: Callable[..., AppTest]) -> None:
    app = correcting(visit)
    photograph(app, A, PHOTO.read_bytes())
    elsewhere(drawn)
    checked(app.run())
    assert words("deal.correct", n=1) in markup(app, "deal_title"), "a photo is work that stays"
    assert hand_field(app, A).value == PHOTOGRAPHED
    assert game().records[0].deal.winner is None


def test_a_correction_that_is_not_begun_shows_what_another_phone_corrected(visit: Callable[..., AppTest]) -> None:
    app = correcting(visit)
    elsewhere(drawn)
    checked(app.run())
    assert words("deal.correct", n=1) in markup(app, "deal_title")
    assert keyed(app.button_group, "deal.ending").value == "draw"


def test_what_was_entered_for_a_deal_that_is_gone_stays_as_the_next_deal(visit: Callable[..., AppTest]) -> None:
    app = correcting(visit)
    photograph(app, A, PHOTO.read_bytes())
    elsewhere(lambda played: played.without(1))
    checked(app.run())
    assert words("deal.new", n=2) in markup(app, "deal_title")
    assert hand_field(app, A).value == PHOTOGRAPHED
    assert [record.deal.winner for record in game().records] == [Seat.SOUTH]
    assert said(app)


@pytest.mark.parametrize("entered", [True, False])
def test_the_last_deal_is_undone_while_this_page_corrects_it(*, entered: bool, visit: Callable[..., AppTest]) -> None:
    app = correcting(visit, 2)
    if entered:
        choose(app, "deal.winners", [C])
    elsewhere(Game.undo)
    checked(app.run())
    assert words("deal.new", n=2) in markup(app, "deal_title")
    assert keyed(app.button_group, "deal.winners").value == ([C] if entered else [])


@pytest.mark.usefixtures("_known")
@pytest.mark.parametrize("asleep", [True, False])
def test_a_correction_goes_on_at_its_deal_after_an_earlier_one_is_gone(
    *, asleep: bool, visit: Callable[..., AppTest]
) -> None:
    app = correcting(visit, 2)
    choose(app, "deal.winners", [C])
    elsewhere(lambda played: played.without(1))
    if asleep:
        app = visit(LedgerStore().games()[0].id)
    checked(app.run())
    assert words("deal.correct", n=1) in markup(app, "deal_title")
    assert keyed(app.button_group, "deal.winners").value == [C]


@pytest.mark.usefixtures("_known")
def test_a_phone_that_slept_keeps_what_was_entered_for_a_deal_that_is_gone(visit: Callable[..., AppTest]) -> None:
    app = correcting(visit, 2)
    choose(app, "deal.winners", [C])
    elsewhere(Game.undo)
    app = visit(LedgerStore().games()[0].id)
    assert words("deal.new", n=2) in markup(app, "deal_title")
    assert keyed(app.button_group, "deal.winners").value == [C]


@pytest.mark.usefixtures("_known")
def test_a_phone_that_slept_hears_that_the_game_went_on_and_only_then(visit: Callable[..., AppTest]) -> None:
    app = begin(visit(), "riichi")
    choose(app, "deal.winners", [C])
    for changed in (False, True, False):
        if changed:
            elsewhere(lambda played: played.play(Deal(hands={}, draw="exhausted")))
        app = visit(LedgerStore().games()[0].id)
        assert keyed(app.button_group, "deal.winners").value == [C]
        assert (plain(words("store.reloaded")) in "".join(one.value for one in app.toast)) is changed


def test_a_tag_is_kept_though_another_phone_books_at_that_moment(visit: Callable[..., AppTest]) -> None:
    app = begin(visit(), "riichi")
    elsewhere(lambda played: played.play(Deal(hands={}, draw="exhausted")))
    checked(next(one for one in app.text_input if one.label == "Tag (optional)").set_value("Club").run())
    assert (game().tag, len(game().records)) == ("Club", 1)


def ron() -> Callable[[Game], Game]:
    """Cleo wins on Dan's tile, by value."""
    deal = Deal(hands={}, winner=Seat.WEST, discarder=Seat.NORTH)
    return lambda played: played.play(deal, values={Seat.WEST: KnownValue(han=3, fu=40)})


def asked(app: AppTest) -> bool:
    """Whether the page asks which deal the entry is; then nothing can be booked."""
    buttons = {(one.key or "").rpartition(".")[0] for one in app.button}
    assert ("deal.next" in buttons) is not ("deal.book" in buttons)
    return "deal.next" in buttons


@pytest.mark.usefixtures("_known")
@pytest.mark.parametrize("asleep", [True, False])
def test_an_entry_of_a_deal_that_another_phone_books_otherwise_is_booked_only_as_another_deal(
    *, asleep: bool, visit: Callable[..., AppTest]
) -> None:
    app = begin(visit(), "riichi")
    choose(app, "deal.winners", [C])
    elsewhere(ron())
    for _ in range(1 + asleep):
        app = visit(LedgerStore().games()[0].id) if asleep else app.run()
        assert asked(app), "after a reload, too"
        assert words("deal.meant", n=1, next=2) in said(app)
        assert "Cleo from Dan" in said(app)
    press(app, "deal.next")
    assert not asked(app)
    assert keyed(app.button_group, "deal.winners").value == [C]
    elsewhere(ron())
    assert asked(app.run())
    press(app, "deal.drop")
    assert not asked(app)
    assert keyed(app.button_group, "deal.winners").value == []


@pytest.mark.usefixtures("_known")
@pytest.mark.parametrize("corrected", [False, True])
def test_a_deal_is_not_offered_again_after_its_page_was_left_at_its_booking(
    *, corrected: bool, visit: Callable[..., AppTest], monkeypatch: pytest.MonkeyPatch
) -> None:
    app = correcting(visit) if corrected else begin(visit(), "riichi")
    choose(app, "deal.ending", "draw")
    choose(app, "deal.ready", [C])
    with monkeypatch.context() as left:
        left.setattr(table_draft, "keep", lambda: None)  # a drawing that is broken off does not come so far
        press(app, "deal.book")
    booked = game().records
    app = visit(LedgerStore().games()[0].id)
    assert not asked(app)
    assert keyed(app.button_group, "deal.ending").value == "win"
    elsewhere(Game.undo)
    app = visit(LedgerStore().games()[0].id)
    assert game().records != booked
    assert not asked(app)
    assert keyed(app.button_group, "deal.ending").value == "win", "the entry is forgotten"


def test_an_entry_is_for_its_deal_again_after_the_other_phone_has_undone_it(visit: Callable[..., AppTest]) -> None:
    app = begin(visit(), "riichi")
    elsewhere(ron())
    assert not asked(app.run()), "nothing is entered"
    choose(app, "deal.winners", [C])
    elsewhere(ron())
    assert asked(app.run())
    elsewhere(Game.undo)
    assert not asked(app.run())


def test_a_page_of_a_game_that_is_deleted_leads_back_to_the_list(visit: Callable[..., AppTest]) -> None:
    app = begin(visit(), "riichi")
    choose(app, "deal.ending", "draw")
    LedgerStore().delete(LedgerStore().games()[0].id)
    press(app, "deal.book")
    assert plain(words("error.no_such_game")) in said(app)
    assert not markup(app, "table_view")
    assert "game" not in app.query_params


def test_two_windows_on_one_game(visit: Callable[[], AppTest]) -> None:
    first = begin(visit(), "mcr")
    second = visit()
    press(second, f"games.open.{LedgerStore().games()[0].id}")
    choose(first, "deal.ending", "draw")
    book_win(second, B, D, MCR)
    press(first, "deal.book")
    assert words("error.game_changed").rstrip(".") in said(first).replace("\\", "")
    assert len(game().records) == 1, "what the second window booked, and nothing twice"
    assert "East 2" in markup(first, "table_view")
    press(first, "deal.next")
    press(first, "deal.book")
    assert len(game().records) == 2, "the deal that was being entered is still there"


# --- this phone changes the game ------------------------------------------------------------------------------------


def entering(visit: Callable[..., AppTest]) -> AppTest:
    """A page that enters deal 3: sticks of Ben and Cleo, and the photo of Ben's hand."""
    app = press(correcting(visit), "deal.cancel")
    choose(app, "deal.winners", [B])
    choose(app, "deal.riichi", [B, C])
    return photograph(app, B, PHOTO.read_bytes())


def still_entering(app: AppTest) -> bool:
    """Whether it goes on with deal 3."""
    assert words("deal.new", n=3) in markup(app, "deal_title")
    entered = [keyed(app.button_group, key).value for key in ("deal.winners", "deal.riichi")]
    assert not asked(app)
    return entered == [[B], [B, C]] and hand_field(app, B).value == PHOTOGRAPHED and "canvas" in drawn_on(app)


def drawn_on(app: AppTest) -> str:
    """The ids of the drawings of the page."""
    return " ".join(element.proto.id for element in app.get("bidi_component"))


@pytest.mark.usefixtures("_known")
@pytest.mark.parametrize("reloaded", [False, True])
@pytest.mark.parametrize("end", ["deal.cancel", "deal.book"])
def test_what_is_entered_waits_while_an_earlier_deal_is_corrected(
    *, end: str, reloaded: bool, visit: Callable[..., AppTest]
) -> None:
    app = press(press(entering(visit), "ledger.correct.1"), "ledger.correct.2")
    choose(app, "deal.winners", [C])
    if reloaded:
        app = visit(LedgerStore().games()[0].id)
    assert words("deal.correct", n=2) in markup(app, "deal_title")
    assert keyed(app.button_group, "deal.winners").value == [C]
    if end == "deal.book":
        type_hand(app, C, RIICHI)
    press(app, end)
    assert still_entering(app)
    assert still_entering(visit(LedgerStore().games()[0].id))
    assert game().records[1].deal.winner is (Seat.WEST if end == "deal.book" else Seat.SOUTH)


@pytest.mark.parametrize("way", ["deal.remove", "deal.delete"])
def test_what_waits_is_for_the_next_deal_still_after_this_page_has_removed_one(
    way: str, visit: Callable[..., AppTest]
) -> None:
    app = press(press(entering(visit), "ledger.correct.1"), way)
    assert words("deal.new", n=2) in markup(app, "deal_title")
    assert not asked(app)
    assert hand_field(app, B).value == PHOTOGRAPHED


def test_what_is_entered_stays_while_a_change_is_taken_back(visit: Callable[..., AppTest]) -> None:
    app = press(entering(visit), "ledger.undo")
    assert asked(app), "it is of deal 3, and deal 2 is next"
    assert still_entering(press(app, "ledger.redo"))


@pytest.mark.usefixtures("_known")
def test_what_waits_comes_back_after_its_page_was_left_when_a_correction_was_saved(
    visit: Callable[..., AppTest], monkeypatch: pytest.MonkeyPatch
) -> None:
    app = press(entering(visit), "ledger.correct.2")
    choose(app, "deal.ending", "draw")
    with monkeypatch.context() as left:
        left.setattr(table_draft, "keep", lambda: None)  # a drawing that is broken off does not come so far
        press(app, "deal.book")
    assert still_entering(visit(LedgerStore().games()[0].id))
