"""The button that gives a photo to the model to learn from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import streamlit as st

from scoring.errors import InputError
from ui.teach import keep, queue
from ui.text import explained, plain, sentence, words

if TYPE_CHECKING:
    from ui.work import Work

_BUTTON: Final = "teach_keep"


def offer(work: Work) -> None:
    """Draw the button under a hand that was read from a photo; nothing is kept unless it is pressed."""
    if work.reading is None or work.picture is None or not work.order:
        return
    if st.button(
        words("teach.keep"), icon=":material/school:", key=_BUTTON, width="stretch", type="tertiary",
        help=words("teach.help"),
    ):  # fmt: skip
        try:
            st.toast(plain(words("teach.kept", n=keep(work, queue()))), icon=":material/school:")
        except InputError as error:
            st.error(plain(sentence(explained(error))))
