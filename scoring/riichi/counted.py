"""A complete riichi hand and what counted in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scoring.context import Context
    from scoring.decompose import Decomposition
    from scoring.hand import Hand
    from scoring.riichi.engine import Switches
    from scoring.riichi.situation import Situation
    from scoring.score import ScoreLine


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """A complete hand and what counted in it.

    Attributes:
        hand, context, situation: as scored.
        split: how it was read.
        keys: of the yaku and dora that counted, without prefix.
        fu_lines: its itemised fu.
        yakuman: whether yakuman counted, which take the place of everything else.
        switches: the options.
    """

    hand: Hand
    context: Context
    situation: Situation
    split: Decomposition
    keys: frozenset[str]
    fu_lines: tuple[ScoreLine, ...]
    yakuman: bool
    switches: Switches
