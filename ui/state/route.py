"""Requests to go to another page: an event makes one, and the next drawing of the app follows it."""

from typing import Final

import streamlit as st

_WANTED: Final = "go_to"


def go_to(page: str, **query: str) -> None:
    """Request that page by its name in the address, with this query."""
    st.session_state[_WANTED] = (page, query)


def wanted() -> tuple[str, dict[str, str]] | None:
    """The requested page with its query, once; None if there is no request."""
    asked: tuple[str, dict[str, str]] | None = st.session_state.pop(_WANTED, None)
    return asked


def leave_fragment() -> None:
    """Draw the whole app again if a fragment of this page has requested another page."""
    if _WANTED in st.session_state:
        st.rerun()
