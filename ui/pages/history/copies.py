"""Copies of everything in one file, and files that come in: such a copy, or the JSON of one game."""

from typing import Final

import streamlit as st

from tilescore.errors import InputError
from tilescore.ui.components.copies.copies import copies
from tilescore.ui.components.document.messages import show_error
from tilescore.ui.state import exchange
from tilescore.ui.words.text import explained, plain, words

_DONE: Final = "copies.done"
"""Key of what became of the file that came in last."""


def show_copies() -> None:
    """Draw the link that gives a copy, and the field that takes one."""
    st.caption(words("copies.what"))
    copies(key=exchange.key(), on_done=_note)
    done = st.session_state.get(_DONE)
    if isinstance(done, InputError):
        show_error(explained(done))
    elif done is not None:
        st.success(plain(words("copies.imported", games=done.games, hands=done.hands, known=done.known)))


def _note() -> None:
    st.session_state[_DONE] = exchange.outcome()
