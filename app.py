"""The Streamlit app: page, navigation; its colours are in .streamlit/config.toml."""

from __future__ import annotations

import streamlit as st

from ui.pages import score


def main() -> None:
    """Draw the chosen page."""
    st.set_page_config(page_title="Tilescore", page_icon="🀄", layout="wide", initial_sidebar_state="collapsed")
    st.navigation([st.Page(score.page, title="Score", url_path="score", default=True)], position="hidden").run()


main()
