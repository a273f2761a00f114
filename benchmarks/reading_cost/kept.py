"""What a faster reading must keep: tile F1, calibration and exact hands, on the photos on which they were measured."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from benchmarks.reading.accuracy import PHOTOS
from tests.harness.figures import Figure, at_least, at_most

if TYPE_CHECKING:
    from tilescore.vision.decoding.reading import Reading

LAYOUTS: Final = PHOTOS.parent / "layouts" / "layouts.jsonl"
_BEFORE: Final = {"val": 0.9947, "test": 0.9550}
"""Tile F1 with up to three passes and four views of each tile (25 November 2026, experiment E104)."""
_ALLOWED: Final = 0.003
_HANDS_BEFORE: Final = 114
"""Exact hands of the layout photos at that time, of 120."""


def kept_accuracy() -> list[Figure]:
    """Tile F1 and calibration error of both splits, and exact hands of the layout photos; nothing without photos."""
    if not LAYOUTS.is_file():
        print("../shared holds no photos: accuracy is not measured", file=sys.stderr)
        return []
    from tilescore.models.evaluation.metrics import evaluate

    figures = []
    for split, before in _BEFORE.items():
        result = evaluate(PHOTOS / "data.yaml", split=split)
        figures += [
            at_least(f"tile F1, {result['photos']} photos of {split}", result["tile_f1"], before - _ALLOWED),
            at_most(f"calibration error, {split}", result["ece"], 0.03),
        ]
    return [*figures, layout_hands()]


def layout_hands() -> Figure:
    """Number of layout photos whose hand is read exactly: the names of all its tiles, read from the pixels."""
    from tilescore.models.registry import load_reader
    from tilescore.vision.image.photo import load_photo

    reader, exact, hands = load_reader(), 0, 0
    for line in LAYOUTS.read_text(encoding="utf-8").splitlines():
        judged: dict[str, Any] = json.loads(line)
        if judged["photo"] is None or judged["kind"] in ("any", "no_hand"):
            continue
        reading = reader.read(load_photo(PHOTOS / Path(judged["photo"])))
        hands += 1
        exact += _names_read(reading) == _names_judged(judged)
    return at_least(f"exact hands, {hands} layout photos", exact, _HANDS_BEFORE)


def _names_read(reading: Reading) -> Counter[str]:
    members = {*reading.concealed, *(index for place in reading.layout.melds for index in place.members)}
    return Counter(str(reading.detections[index].tile) for index in members)


def _names_judged(judged: dict[str, Any]) -> Counter[str]:
    truth = judged["truth"]
    members = {*truth["concealed"], *(index for meld in truth["melds"] for index in meld["members"])}
    names = (truth["names"].get(str(index), judged["detections"][index]["tile"]) for index in members)
    return Counter([*names, *truth["missing"]])
