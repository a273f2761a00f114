"""What a ruleset states about its game, as values, so that no other module asks for the name of a ruleset.

`Traits` says what is played and asked. `KnownWin` is a win of which only the value is known.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from tilescore.scoring.context import SEATS, Occasion, Seat
from tilescore.scoring.deal import EXHAUSTED, FALSE_MAHJONG
from tilescore.scoring.hand import Hand
from tilescore.scoring.tiles import BONUS_TILES, PLAYING_TILES, Tile

EVERY_KIND: Final = frozenset(PLAYING_TILES)
"""The 34 kinds of tiles without flowers and seasons."""


House = tuple[tuple[str, int | None], ...]
"""A house table: keys of lines, each with its worth, or None for a line that does not count."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Foul:
    """A kind of foul that is paid for."""

    kind: str  # its key; the number of a repeated one, or the player harmed and the points, follow it
    most: int = 0  # the highest number of a foul that costs from its second time on; 0 for any other
    # the least, the most and the usual points where one player is harmed and paid
    harms: tuple[int, int, int] | None = None

    def is_of(self, name: str) -> bool:
        """Whether this foul of a deal is of the kind.

        >>> Foul(kind="late_claim", most=99).is_of("late_claim_3"), Foul(kind="late").is_of("late_claim_3")
        (True, False)
        """
        if self.harms is not None:
            return name.startswith(f"{self.kind}{HARMED}")
        kind, _, number = name.rpartition("_")
        return (kind if self.most and number.isdecimal() else name) == self.kind


HARMED: Final = "_of_"
"""What stands between the kind of a foul and the player harmed."""


def with_harmed(foul: str, name: Callable[[str], str]) -> str:
    """The foul of a deal with another name of whom it harmed; one that harms all as it is.

    >>> with_harmed("tile_exposed_of_S_20", {"S": "W"}.__getitem__), with_harmed("change_of_mind_3", str.upper)
    ('tile_exposed_of_W_20', 'change_of_mind_3')
    """
    whose = harmed_by(foul)
    kind, _, parts = foul.rpartition(HARMED)
    return foul if whose is None else f"{kind}{HARMED}{name(whose)}{parts[1:]}"


def harmed_by(foul: str) -> str | None:
    """The letter of the seat or player whom the foul of a deal harmed; None for a foul that harms all.

    >>> harmed_by("tile_exposed_of_S_20"), harmed_by("change_of_mind_3")
    ('S', None)
    """
    _, harmed, parts = foul.rpartition(HARMED)
    whose, _, _ = parts.partition("_")
    return whose if harmed and len(whose) == 1 else None


@dataclass(frozen=True, slots=True, kw_only=True)
class GameEnd:
    """What the end of a game adds to the points of the players."""

    counted_from: int = 0  # points that results are counted from; the first player gets what the players lack of them
    uma: tuple[int, ...] = ()  # points of the places, from first to last; empty for none
    # whether players with equal points share the rank and what belongs to it; in riichi an option says so
    shared: bool = True
    # who gets the sticks that are left: `first`, `shared` by all who have the most points, or `lost`
    sticks: str = "first"
    # How the points of all but the first player are rounded to thousands: `none`, `half_up`, `half_down` or `up`. The
    # first player gets the rest.
    rounding: str = "none"
    penalty: int = 0  # points that each false mah-jong takes off the result


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """The options of a published table, as far as its source states them."""

    name: str  # its key
    source: str  # the document that states it
    options: Mapping[str, Any]  # what differs from the defaults


@dataclass(frozen=True, slots=True, kw_only=True)
class Traits:
    """What a game is like under the options of its ruleset."""

    # what a winner may be asked about, in this order; `Ruleset.score` refuses what the tiles contradict
    occasions: tuple[Occasion, ...]
    seats: tuple[Seat, ...] = SEATS  # the seats of the players, in turn order
    size: int = Hand.SIZE  # tiles of a complete hand, a kong counted as three
    tiles: frozenset[Tile] = EVERY_KIND  # the kinds of tiles of which hands are made, red fives as plain ones
    bonus: tuple[Tile, ...] = BONUS_TILES  # the tiles that lie beside a hand; other rulesets ignore flowers and seasons
    bonus_replaced: bool = False  # whether the tile that replaces a flower is a replacement tile as that of a kong is
    most_winners: int = 1  # how many players can win on one discard
    losers_count: bool = False  # whether the hands of the losers have a value
    # points of a stick that a player lays for riichi, and of which counters lie on the table; 0 for none
    stick: int = 0
    stick_from: int = 0  # how many points a player must have to lay one
    repeats: bool = False  # whether it matters how often the dealer has kept the deal
    unit: str = "points"  # what values count: `points`, `han`, `faan` or `tai`
    with_fu: bool = False  # whether a value is han and fu
    least: int = 0  # the least value of a winning hand
    least_without_flowers: bool = False  # whether flowers and seasons do not help to reach it
    most: int | None = None  # the highest value that a list offers; None without one
    # values that a table of values offers, from the least on: fu where a value is han and fu
    common: tuple[int, ...] = ()
    # values that have a name instead of fu, each with its key and the least han that always reach it
    limits: tuple[tuple[str, int], ...] = ()
    step: float = 1  # the least amount that is paid; a quarter where the stakes have quarters
    start: int | None = None  # points with which each player starts, if an option says it; None if the players choose
    draws: tuple[str, ...] = (EXHAUSTED,)  # the kinds of draws, the exhausted one first
    ready_paid: bool = False  # whether hands that are ready at a draw are paid
    nagashi: bool = False  # whether a player can be paid at a draw for the own discards
    fouls: tuple[Foul, ...] = (Foul(kind=FALSE_MAHJONG),)  # the kinds of fouls that are paid for
    pays_for_all: bool = False  # whether the discarder can pay for all
    # at_win, at_draw: keys of a deal that change its payments or the next deal, besides those of every game
    at_win: tuple[str, ...] = ()
    at_draw: tuple[str, ...] = ()
    end: GameEnd = GameEnd()  # what the end of a game adds to the points
    # what the places of a game are worth in a tournament, from first to last; empty for none
    table_points: tuple[int, ...] = ()
    # the language of the original names of its lines, with its script where the names have another one than the words
    # of that language: "ja", "zh-Hant"; None without original names
    language: str | None = None
    presets: tuple[Preset, ...] = ()  # published tables
    # other codes for what is wrong with a hand before the ruleset sees it
    errors: Mapping[str, str] = field(default_factory=dict)

    @property
    def values_losing_hands(self) -> bool:
        """Whether a hand that did not win can be worth something."""
        return self.losers_count or Occasion.NAGASHI_MANGAN in self.occasions

    @property
    def aside(self) -> frozenset[Tile]:
        """The tiles of hands that a player may set aside like flowers."""
        return frozenset(self.bonus) & EVERY_KIND

    def fits(self, hand: Hand) -> bool:
        """Whether the hand is one of this game: its size, complete or one tile short, and its tiles.

        >>> from tilescore.scoring.hand import Hand
        >>> Traits(occasions=()).fits(Hand.parse("123m456p789s234s5z +5z")), Traits(occasions=()).fits(Hand.parse("1m"))
        (True, False)
        """
        aside = all(tile in self.aside for tile in hand.bonus if tile in EVERY_KIND)
        size = hand.size in (self.size - 1, self.size)
        return aside and size and all(tile.plain in self.tiles for tile in hand.tiles)


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownValue:
    """What a hand is worth: han and fu in riichi, elsewhere points, faan or tai."""

    points: int = 0
    han: int = 0
    fu: int = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """What one of several winners gets besides the hand."""

    takes_honba: bool  # whether this winner is paid the counters of the deal
    sticks: int  # how many sticks on the table this winner takes


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownWin:
    """A win of which only the value is known."""

    winner: Seat
    value: KnownValue  # what the hand is worth
    discarder: Seat | None = None  # who threw the winning tile; None for a self-draw
    # points of the other hands, where these count; hands that are left out have none
    losers: Mapping[Seat, int] = field(default_factory=dict)
    honba: int = 0  # the counters that are paid to this winner
    repeats: int = 0  # how often the dealer has kept the deal
    pays_for_all: bool = False  # whether the discarder pays for all
    liable: Seat | None = None  # who fed a big hand and pays for it; None if nobody does
