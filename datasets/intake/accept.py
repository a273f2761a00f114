"""Turns the parsed labels of any format into labelled pictures, and lists everything that it leaves out."""

import math
import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Final

from tilescore.datasets.intake.held import held_picture, home_of
from tilescore.datasets.intake.packed import Packed
from tilescore.datasets.intake.pictures import PictureFinder, names_below, split_named, split_of
from tilescore.datasets.intake.raw import LabelError, RawBox, RawPicture, RawSet, around
from tilescore.datasets.labels import UNKNOWN, ClassName, LabelledBox, LabelledPicture, LabelSet, Problem
from tilescore.datasets.names.class_names import settle
from tilescore.datasets.names.resolve import propose
from tilescore.datasets.parts import Part
from tilescore.datasets.pictures.picture_files import PictureFrame, frame_of, lies_inside
from tilescore.errors import InputError
from tilescore.files.plain import open_plain, require_size
from tilescore.printable import printable
from tilescore.processes.progress import Progress, unseen
from tilescore.vision.image.boxes import Box
from tilescore.vision.image.config import PHOTO_LIMITS

Look = Callable[[Path, Sequence[Sequence[LabelledBox]]], int | None]
"""Looks at a picture and tells which of several sets of boxes fits it; None if it cannot tell."""


_NOTES: Final = {
    "polygon": "polygons and turned boxes that became the upright boxes around them",
    "box_outside": "boxes that reached out of their pictures and were cut at the edge",
    "turned": "pictures whose labels lay in the stored pixels and were turned upright with them",
    "turned_by_look": "pictures that are stored turned and whose tiles the model found where the labels lie in the "
    "stored pixels, so that the labels were turned with them",
    "open_suggestions": "tiles that the model suggests and nobody has accepted, so that they have no label; accept or "
    "delete them with tilescore annotate",
    "taken_as_upright": "pictures that are stored turned (EXIF) and whose labels do not tell whether they follow; "
    "taken as upright, so turn the files themselves if the boxes lie wrong",
}
_WITHOUT_AREA: Final = ("empty_box", "box_elsewhere")
"""Problems of shapes that cover no pixel of their picture, so that no tile is under them."""
_MIN_CUT_PX: Final = 0.5
"""A box that reaches less far out of the picture is cut without a note: programs round."""


class _SkipError(InputError):
    """The reason to skip a picture or box."""


class _Account:
    """What is left out; and how often something was changed, with the first place."""

    def __init__(self, problems: Iterable[Problem] = ()) -> None:
        self.problems = list(problems)
        self._first: dict[str, str] = {}
        self._counts: Counter[str] = Counter()

    def note(self, code: str, where: str, count: int = 1) -> None:
        if count:
            self._first.setdefault(code, where)
            self._counts[code] += count

    def notes(self) -> list[Problem]:
        return [Problem(code, where, f"{_NOTES[code]}: {self._counts[code]}") for code, where in self._first.items()]


def accept(
    raw: RawSet,
    *,
    format_name: str,
    settled: Mapping[str, str | None] | None = None,
    look: Look | None = None,
    progress: Progress = unseen,
    keep_open: bool = False,
) -> LabelSet:
    """Check the raw pictures and boxes: keep the sound ones and list the others as problems.

    `settled` is what a person says about class names; see `tilescore.datasets.formats.read` for the others.
    """
    account = _Account(raw.problems)
    classes = meanings(raw, settled or {})
    tiles = {kind.name: kind.tile for kind in classes if kind.sure and kind.tile is not None}
    still = frozenset(kind.name for kind in classes if kind.is_open)
    if keep_open:
        tiles |= {kind.name: _kept_open(kind.name) for kind in classes if kind.is_open}
    places = _places(raw, PictureFinder(raw.root))
    pictures: list[LabelledPicture] = []
    for done, (entry, path) in enumerate(zip(raw.pictures, places, strict=True), start=1):
        progress(done, len(places))
        before = len(account.problems)
        try:
            if isinstance(path, _SkipError):
                raise path
            picture = _picture(entry, path, raw.root, tiles, account, look=look)
            hidden = sum(box.name in still for box in entry.boxes) + entry.lost
            hidden += sum(problem.code not in _WITHOUT_AREA for problem in account.problems[before:])
            pictures.append(replace(picture, hidden=0 if keep_open else hidden) if hidden else picture)
        except _SkipError as skip:
            account.problems.append(Problem(skip.code, entry.where, str(skip), len(entry.boxes)))
    account.problems += _left_out([kind for kind in classes if kind.name not in tiles], raw, places)
    accepted = _distinct(_without_common_folder(pictures, raw.root), raw.root)
    accepted.sort(key=lambda picture: (picture.split, picture.name))
    return LabelSet(
        raw.root, format_name, tuple(accepted), tuple(account.problems), (*raw.notes, *account.notes()), classes,
        raw.source, raw.numbered,
    )  # fmt: skip


def _kept_open(name: str) -> str:
    """The name under which a shape of an open name is kept: one line, in any file of names."""
    return name if name.startswith(UNKNOWN) else UNKNOWN + " ".join(printable(name).split())


def meanings(raw: RawSet, settled: Mapping[str, str | None]) -> tuple[ClassName, ...]:
    """What each class name of a set means: as a person settled it, else as the list suggests."""
    counts = Counter(box.name for entry in raw.pictures for box in entry.boxes)
    names = list(dict.fromkeys([*raw.names, *sorted(counts)]))
    if raw.numbered:
        names.sort(key=lambda name: (len(name), name))
        proposed = tuple(ClassName(name, None, sure=False, count=counts[name]) for name in names)
    else:
        proposed = propose(names, counts)
    return settle(proposed, settled)


def _left_out(classes: Iterable[ClassName], raw: RawSet, places: Sequence[Path | _SkipError]) -> list[Problem]:
    """A problem for each class name whose boxes are left out."""
    lost: Counter[str] = Counter()
    first: dict[str, str] = {}
    for entry, path in zip(raw.pictures, places, strict=True):
        if isinstance(path, Path):
            for box in entry.boxes:
                lost[box.name] += 1
                first.setdefault(box.name, entry.where)
    problems: list[Problem] = []
    for kind in classes:
        count = lost[kind.name]
        if not count:
            continue
        boxes = f"{count} box{'es' if count > 1 else ''}"
        if kind.sure:
            problems.append(Problem("no_tile", first[kind.name], f"'{kind.name}' is no tile: {boxes}", count))
        else:
            maybe = f", perhaps {' or '.join(kind.candidates[:3])}" if kind.candidates else ""
            detail = f"what tile is '{kind.name}'{maybe}? {boxes}; say it with --names"
            problems.append(Problem("unknown_class", first[kind.name], detail, count))
    return problems


def _places(raw: RawSet, finder: PictureFinder) -> list[Path | _SkipError]:
    """The file of each picture, or why it is skipped.

    A label file that holds its picture needs no other file, and shares none with another.
    """
    places = [_place(entry, finder) for entry in raw.pictures]
    described = Counter(places)
    for at, (entry, place) in enumerate(zip(raw.pictures, places, strict=True)):
        is_alone = not isinstance(place, _SkipError) and (place in entry.candidates or described[place] == 1)
        if entry.held is not None and not is_alone:
            try:
                places[at] = held_picture(entry, raw.root)
            except InputError as error:
                places[at] = _SkipError("unreadable_picture", str(error))
    described = Counter(places)
    for at, (entry, place) in enumerate(zip(raw.pictures, places, strict=True)):
        if isinstance(place, Path) and described[place] > 1:
            message = f"the picture '{entry.name}' is described {described[place]} times; all are skipped"
            places[at] = _SkipError("same_name", message)
    return places


def _place(entry: RawPicture, finder: PictureFinder) -> Path | _SkipError:
    """The file of a picture, or why there is none."""
    path = next((path for path in entry.candidates if _is_file(path)), None)
    if path is None:
        files = finder.find([entry.name, *entry.other_names], near=entry.near)
        if len(files) > 1:
            listed = " and ".join(f"'{file.relative_to(finder.root).as_posix()}'" for file in files[:3])
            return _SkipError("ambiguous_picture", f"the picture '{entry.name}' may be {listed}: say the folder")
        path = files[0] if files else None
    if path is None:
        return _SkipError("no_such_picture", f"the picture '{entry.name}' is not there")
    if not lies_inside(path, finder.root):
        return _SkipError("leaves_folder", f"the picture '{entry.name}' is a link that leads out of the folder")
    return path


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a name too long, or with a zero byte
        return False


def _picture(
    entry: RawPicture, path: Path, root: Path, tiles: Mapping[str, str], account: _Account, *, look: Look | None
) -> LabelledPicture:
    try:
        with open_plain(path) as file:
            require_size(os.fstat(file.fileno()).st_size, PHOTO_LIMITS.max_bytes, path)
            frame = frame_of(path, file)
    except (InputError, OSError):
        raise _SkipError("unreadable_picture", f"the picture '{entry.name}' cannot be read") from None
    as_stored = _follows_stored(entry, frame)
    named = [box for box in entry.boxes if box.name in tiles]
    boxes = _sound(named, entry, frame if as_stored else PictureFrame(frame.upright_wh), tiles, account)
    if as_stored is None:
        turned = _sound(named, entry, frame, tiles, _Account())
        choice = look(path, (boxes, turned)) if look is not None and boxes else None
        if choice == 1:
            boxes = turned
        if boxes:
            account.note("turned_by_look" if choice == 1 else "taken_as_upright", entry.where)
    elif as_stored and frame.orientation != 1:
        account.note("turned", entry.where)
    if entry.held is not None and path.is_relative_to(home_of(root)):
        root = home_of(root)
    name, split = names_below(path, root)[0], split_named(entry.split) or entry.split or split_of(path, root)
    account.note("open_suggestions", entry.name, entry.suggestions)
    checked = entry.checked and _means_the_same(entry, tiles)
    return LabelledPicture(path, frame.upright_wh, boxes, name, split, checked, entry.hand, rejected=entry.rejected)


def _means_the_same(entry: RawPicture, tiles: Mapping[str, str]) -> bool:
    """Whether the shapes have the names that a person saw; another list of classes gives a class another name."""
    if len(entry.boxes) != len(entry.checked_names):
        return True
    pairs = zip(entry.boxes, entry.checked_names, strict=True)
    return all(tiles.get(box.name, seen) == seen or seen.startswith(UNKNOWN) for box, seen in pairs)


def _follows_stored(entry: RawPicture, frame: PictureFrame) -> bool | None:
    """Whether labels lie in the stored pixels of a picture; None where only the picture itself can tell."""
    if entry.size_wh is not None and entry.size_wh not in (frame.upright_wh, frame.stored_wh):
        labelled, true = ("x".join(map(str, pair)) for pair in (entry.size_wh, frame.upright_wh))
        raise _SkipError("size_differs", f"the labels are for {labelled} pixels, the picture '{entry.name}' has {true}")
    if frame.orientation == 1:
        return False
    if entry.size_wh is None or frame.upright_wh == frame.stored_wh:
        return False if entry.checked else None  # whoever checked the labels saw them on the upright picture
    # Label Studio writes the stored size beside boxes of the upright picture; a box that only fits upright tells.
    return entry.size_wh == frame.stored_wh and not _fits_only(frame.upright_wh, frame.stored_wh, entry)


def _fits_only(size_wh: tuple[int, int], other_wh: tuple[int, int], entry: RawPicture) -> bool:
    """Whether the boxes in pixels lie inside a picture of the first size, and not inside one of the second."""
    far = [max((box.xyxy[side] for box in entry.boxes), default=0.0) for side in (2, 3)]

    def holds(limits: tuple[int, int]) -> bool:
        return all(value <= limit + 1 for value, limit in zip(far, limits, strict=True))

    return entry.unit == "pixels" and holds(size_wh) and not holds(other_wh)


def _sound(
    raw: Iterable[RawBox], entry: RawPicture, frame: PictureFrame, tiles: Mapping[str, str], account: _Account
) -> Packed[LabelledBox]:
    """The boxes in pixels of the upright picture; the others become problems."""
    boxes: list[LabelledBox] = []
    for raw_box in raw:
        try:
            box, cut_px = upright_box(raw_box, tiles[raw_box.name], frame, unit=entry.unit)
        except LabelError as error:
            account.problems.append(Problem(error.code, entry.where, str(error), 1))
            continue
        boxes.append(box)
        account.note("box_outside", entry.where, int(cut_px > _MIN_CUT_PX))
        account.note("polygon", entry.where, int(bool(raw_box.corners)))
    return Packed(_labelled, ((box.name, box.box.xyxy, box.part, box.corners) for box in boxes))


def _labelled(
    name: str, xyxy: tuple[float, float, float, float], part: Part, corners: tuple[tuple[float, float], ...]
) -> LabelledBox:
    return LabelledBox(name, Box(*xyxy), part, corners)


def upright_box(raw: RawBox, name: str, frame: PictureFrame, *, unit: str) -> tuple[LabelledBox, float]:
    """A box in pixels of the upright picture, and how many pixels were cut off because they lay outside.

    The raw box is in `pixels` or `shares` of the stored picture. Raises LabelError if it is no box inside the picture.
    """
    across, down = frame.stored_wh if unit == "shares" else (1, 1)
    x0, y0, x1, y1 = raw.xyxy
    values = (x0 * across, y0 * down, x1 * across, y1 * down)
    if not all(math.isfinite(value) for value in values):
        raise LabelError("not_a_number", f"a box of '{raw.name}' has {_quoted(raw.xyxy)}: not all are numbers")
    if not (values[2] > values[0] and values[3] > values[1]):
        raise LabelError("empty_box", f"a box of '{raw.name}' has no area: {_quoted(values)}")
    whole = Box(*around([frame.upright(*values[:2]), frame.upright(*values[2:])]))
    width, height = frame.upright_wh
    box = Box(max(whole.x0, 0.0), max(whole.y0, 0.0), min(whole.x1, width), min(whole.y1, height))
    if not (box.width > 0 and box.height > 0):
        raise LabelError("box_elsewhere", f"a box of '{raw.name}' lies outside the picture: {_quoted(whole.xyxy)}")
    cut_px = max(abs(a - b) for a, b in zip(whole.xyxy, box.xyxy, strict=True))
    corners = tuple(frame.upright(x * across, y * down) for x, y in raw.corners)
    return LabelledBox(name, box, raw.part, corners), cut_px


def _quoted(values: tuple[float, ...]) -> str:
    return " ".join(f"{value:g}" for value in values)


def _without_common_folder(pictures: Sequence[LabelledPicture], root: Path) -> list[LabelledPicture]:
    """The pictures with names below the folder that all of them share, such as `data/obj`.

    A set with folders such as `images` and `train` says itself where the names begin.
    """
    if any(picture.path != root / picture.name for picture in pictures):
        return list(pictures)
    folders = {PurePosixPath(picture.name).parent.as_posix() for picture in pictures}
    shared = os.path.commonpath(folders) if folders and "." not in folders else ""
    return [replace(picture, name=picture.name.removeprefix(f"{shared}/")) for picture in pictures]


def _distinct(pictures: Sequence[LabelledPicture], root: Path) -> list[LabelledPicture]:
    """The pictures; those of one name and split have the folders in their names that tell them apart."""
    named = list(pictures)
    for length in (1, 2):
        known = Counter(picture.key for picture in named)
        named = [
            replace(picture, name=names_below(picture.path, root)[length]) if known[picture.key] > 1 else picture
            for picture in named
        ]
    return named
