"""The head of a page: the name and what the page is for."""

import json
from collections.abc import Mapping
from html import escape

import streamlit as st

from tilescore.ui.words.audience import is_guest
from tilescore.ui.words.text import beside, words
from tilescore.vision.image.config import PHOTO_LIMITS


def header(promise: str, privacy: str = "") -> None:
    """Draw the head; a guest reads where the photos go, instead of `privacy`."""
    if privacy and is_guest():
        privacy = words("app.guest")
    private = f"<span>{escape(privacy)}</span>" if privacy else ""
    with st.container(key="ts_head"):
        st.html(f'<header class="ts-head"><h1>Tilescore</h1><p>{beside(escape(promise), private)}</p></header>')


def texts_of_fields() -> None:
    """Draw the words that stand in the place of Streamlit's in fields for files, because those are English."""
    most = PHOTO_LIMITS.max_bytes // 1_000_000
    told = {
        "refused": beside(words("source.refused", most=most), words("source.kept")),  # such a file never reaches Python
        "photograph": words("source.photograph"),
        "limits": words("source.limits", most=most),
    }
    st.html(f"<style>:root {{ {variables(told)} }}</style>")


def variables(texts: Mapping[str, str]) -> str:
    """Texts as variables of CSS, for places that only a style can fill: `--ts-NAME`."""
    return " ".join(f"--ts-{name}: {json.dumps(text, ensure_ascii=False)};" for name, text in texts.items())
