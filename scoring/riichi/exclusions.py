"""Answers to what people ask after a hand: why did that not count?

Source: document 004, columns of closed and open hands; SPEC D.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from scoring.riichi.engine import dora_of
from scoring.riichi.fu import has_value_pair, has_wait_fu
from scoring.riichi.lines import PICKS, chows, is_alike, twins, yaku_table
from scoring.riichi.situation import PREFIX, excluded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from scoring.riichi.counted import Counted
    from scoring.score import Excluded


def exclusions_of(counted: Counted) -> tuple[Excluded, ...]:
    """Everything that seems to be there but did not count, in the document's order."""
    found = [*counted.situation.excluded]
    keys = counted.keys
    for key, question in _questions(yakuman=counted.yakuman, closed=counted.situation.closed):
        if key not in keys:
            because = question(counted)
            if because is not None:
                found.append(excluded(key, because))
    if counted.yakuman:
        found += _under_yakuman(counted)
    table = yaku_table()
    return tuple(sorted(found, key=lambda entry: table[entry.key.removeprefix(PREFIX)].place)) if found else ()


def _questions(*, yakuman: bool, closed: bool) -> tuple[_Question, ...]:
    if yakuman:
        return _ALWAYS
    return _CLOSED if closed else _OPEN


def _pinfu(counted: Counted) -> str | None:
    if len(chows(counted.split)) != 4:
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


def _menzen_tsumo(counted: Counted) -> str | None:
    return "because.open_hand" if counted.situation.self_drawn else None


def _tanyao(counted: Counted) -> str | None:
    if counted.switches.open_tanyao or any(tile.is_terminal_or_honor for tile in counted.hand.tiles):
        return None
    return "because.option_off"


def _chiitoitsu(counted: Counted) -> str | None:
    if "ryanpeikou" not in counted.keys:
        return None
    kinds = Counter(tile.plain for tile in counted.hand.concealed)
    return "ryanpeikou" if set(kinds.values()) == {2} else None


def _hidden_triplets(counted: Counted, number: int) -> str | None:
    """Triplets of which the last tile was the winning discard: the only ones neither claimed nor closed."""
    if counted.situation.self_drawn:
        return None
    hidden = [group for group in counted.split.groups if is_alike(group) and not group.melded]
    ended = any(not group.concealed for group in hidden)
    return "because.ron_triplet" if ended and len(hidden) == number else None


def _riichi(counted: Counted) -> str | None:
    return "double_riichi" if "double_riichi" in counted.situation.yaku else None


def _akadora(counted: Counted) -> str | None:
    if counted.switches.red_fives or not any(tile.is_red for tile in counted.hand.tiles):
        return None
    return "because.option_off"


def _uradora(counted: Counted) -> str | None:
    indicators = counted.context.ura_dora_indicators
    if not indicators or counted.situation.riichi:
        return None
    return "because.no_riichi" if dora_of(counted.hand, indicators) else None


_Question = tuple[str, "Callable[[Counted], str | None]"]
_ALWAYS: Final[tuple[_Question, ...]] = (
    ("riichi", _riichi),
    ("akadora", _akadora),
    ("uradora", _uradora),
    ("suuankou", lambda counted: _hidden_triplets(counted, 4)),
)
_ORDINARY: Final[tuple[_Question, ...]] = (
    ("pinfu", _pinfu),
    ("sanankou", lambda counted: _hidden_triplets(counted, 3)),
)
_CLOSED: Final[tuple[_Question, ...]] = (*_ALWAYS, *_ORDINARY, ("iipeikou", _absorbed), ("chiitoitsu", _chiitoitsu))
_OPEN: Final[tuple[_Question, ...]] = (
    *_ALWAYS,
    *_ORDINARY,
    ("tanyao", _tanyao),
    ("iipeikou", lambda counted: _twins_lost(counted, 1)),
    ("ryanpeikou", lambda counted: _twins_lost(counted, 2)),
    ("menzen_tsumo", _menzen_tsumo),
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
