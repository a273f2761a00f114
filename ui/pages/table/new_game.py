"""The form of a new game: ruleset, players, options."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Final

import streamlit as st

from tilescore.base.errors import InputError
from tilescore.scoring.context import SEATS
from tilescore.scoring.game.ledger import Game
from tilescore.scoring.ruleset import chosen, ruleset
from tilescore.ui.components.house_rules import ask_house_rules
from tilescore.ui.locale import OFFERED
from tilescore.ui.state import house_rules, session, table_state
from tilescore.ui.words.text import explained, words

if TYPE_CHECKING:
    from tilescore.ui.storage.summary import Summary

_RULESET: Final = "new.ruleset"
_NAMES: Final = tuple(f"new.name.{seat}" for seat in SEATS)
_LONGEST_NAME: Final = 24


def ask_game(games: tuple[Summary, ...]) -> None:
    """Draw the form, with the names and the ruleset of the last game whose rules the app offers."""
    last = next((game for game in games if game.ruleset in OFFERED), None)
    usual = last.players if last else [words("new.default_name", n=place + 1) for place in range(len(SEATS))]
    st.html(f'<div class="ts-section"><h2>{words("games.new")}</h2></div>')
    name = st.segmented_control(
        words("ruleset"), OFFERED, default=last.ruleset if last else session.ruleset_name(), required=True,
        key=_RULESET, width="stretch",
        format_func=lambda choice: words(f"ruleset.{choice}"), label_visibility="collapsed",
    ) or OFFERED[0]  # fmt: skip
    st.html(f'<p class="ts-label">{words("new.players")}</p>')
    columns = [*st.columns(2, wrap=False), *st.columns(2, wrap=False)]
    for seat, key, player, column in zip(SEATS, _NAMES, usual, columns, strict=True):
        column.text_input(words(f"seat.{seat}"), player, key=key, max_chars=_LONGEST_NAME, autocomplete="off")
    _ask_options(name)
    with st.container(horizontal=True):
        st.button(words("new.begin"), type="primary", **table_state.changing("new.begin", _begin))
        st.button(words("new.shuffle"), key="new.shuffle", icon=":material/casino:", on_click=_shuffle)
        if games:
            st.button(words("new.cancel"), key="new.cancel", type="tertiary", on_click=table_state.leave)


def _ask_options(name: str) -> None:
    with st.expander(words("new.options")):
        if not _has_start(name):
            st.number_input(words("new.start"), value=0, step=10, key=_start_key(name))
        ask_house_rules(name, key="new.option")


def _has_start(name: str) -> bool:
    """Whether the points at the start are an option of the ruleset."""
    return chosen(ruleset(name), "start_points", None) is not None


def _start_key(name: str) -> str:
    return f"new.start.{name}"


def _begin() -> None:
    """Begin the game with the present values of the fields: a quick tap comes before the page is drawn again."""
    name: str = st.session_state[_RULESET] or OFFERED[0]
    options = house_rules.options(name)
    start = None if _has_start(name) else int(st.session_state.get(_start_key(name), 0))
    east, south, west, north = (str(st.session_state[key]).strip() for key in _NAMES)
    names = (east, south, west, north)
    if not all(names) or len(set(names)) < len(names):
        table_state.keep(trouble=words("new.names_needed"))
        return
    try:
        game = Game.new(name, names, options=options, start=start)
        game.rules.options()
        table_state.begin_with(table_state.store().begin(game))
    except InputError as error:
        table_state.keep(trouble=explained(error))


def _shuffle() -> None:
    names = [st.session_state[key] for key in _NAMES]
    random.shuffle(names)
    for key, name in zip(_NAMES, names, strict=True):
        st.session_state[key] = name
