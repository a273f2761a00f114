"""Random winning riichi hands of four and three players, rich in yaku.

Tests and `tests.campaigns.riichi_oracle` compare the counts of two programs on them.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from tilescore.scoring.context import NO_OCCASION, SEATS, Context, Occasion, Seat, WinBy
from tilescore.scoring.hand import Hand, Meld, MeldKind
from tilescore.scoring.tiles import NORTH, PLAYING_TILES, TERMINALS_AND_HONORS, Tile, parse_tiles

if TYPE_CHECKING:
    from random import Random

    Tiles = tuple[Tile, ...]

THREE_PLAYERS: Final = tuple(tile for tile in PLAYING_TILES if tile.suit != "m" or tile.is_terminal)
"""The 27 kinds of the game of three."""
RARE: Final = (
    "111z 222z 333z 444z 11p",
    "111z 222z 333z 44z 123p",
    "111z 222z 333z 44z 555z",
    "555z 666z 777z 123p 99p",
    "555z 666z 77z 789p 123s",
    "11z 22z 33z 44z 55z 66z 77z",
    "223344s 666s 888s 66z",
    "234s 234s 666s 888s 66z",
    "222s 333s 444s 666s 88s",
    "111p 22p 345p 678p 999p",
    "11s 123s 456s 789s 999s",
    "111p 99p 234p 567p 999p",
    "111p 222p 333p 444p 55p",
    "111p 222p 333p 789s 55s",
    "222s 333s 444s 555s 66s",
    "22p 33p 44p 55p 66p 77p 88p",
    "11p 22p 33p 77s 88s 99s 55z",
    "112233p 556677s 88s",
    "111s 111p 111m 99p 123s",
    "999s 999p 999m 11p 111s",
    "111m 999m 111p 999s 99p",
    "123s 123p 789s 999m 11m",
    "123s 789p 111z 999m 22z",
    "123s 456s 789s 123p 99p",
    "123s 456s 789s 111z 22z",
    "11m 99m 11p 99p 11s 22z 33z",
    "234p 345p 456p 567p 55p",
    "333p 444p 555p 345s 33s",
    "11122233344455p",
)
"""Hands that random tiles hardly ever form, as groups."""
_MOST_COPIES: Final = 4


def random_win(rng: Random, *, three_players: bool = False) -> tuple[Hand, Context]:
    """A complete hand and the circumstances of its win, which do not contradict each other."""
    kinds = THREE_PLAYERS if three_players else PLAYING_TILES
    while True:
        concealed, melded = _some_tiles(rng, _some_pool(rng, kinds), kinds)
        melds = [_meld_of(rng, tiles) for tiles in melded]
        counts = Counter([*concealed, *(tile for meld in melds for tile in meld.tiles)])
        claimed_run = any(meld.kind is MeldKind.CHOW for meld in melds)
        if max(counts.values()) > _MOST_COPIES or not counts.keys() <= set(kinds) or (three_players and claimed_run):
            continue
        aside = rng.randint(0, min(rng.choice((0, 2, 4)), 4 - counts[NORTH])) if three_players else 0
        counts[NORTH] += aside
        rng.shuffle(concealed)
        won = rng.choice(concealed)
        held = counts[won]
        tiles = _with_reds(rng, concealed)
        hand = Hand(tiles, tuple(melds), tiles[concealed.index(won)], (NORTH,) * aside)
        few = [tile for tile in kinds if counts[tile] < _MOST_COPIES - 1 and tile is not won]
        return hand, _some_context(rng, hand, few, held, three_players=three_players)


def _some_pool(rng: Random, kinds: Tiles) -> Tiles:
    """The tiles to build the hand from: all, one suit, a few ranks, terminals and honours, simples, honours."""
    suit, low, draw = rng.choice("mps"), rng.randint(1, 6), rng.random()
    tests = (
        (0.12, lambda tile: tile.suit == suit),
        (0.22, lambda tile: tile.suit == suit or tile.is_honor),
        (0.30, lambda tile: tile.is_terminal_or_honor),
        (0.45, lambda tile: tile.is_suited and low <= tile.rank <= low + 3),
        (0.50, lambda tile: tile.is_honor),
        (0.65, lambda tile: not tile.is_terminal_or_honor),
        (1.00, lambda _: True),
    )
    test = next(test for bound, test in tests if draw < bound)
    return tuple(filter(test, kinds))


def _some_tiles(rng: Random, pool: Tiles, kinds: Tiles) -> tuple[list[Tile], list[Tiles]]:
    """Concealed tiles and melds; a tile may have a fifth copy, which the caller rejects."""
    draw = rng.random()
    if draw < 0.06:
        chosen = rng.sample(pool if len(pool) >= 7 else kinds, 7)
        return [tile for tile in chosen for _ in range(2)], []
    if draw < 0.08:
        return [*TERMINALS_AND_HONORS, rng.choice(TERMINALS_AND_HONORS)], []
    if draw < 0.10:
        suit = rng.choice("ps")
        return [*parse_tiles(f"1112345678999{suit}"), Tile(suit, rng.randint(1, 9))], []
    if draw < 0.24:
        return _parted(rng, [parse_tiles(group) for group in rng.choice(RARE).split()])
    alike = [(tile,) * 3 for tile in pool]
    runs = [(tile, *_next_two(tile)) for tile in pool if tile.is_suited and tile.rank <= 7]
    weight = rng.choice((0, 0.3, 0.65, 0.9, 1))
    sets = [rng.choice(runs if runs and rng.random() < weight else alike) for _ in range(4)]
    if rng.random() < 0.4:
        sets[0] = _related(rng, sets[1])
    if rng.random() < 0.2:
        sets[2] = _related(rng, sets[3])
    return _parted(rng, [*sets, (rng.choice(pool),) * 2])


def _next_two(tile: Tile) -> Tiles:
    return Tile(tile.suit, tile.rank + 1), Tile(tile.suit, tile.rank + 2)


def _related(rng: Random, tiles: Tiles) -> Tiles:
    """The same set, or the one of another suit, or the one three ranks away."""
    suit = tiles[0].suit
    if suit == "z" or rng.random() < 0.35:
        return tiles
    if rng.random() < 0.6:
        suit = rng.choice("mps")
        return tuple(Tile(suit, tile.rank) for tile in tiles)
    step = rng.choice((-6, -3, 3, 6))
    moved = [tile.rank + step for tile in tiles]
    return tuple(Tile(suit, rank) for rank in moved) if min(moved) >= 1 and max(moved) <= 9 else tiles


def _parted(rng: Random, groups: list[Tiles]) -> tuple[list[Tile], list[Tiles]]:
    melded = rng.choice((0, 0, 0, 0.3, 0.6, 1))
    is_meld = [len(group) == 3 and rng.random() < melded for group in groups]
    concealed = [tile for group, claimed in zip(groups, is_meld, strict=True) if not claimed for tile in group]
    return concealed, [group for group, claimed in zip(groups, is_meld, strict=True) if claimed]


def _meld_of(rng: Random, tiles: Tiles) -> Meld:
    if tiles[0] == tiles[1] and rng.random() < 0.5:
        return Meld.of((*tiles, tiles[0]), concealed=rng.random() < 0.6)
    return Meld.of(tiles)


def _with_reds(rng: Random, concealed: list[Tile]) -> Tiles:
    """The tiles with at most one five of each suit turned red."""
    tiles = list(concealed)
    for suit in "mps":
        fives = [place for place, tile in enumerate(concealed) if tile is Tile(suit, 5)]
        if fives and rng.random() < 0.4:
            tiles[rng.choice(fives)] = Tile(suit, 0)
    return tuple(tiles)


def _some_context(rng: Random, hand: Hand, few: list[Tile], held: int, *, three_players: bool) -> Context:
    """Circumstances of a hand that holds the winning tile `held` times; indicators are of the kinds `few`."""
    drawn, closed = rng.random() < 0.5, all(meld.concealed for meld in hand.melds)
    occasions = _some_occasions(rng, hand, held, drawn=drawn, closed=closed)
    riichi = bool(occasions & (Occasion.RIICHI | Occasion.DOUBLE_RIICHI))
    shown = rng.choice((0, 1, 1, 2, 4))
    seats = SEATS[:3] if three_players else SEATS
    seat = rng.choice(seats)
    return Context(
        win_by=WinBy.SELF_DRAW if drawn else WinBy.DISCARD,
        discarder=None if drawn else rng.choice([other for other in seats if other is not seat]),
        seat=seat,
        round=rng.choice((Seat.EAST, Seat.SOUTH) if three_players else SEATS),
        occasions=occasions,
        dora_indicators=tuple(rng.sample(few, k=shown)),
        ura_dora_indicators=tuple(rng.sample(few, k=shown)) if riichi else (),
        honba=rng.randrange(3),
        riichi_deposits=rng.randrange(3),
    )


def _some_occasions(rng: Random, hand: Hand, held: int, *, drawn: bool, closed: bool) -> Occasion:
    draw = rng.random()
    if not hand.melds and not hand.bonus and draw < 0.04:
        return Occasion.FIRST_TURN
    found = NO_OCCASION
    if closed and draw < 0.5:
        found = rng.choice((Occasion.RIICHI, Occasion.RIICHI, Occasion.DOUBLE_RIICHI))
        if rng.random() < 0.3:
            found |= Occasion.IPPATSU
    calm = Occasion.DOUBLE_RIICHI not in found and Occasion.IPPATSU not in found
    quads = any(len(meld.tiles) == _MOST_COPIES for meld in hand.melds)
    if drawn and quads and rng.random() < 0.3:
        found = (found & ~Occasion.IPPATSU) | Occasion.KONG_REPLACEMENT
    elif not drawn and calm and held == 1 and rng.random() < 0.3:
        found |= Occasion.ROBBING_KONG
    elif rng.random() < 0.1 and calm:
        found |= Occasion.LAST_TILE
    return found


def some_options(rng: Random) -> dict[str, Any]:
    """Options of what counts, each that the package knows too."""
    return {
        "open_tanyao": rng.random() < 0.7,
        "red_fives": rng.random() < 0.8,
        "kiriage": rng.random() < 0.3,
        "kazoe": rng.choice(("yakuman", "sanbaiman")),
        "double_yakuman": rng.random() < 0.4,
        "renhou": rng.choice(("five_han", "yakuman", "none")),
    }
