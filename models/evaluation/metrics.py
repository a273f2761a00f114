"""Measuring a network, and the whole reading, on labelled photos.

`tile_f1` counts a tile as found when a detection overlaps its label (IoU >= 0.5) and names it rightly, at the
confidence the product reports tiles with. `exact_hand_rate` is the share of photos whose whole hand, bonus tiles and
order included, is right. `found` is the share of labelled tiles that were seen, `invented` how many tiles a photo were
reported where there is none. `ece` is how far confidences are from the share of them that is right.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np

from tilescore.datasets.labels import CLASS_NAMES
from tilescore.errors import InputError
from tilescore.models.evaluation.matching import Judged, TileMatch, judge, labelled_photos
from tilescore.models.evaluation.reliability import Reliability
from tilescore.models.registry import load_reader
from tilescore.vision.image.boxes import Box


def evaluate(
    data: Path,
    *,
    hands: Path | None = None,
    split: str = "val",
    model: str = "tiles46",
    curve: Path | None = None,
    quarters: int = 0,
    names: Mapping[str, str | None] | None = None,
) -> dict[str, Any]:
    """Measure one split of a data set; docs/json.md lists the figures. Raises InputError.

    `hands` is a hands.json, which hand each of some photos shows. `model` is the name of a shipped one, or an .onnx
    file. The reliability diagram goes to `curve`. Every photo is turned by so many `quarters` to the left first.
    """
    reader = load_reader(model)
    judged = tuple(judge(reader, labelled.turned(quarters)) for labelled in labelled_photos(data, split, names=names))
    matches = [match for photo in judged for match in photo.matches]
    reliability = Reliability.of(matches)
    if curve is not None:
        reliability.draw(curve)
    times = [photo.milliseconds for photo in judged]
    return {
        "model": reader.detector.name,
        "split": split,
        "photos": len(judged),
        **_mean_average_precision(judged),
        "tile_f1": f1(matches),
        "found": _found(matches),
        "invented": round(sum(match.true == "" for match in matches) / len(judged), 3),
        "ece": round(reliability.error, 4),
        **_hands(judged, hands, split),
        "per_set": _by(judged, "tile_set"),
        "per_camera": _by(judged, "camera"),
        "per_class": per_class(matches),
        "latency_ms": {"p50": round(float(np.median(times)), 1), "p95": round(float(np.percentile(times, 95)), 1)},
    }


def evaluation_report(result: dict[str, Any]) -> str:
    """The figures as text for a terminal."""
    grouped = ("per_class", "per_set", "per_camera")
    lines = [f"{key:<18} {value}" for key, value in result.items() if key not in grouped]
    for key in grouped[1:]:
        lines += [
            f"{key:<18} {name or '(not said)'}: tile F1 {entry['tile_f1']:.3f} on {entry['photos']} photos"
            for name, entry in result[key].items()
        ]
    weak = sorted(result["per_class"].items(), key=lambda item: item[1]["f1"])[:8]
    return "\n".join([*lines, "weakest classes    " + ", ".join(f"{name} {entry['f1']:.2f}" for name, entry in weak)])


def f1(matches: Iterable[TileMatch], classes: Container[str] = CLASS_NAMES) -> float:
    """Harmonic mean of the share of reported tiles that are right and of the share of true ones rightly reported.

    Only those of the given classes count, and a tile of one that is read as another counts once for each: as missed for
    its own, as invented for that other.
    """
    right = wrong = missed = 0
    for match in matches:
        right += match.right and match.true in classes
        wrong += not match.right and match.read in classes
        missed += not match.right and match.true in classes
    return round(2 * right / max(1, 2 * right + wrong + missed), 4)


def _found(matches: Iterable[TileMatch]) -> float:
    """Share of the labelled tiles that were seen at all, whatever they were called."""
    labelled = [match.read != "" for match in matches if match.true]
    return round(sum(labelled) / max(1, len(labelled)), 4)


def per_class(matches: Sequence[TileMatch]) -> dict[str, dict[str, float]]:
    """For each class that is labelled: how often, and its F1."""
    counts = Counter(match.true for match in matches)
    return {name: {"labels": counts[name], "f1": f1(matches, (name,))} for name in CLASS_NAMES if counts[name]}


def _by(judged: Sequence[Judged], what: str) -> dict[str, dict[str, float]]:
    """Photos and tile F1 of each tile set, or of each camera."""
    groups: dict[str, list[Judged]] = defaultdict(list)
    for photo in judged:
        groups[getattr(photo, what)].append(photo)
    return {
        name: {"photos": len(photos), "tile_f1": f1([match for photo in photos for match in photo.matches])}
        for name, photos in sorted(groups.items())
    }


def _hands(judged: Sequence[Judged], hands: Path | None, split: str) -> dict[str, Any]:
    if hands is None:
        return {"exact_hand_rate": None, "hands": 0}
    entries = hand_entries(hands, split)
    pairs = [(photo, hand) for photo in judged if (hand := hand_of(photo.path, entries)) is not None]
    if not pairs:
        message = (
            f"'{hands}' names no photo of the split '{split}': name each photo under 'file' as its file is called."
        )
        raise InputError("no_hands", message, path=str(hands))
    exact = [photo.hand == hand for photo, hand in pairs]
    right = sum(sum((Counter(photo.hand) & Counter(hand)).values()) for photo, hand in pairs)
    total = sum(len(photo.hand) + len(hand) for photo, hand in pairs)
    return {
        "exact_hand_rate": round(sum(exact) / len(exact), 4),
        "hands": len(pairs),
        "hand_tile_f1": round(2 * right / max(1, total), 4),
        "wrong_hands": [photo.path.name for photo, hand in pairs if photo.hand != hand],
    }


def hand_entries(hands: Path, split: str | None = None) -> dict[str, tuple[str, ...]]:
    """The hand of each photo of that split, or of any, by its path as written; an entry without a split counts.

    Raises InputError.
    """
    try:
        return {
            str(PurePosixPath(entry["file"].replace("\\", "/"))): tuple(entry["tiles"])
            for entry in json.loads(hands.read_text(encoding="utf-8"))
            if split in (None, entry.get("split", split))
        }
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        message = (
            f"'{hands}' cannot be read as hands ({error!r}): it is a JSON list of objects with 'file' and 'tiles'."
        )
        raise InputError("bad_hands", message, path=str(hands)) from None


def hand_of(path: Path, hands: Mapping[str, tuple[str, ...]]) -> tuple[str, ...] | None:
    """The known hand of that photo; of several photos with its name, the one whose folders are the same."""
    named = [PurePosixPath(file) for file in hands if PurePosixPath(file).name == path.name]
    same = [file for file in named if path.absolute().parts[-len(file.parts) :] == file.parts]
    best = max(same, key=lambda file: len(file.parts), default=named[0] if len(named) == 1 else None)
    return None if best is None else hands[str(best)]


def _mean_average_precision(judged: Sequence[Judged]) -> dict[str, float]:
    from faster_coco_eval import COCO, COCOeval_faster  # extra `train`

    ids = {name: index + 1 for index, name in enumerate(CLASS_NAMES)}
    images = [{"id": n, "width": p.size_wh[0], "height": p.size_wh[1]} for n, p in enumerate(judged)]
    labels = [
        {"image_id": n, "category_id": ids[truth.name], "bbox": _xywh(truth.box), "area": truth.box.area, "iscrowd": 0}
        for n, photo in enumerate(judged)
        for truth in photo.truths
    ]
    results = [
        {"image_id": n, "category_id": ids[str(c.tile)], "bbox": _xywh(detection.box), "score": c.probability}
        for n, photo in enumerate(judged)
        for detection in photo.detections
        for c in detection.names
    ]
    categories = [{"id": number, "name": name} for name, number in ids.items()]
    numbered = [label | {"id": number} for number, label in enumerate(labels, 1)]
    truth = COCO({"images": images, "annotations": numbered, "categories": categories})
    if not results or not labels:
        return {"map50": 0.0, "map50_95": 0.0}
    run = COCOeval_faster(truth, truth.loadRes(results), iouType="bbox", print_function=lambda *_: None)
    run.params.maxDets = [1, 10, 300]
    run.evaluate()
    run.accumulate()
    precision = run.eval["precision"]  # (IoU, recall, class, area, detections); -1 where a class has no label
    every, half = precision[:, :, :, 0, -1], precision[0, :, :, 0, -1]
    return {"map50": round(float(half[half > -1].mean()), 4), "map50_95": round(float(every[every > -1].mean()), 4)}


def _xywh(box: Box) -> list[float]:
    return [box.x0, box.y0, box.width, box.height]
