"""What a visitor finds again after a reload, a locked phone or a restart: photo, hand, rules, names of a new game."""

import logging
from collections.abc import Mapping
from typing import Any, Final

import streamlit as st

from tilescore.scoring.context import seat_of
from tilescore.scoring.ruleset import RULESETS
from tilescore.ui.state import house_rules, session, table_state
from tilescore.ui.state.hand import stored
from tilescore.ui.state.hand.history import History
from tilescore.ui.state.kept.guest_memory import of_guests
from tilescore.ui.state.kept.visitor import visitor
from tilescore.ui.state.undisturbed import undisturbed
from tilescore.ui.storage.database import StoreError
from tilescore.ui.storage.hand_store import HandStore
from tilescore.ui.words.audience import is_guest
from tilescore.ui.words.text import explained

_LOG: Final = logging.getLogger(__name__)
_SAVED: Final = "visit.saved"
_TROUBLE: Final = "visit.trouble"
_TAKEN: Final = "visit.restored"


@undisturbed()
def restore() -> None:
    """Bring back what this browser had, once a session."""
    if st.session_state.get(_TAKEN) or not visitor():
        return
    st.session_state[_TAKEN] = True
    try:
        written = of_guests(_SAVED).get(visitor()) if is_guest() else HandStore().visit(visitor())
        if written is not None:
            _restore(*written)
    except (ArithmeticError, LookupError, TypeError, ValueError):  # written by another version: begin afresh
        _LOG.exception("the last visit cannot be read")


def _restore(state: Mapping[str, Any], photo: bytes | None) -> None:
    house_rules.restore(state["house"])
    seat, wind = map(seat_of, state["winds"])
    session.mine().winds = (seat, wind)
    table_state.keep(**state.get("new", {}))  # earlier versions did not write it
    if state["ruleset"] in RULESETS:
        session.choose_ruleset(state["ruleset"])
    if not session.has_hand():
        session.mine().edited = state.get("edited")
        session.mine().aside = str(state.get("aside", ""))
        hand, game, number = state.get("taken_for", ("", "", 0))
        session.mine().taken_for = (str(hand), str(game), int(number))
        given, table, player = state.get("given", ("", "", ""))
        session.mine().given = (str(given), str(table), str(player))
        session.keep(History(stored.from_json(state["work"], photo)))


@undisturbed()
def keep() -> None:
    """Write down what changed since the last time; a failure is shown once and changes nothing else.

    The hand of a link does not take the place of the person's own: any page on the web can lead to a link.
    """
    work = session.history().now
    if work.linked:
        return
    begun = work if session.has_hand() else None  # an empty hand is another object each time
    mine, table = session.mine(), table_state.state()
    new = {"beginning": table.beginning, "typed": dict(table.typed)}
    others = {
        "ruleset": session.ruleset_name(), "winds": [str(wind) for wind in mine.winds], "house": house_rules.chosen(),
        "aside": mine.aside, "taken_for": mine.taken_for, "given": mine.given, "new": new,
    }  # fmt: skip
    before = st.session_state.get(_SAVED)
    nothing = begun is None and not house_rules.chosen() and session.chosen_ruleset() is None and not any(new.values())
    if not visitor() or (before is None and nothing):
        return
    if before is not None and before[0] is begun and before[1] == others:
        return
    state = {**others, "work": stored.to_json(work), "edited": mine.edited}
    photo = work.picture.jpeg if work.picture else None
    try:
        if is_guest():
            of_guests(_SAVED).put(visitor(), (state, photo))
        else:
            HandStore().put_visit(visitor(), state, photo=photo)
    except StoreError as error:
        if not st.session_state.get(_TROUBLE):
            session.notify(explained(error))
        st.session_state[_TROUBLE] = True
        return
    st.session_state[_SAVED] = (begun, others)
