"""Measuring a network, and the whole reading, on labelled photos.

`tile_f1` counts a tile as found when a detection overlaps its label (IoU >= 0.5) and names it rightly, at the
confidence the product reports tiles with. Outside a photo's `safe_crop`, where labels are partial, detections are
not counted. `exact_hand_rate` is the share of photos whose whole hand, bonus tiles and order included, is right.
"""

from __future__ import annotations

import csv
import json
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from datasets.labels import CLASS_NAMES
from models.registry import load_eye
from scoring.errors import InputError
from vision.boxes import Box
from vision.photo import load_photo

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from vision.detector import Detection
    from vision.eye import Eye
    from vision.photo import Photo

_MATCH: Final = 0.5


@dataclass(frozen=True, slots=True)
class Truth:
    """One labelled tile: class name and box in pixels of the photo."""

    name: str
    box: Box


@dataclass(frozen=True, slots=True)
class Judged:
    """What became of one photo.

    Attributes:
        path: its file.
        pairs: true name and read name; one of them empty for a missed or an invented tile.
        detections: what was found, inside the labelled region.
        truths: what is there.
        milliseconds: how long reading took.
        hand: tiles of the hand as read, in order.
        size_wh: pixels of the photo.
    """

    path: Path
    pairs: tuple[tuple[str, str], ...]
    detections: tuple[Detection, ...]
    truths: tuple[Truth, ...]
    milliseconds: float
    hand: tuple[str, ...]
    size_wh: tuple[int, int]

    @property
    def mistakes(self) -> int:
        """Tiles missed, invented or misnamed."""
        return sum(true != read for true, read in self.pairs)


def evaluate(
    data: Path, *, hands: Path | None = None, split: str = "val", model: str = "tiles46", sheet: Path | None = None
) -> dict[str, Any]:
    """The contract's figures for one split of a data set; raises InputError if the set cannot be read."""
    eye = load_eye(model)
    judged = tuple(_judge(eye, *labelled) for labelled in labelled_photos(data, split))
    if sheet is not None:
        from models.sheet import write_sheet  # noqa: PLC0415

        write_sheet(sheet, judged)
    pairs = [pair for photo in judged for pair in photo.pairs]
    times = [photo.milliseconds for photo in judged]
    result: dict[str, Any] = {"model": eye.detector.name, "split": split, "photos": len(judged)}
    result |= _mean_average_precision(judged)
    result |= {"tile_f1": _f1(pairs), "found": _found(pairs)}
    result |= _hands(judged, hands, split)
    result["per_class"] = _per_class(pairs)
    result["latency_ms"] = {"p50": round(float(np.median(times)), 1), "p95": round(float(np.percentile(times, 95)), 1)}
    return result


def evaluation_report(result: dict[str, Any]) -> str:
    """The figures as text for a terminal."""
    lines = [f"{key:<18} {value}" for key, value in result.items() if key != "per_class"]
    weak = sorted(result["per_class"].items(), key=lambda item: item[1]["f1"])[:8]
    return "\n".join([*lines, "weakest classes    " + ", ".join(f"{name} {entry['f1']:.2f}" for name, entry in weak)])


def _pictures(data: Path, split: str) -> tuple[Path, ...]:
    import yaml  # noqa: PLC0415  # extra `train`

    if not data.is_file():
        raise InputError("no_such_file", f"'{data}' does not exist: give the data.yaml of a labelled set.")
    described = yaml.safe_load(data.read_text(encoding="utf-8"))
    if not isinstance(described, dict) or split not in described:
        raise InputError("no_such_split", f"'{data}' has no split '{split}': it names {', '.join(described or {})}.")
    folder = data.parent / str(described.get("path", ".")) / str(described[split])
    pictures = tuple(sorted(path for path in folder.rglob("*") if path.suffix.lower() in (".jpg", ".jpeg", ".png")))
    if not pictures:
        raise InputError("no_pictures", f"no pictures in '{folder}', which '{data}' names for '{split}'.")
    return pictures


def _safe_crops(root: Path) -> dict[str, tuple[float, ...]]:
    """Labelled region, as shares, of each photo whose labels are partial; from manifest.csv if there is one."""
    manifest = root / "manifest.csv"
    if not manifest.is_file():
        return {}
    with manifest.open(newline="", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["partial"] == "1"]
    return {Path(row["file"]).name: tuple(float(share) for share in row["safe_crop"].split()) for row in rows}


def labelled_photos(data: Path, split: str) -> Iterator[tuple[Photo, Box, tuple[Truth, ...]]]:
    """Each photo of a split, the part of it in which every tile is labelled, and those labels."""
    crops = _safe_crops(data.parent)
    for path in _pictures(data, split):
        photo = load_photo(path)
        width, height = photo.size_wh
        x0, y0, x1, y1 = crops.get(path.name, (0.0, 0.0, 1.0, 1.0))
        yield photo, Box(x0 * width, y0 * height, x1 * width, y1 * height), _truths(path, photo)


def _judge(eye: Eye, photo: Photo, region: Box, truths: tuple[Truth, ...]) -> Judged:
    start = time.perf_counter()
    reading = eye.read(photo)
    milliseconds = 1000 * (time.perf_counter() - start)
    inside = tuple(found for found in reading.seen if region.holds(found.box.center))
    hand = tuple(str(reading.detections[index].tile) for index in reading.layout.order)
    return Judged(Path(photo.name), _match(inside, truths), inside, truths, milliseconds, hand, photo.size_wh)


def _truths(path: Path, photo: Photo) -> tuple[Truth, ...]:
    labels = Path(str(path).replace("/images/", "/labels/")).with_suffix(".txt")
    width, height = photo.size_wh
    truths = []
    for line in labels.read_text().splitlines():
        kind, cx, cy, w, h = (float(word) for word in line.split())
        box = Box((cx - w / 2) * width, (cy - h / 2) * height, (cx + w / 2) * width, (cy + h / 2) * height)
        truths.append(Truth(CLASS_NAMES[int(kind)], box))
    return tuple(truths)


def _match(found: Iterable[Detection], truths: tuple[Truth, ...]) -> tuple[tuple[str, str], ...]:
    """Pairs of true and read name, each label matched with the best detection left, surest first."""
    left = list(truths)
    pairs: list[tuple[str, str]] = []
    for detection in sorted(found, key=lambda detection: -detection.confidence):
        best = max(left, key=lambda truth: truth.box.iou(detection.box), default=None)
        if best is not None and best.box.iou(detection.box) >= _MATCH:
            left.remove(best)
            pairs.append((best.name, str(detection.tile)))
        else:
            pairs.append(("", str(detection.tile)))
    return (*pairs, *((truth.name, "") for truth in left))


def _f1(pairs: Iterable[tuple[str, str]]) -> float:
    right = wrong = missed = 0
    for true, read in pairs:
        right += true == read
        wrong += read not in ("", true)
        missed += true not in ("", read)
    return round(2 * right / max(1, 2 * right + wrong + missed), 4)


def _found(pairs: Iterable[tuple[str, str]]) -> float:
    """Share of the labelled tiles that were seen at all, whatever they were called."""
    labelled = [read != "" for true, read in pairs if true]
    return round(sum(labelled) / max(1, len(labelled)), 4)


def _per_class(pairs: list[tuple[str, str]]) -> dict[str, dict[str, float]]:
    names = {true for true, _ in pairs if true}
    return {
        name: {
            "labels": sum(true == name for true, _ in pairs),
            "f1": _f1([pair for pair in pairs if name in pair]),
        }
        for name in CLASS_NAMES
        if name in names
    }


def _hands(judged: tuple[Judged, ...], hands: Path | None, split: str) -> dict[str, Any]:
    if hands is None:
        return {"exact_hand_rate": None, "hands": 0}
    entries = {
        Path(entry["file"]).name: tuple(entry["tiles"])
        for entry in json.loads(hands.read_text(encoding="utf-8"))
        if entry["split"] == split
    }
    chosen = [photo for photo in judged if photo.path.name in entries]
    exact = [photo.hand == entries[photo.path.name] for photo in chosen]
    right = sum(sum((Counter(p.hand) & Counter(entries[p.path.name])).values()) for p in chosen)
    total = sum(len(p.hand) + len(entries[p.path.name]) for p in chosen)
    return {
        "exact_hand_rate": round(sum(exact) / max(1, len(exact)), 4),
        "hands": len(chosen),
        "hand_tile_f1": round(2 * right / max(1, total), 4),
        "wrong_hands": [photo.path.name for photo, good in zip(chosen, exact, strict=True) if not good],
    }


def _mean_average_precision(judged: tuple[Judged, ...]) -> dict[str, float]:
    from faster_coco_eval import COCO, COCOeval_faster  # noqa: PLC0415  # extra `train`

    ids = {name: index + 1 for index, name in enumerate(CLASS_NAMES)}
    images = [{"id": n, "width": p.size_wh[0], "height": p.size_wh[1]} for n, p in enumerate(judged)]
    labels = [
        {"image_id": n, "category_id": ids[truth.name], "bbox": _xywh(truth.box), "area": truth.box.area, "iscrowd": 0}
        for n, photo in enumerate(judged)
        for truth in photo.truths
    ]
    found = [
        {"image_id": n, "category_id": ids[str(c.tile)], "bbox": _xywh(detection.box), "score": c.probability}
        for n, photo in enumerate(judged)
        for detection in photo.detections
        for c in detection.candidates
    ]
    categories = [{"id": number, "name": name} for name, number in ids.items()]
    numbered = [label | {"id": number} for number, label in enumerate(labels, 1)]
    truth = COCO({"images": images, "annotations": numbered, "categories": categories})
    if not found:
        return {"map50": 0.0, "map50_95": 0.0}
    run = COCOeval_faster(truth, truth.loadRes(found), iouType="bbox", print_function=lambda *_: None)
    run.params.maxDets = [1, 10, 300]
    run.evaluate()
    run.accumulate()
    precision = run.eval["precision"]  # (IoU, recall, class, area, detections); -1 where a class has no label
    every, half = precision[:, :, :, 0, -1], precision[0, :, :, 0, -1]
    return {
        "map50": round(float(half[half > -1].mean()), 4),
        "map50_95": round(float(every[every > -1].mean()), 4),
    }


def _xywh(box: Box) -> list[float]:
    return [box.x0, box.y0, box.width, box.height]
