"""Ignore regions: boxes of tiles that have no label because too little of them is in view.

A detection there is neither right nor wrong, so training and evaluation skip it. The regions of a picture are stored
as JSON in `records` beside `images`.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tilescore.vision.image.boxes import Box

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


def read_ignore_regions(picture: Path) -> list[Box]:
    """The ignore regions of a rendered scene, in pixels; empty for every other picture."""
    record = _record(picture)
    if not record.is_file():
        return []
    return [Box(*corners) for corners in json.loads(record.read_text(encoding="utf-8")).get("ignore_regions", ())]


def write_ignore_regions(picture: Path, ignore_regions: Iterable[Box]) -> None:
    """Store the ignore regions of a picture that was made from a rendered scene."""
    record = _record(picture)
    record.parent.mkdir(exist_ok=True)
    boxes = [[round(float(value), 1) for value in ignore_region.xyxy] for ignore_region in ignore_regions]
    record.write_text(json.dumps({"ignore_regions": boxes}), encoding="utf-8")


def _record(picture: Path) -> Path:
    return picture.parent.parent / "records" / f"{picture.stem}.json"
