"""How often a list of class names in the wrong order is found, and how often a right one is suspected.

    python -m benchmarks.wrong_lists --sets 20

Each set is a random part of the photos of one split. Three kinds of wrong lists are tried: suits exchanged, all names
moved on by one, and names in the order of the alphabet.
"""

from __future__ import annotations

import argparse
import random
from dataclasses import replace

from benchmarks.reading.accuracy import PHOTOS
from tilescore.datasets import formats
from tilescore.datasets.labels import CLASS_NAMES, LabelledPicture
from tilescore.datasets.names.looks import Namer, look_at
from tilescore.models.registry import load_reader

_PICTURES = 40
"""Pictures of one set."""


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


def measure(sets: int, namer: Namer) -> dict[str, tuple[int, int]]:
    """Of each kind of list: how many were called wrong, of how many."""
    every = formats.read(PHOTOS).pictures
    counts: dict[str, tuple[int, int]] = {}
    for number in range(sets):
        split = ("train", "val", "test_unseen")[number % 3]
        mine = [picture for picture in every if picture.split == split and picture.boxes]
        part = random.Random(number).sample(mine, min(_PICTURES, len(mine)))
        for kind in ("right", "exchanged suits", "moved by one", "alphabet"):
            given = part if kind == "right" else _renamed(part, _wrong(kind))
            called = look_at(given, namer).list_is_wrong
            found, total = counts.get(kind, (0, 0))
            counts[kind] = (found + called, total + 1)
    return counts


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", type=int, default=20)
    namer = load_reader("tiles46").classifier
    if namer is None:
        raise SystemExit("the model has no classifier")
    for kind, (found, total) in measure(parser.parse_args().sets, namer).items():
        print(f"{kind:<16} called wrong: {found} of {total}")


if __name__ == "__main__":
    main()
