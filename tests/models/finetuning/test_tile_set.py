"""Fine-tuning on a tile set: evaluated on held-out photos, nothing overwritten, clear errors."""

import json
import shutil
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from PIL import Image, ImageOps

from tests.datasets.labelled import name_classes
from tilescore.datasets.annotation.folder import AnnotationFolder
from tilescore.datasets.annotation.predictions import Prediction
from tilescore.datasets.marks import Annotation, Mark
from tilescore.datasets.sample import SAMPLES
from tilescore.errors import InputError
from tilescore.files.locks import sole_writer
from tilescore.models import registry
from tilescore.models.evaluation.matching import Judged, TileMatch
from tilescore.models.finetuning.measure import open_suggestions
from tilescore.models.finetuning.outlook import forecast_line, require_found, require_gain, require_use
from tilescore.models.finetuning.photos import training_photos
from tilescore.models.finetuning.report import Figures
from tilescore.models.registry import (
    DEFAULT,
    Model,
    ModelError,
    free_name,
    learned,
    load_reader,
    place_for,
    shipped,
    write_learned,
)
from tilescore.vision.classification.cascade import Cascade
from tilescore.vision.classification.fusion import Fusion
from tilescore.vision.image.boxes import Box
from tilescore.vision.image.photo import load_photo
from tilescore.vision.inference.batches import SmallNetwork

ROOT = Path(__file__).resolve().parents[3]
FUSION = Fusion(detector=0.3)


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TILESCORE_DATA", str(tmp_path / "own"))
    return tmp_path / "own"


def labelled(root: Path, count: int) -> Path:
    """Photos of a folder that is being labelled, as the model reads them; in each the last tile is still open."""
    root.mkdir(parents=True)
    names = sorted(SAMPLES.glob("*.jpg"))
    seen = [Prediction.of(load_reader().read(load_photo(name))).suggestions() for name in names[:count]]
    for number in range(count):
        again = b"\0" * (number // len(names))  # another file of the same scene
        (root / f"{number}.jpg").write_bytes(names[number % len(names)].read_bytes() + again)
    folder = AnnotationFolder(root)
    for number, picture in enumerate(folder.pictures()[0]):
        *marks, last = seen[number % len(names)]
        folder.save(picture, Annotation((*Annotation(tuple(marks)).accepted().marks, last)))
    return root


def test_what_is_open_in_the_folders_of_several_people_stays_open(tmp_path: Path) -> None:
    for person in ("ada", "bo"):
        labelled(tmp_path / "team" / person, 1)
    assert [len(boxes) for boxes in open_suggestions(tmp_path / "team").values()] == [1, 1]
    assert open_suggestions(tmp_path / "team" / "ada").keys() == {tmp_path / "team" / "ada" / "0.jpg"}


def kept(name: str) -> Model:
    """A learned model of that name: the shipped networks under other weights."""
    start = shipped()[0]
    assert start.classifier is not None
    folder = place_for(name)
    folder.mkdir(parents=True)
    shutil.copy(start.classifier.path, folder / "faces.onnx")
    return write_learned(folder, start=start, networks={"classifier": folder / "faces.onnx"}, fusion=FUSION)


def test_a_learned_model_is_found_by_name_and_checked(own_folder: Path) -> None:
    assert learned() == ()
    model = kept("grandma")
    assert learned() == (model,)
    assert load_reader("grandma").fusion == FUSION
    assert load_reader("grandma").detector.name.startswith("grandma@")
    assert isinstance(load_reader("grandma").classifier, Cascade), "it has the high-resolution classifier too"
    assert model.label != shipped()[0].label
    (own_folder / "models" / "nonsense").mkdir()
    (own_folder / "models" / "nonsense" / "model.json").write_text('{"detector": 5}')
    assert learned() == (model,)
    (own_folder / "models" / "grandma" / "faces.onnx").write_bytes(b"other bytes")
    registry._loaded.cache_clear()
    with pytest.raises(ModelError, match="learn it again"):
        load_reader("grandma")


def test_no_model_is_written_over() -> None:
    kept("mine")
    for name, said in (("mine", "there is a model 'mine' already"), (DEFAULT, "already"), ("../x", "is no name")):
        with pytest.raises(ModelError, match=said):
            place_for(name)
    assert [free_name("mine"), free_name("Our set!"), free_name("../..")] == ["mine-2", "Our-set", "mine-2"]
    assert free_name(DEFAULT) == f"{DEFAULT}-2"


def judged(name: str, *matches: TileMatch, hand: tuple[str, ...] = ()) -> Judged:
    return Judged(Path(name), "", "", matches, (), (), 1.0, hand, (10, 10))


def test_figures() -> None:
    photos = [
        judged("a.jpg", TileMatch("1m", "1m"), TileMatch("2m", "2m"), TileMatch("", "9m"), hand=("1m", "2m")),
        judged("b.jpg", TileMatch("1m", "1m"), TileMatch("2m", ""), hand=("1m",)),
    ]
    assert Figures.of(photos, {}) == Figures(2, 0.75, 0.5, 0.5, None, 0.75)
    hands = {"a.jpg": ("2m", "1m"), "b.jpg": ("1m",), "c.jpg": ()}
    assert Figures.of(photos, hands).exact_hand_rate == 0.5, "the order counts"


BEFORE = Figures(5, 0.9, 0.4, 0.1, None, 0.97)


@pytest.mark.parametrize(
    ("before", "said"),
    [
        (
            replace(BEFORE, found=0.31),
            r"finds 31% of the labelled tiles, .* --detector tunes the detector too \(10 passes;",
        ),
        (replace(BEFORE, tile_f1=1.0, whole=1.0), "there is nothing to gain"),
    ],
)
def test_training_that_cannot_help_does_not_start(before: Figures, said: str) -> None:
    with pytest.raises(InputError, match=f"{said}.*--anyway"):
        require_use(before, offer="10 passes")
    require_use(BEFORE, offer="")
    assert forecast_line(BEFORE, "mine") == (
        "mine reads 5 held-out photos so: 97.0% of the tiles found, tile F1 0.900, "
        f"every labelled tile right in 40% of the photos, {BEFORE.invented:.1f} invented tiles a photo"
    )
    with_hands = forecast_line(replace(BEFORE, exact_hand_rate=0.5), "mine")
    assert with_hands.endswith("invented tiles a photo, 50% of the hands read exactly")


def test_a_detector_that_still_finds_too_few_ends_the_training() -> None:
    with pytest.raises(InputError, match=r"still finds 31% of the labelled tiles.*nothing is kept"):
        require_found(replace(BEFORE, found=0.31))
    require_found(BEFORE)


def test_a_model_that_does_not_help_is_refused() -> None:
    for after in (BEFORE, replace(BEFORE, tile_f1=0.89, whole=0.8), replace(BEFORE, whole=0.2)):
        with pytest.raises(InputError, match="is not kept, because it reads the held-out photos no better"):
            require_gain(BEFORE, after)
    for after in (replace(BEFORE, tile_f1=0.91), replace(BEFORE, whole=0.6)):
        require_gain(BEFORE, after)


def test_sets_that_cannot_be_learned_from(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="the extra `train` is not installed")
    from tilescore.models.finetuning.tile_set import FineTuning, learn

    few = FineTuning(start=DEFAULT, data=labelled(tmp_path / "few", 3), name="x")
    with pytest.raises(InputError, match="has 3 labelled photos: label at least 4"):
        learn(few)
    with pytest.raises(InputError, match="are of one scene"):  # four copies of each photo, tied by their looks
        learn(replace(few, data=same(labelled(tmp_path / "same", 4))))
    with pytest.raises(InputError, match="does not exist"):
        learn(replace(few, data=tmp_path / "nowhere"))
    said: list[str] = []
    with pytest.raises(InputError, match=r"give the data\.yaml"):  # at once, not after the scenes are rendered
        learn(replace(few, data=labelled(tmp_path / "enough", 4), others=tmp_path / "nowhere.yaml"), said.append)
    assert not said
    assert learned() == ()


def test_a_split_for_evaluation_is_held_out_with_any_word_after_it(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="the extra `train` is not installed")
    from tilescore.models.finetuning.tile_set import FineTuning, forecast

    for split, photos in (("train", labelled(tmp_path / "a", 4)), ("test_unseen", labelled(tmp_path / "b", 3))):
        for kind, suffix in (("images", ".jpg"), ("labels", ".txt")):
            place = tmp_path / "set" / kind / split
            place.mkdir(parents=True)
            for file in photos.glob(f"[0-9]{suffix}"):
                shutil.copy(file, place)
    for path in (tmp_path / "set" / "images" / "test_unseen").iterdir():
        ImageOps.invert(Image.open(path)).save(path)  # other scenes than those to learn from
    name_classes(tmp_path / "set")

    class EnoughError(Exception):
        """The first line is all that the test asks for."""

    def end(line: str) -> None:
        raise EnoughError(line)

    with pytest.raises(EnoughError, match=r"4 training photos \(train 4\), 3 held out \(test_unseen 3\)"):
        forecast(FineTuning(start=DEFAULT, data=tmp_path / "set", name="x"), end)


def handed_in(root: Path, *names: str, split: str = "", tile: str = "5m") -> None:
    """A folder of checked photos, each of its own scene, as somebody hands it in."""
    place = root / "images" / split
    place.mkdir(parents=True)
    for name in names:
        noise = np.random.default_rng(int(name)).integers(0, 255, (12, 16, 3), np.uint8)
        Image.fromarray(noise).resize((320, 240)).save(place / f"{name}.png")
    folder = AnnotationFolder(root)
    for picture in (picture for picture in folder.pictures()[0] if picture.split == split):
        folder.save(picture, Annotation((Mark(tile, Box(10, 10, 40, 60)),), checked=True))


def test_a_photo_that_two_people_hand_in_is_learned_once_and_never_held_out_too(tmp_path: Path) -> None:
    handed_in(tmp_path / "ann", "1", "2", "3", "4", split="train")
    handed_in(tmp_path / "ann", "5", "6", split="val")
    handed_in(tmp_path / "bob", "1", "5", "7")
    handed_in(tmp_path / "cid", "2", "8", tile="6m")
    said: list[str] = []
    mine, held_out = training_photos(tmp_path, {}, said.append)
    assert [sorted(photo.path.stem for photo in some) for some in (mine, held_out)] == [list("13478"), list("56")]
    assert len(said) == 1
    assert "'cid/images/2.png' and 'ann/images/train/2.png' are one photo with different labels" in said[0]


def test_near_duplicates_of_a_photo_that_is_held_out_are_held_out_too(tmp_path: Path) -> None:
    handed_in(tmp_path / "ann", "1", "2", "3", split="train")
    handed_in(tmp_path / "ann", "4", split="val")
    handed_in(tmp_path / "bob", "4", "5")
    with Image.open(tmp_path / "bob" / "images" / "4.png") as picture:
        picture.save(tmp_path / "bob" / "images" / "4.png", optimize=True, compress_level=1)
    mine, held_out = training_photos(tmp_path, {}, print)
    assert [sorted(photo.path.stem for photo in some) for some in (mine, held_out)] == [list("1235"), list("44")]


def test_a_second_training_of_the_same_photos_waits_its_turn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch", reason="the extra `train` is not installed")
    from tilescore.models.finetuning import tile_set

    place = tmp_path / "tuning"
    monkeypatch.setattr(tile_set, "forecast", lambda _config, _say: SimpleNamespace(place=place))
    config = tile_set.FineTuning(start=DEFAULT, data=tmp_path, name="x")
    with sole_writer(place), pytest.raises(InputError, match="another training of these photos is running"):
        tile_set.learn(config)


def same(root: Path) -> Path:
    for path in root.glob("*.jpg"):
        shutil.copy(SAMPLES / "winning_hand.jpg", path)
    return root


def test_a_set_is_learned_from_a_folder_that_is_being_labelled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch", reason="the extra `train` is not installed")
    pytest.importorskip("onnx", reason="the extra `train` is not installed")
    from tilescore.models.finetuning.tile_set import FineTuning, learn

    for fewer, count in (("_MEASURED", 3), ("_CLUTTER", 3), ("_EMPTY", 3)):
        monkeypatch.setattr(f"tilescore.models.finetuning.tile_set.{fewer}", count)
    data = labelled(tmp_path / "photos", 8)
    hands = [{"file": f"{number}.jpg", "tiles": ["5m"]} for number in range(8)]
    (data / "hands.json").write_text(json.dumps(hands))
    said: list[str] = []
    start = str(shipped()[0].detector.path)  # the file of a shipped detector means its model
    card = learn(FineTuning(start=start, data=data, name="tried", steps=2, scenes=4, anyway=True), said.append)
    assert (card.learned_photos, card.before.photos) in {(6, 2), (4, 4)}, "a fifth at least, scene by scene"
    accepted = {path.stem: len(path.read_text().splitlines()) for path in data.glob("[0-9].txt")}
    assert 0 < sum(card.learned_tiles.values()) < sum(accepted.values()), "no open suggestion, nothing held out"
    assert card.kept_after.tile_f1 >= card.kept_before.tile_f1 - 0.01
    assert card.before.exact_hand_rate == 0
    assert card.before.tile_f1 == 1, "what lies on an open suggestion is not invented"
    (model,) = learned()
    folder = model.detector.path.parent
    assert Figures(**json.loads((folder / "card.json").read_text())["after"]) == card.after
    assert card.to_text() == (folder / "card.md").read_text()
    assert sorted(path.name for path in folder.iterdir()) == [
        "card.json", "card.md", "model.json", "tiles46.onnx", "tiles46_backs.onnx",
        "tiles46_corners.onnx", "tiles46_refiner.onnx", "tuned_classifier.onnx", "tuned_closer.onnx",
    ]  # fmt: skip
    assert [path.name for path in folder.parent.iterdir()] == ["tried"]
    assert said.index("evaluating before") < said.index("cutting the tiles out, and timing some steps")
    assert said.index("training") > next(at for at, line in enumerate(said) if "training takes about" in line)
    assert said.index("training") < said.index("evaluating after")
    assert any("held-out photos so: 100.0% of the tiles found" in line for line in said)
    assert card.steps == 3, "two steps of the first classifier, one of the high-resolution classifier"
    named_by = load_reader("tried").classifier
    assert isinstance(named_by, Cascade)
    assert named_by.fine_tuned


def test_nothing_is_written_when_other_sets_would_be_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch", reason="the extra `train` is not installed")
    pytest.importorskip("onnx", reason="the extra `train` is not installed")
    from tilescore.models.finetuning.tile_set import FineTuning, learn

    for fewer, count in (("_MEASURED", 2), ("_CLUTTER", 3), ("_EMPTY", 3), ("_KEPT", (1.0,)), ("_FORGOTTEN", -0.5)):
        monkeypatch.setattr(f"tilescore.models.finetuning.tile_set.{fewer}", count)
    with pytest.raises(InputError, match="see that every tile in your photos is labelled"):
        learn(
            FineTuning(start=DEFAULT, data=labelled(tmp_path / "photos", 8), name="x", steps=1, scenes=4, anyway=True)
        )
    assert learned() == ()
    assert not list((tmp_path / "own" / "models").iterdir())


def test_the_fine_tuner_learns_and_keeps_the_rest(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="the extra `train` is not installed")
    pytest.importorskip("onnx", reason="the extra `train` is not installed")
    from tilescore.models.finetuning.classifier import FineTuner
    from tilescore.models.training.classifier import plain

    start = shipped()[0].classifier
    assert start is not None
    rng = np.random.default_rng(0)
    own = np.zeros((6, 80, 80, 3), np.uint8)
    own[:, 20:60, 20:60] = rng.integers(0, 255, (6, 1, 1, 3))
    others = rng.integers(0, 255, (40, 80, 80, 3)).astype(np.uint8)
    tuner = FineTuner(start.path, (own, np.full(6, 7)), (others, np.full(40, 46)))
    done: list[tuple[int, int]] = []
    tuner.learn(steps=12, progress=lambda *count: done.append(count))
    assert done == [(step, 12) for step in range(1, 13)]
    names = []
    for share in (0.0, 1.0):
        tuner.write(tmp_path / "faces.onnx", share)
        logits = SmallNetwork(tmp_path / "faces.onnx").run(plain(own).numpy())
        names.append(torch.from_numpy(logits).softmax(1)[:, 7].mean().item())
    assert names[1] > names[0] + 0.2
    assert [path.name for path in tmp_path.iterdir()] == ["faces.onnx"]


def test_nothing_is_kept_that_does_not_help(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of the weight change is kept, so the new model reads the photos as before."""
    pytest.importorskip("torch", reason="the extra `train` is not installed")
    pytest.importorskip("onnx", reason="the extra `train` is not installed")
    from tilescore.models.finetuning import tile_set
    from tilescore.models.finetuning.tile_set import FineTuning, forecast, learn

    for fewer, count in (("_MEASURED", 2), ("_EMPTY", 3), ("_KEPT", (0.0,))):
        monkeypatch.setattr(tile_set, fewer, count)
    monkeypatch.setattr(tile_set, "_fusions", lambda reader, _mine: {"the calibration before": reader.fusion})
    data = labelled(tmp_path / "photos", 8)
    for file in data.glob("[0-9].txt"):  # the model reads the first tile of each photo otherwise
        first, *others = file.read_text().splitlines(keepends=True)
        file.write_text("".join([f"33 {first.split(maxsplit=1)[1]}", *others]))
    config = FineTuning(start=DEFAULT, data=data, name="x", steps=1, scenes=4)
    said: list[str] = []
    assert forecast(config, said.append).before.found == 1
    assert "minutes" in said[-1]
    assert not (tmp_path / "own" / "models").exists(), "a forecast trains nothing"
    done: list[tuple[int, int]] = []
    with pytest.raises(InputError, match="no better"):
        learn(config, lambda _line: None, progress=lambda *count: done.append(count))
    assert done == [(1, 2), (2, 2)]
    assert not list((tmp_path / "own" / "models").iterdir())
