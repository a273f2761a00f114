"""Random winning MCR hands, and the adapter that lets PyMahjongGB count them.

Tests compare the counts; measurements compare the speed.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from tilescore.scoring.context import NO_OCCASION, SEATS, Context, Occasion, WinBy
from tilescore.scoring.hand import Hand, Meld
from tilescore.scoring.shapes.winning import completes
from tilescore.scoring.tiles import BONUS_TILES, PLAYING_TILES, TERMINALS_AND_HONORS, Tile, parse_tiles

if TYPE_CHECKING:
    import random

    Tiles = tuple[Tile, ...]

SETS: Final = tuple((tile,) * 3 for tile in PLAYING_TILES) + tuple(
    tuple(Tile(tile.suit, tile.rank + step) for step in range(3))
    for tile in PLAYING_TILES
    if tile.is_suited and tile.rank <= 7
)
"""Every chow and pung."""
RARE: Final = (
    "111z 222z 333z 444z 11p",
    "111z 222z 333z 44z 123m",
    "555z 666z 777z 123m 99p",
    "555z 666z 77z 789m 123m",
    "22s 33s 44s 66s 88s 66z 22s",
    "222s 444s 666s 888s 66z",
    "234s 444s 666s 888s 66z",
    "111m 234m 55m 678m 999m",
    "11m 123m 456m 789m 999m",
    "111m 22m 345m 678m 999m",
    "111m 222m 333m 444m 33p",
    "123m 123m 789m 789m 55m",
    "123m 234m 345m 456m 99m",
    "123m 345m 567m 789m 99m",
    "22p 33p 44p 55p 66p 77p 88p",
    "222m 222p 444m 444p 88s",
    "123m 123m 123m 789p 55s",
    "123m 789m 123p 789p 55s",
    "111m 999m 111p 999s 99p",
    "111m 111p 111s 123m 99p",
    "555m 555p 456s 456s 55s",
    "888p 999p 666s 888s 99s",
    "123m 456p 789s 111z 55z",
)
"""Hands that random tiles hardly ever form, as groups."""


def random_win(rng: random.Random) -> tuple[Hand, Context]:
    """A complete hand and the circumstances of its win."""
    while True:
        concealed, melded = _some_tiles(rng, _some_pool(rng))
        melds = [_meld_of(rng, tiles) for tiles in melded]
        for tile in dict.fromkeys(concealed):  # the order of a set changes from one run to the next
            rest = [other for other in concealed if other != tile]
            if concealed.count(tile) == 3 and rng.random() < 0.25 and completes(rest, len(melds) + 1):
                concealed = rest
                melds.append(Meld.of((tile,) * 4, concealed=True))
        counts = Counter([*concealed, *(tile for meld in melds for tile in meld.tiles)])
        if max(counts.values()) <= 4:
            won = rng.choice(concealed)
            rng.shuffle(concealed)
            bonus = tuple(rng.sample(BONUS_TILES, rng.choice((0, 0, 0, 1, 2))))
            hand = Hand(tuple(concealed), tuple(melds), won, bonus)
            return hand, _some_context(rng, hand, counts[won])


def _some_pool(rng: random.Random) -> Tiles:
    """The tiles to build the hand from: all, one suit, a few ranks, or terminals and honours."""
    suit, low, kind = rng.choice("mps"), rng.randint(1, 6), rng.random()
    tests = (
        (0.15, lambda tile: tile.suit == suit),
        (0.3, lambda tile: tile.suit == suit or tile.is_honor),
        (0.4, lambda tile: tile.is_terminal_or_honor),
        (0.5, lambda tile: tile.is_suited and low <= tile.rank <= low + 3),
        (0.55, lambda tile: tile.is_honor),
        (1.0, lambda _: True),
    )
    test = next(test for bound, test in tests if kind < bound)
    return tuple(filter(test, PLAYING_TILES))


def _some_tiles(rng: random.Random, pool: Tiles) -> tuple[list[Tile], list[Tiles]]:
    """Concealed tiles and melds; a tile may have a fifth copy, which the caller rejects."""
    kind = rng.random()
    if kind < 0.06:
        return [tile for tile in rng.choices(pool, k=7) for _ in range(2)], []
    if kind < 0.08:
        return [*TERMINALS_AND_HONORS, rng.choice(TERMINALS_AND_HONORS)], []
    if kind < 0.16:
        return _knitted(rng, pool)
    if kind < 0.26:
        return _parted(rng, [parse_tiles(group) for group in rng.choice(RARE).split()])
    wanted = rng.choice((None, None, True, False))
    sets = [tiles for tiles in SETS if set(tiles) <= set(pool) and wanted in (None, tiles[0] == tiles[1])]
    chosen = rng.choices(sets or SETS, k=4)
    if rng.random() < 0.4:
        chosen[0] = rng.choice([tiles for tiles in SETS if abs(tiles[0].rank - chosen[1][0].rank) in (0, 1, 3)])
    return _parted(rng, [*chosen, (rng.choice(pool),) * 2])


def _knitted(rng: random.Random, pool: Tiles) -> tuple[list[Tile], list[Tiles]]:
    starts = zip("mps", rng.sample((1, 2, 3), 3), strict=True)
    straight = [Tile(suit, start + step) for suit, start in starts for step in (0, 3, 6)]
    if rng.random() < 0.5:
        return rng.sample([*straight, *filter(lambda tile: tile.is_honor, PLAYING_TILES)], 14), []
    concealed, melds = _parted(rng, [rng.choice(SETS), (rng.choice(pool),) * 2])
    return concealed + straight, melds


def _parted(rng: random.Random, groups: list[Tiles]) -> tuple[list[Tile], list[Tiles]]:
    melded = rng.choice((0, 0, 0.4, 0.8, 1))
    is_meld = [len(group) == 3 and rng.random() < melded for group in groups]
    concealed = [tile for group, claimed in zip(groups, is_meld, strict=True) if not claimed for tile in group]
    return concealed, [group for group, claimed in zip(groups, is_meld, strict=True) if claimed]


def _meld_of(rng: random.Random, tiles: Tiles) -> Meld:
    if tiles[0] == tiles[1] and rng.random() < 0.5:
        return Meld.of((*tiles, tiles[0]), concealed=rng.random() < 0.4)
    return Meld.of(tiles)


def _some_context(rng: random.Random, hand: Hand, held: int) -> Context:
    self_drawn, occasions = rng.random() < 0.5, NO_OCCASION
    if rng.random() < 0.08:
        occasions |= Occasion.LAST_TILE
    if self_drawn and any(len(meld.tiles) == 4 for meld in hand.melds) and rng.random() < 0.2:
        occasions |= Occasion.KONG_REPLACEMENT
    if not self_drawn and not occasions and held == 1 and rng.random() < 0.15:
        occasions |= Occasion.ROBBING_KONG
    if hand.concealed.count(hand.winning_tile) == 1 and rng.random() < 0.1:
        occasions |= Occasion.LAST_OF_ITS_KIND
    return Context(
        seat=rng.choice(SEATS),
        round=rng.choice(SEATS),
        win_by=WinBy.SELF_DRAW if self_drawn else WinBy.DISCARD,
        occasions=occasions,
    )


_SUITS: Final = {"m": "W", "p": "B", "s": "T", "z": "F"}
_DRAGONS: Final = {5: "J3", 6: "J2", 7: "J1"}


def pymahjonggb(hand: Hand, context: Context) -> dict[str, tuple[int, int]]:
    """The fans that PyMahjongGB counts: English name to the points of one fan and the number of fans.

    Raises:
        ImportError: PyMahjongGB is not installed; its installation needs a C++ compiler.
    """
    from MahjongGB import MahjongFanCalculator

    packs, rest = [], list(hand.concealed)
    for meld in hand.melds:
        kind = {"chow": "CHI", "pung": "PENG", "kong": "GANG"}[meld.kind]
        packs.append((kind, _code(meld.tiles[1]), 0 if meld.concealed else 1))
    rest.remove(hand.winning_tile)  # type: ignore[arg-type]  # a winning hand has one
    fans = MahjongFanCalculator(
        pack=tuple(packs),
        hand=tuple(map(_code, rest)),
        winTile=_code(hand.winning_tile),  # type: ignore[arg-type]  # a winning hand has one
        flowerCount=len(hand.bonus),
        isSelfDrawn=context.self_drawn,
        is4thTile=context.has(Occasion.LAST_OF_ITS_KIND),
        isAboutKong=bool(context.occasions & (Occasion.KONG_REPLACEMENT | Occasion.ROBBING_KONG)),
        isWallLast=context.has(Occasion.LAST_TILE),
        seatWind=context.seat.number - 1,
        prevalentWind=context.round.number - 1,
        verbose=True,
    )
    return {name: (points, count) for points, count, _, name in fans}


def _code(tile: Tile) -> str:
    return _DRAGONS[tile.rank] if tile.is_dragon else f"{_SUITS[tile.suit]}{tile.rank}"
