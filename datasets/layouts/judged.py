"""Real photos with the role of each tile, judged by eye: boxes as a detector sees them, and the truth.

A line of a `layouts.jsonl` holds what the networks detect in a picture and, by the numbers of these detections, what a
person says. `judged_line` writes it, and `judged_boxes` reads it for the fit.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tilescore.scoring.tiles import Tile
from tilescore.vision.detections import Candidate, Detection
from tilescore.vision.image.boxes import Box
from tilescore.vision.image.photo import load_photo
from tilescore.vision.layout.layout import Role

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tilescore.datasets.labels import LabelledBox, LabelledPicture
    from tilescore.vision.reader import TileReader

OWN: Final = Path(__file__).resolve().with_name("roles.jsonl")
"""Our own roles of photos of ../shared/data/photos; the tiles are named by their boxes."""
JUDGED_TABLES: Final = OWN.with_name("tables.jsonl")
"""Roles of photos of ../shared/data/tables, of many authors, in the same form."""
_SAME_TILE: Final = 0.5
"""A detection and a judged tile are the same tile from this IoU on. Chosen."""
_HAND: Final = (Role.CONCEALED, Role.WINNING, Role.MELD)


@dataclass(frozen=True, slots=True)
class JudgedPhoto:
    """A photo, what the networks detect in it, and the parts of the tiles as a person judges them."""

    # name, source, scene: the photo, who took it, and which table or hand it shows. Fold by source and scene.
    name: str
    source: str
    scene: str
    split: str  # `train`, or the split of the photo set that is for measuring only
    kind: str  # `hand`, `partial`, `no_hand`, or `any`, which does not count
    size_wh: tuple[int, int]  # upright size of the photo, pixels
    detections: tuple[Detection, ...]  # tiles that the networks detect
    concealed: frozenset[int] = frozenset()  # indices of the concealed tiles, the winning tile included
    winning: int | None = None  # index of the winning tile, if it lies apart
    melds: frozenset[frozenset[int]] = frozenset()  # indices of each declared set
    bonus: frozenset[int] = frozenset()  # indices of the flowers and seasons of the hand
    missing: int = 0  # tiles of the hand that the networks do not detect
    size: int = 0  # tiles of the hand as a person counts them, three for each declared set, flowers aside
    # sets that may be declared or concealed; they are part of neither `concealed` nor `melds`
    optional: frozenset[frozenset[int]] = frozenset()
    called: frozenset[int] | None = None  # indices of the turned tiles of declared sets, if they are known
    right: tuple[float, float] | None = None  # the owner's reading direction in the photo (x, y), if it is known
    # whether nothing shows if a second row of sets is declared: who judged it took it for concealed
    parts_open: bool = False
    # the names of the tiles of the hand as a person judges them, by index, if they are known
    names: Mapping[int, Tile] = field(default_factory=dict)

    @property
    def author(self) -> str:
        """Who took the photo: the part of the source before a hyphen. Fold by authors."""
        return self.source.partition("-")[0]

    @property
    def hand(self) -> frozenset[int]:
        """Indices of all tiles of the hand, without flowers and seasons."""
        return self.concealed.union(*self.melds, *self.optional)


def judged_boxes(path: Path) -> Iterator[JudgedPhoto]:
    """The photos of a `layouts.jsonl`, which `tilescore dataset layouts` writes for a set with judged hands."""
    for line in path.read_text(encoding="utf-8").splitlines():
        photo: dict[str, Any] = json.loads(line)
        truth = photo["truth"]
        width, height = photo["size_wh"]
        yield JudgedPhoto(
            name=photo["id"],
            source=photo["source"],
            scene=photo["scene"],
            split=photo.get("split") or _split(photo["photo"]),
            kind=photo["kind"],
            size_wh=(width, height),
            detections=tuple(map(detection_of, photo["detections"])),
            concealed=frozenset(truth["concealed"]),
            winning=truth["winning"],
            melds=frozenset(frozenset(meld["members"]) for meld in truth["melds"]),
            bonus=frozenset(truth["bonus"]),
            missing=len(truth["missing"]),
            size=len(truth["concealed"]) + 3 * len(truth["melds"]) + len(truth["missing"]),
            parts_open="two_rows" in photo.get("tags", ()),
            called=frozenset(meld["called"] for meld in truth["melds"] if meld["called"] is not None),
        )


def judged_photos(photos: Path, reader: TileReader, path: Path = OWN) -> Iterator[JudgedPhoto]:
    """The photos of our own `roles.jsonl`, read by the networks. A judged tile without a detection is missing."""
    for line in path.read_text(encoding="utf-8").splitlines():
        photo: dict[str, Any] = json.loads(line)
        reading = reader.read(load_photo(photos / photo["photo"]))
        boxes = [detection.box for detection in reading.seen]

        def found(tiles: Sequence[Mapping[str, Any]], boxes: Sequence[Box] = tuple(boxes)) -> list[int | None]:
            return [_nearest(Box(*tile["box_xyxy"]), boxes) for tile in tiles]

        concealed, bonus = found(photo.get("concealed", ())), found(photo.get("bonus", ()))
        melds = [found(meld["tiles"]) for meld in photo.get("melds", ())]
        turned = [declared["called"] for declared in photo.get("melds", ()) if "called" in declared]
        called = [meld[at] for meld, at in zip(melds, turned, strict=False) if at is not None]
        winning = found([photo["winning"]] if "winning" in photo else ())
        places = [*concealed, *(tile for meld in melds for tile in meld)]
        judged = [*photo.get("concealed", ()), *(tile for meld in photo.get("melds", ()) for tile in meld["tiles"])]
        names = {at: Tile.parse(tile["tile"]) for at, tile in zip(places, judged, strict=True) if at is not None}
        yield JudgedPhoto(
            name=Path(photo["photo"]).stem,
            source=photo["source"],
            scene=photo["scene"],
            split=_split(photo["photo"]),
            kind=photo["kind"],
            size_wh=reading.size_wh,
            detections=reading.seen,
            concealed=_indices(concealed),
            winning=winning[0] if winning else None,
            melds=frozenset(_indices(meld) for meld in melds),
            bonus=_indices(bonus),
            missing=len(photo.get("missing", ())) + places.count(None),
            size=len(concealed) + 3 * len(melds),
            called=_indices(called) if len(turned) == len(melds) else None,
            parts_open="two_rows" in photo.get("tags", ()),
            names={at: tile for at, tile in names.items() if not tile.is_back},
        )


def detection_of(entry: Mapping[str, Any]) -> Detection:
    """One detection of the JSON that `tilescore read` prints.

    >>> entry = {"tile": "5p", "box_xyxy": [0, 0, 30, 40], "confidence": 0.45, "alternatives": [["6p", 0.5]]}
    >>> seen = detection_of(entry)
    >>> seen.presence, [str(name.tile) for name in seen.names]
    (0.9, ['5p', '6p'])
    """
    others = [Candidate(Tile.parse(tile), float(probability)) for tile, probability in entry.get("alternatives", ())]
    return Detection.of(Box(*entry["box_xyxy"]), Tile.parse(entry["tile"]), float(entry["confidence"]), others)


def _split(photo: str | None) -> str:
    """The split of a path like images/val/1.jpg; a photo outside the set is for training."""
    parts = Path(photo or "").parts
    return parts[1] if parts[:1] == ("images",) else "train"


def _nearest(box: Box, boxes: Sequence[Box]) -> int | None:
    best = max(range(len(boxes)), key=lambda at: boxes[at].iou(box), default=None)
    return best if best is not None and boxes[best].iou(box) >= _SAME_TILE else None


def _indices(places: Sequence[int | None]) -> frozenset[int]:
    return frozenset(at for at in places if at is not None)


def judged_line(picture: LabelledPicture, seen: Sequence[Detection], *, source: str, scene: str) -> dict[str, Any]:
    """One picture as a JSON object of a `layouts.jsonl`.

    Somebody has judged the `hand` of the picture. The fit leaves out one source, who took it, at a time; pictures of
    one scene, a table or hand, count less.
    """
    places = _matched(picture.boxes, seen)
    parts = [(box, places[at]) for at, box in enumerate(picture.boxes)] if picture.hand != "no_hand" else []
    roles = ["other"] * len(seen)
    for box, place in parts:
        if place is not None and box.part.role:
            roles[place] = box.part.role
    inside = {place for place in places if place is not None}
    return {
        "id": picture.key, "source": source, "file": picture.name, "scene": scene, "photo": None,
        "split": picture.split or "train", "size_wh": list(picture.size_wh), "kind": picture.hand,
        "detections": [detection.to_json() for detection in seen],
        "truth": {
            "concealed": [at for at in sorted(inside) if roles[at] in (Role.CONCEALED, Role.WINNING)],
            "winning": next((at for at, role in enumerate(roles) if role == Role.WINNING), None),
            "melds": _melds(parts),
            "bonus": [at for at in sorted(inside) if roles[at] == Role.BONUS],
            "names": {str(at): box.name for box, at in parts if at is not None and str(seen[at].tile) != box.name},
            "missing": [box.name for box, at in parts if at is None and box.part.role in _HAND],
        },
        "truth_roles": roles,
    }  # fmt: skip


def _melds(parts: Sequence[tuple[LabelledBox, int | None]]) -> list[dict[str, Any]]:
    """The declared sets: members, whether concealed, and the turned tile."""
    numbers = sorted({box.part.meld for box, _ in parts if box.part.role == Role.MELD})
    sets = [[(box, at) for box, at in parts if box.part.role == Role.MELD and box.part.meld == n] for n in numbers]
    return [
        {
            "members": [at for _, at in some if at is not None],
            "concealed": any(box.part.concealed for box, _ in some),
            "called": next((at for box, at in some if box.part.turned), None),
        }
        for some in sets
    ]


def _matched(boxes: Sequence[LabelledBox], seen: Sequence[Detection]) -> list[int | None]:
    """The detection of each labelled tile; no detection belongs to two tiles."""
    free = set(range(len(seen)))
    places: list[int | None] = []
    for labelled in boxes:
        best = max(free, key=lambda at: (seen[at].box.iou(labelled.box), -at), default=None)
        if best is not None and seen[best].box.iou(labelled.box) < _SAME_TILE:
            best = None
        places.append(best)
        free -= {best}
    return places
