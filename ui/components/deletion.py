"""A button that deletes for good: it first says in a sentence what goes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from tilescore.ui.words.audience import is_guest
from tilescore.ui.words.text import plain, words

if TYPE_CHECKING:
    from collections.abc import Callable


def offer_deletion(label: str, what_goes: str, *, key: str, on_click: Callable[[], None]) -> None:
    """Draw the button, for the host of a shared app alone.

    Args:
        label: what the button says.
        what_goes: a sentence about what is deleted.
        key: the name of the button.
        on_click: deletes; it is called when the person confirms.
    """
    if is_guest():
        return
    with st.popover(label, icon=":material/delete_forever:", key=f"{key}.ask", type="tertiary"):
        st.write(plain(what_goes))
        st.button(words("delete.yes"), key=key, type="primary", on_click=on_click)
