"""What a part of a page that is drawn alone, a fragment, may have carried off from the rest of the page.

Streamlit's frontend sends what changed in one moment in one message, and if any of it comes from a fragment, only that
fragment is drawn again (`scheduleFlush` in its WidgetStateManager, 1.67). A camera sends a picture ten times a second,
so a tap on anything else soon falls into such a moment: the value arrives, its callback runs, and the page stays as it
was. The fragment therefore looks whether anything outside it is other than when the page was drawn as a whole.
"""

from __future__ import annotations

from typing import Final

import streamlit as st

_DRAWN: Final = "stale_page.drawn"
_PLAIN: Final = (bool, int, float, str, list, tuple, set, frozenset, type(None))


def begin() -> None:
    """Say that the whole page is being drawn."""
    st.session_state.pop(_DRAWN, None)


def end(*own: str) -> None:
    """Say that it is drawn; values whose keys start with `own` belong to the fragment itself."""
    st.session_state[_DRAWN] = (own, _values(own))


def is_stale() -> bool:
    """Whether a value outside the fragment changed since the whole page was drawn; False while that is being drawn."""
    own, before = st.session_state.get(_DRAWN, ((), None))
    return before is not None and before != _values(own)


def _values(own: tuple[str, ...]) -> dict[str, object]:
    """What widgets and callbacks know, by key; larger things are changed by those alone."""
    return {
        str(key): value
        for key, value in st.session_state.items()
        if isinstance(value, _PLAIN) and key != _DRAWN and not str(key).startswith(own)
    }
