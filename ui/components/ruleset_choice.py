"""The choice of a ruleset: a pill for each, so that many fit a phone."""

from collections.abc import Iterable
from typing import Any

import streamlit as st

from tilescore.ui.words.text import words


def ask_for_ruleset(names: Iterable[str], *, key: str, default: str, persists: bool = False) -> str:
    """Draw the choice among these rulesets and return it.

    `persists` says whether the choice outlasts the page.
    """
    more: dict[str, Any] = {"persist_state": "session"} if persists else {}
    chosen: str | None = st.pills(
        words("ruleset"), list(names), default=default, required=True, key=key, wrap=True,
        format_func=lambda name: words(f"ruleset.{name}"), label_visibility="collapsed", **more,
    )  # fmt: skip
    return chosen or default
