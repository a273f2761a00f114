"""Hands of Hong Kong and Taiwan in one line for tests: a hand, its circumstances and options as words.

Words: `ron` or `tsumo`; two letters for seat and round (`SE`); occasions by their names; `by=` (discarder, `-` for an
unknown one), `dealer=`, `repeats=`; any other `name=value` is an option. Without words: South in the East round, won on
West's discard. The minimum of Hong Kong is 0 unless the words say otherwise.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tilescore.scoring.context import OCCASION_NAMES, Context, Occasion, Seat, WinBy
from tilescore.scoring.hand import Hand
from tilescore.scoring.ruleset import ruleset

if TYPE_CHECKING:
    from tilescore.scoring.score import NotAWin, Score

TOLD = ("by", "dealer", "repeats")


def circumstances(words: str) -> Context:
    """The context that these words describe."""
    told = dict(word.split("=") for word in words.split() if word.partition("=")[0] in TOLD)
    plain = [word for word in words.split() if "=" not in word and word not in OCCASION_NAMES]
    seats = next((word for word in plain if word.isupper()), "SE")
    seat = Seat(seats[0])
    win_by = WinBy.SELF_DRAW if "tsumo" in plain else None if "lost" in plain else WinBy.DISCARD
    by = told.get("by", "N" if seat is Seat.WEST else "W")
    return Context(
        win_by=win_by,
        discarder=None if by == "-" or win_by is not WinBy.DISCARD else Seat(by),
        seat=seat,
        round=Seat(seats[1]),
        occasions=Occasion.of(word for word in words.split() if word in OCCASION_NAMES),
        dealer=Seat(told.get("dealer", "E")),
        dealer_repeats=int(told.get("repeats", "0")),
    )


def options(name: str, words: str) -> dict[str, Any]:
    """The options among these words."""
    found: dict[str, Any] = {} if name == "taiwan" else {"minimum": 0}
    for word in words.split():
        key, _, value = word.partition("=")
        if value and key not in TOLD:
            found[key] = value if value in ("full", "half") else json.loads(value)
    return found


def scored(name: str, hand: str, words: str = "") -> Score | NotAWin:
    """The score of this hand."""
    return ruleset(name, options(name, words)).score(Hand.parse(hand), circumstances(words))


def lines(result: Score | NotAWin) -> str:
    """The numbers of the lines of a result, `7*2` for one that counts twice."""
    return " ".join(f"{line.number}*{line.count}" if line.count > 1 else str(line.number) for line in result.lines)


def lost(result: Score | NotAWin) -> str:
    """The exclusions of a result: the number of each line, and the key of the line in its place."""
    return " ".join(f"{entry.number}:{entry.because.partition('.')[2]}" for entry in result.excluded)
