"""Random hands of Hong Kong and Taiwan, most of which are complete."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.scoring.random_hands import POOLS
from tilescore.errors import InputError
from tilescore.scoring.context import SEATS, Context, Occasion, Seat, WinBy
from tilescore.scoring.hand import Hand, Meld
from tilescore.scoring.ruleset import ruleset
from tilescore.scoring.tiles import BONUS_TILES, Tile, parse_tiles

if TYPE_CHECKING:
    from random import Random

    Made = tuple[Hand, Context]

SETS = {"hongkong": 4, "taiwan": 5}
RARE = {
    "hongkong": (
        "19m19p19s12345677z", "19m19p19s11234567z", "11123455678999m", "11112345678999s", "11223355667799m",
        "1133m5577p2299s44z", "11223344556677z", "11122233344z123m", "11122233344z555p", "111222333444z77z",
    ),
    "taiwan": (
        "1122m3344p556699s777z", "11223344667799m111z", "1111m3344p556699s777s", "123m456m234p678p345s99s",
        "123m456m23478p789s99s6p", "11122233344z123m789p", "111222333444z777z55z", "234m345m456m234p789p66s",
    ),
}  # fmt: skip
"""Complete hands that chance makes too seldom."""


def random_hand(name: str, dice: Random) -> Made:
    """A hand that the ruleset accepts."""
    while True:
        try:
            made = random_tiles(dice, name), random_context(dice, name)
            ruleset(name).score(*made)
        except InputError:
            continue
        return made


def random_tiles(dice: Random, name: str) -> Hand:
    """A hand of mostly complete tiles; raises InputError for tiles that no set holds."""
    pool = dice.choice(POOLS)
    concealed: list[Tile] = []
    melds: list[Meld] = []
    shown = dice.choice((0, 0, 1, 2, 4)) / 4
    for _ in range(SETS[name]):
        tiles = _set(dice, pool)
        if len(tiles) == 4 or dice.random() < shown:
            melds.append(Meld.of(tiles, concealed=len(tiles) == 4 and dice.random() < 0.5))
        else:
            concealed += tiles
    concealed += [dice.choice(pool)] * 2
    if dice.random() < 0.15:
        concealed, melds = list(parse_tiles(dice.choice(RARE[name]))), []
    if dice.random() < 0.1:
        concealed[0] = dice.choice(pool)
    bonus = tuple(dice.sample(BONUS_TILES, dice.choice((0, 0, 1, 2, 5, 7, 8))))
    won = dice.choice(bonus) if bonus and dice.random() < 0.2 else dice.choice(concealed)
    return Hand(tuple(concealed), tuple(melds), won, bonus)


def _set(dice: Random, pool: tuple[Tile, ...]) -> tuple[Tile, ...]:
    tile = dice.choice(pool)
    if tile.is_suited and tile.rank <= 7 and dice.random() < 0.5:
        return tuple(Tile(tile.suit, tile.rank + step) for step in range(3))
    return (tile,) * dice.choice((3, 3, 3, 4))


def random_context(dice: Random, name: str) -> Context:
    """Circumstances of a win; raises InputError for those that contradict one another."""
    seat, win_by = dice.choice(SEATS), dice.choice(tuple(WinBy))
    occasions = Occasion(0)
    for occasion in Occasion:
        if dice.random() < 0.05:
            occasions |= occasion
    if dice.random() < 0.2:
        occasions |= Occasion.FLOWER_WIN
    return Context(
        win_by=win_by,
        discarder=seat.after(dice.choice((1, 2, 3))) if win_by is WinBy.DISCARD else None,
        seat=seat,
        round=dice.choice(SEATS),
        occasions=occasions,
        dealer=dice.choice(SEATS) if name == "taiwan" else Seat.EAST,
        dealer_repeats=dice.choice((0, 0, 3)) if name == "taiwan" else 0,
    )
