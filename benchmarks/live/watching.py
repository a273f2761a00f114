"""Watch rendered clips and derive the figures of a watched table.

This module is apart from the command, because a spawned process cannot import functions of a `__main__` module.
"""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from statistics import fmean
from typing import TYPE_CHECKING, Final, NamedTuple

import cv2
import numpy as np

from benchmarks.live.clips import RenderedClip, render_clip
from tests.harness.figures import Figure, at_least, at_most
from tilescore.models.registry import load_reader
from tilescore.processes.parallel import work_in_order
from tilescore.scoring.context import Context, WinBy
from tilescore.scoring.ruleset import ruleset
from tilescore.scoring.score import NOT_A_WIN, Score
from tilescore.vision.decoding.reading import Reading
from tilescore.vision.video.frame_reader import FrameReader
from tilescore.vision.video.watch import Watch, WatchedFrame

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from tilescore.vision.reader import TileReader

_CAMERA_S: Final = 1 / 15
"""Seconds between two frames of the camera."""
_SERIES: Final = 3
"""The number of series of single frames. The frames that search for tiles go to the series in turn."""
_WRONG: Final = {True: "", False: " (best wrong)"}
SEED: Final = 700
COST_TABLES: Final = 8
"""The number of tables, the first ones, over which the cost of a pass is averaged."""
_REPEATS: Final = 4


@dataclass(frozen=True, slots=True)
class ReportedHand:
    """A hand that `Watch` reported."""

    after_s: float  # seconds from the last tile on the table until the hand and its score are ready
    tiles: tuple[str, ...]  # the tiles, sorted
    is_win: bool  # whether the tiles are a win, so that a user can record the hand
    is_truth: bool  # whether the tiles are those of the final hand on the table


class Cost(NamedTuple):
    """Seconds that a pass over a frame takes."""

    find_s: float  # a pass that searches for tiles
    confirm_s: float  # a pass that only confirms known tiles
    mean_s: float  # the mean of successive passes at a table at rest

    def times(self, factor: float) -> Cost:
        """The cost on a machine that is slower by this factor."""
        return Cost(*(factor * seconds for seconds in self))


class Singles(NamedTuple):
    """A series of single frames after the last tile."""

    best: bool  # whether the most confident frame is right
    right: float  # the share of right frames


@dataclass(frozen=True, slots=True)
class ClipOutcome:
    """The result of one clip."""

    reported: tuple[ReportedHand, ...]  # the reported hands, in order
    exact: bool  # whether the last reported hand is the truth
    singles: tuple[Singles, ...]  # the series of single frames
    passes: int  # the number of frames with a pass
    frames: int  # the number of frames from the camera


def live_figures(count: int = 40) -> list[Figure]:
    """The figures of `count` clips, each watched once; prints the misread clips to stderr."""
    render = partial(render_clip, SEED)
    cost = pass_cost(load_reader(), map(render, range(COST_TABLES)))
    outcomes = []
    for index, (text, watched_once) in work_in_order(partial(watched_at, render=render, costs=(cost,)), range(count)):
        outcomes += watched_once
        if not all(outcome.exact for outcome in watched_once):
            print(f"clip {index} {text}", file=sys.stderr)
    return figures_of(outcomes, cost)


def watched_at(
    index: int, *, render: Callable[[int], RenderedClip], costs: Sequence[Cost]
) -> tuple[str, list[ClipOutcome]]:
    """The results of one clip at each cost, as a text and as values."""
    clip, reader = render(index), load_reader()
    outcomes = [watched(clip, reader, cost) for cost in costs]
    lines = [f"({clip.artwork}, {clip.steep_deg:.0f} degrees)", *(_described(outcome, clip) for outcome in outcomes)]
    return "\n  ".join(lines), outcomes


def figures_of(outcomes: Sequence[ClipOutcome], cost: Cost) -> list[Figure]:
    """The figures of a watched table.

    Args:
        outcomes: the results of the clips.
        cost: the cost of a frame.
    """
    clips = len(outcomes)
    exact = sum(one.exact for one in outcomes) / clips
    series = [(one.exact, singles) for one in outcomes for singles in one.singles]
    with_errors = [(exact, singles) for exact, singles in series if singles.right < 1]
    of_best = sum(exact - singles.best for exact, singles in with_errors) / max(1, len(with_errors))
    of_any = sum(exact - singles.right for exact, singles in with_errors) / max(1, len(with_errors))
    delays = sorted(next((one.after_s for one in outcome.reported if one.after_s > 0), 99.0) for outcome in outcomes)
    reported = [one for outcome in outcomes for one in outcome.reported]
    early = [one for one in reported if one.after_s < 0]
    return [
        at_least(f"live: frames a second, 1280x720, mean of {COST_TABLES} tables", 1 / cost.mean_s, 15),
        at_least(f"live: final hand exact, {clips} watched clips", exact, 0.95),
        Figure(
            "live: most confident single frame exact",
            sum(singles.best for _, singles in series) / max(1, len(series)),
        ),
        at_least(f"live: gain over it, {len(with_errors)} of {len(series)} series with wrong frames", of_best, 0.10),
        at_least("live: gain over the average frame, these series", of_any, 0.10),
        at_most("live: last tile to hand and score, median, s", delays[clips // 2], 0.7),
        Figure("live: last tile to hand and score, 90 % of the clips, s", delays[int(0.9 * clips)]),
        at_most("live: last tile to hand and score, slowest, s", delays[-1], 1.5),
        Figure(f"live: hands reported before the last tile, of {len(reported)}", len(early)),
        at_most(
            "live: wrong hands among these that are a win",
            sum(one.is_win and not one.is_truth for one in early),
            0,
        ),
    ]


def pass_cost(reader: TileReader, clips: Iterable[RenderedClip]) -> Cost:
    """Seconds from the JPEG of a frame to the hand: the mean over several tables, because a full table costs more."""
    costs = [_cost_at(reader, clip) for clip in clips]
    return Cost(*(fmean(each) for each in zip(*costs, strict=True)))


def _cost_at(reader: TileReader, clip: RenderedClip) -> Cost:
    """The cost at one table, averaged over all kinds of pass.

    The best of several times counts for each pass, because other work of the machine only adds time.
    """
    finder = FrameReader(reader)
    cycle = finder.cycle
    frames = [cv2.imencode(".jpg", clip.at(clip.laid_s + 1 + number / 8)[..., ::-1])[1] for number in range(cycle)]
    times, finds = np.full((_REPEATS, cycle), np.inf), np.zeros(cycle, np.bool_)
    for again in range(len(times)):
        watch = Watch()
        for number, jpeg in enumerate(frames):
            start = time.perf_counter()
            rgb = np.asarray(cv2.imdecode(jpeg, cv2.IMREAD_COLOR_RGB), np.uint8)
            searches = watch.tracker.passes
            watch = replace(watch.after(WatchedFrame(rgb, number / 8), finder), understood=None)
            finds[number] = watch.tracker.passes > searches
            if watch.was_passed:
                times[again, number] = time.perf_counter() - start
    best = times.min(axis=0)
    looked = np.isfinite(best)
    return Cost(*(float(best[some].mean()) for some in (looked & finds, looked & ~finds, looked)))


def watched(clip: RenderedClip, reader: TileReader, cost: Cost) -> ClipOutcome:
    """Watch one clip to its end."""
    watch, at_s = Watch(), 0.0
    finder = FrameReader(reader)
    reported: list[ReportedHand] = []
    singles: tuple[list[tuple[float, bool]], ...] = tuple([] for _ in range(_SERIES))
    passes = frames = 0
    while at_s < clip.seconds:
        rgb, before = clip.at(at_s), watch.tracker.passes
        watch = watch.after(WatchedFrame(rgb, at_s), finder)
        frames += 1
        pass_s = cost.find_s if watch.tracker.passes > before else cost.confirm_s
        passes += watch.was_passed
        if watch.tracker.passes > before and at_s > clip.laid_s + 0.4:
            singles[passes % _SERIES].append(_single(reader, rgb, clip.truth))
        if watch.is_news and watch.reading is not None:
            score_s, is_win = _to_score(watch.reading)
            tiles = _tiles(watch.reading)
            after_s = at_s + pass_s + score_s - clip.laid_s
            reported.append(ReportedHand(after_s, tiles, is_win, tiles == clip.truth))
        at_s += max(_CAMERA_S, pass_s) if watch.was_passed else _CAMERA_S
    series = tuple(Singles(max(each)[1], sum(right for _, right in each) / len(each)) for each in singles if each)
    return ClipOutcome(tuple(reported), bool(reported) and reported[-1].is_truth, series, passes, frames)


def _single(reader: TileReader, rgb: np.ndarray, truth: tuple[str, ...]) -> tuple[float, bool]:
    """The confidence of one frame at the first look, and whether its tiles are right."""
    found = reader.classify(rgb, reader.propose(rgb))
    reading = Reading.of(found, size_wh=(rgb.shape[1], rgb.shape[0]))
    sure = float(np.prod([found[at].confidence for at in reading.layout.order] or [0.0]))
    return sure * len(reading.layout.order), _tiles(reading) == truth


def _to_score(reading: Reading) -> tuple[float, bool]:
    """Seconds that scoring takes, and whether the tiles are a win."""
    start, is_win = time.perf_counter(), False
    with suppress(ValueError):  # a hand that cannot be scored; the doubts ask about it
        result = ruleset("mcr").score(reading.hand, Context(win_by=WinBy.SELF_DRAW))
        is_win = isinstance(result, Score) or result.code != NOT_A_WIN
    return time.perf_counter() - start, is_win


def _described(outcome: ClipOutcome, clip: RenderedClip) -> str:
    after = ", ".join(f"{one.after_s:.2f} s" for one in outcome.reported) or "never"
    line = (
        f"{'exact' if outcome.exact else 'WRONG'}, reported after {after}; single frames: "
        f"{', '.join(f'{one.right:.2f}{_WRONG[one.best]}' for one in outcome.singles)}; "
        f"{outcome.passes} passes over {outcome.frames} frames"
    )
    if outcome.exact or not outcome.reported:
        return line
    return f"{line}\n    read {' '.join(outcome.reported[-1].tiles)}\n    lay  {' '.join(clip.truth)}"


def _tiles(reading: Reading) -> tuple[str, ...]:
    return tuple(sorted(str(reading.detections[at].tile) for at in reading.layout.order))
