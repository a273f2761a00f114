"""What Streamlit remembers of one visitor: the hand with its history, the source, the ruleset, and passing notes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import streamlit as st

from tilescore.base.errors import InputError
from tilescore.scoring.hand import Hand
from tilescore.scoring.ruleset import RULESET_NAMES
from tilescore.ui.state import circumstances
from tilescore.ui.state.edits import applied
from tilescore.ui.state.work import History, Work
from tilescore.ui.words.text import explained

if TYPE_CHECKING:
    from tilescore.scoring.context import Context

SOURCE: Final = "source"
"""Key of the choice where the hand comes from."""
TYPED: Final = "typed"
"""The source of a hand that comes from the keyboard or from a link."""
RULESET: Final = "ruleset"
"""Key of the choice of the ruleset."""
_HISTORY: Final = "history"
_REVISION: Final = "revision"
_NOTATION_ERROR: Final = "notation_error"
_NOTICE: Final = "notice"
_CHOSEN: Final = "chosen_line"


def history() -> History:
    """The visitor's hand and what can be undone."""
    kept: History = st.session_state.get(_HISTORY) or History()
    return kept


def keep(changed: History) -> None:
    """Remember the hand after an edit."""
    st.session_state[_HISTORY] = changed
    st.session_state[_REVISION] = st.session_state.get(_REVISION, 0) + 1
    st.session_state.pop(_NOTATION_ERROR, None)


def take(work: Work) -> None:
    """Put another hand on the table; undo brings the one before back."""
    keep(history().then(work) if _HISTORY in st.session_state else History(work))
    choose_line(None)


def open_hand(hand: Hand, *, ruleset: str, context: Context) -> None:
    """Put a hand that no photo shows on the table, with its ruleset and circumstances."""
    take(Work(typed=hand))
    circumstances.keep(context)
    st.session_state[SOURCE] = TYPED
    choose_ruleset(ruleset)


def choose_ruleset(name: str) -> None:
    """Score by that ruleset from now on."""
    st.session_state[RULESET] = name


def ruleset_name() -> str:
    """The ruleset that the visitor chose; the first one before any choice."""
    return st.session_state.get(RULESET) or RULESET_NAMES[0]


def edit(event: object) -> None:
    """Apply an event of the tile canvas; an impossible one changes nothing and shows a notice."""
    try:
        keep(applied(history(), event))
    except InputError as error:
        notify(explained(error))


def notation_key() -> str:
    """The key of the text field, a new one for every hand.

    With one key for all, a browser that still shows the text of the hand before would bring that hand back with its
    next message.
    """
    return f"notation.{st.session_state.get(_REVISION, 0)}"


def type_notation() -> None:
    """Take the hand from the text field; a text that is no hand stays in the field, with the error below it."""
    text = st.session_state[notation_key()].strip()
    st.session_state.pop(_NOTATION_ERROR, None)
    if text == history().now.notation:
        return
    try:
        take(Work(typed=Hand.parse(text)))
        st.session_state[SOURCE] = TYPED
    except InputError as error:
        st.session_state[_NOTATION_ERROR] = explained(error)


def notation_error() -> str | None:
    """The error of the text in the field."""
    error: str | None = st.session_state.get(_NOTATION_ERROR)
    return error


def notify(sentence: str) -> None:
    """Show this sentence once, on the next drawing of the page."""
    st.session_state[_NOTICE] = sentence


def notice() -> str | None:
    """The sentence to show once."""
    notice: str | None = st.session_state.pop(_NOTICE, None)
    return notice


def choose_line(key: str | None) -> None:
    """Light up the tiles of that score line."""
    st.session_state[_CHOSEN] = key


def chosen_line() -> str | None:
    """The score line whose tiles are lit."""
    key: str | None = st.session_state.get(_CHOSEN)
    return key
