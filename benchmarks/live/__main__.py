"""Measure how a watched table is read: `python -m benchmarks.live --count 40`.

Each rendered clip is shown to `Watch` as a camera would show it: the frame that is there when the last one has been
dealt with. What a frame costs is measured first, on an unhurried clock, so that delays do not depend on what else the
machine does; `--look-ms` sets it. Each clip is watched once more as by a machine a seventh slower, to which the camera
shows other frames: a hand that is told rightly by luck alone is not told rightly twice.
"""

from __future__ import annotations

import argparse
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

import cv2
import numpy as np

from benchmarks.figures import Figure, at_least, at_most, show
from benchmarks.live.clips import Clip, render_clip
from tilescore.base.parallel import Pool, work_in_order
from tilescore.models.registry import load_reader
from tilescore.scoring.context import Context, WinBy
from tilescore.scoring.ruleset import ruleset
from tilescore.scoring.score import NOT_A_WIN, Score
from tilescore.vision.classification.classifier import VIEWS
from tilescore.vision.decoding.reading import Reading
from tilescore.vision.video.frame_reader import FrameReader
from tilescore.vision.video.watch import Frame, Watch

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tilescore.vision.reader import TileReader

_CAMERA_S: Final = 1 / 15
"""Between two frames of the camera."""
_SLOWER: Final = 8 / 7
"""How much more a look costs the second time."""
_SERIES: Final = 3
"""Into so many series the frames in which tiles are looked for are dealt, each to be judged as single frames."""
_WRONG: Final = {True: "", False: " (best wrong)"}
_SEED: Final = 700


@dataclass(frozen=True, slots=True)
class Told:
    """A hand that was told.

    Attributes:
        after_s: seconds from the last tile laid until it stands there with its score.
        tiles: sorted.
        is_win: whether its tiles are a win, so that it can be booked.
        is_truth: whether they are the tiles of the hand that lies there in the end.
    """

    after_s: float
    tiles: tuple[str, ...]
    is_win: bool
    is_truth: bool


class Cost(NamedTuple):
    """Seconds that frames take that are looked at.

    Attributes:
        find_s: one in which tiles are looked for.
        confirm_s: one in which only known ones are.
        mean_s: the mean of those that follow one another at a table at rest.
    """

    find_s: float
    confirm_s: float
    mean_s: float

    def times(self, factor: float) -> Cost:
        """On a machine so much slower."""
        return Cost(*(factor * seconds for seconds in self))


class Singles(NamedTuple):
    """A series of single frames taken after the last tile was laid.

    Attributes:
        best: whether the one most sure of itself is right.
        right: share of them that are.
    """

    best: bool
    right: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one clip.

    Attributes:
        told: hands that were told, in their order.
        exact: whether the last of them is the truth.
        singles: series of single frames of it.
        looks: frames that were looked at.
        frames: frames that the camera showed.
    """

    told: tuple[Told, ...]
    exact: bool
    singles: tuple[Singles, ...]
    looks: int
    frames: int


def main(arguments: Sequence[str] | None = None) -> None:
    """Command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.live", description=__doc__)
    parser.add_argument("--count", type=int, default=8)
    parser.add_argument("--seed", type=int, default=_SEED)
    parser.add_argument("--look-ms", type=float, nargs=3, metavar=("FIND", "CONFIRM", "MEAN"), help="what frames cost")
    parser.add_argument("--held-out", action="store_true", help="only tiles that no training sees")
    parser.add_argument("--workers", type=int, default=0, help="processes; 0 for one a core")
    options = parser.parse_args(arguments)
    render = partial(render_clip, options.seed, held_out=options.held_out)
    cost = Cost(*(ms / 1000 for ms in options.look_ms)) if options.look_ms else cost_of_looks(load_reader(), render(0))
    outcomes = []
    work = partial(_watched_at, render=render, costs=(cost, cost.times(_SLOWER)))
    for index, (said, both) in work_in_order(work, range(options.count), Pool(options.workers)):
        outcomes += both
        print(f"clip {index} {said}", flush=True)
    show(figures_of(outcomes, cost))


def live_figures(count: int = 40) -> list[Figure]:
    """The figures of the clips, each watched once; those that are misread are named on stderr."""
    render = partial(render_clip, _SEED)
    cost = cost_of_looks(load_reader(), render(0))
    outcomes = []
    for index, (said, watched_once) in work_in_order(partial(_watched_at, render=render, costs=(cost,)), range(count)):
        outcomes += watched_once
        if not all(outcome.exact for outcome in watched_once):
            print(f"clip {index} {said}", file=sys.stderr)
    return figures_of(outcomes, cost)


def _watched_at(index: int, *, render: Callable[[int], Clip], costs: Sequence[Cost]) -> tuple[str, list[Outcome]]:
    """What became of one clip with looks that cost so much, in words and in figures."""
    clip, reader = render(index), load_reader()
    outcomes = [watched(clip, reader, cost) for cost in costs]
    said = [f"({clip.artwork}, {clip.steep_deg:.0f} degrees)", *(_described(outcome, clip) for outcome in outcomes)]
    return "\n  ".join(said), outcomes


def figures_of(outcomes: Sequence[Outcome], cost: Cost) -> list[Figure]:
    """What is promised of a watched table, and what was measured.

    Args:
        outcomes: of clips.
        cost: of frames.
    """
    clips = len(outcomes)
    exact = sum(one.exact for one in outcomes) / clips
    series = [(one.exact, singles) for one in outcomes for singles in one.singles]
    erring = [(exact, singles) for exact, singles in series if singles.right < 1]
    of_best = sum(exact - singles.best for exact, singles in erring) / max(1, len(erring))
    of_any = sum(exact - singles.right for exact, singles in erring) / max(1, len(erring))
    delays = sorted(next((one.after_s for one in outcome.told if one.after_s > 0), 99.0) for outcome in outcomes)
    told = [one for outcome in outcomes for one in outcome.told]
    early = [one for one in told if one.after_s < 0]
    return [
        at_least("live: frames dealt with a second, 1280x720", 1 / cost.mean_s, 8),
        at_least(f"live: final hand exact, {clips} watched clips", exact, 0.95),
        Figure(
            "live: single frame surest of itself exact",
            sum(singles.best for _, singles in series) / max(1, len(series)),
        ),
        at_least(f"live: better than it, {len(erring)} of {len(series)} series with erring frames", of_best, 0.10),
        at_least("live: better than the average frame, the same series", of_any, 0.10),
        at_most("live: last tile laid to hand and score, median, s", delays[clips // 2], 1.5),
        Figure("live: last tile laid to hand and score, nine of ten, s", delays[int(0.9 * clips)]),
        at_most("live: last tile laid to hand and score, slowest, s", delays[-1], 1.5),
        Figure(f"live: hands told before the last tile was laid, of {len(told)}", len(early)),
        at_most(
            "live: of these other hands, such as could be booked",
            sum(one.is_win and not one.is_truth for one in early),
            0,
        ),
    ]


def cost_of_looks(reader: TileReader, clip: Clip) -> Cost:
    """What frames take from their JPEG to the hand, on average over all ways to look at them.

    Each of them counts with the best of several times, since other work only adds.
    """
    finder = FrameReader(reader)
    cycle = finder.cycle
    frames = [cv2.imencode(".jpg", clip.at(clip.laid_s + 1 + number / 8)[..., ::-1])[1] for number in range(cycle)]
    times, finds = np.full((8, cycle), np.inf), np.zeros(cycle, np.bool_)
    for again in range(len(times)):
        watch = Watch()
        for number, jpeg in enumerate(frames):
            start = time.perf_counter()
            rgb = np.asarray(cv2.imdecode(jpeg, cv2.IMREAD_COLOR_RGB), np.uint8)
            looks = watch.tracker.passes
            watch = replace(watch.after(Frame(rgb, number / 8), finder), understood=None)
            finds[number] = watch.tracker.passes > looks
            if watch.was_passed:
                times[again, number] = time.perf_counter() - start
    best = times.min(axis=0)
    looked = np.isfinite(best)
    return Cost(*(float(best[some].mean()) for some in (looked & finds, looked & ~finds, looked)))


def watched(clip: Clip, reader: TileReader, cost: Cost) -> Outcome:
    """One clip, watched to its end."""
    watch, at_s = Watch(), 0.0
    finder = FrameReader(reader)
    told: list[Told] = []
    singles: tuple[list[tuple[float, bool]], ...] = tuple([] for _ in range(_SERIES))
    looks = frames = 0
    while at_s < clip.seconds:
        rgb, before = clip.at(at_s), watch.tracker.passes
        watch = watch.after(Frame(rgb, at_s), finder)
        frames += 1
        look_s = cost.find_s if watch.tracker.passes > before else cost.confirm_s
        looks += watch.was_passed
        if watch.tracker.passes > before and at_s > clip.laid_s + 0.4:
            singles[looks % _SERIES].append(_single(reader, rgb, clip.truth))
        if watch.is_news and watch.reading is not None:
            score_s, is_win = _to_score(watch.reading)
            tiles = _tiles(watch.reading)
            told.append(Told(at_s + look_s + score_s - clip.laid_s, tiles, is_win, tiles == clip.truth))
        at_s += max(_CAMERA_S, look_s) if watch.was_passed else _CAMERA_S
    series = tuple(Singles(max(each)[1], sum(right for _, right in each) / len(each)) for each in singles if each)
    return Outcome(tuple(told), bool(told) and told[-1].is_truth, series, looks, frames)


def _single(reader: TileReader, rgb: np.ndarray, truth: tuple[str, ...]) -> tuple[float, bool]:
    """How sure of itself one frame is, and whether it is right, in the fast setting."""
    found = reader.classify(
        rgb, reader.detector.detect(rgb, long_side=reader.config.input_long_side_px), views=VIEWS[:1]
    )
    reading = Reading.of(found, size_wh=(rgb.shape[1], rgb.shape[0]))
    sure = float(np.prod([found[at].confidence for at in reading.layout.order] or [0.0]))
    return sure * len(reading.layout.order), _tiles(reading) == truth


def _to_score(reading: Reading) -> tuple[float, bool]:
    """Seconds that scoring takes, and whether the tiles are a win."""
    start, is_win = time.perf_counter(), False
    with suppress(ValueError):  # the doubts ask about it
        result = ruleset("mcr").score(reading.hand, Context(win_by=WinBy.SELF_DRAW))
        is_win = isinstance(result, Score) or result.code != NOT_A_WIN
    return time.perf_counter() - start, is_win


def _described(outcome: Outcome, clip: Clip) -> str:
    after = ", ".join(f"{one.after_s:.2f} s" for one in outcome.told) or "never"
    line = (
        f"{'exact' if outcome.exact else 'WRONG'}, told after {after}; single frames: "
        f"{', '.join(f'{one.right:.2f}{_WRONG[one.best]}' for one in outcome.singles)}; "
        f"{outcome.looks} looks at {outcome.frames} frames"
    )
    if outcome.exact or not outcome.told:
        return line
    return f"{line}\n    read {' '.join(outcome.told[-1].tiles)}\n    lay  {' '.join(clip.truth)}"


def _tiles(reading: Reading) -> tuple[str, ...]:
    return tuple(sorted(str(reading.detections[at].tile) for at in reading.layout.order))


if __name__ == "__main__":
    main()
