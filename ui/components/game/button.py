"""A button that calls a function, as most buttons of the app, and the one that shows more of a list."""

from collections.abc import Callable
from typing import Any, Final

import streamlit as st

from tilescore.ui.state import table_state
from tilescore.ui.words.text import words

_PAGE: Final = 20
"""So many of a list are shown before one asks for more."""


def button(
    name: str, act: Callable[..., None], *args: object, key: str = "", of_game: bool = False, **look: Any
) -> None:
    """Draw a button that calls `act` with these arguments before the page is drawn again.

    `name` is its words in the catalogues, and its key if `key` gives no other one. With `of_game` it changes the open
    game; `table_state.changing` says what that means. `look` is what else Streamlit's button takes, `label` among it,
    escaped for Markdown, and `icon`, the name of a symbol alone.
    """
    if "label" not in look:
        look["label"] = words(name)
    if "icon" in look:
        look["icon"] = f":material/{look['icon']}:"
    look |= table_state.changing(key or name, act, *args) if of_game else {"key": key or name, "on_click": act}
    st.button(args=None if of_game else args, **look)


def shown(name: str) -> int:
    """How many of that list are shown."""
    return int(st.session_state.get(f"{name}.shown", _PAGE))


def offer_more(name: str, count: int) -> None:
    """Draw a button that shows more of that list, if it has more."""

    def more() -> None:
        st.session_state[f"{name}.shown"] = shown(name) + _PAGE

    if count > shown(name):
        button("history.more", more, key=f"{name}.more", width="stretch")
