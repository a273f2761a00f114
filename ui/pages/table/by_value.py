"""The questions what the hands of a win are worth, for a deal without tiles."""

from dataclasses import replace
from typing import Any

import streamlit as st

from tilescore.scoring.game.ledger import Game
from tilescore.scoring.progression import Player
from tilescore.scoring.ruleset import POINTS
from tilescore.scoring.traits import KnownValue
from tilescore.ui.state import table_state
from tilescore.ui.state.deal_draft import Draft
from tilescore.ui.words.game import name_of
from tilescore.ui.words.text import apart, plain, words


def ask_values(game: Game, draft: Draft) -> None:
    """Draw a line for each hand whose value matters."""
    for player in game.position.players:
        wins = player in draft.winners
        if wins or game.rules.traits.losers_count:
            key = "ts_focus_value" if player == draft.winners[0] else None
            with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key=key):
                _ask(game, draft, player)


def _ask(game: Game, draft: Draft, player: Player) -> None:
    name, value = plain(name_of(game, player)), draft.values.get(player)
    rules, traits = game.rules, game.rules.traits
    if not traits.with_fu:
        least = traits.least if player in draft.winners else 0
        label = words("deal.value_points", name=name)
        if traits.unit != POINTS:
            label = f"{apart(name)}: {words(f'unit.{traits.unit}')}"
        _number(player, "points", label, value, least=least)
        return
    _number(player, "han", words("deal.value_han", name=name), value, least=traits.least, most=traits.most)
    possible = rules.fu_of(value.han, self_drawn=draft.discarder is None) if value else ()
    if value is not None and possible:
        # What was chosen stays in the list when han or discarder change: the preview says why it is impossible.
        offered = {*possible, value.fu}
        fu = table_state.follow(f"fu.{player}", value.fu, lambda picked: _put(player, fu=picked), among=offered)
        st.selectbox(words("deal.value_fu"), **fu.among(sorted({*offered, fu.default})), filter_mode=None)


def _number(
    player: Player, field: str, label: str, value: KnownValue | None, *, least: int, most: int | None = None
) -> None:
    """Ask for one number; an empty field is no value yet."""
    shown = None if value is None else getattr(value, field)
    asked = table_state.follow(f"{field}.{player}", shown, lambda number: _put(player, **{field: number}), typed=True)
    st.number_input(label, step=1, placeholder="–", **asked.within(least, most))


def _put(player: Player, **fields: Any) -> None:
    values = dict(table_state.state().draft.values)
    if None in fields.values():
        values.pop(player, None)
    else:
        values[player] = replace(values.get(player, KnownValue()), **fields)
    table_state.edit(values=values)
