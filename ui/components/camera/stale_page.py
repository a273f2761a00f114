"""Detection of changes that the drawing of a fragment alone has kept from the rest of the page.

Streamlit's frontend sends all changes of one moment in one message. If one of them comes from a fragment, Streamlit
draws only that fragment again (`scheduleFlush` in its WidgetStateManager, 1.67). A camera sends ten pictures a second,
so a tap elsewhere soon shares a message with a picture: its value arrives, its callback runs, but the page stays as it
was. The fragment therefore checks whether any value outside it differs from the last drawing of the whole page.
"""

from dataclasses import fields
from itertools import chain
from typing import Final

import streamlit as st

from tilescore.ui.state.session import Session, mine

_DRAWN: Final = "stale_page.drawn"
_TURNS: Final = ".drawn"
"""How the keys end under which a component or this module remembers what is drawn (`components.assets`)."""
_PLAIN: Final = (bool, int, float, str, list, tuple, set, frozenset, type(None))


def begin() -> None:
    """Mark the start of a drawing of the whole page."""
    st.session_state.pop(_DRAWN, None)


def end(*own: str) -> None:
    """Mark the end of that drawing; values whose keys start with `own` belong to the fragment itself."""
    st.session_state[_DRAWN] = (own, _values(own))


def is_stale() -> bool:
    """Whether a value outside the fragment changed since the page was drawn; False during such a drawing."""
    own, before = st.session_state.get(_DRAWN, ((), None))
    return before is not None and before != _values(own)


def _values(own: tuple[str, ...]) -> dict[str, object]:
    """The plain values of the session by key, without those of the fragment and the counts of the components."""
    remembered = {f"session.{part.name}": getattr(mine(), part.name) for part in fields(Session)}
    return {
        str(key): value
        for key, value in chain(st.session_state.items(), remembered.items())
        if isinstance(value, _PLAIN) and not str(key).startswith(own) and not str(key).endswith(_TURNS)
    }
