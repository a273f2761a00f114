"""Taiwanese mahjong with sixteen tiles (台灣十六張): options, lines and payments.

Decisions: S-TWN (scoring/sources.md).
"""

from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar, Final

from tilescore.scoring.context import NO_OCCASION, RIICHI_KEYS, Context, Occasion
from tilescore.scoring.faan.count import Book
from tilescore.scoring.faan.lines import ALL_FLOWERS, own_flower_of_any_set, own_flower_of_set
from tilescore.scoring.faan.rules import SummedRules
from tilescore.scoring.faan.settlement import DEALER, DISCARD, SELF_DRAW, Win
from tilescore.scoring.faan.table import Line
from tilescore.scoring.faan.taiwan_lines import LINES
from tilescore.scoring.hand import Hand
from tilescore.scoring.options import QUARTER, option
from tilescore.scoring.payments import Step, exact
from tilescore.scoring.plausibility import Play
from tilescore.scoring.progression import Ending, Position, with_repeats
from tilescore.scoring.score import NotAWin, Score
from tilescore.scoring.shapes.waiting import waits
from tilescore.scoring.shapes.winning import Shape, hand_size
from tilescore.scoring.traits import Preset

TAIWAN: Final = "taiwan"
_SHAPES: Final = frozenset({Shape.FIVE_SETS})
_OCCASIONS: Final = (
    Occasion.LAST_TILE
    | Occasion.KONG_REPLACEMENT
    | Occasion.ROBBING_KONG
    | Occasion.ROBBING_CONCEALED_KONG
    | Occasion.FIRST_TURN
    | Occasion.READY_FROM_START
    | Occasion.READY_AS_DEALT
)
_PRESETS: Final = (
    Preset(
        name="association", source="台數計算 (atawmj.org.tw, 2009-12-26)", options={"heavenly": 16, "house": "human,16"}
    ),
)
_FALSE_WIN: Final = 5
"""Tai of a false win (S-TWN-17)."""


def _numbers(*keys: str) -> frozenset[int]:
    return frozenset(LINES[key].number for key in keys)


_OF_FLOWERS: Final = _numbers("own_flower", "flower_set", "every_flower", "seven_rob_one", "eight_flowers")
_SEE_ALL: Final = _numbers("every_flower", "every_wind")
_SEE_FLOWERS: Final = _numbers("every_flower")
_LI_GU: Final = _numbers("li_gu")
_PASSES: Final = {
    Occasion.FIRST_TURN: _numbers("human", "earthly", "heavenly"),
    Occasion.READY_FROM_START: _numbers("earthly_ready"),
    Occasion.READY_AS_DEALT: _numbers("heavenly_ready"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Taiwan(SummedRules):
    """A base and a sum of tai; the dealer pays and receives more, the longer the deal is kept.

    >>> from tilescore.scoring.context import Context, Seat, WinBy
    >>> from tilescore.scoring.hand import Hand
    >>> won = Context(win_by=WinBy.SELF_DRAW, seat=Seat.SOUTH, dealer_repeats=1)
    >>> score = Taiwan().score(Hand.parse("234p678p345s99s (123m) (777s) +5s &1f"), won)
    >>> score.total, [line.key for line in score.lines], score.payments.by_seat
    (1, ['taiwan.self_draw'], (-70, 150, -40, -40))
    """

    name: ClassVar[str] = TAIWAN
    presets: ClassVar[tuple[Preset, ...]] = _PRESETS
    counts_repeats: ClassVar[bool] = True
    usual_most: ClassVar[int] = 24
    base: float = option(30.0, "What a hand of 0 tai pays.", stake=True)
    unit: float = option(10.0, "What each tai pays: 0.25 or more.", least=QUARTER, stake=True)
    flowers: bool = option(default=True, text="Flowers and seasons are played; if not, they count for nothing.")
    see_all: bool = option(default=False, text="Every flower, season and pung of winds counts, whoever it belongs to.")
    see_flowers: bool = option(default=False, text="Every flower and season counts, whoever it belongs to.")
    minimum: int = option(0, "Tai that a win needs.", most=100)
    most_repeats: int = option(0, "Dealer Repeats count up to so many times; 0 for no ceiling.", most=100)
    flower_set_adds: bool = option(default=False, text="The own flower of a complete set counts beside the set.")
    begging_with_wait: bool = option(default=False, text="Single Wait counts beside Half Beg and Full Beg.")
    five_concealed_alone: bool = option(
        default=False, text="Five Concealed Pungs takes the place of All Pungs and of a concealed hand."
    )
    heavenly: int = option(24, "Tai of the Heavenly Hand: 16, 24 or 32.", among=(16, 24, 32))
    li_gu: bool = option(default=False, text="Seven pairs and a pung win.")
    limit: int = option(0, "The most tai of a payment, those of the dealer included; 0 for no limit.")

    @property
    def table(self) -> tuple[Line, ...]:
        """All lines under these options."""
        changes: dict[str, dict[str, Any]] = {"heavenly": {"value": self.heavenly}}
        if self.flower_set_adds:
            changes["own_flower"] = {"find": own_flower_of_any_set}
        sees = (self.see_flowers or self.see_all) and self.keeps("every_flower")
        if self.flower_set_adds and sees and self.keeps("flower_set"):  # Every Flower counts every loose one
            changes |= {"own_flower": {"find": own_flower_of_set}, "every_flower": {"in_place_of": frozenset()}}
        if self.begging_with_wait:
            changes |= {key: {"in_place_of": frozenset()} for key in ("half_beg", "full_beg")}
        if self.five_concealed_alone:
            more = _numbers("all_pungs", "concealed_hand", "concealed_self_draw")
            changes["five_concealed_pungs"] = {"in_place_of": LINES["five_concealed_pungs"].in_place_of | more}
        return tuple(replace(line, **changes.get(key, {})) for key, line in LINES.items())

    @property
    def book(self) -> Book:
        """The lines in play."""
        out = frozenset[int]()
        if not self.flowers:
            out |= _OF_FLOWERS
        if not self.see_all:
            out |= _SEE_ALL - _SEE_FLOWERS if self.see_flowers else _SEE_ALL
        if not self.li_gu:
            out |= _LI_GU
        shapes = _SHAPES | self.played({Shape.PAIRS_AND_PUNG: "li_gu"} if self.li_gu else {})
        by_flowers = Occasion.FLOWER_WIN if self.flowers else NO_OCCASION
        return Book(
            ruleset=TAIWAN,
            unit="tai",
            lines=tuple(line for line in self.table if line.number not in out),
            minimum=self.minimum,
            limit=self.limit or None,
            play=Play(
                meant=_OCCASIONS | by_flowers,
                bonus_replaced=self.flowers,
                size=hand_size(shapes),
                flower_wins=(ALL_FLOWERS,),
                claims_after_ready=True,
                any_dealer=True,
                waits=partial(waits, shapes=shapes),
            ),
            shapes=shapes,
            flowers=self.flowers,
            one_wait=lambda hand: len(waits(hand, shapes)) == 1,
            passes=_PASSES,
            ignored=RIICHI_KEYS,
            short_is_no_win=True,
        )

    @property
    def false_mahjong(self) -> float:
        """What a false win pays each other player (S-TWN-17)."""
        return exact(self.base + self.unit * _FALSE_WIN)

    def evaluate(self, hand: Hand, context: Context) -> Score | NotAWin:
        """The same as for other games, with no more repeats than the table counts."""
        counted = self._counted(context.dealer_repeats)
        given = context if counted == context.dealer_repeats else replace(context, dealer_repeats=counted)
        return SummedRules.evaluate(self, hand, given)

    def _counted(self, repeats: int) -> int:
        return min(repeats, self.most_repeats) if self.most_repeats else repeats

    def next_position(self, position: Position, ending: Ending) -> Position:
        """The dealer stays after a draw and after an own win, and one more repeat counts (S-TWN-18)."""
        return with_repeats(position, ending)

    def steps(self, win: Win) -> tuple[Step, ...]:
        """The payments to a winner: from the discarder, or from each, and then more from a dealer who lost."""
        if win.discarder is not None:
            return (win.step(win.discarder, self._points(win.total), DISCARD),)
        ours = self.ours()
        dealer, repeat = (ours.get(f"{TAIWAN}.{key}", LINES[key].value) or 0 for key in ("dealer", "dealer_repeats"))
        of_dealer = self._points(win.total + dealer + repeat * self._counted(win.repeats))
        return tuple(
            win.step(loser, of_dealer, DEALER)
            if loser is win.dealer
            else win.step(loser, self._points(win.total), SELF_DRAW)
            for loser in win.losers
        )

    def _points(self, tai: int) -> float:
        return exact(self.base + self.unit * (min(tai, self.limit) if self.limit else tai))
