"""The classical ruleset (классический маджонг) and the simplified one (упрощённая система), as differences from it.

Sources: document 000, decisions S-CLA; document 001, decisions S-SIM (scoring/sources.md).
"""

from dataclasses import dataclass
from typing import ClassVar

from tilescore.scoring.classical.count import Book
from tilescore.scoring.classical.doublings import (
    BOUQUETS,
    READY_AT_ONCE,
    ROUND_BONUS,
    SET_DOUBLINGS,
    SIMPLIFIED_WINNER_DOUBLINGS,
    own_bonus,
    pure_doublings,
    winner_doublings,
)
from tilescore.scoring.classical.limit_hands import CLASSICAL_LIMIT_HANDS, SIMPLIFIED_LIMIT_HANDS
from tilescore.scoring.classical.rules import COUNTED_OCCASIONS, CountedRules
from tilescore.scoring.classical.settlement import Customs
from tilescore.scoring.context import Occasion
from tilescore.scoring.options import changed, option


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Simplified(CountedRules):
    """Doublings of its own, a lower limit, no penalties (S-SIM-9).

    >>> from tilescore.scoring.context import Context, WinBy
    >>> from tilescore.scoring.hand import Hand
    >>> hand = Hand.parse("23466s (111p) (555m) (777z) +4s")
    >>> Simplified().score(hand, Context(win_by=WinBy.DISCARD)).total
    60

    Decisions about its options: S-SIM-6 (limit), S-SIM-8 (losers).
    """

    name: ClassVar[str] = "simplified"
    limit: int = changed(CountedRules, "limit", default=500)
    pure_factor: int = changed(CountedRules, "pure_factor", default=3)
    cap_ordinary: bool = option(default=True, text="Hands that are no limit hand are cut to the limit too.")
    losers_settle: bool = option(default=True, text="The losers pay one another the differences of their hands.")

    @property
    def book(self) -> Book:
        """The tables of document 001."""
        return Book(
            ruleset=self.name,
            doublings=(
                *SET_DOUBLINGS,
                *pure_doublings(self.pure_factor, losers=self.losers_composition),
                *own_bonus(),
                *ROUND_BONUS,
                *winner_doublings(three_winds_factor=4),
                *SIMPLIFIED_WINNER_DOUBLINGS,
                READY_AT_ONCE,
            ),
            limit_hands=SIMPLIFIED_LIMIT_HANDS,
            occasions=COUNTED_OCCASIONS | Occasion.LAST_OF_ITS_KIND,
            limit=self.limit,
            cap=self.cap_ordinary,
            limit_text="What a limit hand is worth and, where the table cuts them, the most that any other hand is.",
        )

    @property
    def customs(self) -> Customs:
        """The customs of document 001; losers settle as in document 000 (S-SIM-8)."""
        return Customs(
            losers_settle=self.losers_settle,
            penalties=False,
            false_mahjong=self.false_mahjong,
            capped=self.cap_ordinary,
        )
