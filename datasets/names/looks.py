"""Lets a model look at crops of each class, and tells whether the list of names fits the pictures.

A list in the wrong order is quiet: every box has a sound name, and all of them are wrong. The crops tell. If the model
is confident that a class shows another tile than its name says, for many classes, the list belongs to other labels.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from tilescore.datasets.labels import CLASS_NAMES, LabelledBox, LabelledPicture, Problem
from tilescore.errors import InputError
from tilescore.processes.progress import Progress, unseen
from tilescore.scoring.tiles import Tile
from tilescore.vision.image.boxes import Box
from tilescore.vision.image.photo import load_photo


class Namer(Protocol):
    """Names tiles from their boxes; `tilescore.vision.classification.classifier` has one."""

    def classify(self, rgb: NDArray[np.uint8], boxes: Sequence[Box]) -> NDArray[np.float32]:
        """Probabilities (N, 47) of the 46 faces and of `no tile`."""


# How much is looked at, and when a list is wrong; chosen on the photos of this project with shuffled lists.

_CROPS: Final = 5
"""Crops of one class."""
_PICTURES: Final = 160
"""Pictures that are decoded at most."""
_MIN_SIDE_PX: Final = 12.0
"""A box with a shorter side is too small to judge."""
_SURE: Final = 0.7
"""The model names a crop if its best probability is at least this."""
_MIN_CROPS: Final = 2
"""A class is judged from this number of named crops on."""
_AGREE: Final = 0.6
"""The share of a class's crops with one name from which on the class shows that tile."""
_MIN_WRONG: Final = 3
"""This many classes have to show another tile before the list is wrong."""
_WRONG: Final = 0.2
"""This share of all judged classes has to show another tile, too, before the list is wrong."""
_EMPTY: Final = 0.5
"""Crops that show no tile have at least this probability of it."""
_CLEAR: Final = 1.5
"""How much likelier one set of boxes has to be than another, as a ratio of tiles found."""


@dataclass(frozen=True, slots=True)
class SetLook:
    """What a model sees in the crops of the classes."""

    # the tile that the crops of a class show, and the share of them that do; by the class's tile
    seen: Mapping[str, tuple[str, float]]
    wrong: tuple[str, ...]  # the classes, by their tile, whose crops show another tile

    @property
    def list_is_wrong(self) -> bool:
        """Whether so many classes show other tiles that the list belongs to other labels."""
        few = len(self.wrong) < _MIN_WRONG
        return not few and len(self.wrong) >= _WRONG * len(self.seen)

    @property
    def note(self) -> Problem | None:
        """The warning about a list in the wrong order; None if the list fits."""
        if not self.list_is_wrong:
            return None
        shown = ", ".join(f"pictures of {self.seen[name][0]} under {name}" for name in self.wrong[:4])
        more = f" and {len(self.wrong) - 4} more" if len(self.wrong) > 4 else ""
        detail = (
            f"the list of names does not fit the pictures: {shown}{more} ({len(self.wrong)} of {len(self.seen)} "
            "classes looked at); is it in the wrong order? Say what the names mean with --names"
        )
        return Problem("list_does_not_fit", "names", detail)


def look_at(pictures: Sequence[LabelledPicture], namer: Namer) -> SetLook:
    """Let the model name some crops of each class."""
    votes: dict[str, list[str]] = defaultdict(list)
    for picture, boxes in _sample(pictures):
        try:
            photo = load_photo(picture.path)
        except InputError:
            continue
        probabilities = namer.classify(photo.rgb, [label.box.scaled(1 / photo.scale) for label in boxes])[:, :-1]
        for labelled, row in zip(boxes, probabilities, strict=True):
            best = int(row.argmax())
            if row[best] >= _SURE:
                votes[labelled.name].append(CLASS_NAMES[best])
    seen: dict[str, tuple[str, float]] = {}
    for name, named in votes.items():
        tile, count = Counter(named).most_common(1)[0]
        if len(named) >= _MIN_CROPS:
            seen[name] = (tile, count / len(named))
    wrong = tuple(
        name for name, (tile, share) in seen.items()
        if share >= _AGREE and Tile.parse(tile).plain != Tile.parse(name).plain
    )  # fmt: skip
    return SetLook(seen, wrong)


def named(
    pictures: Iterable[LabelledPicture],
    namer: Namer,
    *,
    allowed: Mapping[str, frozenset[str]],
    progress: Progress = unseen,
) -> list[LabelledPicture]:
    """The pictures with names for boxes whose labels only say where a tile lies.

    `allowed` has the tiles that may lie under each name, at least one; boxes of other names stay as they are. A box
    that the model does not name surely is left out, and counts as hidden in its picture.
    """
    columns = {name: [CLASS_NAMES.index(tile) for tile in sorted(tiles)] for name, tiles in allowed.items()}
    renamed: list[LabelledPicture] = []
    for done, picture in enumerate(every := list(pictures), start=1):
        photo = load_photo(picture.path)
        rows = namer.classify(photo.rgb, [label.box.scaled(1 / photo.scale) for label in picture.boxes])
        kept: list[LabelledBox] = []
        for labelled, row in zip(picture.boxes, rows, strict=True):
            allowed_columns = columns.get(labelled.name)
            best = max(allowed_columns, key=lambda at: float(row[at])) if allowed_columns else -1
            if not allowed_columns or row[best] >= _SURE:
                kept.append(replace(labelled, name=CLASS_NAMES[best]) if allowed_columns else labelled)
        hidden = picture.hidden + len(picture.boxes) - len(kept)
        renamed.append(replace(picture, boxes=tuple(kept), hidden=hidden))
        progress(done, len(every))
    return renamed


def crops_of(
    pictures: Iterable[LabelledPicture], *, count: int = _CROPS
) -> dict[str, list[tuple[LabelledPicture, LabelledBox]]]:
    """Some boxes of each class, from as many pictures as possible, the largest of each picture first."""
    chosen: dict[str, list[tuple[LabelledPicture, LabelledBox]]] = defaultdict(list)
    rest: dict[str, list[tuple[LabelledPicture, LabelledBox]]] = defaultdict(list)
    for picture in pictures:
        used: set[str] = set()
        for labelled in sorted(picture.boxes, key=lambda label: -label.box.area):
            place = rest if labelled.name in used else chosen
            used.add(labelled.name)
            if len(place[labelled.name]) < count:
                place[labelled.name].append((picture, labelled))
    return {name: [*boxes, *rest.get(name, ())][:count] for name, boxes in chosen.items()}


def _sample(pictures: Sequence[LabelledPicture]) -> list[tuple[LabelledPicture, list[LabelledBox]]]:
    """Pictures with the boxes to look at: some of each class, from few pictures."""
    wanted: Counter[str] = Counter()
    sample: list[tuple[LabelledPicture, list[LabelledBox]]] = []
    step = max(1, len(pictures) // (4 * _PICTURES))
    for picture in pictures[::step]:
        chosen: list[LabelledBox] = []
        taken: Counter[str] = Counter()
        for labelled in picture.boxes:
            room = labelled.name in CLASS_NAMES and wanted[labelled.name] < _CROPS and taken[labelled.name] < 2
            if room and labelled.box.short_side >= _MIN_SIDE_PX:
                chosen.append(labelled)
                wanted[labelled.name] += 1
                taken[labelled.name] += 1
        if chosen:
            sample.append((picture, chosen))
        if len(sample) >= _PICTURES:
            break
    return sample


def better_boxes(path: Path, choices: Sequence[tuple[LabelledBox, ...]], namer: Namer) -> int | None:
    """Which of several sets of boxes holds clearly more tiles of their names; None if the model cannot tell."""
    try:
        photo = load_photo(path)
    except InputError:
        return None
    tiles = [[label for label in boxes if label.name in CLASS_NAMES] for boxes in choices]
    if not all(tiles):
        return None
    scores: list[float] = []
    for boxes in tiles:
        rows = namer.classify(photo.rgb, [label.box.scaled(1 / photo.scale) for label in boxes])
        scores.append(float(sum(row[CLASS_NAMES.index(label.name)] for row, label in zip(rows, boxes, strict=True))))
    best, second = sorted(scores, reverse=True)[:2]
    if best < _EMPTY or best < _CLEAR * second:
        return None
    return scores.index(best)
