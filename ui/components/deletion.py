"""A button that deletes for good, after it has said in a sentence what goes; and what is left of what was deleted."""

from collections.abc import Callable
from contextlib import suppress

import streamlit as st

from tilescore.errors import InputError
from tilescore.ui.storage import deletions
from tilescore.ui.words.audience import is_guest
from tilescore.ui.words.text import plain, words


def offer_deletion(label: str, what_goes: str, *, key: str, on_click: Callable[[], None]) -> None:
    """Draw the button, for the host of a shared app alone.

    `what_goes` is a sentence about what is deleted; `on_click` deletes it once the person confirms.
    """
    if is_guest():
        return
    with st.popover(label, icon=":material/delete_forever:", key=f"{key}.ask", type="tertiary"):
        st.write(plain(what_goes))
        st.button(words("delete.yes"), key=key, type="primary", on_click=on_click)


def show_owed() -> None:
    """Say that something deleted is still on the disk, with a button that deletes it now; to the host alone."""
    if is_guest() or not deletions.are_owed():
        return
    with st.container(key="ts_owed"):
        st.warning(words("delete.owed"))
        st.button(words("delete.now"), icon=":material/delete_forever:", key="delete.now", on_click=_settle)


def _settle() -> None:
    with suppress(InputError):  # the page says again what is left
        deletions.settle()
