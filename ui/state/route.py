"""The way from one page to another that an event asks for: said in the event, gone when the page is drawn next."""

from __future__ import annotations

from typing import Final

import streamlit as st

_WANTED: Final = "go_to"


def go_to(page: str, **query: str) -> None:
    """Ask for that page, by its name in the address, with these words behind it."""
    st.session_state[_WANTED] = (page, query)


def wanted() -> tuple[str, dict[str, str]] | None:
    """The page that was asked for, once."""
    asked: tuple[str, dict[str, str]] | None = st.session_state.pop(_WANTED, None)
    return asked


def leave_fragment() -> None:
    """Draw the whole app again if another page was asked for from within a part of this one."""
    if _WANTED in st.session_state:
        st.rerun()
