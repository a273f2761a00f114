"""What went wrong, in a sentence that may hold typed text."""

import streamlit as st

from tilescore.ui.state import session
from tilescore.ui.words.text import plain, sentence


def show_error(text: str) -> None:
    """Draw why something is impossible."""
    st.error(plain(sentence(text)))


def show_warning(text: str) -> None:
    """Draw what a person should know."""
    st.warning(plain(sentence(text)))


def show_notice() -> None:
    """Draw the notice of the session, once."""
    notice = session.notice()
    if notice:
        show_warning(notice)
