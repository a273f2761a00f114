"""The names of fields and buttons that Streamlit makes, in the language of the page."""

from __future__ import annotations

from tilescore.ui.components.assets import renderer


def names() -> None:
    """Say in the words of the page what Streamlit says in English, and take the signs of Markdown out of labels."""
    renderer("names")(key="names", data={})
