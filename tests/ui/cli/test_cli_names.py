"""`tilescore dataset` on sets of other programs: names, exit status, what is told and what is written."""

import errno
import json
import os
from pathlib import Path
from typing import Final

import pytest
from typer.testing import CliRunner

from tests.datasets.labelled import yolo_set
from tilescore.datasets import formats
from tilescore.datasets.inside import Inside
from tilescore.errors import InputError
from tilescore.ui.cli.main import app
from tilescore.ui.cli.sets.annotate import ready_to_label
from tilescore.ui.pages.annotate import FOLDER

LINES = "0 .5 .5 .1 .2\n1 .2 .2 .1 .2\n2 .8 .8 .1 .2\n"


def run(*arguments: object) -> tuple[int, str, str]:
    """Exit status, stdout and stderr; bad input ends as `main` ends it."""
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    if isinstance(result.exception, InputError):
        return 2, result.stdout, result.stderr + str(result.exception)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.stdout, result.stderr


@pytest.fixture
def drawer(tmp_path: Path) -> Path:
    """A set whose third name nobody can know; it is in two of the three photos."""
    lines = {"train/a": LINES, "valid/b": LINES, "train/c": "".join(LINES.splitlines(keepends=True)[:2])}
    return yolo_set(tmp_path / "drawer", lines, names=["1_man", "sya-", "f1"])


def test_names_follow_the_contract(drawer: Path) -> None:
    code, out, _ = run("dataset", "names", drawer, "--json", "--no-look")
    data = json.loads(out)
    assert (code, data["source"]) == (0, "classes.txt")
    assert data["classes"][:2] == [
        {"name": "1_man", "tile": "1m", "sure": True, "count": 3},
        {"name": "sya-", "tile": "3z", "sure": True, "count": 3},
    ]
    third = data["classes"][2]
    assert (third["name"], third["tile"], third["sure"], third["count"]) == ("f1", None, False, 2)


@pytest.mark.parametrize("command", ["convert", "split"])
def test_open_names_end_with_2_after_the_rest_was_done(command: str, drawer: Path, tmp_path: Path) -> None:
    options = ("--to", "yolo") if command == "convert" else ()
    code, _, err = run("dataset", command, drawer, tmp_path / "out", *options, "--no-look")
    assert code == 2
    assert "names (classes.txt): 1_man = 1m, sya- = 3z" in err
    assert "nobody can know what 'f1' mean" in err
    found = formats.read(tmp_path / "out")
    assert sorted(box.name for picture in found.pictures for box in picture.boxes) == ["1m", "3z"]
    assert err.count("left out whole: a label in it cannot be used") == 2, "they would be negative examples"


@pytest.mark.parametrize(("tile", "boxes"), [("1q", 8), (None, 6)])
def test_a_file_of_names_settles_them(tile: str | None, boxes: int, drawer: Path, tmp_path: Path) -> None:
    (tmp_path / "names.json").write_text(json.dumps({"f1": tile}))
    code, out, _ = run(
        "dataset", "convert", drawer, tmp_path / "out", "--to", "coco", "--names", tmp_path / "names.json", "--no-look",
        "--json",
    )  # fmt: skip
    summary = json.loads(out)
    assert (code, summary["boxes"], summary["labels"]) == (0, boxes, 8)


def test_a_labelled_set_without_a_usable_label_is_bad_input(tmp_path: Path) -> None:
    root = yolo_set(tmp_path / "set", {"a": LINES}, names=["person", "car", "dog"])
    for command in (("convert", root, tmp_path / "out", "--to", "yolo"), ("split", root, tmp_path / "out")):
        code, _, err = run("dataset", *command)
        assert code == 2
        assert "none can be used" in err
        assert "see tilescore dataset names" in err
        assert not (tmp_path / "out").exists()
    assert run("dataset", "check", root)[0] == 2


def test_a_set_that_lost_its_pictures_has_no_names_to_see(drawer: Path, tmp_path: Path) -> None:
    formats.write(formats.read(drawer, names={"f1": "1q"}).pictures, tmp_path / "coco", format_name="coco")
    for picture in (tmp_path / "coco").rglob("*.png"):
        picture.unlink()
    code, _, err = run("dataset", "check", tmp_path / "coco")
    assert (code, "is not there): correct that and start again." in err) == (2, True), err


def test_a_class_with_many_labels_takes_one_line(tmp_path: Path) -> None:
    text = "0 .5 .5 .1 .2\n" + "1 .5 .5 .1 .2\n" * 500
    root = yolo_set(tmp_path / "set", {"a": text}, names=["1_man", "zebra"])
    _, _, err = run("dataset", "convert", root, tmp_path / "out", "--to", "yolo", "--no-look")
    assert len(err.splitlines()) < 6
    assert "500 boxes" in err


def test_splits_are_told(drawer: Path, tmp_path: Path) -> None:
    root = yolo_set(tmp_path / "set", {"train/a": LINES, "train/b": LINES}, names=["1m", "2m", "3m"])
    assert (
        "every picture is in train" in run("dataset", "convert", root, tmp_path / "o", "--to", "yolo", "--no-look")[2]
    )
    assert "byte for byte" in run("dataset", "convert", drawer, tmp_path / "p", "--to", "voc", "--no-look")[2]
    described = (tmp_path / "o" / "data.yaml").read_text()
    assert "train: images/train" in described
    assert "val:" not in described, "train is never val unasked"


def test_a_folder_that_cannot_be_written_is_refused_before_the_browser_opens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_inside: Inside, path: Path) -> None:
        raise OSError(errno.EROFS, "Read-only file system", str(path))

    monkeypatch.setattr(Inside, "make_folder", refuse)
    monkeypatch.setattr("tilescore.ui.server.server.serve", lambda *_, **__: None)
    monkeypatch.setenv(FOLDER, "")
    status, _, said = run("annotate", tmp_path)
    assert (status, "labels need a place" in said) == (2, True)


@pytest.mark.parametrize("is_removed", [False, True])
def test_another_format_is_labelled_as_a_copy(
    drawer: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], *, is_removed: bool
) -> None:
    pictures = formats.read(drawer, names={"f1": "1q"}).pictures
    formats.write(pictures, tmp_path / "voc", format_name="voc")
    copy = ready_to_label(tmp_path / "voc")
    assert copy == (tmp_path / "voc-tilescore").resolve()
    assert "a copy that can be labelled" in capsys.readouterr().err
    assert formats.detect(copy) == "yolo"
    assert ready_to_label(tmp_path / "voc") == copy
    assert "has changed since" not in capsys.readouterr().err
    label_file = next((tmp_path / "voc").rglob("*.xml"))
    if is_removed:
        label_file.unlink()
    else:
        os.utime(label_file, (1, 1))  # as after unpacking an older archive
    assert ready_to_label(tmp_path / "voc") == copy
    assert "has changed since: to label it anew, rename its copy" in capsys.readouterr().err


def test_evaluate_without_its_extra_says_so(drawer: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tilescore.ui.cli.models.find_spec", lambda _name: None)
    code, _, err = run("evaluate", "--data", drawer / "data.yaml")
    assert code == 2
    assert "needs the extra `train`" in err


TOLD: Final = [
    # case of ../shared/cases/datasets, exit status, what `dataset check` tells
    ("a9_no_names_at_all", 2, "has no list of class names"),
    ("b6_yolo_segment", 2, "has no list of class names"),
    ("e04b_label_without_photo_flat", 0, "b.txt"),
    ("e05_slightly_over_1", 0, "box_outside"),
    ("e15_valid_and_val", 0, "1 leak"),
    ("f1_exif6_voc_stored_size", 0, "turned"),
    ("f3_exif6_yolo", 0, "taken_as_upright"),
    ("i4_ls_polygon", 0, "polygon"),
    ("l1_valid_not_val", 0, "val: 5 pictures"),
    ("l2_train_only", 0, "tilescore dataset split makes all three"),
    ("m1_rf_copies", 0, "t0_jpg.rf.0.jpg, t0_jpg.rf.1.jpg, t0_jpg.rf.2.jpg: 3 photos are nearly the same"),
]


@pytest.mark.shared
@pytest.mark.parametrize(("case", "code", "told"), TOLD)
def test_check_tells_what_the_shared_cases_want_told(case: str, code: int, told: str, shared: Path) -> None:
    found, out, err = run("dataset", "check", shared / "cases" / "datasets" / case)
    assert told in out + err
    assert found == code


@pytest.mark.shared
def test_copies_of_one_picture_stay_in_one_split_and_others_are_counted(shared: Path, tmp_path: Path) -> None:
    code, _, _ = run("dataset", "split", shared / "cases" / "datasets" / "m1_rf_copies", tmp_path / "set")
    assert code == 0
    by_split = {
        one.name: {path.name.partition("_")[0] for path in one.iterdir()}
        for one in (tmp_path / "set" / "images").iterdir()
    }
    assert sum(map(len, by_split.values())) == len(set.union(*by_split.values())) == 12
    moved = next((tmp_path / "set" / "images" / "train").iterdir())
    for kind, ending in (("images", moved.suffix), ("labels", ".txt")):
        name = moved.stem + ending
        (tmp_path / "set" / kind / "train" / name).rename(tmp_path / "set" / kind / "val" / name)
    _, out, _ = run("dataset", "check", tmp_path / "set")
    assert "2 leak" in out, "the one that was moved, with each of the two that stayed"


def test_a_name_that_stands_twice_is_told(drawer: Path, tmp_path: Path) -> None:
    twice = tmp_path / "names.json"
    twice.write_text('{"sya-": "3z", "sya-": "4z"}', encoding="utf-16")
    code, _, err = run("dataset", "check", drawer, "--names", twice, "--no-look")
    assert (code, "the key 'sya-' stands twice" in err) == (2, True)
