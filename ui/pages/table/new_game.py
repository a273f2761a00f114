"""The form of a new game: ruleset, players, options."""

import random
from dataclasses import replace
from typing import Final

import streamlit as st

from tilescore.scoring.context import Seat
from tilescore.scoring.game.ledger import Game
from tilescore.scoring.ruleset import RULESETS, first_ruleset, ruleset
from tilescore.ui.components.game.button import button
from tilescore.ui.components.house_rules import ask_house_rules
from tilescore.ui.components.ruleset_choice import ask_for_ruleset
from tilescore.ui.state import house_rules, session, table_game, table_state
from tilescore.ui.storage.ledger_store import LedgerStore
from tilescore.ui.storage.summary import Summary
from tilescore.ui.words.text import plain, telling, words

_RULESET: Final = "new.ruleset"
_TAG: Final = "new.tag"
_START: Final = "new.start"
LONGEST_NAME: Final = 60
_MOST_KNOWN: Final = 8
"""Players of earlier games that are offered."""


def ask_game(games: tuple[Summary, ...]) -> None:
    """Draw the form, with the names of the last game, and the ruleset that the visitor chose, else that of the game."""
    kept = table_state.state().typed
    for key, text in kept.items():
        if key != _RULESET or text in RULESETS:
            st.session_state.setdefault(key, text)  # Streamlit forgets a field that another page or ruleset leaves out
    last = next((game for game in games if game.ruleset in RULESETS), None)
    st.html(f'<div class="ts-section"><h2>{words("games.new")}</h2></div>')
    usual_name = session.chosen_ruleset() or (last.ruleset if last else session.ruleset_name())
    name = ask_for_ruleset(RULESETS, key=_RULESET, default=usual_name)
    seats = house_rules.rules(name).traits.seats
    usual = [_usual_name(place) for place in range(len(seats))]
    known = [name if name not in usual else "" for name in last.players] if last else []
    st.html(f'<p class="ts-label">{words("new.players")}</p>')
    with st.container(key="ts_focus_names"):
        columns = [*st.columns(2, wrap=False), *st.columns(2, wrap=False)]
    for place, (seat, column) in enumerate(zip(seats, columns, strict=False)):
        column.text_input(
            words(f"seat.{seat}"), known[place] if place < len(known) else "", key=_name_key(seat),
            max_chars=LONGEST_NAME, placeholder=usual[place], autocomplete="off",
        )  # fmt: skip
    _offer_known(games, seats, usual)
    st.text_input(
        words("new.tag"), last.tag if last else "", key=_TAG, max_chars=LONGEST_NAME, autocomplete="off",
        placeholder=words("new.tag_example"),
    )  # fmt: skip
    typed = {**kept, **{key: str(st.session_state.get(key) or "") for key in (*map(_name_key, seats), _TAG)}}
    begun = name != usual_name or any(text for key, text in typed.items() if key != _RULESET)
    table_state.keep(typed={**typed, _RULESET: name} if begun else {})
    with st.expander(words("new.options")):
        if ruleset(name).traits.start is None:
            st.number_input(words(_START), value=0, step=10, key=f"{_START}.{name}")
        ask_house_rules(name, key="new.option")
    with st.container(horizontal=True):
        button("new.begin", _begin, of_game=True, type="primary")
        button("new.shuffle", _shuffle, seats, icon="casino")
        if games:
            button("new.cancel", table_game.leave, type="tertiary")


def _offer_known(games: tuple[Summary, ...], seats: tuple[Seat, ...], usual: list[str]) -> None:
    """Offer the players of earlier games for the seats whose field is empty, the latest first."""
    typed = _typed(seats).values()
    seen = dict.fromkeys(name for game in games for name in game.players)
    free = [name for name in seen if name not in (*typed, *usual)][:_MOST_KNOWN]
    if all(typed) or not free:
        return
    with st.container(horizontal=True, gap="small", key="ts_known"):
        for number, name in enumerate(free):
            key = f"new.known.{number}.{name}"
            button(key, _seat_known, name, seats, label=plain(name), icon="person_add")


def _seat_known(name: str, seats: tuple[Seat, ...]) -> None:
    """Write the name into the first empty field, unless it stands in one already."""
    fields = _typed(seats)
    empty = next((key for key, typed in fields.items() if not typed), None)
    if empty is not None and name not in fields.values():
        st.session_state[empty] = name


def _typed(seats: tuple[Seat, ...]) -> dict[str, str]:
    """The names in the fields, by the key of the field."""
    return {_name_key(seat): str(st.session_state.get(_name_key(seat), "")).strip() for seat in seats}


def _usual_name(place: int) -> str:
    """What a player is called whose name nobody typed."""
    return words("new.default_name", n=place + 1)


def _name_key(seat: Seat) -> str:
    return f"new.name.{seat}"


def _begin() -> None:
    """Begin the game with the present values of the fields: a quick tap comes before the page is drawn again."""
    name: str = st.session_state[_RULESET] or first_ruleset()
    seats = house_rules.rules(name).traits.seats
    options = house_rules.options(name)
    start = int(st.session_state.get(f"{_START}.{name}", 0)) if ruleset(name).traits.start is None else None
    names = tuple(name or _usual_name(place) for place, name in enumerate(_typed(seats).values()))
    if len(set(names)) < len(names):
        table_state.show_trouble(words("new.names_needed"))
        return
    with telling(table_state.show_trouble):
        game = replace(Game.new(name, names, options=options, start=start), tag=tag_of(st.session_state.get(_TAG)))
        game.rules.options()
        table_game.begin_with(LedgerStore().begin(game))


def tag_of(typed: object) -> str:
    """The tag that a person typed, without spaces at its ends."""
    return str(typed or "").strip()


def _shuffle(seats: tuple[Seat, ...]) -> None:
    names = [st.session_state[_name_key(seat)] for seat in seats]
    random.shuffle(names)
    for seat, name in zip(seats, names, strict=True):
        st.session_state[_name_key(seat)] = name
