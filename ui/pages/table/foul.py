"""The questions who made a foul and which, among the fouls that the ruleset charges for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import streamlit as st

from tilescore.scoring.game.progression import Player
from tilescore.scoring.mcr.settlement import MOST_OFFENCES
from tilescore.ui.state import table_state
from tilescore.ui.words.game import foul_name, name_of
from tilescore.ui.words.text import plain, words

if TYPE_CHECKING:
    from tilescore.scoring.game.ledger import Game
    from tilescore.ui.state.deal_draft import Draft

_REPEATED: Final = ("change_of_mind", "wall_touched", "late_claim")
_EXPOSED: Final = "tile_exposed"
_LEAST, _MOST, _USUAL = 5, 60, 20
_NOBODY: Final = "?"


def ask_foul(game: Game, draft: Draft) -> None:
    """Draw the questions; the foul goes into the draft as the ruleset names it."""
    by = table_state.follow("foul_by", draft.foul_by, lambda player: table_state.edit(foul_by=player))
    st.pills(
        words("deal.foul_by"), game.position.players, wrap=True, **by.choice,
        format_func=lambda player: plain(name_of(game, player)),
    )  # fmt: skip
    kinds = game.rules.traits.fouls
    if len(kinds) < 2:
        return
    name = foul_name(draft.foul)
    kind = table_state.follow("foul", name, _set_kind)
    st.selectbox(
        words("deal.foul_kind"), kinds, index=kinds.index(kind.default), key=kind.key, on_change=kind.changed,
        format_func=lambda key: words(f"foul.{key}"),
    )  # fmt: skip
    if name in _REPEATED:
        count = int(draft.foul.rpartition("_")[2])
        time = table_state.follow("foul_time", count, lambda nth: table_state.edit(foul=f"{name}_{nth}"), typed=True)
        st.number_input(words("deal.foul_time"), 2, MOST_OFFENCES, **time.value)
    if name == _EXPOSED:
        _ask_exposed(game, draft)


def _ask_exposed(game: Game, draft: Draft) -> None:
    whose, worth = draft.foul.split("_")[3:]
    others = [player for player in game.position.players if player is not draft.foul_by]
    shown = Player(whose) if whose in others else None

    victim = table_state.follow("foul_victim", shown, lambda player: _edit_exposed(3, player or _NOBODY))
    points = table_state.follow("foul_points", int(worth), lambda price: _edit_exposed(4, price), typed=True)
    st.pills(
        words("deal.foul_victim"), others, wrap=True, **victim.choice,
        format_func=lambda player: plain(name_of(game, player)),
    )  # fmt: skip
    st.number_input(words("deal.foul_points"), _LEAST, _MOST, step=5, **points.value)


def _edit_exposed(place: int, value: object) -> None:
    """Change one part of the name of the foul, unless the same message has chosen another foul."""
    parts = table_state.state().draft.foul.split("_")
    if foul_name(table_state.state().draft.foul) == _EXPOSED:
        parts[place] = str(value)
        table_state.edit(foul="_".join(parts))


def _set_kind(name: str) -> None:
    first = {_EXPOSED: f"_of_{_NOBODY}_{_USUAL}"} | dict.fromkeys(_REPEATED, "_2")
    table_state.edit(foul=name + first.get(name, ""))
