"""The questions who made a foul and which, among the fouls that the ruleset charges for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import streamlit as st

from tilescore.scoring.game.progression import PLAYERS, Player
from tilescore.scoring.mcr.settlement import MOST_OFFENCES
from tilescore.ui.state import table_state
from tilescore.ui.state.fields import show_value
from tilescore.ui.words.game import foul_name, name_of
from tilescore.ui.words.text import plain, words

if TYPE_CHECKING:
    from tilescore.scoring.game.ledger import Game
    from tilescore.ui.state.deal_draft import Draft

_REPEATED: Final = ("change_of_mind", "wall_touched", "late_claim")
_EXPOSED: Final = "tile_exposed"
_MCR: Final = ("false_mahjong", "false_mahjong_below_minimum", *_REPEATED, _EXPOSED)
_LEAST, _MOST, _USUAL = 5, 60, 20
_NOBODY: Final = "?"


def ask_foul(game: Game, draft: Draft) -> None:
    """Draw the questions; the foul goes into the draft as the ruleset names it."""
    by = table_state.field_key("foul_by")
    show_value(by, draft.foul_by)
    st.pills(
        words("deal.foul_by"), PLAYERS, key=by, wrap=True,
        on_change=table_state.for_this_deal(by, lambda: table_state.edit(foul_by=st.session_state[by])),
        format_func=lambda player: plain(name_of(game, player)),
    )  # fmt: skip
    if game.ruleset_name != "mcr":
        return
    kind = table_state.field_key("foul")
    name = foul_name(draft.foul)
    show_value(kind, name)
    st.selectbox(
        words("deal.foul_kind"),
        _MCR,
        key=kind,
        on_change=table_state.for_this_deal(kind, lambda: _set_kind(st.session_state[kind])),
        format_func=lambda key: words(f"foul.{key}"),
    )
    if name in _REPEATED:
        time = table_state.field_key("foul_time")
        show_value(time, int(draft.foul.rpartition("_")[2]))
        st.number_input(
            words("deal.foul_time"), 2, MOST_OFFENCES, key=time,
            on_change=table_state.for_this_deal(
                time, lambda: table_state.edit(foul=f"{name}_{st.session_state[time]}")
            ),
        )  # fmt: skip
    if name == _EXPOSED:
        _ask_exposed(game, draft)


def _ask_exposed(game: Game, draft: Draft) -> None:
    victim, points = (table_state.field_key(name) for name in ("foul_victim", "foul_points"))
    whose, worth = draft.foul.split("_")[3:]
    others = [player for player in PLAYERS if player is not draft.foul_by]
    show_value(victim, Player(whose) if whose in others else None)
    show_value(points, int(worth))

    def changed() -> None:
        now = st.session_state[victim] or _NOBODY
        table_state.edit(foul=f"{_EXPOSED}_of_{now}_{st.session_state[points]}")

    st.pills(
        words("deal.foul_victim"), others, key=victim, wrap=True, on_change=table_state.for_this_deal(victim, changed),
        format_func=lambda player: plain(name_of(game, player)),
    )  # fmt: skip
    st.number_input(
        words("deal.foul_points"), _LEAST, _MOST, step=5, key=points,
        on_change=table_state.for_this_deal(points, changed),
    )  # fmt: skip


def _set_kind(name: str) -> None:
    first = {_EXPOSED: f"_of_{_NOBODY}_{_USUAL}"} | dict.fromkeys(_REPEATED, "_2")
    table_state.edit(foul=name + first.get(name, ""))
