"""The features of some tables, on which the weights of the layout rest, and the readings of simulated tables.

python -m tests.vision.layout.measured     # write features.json anew: new features need new weights (make fit-layout)
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from tests.vision.table import lay, tiles
from tilescore.datasets.layouts.tables import table_of
from tilescore.scoring.tiles import ALL_FACES
from tilescore.vision.decoding.reading import Reading
from tilescore.vision.detections import Candidate
from tilescore.vision.image.boxes import Box
from tilescore.vision.layout.contents import contents_of
from tilescore.vision.layout.layout import Layout, Role, lay_out
from tilescore.vision.layout.scene import Scene
from tilescore.vision.layout.selection_features import FEATURES, feature_rows
from tilescore.vision.layout.selections import selections
from tilescore.vision.layout.structure_features import FEATURES as STRUCTURE_FEATURES
from tilescore.vision.layout.structure_features import Measure
from tilescore.vision.layout.structures import structures

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tilescore.vision.detections import Detection

SIZE_WH: Final = (1200, 900)
KEPT: Final = Path(__file__).with_name("features.json")
_TABLES, _SEED = 40, 20261126
_TEN: Final = tiles("123m456p789s1z")


def leaning(found: list[Detection], slope: float) -> list[Detection]:
    """The same tiles seen from one side: those on the right are larger by this share of 1,000 pixels."""

    def larger(box: Box) -> Box:
        return box.scaled(1 + slope * (box.x0 + box.x1) / 2000)

    return [replace(one, box=larger(one.box)) for one in found]


TABLES: Final[dict[str, list[Detection]]] = {
    "a row": lay(tiles("123m456p789s11222z")),
    "a winner apart": lay(f"{tiles('123m456p789s1z222z')} 1z"),
    "a claimed pung, tilted": lay(f"{_TEN}1z 5z'5z5z", angle_deg=12),
    "a claimed chow, from the side": leaning(lay(f"{_TEN}1z 3s'1s2s", angle_deg=-8), 0.3),
    "an added kong": lay(f"{_TEN}1z 5z5z'^5z5z"),
    "a concealed kong and flowers": lay(f"{_TEN}1z .5z5z. 1f3q"),
    "two claims above the hand": [*lay(tiles("456m77p")), *lay("2s'2s2s 7z7z'7z 1p2p3p'", y=300, size=0.9)],
    "upside down": lay(f"{_TEN}1z 5z5z5z'", x=900, angle_deg=180),
    "two rows beside discards": [
        *lay(tiles("123m456p789s11222z"), y=700),
        *lay(tiles("19m28p3s4z5m6p"), y=200, x=300, size=0.8),
        *lay(tiles("7s1m9p"), y=260, x=330, size=0.8, angle_deg=7),
    ],
    "behind a wall with an indicator": [*lay(tiles("123m456p789s1122z"), y=650), *lay(f"....{tiles('4p')}....", y=150)],
    "thirteen, on end": lay(tiles("119m258p3679s12z"), x=600, y=80, angle_deg=88),
}


def numbers(found: list[Detection]) -> dict[str, list[float] | str]:
    """What the layout measures on a table and makes of it: the mean of each feature, and its spread over the list."""
    scene = Scene.of(found, SIZE_WH)
    chosen = selections(scene)
    whole = max(chosen, key=lambda some: (len(some) <= 18, len(some), sorted(some)))
    some = list(structures(scene, whole))
    return {
        "counts": [len(chosen), len(some)],
        "selections": _told(feature_rows(scene, chosen, contents_of(scene, chosen))),
        "structures": _told(Measure(scene).rows(some)),
        "layout": _layout(lay_out(found, size_wh=SIZE_WH)),
        "fixed": _layout(lay_out(found, _fixed(len(found)), size_wh=SIZE_WH, is_win=True)),
    }


def _fixed(count: int) -> dict[int, Role]:
    """What a person says of four of the tiles."""
    return {0: Role.OTHER, 3: Role.CONCEALED, count // 2: Role.MELD, count - 1: Role.WINNING}


def readings() -> list[str]:
    """The readings of simulated tables in which some names are unsure, each with and without a declared win."""
    return [
        _read(Reading.of(unsure(photo.detections), size_wh=photo.size_wh, is_win=is_win))
        for photo in (table_of(_SEED, index) for index in range(_TABLES))
        for is_win in (False, True)
    ]


def unsure(found: Sequence[Detection]) -> list[Detection]:
    """The same tiles; every fifth may be another face, and every other one of these rather is."""
    changed = []
    for at, one in enumerate(found):
        other = ALL_FACES[(ALL_FACES.index(one.tile) + 1 + at % 3) % len(ALL_FACES)]
        names = [Candidate(one.tile, 0.5), Candidate(other, 0.46)]
        changed.append(replace(one, names=tuple(names[:: -1 if at % 10 else 1])) if at % 5 == 0 else one)
    return changed


def _read(reading: Reading) -> str:
    """A reading in a line: its layout, its hand, what is doubtful, and how probable it is."""
    names = " ".join(str(one.tile) for one in reading.detections)
    doubts = [(doubt.code, doubt.detection, doubt.candidates) for doubt in reading.doubts]
    shares = [float(f"{claim.probability:.2g}") for claim in reading.layout.claims]
    return f"{_layout(reading.layout)} {names} {doubts} {shares}"


def _layout(found: Layout) -> str:
    """The layout in a line."""
    roles = "".join(role[0] for role in found.roles)
    melds = [(meld.members, meld.called, str(meld.source)) for meld in found.melds]
    claims = [(len(claim.members), claim.complete) for claim in found.claims]
    return f"{roles} {found.groups} {melds} {sorted(found.turned)} {found.open_sets} {claims}"


def _told(rows: np.ndarray) -> list[float]:
    place = np.linspace(1, 2, len(rows))  # a change that only moves a value from one row to another shows, too
    return [float(f"{value:.5g}") for value in (*rows.mean(axis=0), *(place @ rows / len(rows)))]


NAMES: Final = {"selections": FEATURES, "structures": STRUCTURE_FEATURES}

if __name__ == "__main__":
    lines = [f"{json.dumps(name)}: {json.dumps(numbers(found))}" for name, found in TABLES.items()]
    lines.append('"simulated": [\n' + ",\n".join(map(json.dumps, readings())) + "\n]")
    KEPT.write_text("{" + ",\n".join(lines) + "}\n", encoding="utf-8")
