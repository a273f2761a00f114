"""Who reads the words: the person who started the program, or a guest of a shared app."""

from typing import Final

import streamlit as st

GUEST_HEADER: Final = "X-Tilescore-Guest"
"""A header that the server adds to the requests of guests, and of nobody else."""


def is_guest() -> bool:
    """Whether a guest looks at the page: guests keep nothing on the disk but games, and see no folder of the host."""
    return GUEST_HEADER in st.context.headers
