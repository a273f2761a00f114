"""Riichi hands a second, ours beside calling `mahjong` directly, in one process and turn by turn.

Usage: python -m benchmarks.scoring_speed_riichi [CASES.jsonl.gz]

Both sides begin with the same Hand and Context and end with a result. Calling `mahjong` directly means what its user
writes: tile numbers, Meld and HandConfig objects, one call. The second ratio is against the bare call with all of
these ready made. Ours does more in its time: payments, itemised fu, tiles of each line, exclusions, groups.
"""

from __future__ import annotations

import gzip
import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mahjong.hand_calculating.hand import HandCalculator
from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules
from mahjong.meld import Meld

from scoring.context import Context, Occasion
from scoring.hand import Hand, MeldKind
from scoring.riichi.ruleset import Riichi
from scoring.tiles import PLAYING_TILES, RED_FIVES, Tile

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

CASES = Path(__file__).resolve().parents[1].parent / "shared" / "cases" / "riichi_tenhou.jsonl.gz"
HANDS = 2000
BLOCK = 500
"""Hands a turn: more than the package remembers of the last hands, lest one side profit from another's work."""
ROUNDS = 7
LIMIT = 1.2
_KINDS = {MeldKind.CHOW: Meld.CHI, MeldKind.PUNG: Meld.PON, MeldKind.KONG: Meld.KAN}
_FIRST = {tile: 4 * place for place, tile in enumerate(PLAYING_TILES)} | {
    tile: 4 * PLAYING_TILES.index(tile.plain) for tile in RED_FIVES
}

Arguments = tuple[list[int], int, list[Meld], list[int], HandConfig, list[int]]


def numbers(tiles: Sequence[Tile]) -> list[int]:
    """Numbers 0-135 of the `mahjong` package, each copy its own, the red five the first of its kind."""
    used: dict[Tile, int] = {}
    found = []
    for tile in tiles:
        first = _FIRST[tile]
        if tile.is_red:
            found.append(first)
        else:
            copy = used.get(tile, 1)
            used[tile] = copy + 1
            found.append(first + copy % 4)
    return found


def arguments(hand: Hand, context: Context) -> Arguments:
    """What the package wants to be called with."""
    tiles = numbers(hand.tiles)
    place, melds = len(hand.concealed), []
    for meld in hand.melds:
        size = len(meld.tiles)
        melds.append(Meld(_KINDS[meld.kind], tiles[place : place + size], not meld.concealed))
        place += size
    config = HandConfig(
        is_tsumo=context.self_drawn,
        is_riichi=Occasion.RIICHI in context.occasions,
        is_ippatsu=Occasion.IPPATSU in context.occasions,
        player_wind=26 + context.seat.number,
        round_wind=26 + context.round.number,
        kyoutaku_number=context.riichi_deposits,
        tsumi_number=context.honba,
        options=OptionalRules(has_open_tanyao=True, has_aka_dora=True, has_double_yakuman=False),
    )
    won = tiles[hand.concealed.index(hand.winning_tile)] if hand.winning_tile else -1
    return tiles, won, melds, numbers(context.dora_indicators), config, numbers(context.ura_dora_indicators)


def call(ready: Arguments) -> Any:
    """The package's answer."""
    tiles, won, melds, dora, config, ura = ready
    return HandCalculator.estimate_hand_value(tiles, won, melds, dora, config, ura_dora_indicators=ura)


def block_seconds(work: Callable[[Any], object], block: Sequence[Any]) -> float:
    """Processor time for that work on each of the block."""
    begin = time.process_time()
    for item in block:
        work(item)
    return time.process_time() - begin


def main() -> None:
    """Print hands a second of each side and the ratios; exit 1 if ours is slower than the limit."""
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else CASES
    with gzip.open(path, "rt", encoding="utf-8") as file:
        rows = [json.loads(line)["hand"] for line in file][:HANDS]
    given = [(Hand.from_json(row), Context.from_json(row)) for row in rows]
    ready = [arguments(hand, context) for hand, context in given]
    rules = Riichi()
    sides: dict[str, tuple[Callable[[Any], object], Sequence[Any]]] = {
        "tilescore riichi": (lambda pair: rules.score(*pair), given),
        "mahjong, called directly": (lambda pair: call(arguments(*pair)), given),
        "mahjong, all ready made": (call, ready),
    }
    best: dict[tuple[str, int], float] = {}
    for _ in range(ROUNDS):
        for start in range(0, len(given), BLOCK):
            for name, (work, items) in sides.items():
                taken = block_seconds(work, items[start : start + BLOCK])
                best[name, start] = min(taken, best.get((name, start), taken))
    totals = {name: sum(taken for (side, _), taken in best.items() if side == name) for name in sides}
    for name, taken in totals.items():
        print(f"{name:26} {len(given) / taken:8,.0f} hands/s  {taken / len(given) * 1e6:6.1f} us")
    ours, called, bare = totals.values()
    print(f"time ratio to a direct call: {ours / called:.2f} (limit {LIMIT}); to the bare call: {ours / bare:.2f}")
    sys.exit(ours / called > LIMIT)


if __name__ == "__main__":
    main()
