"""Whether others in the network use this app too, and whether this visitor is one of them."""

from __future__ import annotations

import os
from typing import Final
from urllib.parse import urlsplit

import streamlit as st

SHARED: Final = "TILESCORE_SHARED_AT"
"""The variable with the address of the app in the network; the server sets it when it shares the app."""
_HERE: Final = ("localhost", "127.0.0.1", "::1")


def shared_at() -> str | None:
    """The address for others in the network; None if the app serves this machine alone."""
    return os.environ.get(SHARED)


def is_guest() -> bool:
    """Whether this visitor's photos go to another machine."""
    return shared_at() is not None and urlsplit(str(st.context.url)).hostname not in _HERE
