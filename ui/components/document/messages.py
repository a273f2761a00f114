"""What went wrong, in a sentence that may hold typed text."""

import streamlit as st

from tilescore.ui.state import session
from tilescore.ui.words.text import plain, sentence


def show_error(text: str, *, unless: str | None = None) -> None:
    """Draw why something is impossible; not where the page says the same already."""
    if text != unless:
        st.error(plain(sentence(text)))


def show_warning(text: str) -> None:
    """Draw what a person should know."""
    st.warning(plain(sentence(text)))


def show_notice(*, unless: str | None = None) -> None:
    """Draw the notice of the session, once; not where the page says the same already."""
    notice = session.notice()
    if notice and notice != unless:
        show_warning(notice)
