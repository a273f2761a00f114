"""The classical ruleset (классический маджонг): document 000, decisions S-CLA (scoring/sources.md)."""

from dataclasses import dataclass
from typing import ClassVar

from tilescore.scoring.classical.count import Book
from tilescore.scoring.classical.doublings import (
    BOUQUETS,
    READY_AT_ONCE,
    SET_DOUBLINGS,
    own_bonus,
    pure_doublings,
    winner_doublings,
)
from tilescore.scoring.classical.limit_hands import CLASSICAL_LIMIT_HANDS
from tilescore.scoring.classical.rules import COUNTED_OCCASIONS, CountedRules
from tilescore.scoring.classical.settlement import Customs
from tilescore.scoring.context import Occasion
from tilescore.scoring.options import option


@dataclass(frozen=True, slots=True, kw_only=True)
class Classical(CountedRules):
    """Points, doublings, a limit; every pair of players settles.

    >>> from tilescore.scoring.context import Context, WinBy
    >>> from tilescore.scoring.hand import Hand
    >>> hand = Hand.parse("23466s (111p) (555m) (777z) +4s")
    >>> Classical().score(hand, Context(win_by=WinBy.DISCARD)).total
    60

    Decision about its option: S-CLA-11.
    """

    name: ClassVar[str] = "classical"
    bouquet_adds: bool = option(
        default=True,
        text="All four flowers, or seasons, double twice besides the own one's doubling; if not, in its place.",
    )

    @property
    def book(self) -> Book:
        """The tables of document 000, sections V, VII and VIII."""
        bouquets = () if self.bouquet_adds else tuple(bouquet.key for bouquet in BOUQUETS)
        return Book(
            ruleset=self.name,
            doublings=(
                *SET_DOUBLINGS,
                *pure_doublings(self.pure_factor, losers=self.losers_composition),
                *own_bonus(bouquets=bouquets),
                *BOUQUETS,
                *winner_doublings(three_winds_factor=2),
                READY_AT_ONCE,
            ),
            limit_hands=CLASSICAL_LIMIT_HANDS,
            occasions=COUNTED_OCCASIONS | Occasion.FIRST_TURN,
            limit=self.limit,
            cap=True,
        )

    @property
    def customs(self) -> Customs:
        """The customs of document 000: section IV and the four penalties of section V."""
        return Customs(losers_settle=True, penalties=True, false_mahjong=self.false_mahjong)
