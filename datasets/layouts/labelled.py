"""Labelled pictures whose hand a person has judged, as lines of a `layouts.jsonl`, which `judged` reads for the fit.

A line holds what the networks detect in the picture, and by the numbers of these detections what the person says.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tilescore.vision.layout.layout import Role

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tilescore.datasets.labels import LabelledBox, LabelledPicture
    from tilescore.vision.detections import Detection

_SAME_TILE: Final = 0.5
"""A detection and a labelled tile are the same tile from this IoU on. Chosen."""
_HAND: Final = (Role.CONCEALED, Role.WINNING, Role.MELD)


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
