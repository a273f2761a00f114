"""What counts as found, what a turned photo's labels are, and whether confidences are probabilities."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from tilescore.datasets.labels import LabelledBox
from tilescore.errors import InputError
from tilescore.models.evaluation.matching import Labelled, TileMatch, labelled_photos, match
from tilescore.models.evaluation.metrics import _hands, f1, hand_entries, hand_of, per_class
from tilescore.models.evaluation.reliability import Reliability
from tilescore.scoring.tiles import Tile
from tilescore.vision.detections import Candidate, Detection
from tilescore.vision.image.boxes import Box
from tilescore.vision.image.photo import Photo


def found(name: str, box: Box, confidence: float = 0.9) -> Detection:
    return Detection(box, 1.0, (Candidate(Tile.parse(name), confidence),))


HERE, THERE = Box(0, 0, 10, 14), Box(50, 50, 60, 64)


@pytest.mark.parametrize(
    ("detections", "expected"),
    [
        pytest.param([found("1m", HERE)], {("1m", "1m")}, id="right"),
        pytest.param([found("2m", HERE)], {("1m", "2m")}, id="misnamed"),
        pytest.param([], {("1m", "")}, id="missed"),
        pytest.param([found("1m", THERE)], {("", "1m"), ("1m", "")}, id="invented beside a missed one"),
        pytest.param([found("1m", HERE), found("1m", HERE, 0.5)], {("1m", "1m"), ("", "1m")}, id="seen twice"),
        pytest.param([found("1m", Box(0, 0, 4, 14))], {("", "1m"), ("1m", "")}, id="less than half of it"),
    ],
)
def test_match(detections: list[Detection], expected: set[tuple[str, str]]) -> None:
    assert {(m.true, m.read) for m in match(detections, (LabelledBox("1m", HERE),))} == expected


@pytest.mark.parametrize(
    ("detections", "expected"),
    [
        pytest.param([found("1m", HERE), found("back", THERE)], [("1m", "1m")], id="on a ignore_region"),
        pytest.param([found("back", THERE)], [("1m", "")], id="a label is missed all the same"),
        pytest.param([found("2m", Box(70, 0, 80, 14))], [("", "2m"), ("1m", "")], id="elsewhere"),
        pytest.param([found("2m", Box(50, 50, 53, 53))], [("", "2m"), ("1m", "")], id="on a corner of it"),
    ],
)
def test_a_tile_found_where_one_is_glimpsed_is_not_counted(
    detections: list[Detection], expected: list[tuple[str, str]]
) -> None:
    assert [(m.true, m.read) for m in match(detections, (LabelledBox("1m", HERE),), (THERE,))] == expected


def test_f1_counts_a_wrong_name_twice() -> None:
    matches = [TileMatch("1m", "1m", 0.9), TileMatch("2m", "3m", 0.9)]
    assert f1(matches) == 0.5
    assert per_class(matches)["2m"] == {"labels": 1, "f1": 0.0}


@pytest.mark.parametrize(
    ("classes", "expected"),
    [
        pytest.param(("2m",), 0.8, id="missed for its own class: 2 right, 1 missed"),
        pytest.param(("3m",), 0.6667, id="invented for the other: 1 right, 1 invented"),
        pytest.param(("2m", "3m"), 0.75, id="both together: 3 right, 1 missed, 1 invented"),
        pytest.param(("1m",), 0.0, id="what is not there at all"),
    ],
)
def test_f1_of_classes_counts_a_wrong_name_once_for_each(classes: tuple[str, ...], expected: float) -> None:
    matches = [
        TileMatch("2m", "2m", 0.9),
        TileMatch("2m", "2m", 0.9),
        TileMatch("2m", "3m", 0.9),
        TileMatch("3m", "3m", 0.9),
    ]
    assert f1(matches, classes) == expected


@pytest.mark.parametrize("quarters", [1, 2, 3, 4])
def test_a_turned_photo_keeps_its_labels_on_their_tiles(quarters: int) -> None:
    pixels = np.zeros((40, 60, 3), np.uint8)
    pixels[5:15, 20:27] = 255
    labelled = Labelled(Photo("a", pixels, (120, 80)), Box(0, 0, 120, 80), (LabelledBox("1m", Box(40, 10, 54, 30)),))
    turned = labelled.turned(quarters)
    x0, y0, x1, y1 = (round(v / 2) for v in turned.truths[0].box.xyxy)
    assert turned.photo.rgb[y0:y1, x0:x1].min() == 255
    assert turned.photo.rgb.astype(int).sum() == 255 * 3 * 70
    assert turned.photo.size_wh == (turned.photo.rgb.shape[1] * 2, turned.photo.rgb.shape[0] * 2)
    assert (turned.region.x1, turned.region.y1) == turned.photo.size_wh


def test_calibration_error() -> None:
    honest = [TileMatch("1m", "1m", 0.75)] * 3 + [TileMatch("1m", "2m", 0.75)]
    assert Reliability.of(honest).error == pytest.approx(0)
    boasting = [TileMatch("1m", "1m", 0.95), TileMatch("", "2m", 0.95)]
    assert Reliability.of(boasting).error == pytest.approx(0.45)
    assert Reliability.of([TileMatch("1m", "")]).error == 0, "a missed tile has no confidence"


def test_the_diagram_is_a_picture(tmp_path: Path) -> None:
    Reliability.of([TileMatch("1m", "1m", 0.9), TileMatch("1m", "2m", 0.3)]).draw(tmp_path / "curve.png")
    picture = cv2.imread(str(tmp_path / "curve.png"))
    assert picture is not None
    assert picture.std() > 10


@pytest.mark.parametrize(
    ("text", "split", "said"),
    [(None, "val", "does not exist"), ("train: x\n", "val", "has no split 'val'"), ("val: x\n", "val", "no pictures")],
)
def test_a_set_that_cannot_be_read(tmp_path: Path, text: str | None, split: str, said: str) -> None:
    if text is not None:
        (tmp_path / "data.yaml").write_text(text)
    with pytest.raises(InputError, match=said):
        list(labelled_photos(tmp_path / "data.yaml", split))


def test_hands_of_photos_need_no_split(tmp_path: Path) -> None:
    hands = tmp_path / "hands.json"
    hands.write_text('[{"file": "a/1.jpg", "tiles": ["1m"]}, {"file": "2.jpg", "tiles": [], "split": "train"}]')
    known = hand_entries(hands, "val")
    assert hand_of(tmp_path / "a" / "1.jpg", known) == hand_of(tmp_path / "1.jpg", known) == ("1m",)
    assert hand_of(tmp_path / "2.jpg", known) is None


def test_photos_of_one_name_have_the_hands_of_their_folders() -> None:
    known = {"ada/1.jpg": ("1m",), "bo/1.jpg": ("2m",), "x/bo/1.jpg": ("3m",), "2.jpg": ("4m",), "ada/2.jpg": ("5m",)}
    asked = ("team/ada/1.jpg", "team/bo/1.jpg", "x/bo/1.jpg", "cleo/1.jpg", "team/2.jpg", "team/ada/2.jpg", "3.jpg")
    assert [hand_of(Path(path), known) for path in asked] == [
        ("1m",), ("2m",), ("3m",), None, ("4m",), ("5m",), None,
    ]  # fmt: skip


@pytest.mark.parametrize("text", [None, "no json", "3", "[3]", '[{"file": "1.jpg"}]'])
def test_hands_that_cannot_be_read(tmp_path: Path, text: str | None) -> None:
    hands = tmp_path / "hands.json"
    if text is not None:
        hands.write_text(text)
    with pytest.raises(InputError, match="cannot be read as hands"):
        hand_entries(hands, "val")


def test_hands_of_other_photos_are_refused(tmp_path: Path) -> None:
    (tmp_path / "hands.json").write_text('[{"file": "other.jpg", "tiles": ["1m"]}]')
    with pytest.raises(InputError, match="names no photo of the split 'val'"):
        _hands([], tmp_path / "hands.json", "val")
