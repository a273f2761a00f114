"""What a riichi hand shows but does not count, each with its reason.

Source: document 004, first and second table of yaku (columns of closed and open hands); see scoring/sources.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final

from tilescore.scoring.riichi.engine import dora_of
from tilescore.scoring.riichi.fu import has_value_pair, has_wait_fu
from tilescore.scoring.riichi.lines import NUKI_DORA, PICKS, is_alike, twins
from tilescore.scoring.riichi.situation import PREFIX, excluded
from tilescore.scoring.riichi.table import yaku_table
from tilescore.scoring.shapes.decompose import GroupKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tilescore.scoring.riichi.situation import ScoredHand, Situation
    from tilescore.scoring.score import Excluded


def exclusions_of(counted: ScoredHand) -> tuple[Excluded, ...]:
    """The yaku and dora that the hand shows but does not count, in the order of document 004."""
    found = [*counted.situation.excluded]
    keys = counted.keys
    for question in _questions(counted.situation, yakuman=counted.yakuman):
        lost = question(counted)
        if lost is not None and lost[0] not in keys:
            found.append(excluded(*lost))
    if counted.yakuman:
        found += _under_yakuman(counted)
    if len(found) > 1:
        places = _places()
        found.sort(key=lambda entry: places.get(entry.key, _LAST))
    return tuple(found)


@cache
def _places() -> Mapping[str, int]:
    """The place of each key in document 004."""
    return {PREFIX + key: row.place for key, row in yaku_table().items()}


_LAST: Final = 1000
"""The place of what only three players have."""


@lru_cache(maxsize=4096)
def _questions(situation: Situation, *, yakuman: bool) -> tuple[_Question, ...]:
    """The questions that may have an answer in these circumstances."""
    asked: list[_Question] = []
    if "double_riichi" in situation.yaku:
        asked.append(lambda _: ("riichi", "double_riichi"))
    if not situation.counting.red_fives:
        asked.append(_akadora)
    if not situation.riichi:
        asked.append(_uradora)
    if not situation.self_drawn:
        asked.append(_ended_triplet)
    if yakuman:
        return tuple(asked)
    asked.append(_pinfu)
    return (*asked, *(_CLOSED if situation.closed else _open_questions(situation)))


def _open_questions(situation: Situation) -> Iterator[_Question]:
    yield _twins_lost
    if situation.self_drawn:
        yield lambda _: ("menzen_tsumo", "because.open_hand")
    if not situation.counting.open_tanyao:
        yield _tanyao


def _pinfu(counted: ScoredHand) -> _Lost | None:
    runs = 0
    for group in counted.split.groups:
        runs += group.kind is GroupKind.CHOW
    if runs != 4:
        return None
    if not counted.situation.closed:
        return "pinfu", "because.open_hand"
    if has_value_pair(counted.fu_lines):
        return "pinfu", "because.value_pair"
    return ("pinfu", "because.wait") if has_wait_fu(counted.fu_lines) else None


def _absorbed(counted: ScoredHand) -> _Lost | None:
    return ("iipeikou", "ryanpeikou") if "ryanpeikou" in counted.keys else None


def _twins_lost(counted: ScoredHand) -> _Lost | None:
    number = twins(counted.split)
    return (("iipeikou", "ryanpeikou")[number - 1], "because.open_hand") if number else None


def _tanyao(counted: ScoredHand) -> _Lost | None:
    simple = not any(tile.is_terminal_or_honor for tile in counted.hand.tiles)
    return ("tanyao", "because.option_off") if simple else None


def _chiitoitsu(counted: ScoredHand) -> _Lost | None:
    if "ryanpeikou" not in counted.keys:
        return None
    kinds = Counter(tile.plain for tile in counted.hand.concealed)
    return ("chiitoitsu", "ryanpeikou") if set(kinds.values()) == {2} else None


def _ended_triplet(counted: ScoredHand) -> _Lost | None:
    """Sanankou or suuankou that the winning discard spoils, because it ends one of the triplets (S-RII-6)."""
    split = counted.split
    if split.winning_group is None or not is_alike(split.groups[split.winning_group]):
        return None
    hidden = sum([is_alike(group) and not group.melded for group in split.groups])
    key = "sanankou" if hidden == 3 and not counted.yakuman else "suuankou" if hidden == 4 else None
    return None if key is None else (key, "because.ron_triplet")


def _akadora(counted: ScoredHand) -> _Lost | None:
    return ("akadora", "because.option_off") if any(tile.is_red for tile in counted.hand.tiles) else None


def _uradora(counted: ScoredHand) -> _Lost | None:
    indicators = counted.context.ura_dora_indicators
    if not indicators or not dora_of(counted.hand, indicators, counted.situation.counting):
        return None
    return "uradora", "because.no_riichi"


_Lost = tuple[str, str]
"""Keys of what did not count and of the reason, both without prefix."""
_Question = Callable[["ScoredHand"], _Lost | None]
_CLOSED: Final[tuple[_Question, ...]] = (_absorbed, _chiitoitsu)
_SETS: Final = (
    "haku",
    "hatsu",
    "chun",
    "seat_wind",
    "round_wind",
    "north",
    "toitoi",
    "sanshoku_doukou",
    "ittsu",
    "sanankou",
    "sankantsu",
    "shousangen",
    "chiitoitsu",
)
"""Ordinary yaku that the sets of a yakuman can show."""


def _under_yakuman(counted: ScoredHand) -> Iterator[Excluded]:
    """Ordinary yaku and dora that a yakuman replaces."""
    because = min(counted.keys, key=lambda key: yaku_table()[key].place)
    split, situation = counted.split, counted.situation
    present = [key for key in _SETS if PICKS[key](split, situation)]
    present += [key for key in situation.yaku if key not in counted.keys]
    if situation.closed and situation.self_drawn:
        present.append("menzen_tsumo")
    if dora_of(counted.hand, counted.context.dora_indicators, situation.counting):
        present.append("dora")
    if situation.counting.red_fives and any(tile.is_red for tile in counted.hand.tiles):
        present.append("akadora")
    if situation.riichi and dora_of(counted.hand, counted.context.ura_dora_indicators, situation.counting):
        present.append("uradora")
    if situation.norths:
        present.append(NUKI_DORA)
    return (excluded(key, because) for key in present)
