"""Hong Kong Old Style (香港舊章): options, lines and payments. Decisions: S-HKG (scoring/sources.md)."""

from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar, Final

from tilescore.errors import OptionError
from tilescore.scoring.context import NO_OCCASION, Occasion, Seat
from tilescore.scoring.faan.count import Book
from tilescore.scoring.faan.hongkong_lines import LINES, concealed_but_for_kongs, four_concealed_pungs_drawn
from tilescore.scoring.faan.lines import ALL_FLOWERS
from tilescore.scoring.faan.rules import SummedRules
from tilescore.scoring.faan.settlement import BYSTANDER, DISCARD, SELF_DRAW, Win
from tilescore.scoring.faan.table import Line, WonBy
from tilescore.scoring.options import QUARTER, HouseRules, option
from tilescore.scoring.payments import Step, exact
from tilescore.scoring.plausibility import Play
from tilescore.scoring.progression import Ending, Position, east_stays
from tilescore.scoring.shapes.waiting import waits
from tilescore.scoring.shapes.winning import Shape
from tilescore.scoring.traits import Preset

HONGKONG: Final = "hongkong"
_STANDARD: Final = frozenset({Shape.STANDARD})
_OCCASIONS: Final = (
    Occasion.LAST_TILE
    | Occasion.KONG_REPLACEMENT
    | Occasion.KONG_ON_KONG
    | Occasion.ROBBING_KONG
    | Occasion.ROBBING_CONCEALED_KONG
    | Occasion.FIRST_TURN
)
_PAIRS: Final = LINES["seven_pairs"].number
_OF_FLOWERS: Final = frozenset(LINES[key].number for key in ("no_flowers", "own_flower", "flower_set"))
_WINS_BY_FLOWERS: Final = frozenset(line.number for line in LINES.values() if line.won_by is WonBy.FLOWERS)
_WHOLE_HANDS: Final = frozenset(range(LINES["all_honors"].number, LINES["human"].number + 1))
_FIRST_TURN: Final = frozenset(LINES[key].number for key in ("heavenly", "earthly", "human"))
_PRESETS: Final = (
    Preset(name="association", source="香港麻雀協會 香港麻雀總例", options={"robbed_pays": "self_draw"}),
    Preset(
        name="wikipedia",
        source="Hong Kong mahjong scoring rules (English Wikipedia)",
        options={"limit": 13, "flowers_to_minimum": False},
    ),
)
_MOST_FAAN: Final = 13
"""The highest limit; a false win costs a hand of so many faan where there is none."""
_DOUBLED: Final = 4
"""Up to so many faan each doubles a payment, half spicy or not (S-HKG-16)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hongkong(SummedRules):
    """A sum of faan, three of which are needed to win, cut to a limit.

    >>> from tilescore.scoring.context import Context, Seat, WinBy
    >>> from tilescore.scoring.hand import Hand
    >>> won = Context(win_by=WinBy.DISCARD, discarder=Seat.WEST, seat=Seat.SOUTH)
    >>> score = Hongkong().score(Hand.parse("12355m (456m) (789m) (222m) +3m &1f"), won)
    >>> score.total, [line.key for line in score.lines], score.payments.by_seat
    (7, ['hongkong.full_flush'], (0, 192, -192, 0))
    """

    name: ClassVar[str] = HONGKONG
    presets: ClassVar[tuple[Preset, ...]] = _PRESETS
    alternatives: ClassVar[frozenset[int]] = _WHOLE_HANDS
    usual_most: ClassVar[int] = _MOST_FAAN
    minimum: int = option(3, "Faan that a win needs: 0 to 10.", most=10)
    limit: int = option(
        10, "The most faan that a hand counts: 6 to 13; 0 for no limit.", among=(0, *range(6, _MOST_FAAN + 1))
    )
    spicy: str = option(
        "half",
        "Half or full spicy: each faan up to 4 doubles the payment, from 5 on every second one does (half), or each "
        "(full).",
        among=("half", "full"),
    )
    responsibility: str = option(
        "full",
        "The discarder pays for all (full), or everybody pays and the discarder double (half).",
        among=("full", "half"),
    )
    unit: float = option(
        1.0,
        "What a player who did not discard pays for 0 faan under half responsibility: 0.25 or more.",
        least=QUARTER,
        stake=True,
    )
    payments: str = option(
        "",
        "A table of one's own in place of the doubling: what a bystander pays for 0, 1, 2 and more faan, in units, "
        "such as '1,2,4,8,12,16'; the last number holds for all further faan.",
    )
    robbed_pays: str = option(
        "discard",
        "A robbed kong is paid like a discard (discard), or like a self-draw (self_draw).",
        among=("discard", "self_draw"),
    )
    flowers: bool = option(default=True, text="Flowers and seasons are played; if not, they count for nothing.")
    flowers_to_minimum: bool = option(default=True, text="Faan for flowers help to reach the minimum.")
    kong_keeps_concealed: bool = option(default=False, text="A concealed kong leaves Concealed Hand as it is.")
    seven_pairs: int = option(0, "Faan of seven pairs; 0 for tables where they do not win.")
    concealed_pungs_drawn: bool = option(default=False, text="Four Concealed Pungs counts on a self-draw alone.")
    flower_win_drawn: bool = option(default=False, text="Self-Draw counts beside Seven Flowers and Eight Flowers.")
    draw_passes_deal: bool = option(default=False, text="A draw passes the deal on; if not, East stays.")

    def __post_init__(self) -> None:
        HouseRules.__post_init__(self)
        if self.payments and not all(
            0 < len(text) < 10 and text.isascii() and text.isdigit() for text in self._numbers
        ):
            raise OptionError(
                "bad_option_value",
                f"option 'payments' of {self.name} must be whole numbers with commas, such as '1,2,4,8,12,16', not "
                f"'{self.payments}'.",
                option="payments",
            )

    @property
    def _numbers(self) -> tuple[str, ...]:
        return tuple(text.strip() for text in self.payments.split(","))

    @property
    def _table(self) -> tuple[int, ...]:
        return tuple(map(int, self._numbers))

    @property
    def table(self) -> tuple[Line, ...]:
        """All lines; seven pairs with the value that the table plays, or the usual one."""
        changes: dict[str, dict[str, Any]] = {}
        if self.seven_pairs:
            changes["seven_pairs"] = {"value": self.seven_pairs}
        if self.kong_keeps_concealed:
            changes["concealed_hand"] = {"find": concealed_but_for_kongs}
        if self.concealed_pungs_drawn:
            changes["four_concealed_pungs"] = {"find": four_concealed_pungs_drawn}
        if self.flower_win_drawn:
            changes["self_draw"] = {"won_by": WonBy.BOTH}
        return tuple(replace(line, **changes.get(key, {})) for key, line in LINES.items())

    @property
    def book(self) -> Book:
        """The lines in play."""
        lines, out = self.table, frozenset[int]()
        if not self.flowers:
            out |= _OF_FLOWERS | _WINS_BY_FLOWERS
        if not self.seven_pairs:
            out |= {_PAIRS}
        special = {Shape.THIRTEEN_ORPHANS: "thirteen_orphans"}
        shapes = _STANDARD | self.played(special | {Shape.SEVEN_PAIRS: "seven_pairs"} if self.seven_pairs else special)
        by_flowers = Occasion.FLOWER_WIN if self.flowers else NO_OCCASION
        return Book(
            ruleset=HONGKONG,
            unit="faan",
            lines=tuple(line for line in lines if line.number not in out),
            empty=lines[0],
            minimum=self.minimum,
            idle=frozenset() if self.flowers_to_minimum else _OF_FLOWERS,
            limit=self.limit or None,
            play=Play(
                meant=_OCCASIONS | by_flowers,
                flower_wins=(ALL_FLOWERS - 1, ALL_FLOWERS),
                flowers_drawn=True,
                waits=partial(waits, shapes=shapes),
            ),
            shapes=shapes,
            robs_concealed=shapes & {Shape.THIRTEEN_ORPHANS},
            flowers=self.flowers,
            passes={Occasion.FIRST_TURN: _FIRST_TURN},
        )

    @property
    def false_mahjong(self) -> float:
        """What each player pays for a self-drawn hand at the limit (S-HKG-19)."""
        return exact(2 * self.unit * self.multiplier(self.limit or _MOST_FAAN))

    def next_position(self, position: Position, ending: Ending) -> Position:
        """East stays after an own win and, unless the option says otherwise, after a draw (S-HKG-18)."""
        return east_stays(position, ending, after_draw=not self.draw_passes_deal)

    def multiplier(self, faan: int) -> int:
        """How much more than a hand of 0 faan one of so many costs.

        >>> [Hongkong().multiplier(faan) for faan in range(8)]
        [1, 2, 4, 8, 16, 24, 32, 48]
        """
        if self.payments:
            table = self._table
            return table[min(faan, len(table) - 1)]
        if self.spicy == "full" or faan <= _DOUBLED:
            return 1 << faan
        doublings, half = divmod(faan - _DOUBLED, 2)
        return (3 if half else 2) << (_DOUBLED + doublings - 1)

    def steps(self, win: Win) -> tuple[Step, ...]:
        """The payments to a winner: on a discard four units from the discarder, else two from each."""
        unit = exact(self.unit * self.multiplier(win.total))
        if win.discarder is None or (win.robbed and self.robbed_pays == "self_draw"):
            return tuple(win.step(loser, 2 * unit, SELF_DRAW) for loser in win.losers)
        if self.responsibility == "full":
            return (win.step(win.discarder, 4 * unit, DISCARD),)
        return tuple(_half(win, loser, unit) for loser in win.losers)


def _half(win: Win, loser: Seat, unit: float) -> Step:
    return win.step(loser, 2 * unit, DISCARD) if loser is win.discarder else win.step(loser, unit, BYSTANDER)
