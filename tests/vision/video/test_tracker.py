"""Tracking over simulated passes: shakes, errors, covering hands, tiles laid one by one, a pushed camera."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.vision.table import HEIGHT, WIDTH, lay, tiles
from tilescore.scoring.tiles import BACK, PLAYING_TILES, format_tiles
from tilescore.vision.detections import Candidate, Detection
from tilescore.vision.image.boxes import Box
from tilescore.vision.video.motion import Thumbnail
from tilescore.vision.video.tracker import CameraMove, Tracker, camera_move
from tilescore.vision.video.watch import State, Watch, WatchedFrame

if TYPE_CHECKING:
    from collections.abc import Callable

HAND = lay(f"{tiles('123m456p789s1122z')} {tiles('2z')}")
"""Fourteen tiles, the last one apart."""
SIZE = (720, 960)


@dataclass
class Table:
    """A simulated reader that shakes and makes errors."""

    rng: np.random.Generator
    shake_px: float = 2.0
    wrong: float = 0.3
    missed: float = 0.02

    def detect(self, laid: list[Detection], *, hidden: frozenset[int] = frozenset(), **moved: float) -> list[Detection]:
        """The detections of one frame of these tiles, pushed by dx, dy pixels."""
        together = self.rng.normal(0, self.shake_px, 2)
        found = []
        for at, one in enumerate(laid):
            if at in hidden or self.rng.random() < self.missed:
                continue
            dx, dy = together + self.rng.normal(0, 0.04 * WIDTH, 2)
            found.append(self.read(one).moved(dx + moved.get("dx", 0), dy + moved.get("dy", 0)))
        return found

    def read(self, one: Detection) -> Detection:
        """The detection, or with probability `wrong` a confident one of another face."""
        if self.rng.random() >= self.wrong:
            return one
        other = PLAYING_TILES[self.rng.integers(len(PLAYING_TILES))]
        names = (Candidate(other, 0.8), Candidate(one.tile, 0.1))
        return replace(one, names=names)


def faces(tracker: Tracker) -> str:
    """The tiles from left to right."""
    return format_tiles(track.tile for track in sorted(tracker.tracks, key=lambda track: track.box.x0))


def identities(tracker: Tracker) -> list[int]:
    """The identities of the tiles from left to right."""
    return [track.id for track in sorted(tracker.tracks, key=lambda track: track.box.x0)]


TRUTH = format_tiles(one.tile for one in HAND)


@pytest.mark.parametrize("seed", range(6))
def test_all_passes_together_outvote_errors_and_keep_identities(seed: int) -> None:
    table, tracker = Table(np.random.default_rng(seed)), Tracker()
    for step in range(30):
        tracker = tracker.after(table.detect(HAND), at_s=step / 8)
    assert faces(tracker) == TRUTH
    assert tracker.created == 14


def test_the_confidence_is_the_agreement_of_the_passes() -> None:
    clear = Tracker()
    torn = Tracker()
    doubtful = [Detection(HAND[0].box, 1.0, (Candidate(HAND[0].tile, 0.55), Candidate(HAND[1].tile, 0.45)))]
    for step in range(20):
        clear = clear.after(HAND[:1], at_s=step)
        torn = torn.after(doubtful, at_s=step)
    assert clear.sure[0].detection.confidence > 0.97
    assert 0.5 < torn.sure[0].detection.confidence < 0.7, "the same doubt seen twenty times is still a doubt"


def test_places_tremble_less_than_boxes() -> None:
    table, tracker = Table(np.random.default_rng(3), shake_px=0, wrong=0, missed=0), Tracker()
    offs: dict[str, list[float]] = {"box": [], "track": []}
    for step in range(60):
        found = table.detect(HAND)
        tracker = tracker.after(found, at_s=step / 8)
        if step > 9:
            places = sorted(track.box.center[0] for track in tracker.tracks)
            offs["track"] += [place - true.box.center[0] for place, true in zip(places, HAND, strict=True)]
            offs["box"] += [one.box.center[0] - true.box.center[0] for one, true in zip(found, HAND, strict=True)]
    assert np.std(offs["track"]) < 0.7 * np.std(offs["box"])


def test_a_passing_hand_changes_no_identity() -> None:
    table, tracker = Table(np.random.default_rng(1), wrong=0.1), Tracker()
    for step in range(10):
        tracker = tracker.after(table.detect(HAND), at_s=step / 8)
    before = identities(tracker)
    for step in range(10, 26):
        covered = frozenset(range(step - 14, step - 9))
        tracker = tracker.after(table.detect(HAND, hidden=covered), at_s=step / 8)
    for step in range(26, 32):
        tracker = tracker.after(table.detect(HAND), at_s=step / 8)
    assert identities(tracker) == before
    assert faces(tracker) == TRUTH


@pytest.mark.parametrize(
    ("dx", "dy"), [(0, 0), (WIDTH, 0), (2 * WIDTH, 10), (-3.4 * WIDTH, 60), (15, -4 * WIDTH)], ids=str
)
def test_a_pushed_camera_changes_no_identity(dx: float, dy: float) -> None:
    table, tracker = Table(np.random.default_rng(2)), Tracker()
    for step in range(10):
        tracker = tracker.after(table.detect(HAND), at_s=step / 8)
    before = identities(tracker)
    for step in range(10, 20):
        tracker = tracker.after(table.detect(HAND, dx=dx, dy=dy), at_s=step / 8)
    assert identities(tracker) == before
    assert faces(tracker) == TRUTH


def test_camera_move_is_found_among_misreadings() -> None:
    table = Table(np.random.default_rng(3), shake_px=0)
    truth = CameraMove(1.04 * np.exp(0.02j), 55 - 20j)
    moved = [replace(one, box=truth.applied(one.box)) for one in HAND]
    found = camera_move([(one.box, one.tile) for one in HAND], table.detect(moved))
    for one in HAND:
        a, b = (complex(*move.applied(one.box).center) for move in (found, truth))
        assert abs(a - b) < 0.15 * WIDTH


def test_another_tile_in_its_place_is_named_anew() -> None:
    tracker = Tracker()
    for step in range(20):
        tracker = tracker.after(HAND, at_s=step / 8)
    changed = [HAND[4].named(HAND[0].tile) if at == 4 else one for at, one in enumerate(HAND)]
    for step in range(20, 32):
        tracker = tracker.after(changed, at_s=step / 8)
    assert faces(tracker) == format_tiles(one.tile for one in changed)


@pytest.mark.parametrize(("middle", "width"), [(5.0, 0.6), (4.5, 0.42)], ids=["in the gap of two", "on one"])
def test_a_part_of_tiles_is_no_tile(middle: float, width: float) -> None:
    x, (_, y) = HAND[0].box.x0 + middle * WIDTH, HAND[0].box.center
    part = replace(HAND[2], box=Box(x - width * WIDTH / 2, y - HEIGHT / 2, x + width * WIDTH / 2, y + HEIGHT / 2))
    tracker = Tracker()
    for step in range(4):
        tracker = tracker.after([*HAND, part], at_s=step / 8)
    assert faces(Tracker(tracker.sure)) == format_tiles(one.tile for one in HAND)


def test_tiles_taken_away_are_forgotten() -> None:
    tracker = Tracker()
    for step in range(8):
        tracker = tracker.after(HAND, at_s=step / 8)
    tracker = tracker.after(HAND[:5], at_s=1.1).after(HAND[:5], at_s=1.2).after(HAND[:5], at_s=1.3)
    assert len(tracker.sure) == 5
    assert len(tracker.after(HAND[:5], at_s=9).tracks) == 5


# Watching pictures of simulated tiles, with given detections


def picture(laid: list[Detection], *, hand_x: int | None = None, light: int = 90, push: int = 0) -> np.ndarray:
    rgb = np.full((*SIZE, 3), light, np.uint8)
    for at, one in enumerate(laid):
        x0, y0, x1, y1 = (int(value) for value in one.box.xyxy)
        rgb[y0:y1, x0 + push : x1 + push - 2] = light + 110 - 6 * (at % 5)
        rgb[y0 + 12 : y0 + 30, x0 + 10 + push : x0 + 24 + push] = 20 + 9 * at
    if hand_x is not None:
        rgb[200:700, max(0, hand_x) : max(0, hand_x + 150)] = (200, 140, 110)
    return rgb


@dataclass
class FrameReader:
    """A finder of the detections that `see` returns, anywhere or in the places of known tiles."""

    see: Callable[[], list[Detection]]
    # ruff: noqa: D102

    def find(self, _rgb: np.ndarray, _known: Tracker) -> tuple[Detection, ...]:
        return tuple(self.see())

    def confirm(self, _rgb: np.ndarray, known: Tracker) -> tuple[Detection | None, ...]:
        seen = self.see()
        return tuple(next((one for one in seen if one.box.iou(track.box) > 0.6), None) for track in known.tracks)

    def slant(self, _rgb: np.ndarray, _seen: object) -> float:
        return 0.0


class Clip:
    """A watched table that shows eight pictures a second and records the results of the watch."""

    def __init__(self, seed: int = 0, **reader: float) -> None:
        self.table = Table(np.random.default_rng(seed), shake_px=0, **reader)
        self.watch, self.at_s, self.passes = Watch(), 0.0, 0
        self.news: list[str] = []
        self.states: list[State] = []

    def show(
        self, laid: list[Detection], frames: int, *, ghost: float = 0.0, seen: Detection = HAND[13], **how: int
    ) -> None:
        """Show frames of these tiles; `ghost` is the rate at which one more detection, `seen`, is found."""
        for _ in range(frames):
            rgb = picture(laid, **how)
            hand_x = how.get("hand_x")

            def see(hand_x: int | None = hand_x) -> list[Detection]:
                self.passes += 1
                covered = (
                    frozenset(at for at, one in enumerate(laid) if hand_x < one.box.x1 and one.box.x0 < hand_x + 150)
                    if hand_x is not None
                    else frozenset[int]()
                )
                found = self.table.detect(laid, hidden=covered, dx=how.get("push", 0))
                if self.table.rng.random() < ghost:
                    found.append(seen)
                return found

            self.watch = self.watch.after(WatchedFrame(rgb, self.at_s), FrameReader(see))
            self.states.append(self.watch.state)
            self.at_s += 1 / 8
            if self.watch.is_news:
                assert self.watch.reading is not None
                reading = self.watch.reading
                self.news.append(format_tiles(reading.detections[at].tile for at in reading.layout.order))

    def pass_hand(self, laid: list[Detection], frames: int = 9) -> None:
        """Show a hand that moves across from left to right."""
        for step in range(frames):
            self.show(laid, 1, hand_x=-150 + step * 1100 // (frames - 1))


@pytest.mark.parametrize("seed", range(4))
def test_tiles_laid_one_by_one_make_one_hand(seed: int) -> None:
    clip = Clip(seed, wrong=0.15)
    for number in range(9, 14):
        clip.pass_hand(HAND[:number], 4)
        clip.show(HAND[:number], 13)
    assert clip.news == []
    before = clip.watch.state
    clip.pass_hand(HAND, 4)
    clip.show(HAND, 13)
    assert clip.news == [TRUTH]
    assert (before, clip.watch.state) == (State.INCOMPLETE, State.COMPLETE)


@pytest.mark.parametrize("seed", range(6))
def test_thirteen_tiles_are_never_complete(seed: int) -> None:
    clip = Clip(seed, missed=0.05)
    for _ in range(3):
        clip.show(HAND[:13], 25, ghost=0.3)
        clip.pass_hand(HAND[:13])
    assert clip.news == []
    assert State.COMPLETE not in clip.states


def test_an_uncertain_tile_near_a_hand_only_delays_its_report() -> None:
    clip = Clip(wrong=0, missed=0)
    for step in range(14):
        clip.show(HAND, 1, ghost=step % 2, seen=HAND[0].named(BACK).moved(-1.5 * WIDTH, 0))
    assert clip.news == [TRUTH]


def test_a_face_down_tile_that_comes_and_goes_beside_a_whole_hand_does_not_matter() -> None:
    clip = Clip(wrong=0, missed=0)
    for step in range(8):
        clip.show(HAND, 1, ghost=step % 2, seen=HAND[0].named(BACK).moved(-1.5 * WIDTH, 0))
    assert clip.news == [TRUTH], "a face might be a fifteenth, a back is none"


def test_a_hand_resting_on_a_tile_leaves_it_incomplete() -> None:
    clip = Clip(wrong=0, missed=0)
    clip.show(HAND, 25, hand_x=int(HAND[13].box.x0) - 5)
    assert clip.news == []
    clip.show(HAND, 12)
    assert clip.news == [TRUTH]


def test_the_same_hand_is_reported_once_and_the_next_again() -> None:
    clip = Clip(wrong=0.1)
    clip.show(HAND, 16)
    clip.pass_hand(HAND)
    clip.show(HAND, 16)
    assert clip.news == [TRUTH]
    for _ in range(2):
        clip.pass_hand([], 4)
        clip.show([], 12)
        clip.pass_hand(HAND, 4)
        clip.show(HAND, 16)
    assert clip.news == [TRUTH] * 3
    assert (clip.watch.hand, clip.watch.revision) == (3, 0)


def test_one_exchanged_tile_is_a_revision_of_the_same_hand() -> None:
    clip = Clip(wrong=0, missed=0)
    clip.show(HAND, 12)
    other = [*HAND[:3], HAND[3].named(HAND[4].tile), *HAND[4:]]
    clip.pass_hand(other, 4)
    clip.show(other, 16)
    assert len(clip.news) == 2
    assert (clip.watch.hand, clip.watch.revision) == (1, 1)


def test_no_frame_is_passed_while_nothing_or_everything_moves() -> None:
    clip = Clip(wrong=0, missed=0)
    clip.show(HAND, 12)
    passes = clip.passes
    clip.show(HAND, 200)
    assert clip.passes == passes, "the scene is understood"
    for step in range(20):
        clip.show(HAND, 1, light=40 if step % 2 else 90, push=97 * (step % 3))
    assert clip.passes - passes < 12
    assert clip.states[-1] is State.MOVING


def test_another_light_is_no_news_and_black_frames_are_dark() -> None:
    clip = Clip(wrong=0, missed=0)
    clip.show(HAND, 12)
    passes = clip.passes
    clip.show(HAND, 10, light=102)
    assert clip.passes == passes
    black = np.zeros((*SIZE, 3), np.uint8)
    dark = clip.watch.after(WatchedFrame(black, clip.at_s), FrameReader(list))
    assert dark.state is State.DARK
    assert not dark.was_passed
    clip.show(HAND, 12)
    assert clip.news == [TRUTH]


def test_a_scene_whose_passes_never_agree_is_left_alone_for_a_while() -> None:
    clip = Clip(wrong=0, missed=0.35)
    clip.show(HAND, 40)
    assert State.UNCLEAR in clip.states
    assert clip.passes < 40
    passes = 0
    for step in range(12):
        if step == 6:
            passes = clip.passes
        clip.at_s += 31
        clip.show(HAND, 15)
    assert clip.passes - passes <= 4 * 14, "the longer it is in vain, the more seldom it is tried"


@pytest.mark.parametrize(
    ("name", "still", "everything"),
    [("same", True, False), ("shaken", True, False), ("tile", False, False), ("hand", False, False),
     ("pushed", False, True), ("other", False, True)],
)  # fmt: skip
def test_change(name: str, *, still: bool, everything: bool) -> None:
    rng = np.random.default_rng(5)
    before = picture(HAND[:13])
    after = {
        "same": lambda: picture(HAND[:13], light=97),
        "shaken": lambda: picture(HAND[:13], push=3),
        "tile": lambda: picture(HAND),
        "hand": lambda: picture(HAND[:13], hand_x=300),
        "pushed": lambda: picture(HAND[:13], push=80),
        "other": lambda: rng.integers(0, 255, (9, 12, 3), np.uint8).repeat(80, axis=0).repeat(80, axis=1),
    }[name]()
    noisy = (np.clip(one + rng.normal(0, 5, one.shape), 0, 255).astype(np.uint8) for one in (before, after))
    first, second = (Thumbnail.of(one) for one in noisy)
    change = second.since(first)
    assert (change.is_still, change.is_everything) == (still, everything), change


def test_a_change_has_the_shift_of_the_picture() -> None:
    change = Thumbnail.of(picture(HAND, push=7)).since(Thumbnail.of(picture(HAND)))
    assert [960 * share for share in change.shift_xy] == pytest.approx([7, 0], abs=1.5)


def test_known_places_follow_a_shaking_camera() -> None:
    clip = Clip(wrong=0, missed=0)
    clip.show(HAND, 1)
    before = [track.box.x0 for track in clip.watch.tracker.tracks]
    clip.show(HAND, 1, push=7)
    after = [track.box.x0 for track in clip.watch.tracker.tracks]
    assert clip.watch.tracker.passes == 1, "only known places were examined"
    assert np.mean(after) - np.mean(before) == pytest.approx(7, abs=1)


def test_boxes_keep_their_middle_under_a_camera_move() -> None:
    box = CameraMove(1.1, 10 + 5j).applied(Box(0, 0, WIDTH, HEIGHT))
    assert box.center == pytest.approx((0.55 * WIDTH + 10, 0.55 * HEIGHT + 5))
