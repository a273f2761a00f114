"""Copies of everything in one file, and files that come in: such a copy, or the JSON of one game."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Final

import streamlit as st

from tilescore.base.errors import InputError
from tilescore.ui.state.kept.visitor import visitor
from tilescore.ui.storage.backup import MOST_MEGABYTES, exported, imported
from tilescore.ui.words.text import explained, plain, sentence, words

if TYPE_CHECKING:
    from streamlit.runtime.uploaded_file_manager import UploadedFile

_DONE: Final = "copies.done"
"""Key of the file that came in last, and what to say about it."""


def show_copies() -> None:
    """Draw the button that gives a copy, and the field that takes one."""
    st.caption(words("copies.what"))
    name = f"tilescore-{datetime.now().astimezone():%Y-%m-%d}.json"
    who = visitor()
    st.download_button(
        words("copies.export"), lambda: exported(who), name, "application/json", key="copies.export",
        icon=":material/download:", on_click="ignore",
    )  # fmt: skip
    file = st.file_uploader(words("copies.import"), ("json",), key="copies.import", max_upload_size=MOST_MEGABYTES)
    if file is not None:
        done, text = _taken(file)
        (st.success if done else st.error)(plain(sentence(text)))


def _taken(file: UploadedFile) -> tuple[bool, str]:
    """Take the file in, once; whether that was possible, and what to say."""
    known: tuple[str, bool, str] | None = st.session_state.get(_DONE)
    if known is not None and known[0] == file.file_id:
        return known[1], known[2]
    try:
        found = imported(file.getvalue(), visitor())
    except InputError as error:
        done, text = False, explained(error)
    else:
        done, text = True, words("copies.imported", games=found.games, hands=found.hands, known=found.known)
    st.session_state[_DONE] = (file.file_id, done, text)
    return done, text
