"""Watching a table: when to look, what lies there, and when a hand lies still and whole.

`Watch.after(frame)` is the whole of it. Looking costs a tenth of a second, so it happens only while it can tell
something: not while nothing has changed since the scene was understood, nor while everything moves.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Final, Protocol

from tilescore.vision.decoding.reading import Reading
from tilescore.vision.layout.layout import COMPLETE
from tilescore.vision.video.motion import Change, Thumbnail
from tilescore.vision.video.tracker import Tracker

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from tilescore.scoring.tiles import Tile
    from tilescore.vision.detections import Detection

    _Signature = tuple["State", tuple[Tile, ...]]
    """What a look says: the state of the table, and the hand's tiles in their order."""

_LOOKS: Final = 3
"""So many looks in a row must tell the same hand,"""
_REST_S: Final = 0.3
"""over at least so many seconds."""
_THOROUGH: Final = 6
"""Looks at a scene at rest before there is nothing left to be found out: so many ways there are to look."""
_MANY: Final = 11
"""After so many looks it is enough"""
_MOST: Final = 0.7
"""that such a share of them tell it, whatever trembles beside the hand."""
_PATIENCE: Final = 14
"""TileFinder at a scene at rest that never tells the same; then it is left alone until something changes,"""
_AGAIN_S: Final = 3.0
"""or for so many seconds, each time twice as many,"""
_SELDOM_S: Final = 60.0
"""up to so many: what is not seen in ten tries costs no more than a table where nothing happens."""
_BUSY_S: Final = 0.4
"""While hands move in the picture it is looked at only so often: enough to keep the tiles."""
_BESIDE: Final = 2.5
"""Tile widths from the hand within which an uncertain tile makes it uncertain."""
_SAME_HAND: Final = 0.6
"""A hand that shares so many of its physical tiles with the last one is that one, changed."""


class TileFinder(Protocol):
    """What looks at frames: `tilescore.vision.video.frame_reader.FrameReader`."""

    def find(self, rgb: NDArray[np.uint8], tracker: Tracker) -> tuple[Detection, ...]:
        """The tiles of a frame, with the help of those known so far."""
        ...

    def confirm(self, rgb: NDArray[np.uint8], tracker: Tracker) -> tuple[Detection | None, ...] | None:
        """What is in the place of each known tile; None if it cannot tell."""
        ...


class State(StrEnum):
    """What the table is doing."""

    DARK = "dark"
    """The picture is black."""
    MOVING = "moving"
    """Something moves."""
    LOOKING = "looking"
    """At rest, not understood yet."""
    UNCLEAR = "unclear"
    """At rest, and every look tells something else."""
    EMPTY = "empty"
    """At rest, and no hand lies there."""
    INCOMPLETE = "incomplete"
    """A hand at rest that has not fourteen tiles."""
    COMPLETE = "complete"
    """A hand at rest with fourteen tiles."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture of a video.

    Attributes:
        rgb: uint8 pixels (H, W, 3).
        at_s: when, in seconds of the video.
    """

    rgb: NDArray[np.uint8]
    at_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """A table watched over time.

    Attributes:
        state: what it is doing.
        reading: of the hand as it lay at the last rest, or lies now; None before the first.
        hand: number of the complete hand seen last, from 1; it counts up with each further one.
        revision: counts the changes of that hand while its tiles stayed on the table, from 0.
        is_news: whether this frame made a hand complete that was not told before.
        looked: whether this frame was looked at.
        tracker: the tiles.
        thumbnail: the last frame, small.
        understood: the frame at which nothing was left to be found out; None while something is.
        told: physical tiles and faces of the hand that was news last.
        rest: what the looks since it came to rest said.
        looked_s: when it was looked at last.
        tries: how often a scene at rest could not be understood.
    """

    state: State = State.LOOKING
    reading: Reading | None = None
    hand: int = 0
    revision: int = 0
    is_news: bool = False
    looked: bool = False
    tracker: Tracker = field(default_factory=Tracker)
    thumbnail: Thumbnail | None = None
    understood: Thumbnail | None = None
    told: tuple[frozenset[int], tuple[Tile, ...]] = (frozenset(), ())
    rest: Rest | None = None
    looked_s: float = -1e9
    tries: int = 0

    def after(self, frame: Frame, finder: TileFinder) -> Watch:
        """The table after one more frame.

        Args:
            frame: the picture.
            finder: what finds tiles.
        """
        thumbnail = Thumbnail.of(frame.rgb)
        before = replace(self, thumbnail=thumbnail, is_news=False, looked=False)
        if thumbnail.dark:
            return replace(before, state=State.DARK, understood=None, rest=None)
        change = None if self.thumbnail is None else thumbnail.since(self.thumbnail)
        if change is not None and not change.is_still:
            return _moving(before, frame, finder, is_everything=change.is_everything)
        if self.understood is not None and thumbnail.since(self.understood).is_still:
            pause_s = min(_AGAIN_S * 2 ** (self.tries - 1), _SELDOM_S)
            due = self.state is State.UNCLEAR and frame.at_s - self.looked_s > pause_s
            return replace(before, rest=None, understood=None) if due else before
        return _resting(before, frame, finder, change)


def is_whole(reading: Reading) -> bool:
    """Whether a hand of fourteen tiles lies there."""
    return count(reading) == COMPLETE


def count(reading: Reading) -> int:
    """Tiles of its hand, a kong counted as three."""
    return len(reading.concealed) + 3 * len(reading.layout.melds)


def _moving(watch: Watch, frame: Frame, finder: TileFinder, *, is_everything: bool) -> Watch:
    moving = replace(watch, state=State.MOVING, understood=None, rest=None, tries=0)
    if is_everything or frame.at_s - watch.looked_s < _BUSY_S:
        return moving
    return _looking(moving, frame, finder)


def _looking(watch: Watch, frame: Frame, finder: TileFinder) -> Watch:
    tracker = watch.tracker.after(finder.find(frame.rgb, watch.tracker), at_s=frame.at_s)
    return replace(watch, tracker=tracker, looked=True, looked_s=frame.at_s)


def _confirming(watch: Watch, frame: Frame, finder: TileFinder, shift_xy: tuple[float, float]) -> Watch:
    """Between two looks at the picture only known tiles are looked at, where they are after that shift."""
    right, down = (share * max(frame.rgb.shape[:2]) for share in shift_xy)
    moved = watch.tracker.shifted(right, down)
    seen = finder.confirm(frame.rgb, moved)
    if seen is None:
        return _looking(watch, frame, finder)
    return replace(watch, tracker=moved.confirmed(seen, at_s=frame.at_s), looked=True, looked_s=frame.at_s)


def _resting(watch: Watch, frame: Frame, finder: TileFinder, change: Change | None) -> Watch:
    """Nothing moves, and what lies there is not understood yet."""
    if change is not None and watch.rest is not None and watch.rest.looks % 2:
        looked = _confirming(watch, frame, finder, change.shift_xy)
    else:
        looked = _looking(watch, frame, finder)
    height, width = frame.rgb.shape[:2]
    hypothesis = _Hypothesis.of(looked.tracker, (width, height))
    rest = (watch.rest or Rest(frame.at_s)).after(hypothesis.signature, frame.at_s, clear=hypothesis.is_certain)
    looked = replace(looked, rest=rest, state=State.LOOKING if watch.rest is None else watch.state)
    if rest.is_certain(frame.at_s):
        certain = replace(_certain(looked, hypothesis), tries=0)
        return replace(certain, understood=looked.thumbnail, rest=None) if rest.looks >= _THOROUGH else certain
    if rest.looks >= (2 * _PATIENCE if rest.same else _PATIENCE):
        tries = min(looked.tries + 1, 10)
        return replace(
            looked, state=State.UNCLEAR, reading=hypothesis.reading, understood=looked.thumbnail, tries=tries
        )
    return looked


def _certain(watch: Watch, hypothesis: _Hypothesis) -> Watch:
    """The looks agree on what lies there; a complete hand that was not told before is news."""
    state, tiles = hypothesis.signature
    certain = replace(watch, tracker=watch.tracker.without_gone(), reading=hypothesis.reading, state=state)
    if state is not State.COMPLETE:
        return certain
    told_ids, told_tiles = watch.told
    certain = replace(certain, told=(hypothesis.ids, tiles))
    if len(told_ids & hypothesis.ids) < _SAME_HAND * len(hypothesis.ids):
        return replace(certain, hand=watch.hand + 1, revision=0, is_news=True)
    if tiles != told_tiles:
        return replace(certain, revision=watch.revision + 1, is_news=True)
    return certain


@dataclass(frozen=True, slots=True)
class _Hypothesis:
    """What the tracks say at one moment: the reading, the physical tiles of its hand, and whether it is certain."""

    reading: Reading
    ids: frozenset[int]
    signature: _Signature
    is_certain: bool

    @staticmethod
    def of(tracker: Tracker, size_wh: tuple[int, int]) -> _Hypothesis:
        sure = tracker.sure
        reading = Reading.of([track.detection for track in sure], photo_name="video", size_wh=size_wh)
        order = reading.layout.order
        tiles = tuple(reading.detections[index].tile for index in order)
        state = State.EMPTY if not order else State.COMPLETE if is_whole(reading) else State.INCOMPLETE
        strangers = [track.detection for track in tracker.unsure]
        if state is State.COMPLETE:  # a face-down tile more adds nothing to it
            strangers = [stranger for stranger in strangers if not stranger.tile.is_back]
        blurred = any(not order or _is_beside(stranger, reading) for stranger in strangers)
        return _Hypothesis(reading, frozenset(sure[index].id for index in order), (state, tiles), not blurred)


@dataclass(frozen=True, slots=True)
class Rest:
    """A scene at rest: what it says again and again.

    Attributes:
        since_s: since when it clearly says the same.
        same: looks in a row that clearly said so.
        said: what each look since it came to rest said.
    """

    since_s: float
    same: int = 0
    said: tuple[_Signature, ...] = ()

    @property
    def looks(self) -> int:
        """How many there were since it came to rest."""
        return len(self.said)

    def after(self, signature: _Signature, at_s: float, *, clear: bool) -> Rest:
        """The scene after one more look; not `clear` if there may be another tile beside the hand."""
        said = (*self.said, signature)
        if clear and self.same and signature == self.said[-1]:
            return Rest(self.since_s, self.same + 1, said)
        return Rest(at_s, int(clear), said)

    def is_certain(self, at_s: float) -> bool:
        """Whether it has clearly said so often and long enough, or in the end most looks agree on it."""
        if self.same >= _LOOKS and at_s - self.since_s >= _REST_S:
            return True
        return self.looks >= _MANY and self.said.count(self.said[-1]) >= _MOST * self.looks


def _is_beside(stranger: Detection, reading: Reading) -> bool:
    hand: Sequence[Detection] = [reading.detections[index] for index in reading.layout.order]
    x, y = stranger.box.center
    return any(
        max(abs(x - tile.box.center[0]), abs(y - tile.box.center[1])) < _BESIDE * tile.box.short_side for tile in hand
    )
