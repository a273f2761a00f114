"""A typed hand as single tiles, which can be edited one at a time and joined to a Hand again."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from tilescore.scoring.hand import Hand, Meld, kind_of_set
from tilescore.vision.layout.layout import Role

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tilescore.scoring.tiles import Tile


@dataclass(frozen=True, slots=True)
class TypedTile:
    """One tile of a hand and its part.

    Attributes:
        tile: its face.
        role: concealed, winning, meld or bonus; other for a tile that leaves the hand.
        meld: number of the declared set it belongs to.
        hidden: whether that is a concealed kong.
    """

    tile: Tile
    role: Role
    meld: int | None = None
    hidden: bool = False


def tiles_of_hand(hand: Hand) -> tuple[TypedTile, ...]:
    """The tiles of a hand in the order of its notation; `hand_of_tiles` is the inverse."""
    concealed = [TypedTile(tile, Role.CONCEALED) for tile in hand.concealed]
    won_by = hand.bonus.index(hand.winning_tile) if hand.winning_tile in hand.bonus else None  # a flower that wins
    if hand.winning_tile is not None and won_by is None:
        last = len(concealed) - 1 - [typed.tile for typed in reversed(concealed)].index(hand.winning_tile)
        del concealed[last]
        concealed.append(TypedTile(hand.winning_tile, Role.WINNING))
    melds = chain.from_iterable(
        (TypedTile(tile, Role.MELD, number, meld.concealed) for tile in meld.tiles)
        for number, meld in enumerate(hand.melds, start=1)
    )
    bonus = (TypedTile(tile, Role.WINNING if place == won_by else Role.BONUS) for place, tile in enumerate(hand.bonus))
    return (*concealed, *melds, *bonus)


def sorted_in(tiles: Sequence[TypedTile], added: TypedTile) -> tuple[TypedTile, ...]:
    """The tiles with one more: at its place among sorted concealed tiles, else at the end.

    >>> from tilescore.scoring.hand import Hand
    >>> tiles = sorted_in(tiles_of_hand(Hand.parse("13m5z")), TypedTile(Hand.parse("2m").concealed[0], Role.CONCEALED))
    >>> str(hand_of_tiles(tiles, Hand(())))
    '123m5z'
    """
    row = [typed.tile for typed in tiles if typed.role is Role.CONCEALED]
    if added.role is not Role.CONCEALED or row != sorted(row):
        return (*tiles, added)
    later = (at for at, typed in enumerate(tiles) if typed.role is Role.CONCEALED and typed.tile > added.tile)
    at = next(later, len(row))
    return (*tiles[:at], added, *tiles[at:])


def hand_of_tiles(typed_tiles: Sequence[TypedTile], before: Hand) -> Hand:
    """The hand of these tiles; tiles of a meld that no longer form a set become concealed.

    `before` is the hand from which the tiles come: an unchanged meld keeps its claimed tile and source. Raises
    HandError.
    """
    concealed = [
        typed.tile
        for typed in typed_tiles
        if typed.role is Role.CONCEALED or (typed.role is Role.WINNING and not typed.tile.is_bonus)
    ]
    winning = next((typed.tile for typed in typed_tiles if typed.role is Role.WINNING), None)
    melds: list[Meld] = []
    for number in sorted({typed.meld for typed in typed_tiles if typed.meld is not None}):
        members = [typed for typed in typed_tiles if typed.meld == number]
        tiles = tuple(sorted(typed.tile for typed in members))
        kind = kind_of_set(tiles)
        if kind is None:
            concealed += tiles
            continue
        hidden = all(typed.hidden for typed in members) and len(tiles) == 4
        same = next((meld for meld in before.melds if meld.tiles == tiles and meld.concealed == hidden), None)
        melds.append(same or Meld(kind, tiles, hidden))
    bonus = tuple(
        typed.tile
        for typed in typed_tiles
        if typed.role is Role.BONUS or (typed.role is Role.WINNING and typed.tile.is_bonus)
    )
    return Hand(tuple(concealed), tuple(melds), winning, bonus)
