"""The connection of the page with its server: what happens when it is lost, and when it comes back."""

import time
from typing import Final

import streamlit as st

from tilescore.ui.components.assets import draw
from tilescore.ui.words.text import plain, words

_TOLD: Final = "connection.told"
_DAY_S: Final = 86_400
_PROTOCOLS: Final = "Sec-WebSocket-Protocol"
_OF_A_NEW_PAGE: Final = 2
"""A new page names two protocols; one that was connected before adds the session that it had."""


def watch_connection() -> None:
    """Keep the page true over a lost connection; to be called at the end of each drawing of the whole page.

    No press counts from the loss of the connection until the page is drawn again. A page that is older than its session
    says so: a server that was started anew, or that has waited too long for the browser, knows only what was kept.
    """
    data = {"title": words("gone.title"), "text": words("gone.text"), "drawn": time.time_ns()}
    draw("connection", key="connection", data=data)
    _ask_again()
    if _TOLD not in st.session_state:
        st.session_state[_TOLD] = True
        if len(st.context.headers.get(_PROTOCOLS, "").split(",")) > _OF_A_NEW_PAGE:
            st.toast(plain(words("gone.again")))


@st.fragment(run_every=_DAY_S)
def _ask_again() -> None:
    """Draw nothing, but let the browser ask for the whole page as soon as it is connected again.

    Streamlit's frontend asks for it only if some fragment runs by itself, or if a fragment was drawn last
    (`handleConnectionStateChanged` of its App, 1.67). A page that does not ask stays as it was, and a new session drops
    each press in a fragment, because it has not drawn that fragment.
    """
