"""Hands and melds: values, their text and JSON forms, and what makes them legal.

A hand in one line: concealed tiles, exposed melds in round brackets, concealed kongs in square ones, `+` the
winning tile, `&` the bonus tiles. In a meld `<`, `^`, `>` or `?` stands before the claimed tile, if it is known: it
came from the player on the left, opposite, on the right, or from an unknown player. The JSON form is the line format
of `scoring/sources.md`.

>>> hand = Hand.parse("1123m456p3m (789s<9s) [5555z] +3m &1f3q")
>>> str(hand.melds[0]), hand.melds[1].concealed, str(hand.winning_tile)
('(789s<9s)', True, '3m')
>>> str(hand)
'1123m456p3m (789s<9s) [5555z] +3m &1f3q'
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, Final, NoReturn

from tilescore.errors import ContextError, HandError, InputError
from tilescore.scoring.pasted import RED_OR_FIVE, meant, tidy
from tilescore.scoring.tiles import (
    BACK,
    NORTH,
    ORDER,
    PLAYING_TILES,
    RED_FIVES,
    GivenTiles,
    Tile,
    check_copies,
    format_tiles,
    parse_tiles,
    require_object,
    tiles_of,
    words_of,
)

HAND_KEYS: Final = ("concealed", "melds", "winning_tile", "bonus")
_MELD_KEYS: Final = ("kind", "tiles", "concealed", "called", "from")
_MELD_TEXT: Final = re.compile(r"^([(\[])([^<^>?)\]]+)(?:([<^>?])([^)\]]*))?([)\]])$")


class MeldKind(StrEnum):
    """The three kinds of set."""

    CHOW = "chow"
    """Three in sequence (吃)."""
    PUNG = "pung"
    """Three alike (碰)."""
    KONG = "kong"
    """Four alike (杠)."""


class From(StrEnum):
    """The place of the player who fed a meld, as its owner sees it."""

    LEFT = "left"
    ACROSS = "across"
    RIGHT = "right"


_FROM_SIGN: Final = {From.LEFT: "<", From.ACROSS: "^", From.RIGHT: ">", None: "?"}
_KINDS: Final = {str(kind): kind for kind in MeldKind}
_PLACES: Final = {str(place): place for place in From}
_HAND_TILES: Final = frozenset((*PLAYING_TILES, *RED_FIVES))
_SIGN_FROM: Final = {sign: source for source, sign in _FROM_SIGN.items()}


@dataclass(frozen=True, slots=True, repr=False)
class Meld:
    """A declared set.

    Attributes:
        kind: chow, pung or kong.
        tiles: three tiles, four in a kong, sorted.
        concealed: True only for a concealed kong.
        called: the claimed tile, if known.
        source: who fed it, if known (`from` in JSON).
    """

    kind: MeldKind
    tiles: tuple[Tile, ...]
    concealed: bool = False
    called: Tile | None = None
    source: From | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "tiles", tuple(sorted(tiles_of("tiles", self.tiles), key=ORDER.__getitem__)))
        kind = kind_of_set(self.tiles)
        if kind is None or kind != self.kind:
            _refuse_backs(self.tiles)
            text = format_tiles(self.tiles)
            raise HandError(
                "no_such_meld",
                f"'{text}' is no {self.kind}: a chow is three in sequence, a pung three alike, a kong four alike.",
                tiles=text,
                kind=str(self.kind),
            )
        object.__setattr__(self, "kind", kind)
        if self.concealed and self.kind is not MeldKind.KONG:
            text = format_tiles(self.tiles)
            raise HandError(
                "concealed_meld",
                f"'{text}' is declared as a concealed {self.kind}: only a kong is declared concealed; "
                "leave the tiles among the concealed ones.",
                tiles=text,
            )
        if self.called is not None:
            object.__setattr__(self, "called", Tile.parse(self.called))
            if self.called not in self.tiles:
                text = format_tiles(self.tiles)
                message = f"the called tile {self.called} is not in '{text}': correct one of the two."
                raise HandError("called_not_in_meld", message, tile=str(self.called))
        if self.source is not None:
            if str(self.source) not in _PLACES:
                message = f"'{self.source}' is no place: left, across, right or null{meant(self.source, From)}."
                raise HandError("unknown_from", message, source=self.source)
            object.__setattr__(self, "source", _PLACES[self.source])

    @staticmethod
    def of(tiles: GivenTiles, *, concealed: bool = False) -> Meld:
        """The meld that these tiles form; raises HandError if they form none.

        >>> str(Meld.of("5555z", concealed=True))
        '[5555z]'
        """
        members = tiles_of("tiles", tiles)
        kind = kind_of_set(members)
        if kind is None:
            _refuse_backs(members)
            text = format_tiles(members)
            raise HandError("no_such_meld", f"'{text}' is no chow, pung or kong: correct its tiles.", tiles=text)
        return Meld(kind, members, concealed)

    @staticmethod
    def parse(text: str) -> Meld:
        """The meld written as in `str`: `(789s<9s)` exposed, `[5555z]` a concealed kong; raises HandError."""
        match = _MELD_TEXT.match(str(text))
        if match is None or (match[1] == "(") != (match[5] == ")"):
            raise HandError("unreadable_meld", f"'{text}' is no meld: write (789s), (789s<9s) or [5555z].", text=text)
        plain = Meld.of(match[2], concealed=match[1] == "[")
        if match[3] is None:
            return plain
        called = Tile.parse(match[4]) if match[4] else None
        return Meld(plain.kind, plain.tiles, plain.concealed, called, _SIGN_FROM[match[3]])

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> Meld:
        """The meld of a JSON object; raises HandError or TileError."""
        refuse_unknown_keys(data, _MELD_KEYS, "a meld", error=HandError)
        kind, source, called = data.get("kind"), data.get("from"), data.get("called")
        if not isinstance(kind, str) or kind not in _KINDS:
            wrong = "a meld needs a 'kind'" if kind is None else f"'{kind}' is no kind of meld"
            message = f"{wrong}: chow, pung or kong{meant(kind, MeldKind)}."
            raise HandError("unknown_meld_kind", message, kind=kind)
        return Meld(
            _KINDS[kind],
            parse_tiles(text_value(data, "tiles")),
            flag_value(data, "concealed"),
            None if called is None else Tile.parse(text_value(data, "called")),
            source,
        )

    def to_json(self) -> dict[str, Any]:
        """The JSON object that `from_json` reads."""
        return {
            "kind": str(self.kind),
            "tiles": format_tiles(self.tiles),
            "concealed": self.concealed,
            "called": None if self.called is None else str(self.called),
            "from": None if self.source is None else str(self.source),
        }

    def __str__(self) -> str:
        inner = format_tiles(self.tiles)
        if self.called is not None or self.source is not None:
            inner += _FROM_SIGN[self.source] + ("" if self.called is None else str(self.called))
        return f"[{inner}]" if self.concealed else f"({inner})"

    def __repr__(self) -> str:
        return f"Meld.parse('{self}')"


_VALUES: Final = frozenset((Tile, Meld, type(None)))


@dataclass(frozen=True, slots=True, repr=False)
class Hand:
    """The tiles of one player.

    Attributes:
        concealed: every tile not in a declared meld, the winning tile included, as they lie.
        melds: declared sets in the order of declaration.
        winning_tile: the tile that completed the hand, one of `concealed`, or of `bonus` where flowers win; else None.
        bonus: flowers and seasons; norths set aside (riichi3).
        tiles: every tile but the bonus ones, concealed first.

    Texts and lists may stand for all of these: `Hand("123m55p", ["(789s)"], "3m")`. Anything else raises InputError.
    """

    SIZE: ClassVar[int] = 14
    """Tiles of a complete hand, a kong counted as three."""

    concealed: tuple[Tile, ...]
    melds: tuple[Meld, ...] = ()
    winning_tile: Tile | None = None
    bonus: tuple[Tile, ...] = ()
    tiles: tuple[Tile, ...] = field(init=False, repr=False, compare=False)

    if TYPE_CHECKING:  # what it takes is wider than what it holds

        def __init__(
            self, concealed: GivenTiles, melds: str | Iterable[Meld | str] = (),
            winning_tile: Tile | str | None = None, bonus: GivenTiles = (),
        ) -> None: ...  # fmt: skip

    def __post_init__(self) -> None:
        if not (
            (type(self.concealed) is tuple and type(self.melds) is tuple and type(self.bonus) is tuple)
            and _VALUES.issuperset(map(type, (*self.concealed, *self.melds, *self.bonus, self.winning_tile)))
            and _HAND_TILES.issuperset(self.concealed)
        ):
            self._read()
        declared = tuple([tile for meld in self.melds for tile in meld.tiles])
        object.__setattr__(self, "tiles", self.concealed + declared)
        for tile in self.bonus:
            if not tile.is_bonus and tile is not NORTH:
                raise HandError(
                    "not_a_bonus_tile",
                    f"{tile} in 'bonus' is neither flower, season nor a north set aside: move it to 'concealed'.",
                    tile=str(tile),
                )
        check_copies(self.tiles + tuple([tile for tile in self.bonus if tile.is_bonus]) if self.bonus else self.tiles)
        won = self.winning_tile
        if won is not None and won not in self.concealed and (not won.is_bonus or won not in self.bonus):
            self._refuse_winning_tile()

    def _read(self) -> None:
        """Put the values in the place of lists and texts; raises InputError for what is none."""
        object.__setattr__(self, "concealed", tiles_of("concealed", self.concealed))
        object.__setattr__(self, "melds", tuple([Meld.parse(meld) for meld in words_of("melds", self.melds)]))
        object.__setattr__(self, "bonus", tiles_of("bonus", self.bonus))
        if self.winning_tile is not None:
            object.__setattr__(self, "winning_tile", Tile.parse(self.winning_tile))
        for tile in self.concealed:
            if tile not in _HAND_TILES:
                remedy = "flowers and seasons belong to 'bonus', a face-down tile must be named"
                message = f"{tile} among the concealed tiles: {remedy}."
                raise HandError("not_a_hand_tile", message, tile=str(tile))

    @property
    def size(self) -> int:
        """Number of tiles, a kong counted as three: `SIZE` for a complete hand, one less for a hand that waits."""
        return len(self.concealed) + 3 * len(self.melds)

    @property
    def exposed_melds(self) -> tuple[Meld, ...]:
        """Claimed melds; concealed kongs left out."""
        return tuple(meld for meld in self.melds if not meld.concealed)

    def check_size(self, complete: int = SIZE) -> None:
        """Raise HandError unless `size` is `complete` or one less, and no bonus tile completed the hand."""
        waiting = complete - 1
        if self.size not in (waiting, complete):
            raise HandError(
                "wrong_count",
                f"{self.size} tiles (a kong counts three): a hand has {waiting}, and {complete} when complete; "
                + ("add the missing ones." if self.size < waiting else "remove what does not belong to it."),
                count=self.size, waiting=waiting, complete=complete,
            )  # fmt: skip
        if self.winning_tile is not None and self.winning_tile.is_bonus:
            self._refuse_winning_tile()

    def _refuse_winning_tile(self) -> NoReturn:
        raise HandError(
            "winning_tile_missing",
            f"the winning tile {self.winning_tile} is not among the concealed tiles '{format_tiles(self.concealed)}': "
            "correct one of the two.",
            tile=str(self.winning_tile),
        )

    @staticmethod
    def parse(text: str) -> Hand:
        """The hand written as in `str`; raises HandError or TileError."""
        text = text_value({"hand": text}, "hand")
        if found := RED_OR_FIVE.search(text):
            parse_tiles(found[0])  # raises, with what to write
        concealed: list[Tile] = []
        melds: list[Meld] = []
        bonus: list[Tile] = []
        winning_tile: Tile | None = None
        for word in tidy(text).split():
            if word[0] in "([":
                melds.append(Meld.parse(word))
            elif word[0] == "+":
                if winning_tile is not None:
                    message = f"'{text}' names two winning tiles: leave one of them."
                    raise HandError("two_winning_tiles", message, text=text)
                winning_tile = Tile.parse(word[1:])
            else:
                tiles, aside = parse_tiles(word.lstrip("&")), word[0] == "&"
                bonus.extend(tile for tile in tiles if tile.is_bonus or aside)
                concealed.extend(tile for tile in tiles if not tile.is_bonus and not aside)
        return Hand(tuple(concealed), tuple(melds), winning_tile, tuple(bonus))

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> Hand:
        """The hand of a JSON object, which may have further keys; raises HandError or TileError."""
        require_object(data, "a hand", error=HandError)
        melds = data.get("melds", [])
        if not isinstance(melds, list):
            raise HandError("melds_not_list", "'melds' must be a list of objects.")
        winning_tile = data.get("winning_tile")
        if winning_tile is not None and not isinstance(winning_tile, str):
            raise HandError("not_text", f"'winning_tile' must be text such as '3m' or null, not {winning_tile!r}.")
        return Hand(
            parse_tiles(text_value(data, "concealed")),
            tuple(Meld.from_json(meld) for meld in melds),
            None if winning_tile is None else Tile.parse(winning_tile),
            parse_tiles(text_value(data, "bonus")),
        )

    def to_json(self) -> dict[str, Any]:
        """The JSON object that `from_json` reads."""
        return {
            "concealed": format_tiles(self.concealed),
            "melds": [meld.to_json() for meld in self.melds],
            "winning_tile": None if self.winning_tile is None else str(self.winning_tile),
            "bonus": format_tiles(self.bonus),
        }

    def __str__(self) -> str:
        words = [format_tiles(self.concealed), *map(str, self.melds)]
        if self.winning_tile is not None:
            words.append(f"+{self.winning_tile}")
        if self.bonus:
            words.append(f"&{format_tiles(self.bonus)}")
        return " ".join(filter(None, words))

    def __repr__(self) -> str:
        return f"Hand.parse('{self}')"


def _refuse_backs(tiles: tuple[Tile, ...]) -> None:
    """Raise HandError for a face-down tile among those of a set."""
    if BACK in tiles:
        message = f"'{format_tiles(tiles)}' has a face-down tile, which must be named: write the four tiles of a kong."
        raise HandError("face_down_kong", message)


@lru_cache(maxsize=4096)
def kind_of_set(tiles: tuple[Tile, ...]) -> MeldKind | None:
    """The kind of set that these tiles form, in any order and red fives as plain ones; None if they form no set."""
    plain = sorted(tile.plain for tile in tiles)
    if not plain or plain[0].is_bonus or plain[0].is_back:
        return None
    if len(Counter(plain)) == 1:
        return {3: MeldKind.PUNG, 4: MeldKind.KONG}.get(len(plain))
    low = plain[0]
    run = [(low.suit, low.rank + step) for step in range(3)]
    if low.is_suited and [(tile.suit, tile.rank) for tile in plain] == run:
        return MeldKind.CHOW
    return None


def text_value(data: Mapping[str, Any], key: str) -> str:
    """The text under `key`, empty if absent; raises HandError if it is no text."""
    value = data.get(key, "")
    if not isinstance(value, str):
        raise HandError("not_text", f"'{key}' must be text such as '123m', not {value!r}.", key=key)
    return value


def flag_value(data: Mapping[str, Any], key: str) -> bool:
    """The boolean under `key`, false if absent; raises HandError if it is no boolean."""
    value = data.get(key, False)
    if not isinstance(value, bool):
        raise HandError("not_boolean", f"'{key}' must be true or false, not {value!r}.", key=key)
    return value


def refuse_unknown_keys(
    data: Mapping[str, Any], known: tuple[str, ...], what: str, *, error: type[InputError] = ContextError
) -> None:
    """Raise an error unless the data are an object, or with the name of its first unknown key."""
    require_object(data, what, error=error)
    if set(data).difference(known):
        unknown = next(key for key in data if key not in known)
        message = f"unknown key '{unknown}' in {what}: known are {', '.join(known)}{meant(unknown, known)}."
        raise error("unknown_key", message, key=unknown)
