"""Measure how a watched table is read: `python -m benchmarks.live --count 40`.

Each rendered clip is shown to `Watch` as a camera would show it: the frame that is there when the last one has been
dealt with. What a look costs is measured first, on an unhurried clock, so that delays do not depend on what else the
machine does; `--look-ms` sets it.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from benchmarks.clips import Clip, render_clip
from benchmarks.figures import at_least, at_most, show
from models.registry import load_eye
from vision.photo import Photo
from vision.reading import Reading
from vision.watch import Frame, Watch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.detector import Detection
    from vision.eye import Eye

_CAMERA_S: Final = 1 / 15
"""Between two frames of the camera."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one clip.

    Attributes:
        told: hands that were told, each as seconds after the last tile was laid and sorted tiles.
        exact: whether the last of them is the truth.
        best: whether the single frame most sure of itself is.
        singles: share of single frames after the last tile that are.
        looks: frames that were looked at.
        frames: frames that the camera showed.
    """

    told: tuple[tuple[float, tuple[str, ...]], ...]
    exact: bool
    best: bool
    singles: float
    looks: int
    frames: int


def main(arguments: Sequence[str] | None = None) -> None:
    """Command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.live", description=__doc__)
    parser.add_argument("--count", type=int, default=8)
    parser.add_argument("--seed", type=int, default=700)
    parser.add_argument("--look-ms", type=float, default=0.0, help="what a look costs; 0 measures it")
    parser.add_argument("--held-out", action="store_true", help="only tiles that no training sees")
    options = parser.parse_args(arguments)
    eye = replace(load_eye(), patient=False)
    look_s = options.look_ms / 1000 or cost_of_a_look(eye, render_clip(options.seed, 0, held_out=options.held_out))
    outcomes = []
    for index in range(options.count):
        clip = render_clip(options.seed, index, held_out=options.held_out)
        outcome = watched(clip, eye, look_s)
        outcomes.append(outcome)
        after = ", ".join(f"{at_s:.2f} s" for at_s, _ in outcome.told) or "never"
        print(
            f"clip {index} ({clip.artwork}): {'exact' if outcome.exact else 'WRONG'}, told after {after}; best single "
            f"frame {'exact' if outcome.best else 'wrong'}, singles {outcome.singles:.2f}; "
            f"{outcome.looks} looks at {outcome.frames} frames",
            flush=True,
        )
        if not outcome.exact and outcome.told:
            told, truth = outcome.told[-1][1], clip.truth
            print(f"  read {' '.join(told)}\n  lay  {' '.join(truth)}", flush=True)
    report(outcomes, look_s)


def report(outcomes: Sequence[Outcome], look_s: float) -> None:
    """Print the figures."""
    clips = len(outcomes)
    exact = sum(one.exact for one in outcomes) / clips
    erring = [one for one in outcomes if one.singles < 1]
    gain = sum(one.exact - one.singles for one in erring) / max(1, len(erring))
    delays = sorted(one.told[0][0] for one in outcomes if one.told)
    early = sum(at_s < 0 for one in outcomes for at_s, _ in one.told)
    show(
        [
            at_least("frames looked at a second, 1280x720", 1 / look_s, 8),
            at_least(f"final hand exact, {clips} clips", exact, 0.95),
            at_least("best single frame exact", sum(one.best for one in outcomes) / clips, 0),
            at_least(f"better than single frames where they err, {len(erring)} clips", gain, 0.10),
            at_most("last tile laid to the hand told, median, s", delays[len(delays) // 2] if delays else 99, 1.5),
            at_most("last tile laid to the hand told, slowest, s", delays[-1] if delays else 99, 1.5),
            at_most("incomplete hands told", early, 0),
        ]
    )


def cost_of_a_look(eye: Eye, clip: Clip) -> float:
    """Seconds that finding the tiles of a frame takes: the best of ten, since other work only adds."""
    photo = Photo("frame", clip.at(clip.laid_s + 1), (1280, 720))
    times = []
    for _ in range(10):
        start = time.perf_counter()
        eye.find(photo)
        times.append(time.perf_counter() - start)
    return min(times)


def watched(clip: Clip, eye: Eye, look_s: float) -> Outcome:
    """One clip, watched to its end."""
    watch, at_s = Watch(), 0.0
    told: list[tuple[float, tuple[str, ...]]] = []
    singles: list[tuple[float, bool]] = []
    looks = frames = 0

    def find(photo: Photo) -> tuple[Detection, ...]:
        found = eye.find(photo)
        if at_s > clip.laid_s + 0.4:
            reading = Reading.of(found)
            sure = float(np.prod([found[at].confidence for at in reading.layout.order] or [0.0]))
            singles.append((sure * len(reading.layout.order), _tiles(reading) == clip.truth))
        return found

    while at_s < clip.seconds:
        watch = watch.after(Frame(clip.at(at_s), at_s), find)
        frames += 1
        looks += watch.looked
        if watch.is_news and watch.reading is not None:
            told.append((at_s + look_s - clip.laid_s, _tiles(watch.reading)))
        at_s += max(_CAMERA_S, look_s) if watch.looked else _CAMERA_S
    best = max(singles, default=(0.0, False))[1]
    share = sum(right for _, right in singles) / max(1, len(singles))
    return Outcome(tuple(told), bool(told) and told[-1][1] == clip.truth, best, share, looks, frames)


def _tiles(reading: Reading) -> tuple[str, ...]:
    return tuple(sorted(str(reading.detections[at].tile) for at in reading.layout.order))


if __name__ == "__main__":
    main()
