"""Measure the reader on photos outside the training data: upright and turned."""

import sys
from pathlib import Path

from tests.harness.figures import Figure, at_least, at_most

PARTS = "tile F1, "
PHOTOS = Path(__file__).resolve().parents[3] / "shared" / "data" / "photos"


def accuracy() -> list[Figure]:
    """Tile F1, exact hands, mAP, calibration error and latency; no figures without the photos."""
    if not PHOTOS.is_dir():
        print("../shared holds no photos: accuracy is not measured", file=sys.stderr)
        return []
    from tilescore.models.evaluation.metrics import evaluate

    data, hands = PHOTOS / "data.yaml", PHOTOS / "hands.json"
    val = evaluate(data, hands=hands)
    unseen = evaluate(data, split="test")
    parts = [(kind, val[f"per_{kind}"] | unseen[f"per_{kind}"]) for kind in ("set", "camera")]
    turned = [evaluate(data, quarters=quarters)["tile_f1"] for quarters in (1, 2, 3)]
    change = max(abs(value - val["tile_f1"]) for value in turned)
    return [
        at_least(f"tile F1, {val['hands']} hands of val", val["hand_tile_f1"], 0.99),
        at_least(f"exact hands, {val['hands']} hands of val", val["exact_hand_rate"], 0.93),
        at_least(f"tile F1, all {val['photos']} photos of val", val["tile_f1"], 0.96),
        at_least("mAP50, val", val["map50"], 0.85),
        at_most("tile F1, val turned by 90, 180, 270: largest change", change, 0.01),
        at_most("calibration error, val", val["ece"], 0.03),
        at_least(f"tile F1, {unseen['photos']} photos of test_unseen", unseen["tile_f1"], 0.95),
        at_least("mAP50, test_unseen", unseen["map50"], 0.93),
        at_most("calibration error, test_unseen", unseen["ece"], 0.03),
        at_most("detection + classification, val, median ms", val["latency_ms"]["p50"], 250),
        *(
            Figure(f"{PARTS}{kind} {name} ({entry['photos']} photos)", entry["tile_f1"])
            for kind, entries in parts
            for name, entry in entries.items()
        ),
    ]
