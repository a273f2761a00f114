"""Labels that go through a film: a person corrects some frames, and the boxes of the others follow.

A frame counts as corrected if it is checked, a person has touched one of its marks, or another program has labelled it.
Between two corrected frames the boxes are followed from both ends and interpolated; behind the last one they are
followed alone.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

from tilescore.datasets.annotation.folder import AnnotationFolder, ChangedError, PictureFile, is_closed
from tilescore.datasets.annotation.tracking import FilmFrame, Place, TileTracker
from tilescore.datasets.marks import Annotation, LabelSource, Mark
from tilescore.datasets.pictures.picture_files import DAMAGE
from tilescore.errors import InputError
from tilescore.processes.progress import Progress, unseen
from tilescore.vision.image.boxes import Box

Marks = tuple[Mark, ...]
FrameAt = Callable[[int], FilmFrame]
Keep = Callable[[PictureFile, Annotation], object]


TRACKER: Final = "tracker"
"""The author of followed labels."""
_NUMBERED: Final = re.compile(r"(.*?)(\d+)(\.[^.]*)?$", re.DOTALL)
_SAME_TILE: Final = 0.5
"""Two boxes of one tile overlap at least so much (intersection over union)."""
_NEAR: Final = 3.0
"""A tile that a person moved lies at most this many of its widths away."""


@dataclass(frozen=True, slots=True)
class Followed:
    """How many frames were followed, have other labels now, and have a tile that is hidden or lost, a suggestion."""

    frames: int
    changed: int
    hidden: int


@dataclass(frozen=True, slots=True)
class _Track:
    """A tile in the frames from one corrected frame to the next."""

    # its mark in the first and in the last frame; None where it does not lie there
    marks: tuple[Mark | None, Mark | None]
    # its place in each frame, as followed from the first and from the last one
    places: tuple[Sequence[Place] | None, Sequence[Place] | None]

    def at(self, number: int) -> Mark | None:
        """Its mark in a frame between, counted from the first; None if it does not lie there."""
        first, last = self.marks
        there, back = self.places
        if there is None or back is None:
            return self._at_one_end(number)
        assert first is not None and last is not None  # noqa: S101, PT018  # a tile with both ways lies at both ends
        share = number / (len(there) - 1)
        earlier, later = there[number], back[number]
        rights = there[-1].box.iou(last.box) >= _SAME_TILE, back[0].box.iou(first.box) >= _SAME_TILE
        if earlier.seen != later.seen:
            place = earlier if earlier.seen else later
        elif rights[0] != rights[1]:
            place = earlier if rights[0] else later
        else:
            place = Place(earlier.box.towards(later.box, share), earlier.seen)
        return _mark(first if share < 0.5 else last, place)

    def _at_one_end(self, number: int) -> Mark | None:
        """The mark of a tile that was taken away or laid down on the way, or that is followed from one end alone."""
        first, last = self.marks
        there, back = self.places
        places = there if back is None else back
        mark = first if back is None else last
        assert places is not None and mark is not None  # noqa: S101, PT018
        rest = places[number:] if back is None else places[: number + 1]
        gone_at_end = back is not None or last is None
        if gone_at_end and not any(place.seen for place in rest):
            return None
        return _mark(mark, places[number])


def film_of(pictures: Sequence[PictureFile], key: str) -> tuple[PictureFile, ...]:
    """The frames of the film to which a picture belongs, in order: names that differ in their last number alone."""
    name = _NUMBERED.match(key)
    return _films(pictures).get(name[1], ()) if name else ()


def films(pictures: Sequence[PictureFile]) -> tuple[tuple[PictureFile, ...], ...]:
    """All films of at least two frames."""
    return tuple(film for film in _films(pictures).values() if len(film) > 1)


def _films(pictures: Sequence[PictureFile]) -> dict[str, tuple[PictureFile, ...]]:
    """The frames of each film, by what their names have in common."""
    groups: dict[str, list[tuple[int, PictureFile]]] = {}
    for picture in pictures:
        if part := _NUMBERED.match(picture.key):
            groups.setdefault(part[1], []).append((int(part[2]), picture))
    ordered = {name: sorted(group, key=lambda pair: pair[0]) for name, group in groups.items()}
    return {name: tuple(picture for _, picture in group) for name, group in ordered.items()}


def follow(
    folder: AnnotationFolder, film: Sequence[PictureFile], keep: Keep, *, around: str = "",
    progress: Progress = unseen,
) -> Followed:  # fmt: skip
    """Carry the labels of the corrected frames through a film; raises InputError.

    Only the frames up to the corrected ones beside the frame with the key `around` follow; without it, all. `progress`
    gets the number of frames that were looked at and of all looks.
    """
    frames, states = _opened(folder, film)
    corrected = {
        at: state.kept for at, state in enumerate(states)
        if state.checked or any(mark.source in (LabelSource.PERSON, LabelSource.FILE) for mark in state.marks)
    }  # fmt: skip
    if not corrected:
        raise InputError("nothing_corrected", "no frame of the film is labelled: label one, and follow its tiles.")
    here = next((at for at, frame in enumerate(frames) if frame.key == around), None)
    spans = [span for span in _spans(corrected, len(frames)) if here is None or here in span]
    looks = sum((end - start + 1) * sum(at in corrected for at in (start, end)) + 1 for start, end in spans)
    looked = done = changed = hidden = 0

    def frame_at(number: int) -> FilmFrame:
        nonlocal looked
        looked += 1
        progress(looked, looks)
        photo = folder.photo(frames[number])
        return FilmFrame.of(photo.rgb, photo.size_wh[0])

    for start, end in spans:
        for number, marks in carried(frame_at, corrected, start, end):
            now, done = states[number], done + 1
            hidden += any(mark.source is LabelSource.MODEL for mark in marks)
            if not now.rejected and [mark.to_json() for mark in marks] != [mark.to_json() for mark in now.marks]:
                with suppress(ChangedError):  # what somebody did to the frame meanwhile stays
                    keep(frames[number], replace(now, marks=marks, checked=False))
                    changed += 1
    return Followed(done, changed, hidden)


def carried(frame_at: FrameAt, corrected: Mapping[int, Marks], start: int, end: int) -> Iterator[tuple[int, Marks]]:
    """The marks of the frames from `start` to `end` that nobody corrected; one of these two, or both, are corrected."""
    numbers = range(start, end + 1)
    there = _ways(frame_at, corrected[start], numbers) if start in corrected else None
    back = [way[::-1] for way in _ways(frame_at, corrected[end], numbers[::-1])] if end in corrected else None
    tracks = _tracks(corrected.get(start, ()), there, corrected.get(end, ()), back)
    frame = frame_at(start)
    height, width = (side / frame.scale for side in frame.grey.shape)
    for number in numbers:
        if number not in corrected:
            marks = (track.at(number - start) for track in tracks)
            clipped = (_clipped(mark, width, height) for mark in marks if mark is not None)
            yield number, tuple(mark for mark in clipped if mark is not None)


def _opened(folder: AnnotationFolder, film: Sequence[PictureFile]) -> tuple[list[PictureFile], list[Annotation]]:
    """The sound frames that are as large as the first one, with their labels; raises InputError."""
    frames: list[PictureFile] = []
    states: list[Annotation] = []
    size_wh: tuple[int, int] | None = None
    for frame in film:
        try:
            size, now = folder.size_wh(frame), folder.open(frame).now
        except (InputError, *DAMAGE) as error:
            if is_closed(error):
                raise
            continue
        size_wh = size_wh or size
        if size == size_wh:
            frames.append(frame)
            states.append(now)
    return frames, states


def _spans(corrected: Mapping[int, Marks], count: int) -> list[tuple[int, int]]:
    """First and last frame of each stretch to follow; the corrected frames are its ends."""
    ends = sorted(corrected)
    return [
        (start, end)
        for start, end in zip([0, *ends], [*ends, count - 1], strict=True)
        if end - start > 1 or any(at not in corrected for at in (start, end))
    ]


def _ways(frame_at: FrameAt, marks: Marks, numbers: range) -> list[list[Place]]:
    """The places of each mark of the first frame in all frames."""
    tracker = TileTracker(frame_at(numbers[0]), [mark.box for mark in marks])
    steps = [[Place(mark.box, seen=True) for mark in marks], *(tracker.step(frame_at(at)) for at in numbers[1:])]
    return [list(way) for way in zip(*steps, strict=True)]


def _tracks(first: Marks, there: list[list[Place]] | None, last: Marks, back: list[list[Place]] | None) -> list[_Track]:
    """The tiles of both ends; a tile that lies at both is one track."""
    if there is None or back is None:
        ahead = [_Track((mark, mark), (way, None)) for mark, way in zip(first, there or (), strict=True)]
        return ahead or [_Track((mark, mark), (None, way)) for mark, way in zip(last, back or (), strict=True)]
    pairs = _same_tiles([way[-1].box for way in there], first, last)
    both = [_Track((first[one], last[other]), (there[one], back[other])) for one, other in pairs.items()]
    gone = [_Track((mark, None), (there[at], None)) for at, mark in enumerate(first) if at not in pairs]
    paired = set(pairs.values())
    return [*both, *gone, *(_Track((None, mark), (None, back[at])) for at, mark in enumerate(last) if at not in paired)]


def _same_tiles(arrived: Sequence[Box], first: Marks, last: Marks) -> dict[int, int]:
    """Which mark of the first frame is which of the last one.

    The one at its place; else the nearest of its name, which a person has put right.
    """
    options: list[tuple[float, int, int]] = []
    for one, box in enumerate(arrived):
        for other, mark in enumerate(last):
            apart = sum((a - b) ** 2 for a, b in zip(box.center, mark.box.center, strict=True)) ** 0.5
            apart /= max(1.0, mark.box.short_side)
            named_alike = first[one].name == mark.name
            if box.iou(mark.box) >= _SAME_TILE or (named_alike and apart < _NEAR):
                options.append((apart + (not named_alike), one, other))
    pairs: dict[int, int] = {}
    for _, one, other in sorted(options):
        if one not in pairs and other not in pairs.values():
            pairs[one] = other
    return pairs


def _mark(like: Mark, place: Place) -> Mark:
    """A mark there: a label if the tile is in view, else a suggestion to look at."""
    source, score = (LabelSource.FILM, 1.0) if place.seen else (LabelSource.MODEL, 0.0)
    return replace(like, box=place.box, source=source, score=score)


def _clipped(mark: Mark, width: float, height: float) -> Mark | None:
    """The mark inside the picture; None if most of it lies outside."""
    x0, x1 = (min(max(value, 0.0), width) for value in mark.box.xyxy[::2])
    y0, y1 = (min(max(value, 0.0), height) for value in mark.box.xyxy[1::2])
    inside = Box(x0, y0, x1, y1)
    return replace(mark, box=inside) if inside.area > 0.4 * mark.box.area else None
