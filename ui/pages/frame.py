"""What stands around every page: the way from one to the other."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import streamlit as st

from ui.pages import score, table
from ui.text import words

if TYPE_CHECKING:
    from collections.abc import Callable

_STYLE: Final = Path(__file__).with_name("frame.css")
_PAGES: Final[tuple[tuple[str, Callable[[], None]], ...]] = (("hand", score.page), ("table", table.page))
"""Name in the address, and what draws it; the first is where people arrive."""


def show() -> None:
    """Draw the navigation and the chosen page."""
    pages = [
        st.Page(draw, title=words(f"page.{name}"), url_path=name, default=not place)
        for place, (name, draw) in enumerate(_PAGES)
    ]
    chosen = st.navigation(pages, position="hidden")
    st.html(_STYLE)
    with st.container(horizontal=True, key="ts_pages", width="content", gap=None):
        for page in pages:
            st.page_link(page)
    chosen.run()
