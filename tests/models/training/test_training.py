"""Each network is trained for a few steps, exported, compared and run (extra `train`)."""

from __future__ import annotations

import csv
import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.harness import closed_network
from tests.harness.audit import traffic
from tilescore.datasets.labels import CLASS_NAMES
from tilescore.errors import InputError
from tilescore.models.registry import DEFAULT, shipped
from tilescore.models.training.trainer import Schedule
from tilescore.vision.classification.cascade import HIGH_RESOLUTION_SIDE
from tilescore.vision.classification.classifier import CLASS_COUNT, OnnxClassifier
from tilescore.vision.classification.rectify import OnnxCorners
from tilescore.vision.detection.box_refiner import MARGINS, RefinedDetector
from tilescore.vision.detection.detector import OnnxDetector
from tilescore.vision.image.boxes import Box
from tilescore.vision.inference.batches import SmallNetwork
from tilescore.vision.inference.session import load_onnxruntime

if TYPE_CHECKING:
    from collections.abc import Callable

pytest.importorskip(
    "tilescore.models.training.yolo", reason="the extra `train` is not installed: training is not tried here"
)


FEW = Schedule(steps=2, rate=1e-6, batch=8)


@pytest.fixture(name="default")
def _default() -> tuple[Path, Path]:
    """The shipped detector and classifier."""
    model = next(model for model in shipped() if model.name == DEFAULT)
    assert model.classifier is not None
    return model.detector.path, model.classifier.path


def test_the_detector_goes_on_from_its_shipped_file(
    room: Path, default: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    from tilescore.datasets.mix import build_mix
    from tilescore.models.training.detector import DetectorConfig, train
    from tilescore.models.training.export import export

    monkeypatch.chdir(room)
    mix = build_mix(room / "mix", photos=room / "photos", scenes=[room / "scenes"])
    config = DetectorConfig(
        start=default[0], data=mix, name="tiny", epochs=1, size=160, batch=4, rate=1e-6, close_mosaic=0
    )
    weights = train(config)
    assert train(config) == weights, "a finished training is not run again"
    difference = export(weights, room / "tiny.onnx")
    assert difference < 1e-3
    picture = np.full((160, 160, 3), 60, np.uint8)
    OnnxDetector(room / "tiny.onnx", "tiny").detect(picture, long_side=160)
    with (room / "runs" / "runs.csv").open(newline="") as table:
        (row,) = csv.DictReader(table)
    assert row["name"] == "tiny"
    assert len(row["data_hash"]) == 12
    assert 0 <= float(row["map50"]) <= 1
    assert list((room / "runs" / "tiny").glob("*confusion_matrix*.png")), "curves and confusions are saved as pictures"


def test_a_training_of_a_detector_resumes_from_the_newest_whole_checkpoint(tmp_path: Path) -> None:
    import torch

    from tilescore.models.training.detector import last_checkpoint

    def save(name: str, epoch: int) -> None:
        torch.save({"epoch": epoch, "weights": torch.zeros(100)}, tmp_path / name)

    assert last_checkpoint(tmp_path, 10) is None
    for epoch in (1, 8, 9):
        save(f"epoch{epoch}.pt", epoch)
    save("last.pt", 9)
    assert last_checkpoint(tmp_path, 10) == tmp_path / "epoch8.pt", "ultralytics ends a training after its last epoch"
    assert last_checkpoint(tmp_path, 11) == tmp_path / "last.pt"
    for name in ("last.pt", "epoch9.pt", "epoch8.pt"):
        (tmp_path / name).write_bytes((tmp_path / name).read_bytes()[:-200])
    assert last_checkpoint(tmp_path, 11) == tmp_path / "epoch1.pt"
    save("last.pt", -1)
    assert last_checkpoint(tmp_path, 10) == tmp_path / "last.pt", "the training is finished"


@pytest.mark.parametrize(
    ("kind", "classes", "said"),
    [
        ("yolo11n.yaml", CLASS_NAMES[::-1], "is no detector of our 46 classes in our order"),
        ("yolo11n.yaml", CLASS_NAMES[:34], "is no detector of our 46 classes in our order"),
        ("yolo11n-seg.yaml", CLASS_NAMES, "is no detector of our 46 classes in our order"),
        ("", CLASS_NAMES, "is no checkpoint of ultralytics, or it is damaged"),
    ],
)
def test_weights_of_another_kind_are_not_exported(
    kind: str, classes: tuple[str, ...], said: str, tmp_path: Path
) -> None:
    import torch

    from tilescore.models.training.export import export
    from tilescore.models.training.yolo import YOLO

    weights = tmp_path / "own.pt"
    if kind:
        network = YOLO(kind)
        network.model.names = dict(enumerate(classes))
        network.save(weights)
    else:
        torch.save({"weight": torch.zeros(3)}, weights)
    with pytest.raises(InputError, match=f"own[.]pt' {said}"):
        export(weights, tmp_path / "own.onnx")


def test_layers_of_backs_learn_alone_and_the_faces_stay(
    room: Path, default: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    from tilescore.datasets.mix import build_mix
    from tilescore.models.training.detector import DetectorConfig, train
    from tilescore.models.training.export import export

    monkeypatch.chdir(room)
    mix = build_mix(room / "mix", photos=room / "photos", scenes=[room / "scenes"])
    config = DetectorConfig(
        start=default[0], data=mix, name="backs", epochs=1, size=160, batch=4, rate=1e-2, close_mosaic=0, backs=True
    )
    export(train(config), room / "backs.onnx")
    picture = np.random.default_rng(0).random((1, 3, 160, 160), np.float32)
    before, after = (
        load_onnxruntime().InferenceSession(str(path)).run(None, {"images": picture})[0][0]
        for path in (default[0], room / "backs.onnx")
    )
    back = 4 + CLASS_NAMES.index("back")
    assert np.abs(before[:back] - after[:back]).max() < 2e-2, "boxes, in pixels, and faces"
    assert np.abs(before[back] - after[back]).max() > 1e-6


def test_a_plain_detector_given_layers_of_backs_computes_what_it_did() -> None:
    import torch

    from tilescore.models.training.backs_head import with_own_layers
    from tilescore.models.training.yolo import DetectionModel

    network = DetectionModel("yolo11n.yaml", nc=46, verbose=False).eval()
    picture = torch.rand(1, 3, 96, 96, generator=torch.Generator().manual_seed(0))
    with torch.no_grad():
        before = network(picture)[0]
        after = with_own_layers(with_own_layers(network))(picture)[0]
    assert torch.allclose(before, after, atol=1e-5)


def test_the_detector_read_back_from_its_file_computes_what_it_did(room: Path, default: tuple[Path, Path]) -> None:
    from tilescore.models.training.export import difference_to
    from tilescore.models.training.initial_weights import checkpoint_from

    pictures = sorted((room / "photos").rglob("*.jpg"))
    checkpoint = checkpoint_from(default[0], room / "read_back.pt", pictures=pictures)
    assert difference_to(checkpoint, default[0], (96, 160)) < 1e-4


@pytest.mark.parametrize("part", ["classifier", "refiner", "backs", "closer"])
def test_what_is_read_back_from_a_file_computes_what_it_did(part: str) -> None:
    import torch

    from tilescore.models.training import box_refiner, classifier
    from tilescore.models.training.initial_weights import network_from

    file = getattr(shipped()[0], part).path
    builders: dict[str, Callable[[], Any]] = {
        "classifier": classifier.build_network,
        "refiner": box_refiner.build_network,
        "backs": partial(box_refiner.build_network, backs=True),
        "closer": classifier.build_high_resolution,
    }
    network = builders[part]()
    written = SmallNetwork(file)
    shape = (16, written.channels, written.side, written.side)
    some = torch.rand(shape, generator=torch.Generator().manual_seed(0))
    network_from(file, network, pictures=some)
    network.eval()
    with torch.no_grad():
        ours = network(some).numpy()
    assert np.abs(ours - written.run(some.numpy())).max() < 2e-3


def test_the_pretrained_branch_begins_with_the_weights_of_imagenet() -> None:
    """Every layer of the trunk gets its weights, and the outputs are in a plausible range."""
    import torch

    from tilescore.models.training.classifier import build_pretrained_branch
    from tilescore.models.training.initial_weights import fill_from_imagenet

    network = build_pretrained_branch()
    before = {name: tensor.clone() for name, tensor in network.state_dict().items()}
    fill_from_imagenet(network)
    same = [
        name
        for name, tensor in network.state_dict().items()
        if name.endswith(".weight") and torch.equal(tensor, before[name])
    ]
    assert same == [list(before)[-2]], "only the last layer is new"
    with torch.no_grad():
        said = network.eval()(
            torch.rand(2, 3, HIGH_RESOLUTION_SIDE, HIGH_RESOLUTION_SIDE, generator=torch.Generator().manual_seed(0))
        )
    assert said.shape == (2, CLASS_COUNT)
    assert said.abs().max() < 20, "normalisations fit their layers"


def test_no_other_network_is_read_back() -> None:
    from tilescore.models.training.corners import build_network
    from tilescore.models.training.initial_weights import network_from

    with pytest.raises(ValueError, match="convolutions"):
        network_from(shipped()[0].detector.path, build_network(), pictures=None)


def test_the_network_of_corners_trains_and_exports(room: Path) -> None:
    from tilescore.models.training.corners import export_corners, gather_faces, train_corners

    faces = gather_faces([room / "scenes"])
    assert faces.pixels.shape[1:] == (96, 96, 3)
    assert (np.abs(faces.corners).max(axis=(1, 2)) > 0.5).all()
    weights = train_corners(faces, room / "corners.pt", FEW)
    assert export_corners(weights, room / "corners.onnx") < 1e-3
    found = OnnxCorners(room / "corners.onnx").find(np.zeros((90, 90, 3), np.uint8), [Box(10, 10, 50, 60)])
    assert found.shape == (1, 4, 2)


def test_corners_are_not_learned_from_nothing(tmp_path: Path) -> None:
    from tilescore.models.training.corners import gather_faces

    (tmp_path / "structure.jsonl").write_text("")
    with pytest.raises(ValueError, match="dataset synth"):
        gather_faces([tmp_path])


def test_corners_stay_where_the_face_has_them_however_it_is_turned() -> None:
    import torch

    from tilescore.models.training.corners import augment

    pixels = np.zeros((64, 96, 96, 3), np.uint8)
    pixels[:, 30:70, 25:60] = 255
    square = np.array([(25, 30), (60, 30), (60, 70), (25, 70)], np.float32) / 48 - 1
    pictures, corners = augment(
        torch.from_numpy(pixels), torch.from_numpy(square[None].repeat(64, axis=0)), torch.Generator().manual_seed(1)
    )
    for picture, quad in zip(pictures.mean(1).numpy(), corners.numpy(), strict=True):
        bright = np.argwhere(picture > (picture.min() + picture.max()) / 2)[:, ::-1] / 32 - 1
        assert np.abs(bright.min(axis=0) - quad.min(axis=0)).max() < 0.12
        assert np.abs(bright.max(axis=0) - quad.max(axis=0)).max() < 0.12
        (ahead_x, ahead_y), (then_x, then_y) = quad[1] - quad[0], quad[2] - quad[1]
        assert ahead_x * then_y > ahead_y * then_x, "clockwise"


@pytest.mark.parametrize("backs", [False, True])
def test_the_refiner_trains_and_exports(room: Path, *, backs: bool) -> None:
    from tilescore.models.training.box_refiner import export_refiner, gather_proposals, train_refiner

    finder = OnnxDetector(shipped()[0].detector.path, "finder", refined=True)
    pictures = sorted((room / "scenes" / "images").glob("*.jpg"))
    given = gather_proposals([], pictures, finder, backs=backs)
    assert given.tile.any()
    assert not given.tile.all()
    assert np.abs(given.edges[given.tile]).max() < 2
    assert not given.edges[~given.tile].any()
    start = shipped()[0].backs if backs else shipped()[0].refiner
    assert start is not None
    weights, out = room / f"refiner-{backs}.pt", room / f"refiner-{backs}.onnx"
    train_refiner(given, weights, FEW, backs=backs, start=start.path)
    assert export_refiner(weights, out, backs=backs) < 1e-3
    assert RefinedDetector(finder, out).detect(np.zeros((90, 90, 3), np.uint8), long_side=96) == ()


def test_a_box_refiner_needs_proposals() -> None:
    from tilescore.models.training.box_refiner import gather_proposals

    with pytest.raises(ValueError, match="dataset synth"):
        gather_proposals([], [], OnnxDetector(shipped()[0].detector.path, "finder"))


def test_unlabelled_tiles_of_a_photo_are_no_negative_examples(room: Path, tmp_path: Path) -> None:
    from tilescore.models.training.box_refiner import gather_proposals

    finder = OnnxDetector(shipped()[0].detector.path, "finder", refined=True)
    for folder in ("images", "labels"):
        (tmp_path / folder).mkdir()
    for picture in sorted((room / "scenes" / "images").glob("*.jpg")):
        (tmp_path / "images" / picture.name).symlink_to(picture)
        (tmp_path / "labels" / picture.name).with_suffix(".txt").write_text("")
    pictures = sorted((tmp_path / "images").glob("*.jpg"))
    trusted, forgetful = gather_proposals([], pictures, finder), gather_proposals(pictures, [], finder)
    assert len(forgetful.tile) < len(trusted.tile)


def test_edges_stay_where_the_tile_has_them_however_it_is_turned() -> None:
    import torch

    from tilescore.models.training.box_refiner import augment

    pixels = np.zeros((64, 80, 80, 6), np.uint8)
    pixels[:, 25:60, 20:48, :3] = 255
    far = (np.array([20, 25, 48, 60]) - 40) * MARGINS[0] / MARGINS[1] + 40
    left, top, right, bottom = far.round().astype(int)
    pixels[:, top:bottom, left:right, 3:] = 255
    edges = (np.array([[20, 25, 48, 60]], np.float32) / 40 - 1).repeat(64, axis=0)
    pictures, moved = augment(torch.from_numpy(pixels), torch.from_numpy(edges), torch.Generator().manual_seed(1))
    for part, scale in ((pictures[:, :3], 1.0), (pictures[:, 3:], MARGINS[0] / MARGINS[1])):
        for picture, told in zip(part.mean(1).numpy(), moved.numpy() * scale, strict=True):
            bright = np.argwhere(picture > (picture.min() + picture.max()) / 2)[:, ::-1] / 32 - 1
            assert np.abs(bright.min(axis=0) - told[:2]).max() < 0.12
            assert np.abs(bright.max(axis=0) - told[2:]).max() < 0.12


def test_the_high_resolution_classifier_trains_and_exports(room: Path, default: tuple[Path, Path]) -> None:
    from tilescore.models.training.classifier import export_classifier, gather_high_resolution, train_classifier

    corners = shipped()[0].corners
    assert corners is not None
    straight = OnnxCorners(corners.path).crop
    plain = gather_high_resolution(room / "photos", scenes=[room / "scenes"], cut=straight)
    crops = gather_high_resolution(
        room / "photos", scenes=[room / "scenes"], first=OnnxClassifier(default[1]), cut=straight
    )
    boxed = gather_high_resolution(room / "photos", scenes=[room / "scenes"])
    assert (boxed.classes == crops.classes).all()
    assert (boxed.pixels != crops.pixels).any(), "the corner network rectifies faces"
    assert crops.pixels.shape[1:] == (120, 120, 3)
    assert set(np.unique((crops.weights / plain.weights).round(3))) == {1.0, 3.0}, "unclear crops are oversampled"
    weights = train_classifier(crops, room / "closer.pt", FEW, high_resolution=True, start=default[1])
    assert export_classifier(weights, room / "closer.onnx", high_resolution=True) < 1e-3
    classifier = OnnxClassifier(room / "closer.onnx")
    assert classifier.side == HIGH_RESOLUTION_SIDE
    assert classifier.classify(np.zeros((9, 9, 3), np.uint8), [Box(1, 1, 7, 8)]).shape == (1, CLASS_COUNT)


def test_a_face_is_redrawn_in_one_ink_only_where_colour_does_not_name_it() -> None:
    import torch

    from tilescore.models.training.classifier import augment

    pixels = np.full((400, 80, 80, 3), 240, np.uint8)
    pixels[:, 30:50, 20:60] = (200, 20, 20)
    seen = {
        may: augment(
            torch.from_numpy(pixels),
            torch.Generator().manual_seed(3),
            any_ink=torch.full((len(pixels),), fill_value=may),
        )
        for may in (True, False)
    }
    red = {may: ((x[:, 0] - x[:, 1]).amax((1, 2)) > 0.05).float().mean().item() for may, x in seen.items()}
    assert red[False] > 0.97
    assert 0.7 < red[True] < 0.95
    for x in seen.values():
        assert x.shape == (400, 3, 64, 64)
        assert 0 <= x.min() <= x.max() <= 1
        assert x.isfinite().all()


def test_training_sends_nothing(tmp_path: Path) -> None:
    """Without our settings ultralytics looks fonts up at github.com."""
    reason = closed_network.missing()
    if reason:
        assert os.environ.get("CI") != "true", reason
        pytest.skip(reason)
    tried, outside = traffic("train", tmp_path, minutes=0)
    assert (tried.lookups, tried.contacts, outside) == ((), (), ())
