"""Sets that nobody can read: one sentence each, exit status 2, nothing written."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.datasets.labelled import hollow_png, yolo_set
from tests.ui.cli.test_cli_dataset import run
from tilescore.ui.cli.terminal import complain

LINE = "0 .5 .5 .1 .2\n"
BOX = "<bndbox><xmin>1</xmin><ymin>1</ymin><xmax>50</xmax><ymax>50</ymax></bndbox>"
XML = f'<!DOCTYPE a [<!ENTITY x "y">]><annotation><object><name>&x;</name>{BOX}</object></annotation>'
THINGS = "".join(f"thing{number}\n" for number in range(1000))
TILES = "".join(f"{rank}m\n" for rank in range(1, 10))
BAD: dict[str, dict[str, str | int]] = {
    "has no list of class names": {"images/a.png": "", "labels/a.txt": LINE},
    "name the classes differently": {
        "a.png": "", "a.txt": LINE, "classes.txt": "1m\n2m\n", "data.yaml": "names: [2m, 1m]\n",
    },
    "names 1 classes, but a.txt, line 1 has class 7": {"a.png": "", "a.txt": "7 .5 .5 .1 .2\n", "classes.txt": "1m\n"},
    "what tile is 'thing0'?": {"a.png": "", "a.txt": LINE, "classes.txt": THINGS},
    "what tile is '1m', perhaps 1m or 2m?": {"a.png": "", "a.txt": LINE, "classes.txt": TILES + THINGS},
    "what tile is '1M', perhaps 1m?": {"a.png": "", "a.txt": LINE, "classes.txt": "1M\n1m\n2m\n3m\n"},
    "declares entities": {"a.png": "", "a.xml": XML},
    "at most 200 MB are read": {"a.png": "", "a.json": 300_000_000},
    "nested too deeply": {"a.png": "", "a.json": '{"images": [], "annotations": ' + "[" * 100_000},
    "share this label file": {"images/a.png": "", "images/a.jpg": "", "labels/a.txt": LINE, "classes.txt": "1m\n"},
}  # fmt: skip
"""By what is said the files of the set; a number is the size of a file with a hole, a picture has no text."""


@pytest.mark.parametrize("said", BAD)
def test_a_set_that_cannot_be_read_is_one_sentence(said: str, tmp_path: Path) -> None:
    for name, content in BAD[said].items():
        path = tmp_path / "set" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, int):
            with path.open("wb") as file:
                file.write(b'{"images": [], "annotations": [')
                file.truncate(content)
        elif content:
            path.write_text(content)
        else:
            hollow_png(path, (640, 480))
    assert_one_sentence(tmp_path, said)


@pytest.mark.parametrize("name", ["labels/b.txt", "more"])
def test_a_link_that_leads_out_is_one_sentence(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "set"
    for part in ("images", "labels"):
        (folder / part).mkdir(parents=True)
    hollow_png(folder / "images" / "a.png", (640, 480))
    (folder / "labels" / "a.txt").write_text(LINE)
    (folder / "classes.txt").write_text("1m\n")
    (folder / name).symlink_to("/etc" if name == "more" else "/etc/hostname")
    assert_one_sentence(tmp_path, "is a link that leads out of the folder")


@pytest.mark.parametrize("name", ["set.zip", 'my "ü" set.zip'])
def test_an_archive_has_the_name_that_was_given(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = yolo_set(tmp_path / "set", {"a": LINE}, names=["1m"])
    Path(shutil.make_archive("packed", "zip", folder)).rename(name)
    for given in (name, str(tmp_path / name)):
        assert json.loads(run("check", given, "--no-look", "--json")[1])["folder"] == given
        assert run("check", given, "--no-look")[1].splitlines()[-2].startswith(f"{given}: yolo")
        code, _, err = run("check", given, "--stamp")
        complain(err)
        assert (code, capsys.readouterr().err) == (
            2,
            f"tilescore: '{given}' is one file: unpack it, then --stamp its folder.\n",
        )


def test_an_archive_that_is_copied_to_be_labelled_has_it_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = yolo_set(tmp_path / "set", {"a": LINE}, names=["1m"])
    (folder / "classes.txt").unlink()
    shutil.make_archive("packed", "zip", folder)
    complain(run("prelabel", "packed.zip")[2])
    assert "tilescore: 'packed.zip' has no list of class names" in capsys.readouterr().err


def assert_one_sentence(place: Path, said: str) -> None:
    code, out, err = run("convert", place / "set", place / "out", "--to", "yolo", "--no-look")
    assert (code, out) == (2, "")
    (sentence,) = err.splitlines()
    assert said in sentence
    assert not (place / "out").exists()
