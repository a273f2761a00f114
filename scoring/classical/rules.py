"""The common part of the classical and the simplified ruleset: options, scoring, settlement, lists.

Decisions: scoring/sources.md.
"""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import takewhile
from typing import Final

from tilescore.errors import ContextError, OptionError
from tilescore.scoring.classical.count import Book, rule_entries, score_hand
from tilescore.scoring.classical.counted_hand import WONDERS
from tilescore.scoring.classical.points import MAH_JONG
from tilescore.scoring.classical.settlement import (
    Customs,
    differences,
    nine_of_a_suit,
    pay_winner,
    payments_of_winner,
    settle_deal,
)
from tilescore.scoring.context import SEATS, Context, Occasion, Seat
from tilescore.scoring.deal import Deal, Settlement
from tilescore.scoring.hand import Hand
from tilescore.scoring.options import HouseRules, option
from tilescore.scoring.payments import Step
from tilescore.scoring.progression import Ending, Position, east_stays
from tilescore.scoring.ruleset import RuleEntry
from tilescore.scoring.score import NotAWin, Score
from tilescore.scoring.shapes.winning import Shape
from tilescore.scoring.traits import KnownWin, Traits

HALF_THE_LIMIT: Final = -1
"""Value of `false_mahjong_points` that stands for half the limit (S-CLA-27)."""
_COMMON: Final = (20, 22, 24, 26, 28, 30, 32, 36, 40, 44, 48, 52, 56, 60, 64, 72, 80, 88, 96, 104, 112, 128, 160, 192,
                  224, 256, 320, 384, 500, 1000, 2000)  # fmt: skip
"""Points of most winning hands: 20 to 40 or so, doubled a few times, and round numbers."""
COUNTED_OCCASIONS: Final = (
    Occasion.LAST_TILE
    | Occasion.KONG_REPLACEMENT
    | Occasion.ROBBING_KONG
    | Occasion.ROBBING_CONCEALED_KONG
    | Occasion.ONLY_POSSIBLE_TILE
    | Occasion.READY_FROM_START
)
"""Occasions with a meaning in both rulesets."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedRules(HouseRules):
    """The common options; scoring by the `book` and settlement by the `customs` of the ruleset.

    Decisions about the options: S-CLA-8 (losers), S-CLA-9 and S-SIM-4 (pure hands), S-CLA-25 (draws), S-CLA-27 (fouls).
    """

    limit: int = option(2000, "What a limit hand is worth.", least=1)
    losers_composition: bool = option(
        default=True, text="Losing hands too are doubled for one suit, for terminals and for honours."
    )
    pure_factor: int = option(8, "What one suit without honours, and honours alone, multiply by.", least=1)
    false_mahjong_points: int = option(
        HALF_THE_LIMIT,
        f"What a false mah-jong pays each other player; {HALF_THE_LIMIT} for half the limit.",
        least=HALF_THE_LIMIT,
    )
    draw_passes_deal: bool = option(default=False, text="A draw passes the deal on; if not, East stays.")

    def __post_init__(self) -> None:
        HouseRules.__post_init__(self)
        if self.house and 0 in [self.ours().get(self.book.key(doubling.key)) for doubling in self.book.doublings]:
            raise OptionError("bad_line_value", "a doubling multiplies by 1 at least; write no value to leave it out.")

    @property
    @abstractmethod
    def book(self) -> Book:
        """The tables under these options."""

    @property
    @abstractmethod
    def customs(self) -> Customs:
        """The customs of settlement under these options."""

    @property
    def shapes(self) -> frozenset[Shape]:
        """Four sets and a pair, thirteen wonders, and the pairs of heavenly twins."""
        return _book(self).shapes

    @property
    def false_mahjong(self) -> int:
        """Points that a false mah-jong pays each other player."""
        return self.limit // 2 if self.false_mahjong_points == HALF_THE_LIMIT else self.false_mahjong_points

    @property
    def traits(self) -> Traits:
        """One winner, losers whose hands count, mah-jong at least."""
        unasked = Occasion.ONLY_POSSIBLE_TILE
        if WONDERS not in self.shapes:
            unasked |= Occasion.ROBBING_CONCEALED_KONG
        return Traits(
            occasions=tuple(self.book.occasions & ~unasked),
            bonus_replaced=self.book.play.bonus_replaced,
            losers_count=True,
            least=min(_of_mah_jong(self), self.limit) if self.customs.capped else _of_mah_jong(self),
            common=(*takewhile(self.limit.__gt__, _COMMON), self.limit) if self.customs.capped else _COMMON,
            pays_for_all=self.customs.penalties,
            at_win=("pays_for_all", "ready") if self.customs.penalties else ("pays_for_all",),
        )

    def evaluate(self, hand: Hand, context: Context) -> Score | NotAWin:
        """What the hand is worth, won or not; raises InputError for an impossible hand."""
        score = score_hand(hand, context, _book(self))
        if isinstance(score, Score) and score.win:
            score = replace(score, payments=payments_of_winner(hand, context, score.total, self.customs))
        return replace(score, house=True) if self.house else score

    def settled(self, deal: Deal) -> Settlement:
        """Values of the hands and payments of the four seats; raises InputError if something needed is missing."""
        return settle_deal(self, deal, self.customs)

    def payments_of(self, win: KnownWin) -> tuple[Step, ...]:
        """Payments of a win of so many points, and those among the losers; raises ContextError for other points."""
        self._check_points(win.value.points, win.losers)
        steps = pay_winner(win.winner, win.value.points, win.discarder if win.pays_for_all else None)
        if not self.customs.losers_settle or win.pays_for_all:
            return steps
        return (*steps, *differences({seat: win.losers.get(seat, 0) for seat in SEATS if seat is not win.winner}))

    def asks_ready(self, hand: Hand) -> bool:
        """Whether the hand has the penalty that a declared ready hand excuses (S-CLA-23)."""
        return self.customs.penalties and nine_of_a_suit(hand)

    def next_position(self, position: Position, ending: Ending) -> Position:
        """East stays after an own win and, unless the option says otherwise, after a draw (S-CLA-25)."""
        return east_stays(position, ending, after_draw=not self.draw_passes_deal)

    def _check_points(self, winner: int, losers: Mapping[Seat, int]) -> None:
        """Raise ContextError for points that no hand has: a winner has those of mah-jong; a limit may cut all hands."""
        most = (
            max(self.limit, *_book(self).limits.values(), 0)
            if self.customs.capped
            else max(winner, *losers.values(), _of_mah_jong(self))
        )
        for points, least in ((winner, min(_of_mah_jong(self), most)), *((points, 0) for points in losers.values())):
            if not least <= points <= most:
                who = "the winning hand" if least else "a hand"
                raise ContextError(
                    "no_such_points",
                    f"{points} points: {who} has {least} to {most} in {self.name}.",
                    least=least,
                    most=most,
                    points=points,
                )

    def rules(self) -> tuple[RuleEntry, ...]:
        """Every line that can appear in a score, in the order of its document."""
        return rule_entries(self.book, self.ours())


@lru_cache(maxsize=64)
def _of_mah_jong(rules: CountedRules) -> int:
    """The points for going mah-jong, which every winner has; 0 where a house counts none."""
    return _book(rules).points.get(MAH_JONG, 0)


def _book(rules: CountedRules) -> Book:
    return rules.book.with_house(rules.ours()) if rules.house else rules.book
