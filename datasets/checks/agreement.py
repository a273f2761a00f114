"""What a model sees in every labelled tile of a set: agreement by class, the most suspicious crops, samples."""

import heapq
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tilescore.datasets.checks.finding import Place
from tilescore.datasets.labels import CLASS_NAMES, LabelledBox, LabelledPicture
from tilescore.datasets.names.looks import Namer, crops_of
from tilescore.errors import InputError
from tilescore.processes.progress import Progress, unseen
from tilescore.vision.image.crops import crop
from tilescore.vision.image.photo import Photo, load_photo

WITHOUT_TILE: Final = "no tile"
"""What the model says of a box without a tile."""
SAMPLE_PX: Final = 96
"""Side of a sample in pixels."""
_SAMPLE_MARGIN: Final = 1.15
_MOST_PICTURES: Final = 2000
"""At most so many pictures are looked at, evenly over the set. Chosen, like the others."""
_SUSPECTS: Final = 48
"""So many crops are kept, the most suspicious ones."""
_SAMPLES: Final = 8
"""Crops of each class."""


@dataclass(frozen=True, slots=True, order=True)
class Suspect:
    """A label with the probabilities that the model gives to it, and to the name that it has seen instead."""

    own: float
    best: float
    labelled: str
    seen: str
    place: Place = field(compare=False)


@dataclass(frozen=True, slots=True)
class Agreement:
    """What a model sees in so many pictures of a set."""

    pictures: int
    compared: Mapping[str, int]  # number of labels of each class that the model has named; empty if no model has looked
    alike: Mapping[str, int]  # number of those that it names as the label does
    suspects: tuple[Suspect, ...]  # the most suspicious labels, the worst first
    samples: Mapping[str, tuple[NDArray[np.uint8], ...]]  # RGB crops (SAMPLE_PX, SAMPLE_PX, 3) of each class

    @property
    def share(self) -> float | None:
        """The share of the labels that the model names alike; None if it has named none."""
        total = sum(self.compared.values())
        return sum(self.alike.values()) / total if total else None


def agreement(pictures: Sequence[LabelledPicture], namer: Namer | None, *, progress: Progress = unseen) -> Agreement:
    """Look at every labelled tile; without a model, there are samples alone.

    Pictures that cannot be decoded are passed over.
    """
    chosen = pictures[:: -(-len(pictures) // _MOST_PICTURES)] if pictures else ()
    sampled = crops_of(chosen, count=_SAMPLES)
    wanted = {(picture.key, label.box) for places in sampled.values() for picture, label in places}
    compared: Counter[str] = Counter()
    alike: Counter[str] = Counter()
    worst: list[Suspect] = []
    samples: dict[str, list[NDArray[np.uint8]]] = defaultdict(list)
    for done, picture in enumerate(chosen, start=1):
        try:
            photo = load_photo(picture.path)
        except InputError:
            continue
        for label in picture.boxes:
            if (picture.key, label.box) in wanted:
                square = label.box.scaled(1 / photo.scale).squared()
                samples[label.name].append(crop(photo.rgb, square, side=SAMPLE_PX, margin=_SAMPLE_MARGIN))
        opinions = [] if namer is None else _looked_at(picture, photo, namer)
        compared.update(opinion.labelled for opinion in opinions)
        alike.update(opinion.labelled for opinion in opinions if opinion.seen == opinion.labelled)
        others = [opinion for opinion in opinions if opinion.seen != opinion.labelled]
        worst = heapq.nsmallest(_SUSPECTS, [*worst, *others])
        progress(done, len(chosen))
    return Agreement(
        len(chosen), compared, alike, tuple(worst), {name: tuple(crops) for name, crops in samples.items()}
    )


def _looked_at(picture: LabelledPicture, photo: Photo, namer: Namer) -> list[Suspect]:
    """What the model sees in each label of a tile."""
    labels: list[LabelledBox] = [label for label in picture.boxes if label.name in CLASS_NAMES]
    rows = namer.classify(photo.rgb, [label.box.scaled(1 / photo.scale) for label in labels])
    names = (*CLASS_NAMES, WITHOUT_TILE)
    return [
        Suspect(
            float(row[names.index(label.name)]), float(row.max()), label.name, names[int(row.argmax())],
            Place(picture.key, picture.path, (label.box,)),
        )
        for label, row in zip(labels, rows, strict=True)
    ]  # fmt: skip
