"""The visitor's language: chosen in the app, named in the address, kept in a cookie, or that of the browser."""

from typing import Final

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from tilescore.ui.components.assets import draw
from tilescore.ui.locale import ENGLISH, LANGUAGES, closest
from tilescore.ui.state.fields import show_value
from tilescore.ui.words.text import words

_KEPT: Final = "language"
_CHOICE: Final = "language_choice"
_CHOSEN: Final = "language_chosen"
_ADDRESS: Final = "lang"
_COOKIE: Final = "tilescore_language"
_WRITTEN: Final = {"zh": "zh-Hans"}
"""More exact codes for the browser, which draws one character as Chinese or as Japanese readers write it."""


def current() -> str:
    """The visitor's language; English outside of a page."""
    if get_script_run_ctx(suppress_warning=True) is None:
        return ENGLISH
    kept: str | None = st.session_state.get(_KEPT)
    if kept is None:
        kept = st.session_state[_KEPT] = _first()
    return kept


def ask() -> None:
    """Draw the choice; the browser remembers what is chosen."""
    show_value(_CHOICE, current())
    st.selectbox(
        words("language"), list(LANGUAGES), index=list(LANGUAGES).index(current()), key=_CHOICE, on_change=_choose,
        format_func=LANGUAGES.__getitem__, label_visibility="collapsed", filter_mode=None,
    )  # fmt: skip
    data = {"lang": _WRITTEN.get(current(), current()), "code": current(), "cookie": _COOKIE}
    draw("language", key="language_mark", data=data | {"keep": st.session_state.get(_CHOSEN, False)})


def _first() -> str:
    wishes = (st.query_params.get(_ADDRESS), st.context.cookies.get(_COOKIE), st.context.locale)
    return next((code for code in map(closest, wishes) if code is not None), ENGLISH)


def _choose() -> None:
    st.session_state[_KEPT] = st.session_state[_CHOICE]
    st.session_state[_CHOSEN] = True
    st.query_params.pop(_ADDRESS, None)
