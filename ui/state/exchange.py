"""Between a page and the address of the server that gives and takes copies: for whom it works, and what came of it."""

import secrets
from typing import Final

import streamlit as st

from tilescore.errors import InputError
from tilescore.ui.state.kept.visitor import visitor
from tilescore.ui.storage.copies.backup import Imported

_KEY: Final = "exchange.key"
_MOST: Final = 1000
"""Pages whose key is known, the latest ones."""
_VISITORS: Final[dict[str, str]] = {}
_OUTCOMES: Final[dict[str, Imported | InputError]] = {}


def key() -> str:
    """The key of the present page: it names the visitor to the server, and no other page knows it."""
    kept: str = st.session_state.setdefault(_KEY, secrets.token_urlsafe(24))
    _VISITORS[kept] = visitor()
    while len(_VISITORS) > _MOST:
        forgotten = next(iter(_VISITORS))
        _VISITORS.pop(forgotten)
        _OUTCOMES.pop(forgotten, None)
    return kept


def visitor_of(page: str) -> str | None:
    """The visitor of the page with that key; None for an unknown key."""
    return _VISITORS.get(page)


def report(page: str, outcome: Imported | InputError) -> None:
    """Note what became of the file that the page with that key sent."""
    _OUTCOMES[page] = outcome


def outcome() -> Imported | InputError | None:
    """What became of the file that the present page sent last; None if that was asked before."""
    return _OUTCOMES.pop(key(), None)
