"""The circumstances of a hand: winds, way of winning, occasions, counters.

The JSON form is the line format of `scoring/sources.md`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Flag, StrEnum, auto
from functools import lru_cache
from operator import index
from typing import TYPE_CHECKING, Any, Final, SupportsIndex

from tilescore.errors import ContextError
from tilescore.scoring.hand import text_value
from tilescore.scoring.pasted import meant
from tilescore.scoring.tiles import GivenTiles, Tile, format_tiles, parse_tiles, require_object, tiles_of, words_of

RIICHI_KEYS: Final = ("dora_indicators", "ura_dora_indicators", "honba", "riichi_deposits", "discards")
ELSEWHERE: Final = (*RIICHI_KEYS, "dealer_repeats")
"""Counters and tiles of riichi and taiwan, which other rulesets ignore."""
CONTEXT_KEYS: Final = ("win_by", "discarder", "seat", "round", "occasions", *RIICHI_KEYS, "dealer", "dealer_repeats")


class Seat(StrEnum):
    """Seat winds in turn order, anticlockwise: South sits on East's right."""

    EAST = "E"
    SOUTH = "S"
    WEST = "W"
    NORTH = "N"

    number: int
    """1-4 for E S W N: the rank of its wind tile, and of its own flower and season."""
    wind: Tile
    """The wind tile of this seat."""

    def __init__(self, letter: str) -> None:  # attributes and no properties: every hand asks for them several times
        self.number = "ESWN".index(letter) + 1
        self.wind = Tile("z", self.number)

    def after(self, steps: int = 1) -> Seat:
        """The seat `steps` turns later.

        >>> str(Seat.NORTH.after())
        'E'
        """
        return SEATS[(self.number - 1 + steps) % 4]

    def steps_to(self, other: Seat) -> int:
        """How many turns later `other` comes, 0 to 3.

        >>> Seat.NORTH.steps_to(Seat.SOUTH)
        2
        """
        return (other.number - self.number) % 4


SEATS: Final = tuple(Seat)


class WinBy(StrEnum):
    """How the winner got the winning tile."""

    SELF_DRAW = "self_draw"
    DISCARD = "discard"


class Occasion(Flag):
    """What happened around the winning tile; `scoring/sources.md` lists the rulesets in which each has a meaning."""

    LAST_TILE = auto()
    """The last tile of the wall, drawn or discarded."""
    KONG_REPLACEMENT = auto()
    """Won on the replacement tile after a kong (classical, simplified, taiwan: or a flower)."""
    ROBBING_KONG = auto()
    """Won on the tile another player added to a pung."""
    ROBBING_CONCEALED_KONG = auto()
    """Won on a tile of a concealed kong (thirteen orphans only)."""
    KITA_REPLACEMENT = auto()
    """Won on the replacement tile after a north was set aside (riichi3)."""
    ROBBING_NORTH = auto()
    """Won on a north that another player set aside (riichi3)."""
    LAST_OF_ITS_KIND = auto()
    """The other three copies of the winning tile lie open."""
    ONLY_POSSIBLE_TILE = auto()
    """Overrules what the scorer computes."""
    FIRST_TURN = auto()
    """Won in the first turn, such as Heavenly Bliss, tenhou or Human Hand, as seat and win_by decide."""
    RIICHI = auto()
    DOUBLE_RIICHI = auto()
    IPPATSU = auto()
    """Won within one turn of declaring riichi."""
    READY_FROM_START = auto()
    """Declared ready with the dealt hand, in taiwan with the first discard, and kept it."""
    NAGASHI_MANGAN = auto()
    """Exhaustive draw with nothing but unclaimed terminals and honours discarded."""
    FLOWER_WIN = auto()
    """Won by flowers and seasons, whatever the other tiles are (hongkong, taiwan)."""
    KONG_ON_KONG = auto()
    """Won on the replacement tile of a kong that was made with a replacement tile (hongkong)."""
    READY_AS_DEALT = auto()
    """Declared ready with the dealt hand, before any discard (taiwan)."""

    @staticmethod
    def of(names: str | Iterable[str | Occasion]) -> Occasion:
        """The flags of these names, which may be flags themselves; raises ContextError."""
        flags = NO_OCCASION
        for name in words_of("occasions", names):
            flag = name if isinstance(name, Occasion) else OCCASION_NAMES.get(_plain(name))
            if flag is None:
                raise ContextError(
                    "unknown_occasion",
                    f"'{name}' is no occasion: known are {', '.join(OCCASION_NAMES)}{meant(name, OCCASION_NAMES)}.",
                    occasion=name,
                )
            flags |= flag
        return flags

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the flags that are set."""
        return tuple(name for name, flag in OCCASION_NAMES.items() if flag in self) if self else ()


NO_OCCASION: Final = Occasion(0)
OCCASION_NAMES: Final = {str(flag.name).lower(): flag for flag in Occasion}

# Occasions that cannot be true together, and those that imply a way of winning (S-ALL-6). A kong that can be robbed
# was a claimed pung: the claim ended the first turn, and the ippatsu of a riichi that was declared before it.
_FIRST_IPPATSU: Final = Occasion.DOUBLE_RIICHI | Occasion.IPPATSU
_EXCLUSIVE: Final = (
    Occasion.KONG_REPLACEMENT | Occasion.ROBBING_KONG,
    Occasion.KONG_REPLACEMENT | Occasion.ROBBING_CONCEALED_KONG,
    Occasion.ROBBING_KONG | Occasion.ROBBING_CONCEALED_KONG,
    Occasion.KITA_REPLACEMENT | Occasion.KONG_REPLACEMENT,
    Occasion.ROBBING_NORTH | Occasion.ROBBING_KONG,
    Occasion.ROBBING_NORTH | Occasion.ROBBING_CONCEALED_KONG,
    Occasion.ROBBING_NORTH | Occasion.LAST_TILE,
    Occasion.LAST_TILE | Occasion.FIRST_TURN,
    Occasion.LAST_TILE | Occasion.ROBBING_KONG,
    Occasion.FIRST_TURN | Occasion.ROBBING_KONG,
    Occasion.RIICHI | Occasion.DOUBLE_RIICHI,
    _FIRST_IPPATSU | Occasion.ROBBING_KONG,
    _FIRST_IPPATSU | Occasion.LAST_TILE,
    Occasion.FLOWER_WIN | Occasion.ROBBING_KONG,
    Occasion.FLOWER_WIN | Occasion.ROBBING_CONCEALED_KONG,
    Occasion.FLOWER_WIN | Occasion.KONG_ON_KONG,
)
_NEEDS_WIN_BY: Final = {
    Occasion.KONG_REPLACEMENT: WinBy.SELF_DRAW,
    Occasion.ROBBING_KONG: WinBy.DISCARD,
    Occasion.ROBBING_CONCEALED_KONG: WinBy.DISCARD,
    Occasion.KONG_ON_KONG: WinBy.SELF_DRAW,
    Occasion.KITA_REPLACEMENT: WinBy.SELF_DRAW,
    Occasion.ROBBING_NORTH: WinBy.DISCARD,
}

_SEAT_OF: Final = {str(seat): seat for seat in SEATS}
_WAYS: Final = {str(way): way for way in WinBy}
_COUNTERS: Final = ("honba", "riichi_deposits", "dealer_repeats")
_TILES: Final = ("dora_indicators", "ura_dora_indicators", "discards")
_MOST_COUNTERS: Final = 10_000
"""Upper bound of counters and sticks: more than any table has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """Everything about a hand that its tiles do not show.

    Attributes:
        win_by: how the winner got the winning tile; None for a hand that did not win.
        discarder: who threw the winning tile, if known.
        seat: the player's wind.
        round: the wind of the round.
        occasions: what happened around the winning tile.
        dora_indicators: as turned up (riichi).
        ura_dora_indicators: the indicators under them (riichi).
        honba: counters on the table (riichi).
        riichi_deposits: sticks of 1000 on the table (riichi).
        discards: tiles that the player discarded or passed; a wait among them is furiten (riichi, S-RII-15).
        dealer: the seat of the dealer, which differs from East in taiwan alone.
        dealer_repeats: how often the dealer has kept the deal (taiwan).
        unchecked: whether the tiles may contradict it, because an earlier version booked the deal; no JSON says it.

    Texts may stand for all values: `Context(win_by="discard", discarder="W", occasions="riichi", discards="19m")`.
    Occasions and tiles may also be a list of texts or values: `Context(occasions=["riichi", "ippatsu"])`. Counters are
    whole numbers of any type. Anything else raises InputError.
    """

    win_by: WinBy | None = None
    discarder: Seat | None = None
    seat: Seat = Seat.EAST
    round: Seat = Seat.EAST
    occasions: Occasion = NO_OCCASION
    dora_indicators: tuple[Tile, ...] = ()
    ura_dora_indicators: tuple[Tile, ...] = ()
    honba: int = 0
    riichi_deposits: int = 0
    discards: tuple[Tile, ...] = ()
    dealer: Seat = Seat.EAST
    dealer_repeats: int = 0
    unchecked: bool = field(default=False, compare=False, repr=False)

    if TYPE_CHECKING:  # what it takes is wider than what it holds

        def __init__(
            self,
            *,
            win_by: WinBy | str | None = None,
            discarder: Seat | str | None = None,
            seat: Seat | str = Seat.EAST,
            round: Seat | str = Seat.EAST,  # noqa: A002
            occasions: Occasion | str | Iterable[str | Occasion] = NO_OCCASION,
            dora_indicators: GivenTiles = (),
            ura_dora_indicators: GivenTiles = (),
            honba: SupportsIndex = 0,
            riichi_deposits: SupportsIndex = 0,
            discards: GivenTiles = (),
            dealer: Seat | str = Seat.EAST,
            dealer_repeats: SupportsIndex = 0,
            unchecked: bool = False,
        ) -> None: ...

    def __post_init__(self) -> None:
        if not (
            type(self.seat) is type(self.round) is type(self.dealer) is Seat
            and (self.win_by is None or type(self.win_by) is WinBy)
            and (self.discarder is None or type(self.discarder) is Seat)
        ):
            self._read_texts()
        if type(self.occasions) is not Occasion:
            object.__setattr__(self, "occasions", Occasion.of(self.occasions))
        for name in _TILES:
            tiles = getattr(self, name)
            if type(tiles) is not tuple or tiles:
                object.__setattr__(self, name, tiles_of(name, tiles))
        if self.discarder is not None and self.win_by is not WinBy.DISCARD:
            raise ContextError(
                "discarder_without_discard",
                f"discarder {self.discarder} given, but the hand was not won by discard: drop one of the two.",
            )
        if self.discarder is self.seat:
            raise ContextError("discarder_is_winner", f"{self.seat} cannot win on their own discard: correct one seat.")
        if self.occasions is not NO_OCCASION:
            _check_occasions(self.occasions, self.win_by)
        for name in _COUNTERS:
            count = getattr(self, name)
            if type(count) is not int or not 0 <= count <= _MOST_COUNTERS:
                object.__setattr__(self, name, _count(name, count))

    def _read_texts(self) -> None:
        """Put the values in the place of their texts; raises ContextError for what is none."""
        if self.win_by is not None:
            object.__setattr__(self, "win_by", way_of(self.win_by))
        for name in ("discarder", "seat", "round", "dealer"):
            seat = getattr(self, name)
            object.__setattr__(self, name, seat if name == "discarder" and seat is None else seat_of(seat))

    @property
    def self_drawn(self) -> bool:
        """Whether the winner drew the tile."""
        return self.win_by is WinBy.SELF_DRAW

    def has(self, occasion: Occasion) -> bool:
        """Whether this occasion is given."""
        return self.occasions is not NO_OCCASION and occasion in self.occasions

    def without_meaning(self, meant: Occasion, keys: tuple[str, ...] = ELSEWHERE) -> tuple[str, ...]:
        """Names of the given occasions outside `meant`, and of these keys where they are given (S-ALL-5)."""
        names = (self.occasions & ~meant).names if self.occasions is not NO_OCCASION else ()
        return (*names, *[name for name in keys if getattr(self, name)])

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> Context:
        """The context of a JSON object, which may have further keys; raises InputError."""
        require_object(data, "a context", error=ContextError)
        win_by, discarder = data.get("win_by"), data.get("discarder")
        occasions = data.get("occasions", [])
        if not isinstance(occasions, list) or not all(isinstance(name, str) for name in occasions):
            raise ContextError("occasions_not_list", "'occasions' must be a list of names.")
        return Context(
            win_by=None if win_by is None else way_of(win_by),
            discarder=None if discarder is None else seat_of(discarder),
            seat=seat_of(data.get("seat", "E")),
            round=seat_of(data.get("round", "E")),
            occasions=_occasions_of(tuple(occasions)),
            dora_indicators=parse_tiles(text_value(data, "dora_indicators")),
            ura_dora_indicators=parse_tiles(text_value(data, "ura_dora_indicators")),
            honba=data.get("honba", 0),
            riichi_deposits=data.get("riichi_deposits", 0),
            discards=parse_tiles(text_value(data, "discards")),
            dealer=seat_of(data.get("dealer", "E")),
            dealer_repeats=data.get("dealer_repeats", 0),
        )

    def to_json(self) -> dict[str, Any]:
        """The JSON object that `from_json` reads."""
        return {
            "win_by": None if self.win_by is None else str(self.win_by),
            "discarder": None if self.discarder is None else str(self.discarder),
            "seat": str(self.seat),
            "round": str(self.round),
            "occasions": list(self.occasions.names),
            "dora_indicators": format_tiles(self.dora_indicators),
            "ura_dora_indicators": format_tiles(self.ura_dora_indicators),
            "honba": self.honba,
            "riichi_deposits": self.riichi_deposits,
            "discards": format_tiles(self.discards),
            **({} if self.dealer is Seat.EAST else {"dealer": str(self.dealer)}),
            **({"dealer_repeats": self.dealer_repeats} if self.dealer_repeats else {}),
        }


@lru_cache(maxsize=4096)
def _occasions_of(names: tuple[str, ...]) -> Occasion:
    return Occasion.of(names)


@lru_cache(maxsize=4096)
def _check_occasions(given: Occasion, won: WinBy | None) -> None:
    """Raise ContextError for occasions that exclude each other, or that mean another way to win (S-ALL-6)."""
    for together in _EXCLUSIVE:
        if together in given:
            names = " and ".join(together.names)
            raise ContextError("contradicting_occasions", f"{names} cannot be true together: drop one of them.")
    for occasion, win_by in _NEEDS_WIN_BY.items():
        if occasion in given and won is not win_by:
            raise ContextError(
                "occasion_contradicts_win",
                f"{occasion.names[0]} means win_by {win_by}, not {won}: correct one of the two.",
                occasion=occasion.names[0],
            )


def way_of(text: object) -> WinBy:
    """The way to win of that name; raises ContextError."""
    way = _WAYS.get(text if type(text) is str else _plain(text))
    if way is None:
        raise ContextError(
            "unknown_win_by", f"'{text}' is no way to win: self_draw, discard or null{meant(text, WinBy)}."
        )
    return way


def seat_of(text: object) -> Seat:
    """The seat written E, S, W or N; raises ContextError."""
    seat = _SEAT_OF.get(text if type(text) is str else _plain(text))
    if seat is None:
        raise ContextError("unknown_seat", f"'{text}' is no seat: E, S, W or N{meant(text, Seat)}.", seat=text)
    return seat


def _plain(name: object) -> str:
    """The name as plain text, also where NumPy or another enumeration made it; empty for what is no text."""
    return str.__str__(name) if isinstance(name, str) else ""


def _count(key: str, value: Any) -> int:
    """The whole number, of whatever type; raises ContextError for anything else, and for one out of range."""
    number: Any = None if isinstance(value, bool) else value
    try:
        count = index(number)
    except TypeError:
        raise ContextError("not_a_count", f"'{key}' must be a whole number, not {value!r}.", key=key) from None
    if not 0 <= count <= _MOST_COUNTERS:
        message = f"{key} must lie between 0 and {_MOST_COUNTERS}, not {count}."
        raise ContextError("counter_out_of_range", message, key=key)
    return count
