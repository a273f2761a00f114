"""MCR hands a second beside PyMahjongGB (C++), and how often a second `is_win` answers, on one core.

Usage: python -m benchmarks.scoring_speed

Both MCR sides begin with the same Hand and Context, PyMahjongGB through the adapter of our tests. Ours does more in
its time: tiles of each line, exclusions with their reasons, groups, payments. Blocks take turns and the best of each
counts, so that other work on the machine disturbs both alike.
"""

from __future__ import annotations

import importlib
import random
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scoring.mcr.ruleset import Mcr
from scoring.tiles import PLAYING_TILES
from scoring.winning import is_win, pack

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

TESTS = Path(__file__).resolve().parents[1] / "tests" / "scoring"
HANDS = 2000
BLOCK = 250
ROUNDS = 7
MCR_LIMIT = 3_000
IS_WIN_LIMIT = 300_000


def block_seconds(work: Callable[[Any], object], block: Sequence[Any]) -> float:
    """Processor time for that work on each of the block."""
    begin = time.process_time()
    for item in block:
        work(item)
    return time.process_time() - begin


def rates(sides: dict[str, tuple[Callable[[Any], object], Sequence[Any]]]) -> dict[str, float]:
    """Items a second of each side, the sides taking turns block by block."""
    best: dict[tuple[str, int], float] = {}
    for _ in range(ROUNDS):
        for start in range(0, HANDS, BLOCK):
            for name, (work, items) in sides.items():
                taken = block_seconds(work, items[start : start + BLOCK])
                best[name, start] = min(taken, best.get((name, start), taken))
    return {name: HANDS / sum(taken for (side, _), taken in best.items() if side == name) for name in sides}


def main() -> None:
    """Print the figures; exit 1 if one of ours misses what was promised."""
    sys.path.insert(0, str(TESTS))
    hands = importlib.import_module("mcr_hands")
    rng, wall = random.Random(1), [tile for tile in PLAYING_TILES for _ in range(4)]
    given = [hands.random_win(rng) for _ in range(HANDS)]
    winning = [pack(hand.concealed) for hand, _ in given]
    dealt = [pack(rng.sample(wall, 14)) for _ in range(HANDS)]
    rules = Mcr()
    measured = rates(
        {
            "tilescore mcr, hands": (lambda pair: rules.score(*pair), given),
            "PyMahjongGB, hands": (lambda pair: hands.pymahjonggb(*pair), given),
            "is_win, dealt at random": (is_win, dealt),
            "is_win, won hands": (is_win, winning),
        }
    )
    for name, rate in measured.items():
        print(f"{name:26} {rate:12,.0f} a second")
    ours, _, *wins = measured.values()
    print(f"promised: {MCR_LIMIT:,} hands a second, is_win {IS_WIN_LIMIT:,} a second")
    sys.exit(ours < MCR_LIMIT or min(wins) < IS_WIN_LIMIT)


if __name__ == "__main__":
    main()
