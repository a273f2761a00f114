"""A new game: what is played, who sits where, the rules of the house."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any, Final

import streamlit as st

from scoring.context import SEATS
from scoring.errors import InputError
from scoring.ledger import START, Game
from scoring.ruleset import RULESET_NAMES, ruleset
from ui import table_state
from ui.ledger_store import StoreError
from ui.text import explained, plain, words

if TYPE_CHECKING:
    from scoring.ruleset import OptionEntry
    from ui.ledger_store import Summary

_RULESET: Final = "new.ruleset"
_NAMES: Final = tuple(f"new.name.{seat}" for seat in SEATS)
_LONGEST_NAME: Final = 24


def ask_game(games: tuple[Summary, ...]) -> None:
    """Draw the form; names and rules are those of the last game here."""
    for place, key in enumerate(_NAMES):
        usual = games[0].players[place] if games else words("new.default_name", n=place + 1)
        st.session_state.setdefault(key, usual)
    st.session_state.setdefault(_RULESET, games[0].ruleset if games else RULESET_NAMES[0])
    st.html(f'<div class="ts-section"><h2>{words("games.new")}</h2></div>')
    name = st.segmented_control(
        words("ruleset"), RULESET_NAMES, required=True, key=_RULESET, width="stretch",
        format_func=lambda choice: words(f"ruleset.{choice}"), label_visibility="collapsed",
    ) or RULESET_NAMES[0]  # fmt: skip
    st.html(f'<p class="ts-label">{words("new.players")}</p>')
    columns = [*st.columns(2, wrap=False), *st.columns(2, wrap=False)]
    for seat, key, column in zip(SEATS, _NAMES, columns, strict=True):
        column.text_input(words(f"seat.{seat}"), key=key, max_chars=_LONGEST_NAME, autocomplete="off")
    options, start = _ask_options(name)
    with st.container(horizontal=True):
        st.button(
            words("new.begin"), key="new.begin", type="primary", on_click=_begin, args=(name, options, start),
        )  # fmt: skip
        st.button(words("new.shuffle"), key="new.shuffle", icon=":material/casino:", on_click=_shuffle)
        if games:
            st.button(words("new.cancel"), key="new.cancel", type="tertiary", on_click=table_state.leave)


def _ask_options(name: str) -> tuple[dict[str, Any], int]:
    """The options that differ from the defaults, and the points at the start."""
    with st.expander(words("new.options")):
        usual = START.get(name, 0)
        start = st.number_input(words("new.start"), value=usual, step=1000 if usual else 10, key=f"new.start.{name}")
        entries = ruleset(name).options()
        values = {entry.name: _ask_option(name, entry) for entry in entries}
    changed = {entry.name: values[entry.name] for entry in entries if values[entry.name] != entry.default}
    return changed, int(start)


def _ask_option(name: str, entry: OptionEntry) -> Any:
    key, label = f"new.option.{name}.{entry.name}", plain(words(f"option.{name}.{entry.name}"))
    if isinstance(entry.default, bool):
        return st.toggle(label, entry.default, key=key)
    if isinstance(entry.default, int):
        return st.number_input(label, value=entry.default, step=1, key=key)
    if entry.choices:
        return st.selectbox(
            label, entry.choices, entry.choices.index(entry.default), key=key,
            format_func=lambda choice: words(f"option.{choice}"),
        )  # fmt: skip
    return st.text_input(label, entry.default, key=key, autocomplete="off")


def _begin(name: str, options: dict[str, Any], start: int) -> None:
    east, south, west, north = (str(st.session_state[key]).strip() for key in _NAMES)
    names = (east, south, west, north)
    if not all(names) or len(set(names)) < len(names):
        table_state.keep(trouble=words("new.names_needed"))
        return
    try:
        game = Game.new(name, names, options=options, start=start)
        game.rules.options()
        table_state.begin_with(table_state.store().begin(game))
    except (InputError, StoreError) as error:
        table_state.keep(trouble=explained(error))


def _shuffle() -> None:
    names = [st.session_state[key] for key in _NAMES]
    random.shuffle(names)
    for key, name in zip(_NAMES, names, strict=True):
        st.session_state[key] = name
