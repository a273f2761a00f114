"""The options of riichi: what counts, how a deal may end, how a game goes on (S-RII in scoring/sources.md)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tilescore.base.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Mapping

CHOICES: Final = {
    "kazoe": ("yakuman", "sanbaiman"),
    "renhou": ("mangan", "yakuman", "none"),
    "multiple_ron": ("all", "three_abort", "head_bump"),
    "chombo": ("mangan", "none"),
    "profile": ("document", "ema", "tenhou"),
    "length": ("hanchan", "east"),
}
"""The choices of each option that is a word; the default first."""
PROFILES: Final[Mapping[str, Mapping[str, object]]] = {
    "document": {},
    "ema": {"nagashi_mangan": False, "red_fives": False, "abortive_draws": False},
    "tenhou": {"renhou": "none", "multiple_ron": "three_abort"},
}
"""The options that each profile overrules."""
OPTION_TEXTS: Final = {
    "open_tanyao": "Tanyao counts in open hands.",
    "red_fives": "Red fives are worth 1 han each.",
    "kiriage": "4 han 30 fu and 3 han 60 fu are rounded up to a mangan.",
    "kazoe": "What 13 and more han of ordinary yaku are: yakuman or sanbaiman.",
    "double_yakuman": "Daisuushii, suuankou on the pair, kokushi musou and chuuren poutou on all waits: two yakuman.",
    "renhou": "What renhou is worth: mangan (5 han), yakuman, or none.",
    "nagashi_mangan": "Nagashi mangan is paid.",
    "multiple_ron": "Several rons on one discard: all win, three abort (three_abort), or the nearest wins (head_bump).",
    "abortive_draws": "A deal may be broken off: nine terminals and honours, four winds, four riichi, four kongs.",
    "chombo": "What a false mah-jong pays: a mangan the other way round, or none.",
    "profile": "A set of the options above that overrules them: document (none), ema, tenhou.",
    "length": "A game of East and South rounds (hanchan) or of the East round only.",
    "bankruptcy_ends": "The game ends when somebody is below 0.",
    "uma": "Thousands added to the final standings from first to last, such as '15,5,-5,-15'; empty for none.",
}
"""One sentence for each option, in the order of the list of options."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Counting:
    """What counts in a hand, and how much."""

    open_tanyao: bool = True
    red_fives: bool = True
    kiriage: bool = False
    kazoe: str = "yakuman"
    double_yakuman: bool = False
    renhou: str = "mangan"

    def __post_init__(self) -> None:
        check_choice("kazoe", self.kazoe)
        check_choice("renhou", self.renhou)


@dataclass(frozen=True, slots=True, kw_only=True)
class Endings:
    """How a deal may end, and what that pays."""

    nagashi_mangan: bool = True
    multiple_ron: str = "all"
    abortive_draws: bool = True
    chombo: str = "mangan"

    def __post_init__(self) -> None:
        check_choice("multiple_ron", self.multiple_ron)
        check_choice("chombo", self.chombo)


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchOptions:
    """How long a game lasts, and what `tilescore.scoring.game.ledger` adds at its end."""

    length: str = "hanchan"
    bankruptcy_ends: bool = True
    uma: str = ""

    def __post_init__(self) -> None:
        check_choice("length", self.length)
        uma_points(self.uma)


def uma_points(uma: str) -> tuple[int, ...]:
    """Points by rank, first to last, of the option `uma`; raises OptionError.

    >>> uma_points("15,5,-5,-15")
    (15000, 5000, -5000, -15000)
    """
    try:
        points = tuple([1000 * int(part) for part in uma.split(",")]) if uma else (0, 0, 0, 0)
    except ValueError:
        points = ()
    if len(points) != 4 or sum(points) != 0:
        raise OptionError(
            "bad_option_value",
            f"option 'uma' must be four numbers that add up to 0, such as '15,5,-5,-15', not '{uma}'.",
            option="uma",
        )
    return points


def check_choice(name: str, value: str) -> None:
    """Raise OptionError unless `value` is a choice of that option."""
    if value not in CHOICES[name]:
        raise OptionError(
            "bad_option_value",
            f"option '{name}' of riichi must be one of {', '.join(CHOICES[name])}, not '{value}'.",
            option=name,
        )
