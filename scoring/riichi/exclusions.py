"""What a riichi hand shows but does not count, each with its reason.

Source: document 004, first and second table of yaku (columns of closed and open hands); see scoring/sources.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from tilescore.scoring.context import Context
from tilescore.scoring.riichi.count import YAKU, Counted, dora_of, red_fives
from tilescore.scoring.riichi.situation import PREFIX, Situation, excluded
from tilescore.scoring.riichi.table import Table
from tilescore.scoring.riichi.view import View
from tilescore.scoring.riichi.yaku import twins
from tilescore.scoring.score import Excluded
from tilescore.scoring.shapes.winning import ORPHANS


class Shown(NamedTuple):
    """A view of a hand, and what of it counts."""

    context: Context
    view: View  # the view; `views` all views of the hand
    views: list[View]
    keys: frozenset[str]  # keys of the yaku that counted, without prefix
    yakuman: bool  # whether they are yakuman


def exclusions_of(counted: Counted) -> tuple[Excluded, ...]:
    """The yaku and dora that the hand shows but does not count, in the order of document 004."""
    keys = frozenset([row.key for row, _, _ in counted.yaku])
    shown = Shown(counted.context, counted.view, counted.views, keys, counted.yakuman)
    lost = _lost(shown)
    if counted.yakuman:
        lost += _under_yakuman(counted, keys)
    return _in_order(lost) + counted.dropped


def missed(view: View, context: Context) -> tuple[Excluded, ...]:
    """The same for a hand without a yaku."""
    return _in_order(_lost(Shown(context, view, [view], frozenset(), yakuman=False)))


def _lost(shown: Shown) -> list[Excluded]:
    exclusions = [*shown.view.context.excluded]
    for question in _questions(shown.view.context, yakuman=shown.yakuman):
        lost = question(shown)
        if lost is not None and lost[0] not in shown.keys:
            exclusions.append(excluded(*lost))
    return exclusions


def _in_order(exclusions: list[Excluded]) -> tuple[Excluded, ...]:
    if len(exclusions) > 1:
        exclusions.sort(key=lambda entry: _PLACES.get(entry.key, _LAST))
    return tuple(exclusions)


_PLACES: Final = {PREFIX + key: place for place, key in enumerate(YAKU)}
_LAST: Final = len(YAKU)
"""The place of what only three players have."""


@lru_cache(maxsize=4096)
def _questions(situation: Situation, *, yakuman: bool) -> tuple[_Question, ...]:
    """The questions that may have an answer in these circumstances."""
    asked: list[_Question] = []
    if not situation.counting.red_fives:
        asked.append(_akadora)
    if not situation.riichi:
        asked.append(_uradora)
    if not situation.self_drawn:
        asked.append(_ended_triplet)
    if yakuman:
        return tuple(asked)
    asked.append(_pinfu)
    return (*asked, *(_REPLACED if situation.closed else _open_questions(situation)))


def _open_questions(situation: Situation) -> Iterator[_Question]:
    yield _twins_lost
    if situation.self_drawn:
        yield lambda _: ("menzen_tsumo", "because.open_hand")
    if not situation.counting.open_tanyao:
        yield _tanyao


def _pinfu(shown: Shown) -> _Lost | None:
    view = shown.view
    if len(view.chows) != 4:
        return None
    if not view.context.closed:
        return "pinfu", "because.open_hand"
    if view.pair in view.context.value_pairs:
        return "pinfu", "because.value_pair"
    return ("pinfu", "because.wait") if view.wait else None


def _twins_lost(shown: Shown) -> _Lost | None:
    number = twins(shown.view.chows)
    return (("iipeikou", "ryanpeikou")[number - 1], "because.open_hand") if number else None


def _tanyao(shown: Shown) -> _Lost | None:
    return None if shown.view.kinds & ORPHANS else ("tanyao", "because.option_off")


def _ended_triplet(shown: Shown) -> _Lost | None:
    """Sanankou or suuankou that the winning discard spoils, because it ends one of the triplets (S-RII-6)."""
    if shown.view.ended not in shown.view.pung_at:
        return None
    hidden = len(shown.view.concealed_at) + 1
    key = "sanankou" if hidden == 3 and not shown.yakuman else "suuankou" if hidden == 4 else None
    return None if key is None else (key, "because.ron_triplet")


def _akadora(shown: Shown) -> _Lost | None:
    return ("akadora", "because.option_off") if red_fives(shown.view.hand) else None


def _uradora(shown: Shown) -> _Lost | None:
    indicators, view = shown.context.ura_dora_indicators, shown.view
    if not indicators or not dora_of(view.hand, indicators, view.context.counting):
        return None
    return "uradora", "because.no_riichi"


def _replaced_by(key: str, because: str) -> _Question:
    """The question whether a yaku counts in the place of this one, which the hand shows too in some view."""

    def ask(shown: Shown) -> _Lost | None:
        if because not in shown.keys or all(YAKU[key].find(view) is None for view in shown.views):
            return None
        return key, because

    return ask


_Lost = tuple[str, str]
"""Keys of what did not count and of the reason, both without prefix."""
_Question = Callable[[Shown], _Lost | None]
_REPLACED: Final = tuple(
    _replaced_by(key, row.key) for row in YAKU.values() if row.table is Table.TILES for key in row.replaces
)
_SETS: Final = (
    "haku",
    "hatsu",
    "chun",
    "seat_wind",
    "round_wind",
    "toitoi",
    "sanshoku_doukou",
    "ittsu",
    "sanankou",
    "sankantsu",
    "shousangen",
    "chiitoitsu",
)
"""Ordinary yaku that the sets of a yakuman can show."""


def _under_yakuman(counted: Counted, keys: frozenset[str]) -> list[Excluded]:
    """Ordinary yaku and dora that a yakuman replaces."""
    because, view = counted.yaku[0][0].key, counted.view
    rows = (*(YAKU[key] for key in _SETS), *view.context.counting.further_yaku)
    present = [row.key for row in rows if row.find(view) is not None]
    present += [row.key for row, _ in view.context.yaku if row.key not in keys]
    present += [line.key.removeprefix(PREFIX) for line in counted.dora]
    dropped = {entry.key for entry in counted.dropped}
    return [excluded(key, because) for key in present if PREFIX + key not in dropped]
