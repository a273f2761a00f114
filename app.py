"""The Streamlit app; its pages are in ui/pages, its colours in .streamlit/config.toml."""

from __future__ import annotations

import streamlit as st

from ui.pages import frame


def main() -> None:
    """Draw the chosen page."""
    st.set_page_config(page_title="Tilescore", page_icon="🀄", layout="wide", initial_sidebar_state="collapsed")
    frame.show()


main()
