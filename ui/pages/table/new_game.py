"""The form of a new game: ruleset, players, options."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any, Final

import streamlit as st

from tilescore.base.errors import InputError
from tilescore.scoring.context import SEATS
from tilescore.scoring.game.ledger import Game
from tilescore.scoring.ruleset import RULESET_NAMES, chosen, ruleset
from tilescore.ui.state import table_state
from tilescore.ui.words.text import explained, plain, words

if TYPE_CHECKING:
    from tilescore.scoring.ruleset import OptionEntry
    from tilescore.ui.storage.ledger_store import Summary

_RULESET: Final = "new.ruleset"
_NAMES: Final = tuple(f"new.name.{seat}" for seat in SEATS)
_LONGEST_NAME: Final = 24
_PROFILE: Final = "profile"
"""The option that overrules others."""


def ask_game(games: tuple[Summary, ...]) -> None:
    """Draw the form, with the names and the ruleset of the last game."""
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
    _ask_options(name)
    with st.container(horizontal=True):
        st.button(words("new.begin"), key="new.begin", type="primary", on_click=_begin)
        st.button(words("new.shuffle"), key="new.shuffle", icon=":material/casino:", on_click=_shuffle)
        if games:
            st.button(words("new.cancel"), key="new.cancel", type="tertiary", on_click=table_state.leave)


def _ask_options(name: str) -> None:
    with st.expander(words("new.options")):
        if not _has_start(name):
            st.number_input(words("new.start"), value=0, step=10, key=_start_key(name))
        for entry in _open_options(name):
            _ask_option(entry, _option_key(name, entry), plain(words(f"option.{name}.{entry.name}")))


def _open_options(name: str) -> list[OptionEntry]:
    """The options that the chosen profile does not overrule."""
    profiles = [entry for entry in ruleset(name).options() if entry.name == _PROFILE]
    chosen_ones = {entry.name: st.session_state.get(_option_key(name, entry), entry.default) for entry in profiles}
    return [entry for entry in ruleset(name, chosen_ones).options() if not entry.overruled]


def _has_start(name: str) -> bool:
    """Whether the points at the start are an option of the ruleset."""
    return chosen(ruleset(name), "start_points", None) is not None


def _start_key(name: str) -> str:
    return f"new.start.{name}"


def _option_key(name: str, entry: OptionEntry) -> str:
    return f"new.option.{name}.{entry.name}"


def _ask_option(entry: OptionEntry, key: str, label: str) -> None:
    if isinstance(entry.default, bool):
        st.toggle(label, entry.default, key=key)
    elif isinstance(entry.default, int):
        st.number_input(label, value=entry.default, step=1, key=key)
    elif entry.choices:
        st.selectbox(
            label, entry.choices, entry.choices.index(entry.default), key=key,
            format_func=lambda choice: words(f"option.{choice}"),
        )  # fmt: skip
    else:
        st.text_input(label, entry.default, key=key, autocomplete="off")


def _chosen_options(name: str) -> dict[str, Any]:
    """The options that differ from the defaults; an option that is not yet drawn has its default."""
    entries = _open_options(name)
    values = {entry.name: st.session_state.get(_option_key(name, entry), entry.default) for entry in entries}
    return {entry.name: values[entry.name] for entry in entries if values[entry.name] != entry.default}


def _begin() -> None:
    """Begin the game with the present values of the fields: a quick tap comes before the page is drawn again."""
    name: str = st.session_state[_RULESET] or RULESET_NAMES[0]
    options = _chosen_options(name)
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
