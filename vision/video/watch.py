"""Watching a table: which frames to pass, what lies there, and when a hand lies still and complete.

`Watch.after(frame)` is the whole interface. A pass takes a tenth of a second, so a frame is passed only if that can
tell something: not while nothing has changed since the scene was understood, and not while everything moves.
"""

from __future__ import annotations

import cmath
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final, Protocol

import numpy as np

from tilescore.scoring.shapes.winning import ALL_SHAPES, Shape
from tilescore.scoring.tiles import Tile
from tilescore.vision.arrays import Pixels
from tilescore.vision.decoding.reading import Reading
from tilescore.vision.detections import Detection
from tilescore.vision.image.boxes import Box
from tilescore.vision.image.view import PhotoView
from tilescore.vision.video.config import WatchConfig
from tilescore.vision.video.motion import FrameChange, Thumbnail
from tilescore.vision.video.tracker import Track, Tracker

_Signature = tuple["State", tuple[Tile, ...]]
"""The result of a pass: the state of the table, and the tiles of the hand in their order."""


_CONFIG: Final = WatchConfig()


class TileFinder(Protocol):
    """Finds tiles in frames, such as `tilescore.vision.video.frame_reader.FrameReader`."""

    def find(self, rgb: Pixels, tracker: Tracker) -> tuple[Detection, ...]:
        """The tiles of a frame, with the help of the known ones."""

    def confirm(self, rgb: Pixels, tracker: Tracker) -> tuple[Detection | None, ...] | None:
        """The detection in the place of each known tile; None if the finder cannot examine places alone."""

    def slant(self, rgb: Pixels, detections: Sequence[Detection]) -> float:
        """The angle by which tiles lie aslant in a frame, in radians clockwise; 0 if it does not matter."""


class State(StrEnum):
    """The state of the table."""

    DARK = "dark"
    """The picture is black."""
    MOVING = "moving"
    """Something moves."""
    LOOKING = "looking"
    """The scene is at rest and not understood yet."""
    UNCLEAR = "unclear"
    """The scene is at rest, and its passes do not agree."""
    EMPTY = "empty"
    """The scene is at rest without a hand."""
    INCOMPLETE = "incomplete"
    """A hand is at rest and does not have as many tiles as a complete one."""
    COMPLETE = "complete"
    """A complete hand is at rest: fourteen tiles, in a game of five sets seventeen."""


@dataclass(frozen=True, slots=True)
class WatchedFrame:
    """One picture of a video."""

    rgb: Pixels  # uint8 pixels (H, W, 3)
    at_s: float  # time in the video, in seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """A table watched over time."""

    state: State = State.LOOKING
    reading: Reading | None = None  # reading of the hand at rest now or at the last rest; None before the first
    hand: int = 0  # number of the latest complete hand, from 1
    revision: int = 0  # number of changes of that hand while its tiles stayed on the table, from 0
    is_news: bool = False  # whether this frame completed a hand that was not reported before
    was_passed: bool = False  # whether this frame was passed through the networks
    tracker: Tracker = field(default_factory=Tracker)
    thumbnail: Thumbnail | None = None  # thumbnail of the last frame
    understood: Thumbnail | None = None  # thumbnail of the frame in which the scene was understood; None if it is not
    # physical tiles and faces of the hand that was reported last
    reported: tuple[frozenset[int], tuple[Tile, ...]] = (frozenset(), ())
    rest: Rest | None = None  # the passes since the scene came to rest
    passed_s: float = -1e9  # time of the last pass
    tries: int = 0  # number of times that the passes of a scene at rest did not agree
    shapes: frozenset[Shape] = ALL_SHAPES  # the forms of a complete hand in the game that is watched
    aside: frozenset[Tile] = frozenset()  # faces that this game sets aside like flowers
    # The frames are turned clockwise by this angle, in radians, before tiles are looked for in them; the boxes of the
    # tracker are in pixels of turned frames, those of the reading in pixels of the frames.
    turn: float = 0.0

    def for_game(self, shapes: frozenset[Shape], aside: frozenset[Tile] = frozenset()) -> Watch:
        """The watch in a game with these forms of a hand and faces set aside; another game is looked at again."""
        if (shapes, aside) == (self.shapes, self.aside):
            return self
        return replace(self, shapes=shapes, aside=aside, understood=None, rest=None)

    def after(self, frame: WatchedFrame, finder: TileFinder) -> Watch:
        """The table after one more frame."""
        thumbnail = Thumbnail.of(frame.rgb)
        before = replace(self, thumbnail=thumbnail, is_news=False, was_passed=False)
        if thumbnail.dark:
            return replace(before, state=State.DARK, understood=None, rest=None)
        change = None if self.thumbnail is None else thumbnail.since(self.thumbnail)
        if change is not None and not change.is_still:
            return _moving(before, frame, finder, is_everything=change.is_everything)
        if self.understood is not None and thumbnail.since(self.understood).is_still:
            pause_s = min(_CONFIG.retry_s * 2 ** (self.tries - 1), _CONFIG.max_retry_s)
            is_due = self.state is State.UNCLEAR and frame.at_s - self.passed_s > pause_s
            return replace(before, rest=None, understood=None) if is_due else before
        return _resting(before, frame, finder, change)


def _moving(watch: Watch, frame: WatchedFrame, finder: TileFinder, *, is_everything: bool) -> Watch:
    moving = replace(watch, state=State.MOVING, understood=None, rest=None, tries=0)
    if is_everything or frame.at_s - watch.passed_s < _CONFIG.busy_interval_s:
        return moving
    return _found(moving, frame, finder)


def _found(watch: Watch, frame: WatchedFrame, finder: TileFinder, *, may_turn: bool = False) -> Watch:
    """The table after a pass that finds tiles; if they lie aslant, it may be turned, and they are found anew."""
    rgb = _view(watch, frame).rgb
    seen = finder.find(rgb, watch.tracker)
    tracker = watch.tracker.after(seen, at_s=frame.at_s)
    known = watch.reported[0] & {track.id for track in tracker.tracks}  # anew they would be another hand
    slant = finder.slant(rgb, seen) if may_turn and not known else 0.0
    if slant:
        tracker = replace(tracker, tracks=())
    return replace(watch, tracker=tracker, turn=watch.turn - slant, was_passed=True, passed_s=frame.at_s)


def _view(watch: Watch, frame: WatchedFrame) -> PhotoView:
    """The frame as it is looked at."""
    height, width = frame.rgb.shape[:2]
    whole = PhotoView(frame.rgb, np.eye(2, 3), (width, height)).in_white_light().without_noise()
    return whole.turned(watch.turn, [Box(0, 0, width, height)], margin=0) if watch.turn else whole


def _confirmed(watch: Watch, frame: WatchedFrame, finder: TileFinder, shift_xy: tuple[float, float]) -> Watch:
    """The table after a pass that examines known tiles only, in their places after that shift."""
    shift = complex(*shift_xy) * max(frame.rgb.shape[:2]) * cmath.rect(1, watch.turn)
    moved = watch.tracker.shifted(shift.real, shift.imag)
    detections = finder.confirm(_view(watch, frame).rgb, moved)
    if detections is None:
        return _found(watch, frame, finder)
    return replace(watch, tracker=moved.confirmed(detections, at_s=frame.at_s), was_passed=True, passed_s=frame.at_s)


def _resting(watch: Watch, frame: WatchedFrame, finder: TileFinder, change: FrameChange | None) -> Watch:
    """The table after a pass of a scene at rest that is not understood yet."""
    if change is not None and watch.rest is not None and watch.rest.passes % _CONFIG.search_every:
        passed = _confirmed(watch, frame, finder, change.shift_xy)
    else:
        passed = _found(watch, frame, finder, may_turn=watch.rest is None)  # once at most, while nothing moves
    if passed.turn != watch.turn:  # nothing is known of the turned frames yet
        return replace(passed, rest=Rest(frame.at_s), state=State.LOOKING)
    hypothesis = _Hypothesis.of(passed, frame)
    rest = (watch.rest or Rest(frame.at_s)).after(hypothesis.signature, frame.at_s, clear=hypothesis.is_certain)
    passed = replace(passed, rest=rest, understood=None, state=State.LOOKING if watch.rest is None else watch.state)
    if rest.is_certain(frame.at_s):
        certain = replace(_certain(passed, hypothesis), tries=0)
        is_understood = rest.passes >= _CONFIG.thorough_passes
        return replace(certain, understood=passed.thumbnail, rest=None) if is_understood else certain
    if rest.passes >= (2 * _CONFIG.patience_passes if rest.agreeing else _CONFIG.patience_passes):
        tries = min(passed.tries + 1, _CONFIG.max_tries)
        return replace(
            passed, state=State.UNCLEAR, reading=hypothesis.reading, understood=passed.thumbnail, tries=tries
        )
    return passed


def _certain(watch: Watch, hypothesis: _Hypothesis) -> Watch:
    """The table when the passes agree; a complete hand that was not reported before is news."""
    state, tiles = hypothesis.signature
    certain = replace(watch, tracker=watch.tracker.without_gone(), reading=hypothesis.reading, state=state)
    if state is not State.COMPLETE:
        return certain
    reported_ids, reported_tiles = watch.reported
    certain = replace(certain, reported=(hypothesis.ids, tiles))
    if len(reported_ids & hypothesis.ids) < _CONFIG.same_hand_share * len(hypothesis.ids):
        return replace(certain, hand=watch.hand + 1, revision=0, is_news=True)
    if tiles != reported_tiles:
        return replace(certain, revision=watch.revision + 1, is_news=True)
    return certain


@dataclass(frozen=True, slots=True)
class _Hypothesis:
    """The hand by the tracks of one moment: the reading, its physical tiles, and whether it is certain."""

    reading: Reading
    ids: frozenset[int]
    signature: _Signature
    is_certain: bool

    @staticmethod
    def of(watch: Watch, frame: WatchedFrame) -> _Hypothesis:
        (height, width), view, sure = frame.rgb.shape[:2], _view(watch, frame), watch.tracker.sure
        detections, unsure = ([_in_frame(track, view) for track in some] for some in (sure, watch.tracker.unsure))
        reading = Reading.of(
            detections, photo_name="video", size_wh=(width, height), shapes=watch.shapes, aside=watch.aside
        )
        order = reading.layout.order
        tiles = tuple(reading.detections[index].tile for index in order)
        state = State.EMPTY if not order else State.COMPLETE if reading.is_complete else State.INCOMPLETE
        if state is State.COMPLETE:  # one more back does not change a complete hand
            unsure = [detection for detection in unsure if not detection.tile.is_back]
        is_certain = all(order and not _is_near(detection, reading) for detection in unsure)
        return _Hypothesis(reading, frozenset(sure[index].id for index in order), (state, tiles), is_certain)


def _in_frame(track: Track, view: PhotoView) -> Detection:
    return replace(track.detection, box=view.in_photo(track.box))


@dataclass(frozen=True, slots=True)
class Rest:
    """A scene at rest: the results of its passes."""

    since_s: float  # time of the first of the latest passes that agree
    agreeing: int = 0  # number of the latest passes that are clear and agree
    signatures: tuple[_Signature, ...] = ()  # result of each pass since the scene came to rest

    @property
    def passes(self) -> int:
        """The number of passes since the scene came to rest."""
        return len(self.signatures)

    def after(self, signature: _Signature, at_s: float, *, clear: bool) -> Rest:
        """The scene after one more pass; it is not `clear` if another tile may lie near the hand."""
        signatures = (*self.signatures, signature)
        if clear and self.agreeing and signature == self.signatures[-1]:
            return Rest(self.since_s, self.agreeing + 1, signatures)
        return Rest(at_s, int(clear), signatures)

    def is_certain(self, at_s: float) -> bool:
        """Whether enough passes agree for long enough, or after many passes a majority of them."""
        if self.agreeing >= _CONFIG.agreeing_passes and at_s - self.since_s >= _CONFIG.rest_s:
            return True
        if self.passes < _CONFIG.majority_passes:
            return False
        return self.signatures.count(self.signatures[-1]) >= _CONFIG.majority_share * self.passes


def _is_near(detection: Detection, reading: Reading) -> bool:
    hand: Sequence[Detection] = [reading.detections[index] for index in reading.layout.order]
    x, y = detection.box.center
    return any(
        max(abs(x - tile.box.center[0]), abs(y - tile.box.center[1])) < _CONFIG.near_tiles * tile.box.short_side
        for tile in hand
    )
