"""What is in view of tiles that have no label, since too little is: kept in `records` beside `images`.

Whether something seen there is right or invented nobody can say: nothing is learned from it, and it is not counted.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tilescore.vision.image.boxes import Box

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


def read_ignore_regions(picture: Path) -> list[Box]:
    """Boxes (pixels) of such tiles in a rendered scene; none in any other picture."""
    record = _record(picture)
    if not record.is_file():
        return []
    return [Box(*corners) for corners in json.loads(record.read_text(encoding="utf-8")).get("ignore_regions", ())]


def write_ignore_regions(picture: Path, ignore_regions: Iterable[Box]) -> None:
    """Keep them for a picture made of a rendered scene."""
    record = _record(picture)
    record.parent.mkdir(exist_ok=True)
    boxes = [[round(float(value), 1) for value in ignore_region.xyxy] for ignore_region in ignore_regions]
    record.write_text(json.dumps({"ignore_regions": boxes}), encoding="utf-8")


def _record(picture: Path) -> Path:
    return picture.parent.parent / "records" / f"{picture.stem}.json"
