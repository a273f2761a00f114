"""The photos of the deals at the game table, in Streamlit's AppTest."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.ui.pages.table_app import (
    CLASSICAL,
    MCR,
    PHOTO,
    B,
    D,
    begin,
    book_win,
    checked,
    choose,
    game,
    gray,
    hand_field,
    photograph,
    press,
    type_hand,
)
from tilescore.scoring.context import Seat
from tilescore.scoring.hand import Hand
from tilescore.ui.state.hand.history import History
from tilescore.ui.state.hand.work import Work
from tilescore.ui.state.session import Session
from tilescore.ui.storage.draft_store import DraftStore
from tilescore.ui.storage.ledger_store import LedgerStore
from tilescore.ui.words.text import words

if TYPE_CHECKING:
    from collections.abc import Callable

    from streamlit.testing.v1 import AppTest


@pytest.mark.parametrize("jpeg", [b"\xff\xd8 no picture", gray(7)[:-60]], ids=["no picture", "cut short"])
def test_a_photo_that_cannot_be_drawn_can_be_deleted(visit: Callable[[], AppTest], jpeg: bytes) -> None:
    app = book_win(begin(visit(), "mcr"), B, D, MCR)
    (summary,) = LedgerStore().games()
    LedgerStore().attach(summary.id, str(Hand.parse(MCR)), jpeg)
    choose(checked(app.run()), "ledger.photos", 1)
    assert any("photo of" in warning.value.lower() for warning in app.warning), "what is wrong with it"
    seat = str(game().entries[0].position.seat(B))
    press(app, f"ledger.delete_photo.{seat}")
    assert not LedgerStore().photographed(summary.id)


def test_a_bad_photo_of_a_hand_is_one_sentence(visit: Callable[[], AppTest]) -> None:
    app = begin(visit(), "classical")
    choose(app, "deal.winners", B)
    type_hand(app, B, CLASSICAL)
    photograph(app, B, b"PK\x03\x04 no photo at all")
    for _ in range(2):  # it stays in the next drawing
        assert len(app.error) == 1
        assert "hand.jpg" in app.error[0].value.replace("\\", "")
        assert words("source.kept") in app.error[0].value
        assert hand_field(app, B).value == CLASSICAL, "what was there stays"
        checked(app.run())
    assert not type_hand(app, B, f"{CLASSICAL} &1f").error, "it was about the hand before"


def photographed(visit: Callable[..., AppTest]) -> AppTest:
    """A page that enters Ben's win with the photo of his hand."""
    app = begin(visit(), "mcr")
    choose(app, "deal.winners", B)
    choose(app, "deal.discarder", D)
    return photograph(app, B, PHOTO.read_bytes())


@pytest.mark.usefixtures("_known")
def test_a_hand_that_is_taken_over_is_booked_without_the_photo_before(visit: Callable[..., AppTest]) -> None:
    app = photographed(visit)
    app.session_state["session"] = Session(history=History(Work.of(Hand.parse(MCR))))
    press(app.run(), f"deal.take.{B}")
    assert hand_field(app, B).value == MCR
    name = LedgerStore().games()[0].id
    press(visit(name), "deal.book")
    assert str(game().records[0].deal.hands[Seat.SOUTH][0]) == MCR
    assert not LedgerStore().photographed(name)


@pytest.mark.usefixtures("_known")
@pytest.mark.parametrize(("text", "stays"), [(MCR, False), (f"{MCR} +", True)], ids=["another hand", "no hand yet"])
def test_a_kept_photo_comes_back_over_no_other_hand(text: str, *, stays: bool, visit: Callable[..., AppTest]) -> None:
    photographed(visit)
    place = (LedgerStore().games()[0].id, "a" * 32)
    state, photos = DraftStore().get(*place) or ({}, {})
    DraftStore().put(*place, {**state, "draft": {**state["draft"], "hands": {B: text}}}, photos)
    app = visit(place[0])
    assert hand_field(app, B).value == text
    assert (B in app.session_state["table"].on_photo) is stays
