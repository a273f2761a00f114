"""How fast hands are scored, on one core and beside the packages that do the same.

Usage: python -m benchmarks.scoring.speed

All figures are processor time of this process. The sides of a comparison take turns block by block, several rounds,
and of each block the fastest round counts: so other work on the machine disturbs all sides alike.

**Riichi** beside `mahjong`, the same 2,000 hands of real games, two ratios. *Both from Hand and Context*: each side
begins with our `Hand` and `Context` values and ends with a result, so the package's side includes what its user
writes for one hand: tile numbers 0-135, `Meld` and `HandConfig` objects, then one call of `estimate_hand_value`.
This is the ratio that is promised. *Ours from Hand and Context, theirs ready made*: all arguments of
`HandCalculator.estimate_hand_value` were built before the clock started, and that call alone is timed; ours still
begins with `Hand` and `Context`. Ours does more than either: payments, itemised fu, tiles of each line, exclusions
with reasons, groups.

**MCR** beside PyMahjongGB (C++). Both sides begin with the same `Hand` and `Context`, PyMahjongGB through the
adapter of our tests. Ours does more: tiles of each line, exclusions with reasons, groups, payments.

**is_win** answers for concealed tiles already packed: 14 dealt at random, and complete hands without melds.
"""

from __future__ import annotations

import gzip
import importlib
import json
import random
import sys
import time
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.figures import Figure, at_least, at_most, show

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from tilescore.scoring.context import Context
    from tilescore.scoring.hand import Hand

    Side = tuple[Callable[[Any], object], Sequence[Any]]

ROOT = Path(__file__).resolve().parents[2]
CASES = ROOT.parent / "shared" / "cases" / "riichi_tenhou.jsonl.gz"
TESTS = ROOT / "tests" / "scoring"
HANDS = 2000
BLOCK = 500
"""Hands a turn: more than `mahjong` remembers of the last hands, lest one side profit from another's work."""
ROUNDS = 7


def main() -> None:
    """Print the figures; exit 1 if one misses what was promised."""
    figures = scoring_speed()
    show(figures)
    sys.exit(not all(figure.good for figure in figures))


def scoring_speed() -> list[Figure]:
    """Riichi, MCR and `is_win`."""
    return [*riichi_speed(), *mcr_speed(), *is_win_speed()]


def riichi_speed() -> list[Figure]:
    """Time ratios to the `mahjong` package, on hands of real games; nothing without ../shared."""
    if not CASES.is_file():
        print("no cases in ../shared: riichi is not measured", file=sys.stderr)
        return []
    from benchmarks.scoring.direct_mahjong import arguments, call
    from tilescore.scoring.context import Context
    from tilescore.scoring.hand import Hand
    from tilescore.scoring.riichi.ruleset import Riichi

    with gzip.open(CASES, "rt", encoding="utf-8") as file:
        rows = [json.loads(line)["hand"] for line in file][:HANDS]
    given = [(Hand.from_json(row), Context.from_json(row)) for row in rows]
    rules = Riichi()
    spent = seconds(
        {
            "ours": (lambda pair: rules.score(*pair), given),
            "direct": (lambda pair: call(arguments(*pair)), given),
            "bare": (call, [arguments(*pair) for pair in given]),
        }
    )
    return [
        at_most("riichi / `mahjong`, both from Hand and Context", spent["ours"] / spent["direct"], 1.2),
        Figure("riichi / bare estimate_hand_value, arguments ready made", spent["ours"] / spent["bare"]),
        Figure("riichi, hands a second", HANDS / spent["ours"]),
        Figure("`mahjong` from Hand and Context, hands a second", HANDS / spent["direct"]),
    ]


def mcr_speed() -> list[Figure]:
    """Random winning hands a second, ours and PyMahjongGB's."""
    from tilescore.scoring.mcr.ruleset import Mcr

    given, rules = list(islice(_won_hands(), HANDS)), Mcr()
    spent = seconds(
        {
            "ours": (lambda pair: rules.score(*pair), given),
            "theirs": (lambda pair: _test_hands().pymahjonggb(*pair), given),
        }
    )
    return [
        at_least("MCR, hands a second", HANDS / spent["ours"], 3_000),
        Figure("PyMahjongGB (C++), hands a second", HANDS / spent["theirs"]),
    ]


def is_win_speed() -> list[Figure]:
    """Answers a second of `is_win`."""
    from tilescore.scoring.shapes.winning import is_win, pack
    from tilescore.scoring.tiles import PLAYING_TILES

    rng, wall = random.Random(1), [tile for tile in PLAYING_TILES for _ in range(4)]
    complete = (pack(hand.concealed) for hand, _ in _won_hands() if not hand.melds)
    spent = seconds(
        {
            "dealt": (is_win, [pack(rng.sample(wall, 14)) for _ in range(HANDS)]),
            "won": (is_win, list(islice(complete, HANDS))),
        }
    )
    return [
        at_least("is_win a second, tiles dealt at random", HANDS / spent["dealt"], 300_000),
        at_least("is_win a second, complete hands", HANDS / spent["won"], 300_000),
    ]


def seconds(sides: Mapping[str, Side]) -> dict[str, float]:
    """Processor time of each side for all its items: for each block the fastest of the rounds."""
    best: dict[tuple[str, int], float] = {}
    for _ in range(ROUNDS):
        for start in range(0, HANDS, BLOCK):
            for name, (work, items) in sides.items():
                taken = _block_seconds(work, items[start : start + BLOCK])
                best[name, start] = min(taken, best.get((name, start), taken))
    return {name: sum(taken for (side, _), taken in best.items() if side == name) for name in sides}


def _block_seconds(work: Callable[[Any], object], block: Sequence[Any]) -> float:
    begin = time.process_time()
    for item in block:
        work(item)
    return time.process_time() - begin


def _won_hands() -> Iterator[tuple[Hand, Context]]:
    """Random winning hands without end."""
    rng = random.Random(1)
    while True:
        yield _test_hands().random_win(rng)


def _test_hands() -> Any:
    """The random hands of our tests, and their adapter to PyMahjongGB."""
    if str(TESTS) not in sys.path:
        sys.path.append(str(TESTS))
    return importlib.import_module("mcr_hands")


if __name__ == "__main__":
    main()
