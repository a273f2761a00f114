"""The options of riichi: what counts, how a deal may end, how a game goes on (S-RII in scoring/sources.md)."""

from __future__ import annotations

import csv
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Final, Self

from tilescore.base.errors import OptionError
from tilescore.scoring.riichi.points import FOUR_PLAYERS, Table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tilescore.scoring.riichi.table import Yaku

CHOICES: Final[Mapping[str, tuple[str | int, ...]]] = {
    "kazoe": ("yakuman", "sanbaiman"),
    "renhou": ("five_han", "mangan", "yakuman", "none"),
    "multiple_ron": ("all", "three_abort", "head_bump"),
    "multiple_ron_honba": ("first", "each"),
    "liability": ("own_yakuman", "whole_hand"),
    "liability_honba": ("liable", "discarder"),
    "chombo": ("mangan", "after_uma", "none"),
    "profile": ("document", "ema", "wrc", "mleague", "tenhou", "mahjong_soul"),
    "length": ("hanchan", "east"),
    "ties": ("first_seat", "shared"),
    "leftover_sticks": ("first", "shared", "lost"),
    "rounding": ("none", "half_up", "half_down", "up"),
    "double_wind_fu": (4, 2),
}
"""The choices of each option that has a few words or numbers; the default first."""
OPTION_TEXTS: Final = {
    "profile": "A set of the other options that overrules them: document (none), ema, wrc, mleague, tenhou, "
    "mahjong_soul.",
    "open_tanyao": "Tanyao counts in open hands.",
    "red_fives": "Red fives are worth 1 han each.",
    "kiriage": "4 han 30 fu and 3 han 60 fu are rounded up to a mangan.",
    "kazoe": "What 13 and more han of ordinary yaku are: yakuman or sanbaiman.",
    "double_yakuman": "Daisuushii, suuankou on the pair, kokushi musou and chuuren poutou on all waits: two yakuman.",
    "yakuman_add_up": "Several yakuman in one hand add up; if not, the hand is a single yakuman.",
    "renhou": "What renhou is worth: 5 han beside other yaku and dora (five_han), a mangan in place of a cheaper hand "
    "(mangan), yakuman, or none.",
    "double_wind_fu": "Fu of a pair of the wind that is both own and round: 2 or 4.",
    "nagashi_mangan": "Nagashi mangan is paid.",
    "nagashi_open": "Nagashi mangan allows claimed sets.",
    "kokushi_robs_concealed_kong": "Kokushi musou may rob a concealed kong.",
    "multiple_ron": "Several rons on one discard: all win, three abort (three_abort), or the nearest wins (head_bump).",
    "multiple_ron_honba": "Of several rons the first takes honba and sticks (first), or each takes the honba and "
    "the own stick, and the first the other sticks (each).",
    "abortive_draws": "A deal may be broken off: nine terminals and honours, four winds, four riichi, four kongs.",
    "liability": "Who fed a yakuman is liable for that yakuman (own_yakuman) or for the whole hand (whole_hand).",
    "liability_honba": "Who pays the honba when another player discards: the liable player or the discarder.",
    "liability_four_kongs": "Who feeds the fourth kong of suukantsu is liable too.",
    "chombo": "What a false mah-jong costs: a mangan the other way round at once (mangan), 20,000 points of the result "
    "after the uma (after_uma), or none.",
    "length": "A game of East and South rounds (hanchan) or of the East round only.",
    "start_points": "Points with which each player starts.",
    "return_points": "Points that the result of each player is counted from. If they are more than the start, the "
    "first player gets the difference of all four (oka). 0: results are the points themselves.",
    "target_points": "If nobody has so many points after the last deal, one more round is played until somebody has. "
    "0: no such round.",
    "agari_yame": "The game ends when the dealer of the last deal wins or is ready, and leads with the target points, "
    "if there are any.",
    "bankruptcy_ends": "The game ends when somebody is below 0.",
    "foul_ends": "A false mah-jong ends the game.",
    "riichi_below_1000": "Riichi may be declared with fewer than 1000 points.",
    "uma": "Thousands added to the final standings from first to last, such as '15,5,-5,-15'; empty for none.",
    "ties": "Equal points at the end: who sat nearer to the first dealer is ahead (first_seat), or they share the rank "
    "and what belongs to it (shared).",
    "leftover_sticks": "Riichi sticks left at the end: the first player gets them (first), all players with the most "
    "points share them (shared), or they are lost.",
    "rounding": "At the end the points of all but the first player are rounded to thousands: not (none), 500 up "
    "(half_up), 500 down (half_down), or all up (up). The first player gets the rest.",
}
"""One sentence for each option, in the order of the list of options."""
_MOST_POINTS: Final = 10_000_000
_POINTS: Final = ("start_points", "return_points", "target_points")
_UMA: Final = {4: ("four", "15,5,-5,-15"), 3: ("three", "15,0,-15")}


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionGroup:
    """A group of options, each of them a field."""

    ruleset: ClassVar[str] = "riichi"
    names: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """The names of options that are called otherwise than their fields."""

    @classmethod
    def of(cls, chosen: Mapping[str, Any]) -> Self:
        """The group with those of the chosen options that belong to it; raises OptionError."""
        named = ((entry.name, cls.names.get(entry.name, entry.name)) for entry in fields(cls))
        return cls(**{field: chosen[name] for field, name in named if name in chosen})

    def check(self, name: str, choices: tuple[object, ...]) -> None:
        """Raise OptionError unless the value of this option is one of the choices."""
        check_choice(self.ruleset, name, getattr(self, name), choices)

    def values(self) -> dict[str, Any]:
        """Every option by its name."""
        return {self.names.get(entry.name, entry.name): getattr(self, entry.name) for entry in fields(self)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Counting(OptionGroup):
    """What counts in a hand, and how much; `scoring.riichi3` extends it."""

    three_players: ClassVar[bool] = False
    """Whether the game has three players: 1m and 9m alone of the characters, norths set aside."""
    open_tanyao: bool = True
    red_fives: bool = True
    kiriage: bool = False
    kazoe: str = "yakuman"
    double_yakuman: bool = False
    yakuman_add_up: bool = True
    renhou: str = "five_han"
    double_wind_fu: int = 4

    def __post_init__(self) -> None:
        for name in ("kazoe", "renhou", "double_wind_fu"):
            self.check(name, CHOICES[name])

    @property
    def north_counts(self) -> bool:
        """Whether norths are tiles of value for every player."""
        return False

    @property
    def further_yaku(self) -> tuple[Yaku, ...]:
        """Yaku that the tables of document 004 do not have."""
        return ()

    @property
    def replaces_norths(self) -> bool:
        """Whether the tile drawn for a north set aside is a replacement tile like that of a quad."""
        return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Endings(OptionGroup):
    """How a deal may end, and what that pays; `scoring.riichi3` extends it."""

    abortive: ClassVar[tuple[str, ...]] = ("nine_terminals", "four_winds", "four_riichi", "four_kongs", "triple_ron")
    """The abortive draws."""
    fed_sets_declared: ClassVar[bool] = True
    """Whether a player is liable only for a yakuman of which all sets are declared."""
    nagashi_mangan: bool = True
    nagashi_open: bool = False
    kokushi_robs_concealed_kong: bool = True
    multiple_ron: str = "all"
    multiple_ron_honba: str = "first"
    abortive_draws: bool = True
    liability: str = "own_yakuman"
    liability_honba: str = "liable"
    liability_four_kongs: bool = False
    chombo: str = "mangan"

    def __post_init__(self) -> None:
        for name in ("multiple_ron", "multiple_ron_honba", "liability", "liability_honba", "chombo"):
            self.check(name, CHOICES[name])

    @property
    def table(self) -> Table:
        """Who sits at the table, and what they pay."""
        return FOUR_PLAYERS


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchOptions(OptionGroup):
    """How long a game lasts, and what `tilescore.scoring.game` adds at its end; `scoring.riichi3` extends it."""

    players: ClassVar[int] = 4
    length: str = "hanchan"
    start_points: int = 25_000
    return_points: int = 0
    target_points: int = 0
    agari_yame: bool = False
    bankruptcy_ends: bool = True
    foul_ends: bool = False
    riichi_below_1000: bool = False
    uma: str = ""
    ties: str = "first_seat"
    leftover_sticks: str = "first"
    rounding: str = "none"

    def __post_init__(self) -> None:
        for name in ("length", "ties", "leftover_sticks", "rounding"):
            self.check(name, CHOICES[name])
        for field in _POINTS:
            points, name = getattr(self, field), self.names.get(field, field)
            if not 0 <= points <= _MOST_POINTS:
                raise OptionError(
                    "bad_option_value",
                    f"option '{name}' of {self.ruleset} must lie between 0 and {_MOST_POINTS}, not {points}.",
                    option=name,
                )
        uma_points(self.uma, self.players)


@cache
def profile(name: str) -> Mapping[str, Any]:
    """The options that a profile overrules: every one but `length` (S-RII-28 to S-RII-33).

    >>> profile("ema")["renhou"], profile("wrc")["start_points"], profile("document")
    ('mangan', 30000, {})
    """
    check_choice(OptionGroup.ruleset, "profile", name, CHOICES["profile"])
    with Path(__file__).with_name("profiles.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return {row["option"]: _value(row[name]) for row in rows if name in row}


def _value(text: str) -> Any:
    """The value in a cell: true, false, a whole number or a word."""
    known = {"true": True, "false": False}
    return known[text] if text in known else int(text) if text.isdecimal() else text


def uma_points(uma: str, players: int = 4) -> tuple[int, ...]:
    """Points by rank, first to last, of the option `uma` for that many players; raises OptionError.

    >>> uma_points("15,5,-5,-15"), uma_points("15,0,-15", 3)
    ((15000, 5000, -5000, -15000), (15000, 0, -15000))
    """
    try:
        points = tuple([1000 * int(part) for part in uma.split(",")]) if uma else (0,) * players
    except ValueError:
        points = ()
    if len(points) != players or sum(points) != 0:
        number, such = _UMA[players]
        raise OptionError(
            "bad_option_value",
            f"option 'uma' must be {number} numbers that add up to 0, such as '{such}', not '{uma}'.",
            option="uma",
        )
    return points


def check_choice(ruleset: str, name: str, value: object, choices: tuple[object, ...]) -> None:
    """Raise OptionError unless `value` is one of the choices of that option."""
    if value not in choices:
        raise OptionError(
            "bad_option_value",
            f"option '{name}' of {ruleset} must be one of {', '.join(map(str, choices))}, not '{value}'.",
            option=name,
        )
