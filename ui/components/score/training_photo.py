"""The button that keeps a photo for training."""

from typing import Final

import streamlit as st

from tilescore.ui.state import session
from tilescore.ui.state.hand.work import Work
from tilescore.ui.storage.kept_photos import keep, queue
from tilescore.ui.words.audience import is_guest
from tilescore.ui.words.text import plain, telling, words
from tilescore.vision.decoding.reading import Reading

_MESSAGE: Final = "training_photo.message"


def offer_training_photo(work: Work) -> None:
    """Draw the button under a hand from a photo, for the host; only a press keeps the photo."""
    if _MESSAGE in st.session_state:
        st.toast(plain(st.session_state.pop(_MESSAGE)), icon=":material/school:")
    if work.picture is None or not work.on_photo or not work.order or is_guest():
        return
    st.button(
        words("teach.keep"), icon=":material/school:", key="teach_keep", width="stretch", type="tertiary",
        help=words("teach.help"), on_click=_keep, args=(work.reading, work.picture.jpeg, work.unseen),
    )  # fmt: skip


def _keep(reading: Reading, jpeg: bytes, unseen: frozenset[int]) -> None:
    """Keep the photo, and leave the message for the next drawing: one from a callback can vanish with a fragment."""
    with telling(session.notify):
        st.session_state[_MESSAGE] = words("teach.kept", n=keep(reading, jpeg, queue(), unseen=unseen))
