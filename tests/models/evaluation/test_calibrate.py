"""What fitting learns from: tiles and what is none, not what nobody can judge."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pytest

from tilescore.datasets.labels import LabelledBox
from tilescore.models.evaluation.calibrate import Evidence, evidence_in, fit, joined
from tilescore.models.evaluation.matching import Labelled
from tilescore.scoring.tiles import Tile
from tilescore.vision.detections import Candidate, Proposal
from tilescore.vision.image.boxes import Box
from tilescore.vision.image.photo import Photo

if TYPE_CHECKING:
    from tilescore.vision.reader import TileReader

HERE, BELOW, BESIDE = Box(10, 10, 40, 50), Box(10, 60, 40, 100), Box(60, 10, 90, 50)


@dataclass
class Sees:
    """An reader that sees the same in every photo, the surest first."""

    boxes: tuple[Box, ...] = (HERE, BELOW, BESIDE)
    classifier = "one"

    def propose(self, _: Photo) -> tuple[Proposal, ...]:
        """Those."""
        return tuple(Proposal(box, (Candidate(Tile.parse("1m"), 0.5),)) for box in self.boxes)

    def probabilities(self, _: Any, boxes: tuple[Box, ...]) -> np.ndarray:
        """None."""
        return np.full((len(boxes), 47), 1 / 47, np.float32)


def given(*ignore_regions: Box) -> Evidence:
    photo = Photo("photo", np.zeros((120, 120, 3), np.uint8), (120, 120))
    labelled = Labelled(photo, Box(0, 0, 120, 120), (LabelledBox("back", HERE),), ignore_regions=ignore_regions)
    return evidence_in(cast("TileReader", Sees()), [labelled])


@pytest.mark.parametrize(
    ("ignore_regions", "truths"), [((), [45, -1, -1]), ((BESIDE,), [45, -1, -2]), ((HERE, BELOW), [45, -2, -1])]
)
def test_what_is_glimpsed_is_neither_a_tile_nor_none(ignore_regions: tuple[Box, ...], truths: list[int]) -> None:
    assert given(*ignore_regions).truths.tolist() == truths


def test_what_is_glimpsed_teaches_nothing() -> None:
    rng = np.random.default_rng(0)
    many = joined([given(BESIDE)] * 30)
    odds = many.odds + rng.normal(0, 1, many.odds.shape) + 2 * (many.truths >= 0)[:, None]
    likely, unlikely = (
        replace(many, odds=np.where((many.truths == -2)[:, None], value, odds)) for value in (3.0, -3.0)
    )
    assert fit(likely).presence == fit(unlikely).presence
    none = replace(unlikely, truths=np.where(many.truths == -2, -1, many.truths))
    assert fit(none).presence != fit(unlikely).presence
