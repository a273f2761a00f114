"""The past hands of this browser: kept as they are scored, opened again, forgotten."""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final

import streamlit as st

from tilescore.scoring.score import NotAWin, Score
from tilescore.ui.state import session
from tilescore.ui.state.hand import in_game, stored
from tilescore.ui.state.hand.work import Work
from tilescore.ui.state.kept.visitor import visitor
from tilescore.ui.state.undisturbed import undisturbed
from tilescore.ui.storage import deletions
from tilescore.ui.storage.hand_owners import HandOwner, give, owners
from tilescore.ui.storage.hand_store import HandStore, PastHand, PastHands
from tilescore.ui.words.audience import is_guest
from tilescore.ui.words.text import telling, words

_KEPT: Final = "past_hands.kept"
_HOUSE: Final = "house"
"""What the state of a hand says if a house table changed its total."""


@undisturbed()
def keep(work: Work, name: str, result: Score | NotAWin | str) -> None:
    """Keep a winning hand of this visitor, or its new state; nothing of a guest, for a sample or without a change."""
    if is_guest() or not visitor() or not work.id or not isinstance(result, Score) or not result.win:
        return
    now = (work, result)
    before = st.session_state.get(_KEPT)
    if before is not None and before[0] is work and before[1] == result:
        return
    st.session_state[_KEPT] = now
    state = {**stored.to_json(work), **({_HOUSE: True} if result.house else {})}
    hand = PastHand(
        id=work.id, at=datetime.now(UTC), ruleset=name, notation=work.notation, total=result.total, unit=result.unit,
        lines=tuple(line.key for line in result.lines), state=json.dumps(state, ensure_ascii=False),
    )  # fmt: skip
    with telling(session.notify):
        HandStore().put_hand(visitor(), hand, photo=work.picture.jpeg if work.picture else None)


def holds(work: Work) -> bool:
    """Whether this hand, in whatever state, was kept last."""
    kept = st.session_state.get(_KEPT)
    return kept is not None and kept[0].id == work.id


def all_hands() -> PastHands:
    """The past hands of this browser; raises StoreError."""
    return HandStore().hands(visitor())


def others() -> tuple[HandOwner, ...]:
    """The other browsers with past hands on this machine; raises StoreError."""
    return tuple(owner for owner in owners(HandStore()) if owner.visitor != visitor())


def take_from(owner: HandOwner) -> None:
    """Make the hands of another browser those of this one, or show why that is impossible."""
    with telling(session.notify):
        give(HandStore(), owner, to=visitor())


def by_house(hand: PastHand) -> bool:
    """Whether a house table changed its total."""
    try:
        state = json.loads(hand.state)
    except (ValueError, RecursionError):
        return False
    return isinstance(state, dict) and state.get(_HOUSE) is True


def photo(hand: PastHand) -> bytes | None:
    """Its photo; None if there is none."""
    return HandStore().photo(visitor(), hand.id) if hand.has_photo else None


def reopen(hand: PastHand) -> bool:
    """Put a past hand on the table as it was; return whether that was possible, and say why not."""
    try:
        work = replace(stored.from_json(json.loads(hand.state), photo(hand)), id=hand.id)
    except (ArithmeticError, LookupError, TypeError, ValueError):  # an InputError is a ValueError
        session.notify(words("history.unreadable"))
        return False
    session.put_back(work, ruleset=hand.ruleset)
    in_game.set_aside(work.id)
    return True


def delete(forget: Callable[[HandStore, str], None]) -> None:
    """Delete hands of this browser with their photos, or show why that is impossible.

    `forget` gets the name of this browser.
    """
    with telling(session.notify):
        forget(HandStore(), visitor())
        deletions.settle_hands_later()


def remains() -> str:
    """What can be read of the damaged hands of this browser, as a JSON text; raises StoreError."""
    return HandStore().remains(visitor())
