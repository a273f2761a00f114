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
`tests.harness.mcr_hands`. Our side does more work: tiles of each line, exclusions with reasons, groups, payments.

**score-hands** reads a file of JSON lines and writes its answers as JSON lines: the hands of real games in riichi,
random winning hands in the other games. The ratio of `--jobs 0` is one of the clock, not of processor time, and depends
on what else the machine does.

**Compare** draws the page of that name in this process, without a browser: a complete hand, and one that waits.

**is_win** answers for concealed tiles that are already packed: 14 random tiles, and complete hands without melds.
"""

from __future__ import annotations

import gzip
import json
import os
import random
import sys
import tempfile
import time
from contextlib import redirect_stdout, suppress
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.harness.figures import Figure, at_least, at_most, command
from tests.harness.mcr_hands import SETS, pymahjonggb, random_win
from tilescore.errors import InputError
from tilescore.processes.threads import cores
from tilescore.scoring.context import Seat
from tilescore.scoring.hand import Hand, Meld
from tilescore.scoring.ruleset import ruleset
from tilescore.scoring.score import Score

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from tilescore.scoring.context import Context

    Side = tuple[Callable[[Any], object], Sequence[Any]]

ROOT = Path(__file__).resolve().parents[2]
CASES = ROOT.parent / "shared" / "cases" / "riichi_tenhou.jsonl.gz"
HANDS = 2000
BLOCK = 500
"""Hands in a turn: more than `mahjong` caches, so that no side profits from the work of another."""
ROUNDS = 7
_STREAMS = {"riichi": 8_000, "mcr": 6_000, "hongkong": 6_000, "taiwan": 6_000}
"""Hands a second that `score-hands` promises for a game."""


def scoring_speed() -> list[Figure]:
    """The figures of riichi, MCR and `is_win`, of the streams, and of the page that compares all games."""
    return [*riichi_speed(), *mcr_speed(), *is_win_speed(), *stream_speed(), *compare_speed()]


def _real_hands() -> list[dict[str, Any]]:
    """The hands of real games of riichi; none without ../shared."""
    if not CASES.is_file():
        print("../shared holds no cases: riichi is measured by random hands, and not beside mahjong", file=sys.stderr)
        return []
    with gzip.open(CASES, "rt", encoding="utf-8") as file:
        return [json.loads(line)["hand"] for line in islice(file, HANDS)]


def riichi_speed() -> list[Figure]:
    """Time ratios to the `mahjong` package on hands of real games; no figures without ../shared."""
    rows = _real_hands()
    if not rows:
        return []
    from tests.harness.direct_mahjong import arguments, call
    from tilescore.scoring.context import Context
    from tilescore.scoring.han.riichi import Riichi

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
    ]


def stream_speed() -> list[Figure]:
    """Hands a second of `score-hands` for each game, from a file to JSON, and how much faster all cores are."""
    figures = []
    with tempfile.TemporaryDirectory() as folder:
        for name, least in _STREAMS.items():
            file = Path(folder) / f"{name}.jsonl"
            rows = _real_hands() if name == "riichi" else []
            rows = rows or [{**hand.to_json(), **won.to_json()} for hand, won in _won_in(name)]
            file.write_text("".join(json.dumps(row) + "\n" for row in rows))
            spent = min(_block_seconds(partial(_streamed, file), [name]) for _ in range(ROUNDS))
            figures.append(at_least(f"`score-hands` of {name}, hands a second from file to JSON", HANDS / spent, least))
        file.write_text(file.read_text() * 20)
        begun = time.monotonic()
        _streamed(file, name)
        middle = time.monotonic()
        _streamed(file, name, jobs=0)
        ratio = (middle - begun) / (time.monotonic() - middle)
        figures.append(Figure(f"`score-hands --jobs 0` on {cores()} cores, times as fast by the clock", ratio))
    return figures


def _streamed(file: Path, name: str, jobs: int = 1) -> None:
    from tilescore.scoring.game.stream import score_lines
    from tilescore.ui.cli.progress import stream

    with Path(os.devnull).open("w", encoding="utf-8") as nowhere, redirect_stdout(nowhere):
        stream(str(file), partial(score_lines, name), jobs)


def _won_in(name: str) -> list[tuple[Hand, Context]]:
    """Random hands that win in that game; those of Taiwan have one claimed set more."""
    rules, found, rng = ruleset(name), [], random.Random(name)
    for hand, context in _won_hands():
        with suppress(InputError):  # a fifth copy, or circumstances that this game refuses
            more = (Meld.of(rng.choice(SETS)),) if rules.traits.size > Hand.SIZE else ()
            given = replace(hand, melds=hand.melds + more), replace(context, round=Seat.EAST)
            if isinstance(rules.score(*given), Score):
                found.append(given)
        if len(found) == HANDS:
            return found
    raise AssertionError("the series of hands is endless")


def compare_speed() -> list[Figure]:
    """Milliseconds of processor time in which the page Compare scores one hand by all games and is drawn."""
    from streamlit.testing.v1 import AppTest

    figures = []
    for what, hand in (("a complete hand", "234m345678p66s678s +8s"), ("a hand of any game", "11m")):
        app = AppTest.from_function(_compare, default_timeout=60)
        app.session_state["measured"] = hand
        app.run()
        if app.exception or len(app.button) < 2:
            raise RuntimeError("the page Compare is not drawn")
        spent = min(_block_seconds(AppTest.run, [app]) for _ in range(ROUNDS))
        games = len(app.button) - 1
        figures.append(at_most(f"Compare, {what} by {games} games, ms of processor time", 1000 * spent, 300))
    return figures


def _compare() -> None:
    """What AppTest runs: the page without the frame around it."""
    import streamlit as st

    from tilescore.scoring.hand import Hand
    from tilescore.ui.pages.compare import page
    from tilescore.ui.state import session
    from tilescore.ui.state.fields import drawing
    from tilescore.ui.state.hand.work import Work

    with drawing():
        if not session.history().now.order:
            session.take(Work.of(Hand.parse(st.session_state["measured"])))
        page()


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
    figures = [at_least("MCR, hands a second", HANDS / spent["ours"], 12_000)]
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
    command(scoring_speed)
