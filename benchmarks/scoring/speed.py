"""Measure the speed of scoring on one core, beside the packages that score the same hands.

Usage: python -m benchmarks.scoring.speed

All figures are processor time of this process. The sides of a comparison take turns block by block in several rounds,
and the fastest round of each block counts. Other work on the machine therefore slows all sides alike.

**Riichi** beside `mahjong`: two ratios on the same 2,000 hands of real games. *Both from Hand and Context*: each side
starts from our `Hand` and `Context` values and ends with a result. The time of the package includes what its user
writes for one hand: tile numbers 0-135, `Meld` and `HandConfig` objects, and one call of `estimate_hand_value`. The
promise is about this ratio. *Bare estimate_hand_value, arguments ready made*: the package starts from arguments that
were built before the clock started; our side still starts from `Hand` and `Context`. Our side does more work in both
ratios: payments, itemised fu, tiles of each line, exclusions with reasons, groups.

**MCR** beside PyMahjongGB (C++): both sides start from the same `Hand` and `Context`, PyMahjongGB through
`benchmarks.harness.mcr_hands`. Our side does more work: tiles of each line, exclusions with reasons, groups, payments.

**score-hands** takes the same hands of real games as JSON lines and writes its answers as JSON lines.

**is_win** answers for concealed tiles that are already packed: 14 random tiles, and complete hands without melds.
"""

from __future__ import annotations

import gzip
import json
import random
import sys
import time
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.figures import Figure, at_least, at_most, show
from benchmarks.harness.mcr_hands import pymahjonggb, random_win

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from tilescore.scoring.context import Context
    from tilescore.scoring.hand import Hand

    Side = tuple[Callable[[Any], object], Sequence[Any]]

ROOT = Path(__file__).resolve().parents[2]
CASES = ROOT.parent / "shared" / "cases" / "riichi_tenhou.jsonl.gz"
HANDS = 2000
BLOCK = 500
"""Hands in a turn: more than `mahjong` caches, so that no side profits from the work of another."""
ROUNDS = 7


def main() -> None:
    """Print the figures; the exit status is 1 if a figure misses its promise."""
    figures = scoring_speed()
    show(figures)
    sys.exit(not all(figure.good for figure in figures))


def scoring_speed() -> list[Figure]:
    """The figures of riichi, MCR and `is_win`."""
    return [*riichi_speed(), *mcr_speed(), *is_win_speed()]


def riichi_speed() -> list[Figure]:
    """Time ratios to the `mahjong` package on hands of real games; no figures without ../shared."""
    if not CASES.is_file():
        print("../shared holds no cases: riichi is not measured", file=sys.stderr)
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
        at_most("riichi / `mahjong`, both from Hand and Context", spent["ours"] / spent["direct"], 1 / 1.3),
        Figure("riichi / bare estimate_hand_value, arguments ready made", spent["ours"] / spent["bare"]),
        Figure("riichi, hands a second", HANDS / spent["ours"]),
        Figure("`mahjong` from Hand and Context, hands a second", HANDS / spent["direct"]),
        Figure("`score-hands` of riichi, hands a second from JSON to JSON", HANDS / _stream_seconds("riichi", rows)),
    ]


def _stream_seconds(name: str, rows: list[dict[str, Any]]) -> float:
    """The processor time of the stream of these hands: that of the fastest round."""
    from tilescore.scoring.game.stream import score_lines

    lines = [json.dumps(row) for row in rows]
    return min(_block_seconds(lambda _: list(score_lines(name, lines)), [None]) for _ in range(ROUNDS))


def mcr_speed() -> list[Figure]:
    """Random winning hands a second, ours and PyMahjongGB's; ours alone without PyMahjongGB."""
    from tilescore.scoring.mcr.ruleset import Mcr

    given, rules = list(islice(_won_hands(), HANDS)), Mcr()
    sides: dict[str, Side] = {"ours": (lambda pair: rules.score(*pair), given)}
    if find_spec("MahjongGB") is None:
        print("PyMahjongGB is not installed: MCR is not compared with it", file=sys.stderr)
    else:
        sides["theirs"] = (lambda pair: pymahjonggb(*pair), given)
    spent = seconds(sides)
    figures = [at_least("MCR, hands a second", HANDS / spent["ours"], 3_000)]
    if "theirs" in spent:
        figures.append(Figure("PyMahjongGB (C++), hands a second", HANDS / spent["theirs"]))
    return figures


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
    """The processor time of each side for all its items: the sum over the blocks of the fastest round."""
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
    """An endless series of random winning hands."""
    rng = random.Random(1)
    while True:
        yield random_win(rng)


if __name__ == "__main__":
    main()
