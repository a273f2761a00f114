"""How often a list of class names in the wrong order is found, and how often a right one is suspected.

    python -m benchmarks.wrong_lists --sets 20

Each set is a random part of the photos of one split. Three kinds of wrong lists are tried: suits exchanged, all names
moved on by one, and names in the order of the alphabet.
"""

import random
from collections import Counter
from dataclasses import replace

from benchmarks.reading.accuracy import PHOTOS
from tests.harness.figures import Figure, command
from tilescore.datasets import formats
from tilescore.datasets.labels import CLASS_NAMES, LabelledPicture
from tilescore.datasets.names.looks import look_at
from tilescore.models.registry import load_reader

_PICTURES = 40
"""Pictures of one set."""
_KINDS = ("right", "exchanged suits", "moved by one", "alphabet")


def _wrong(kind: str) -> dict[str, str]:
    """What each class is called in a list of that kind."""
    if kind == "exchanged suits":
        suits = {"m": "s", "s": "m"}
        return {name: name[:-1] + suits.get(name[-1], name[-1]) if name != "back" else name for name in CLASS_NAMES}
    if kind == "moved by one":
        return dict(zip(CLASS_NAMES, (*CLASS_NAMES[1:], CLASS_NAMES[0]), strict=True))
    return dict(zip(CLASS_NAMES, sorted(CLASS_NAMES), strict=True))


def _renamed(pictures: list[LabelledPicture], names: dict[str, str]) -> list[LabelledPicture]:
    return [replace(p, boxes=tuple(replace(box, name=names[box.name]) for box in p.boxes)) for p in pictures]


def wrong_lists(sets: int = 20) -> list[Figure]:
    """Of each kind of list: how many were called wrong."""
    namer = load_reader("tiles46").classifier
    if namer is None:
        raise SystemExit("the model has no classifier")
    every = formats.read(PHOTOS).pictures
    called: Counter[str] = Counter()
    for number in range(sets):
        split = ("train", "val", "test_unseen")[number % 3]
        mine = [picture for picture in every if picture.split == split and picture.boxes]
        part = random.Random(number).sample(mine, min(_PICTURES, len(mine)))
        for kind in _KINDS:
            given = part if kind == "right" else _renamed(part, _wrong(kind))
            called[kind] += look_at(given, namer).list_is_wrong
    return [Figure(f"{kind}: called wrong, of {sets}", called[kind]) for kind in _KINDS]


if __name__ == "__main__":
    command(wrong_lists)
