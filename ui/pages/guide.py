"""The page of help: how to photograph, correct and book, and what Tilescore is."""

from html import escape
from typing import Final

import streamlit as st

import tilescore
from tilescore.ui.components.header import header
from tilescore.ui.words.text import words

_PARTS: Final = {
    "photo": ("view", "rows", "winning", "light"),
    "correct": ("tile", "parts", "undo"),
    "table": ("book", "knows"),
    "about": ("version", "guides"),
}
"""The parts of the page with their sentences, as `help.PART` and `help.PART.SENTENCE` of the catalogues."""


def page() -> None:
    """Draw a card for each part."""
    header(words("help.tagline"), words("app.private"))
    st.html(f'<div class="ts-help">{"".join(_card(part, names) for part, names in _PARTS.items())}</div>')


def _card(part: str, names: tuple[str, ...]) -> str:
    places = {"table": words("page.table"), "hand": words("page.hand")}
    told = (words(f"help.{part}.{name}", version=tilescore.__version__, **places) for name in names)
    items = "".join(f"<li>{escape(text)}</li>" for text in told)
    return f'<section class="ts-card"><h2>{escape(words(f"help.{part}"))}</h2><ul>{items}</ul></section>'
