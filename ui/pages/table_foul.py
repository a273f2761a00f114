"""Whose foul, and which: only those that the ruleset knows and charges for (SPEC A to D, fouls)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import streamlit as st

from scoring.progression import PLAYERS, Player
from ui import table_state
from ui.game_words import foul_name, name_of
from ui.text import plain, words

if TYPE_CHECKING:
    from scoring.ledger import Game
    from ui.draft import Draft

_REPEATED: Final = ("change_of_mind", "wall_touched", "late_claim")
_EXPOSED: Final = "tile_exposed"
_MCR: Final = ("false_mahjong", "false_mahjong_below_minimum", *_REPEATED, _EXPOSED)
_LEAST, _MOST, _USUAL = 5, 60, 20
_NOBODY: Final = "?"


def ask_foul(game: Game, draft: Draft) -> None:
    """Draw it; what is chosen goes into the draft as the ruleset names it."""
    st.session_state["deal.foul_by"] = draft.foul_by
    st.pills(
        words("deal.foul_by"), PLAYERS, key="deal.foul_by", wrap=True, on_change=_set_by,
        format_func=lambda player: plain(name_of(game, player)),
    )  # fmt: skip
    if game.ruleset_name != "mcr":
        return
    name = foul_name(draft.foul)
    st.session_state["deal.foul"] = name
    st.selectbox(
        words("deal.foul_kind"),
        _MCR,
        key="deal.foul",
        on_change=_set_kind,
        format_func=lambda key: words(f"foul.{key}"),
    )
    if name in _REPEATED:
        st.session_state["deal.foul_time"] = int(draft.foul.rpartition("_")[2])
        st.number_input(words("deal.foul_time"), 2, 9, key="deal.foul_time", on_change=_set_time)
    if name == _EXPOSED:
        _ask_exposed(game, draft)


def _ask_exposed(game: Game, draft: Draft) -> None:
    victim, points = draft.foul.split("_")[3:]
    others = [player for player in PLAYERS if player is not draft.foul_by]
    st.session_state["deal.foul_victim"] = Player(victim) if victim in others else None
    st.pills(
        words("deal.foul_victim"), others, key="deal.foul_victim", wrap=True, on_change=_set_exposed,
        format_func=lambda player: plain(name_of(game, player)),
    )  # fmt: skip
    st.session_state["deal.foul_points"] = int(points)
    st.number_input(words("deal.foul_points"), _LEAST, _MOST, step=5, key="deal.foul_points", on_change=_set_exposed)


def _set_by() -> None:
    table_state.edit(foul_by=st.session_state["deal.foul_by"])


def _set_kind() -> None:
    name = st.session_state["deal.foul"]
    first = {_EXPOSED: f"_of_{_NOBODY}_{_USUAL}"} | dict.fromkeys(_REPEATED, "_2")
    table_state.edit(foul=name + first.get(name, ""))


def _set_time() -> None:
    name = foul_name(table_state.state().draft.foul)
    table_state.edit(foul=f"{name}_{st.session_state['deal.foul_time']}")


def _set_exposed() -> None:
    victim = st.session_state["deal.foul_victim"] or _NOBODY
    table_state.edit(foul=f"{_EXPOSED}_of_{victim}_{st.session_state['deal.foul_points']}")
