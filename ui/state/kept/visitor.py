"""The name by which this machine knows a browser again: a random one, in a cookie of that browser."""

import re
import secrets
from typing import Final

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

COOKIE: Final = "tilescore_visitor"
_KEPT: Final = "visitor"
_SHAPE: Final = re.compile(r"[0-9a-f]{32}")


def visitor() -> str:
    """The name of this browser, which it keeps over reloads; empty outside of a page."""
    if get_script_run_ctx(suppress_warning=True) is None:
        return ""
    kept: str | None = st.session_state.get(_KEPT)
    if kept is None:
        cookie = str(st.context.cookies.get(COOKIE))
        kept = st.session_state[_KEPT] = cookie if _SHAPE.fullmatch(cookie) else secrets.token_hex(16)
    return kept
