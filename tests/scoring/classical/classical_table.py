"""Short forms for the tables of classical and simplified cases."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilescore.scoring.context import Context, Occasion, Seat, WinBy
from tilescore.scoring.hand import Hand
from tilescore.scoring.score import Score

if TYPE_CHECKING:
    from tilescore.scoring.classical.rules import CountedRules


def setting(text: str) -> Context:
    """The context of a text such as `S/W discard:E last_tile`: seat and round, way of winning, occasions."""
    winds, *words = text.split()
    how = next((word for word in words if word.split(":")[0] in tuple(WinBy)), None)
    win_by, _, discarder = (how or "").partition(":")
    return Context(
        seat=Seat(winds[0]),
        round=Seat(winds[2]),
        win_by=WinBy(win_by) if how else None,
        discarder=Seat(discarder) if discarder else None,
        occasions=Occasion.of(word for word in words if word != how),
    )


def counted(rules: CountedRules, hand: str, circumstances: str) -> Score:
    score = rules.score(Hand.parse(hand), setting(circumstances))
    assert isinstance(score, Score), score
    return score


def verdict(score: Score, key: str) -> str:
    """`counts`, `absent`, or the key of what excluded the line, without the ruleset."""
    full = f"{score.ruleset}.{key}"
    counts = [line.key for line in score.lines if line.key == full]
    because = {entry.because.removeprefix(f"{score.ruleset}.") for entry in score.excluded if entry.key == full}
    assert not (counts and because)
    return "counts" if counts else " ".join(sorted(because)) or "absent"
