"""The head of a page: the name and what the page is for."""

from __future__ import annotations

import json
from html import escape
from pathlib import Path
from typing import Final

import streamlit as st

from tilescore.ui.words.audience import is_guest
from tilescore.ui.words.text import words
from tilescore.vision.image.config import IMAGE

STYLE: Final = Path(__file__).with_name("style.css")


def header(promise: str, privacy: str = "") -> None:
    """Draw the head, with the style that all pages share; a guest reads where the photos go, instead of `privacy`."""
    if privacy and is_guest():
        privacy = words("app.guest")
    st.html(STYLE)
    refused = json.dumps(words("source.refused", most=IMAGE.photo.max_bytes // 1_000_000), ensure_ascii=False)
    st.html(f"<style>:root {{ --ts-refused: {refused}; }}</style>")  # such a file never reaches Python
    private = f" <span>{escape(privacy)}</span>" if privacy else ""
    st.html(f'<header class="ts-head"><h1>Tilescore</h1><p>{escape(promise)}{private}</p></header>')
