"""What a visitor finds again after a reload, a locked phone or a restart: photo, hand, circumstances, rules."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, Final

import streamlit as st

from tilescore.scoring.context import seat_of
from tilescore.scoring.ruleset import RULESET_NAMES
from tilescore.ui.state import house_rules, session
from tilescore.ui.state.hand import stored
from tilescore.ui.state.hand.history import History
from tilescore.ui.state.visitor import visitor
from tilescore.ui.storage.database import StoreError
from tilescore.ui.storage.hand_store import HandStore
from tilescore.ui.words.text import explained

if TYPE_CHECKING:
    from collections.abc import Mapping

_LOG: Final = logging.getLogger(__name__)
_SAVED: Final = "visit.saved"
_TROUBLE: Final = "visit.trouble"
_TAKEN: Final = "visit.restored"


def restore() -> None:
    """Bring back what this browser had, once a session."""
    if st.session_state.get(_TAKEN) or not visitor():
        return
    st.session_state[_TAKEN] = True
    try:
        found = HandStore().visit(visitor())
        if found is not None:
            _restore(*found)
    except (StoreError, KeyError, TypeError, ValueError):  # written by another version: begin afresh
        _LOG.exception("the last visit cannot be read")


def _restore(state: Mapping[str, Any], photo: bytes | None) -> None:
    house_rules.restore(state["house"])
    session.restore_winds(tuple(seat_of(wind) for wind in state["winds"]))
    if state["ruleset"] in RULESET_NAMES:
        session.choose_ruleset(state["ruleset"])
    if not session.has_hand():
        session.keep(History(stored.from_json(state["work"], photo)))
        st.session_state[session.SOURCE] = state["source"]


def keep() -> None:
    """Write down what changed since the last time; a failure is shown once and changes nothing else."""
    work = session.history().now
    now = (work, session.ruleset_name(), st.session_state.get(session.SOURCE), session.winds(), house_rules.chosen())
    before = st.session_state.get(_SAVED)
    if not visitor() or not session.has_hand() or (before is not None and before[0] is work and before[1:] == now[1:]):
        return
    _, name, source, winds, house = now
    state = {
        "work": stored.to_json(work),
        "ruleset": name,
        "source": source or "sample",
        "winds": [str(wind) for wind in winds],
        "house": house,
    }
    try:
        HandStore().put_visit(visitor(), state, photo=work.picture.jpeg if work.picture else None)
    except StoreError as error:
        if not st.session_state.get(_TROUBLE):
            session.notify(explained(error))
        st.session_state[_TROUBLE] = True
        return
    st.session_state[_SAVED] = now
