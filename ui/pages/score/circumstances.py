"""How the hand was won: only what the chosen ruleset asks for, with defaults that need no tap."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import streamlit as st

from tilescore.base.errors import ContextError
from tilescore.scoring.context import NO_OCCASION, SEATS, Context, Occasion, Seat, WinBy
from tilescore.scoring.tiles import TERMINALS_AND_HONORS
from tilescore.ui.components.tiles.tile_row import tile_row
from tilescore.ui.words.text import words

if TYPE_CHECKING:
    from tilescore.scoring.tiles import Tile
    from tilescore.ui.state.work import Work

_KEPT: Final = "circumstances"
_SELF_DRAW: Final = "self_draw"
_NO_WIN: Final = "no_win"
_LOSERS_COUNT: Final = ("classical", "simplified")
"""Rulesets in which a hand that did not win has a value."""
_READY_SIZE: Final = 13
_RIICHI: Final = (Occasion.RIICHI, Occasion.DOUBLE_RIICHI, Occasion.IPPATSU)
_COMMON: Final = (Occasion.LAST_TILE, Occasion.KONG_REPLACEMENT, Occasion.ROBBING_KONG)
_ASKED: Final = {
    "mcr": (*_COMMON, Occasion.LAST_OF_ITS_KIND),
    "riichi": (*_RIICHI, *_COMMON, Occasion.ROBBING_CONCEALED_KONG, Occasion.FIRST_TURN, Occasion.NAGASHI_MANGAN),
    "classical": (*_COMMON, Occasion.ROBBING_CONCEALED_KONG, Occasion.FIRST_TURN, Occasion.READY_FROM_START),
    "simplified": (*_COMMON, Occasion.ROBBING_CONCEALED_KONG, Occasion.LAST_OF_ITS_KIND, Occasion.READY_FROM_START),
}


def preset(context: Context) -> None:
    """Take over the circumstances that are known, as those of a sample are."""
    st.session_state[_KEPT] = context


def ask(name: str, work: Work) -> Context:
    """Draw what ruleset `name` needs to know about this hand and return it."""
    kept = said()
    choices = [_SELF_DRAW, *(seat for seat in SEATS if seat is not kept.seat)]
    choices += [_NO_WIN] if _may_not_win(name, work) else []
    won = _SELF_DRAW if kept.win_by is WinBy.SELF_DRAW else kept.discarder or _NO_WIN
    st.session_state["won"] = won if won in choices else _SELF_DRAW
    st.segmented_control(
        words("won"), choices, required=True, key="won", width="stretch", on_change=_set_won,
        format_func=lambda choice: words(f"won.{choice}"),
    )  # fmt: skip
    left, right = st.columns(2, wrap=False)
    for column, field in ((left, "seat"), (right, "round")):
        st.session_state[field] = getattr(kept, field)
        column.segmented_control(
            words(field), SEATS, required=True, key=field, width="stretch", on_change=_set_wind, args=(field,),
            format_func=lambda seat: words(f"wind.{seat}"), help=words(f"{field}.help"),
        )  # fmt: skip
    if kept.win_by is None and not _may_not_win(name, work):
        kept = _change(win_by=WinBy.SELF_DRAW)
    _ask_occasions(name, kept, work)
    if name == "riichi":
        _ask_riichi(kept, declared=_declared(context_for(name, work)))
    return context_for(name, work)


def context_for(name: str, work: Work) -> Context:
    """What was said, as far as ruleset `name` asks for it and it can be true of this hand."""
    kept = said()
    if kept.win_by is None and not _may_not_win(name, work):
        kept = replace(kept, win_by=WinBy.SELF_DRAW)
    occasions = _joined([one for one in possible_occasions(name, kept, work) if one in kept.occasions])
    shown = replace(_plain(kept), occasions=occasions)
    if name != "riichi":
        return shown
    return replace(
        shown,
        dora_indicators=kept.dora_indicators,
        ura_dora_indicators=kept.ura_dora_indicators if _declared(shown) else (),
        honba=kept.honba,
        riichi_deposits=kept.riichi_deposits,
    )


def _may_not_win(name: str, work: Work) -> bool:
    """Whether a hand that did not win can be worth something: in riichi thirteen tiles, by nagashi mangan."""
    return name in _LOSERS_COUNT or (name == "riichi" and work.size == _READY_SIZE)


def _declared(context: Context) -> bool:
    return bool(context.occasions & (Occasion.RIICHI | Occasion.DOUBLE_RIICHI))


def _ask_occasions(name: str, kept: Context, work: Work) -> None:
    possible = possible_occasions(name, kept, work)
    if possible:
        st.session_state["occasions"] = [occasion for occasion in possible if occasion in kept.occasions]
        st.pills(
            words("occasions"), possible, selection_mode="multi", key="occasions", on_change=_set_occasions, wrap=True,
            args=(tuple(possible),), format_func=lambda occasion: words(f"occasion.{occasion.names[0]}"),
        )  # fmt: skip


def possible_occasions(name: str, kept: Context, work: Work) -> list[Occasion]:
    """What ruleset `name` asks about a hand won like this."""
    return [occasion for occasion in _ASKED[name] if _possible(occasion, kept, work)]


def _possible(occasion: Occasion, kept: Context, work: Work) -> bool:
    """Whether it can be true of a hand won like this; what cannot is not asked."""
    if kept.win_by is None:
        return occasion in (Occasion.READY_FROM_START, Occasion.NAGASHI_MANGAN)
    faces = [work.tile(at).plain for at in work.order]
    orphans = sum(face in TERMINALS_AND_HONORS for face in faces) >= 13 and len(set(faces)) >= 12
    opened = any(group.role == "meld" and not group.hidden for group in work.groups)
    rules = {
        Occasion.KONG_REPLACEMENT: kept.win_by is WinBy.SELF_DRAW,
        Occasion.ROBBING_KONG: kept.win_by is WinBy.DISCARD,
        Occasion.ROBBING_CONCEALED_KONG: kept.win_by is WinBy.DISCARD and orphans,
        Occasion.RIICHI: not opened,
        Occasion.DOUBLE_RIICHI: not opened,
        Occasion.IPPATSU: not opened and bool(kept.occasions & (Occasion.RIICHI | Occasion.DOUBLE_RIICHI)),
        Occasion.FIRST_TURN: not opened,
        Occasion.NAGASHI_MANGAN: False,
    }
    return rules.get(occasion, True)


def _ask_riichi(kept: Context, *, declared: bool) -> None:
    """Dora indicators, those under them for who declared riichi, counters and sticks."""
    tile_row(words("dora"), kept.dora_indicators, key="dora_row", on_change=_set_dora)
    if declared:
        tile_row(words("ura_dora"), kept.ura_dora_indicators, key="ura_row", on_change=_set_ura)
    left, right = st.columns(2, wrap=False)
    for column, field in ((left, "honba"), (right, "riichi_deposits")):
        st.session_state[field] = getattr(kept, field)
        column.number_input(
            words(field), 0, 99, step=1, key=field, on_change=_set_count, args=(field,), help=words(f"{field}.help")
        )


def said() -> Context:
    """What was said so far, for whichever ruleset."""
    kept: Context = st.session_state.setdefault(_KEPT, Context(win_by=WinBy.SELF_DRAW))
    return kept


def _plain(kept: Context) -> Context:
    return Context(win_by=kept.win_by, discarder=kept.discarder, seat=kept.seat, round=kept.round)


def _joined(occasions: list[Occasion]) -> Occasion:
    flags = NO_OCCASION
    for occasion in occasions:
        flags |= occasion
    return flags


def _change(**fields: object) -> Context:
    """Remember a change; what contradicts it is dropped, and a change that contradicts itself is not made."""
    kept = said()
    for ground in (kept, replace(kept, occasions=NO_OCCASION, discarder=None, win_by=WinBy.SELF_DRAW)):
        try:
            changed = replace(ground, **fields)  # type: ignore[arg-type]  # names and types are those of Context
        except ContextError:
            continue
        st.session_state[_KEPT] = changed
        return changed
    return kept


def _set_won() -> None:
    won = st.session_state["won"]
    if won in (_SELF_DRAW, _NO_WIN):
        _change(win_by=WinBy.SELF_DRAW if won == _SELF_DRAW else None, discarder=None, occasions=NO_OCCASION)
    else:
        _change(win_by=WinBy.DISCARD, discarder=Seat(won), occasions=said().occasions & ~Occasion.KONG_REPLACEMENT)


def _set_wind(field: str) -> None:
    kept, wind = said(), st.session_state[field]
    clash = field == "seat" and kept.discarder is wind
    fresh = {"discarder": None, "win_by": WinBy.SELF_DRAW, "occasions": NO_OCCASION} if clash else {}
    _change(**{field: wind, **fresh})


def _set_occasions(possible: tuple[Occasion, ...]) -> None:
    """Take the chosen ones; the newest wins over those it contradicts."""
    before = said().occasions
    chosen: list[Occasion] = st.session_state["occasions"]
    newest_first = sorted((o for o in possible if o in chosen), key=lambda occasion: occasion in before)
    flags = NO_OCCASION
    for occasion in newest_first:
        try:
            flags = replace(said(), occasions=flags | occasion).occasions
        except ContextError:
            continue
    _change(occasions=flags)


def _set_count(field: str) -> None:
    _change(**{field: st.session_state[field]})


def _set_dora(tiles: tuple[Tile, ...]) -> None:
    _change(dora_indicators=tiles)


def _set_ura(tiles: tuple[Tile, ...]) -> None:
    _change(ura_dora_indicators=tiles)
