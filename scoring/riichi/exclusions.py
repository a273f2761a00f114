"""Answers to what people ask after a hand: why did that not count?

Source: document 004, columns of closed and open hands; SPEC D.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from scoring.decompose import GroupKind
from scoring.riichi.engine import dora_of
from scoring.riichi.fu import has_value_pair, has_wait_fu
from scoring.riichi.lines import PICKS, is_alike, twins, yaku_table
from scoring.riichi.situation import PREFIX, excluded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from scoring.riichi.counted import Counted
    from scoring.riichi.engine import Switches
    from scoring.riichi.situation import Situation
    from scoring.score import Excluded


def exclusions_of(counted: Counted) -> tuple[Excluded, ...]:
    """Everything that seems to be there but did not count, in the document's order."""
    found = [*counted.situation.excluded]
    keys = counted.keys
    for key, question in _questions(counted.situation, counted.switches, yakuman=counted.yakuman):
        if key not in keys:
            because = question(counted)
            if because is not None:
                found.append(excluded(key, because))
    if counted.yakuman:
        found += _under_yakuman(counted)
    table = yaku_table()
    return tuple(sorted(found, key=lambda entry: table[entry.key.removeprefix(PREFIX)].place)) if found else ()


@lru_cache(maxsize=4096)
def _questions(situation: Situation, switches: Switches, *, yakuman: bool) -> tuple[_Question, ...]:
    """Those that may have an answer in these circumstances."""
    asked: list[_Question] = []
    if "double_riichi" in situation.yaku:
        asked.append(("riichi", lambda _: "double_riichi"))
    if not switches.red_fives:
        asked.append(("akadora", _akadora))
    if not situation.riichi:
        asked.append(("uradora", _uradora))
    if not situation.self_drawn:
        asked.append(("suuankou", lambda counted: _ended_triplet(counted, 4)))
    if yakuman:
        return tuple(asked)
    if not situation.self_drawn:
        asked.append(("sanankou", lambda counted: _ended_triplet(counted, 3)))
    asked.append(("pinfu", _pinfu))
    return (*asked, *(_CLOSED if situation.closed else _open_questions(situation, switches)))


def _open_questions(situation: Situation, switches: Switches) -> Iterator[_Question]:
    yield "iipeikou", lambda counted: _twins_lost(counted, 1)
    yield "ryanpeikou", lambda counted: _twins_lost(counted, 2)
    if situation.self_drawn:
        yield "menzen_tsumo", lambda _: "because.open_hand"
    if not switches.open_tanyao:
        yield "tanyao", _tanyao


def _pinfu(counted: Counted) -> str | None:
    runs = 0
    for group in counted.split.groups:
        runs += group.kind is GroupKind.CHOW
    if runs != 4:
        return None
    if not counted.situation.closed:
        return "because.open_hand"
    if has_value_pair(counted.fu_lines):
        return "because.value_pair"
    return "because.wait" if has_wait_fu(counted.fu_lines) else None


def _absorbed(counted: Counted) -> str | None:
    return "ryanpeikou" if "ryanpeikou" in counted.keys else None


def _twins_lost(counted: Counted, number: int) -> str | None:
    return "because.open_hand" if twins(counted.split) == number else None


def _tanyao(counted: Counted) -> str | None:
    simple = not any(tile.is_terminal_or_honor for tile in counted.hand.tiles)
    return "because.option_off" if simple else None


def _chiitoitsu(counted: Counted) -> str | None:
    if "ryanpeikou" not in counted.keys:
        return None
    kinds = Counter(tile.plain for tile in counted.hand.concealed)
    return "ryanpeikou" if set(kinds.values()) == {2} else None


def _ended_triplet(counted: Counted, number: int) -> str | None:
    """Triplets that nobody claimed, one of them ended by the winning discard."""
    split = counted.split
    if split.winning_group is None or not is_alike(split.groups[split.winning_group]):
        return None
    hidden = sum([is_alike(group) and not group.melded for group in split.groups])
    return "because.ron_triplet" if hidden == number else None


def _akadora(counted: Counted) -> str | None:
    return "because.option_off" if any(tile.is_red for tile in counted.hand.tiles) else None


def _uradora(counted: Counted) -> str | None:
    indicators = counted.context.ura_dora_indicators
    return "because.no_riichi" if indicators and dora_of(counted.hand, indicators) else None


_Question = tuple[str, "Callable[[Counted], str | None]"]
_CLOSED: Final[tuple[_Question, ...]] = (("iipeikou", _absorbed), ("chiitoitsu", _chiitoitsu))
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
"""Ordinary yaku that can be seen in the sets of a yakuman."""


def _under_yakuman(counted: Counted) -> Iterator[Excluded]:
    """Ordinary yaku and dora that a yakuman takes the place of."""
    because = min(counted.keys, key=lambda key: yaku_table()[key].place)
    split, situation = counted.split, counted.situation
    present = [key for key in _SETS if PICKS[key](split, situation)]
    present += [key for key in situation.yaku if key not in counted.keys]
    if situation.closed and situation.self_drawn:
        present.append("menzen_tsumo")
    if dora_of(counted.hand, counted.context.dora_indicators):
        present.append("dora")
    if counted.switches.red_fives and any(tile.is_red for tile in counted.hand.tiles):
        present.append("akadora")
    if situation.riichi and dora_of(counted.hand, counted.context.ura_dora_indicators):
        present.append("uradora")
    return (excluded(key, because) for key in present)
