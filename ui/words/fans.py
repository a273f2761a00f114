"""Every line that a score can have, and an example hand of it.

`examples.csv` has the hands; a test scores each of them and finds its line.
"""

import csv
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final

from tilescore.errors import InputError
from tilescore.scoring.context import Context
from tilescore.scoring.hand import Hand
from tilescore.scoring.ruleset import FU, LIMIT, POINTS, RULESETS, YAKUMAN, RuleEntry, ruleset
from tilescore.scoring.score import Score, ScoreLine

_EXAMPLES: Final = Path(__file__).with_name("examples.csv")


@dataclass(frozen=True, slots=True)
class FanExample:
    """A hand that has a line, with its score, and the options without which it has none."""

    hand: Hand
    context: Context
    score: Score
    options: Mapping[str, Any]

    def line(self, key: str) -> ScoreLine | None:
        """The line of that key in the score; None if the score has no such line."""
        return next((line for line in (*self.score.lines, *self.score.fu_lines) if line.key == key), None)


Own = tuple[tuple[str, Any], ...]
"""Options of a house by name."""


@lru_cache(maxsize=32)
def fans(name: str, own: Own = ()) -> tuple[RuleEntry, ...]:
    """Every line of a ruleset in rule-book order, under the options of a house.

    >>> [fan.number for fan in fans("mcr") if fan.excludes][:3], len(fans("mcr"))
    (['1', '2', '4'], 82)
    """
    return ruleset(name, dict(own)).rules()


def kinds(name: str) -> list[str]:
    """The kinds of its lines in the order of their worth; the dearest first where the list begins with it.

    >>> kinds("riichi"), kinds("classical")
    (['1', '2', '3', '5', '6', 'yakuman', 'fu'], ['points', 'x2', 'x4', 'x8', 'limit'])
    """
    named = (POINTS, "", YAKUMAN, LIMIT, FU)  # numbers stand at the empty name

    def worth(kind: str) -> tuple[int, int]:
        number = kind.removeprefix("x")
        return (named.index(""), int(number)) if number.isdigit() else (named.index(kind), 0)

    listed = [fan.kind for fan in fans(name)]
    return sorted({*listed}, key=worth, reverse=worth(listed[0]) > worth(listed[-1]))


def fan_of(key: str | None) -> RuleEntry | None:
    """The line of that key, whichever ruleset it belongs to."""
    name = (key or "").partition(".")[0]
    return next((fan for fan in fans(name) if fan.key == key), None) if name in RULESETS else None


@lru_cache(maxsize=2048)
def example(key: str, own: Own = ()) -> FanExample | None:
    """A hand that has that line, with its score under the options of a house; None for a line without an example.

    Where the house does not count the line or does not play its tiles, the example has the score of the rule document.
    """
    row = _examples().get(key)
    if row is None:
        return None
    hand, context = Hand.parse(row["hand"]), _context(row)
    needed = json.loads(row["options"] or "{}")
    for options in ({**dict(own), **needed}, needed):
        try:
            score = ruleset(key.partition(".")[0], options).score(hand, context)
        except InputError:  # the house does not play these tiles
            if options == needed:
                raise
            continue
        if isinstance(score, Score):
            shown = FanExample(hand, context, score, options)
            if shown.line(key) is not None or options == needed:
                return shown
    return None


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
            "dealer_repeats": int(row["repeats"] or 0),
        }
    )
