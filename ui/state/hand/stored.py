"""A hand on the table as JSON, without its photo: what a reload or another day brings back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tilescore.scoring.context import Context
from tilescore.scoring.hand import Hand
from tilescore.scoring.tiles import Tile
from tilescore.ui.state.hand.work import Picture, Work
from tilescore.vision.decoding.reading import Reading
from tilescore.vision.detections import Candidate, Detection
from tilescore.vision.image.boxes import Box
from tilescore.vision.layout.layout import Role

if TYPE_CHECKING:
    from collections.abc import Mapping


def to_json(work: Work) -> dict[str, Any]:
    """The JSON object of a hand; `from_json` is the inverse, if it gets the photo."""
    return {
        "id": work.id,
        "typed": str(work.typed),
        "reading": None if work.reading is None else _reading_json(work.reading),
        "concealed_kongs": [str(tile) for tile in sorted(work.concealed_kongs)],
        "unseen": sorted(work.unseen),
        "arranged": list(work.arranged),
        "context": work.context.to_json(),
    }


def from_json(data: Mapping[str, Any], jpeg: bytes | None) -> Work:
    """The hand of a JSON object and its photo; raises InputError, KeyError, TypeError or ValueError if malformed."""
    reading = None if data["reading"] is None else _reading(data["reading"])
    return Work(
        typed=Hand.parse(data["typed"]),
        reading=reading,
        picture=None if jpeg is None or reading is None else Picture(jpeg, reading.size_wh),
        concealed_kongs=frozenset(map(Tile.parse, data["concealed_kongs"])),
        unseen=frozenset(map(int, data["unseen"])),
        arranged=tuple(map(int, data["arranged"])),
        context=Context.from_json(data["context"]),
        id=str(data["id"]),
    )


def _reading_json(reading: Reading) -> dict[str, Any]:
    """What a reading is computed from."""
    return {
        "photo": reading.photo_name,
        "size_wh": list(reading.size_wh),
        "model": reading.model,
        "is_win": reading.is_win,
        "fixed_roles": [[index, str(role)] for index, role in reading.fixed_roles],
        "seen": [
            {
                "box": list(one.box.xyxy),
                "presence": one.presence,
                "sharpness": one.sharpness,
                "names": [[str(name.tile), name.probability] for name in one.names],
            }
            for one in reading.seen
        ],
    }


def _reading(data: Mapping[str, Any]) -> Reading:
    seen = [
        Detection(
            Box(*map(float, one["box"])),
            float(one["presence"]),
            tuple(Candidate(Tile.parse(tile), float(share)) for tile, share in one["names"]),
            float(one["sharpness"]),
        )
        for one in data["seen"]
    ]
    width, height = map(int, data["size_wh"])
    return Reading.of(
        seen, photo_name=str(data["photo"]), size_wh=(width, height), model=str(data["model"]),
        fixed_roles={int(index): Role(role) for index, role in data["fixed_roles"]}, is_win=bool(data["is_win"]),
    )  # fmt: skip
