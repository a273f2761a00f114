"""Nothing of a set is overlooked without a word: what no reader took, sets of other games, photos with hidden tiles."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from PIL import Image

from tests.datasets.labelled import hollow_png, yolo_set
from tests.ui.cli.test_cli_names import run
from tilescore.datasets import formats

if TYPE_CHECKING:
    from pathlib import Path

LINE = "0 .5 .5 .1 .2\n"
ODD_JSON = json.dumps({"boxes": {"a.png": [[1, 2, 3, 4, "9p"]]}})
DECK = "".join(f"{rank}{suit}\n" for suit in "cdhs" for rank in [*"23456789", "10", *"JQKA"])
UNO = "".join(f"{c}_{n}\n" for c in ("red", "blue", "green", "yellow") for n in [*"0123456789", "skip", "reverse"])
CHESS = "".join(f"{side}-{piece}\n" for side in ("white", "black")
                for piece in ("king", "queen", "rook", "bishop", "knight", "pawn"))  # fmt: skip
DOMINOES = "".join(f"{a}x{b}\n" for a in range(7) for b in range(a, 7))

STOPPED: list[tuple[str, dict[str, str], str]] = [
    ("a table of unknown columns", {"images/a.png": "", "boxes.csv": "photo_of,v,w,x,y,what\na.png,1,2,3,4,9p\n"},
     "files that look like labels, and no reader knows their form: 'boxes.csv'"),
    ("the same beside pictures alone", {"a.png": "", "boxes.csv": "photo_of,v,w,x,y,what\na.png,1,2,3,4,9p\n"},
     "'boxes.csv'"),
    ("JSON of an unknown program", {"images/a.png": "", "out.json": ODD_JSON}, "'out.json'"),
    ("XML of an unknown program", {"images/a.png": "", "a.xml": "<tiles><t x='1' y='2' w='3' h='4'/></tiles>"},
     "'a.xml'"),
    ("texts in a folder for labels", {"images/a.png": "", "annotations/a.txt": "tile at 1 2 3 4 north\n"},
     "'annotations/a.txt'"),
    ("a packed form", {"images/a.png": "", "train.tfrecord": "x"}, "'train.tfrecord'"),
    ("many of them", {f"{kind}/{n}.{end}": "" if end == "png" else ODD_JSON for n in range(5)
                      for kind, end in (("images", "png"), ("ann", "json"))}, "'ann/2.json' and 2 more"),
    ("a list of names and no label", {"images/a.png": "", "classes.txt": "9p\n"},
     "has a list of class names ('classes.txt'), and no label"),
    ("YOLO without its pictures", {"labels/a.txt": LINE, "classes.txt": "9p\n"},
     "label files of YOLO ('labels/a.txt'), but not their pictures"),
    ("YOLO without its pictures, in folders",
     {"train/labels/a.txt": LINE, "train/images/x.md": "", "data.yaml": "names: [9p]\n"},
     "but not their pictures"),
    ("a deck of cards", {"a.png": "", "a.txt": LINE, "classes.txt": DECK},
     "no mahjong set: its names are those of playing cards, such as '2c'"),
    ("UNO", {"a.png": "", "a.txt": LINE, "classes.txt": UNO}, "those of UNO"),
    ("chess", {"a.png": "", "a.txt": LINE, "classes.txt": CHESS}, "those of chess"),
    ("dominoes", {"a.png": "", "a.txt": LINE, "classes.txt": DOMINOES}, "those of dominoes"),
    ("one class for all tiles", {"a.png": "", "a.txt": LINE, "classes.txt": "tile\n"},
     "says where tiles lie ('tile'), and not which tiles they are: --names model"),
    ("suits alone",
     {"a.png": "", "a.txt": LINE + "1 .2 .2 .1 .1\n2 .7 .7 .1 .1\n", "classes.txt": "bamboo\ndots\ncharacters\n"},
     "says where tiles lie ('bamboo', 'dots', 'characters')"),
]  # fmt: skip


def lay(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".png":
            hollow_png(path, (640, 480))
        else:
            path.write_text(text)
    return root


@pytest.mark.parametrize(("why", "files", "said"), STOPPED, ids=[case[0] for case in STOPPED])
def test_what_would_be_overlooked_is_one_sentence(why: str, files: dict[str, str], said: str, tmp_path: Path) -> None:
    root = lay(tmp_path / "set", files)
    code, _, err = run("dataset", "convert", root, tmp_path / "out", "--to", "yolo", "--no-look")
    assert (code, said in err) == (2, True), f"{why}: {err}"
    assert err.count("\n") <= 1, why
    assert not (tmp_path / "out").exists(), why
    assert run("dataset", "check", root, "--no-look")[0] == 2, why


def test_a_file_left_over_beside_labels_is_named_after_the_rest_was_done(tmp_path: Path) -> None:
    root = lay(tmp_path / "set", {"a.png": "", "a.txt": LINE, "classes.txt": "9p\n", "more.json": ODD_JSON})
    code, out, err = run("dataset", "convert", root, tmp_path / "out", "--to", "yolo", "--no-look", "--json")
    assert (code, json.loads(out)["boxes"], "'more.json'" in err) == (2, 1, True)
    assert run("dataset", "convert", root, tmp_path / "p", "--to", "yolo", "--no-look", "--from", "yolo")[0] == 0


QUIET: list[tuple[str, dict[str, str]]] = [
    ("a list of pictures", {"train.txt": "a.png\n" * 9}),
    ("the notes of Roboflow", {"README.dataset.txt": "a.png 1 2 3 4 5\n"}),
    ("settings of an editor", {".vscode/a.json": ODD_JSON, "package.json": '{"version": "1.2.3.4"}'}),
    ("the results of a training", {"results.csv": "epoch,loss\n1,2\n3,4\n"}),
    ("who took the photos",
     {"by.csv": "file,who,year\na.png,anna,2021\nb.png,ben,2022\nc.png,a,7\n", "m.json": '{"a.png": [2, 4, 5, 6]}'}),
    ("no label at all", {}),
]  # fmt: skip


@pytest.mark.parametrize(("why", "files"), QUIET, ids=[case[0] for case in QUIET])
def test_other_files_are_no_labels(why: str, files: dict[str, str], tmp_path: Path) -> None:
    root = lay(tmp_path / "set", {"a.png": "", "a.txt": LINE, "classes.txt": "9p\n"} | files)
    assert run("dataset", "check", root, "--no-look")[0] == 0, why


def test_pictures_without_labels_stay_negative_examples(tmp_path: Path) -> None:
    root = lay(tmp_path / "set", {"images/a.png": "", "images/b.png": "", "labels/b.txt": ""})
    assert run("dataset", "convert", root, tmp_path / "out", "--to", "yolo", "--no-look")[0] == 0
    assert len(formats.read(tmp_path / "out").pictures) == 2


HIDING: list[tuple[str, str, bool]] = [
    ("a name that nobody knows", "1 .2 .2 .1 .1\n", True),
    ("a line cut short", "0 .2 .2 .1\n", True),
    ("a number that is none", "0 .2 x .1 .1\n", True),
    ("what is no tile", "2 .2 .2 .1 .1\n", False),
    ("a box without an area", "0 .2 .2 0 .1\n", False),
    ("a box outside", "0 1.9 .2 .1 .1\n", False),
]  # fmt: skip


@pytest.mark.parametrize(("why", "line", "hides"), HIDING, ids=[case[0] for case in HIDING])
@pytest.mark.parametrize("to", formats.WRITTEN)
def test_a_photo_with_a_hidden_tile_is_no_negative_example(
    why: str, line: str, to: str, tmp_path: Path, *, hides: bool
) -> None:
    root = yolo_set(tmp_path / "set", {"a": LINE, "b": LINE + line}, names=["9p", "zebra", "background"])
    code, _, err = run("dataset", "convert", root, tmp_path / "out", "--to", to, "--no-look")
    assert len(formats.read(tmp_path / "out").pictures) == 1 + (not hides), f"{why}: {err}"
    assert ("b.png: left out whole" in err) == hides, why
    assert code == (2 if "zebra" in err else 0), why


def test_every_photo_with_a_hidden_tile_leaves_nothing(tmp_path: Path) -> None:
    root = yolo_set(tmp_path / "set", {"a": LINE + "1 .2 .2 .1 .1\n"}, names=["9p", "zebra"])
    for command in (("convert", root, tmp_path / "out", "--to", "coco"), ("split", root, tmp_path / "out")):
        code, _, err = run("dataset", *command, "--no-look")
        assert (code, "what 'zebra' mean is open: say it with --names" in err) == (2, True), err
        assert not (tmp_path / "out").exists()


def test_the_model_names_what_only_has_a_place(shared: Path, tmp_path: Path) -> None:
    """A set of one class `tile`, out of a real photo whose tiles are known."""
    picture = next(p for p in formats.read(shared / "data" / "photos").pictures if len(p.boxes) >= 10)
    with Image.open(picture.path) as image:
        (tmp_path / "set").mkdir()
        image.convert("RGB").save(tmp_path / "set" / "a.png")
    formats.yolo.label_lines(picture.boxes, picture.size_wh)
    lines = (f"0 {formats.yolo.shares(box, picture.size_wh)}\n" for box in picture.boxes)
    lay(tmp_path / "set", {"a.txt": "".join(lines), "classes.txt": "tile\n"})
    code, _, err = run("dataset", "convert", tmp_path / "set", tmp_path / "out", "--to", "voc", "--names", "model")
    assert code == 0, err
    (found,) = formats.read(tmp_path / "out").pictures
    right = sum(a.name == b.name for a, b in zip(found.boxes, picture.boxes, strict=True))
    assert right >= 0.9 * len(picture.boxes)
