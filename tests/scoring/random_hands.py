"""Random hands as JSON objects (line format), as a classical or simplified game may have them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tilescore.scoring.tiles import BONUS_TILES, PLAYING_TILES, Tile, format_tiles, parse_tiles

if TYPE_CHECKING:
    from random import Random

# Few tiles to choose from make pungs, pure hands and limit hands frequent.
POOLS = tuple(
    parse_tiles(text)
    for text in (
        "123456789m",
        "123456789p1234567z",
        "19m19p19s1234567z",
        "1234567z",
        "19m19p19s",
        "23468s6z",
        "55566677z22233m",
        "1111222233344z",
        "123456789m123456789p123456789s1234567z",
        "123456789m123456789p123456789s1234567z",
        "123456789m123456789p123456789s1234567z",
    )
)
WINNER_OCCASIONS = ("last_tile", "ready_from_start", "first_turn", "only_possible_tile", "last_of_its_kind")


def random_hand(random: Random, *, won: bool) -> dict[str, Any]:
    while True:
        hand = _won(random) if won else _lost(random)
        if hand is not None:
            return hand


def _won(random: Random) -> dict[str, Any] | None:
    pool = random.choice(POOLS)
    concealed: list[Tile] = []
    melds = []
    shown = random.choice((0, 0, 1, 2, 3, 4)) / 4
    for _ in range(4):
        tiles = _set(random, pool)
        kong = len(tiles) == 4
        if kong or random.random() < shown:
            kind = "kong" if kong else "pung" if tiles[0] == tiles[1] else "chow"
            melds.append({"kind": kind, "tiles": format_tiles(tiles), "concealed": kong and random.random() < 0.5})
        else:
            concealed += tiles
    concealed += [random.choice(pool)] * 2
    if random.random() < 0.05:
        kinds = random.choice((parse_tiles("1234567z"), [random.choice(parse_tiles("123456789s")) for _ in range(7)]))
        concealed, melds = [tile for tile in kinds for _ in "12"], []
    if random.random() < 0.03:
        concealed, melds = [*parse_tiles("19m19p19s1234567z"), random.choice(parse_tiles("19m19p19s1234567z"))], []
    if random.random() < 0.1:
        concealed[0] = random.choice(PLAYING_TILES)
    return _legal(random, concealed, melds, win_by=random.choice(("self_draw", "discard")))


def _set(random: Random, pool: tuple[Tile, ...]) -> list[Tile]:
    tile = random.choice(pool)
    if tile.is_suited and tile.rank <= 7 and random.random() < 0.5:
        return [Tile(tile.suit, tile.rank + step) for step in range(3)]
    return [tile] * random.choice((3, 3, 4))


def _lost(random: Random) -> dict[str, Any] | None:
    pool = random.choice(POOLS)
    melds = []
    for _ in range(random.choice((0, 0, 1, 2))):
        tiles = _set(random, pool)
        kind = "kong" if len(tiles) == 4 else "pung" if tiles[0] == tiles[1] else "chow"
        melds.append(
            {"kind": kind, "tiles": format_tiles(tiles), "concealed": kind == "kong" and random.random() < 0.5}
        )
    return _legal(random, [random.choice(pool) for _ in range(13 - 3 * len(melds))], melds, win_by=None)


def _legal(
    random: Random, concealed: list[Tile], melds: list[dict[str, Any]], win_by: str | None
) -> dict[str, Any] | None:
    tiles = concealed + [tile for meld in melds for tile in parse_tiles(meld["tiles"])]
    if any(tiles.count(tile) > 4 for tile in tiles):
        return None
    won = random.choice(concealed)
    bonus = random.sample(BONUS_TILES, random.choice((0, 0, 0, 1, 2, 5, 8)))
    claimed = any(not meld["concealed"] and meld["kind"] != "kong" for meld in melds)
    replaced = bool(bonus) or any(meld["kind"] == "kong" for meld in melds)
    impossible = {
        "last_of_its_kind": win_by is not None and concealed.count(won) > 1,
        "ready_from_start": claimed or win_by is None,
    }
    occasions = [name for name in WINNER_OCCASIONS if random.random() < 0.1 and not impossible.get(name, False)]
    if {"last_tile", "first_turn"} <= set(occasions):
        occasions.remove("last_tile")
    if win_by == "self_draw" and random.random() < 0.2 and replaced:
        occasions.append("kong_replacement")
    early = {"last_tile", "first_turn"} & set(occasions)
    if win_by == "discard" and random.random() < 0.1 and not early and tiles.count(won) == 1:
        occasions.append("robbing_kong")
    seat = random.choice("ESWN")
    discarder = random.choice([None, *(other for other in "ESWN" if other != seat)])
    return {
        "concealed": format_tiles(concealed),
        "melds": melds,
        "winning_tile": None if win_by is None else str(won),
        "win_by": win_by,
        "discarder": discarder if win_by == "discard" else None,
        "bonus": format_tiles(bonus),
        "seat": seat,
        "round": random.choice("ESWN"),
        "occasions": occasions,
    }
