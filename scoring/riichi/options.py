"""The options of riichi: what counts, how a deal may end, how a game goes on (S-RII in scoring/sources.md)."""

import csv
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, Final, Self

from tilescore.errors import OptionError
from tilescore.scoring.options import check_choice, check_options, name_of, option
from tilescore.scoring.riichi.points import FOUR_PLAYERS, Table
from tilescore.scoring.riichi.table import Yaku

PROFILES: Final = ("document", "ema", "wrc", "mleague", "tenhou", "mahjong_soul")
"""Sets of the other options that overrule them; the first overrules none."""
FOUR_RIICHI: Final = "four_riichi"
"""The draw after the fourth riichi; whoever names it says that all four laid a stick."""
TRIPLE_RON: Final = "triple_ron"
"""The draw after three rons on one discard."""
_MOST_POINTS: Final = 10_000_000
_UMA: Final = {4: ("four", "15,5,-5,-15"), 3: ("three", "15,0,-15")}


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionGroup:
    """A group of options, each of them a field."""

    name: ClassVar[str] = "riichi"

    def __post_init__(self) -> None:
        check_options(self)

    @classmethod
    def of(cls, chosen: Mapping[str, Any]) -> Self:
        """The group with those of the chosen options that belong to it; raises OptionError."""
        return cls(**{entry.name: chosen[name_of(entry)] for entry in fields(cls) if name_of(entry) in chosen})


@dataclass(frozen=True, slots=True, kw_only=True)
class Counting(OptionGroup):
    """What counts in a hand, and how much; `scoring.riichi3` extends it."""

    three_players: ClassVar[bool] = False
    """Whether the game has three players: 1m and 9m alone of the characters, norths set aside."""
    open_tanyao: bool = option(default=True, text="Tanyao counts in open hands.")
    red_fives: bool = option(default=True, text="Red fives are worth 1 han each.")
    kiriage: bool = option(default=False, text="4 han 30 fu and 3 han 60 fu are rounded up to a mangan.")
    kazoe: str = option(
        "yakuman", "What 13 and more han of ordinary yaku are: yakuman or sanbaiman.", among=("yakuman", "sanbaiman")
    )
    double_yakuman: bool = option(
        default=False,
        text="Daisuushii, suuankou on the pair, kokushi musou and chuuren poutou on all waits: two yakuman.",
    )
    yakuman_add_up: bool = option(
        default=True, text="Several yakuman in one hand add up; if not, the hand is a single yakuman."
    )
    renhou: str = option(
        "five_han",
        "What renhou is worth: 5 han beside other yaku and dora (five_han), a mangan in place of a cheaper hand "
        "(mangan), yakuman, or none.",
        among=("five_han", "mangan", "yakuman", "none"),
    )
    double_wind_fu: int = option(4, "Fu of a pair of the wind that is both own and round: 2 or 4.", among=(4, 2))

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

    abortive: ClassVar[tuple[str, ...]] = ("nine_terminals", "four_winds", FOUR_RIICHI, "four_kongs", TRIPLE_RON)
    """The abortive draws."""
    fed_sets_declared: ClassVar[bool] = True
    """Whether a player is liable only for a yakuman of which all sets are declared."""
    nagashi_mangan: bool = option(default=True, text="Nagashi mangan is paid.")
    nagashi_open: bool = option(default=False, text="Nagashi mangan allows claimed sets.")
    kokushi_robs_concealed_kong: bool = option(default=True, text="Kokushi musou may rob a concealed kong.")
    multiple_ron: str = option(
        "all",
        "Several rons on one discard: all win, three abort (three_abort), or the nearest wins (head_bump).",
        among=("all", "three_abort", "head_bump"),
    )
    multiple_ron_honba: str = option(
        "first",
        "Of several rons the first takes honba (points for counters) and sticks (first), or each takes the honba and "
        "the own stick, and the first the other sticks (each).",
        among=("first", "each"),
    )
    abortive_draws: bool = option(
        default=True, text="A deal may be broken off: nine terminals and honours, four winds, four riichi, four kongs."
    )
    liability: str = option(
        "own_yakuman",
        "Who fed a yakuman is liable for that yakuman (own_yakuman) or for the whole hand (whole_hand).",
        among=("own_yakuman", "whole_hand"),
    )
    liability_honba: str = option(
        "liable",
        "Who pays the honba when another player discards: the liable player or the discarder.",
        among=("liable", "discarder"),
    )
    liability_four_kongs: bool = option(default=False, text="Who feeds the fourth kong of suukantsu is liable too.")
    chombo: str = option(
        "mangan",
        "What a false mah-jong costs: a mangan the other way round at once (mangan), 20,000 points of the result at "
        "the end (after_uma), or none.",
        among=("mangan", "after_uma", "none"),
    )

    @property
    def table(self) -> Table:
        """Who sits at the table, and what they pay."""
        return FOUR_PLAYERS

    def may_break_off(self, kind: str) -> bool:
        """Whether a deal can end in this abortive draw: in three rons only where they abort (S-RII-22)."""
        return self.abortive_draws and (kind != TRIPLE_RON or self.multiple_ron == "three_abort")


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchOptions(OptionGroup):
    """How long a game lasts, and what `tilescore.scoring.game` adds at its end; `scoring.riichi3` extends it."""

    players: ClassVar[int] = 4
    length: str = option(
        "hanchan", "A game of East and South rounds (hanchan) or of the East round only.", among=("hanchan", "east")
    )
    start_points: int = option(25_000, "Points with which each player starts.", most=_MOST_POINTS)
    return_points: int = option(
        0,
        "Points that the result of each player is counted from. If they are more than the start, the first player "
        "gets the difference of all four (oka). 0: results are the points themselves.",
        most=_MOST_POINTS,
    )
    target_points: int = option(
        0,
        "If nobody has so many points after the last deal, one more round is played until somebody has. 0: no such "
        "round.",
        most=_MOST_POINTS,
    )
    agari_yame: bool = option(
        default=False,
        text="The game ends when the dealer of the last deal wins or is ready, and leads with the target points, if "
        "there are any.",
    )
    bankruptcy_ends: bool = option(default=True, text="The game ends when somebody is below 0.")
    foul_ends: bool = option(default=False, text="A false mah-jong ends the game.")
    riichi_below_1000: bool = option(default=False, text="Riichi may be declared with fewer than 1000 points.")
    uma: str = option(
        "", "Uma: thousands added to the results at the end, from first to last, such as '15,5,-5,-15'; empty for none."
    )
    ties: str = option(
        "first_seat",
        "Equal points at the end: who sat nearer to the first dealer is ahead (first_seat), or they share the rank "
        "and what belongs to it (shared).",
        among=("first_seat", "shared"),
    )
    leftover_sticks: str = option(
        "first",
        "Riichi sticks left at the end: the first player gets them (first), all players with the most points share "
        "them (shared), or they are lost.",
        among=("first", "shared", "lost"),
    )
    rounding: str = option(
        "none",
        "At the end the points of all but the first player are rounded to thousands: not (none), 500 up (half_up), "
        "500 down (half_down), or all up (up). The first player gets the rest.",
        among=("none", "half_up", "half_down", "up"),
    )

    def __post_init__(self) -> None:
        OptionGroup.__post_init__(self)
        uma_points(self.uma, self.players)


@cache
def profile(name: str) -> Mapping[str, Any]:
    """The options that a profile overrules: every one but `length` (S-RII-28 to S-RII-33).

    >>> profile("ema")["renhou"], profile("wrc")["start_points"], profile("document")
    ('mangan', 30000, {})
    """
    check_choice(OptionGroup.name, "profile", name, PROFILES)
    with Path(__file__).with_name("profiles.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return {row["option"]: _value(row[name]) for row in rows if name in row}


def _value(text: str) -> Any:
    """The value in a cell: true, false, a whole number or a word."""
    flags = {"true": True, "false": False}
    return flags[text] if text in flags else int(text) if text.isdecimal() else text


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
