"""A complete riichi hand and what counted in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from scoring.context import Context
    from scoring.decompose import Decomposition
    from scoring.hand import Hand
    from scoring.riichi.situation import Situation
    from scoring.score import ScoreLine


class Counted(NamedTuple):
    """A complete hand and what counted in it.

    Attributes:
        hand, context, situation: as scored.
        split: how it was read.
        keys: of the yaku and dora that counted, without prefix.
        fu_lines: its itemised fu.
        yakuman: whether yakuman counted, which take the place of everything else.
    """

    hand: Hand
    context: Context
    situation: Situation
    split: Decomposition
    keys: frozenset[str]
    fu_lines: tuple[ScoreLine, ...]
    yakuman: bool
