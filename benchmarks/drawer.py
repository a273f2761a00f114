"""From a set in a drawer to a model that reads it: `python -m benchmarks.drawer` (extra `train`; minutes).

The set shows tiles whose artwork is outside the training data (Debian's package kdegames-mahjongg-data-kf5), and has
the form of a public set: folders as Roboflow writes them, foreign class names, and numbers in the order of the
alphabet. The four commands of docs/datasets.md run on it as a person runs them. The figures come from the photos of
`valid`, which the training does not see.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.reading.misread_set import ARTWORK, write_misread_set
from tests.harness.figures import Figure, at_least, at_most, command
from tilescore.datasets.labels import CLASS_NAMES
from tilescore.processes.parallel import Pool

_SUITS = {"m": "man", "p": "pin", "s": "sou"}
_HONOURS = ("ton", "nan", "sha", "pei", "white_dragon", "green_dragon", "red_dragon")
_FLOWERS = ("plum", "orchid", "chrysanthemum", "bamboo_flower")
_SEASONS = ("spring", "summer", "autumn", "winter")


def foreign_name(tile: str) -> str:
    """What the public set calls a tile.

    >>> foreign_name("5m"), foreign_name("0p"), foreign_name("1z"), foreign_name("2q"), foreign_name("back")
    ('5_man', '5_pin_red', 'ton', 'summer', 'back')
    """
    if tile == "back":
        return tile
    rank, suit = int(tile[0]), tile[1]
    if suit in _SUITS:
        return f"{rank}_{_SUITS[suit]}" if rank else f"5_{_SUITS[suit]}_red"
    return {"z": _HONOURS, "f": _FLOWERS, "q": _SEASONS}[suit][rank - 1]


def in_public_form(ours: Path, out: Path) -> int:
    """Write our set as a public one; returns the number of its labels."""
    names = sorted(map(foreign_name, CLASS_NAMES))
    labels = 0
    for split, theirs in (("train", "train"), ("val", "valid")):
        for part in ("images", "labels"):
            (out / theirs / part).mkdir(parents=True)
        for picture in sorted((ours / "images" / split).iterdir()):
            picture.rename(out / theirs / "images" / picture.name)
            text = (ours / "labels" / split / picture.name).with_suffix(".txt").read_text()
            lines = [line.split(maxsplit=1) for line in text.splitlines()]
            renumbered = [f"{names.index(foreign_name(CLASS_NAMES[int(number)]))} {box}\n" for number, box in lines]
            (out / theirs / "labels" / picture.name).with_suffix(".txt").write_text("".join(renumbered))
            labels += len(lines)
    (out / "data.yaml").write_text(f"train: train/images\nval: valid/images\nnames: {json.dumps(names)}\n")
    return labels


def _run(*words: object) -> str:
    """Run one command of tilescore and return what it prints on stdout."""
    command = [sys.executable, "-m", "tilescore.ui.cli.main", *map(str, words)]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout  # noqa: S603  # our own program


def drawer(photos: tuple[int, ...] = (20, 40), steps: int = 400, seed: int = 31, workers: int = 0) -> list[Figure]:
    """The figures of the four commands on a new set: photos of train and valid; 0 workers for all cores."""
    with tempfile.TemporaryDirectory() as place:
        return _measured(Path(place), photos, steps=steps, seed=seed, workers=workers)


def _measured(place: Path, photos: tuple[int, ...], *, steps: int, seed: int, workers: int) -> list[Figure]:
    os.environ["TILESCORE_DATA"] = str(place / "data")
    write_misread_set(
        place / "ours", seed=seed, train=photos[0], val=photos[1], artwork=ARTWORK, pool=Pool(workers=workers)
    )
    public, mine = place / "drawer", place / "myset"
    labels = in_public_form(place / "ours", public)
    start = time.monotonic()
    names: list[dict[str, Any]] = json.loads(_run("dataset", "names", public, "--json"))["classes"]
    known = sum(each["count"] for each in names if each["name"] in CLASS_NAMES)
    _run("dataset", "check", public)
    _run("dataset", "split", public, mine)
    used = sum(len(file.read_text().splitlines()) for file in (mine / "labels").rglob("*.txt"))
    card: dict[str, Any] = json.loads(_run("train", "--data", mine, "--name", "mine", "--steps", steps, "--json"))
    before, after = card["before"], card["after"]
    return [
        Figure("labels of the set", labels),
        Figure("labels that a reader of our names alone can use", known),
        at_least("labels that the commands use", used, labels),
        at_most("names that a person must explain", sum(each["count"] > 0 and not each["sure"] for each in names), 0),
        Figure(f"tile F1 of {before['photos']} held-out photos, before", before["tile_f1"]),
        at_least(f"tile F1 of {after['photos']} held-out photos, after", after["tile_f1"], before["tile_f1"]),
        Figure(f"share of exact photos of {before['photos']}, before", before["whole"]),
        Figure(f"share of exact photos of {after['photos']}, after", after["whole"]),
        at_most("loss of tile F1 on other sets", card["kept_before"]["tile_f1"] - card["kept_after"]["tile_f1"], 0.01),
        Figure("minutes of the four commands", (time.monotonic() - start) / 60),
    ]


if __name__ == "__main__":
    command(drawer)
