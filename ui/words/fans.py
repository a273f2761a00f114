"""Every line that a score can have: its worth, the lines that it excludes, an example hand.

`examples.csv` has the hands; a test scores each of them and finds its line.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tilescore.scoring.context import Context
from tilescore.scoring.hand import Hand
from tilescore.scoring.ruleset import ruleset
from tilescore.scoring.score import Score
from tilescore.ui.locale import OFFERED

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tilescore.scoring.classical.rules import CountedRules
    from tilescore.scoring.ruleset import RuleEntry
    from tilescore.scoring.score import ScoreLine

_EXAMPLES: Final = Path(__file__).with_name("examples.csv")
_FU: Final = "riichi.fu."
_YAKUMAN: Final = 13
_RIICHI_OVER: Final = {
    "ryanpeikou": ("iipeikou", "chiitoitsu"),
    "double_riichi": ("riichi",),
    "rinshan_kaihou": ("haitei",),
}
"""Riichi yaku with the yaku that they replace; a yakuman replaces every other yaku."""
YAKUMAN: Final = "yakuman"
LIMIT: Final = "limit"
FU: Final = "fu"
POINTS: Final = "points"
"""The values of `FanEntry.kind` that are no number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FanEntry:
    """One line of a ruleset.

    Attributes:
        key: the key its score lines carry.
        number: its number in the rule document, if it has one.
        worth: its worth as the document prints it (`16`, `2/1`, `x2`, `limit`).
        kind: the group in which a list shows it: its points or han, `x2`, or one of the constants of this module.
        over: keys of the lines that do not count beside it.
        under: keys of the lines beside which it does not count.
        alone: whether nothing else counts beside it.
    """

    key: str
    number: str | None
    worth: str
    kind: str
    over: tuple[str, ...] = ()
    under: tuple[str, ...] = ()
    alone: bool = False


@dataclass(frozen=True, slots=True)
class Example:
    """A hand that has a line, with its score."""

    hand: Hand
    context: Context
    score: Score

    def line(self, key: str) -> ScoreLine | None:
        """The line of that key in the score; None if the score has no such line."""
        return next((line for line in (*self.score.lines, *self.score.fu_lines) if line.key == key), None)


@cache
def fans(name: str) -> tuple[FanEntry, ...]:
    """Every line of a ruleset in rule-book order.

    >>> [fan.number for fan in fans("mcr") if fan.over][:3], len(fans("mcr"))
    (['1', '2', '4'], 82)
    """
    over = dict(_over(name))
    entries = ruleset(name).rules()
    return tuple(
        FanEntry(
            key=entry.key,
            number=entry.number,
            worth=entry.value,
            kind=_kind(entry),
            over=over.get(entry.key, ()),
            under=tuple(key for key, others in over.items() if entry.key in others),
            alone=_kind(entry) in (YAKUMAN, LIMIT),
        )
        for entry in entries
    )


def kinds(name: str) -> list[str]:
    """The kinds of its lines in the order of their worth; MCR's document begins with the dearest.

    >>> kinds("riichi"), kinds("classical")
    (['1', '2', '3', '5', '6', 'yakuman', 'fu'], ['points', 'x2', 'x4', 'x8', 'limit'])
    """
    named = (POINTS, "", YAKUMAN, LIMIT, FU)  # numbers stand at the empty name

    def worth(kind: str) -> tuple[int, int]:
        number = kind.removeprefix("x")
        return (named.index(""), int(number)) if number.isdigit() else (named.index(kind), 0)

    return sorted({fan.kind for fan in fans(name)}, key=worth, reverse=name == "mcr")


def fan_of(key: str | None) -> FanEntry | None:
    """The line of that key, whichever ruleset it belongs to."""
    name = (key or "").partition(".")[0]
    return next((fan for fan in fans(name) if fan.key == key), None) if name in OFFERED else None


@cache
def example(key: str) -> Example | None:
    """A hand that has that line; None for the few lines without an example."""
    row = _examples().get(key)
    if row is None:
        return None
    hand, context = Hand.parse(row["hand"]), _context(row)
    score = ruleset(key.partition(".")[0]).score(hand, context)
    return Example(hand, context, score) if isinstance(score, Score) else None


@cache
def _examples() -> Mapping[str, Mapping[str, str]]:
    with _EXAMPLES.open(encoding="utf-8", newline="") as file:
        return {row["key"]: row for row in csv.DictReader(file)}


def _context(row: Mapping[str, str]) -> Context:
    return Context.from_json(
        {
            "seat": row["seat"],
            "round": row["round"],
            "win_by": row["win_by"] or None,
            "discarder": row["discarder"] or None,
            "occasions": row["occasions"].split(),
            "dora_indicators": row["dora"],
            "ura_dora_indicators": row["ura"],
        }
    )


def _kind(entry: RuleEntry) -> str:
    name = entry.key.partition(".")[0]
    if name == "mcr":
        return entry.value
    if name == "riichi":
        best = entry.value.partition("/")[0]
        return FU if entry.key.startswith(_FU) else YAKUMAN if best == str(_YAKUMAN) else best
    return LIMIT if entry.value == LIMIT else entry.value if entry.value.startswith("x") else POINTS


def _over(name: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The key of each line with the keys of the lines that it replaces."""
    if name == "mcr":
        from tilescore.scoring.mcr.registry import ROWS  # loaded with the ruleset only

        keys = {row.number: row.key for row in ROWS.values()}
        for row in ROWS.values():
            yield row.key, tuple(keys[number] for number in (*row.absorbs, *row.bars))
    elif name == "riichi":
        for key, others in _RIICHI_OVER.items():
            yield f"riichi.{key}", tuple(f"riichi.{other}" for other in others)
    else:
        rules: CountedRules = ruleset(name)  # type: ignore[assignment]  # both rulesets left are such
        stronger = {doubling.key: doubling.yields_to for doubling in rules.book.doublings}
        for key in dict.fromkeys(key for keys in stronger.values() for key in keys):
            yield f"{name}.{key}", tuple(f"{name}.{weak}" for weak, keys in stronger.items() if key in keys)
