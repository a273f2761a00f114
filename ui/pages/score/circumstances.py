"""The questions by which rules to score and how the hand was won, with defaults that need no tap."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import streamlit as st

from tilescore.base.errors import ContextError
from tilescore.scoring.context import NO_OCCASION, SEATS, Context, Occasion, Seat, WinBy
from tilescore.scoring.ruleset import RULESET_NAMES, ruleset
from tilescore.ui.components.house_rules import ask_house_rules
from tilescore.ui.components.tiles.tile_row import tile_row
from tilescore.ui.state import house_rules
from tilescore.ui.state.circumstances import (
    change,
    context_for,
    declares_riichi,
    known,
    may_not_win,
    possible_occasions,
)
from tilescore.ui.state.fields import show_value
from tilescore.ui.state.session import RULESET
from tilescore.ui.words.text import words

if TYPE_CHECKING:
    from tilescore.scoring.tiles import Tile
    from tilescore.ui.state.hand.work import Work

_SELF_DRAW: Final = "self_draw"
_NO_WIN: Final = "no_win"


def ask_ruleset() -> str:
    """Draw the choice of the ruleset and return it."""
    chosen: str | None = st.segmented_control(
        words("ruleset"), RULESET_NAMES, default=RULESET_NAMES[0], required=True, key=RULESET, width="stretch",
        format_func=lambda choice: words(f"ruleset.{choice}"), label_visibility="collapsed", persist_state="session",
    )  # fmt: skip
    name = chosen or RULESET_NAMES[0]
    if ruleset(name).options():
        own = len(house_rules.options(name))
        with st.expander(words("house.own", n=own) if own else words("house"), icon=":material/home:"):
            ask_house_rules(name, key="house")
    return name


def ask_circumstances(name: str, work: Work) -> Context:
    """Draw what ruleset `name` needs to know about this hand and return it."""
    kept = known()
    choices = [_SELF_DRAW, *(seat for seat in SEATS if seat is not kept.seat)]
    choices += [_NO_WIN] if may_not_win(name, work) else []
    won = _SELF_DRAW if kept.win_by is WinBy.SELF_DRAW else kept.discarder or _NO_WIN
    show_value("won", won if won in choices else _SELF_DRAW)
    st.segmented_control(
        words("won"), choices, required=True, key="won", width="stretch", on_change=_set_won,
        format_func=lambda choice: words(f"won.{choice}"),
    )  # fmt: skip
    left, right = st.columns(2, wrap=False)
    for column, field in ((left, "seat"), (right, "round")):
        show_value(field, getattr(kept, field))
        column.segmented_control(
            words(field), SEATS, required=True, key=field, width="stretch", on_change=_set_wind, args=(field,),
            format_func=lambda seat: words(f"wind.{seat}"), help=words(f"{field}.help"),
        )  # fmt: skip
    if kept.win_by is None and not may_not_win(name, work):
        kept = change(win_by=WinBy.SELF_DRAW)
    _ask_occasions(name, kept, work)
    if name == "riichi":
        _ask_riichi(kept, declared=declares_riichi(context_for(name, work)))
    return context_for(name, work)


def _ask_occasions(name: str, kept: Context, work: Work) -> None:
    possible = possible_occasions(name, kept, work)
    if possible:
        show_value("occasions", [occasion for occasion in possible if occasion in kept.occasions])
        st.pills(
            words("occasions"), possible, selection_mode="multi", key="occasions", on_change=_set_occasions, wrap=True,
            args=(tuple(possible),), format_func=lambda occasion: words(f"occasion.{occasion.names[0]}"),
        )  # fmt: skip


def _ask_riichi(kept: Context, *, declared: bool) -> None:
    """Ask for dora indicators, for those under them if riichi was declared, for counters and sticks."""
    tile_row(words("dora"), kept.dora_indicators, key="dora_row", on_change=_set_dora)
    if declared:
        tile_row(words("ura_dora"), kept.ura_dora_indicators, key="ura_row", on_change=_set_ura)
    left, right = st.columns(2, wrap=False)
    for column, field in ((left, "honba"), (right, "riichi_deposits")):
        show_value(field, getattr(kept, field))
        column.number_input(
            words(field), 0, 99, step=1, key=field, on_change=_set_count, args=(field,), help=words(f"{field}.help")
        )


def _set_won() -> None:
    won = st.session_state["won"]
    if won in (_SELF_DRAW, _NO_WIN):
        change(win_by=WinBy.SELF_DRAW if won == _SELF_DRAW else None, discarder=None, occasions=NO_OCCASION)
    else:
        change(win_by=WinBy.DISCARD, discarder=Seat(won), occasions=known().occasions & ~Occasion.KONG_REPLACEMENT)


def _set_wind(field: str) -> None:
    kept, wind = known(), st.session_state[field]
    clash = field == "seat" and kept.discarder is wind
    fresh = {"discarder": None, "win_by": WinBy.SELF_DRAW, "occasions": NO_OCCASION} if clash else {}
    change(**{field: wind, **fresh})


def _set_occasions(possible: tuple[Occasion, ...]) -> None:
    """Take the chosen ones; the newest wins over those it contradicts."""
    before = known().occasions
    chosen: list[Occasion] = st.session_state["occasions"]
    newest_first = sorted((o for o in possible if o in chosen), key=lambda occasion: occasion in before)
    flags = NO_OCCASION
    for occasion in newest_first:
        try:
            flags = replace(known(), occasions=flags | occasion).occasions
        except ContextError:
            continue
    change(occasions=flags)


def _set_count(field: str) -> None:
    change(**{field: st.session_state[field]})


def _set_dora(tiles: tuple[Tile, ...]) -> None:
    change(dora_indicators=tiles)


def _set_ura(tiles: tuple[Tile, ...]) -> None:
    change(ura_dora_indicators=tiles)
