"""Tiles and their text (MPSZ).

`1m`-`9m`, `1p`-`9p`, `1s`-`9s`, `1z`-`7z`, red fives `0m 0p 0s`, flowers `1f`-`4f`, seasons `1q`-`4q`, `back`.

>>> [str(tile) for tile in parse_tiles("340p55z")]
['3p', '4p', '0p', '5z', '5z']
>>> format_tiles(parse_tiles("3p 4p 0p 5z 5z"))
'340p55z'
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Self, TypeAlias

from tilescore.errors import HandError, InputError, TileError
from tilescore.scoring.pasted import advice, mpsz

SUITS: Final = "mps"
"""Characters (萬), dots (筒), bamboo (索)."""

_RANKS: Final = {
    "m": "0123456789",
    "p": "0123456789",
    "s": "0123456789",
    "z": "1234567",
    "f": "1234",
    "q": "1234",
    "b": "0",
}
_RUN: Final = re.compile(r"(back)|([0-9]+)([mpszfq])|(\s+)")
_UNICODE_BASE: Final = {"m": 0x1F007, "s": 0x1F010, "p": 0x1F019, "z": 0x1F000, "f": 0x1F022, "q": 0x1F026}
# Unicode has the dragons in the order red, green, white, and the bamboo before the chrysanthemum.
_UNICODE_OTHERS: Final = {"5z": 0x1F006, "6z": 0x1F005, "7z": 0x1F004, "3f": 0x1F025, "4f": 0x1F024, "back": 0x1F02B}


@dataclass(frozen=True, slots=True, eq=False, repr=False, init=False)
class Tile:
    """One tile face, e.g. 5 dots; `Tile.parse` and `str` are inverses.

    Each face has exactly one object, so comparing and hashing tiles is fast.

    >>> Tile("m", 5) is Tile.parse("5m")
    True

    Attributes:
        suit: one of `m p s z f q`, or `b` for a face-down tile.
        rank: 1-9 (0 = a red five); winds 1-4, white green red dragon 5-7; flowers and seasons 1-4; 0 for a back.
    """

    suit: str
    rank: int

    def __new__(cls, suit: str, rank: int) -> Self:
        """Return the one object of this face; raises TileError if there is no such face."""
        try:
            return _KNOWN[suit, rank]  # type: ignore[return-value]
        except KeyError:
            name = f"{rank}{suit}"
            message = f"'{name}' is no tile: give a suit of m p s z f q and a rank of it, or b and 0 for a back."
            raise TileError("unknown_tile", message, text=name) from None

    def __reduce__(self) -> tuple[type[Tile], tuple[str, int]]:
        """Let copies and pickles give the same object."""
        return Tile, (self.suit, self.rank)

    @staticmethod
    def parse(text: str | Tile) -> Tile:
        """The tile that `text` names, or the tile itself; raises TileError.

        >>> Tile.parse("5m")
        Tile.parse('5m')
        """
        text = str(text)
        tile = _BY_TEXT.get(text) or _BY_TEXT.get(mpsz(text))
        if tile is None:
            raise TileError(
                "unknown_tile",
                f"'{text}' is no tile:"
                f"{advice(text) or ' write 1m-9m, 1p-9p, 1s-9s, 1z-7z, 0m 0p 0s, 1f-4f, 1q-4q or back.'}",
                text=text,
            )
        return tile

    def __str__(self) -> str:
        return "back" if self.suit == "b" else f"{self.rank}{self.suit}"

    def __repr__(self) -> str:
        return f"Tile.parse('{self}')"

    def __lt__(self, other: Tile) -> bool:
        return ORDER[self] < ORDER[other]

    @property
    def is_red(self) -> bool:
        """Whether this is a red five (赤ドラ)."""
        return self.rank == 0 and self.suit != "b"

    @property
    def plain(self) -> Tile:
        """The tile itself, or the ordinary five of a red five."""
        if self.rank:  # every tile of every hand takes this path
            return self
        return _BY_TEXT[f"5{self.suit}"] if self.is_red else self

    @property
    def copies(self) -> int:
        """How many copies a set holds: four, or one of a bonus tile or red five; a back can be any tile of the set."""
        if self.is_back:
            return 144
        return 1 if self.is_bonus or self.is_red else 4

    @property
    def is_suited(self) -> bool:
        """Whether it belongs to characters, dots or bamboo."""
        return self.suit in SUITS

    @property
    def is_honor(self) -> bool:
        """Whether it is a wind or a dragon."""
        return self.suit == "z"

    @property
    def is_wind(self) -> bool:
        """Whether it is East, South, West or North."""
        return self.suit == "z" and self.rank <= 4

    @property
    def is_dragon(self) -> bool:
        """Whether it is the white, green or red dragon."""
        return self.suit == "z" and self.rank >= 5

    @property
    def is_terminal(self) -> bool:
        """Whether it is a 1 or a 9 of a suit."""
        return self.suit in SUITS and self.rank in (1, 9)

    @property
    def is_terminal_or_honor(self) -> bool:
        """Whether it is a 1, a 9, a wind or a dragon."""
        return self.suit == "z" or self.is_terminal

    @property
    def is_bonus(self) -> bool:
        """Whether it is a flower or a season."""
        return self.suit in "fq"

    @property
    def is_back(self) -> bool:
        """Whether it lies face down."""
        return self.suit == "b"

    @property
    def symbol(self) -> str:
        """The Unicode mahjong symbol; a red five shows as a plain one."""
        plain = self.plain
        other = _UNICODE_OTHERS.get(str(plain))
        return chr(_UNICODE_BASE[plain.suit] + plain.rank - 1 if other is None else other)


def _face(suit: str, rank: int) -> Tile:
    """The object of a face, which is made once."""
    tile: Tile = object.__new__(Tile)
    object.__setattr__(tile, "suit", suit)
    object.__setattr__(tile, "rank", rank)
    return tile


_KNOWN: Final = {(suit, rank): _face(suit, rank) for suit, ranks in _RANKS.items() for rank in map(int, ranks)}
"""The object of every tile, by suit and rank."""
BACK: Final = Tile("b", 0)
NORTH: Final = Tile("z", 4)
PLAYING_TILES: Final = tuple(Tile(suit, int(rank)) for suit in "mpsz" for rank in _RANKS[suit] if rank != "0")
"""The 34 kinds of which hands consist, in reading order."""
RED_FIVES: Final = tuple(Tile(suit, 0) for suit in SUITS)
BONUS_TILES: Final = tuple(Tile(suit, rank) for suit in "fq" for rank in range(1, 5))
"""Plum orchid chrysanthemum bamboo, spring summer autumn winter."""
ALL_FACES: Final = (*PLAYING_TILES, *RED_FIVES, *BONUS_TILES, BACK)
"""The 46 faces in the order of the detector's classes."""

ORDER: Final[Mapping[Tile, int]] = {
    tile: place
    for place, tile in enumerate(sorted(ALL_FACES, key=lambda tile: ("mpszfqb".index(tile.suit), tile.rank or 4.5)))
}
"""The place of each face in reading order: suits m p s z f q, a red five right before the plain ones."""
_BY_TEXT: Final = {str(tile): tile for tile in ALL_FACES}
TERMINALS_AND_HONORS: Final = tuple(tile for tile in PLAYING_TILES if tile.is_terminal_or_honor)


GivenTiles: TypeAlias = "str | Tile | Iterable[Tile | str]"
"""What `tiles_of` reads."""


def parse_tiles(text: str) -> tuple[Tile, ...]:
    """Tiles of a run such as `123m406p77zback`, in the order written; raises TileError.

    Other notations are read too where they have one meaning (`tilescore.scoring.pasted`).

    >>> len(parse_tiles("")), len(parse_tiles("123M, 🀙🀙 東 5pr"))
    (0, 7)
    """
    try:
        return _parsed_run(text) if text else ()
    except TileError as error:
        other = mpsz(text)
        if other == text:
            raise
        try:
            return _parsed_run(other)
        except TileError:
            raise error from None


def _parsed_run(text: str) -> tuple[Tile, ...]:
    tiles: list[Tile] = []
    position = 0
    while position < len(text):
        run = _RUN.match(text, position)
        if run is None:
            rest = text[position:]
            where = "" if rest == text else f" in '{text}'"
            honours = advice(text) or " winds are 1z to 4z, dragons 5z to 7z, flowers 1f to 4f, seasons 1q to 4q."
            raise TileError(
                "unknown_tiles",
                f"'{rest}'{where} is no tile: write digits and a suit letter, as in 123m406p77z;{honours}",
                text=text,
            )
        back, ranks, suit, _space = run.groups()
        if back:
            tiles.append(BACK)
        elif ranks:
            tiles += [_BY_TEXT.get(rank + suit) or Tile.parse(rank + suit) for rank in ranks]
        position = run.end()
    return tuple(tiles)


def words_of(key: str, values: object) -> Iterable[Any]:
    """The words of a text, one tile, or the values of a list; raises InputError for anything else."""
    if isinstance(values, str):
        return values.split()
    if isinstance(values, Tile):
        return (values,)
    if isinstance(values, Iterable) and not isinstance(values, Mapping):
        return values
    raise InputError("not_a_list", f"'{key}' must be text or a list, not {values!r}.", key=key)


def require_object(data: object, what: str, *, error: type[InputError]) -> None:
    """Raise an error unless the data are those of a JSON object."""
    if not isinstance(data, Mapping):
        raise error("not_object", f"{what} must be a JSON object, not {data!r}.")


def tiles_of(key: str, given: GivenTiles) -> tuple[Tile, ...]:
    """The tiles, which may be texts; raises InputError for anything else."""
    if type(given) is tuple and all(isinstance(tile, Tile) for tile in given):
        return given
    return parse_tiles(" ".join(map(str, words_of(key, given))))


def format_tiles(tiles: Iterable[Tile]) -> str:
    """The text of tiles in the given order; neighbours of one suit share its letter. `parse_tiles` reads it back."""
    return _formatted(tuple(tiles))


@lru_cache(maxsize=4096)
def _formatted(tiles: tuple[Tile, ...]) -> str:
    """The same; the lines of a score show the same tiles again and again."""
    parts: list[str] = []
    previous = ""
    for tile in tiles:
        if tile.suit == previous and tile.suit != "b":
            parts.pop()
            parts += str(tile.rank), tile.suit
        else:
            parts += ("back", "") if tile.suit == "b" else (str(tile.rank), tile.suit)
        previous = tile.suit
    return "".join(parts)


_FIELD: Final = 5
_FEW_TILES: Final = 20
"""Tiles that the sum below can count without a carry from one field of five bits into the next."""
_FIELDS: Final = {tile: 1 << _FIELD * place for place, tile in enumerate((*PLAYING_TILES, *BONUS_TILES))}
_COUNTS: Final = _FIELDS | {red: _FIELDS[red.plain] for red in RED_FIVES} | {BACK: 0}
"""One copy of each face in a sum of counts."""
_ROOM: Final = sum((15 - tile.copies) * field for tile, field in _FIELDS.items())
_TOO_MANY: Final = sum(16 * field for field in _FIELDS.values())
"""`_ROOM` and one copy too many set the highest bit of a field."""


def check_copies(tiles: Iterable[Tile], where: str = "") -> None:
    """Raise HandError if more copies of a tile are present than a set holds: four, and one of each bonus tile.

    The message adds `where`, such as ` in all hands together`.
    """
    tiles = tuple(tiles)
    if len(tiles) <= _FEW_TILES and not sum([_COUNTS[tile] for tile in tiles], _ROOM) & _TOO_MANY:
        return
    for tile, count in Counter(tile.plain for tile in tiles).items():
        if count > 1 and count > (most := tile.copies) and not tile.is_back:
            raise HandError(
                "too_many_copies",
                f"{count} times {tile}{where}: a set holds {most}; correct the tile that was misread.",
                tile=str(tile),
                count=count,
                most=most,
            )
