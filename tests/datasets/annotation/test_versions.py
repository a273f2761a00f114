"""Versions of the labels in a folder: kept, listed, gone back to; nothing is lost on the way."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from tests.datasets.labelled import hollow_png, yolo_set
from tilescore.datasets import formats
from tilescore.datasets.annotation.film import follow
from tilescore.datasets.annotation.folder import NO_ACCESS, AnnotationFolder
from tilescore.datasets.annotation.versions import go_back, keep, versions
from tilescore.datasets.inside import Inside
from tilescore.datasets.marks import Mark
from tilescore.errors import InputError
from tilescore.ui.cli.sets.dataset import dataset_app
from tilescore.vision.image.boxes import Box

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from typing import BinaryIO

LINE = "0 0.5 0.5 0.1 0.2\n"
MORE = Mark("2m", Box(10, 20, 40, 60))


def labels(root: Path) -> dict[str, list[str]]:
    """The names of the labels of each picture."""
    return {each.name: [box.name for box in each.boxes] for each in formats.read(root).pictures}


def save(folder: AnnotationFolder, name: str, **changed: object) -> None:
    picture = next(each for each in folder.pictures()[0] if each.key.endswith(name))
    folder.save(picture, replace(folder.open(picture).now, **changed))  # type: ignore[arg-type]  # fields by name


def test_a_version_comes_back_and_the_present_one_is_kept(tmp_path: Path) -> None:
    folder = AnnotationFolder(yolo_set(tmp_path, {"a": LINE, "b": LINE, "c": ""}))
    first = keep(folder, "  at  first ")
    assert (first.number, first.note, first.pictures, first.labels) == (1, "at first", 3, 2)
    assert keep(folder) == first, "nothing has changed since"
    save(folder, "a.png", marks=(MORE,), checked=True)
    save(folder, "b.png", rejected="glare")
    (tmp_path / "images" / "c.png").unlink()
    hollow_png(tmp_path / "images" / "d.png", (640, 480))
    (tmp_path / "labels" / "d.txt").write_text(LINE)
    before = labels(tmp_path)
    second = keep(folder)
    assert (second.number, second.labels) == (2, 3)
    done = go_back(folder, 1)
    assert (done.changed, done.later, done.gone) == (2, 1, 1)
    assert labels(tmp_path) == {"a.png": ["1m"], "b.png": ["1m"], "d.png": ["1m"]}
    assert [each.rejected for each in formats.read(tmp_path).pictures] == ["", "", ""]
    picture = folder.pictures()[0][0]
    assert folder.open(picture).past[-1].marks == (MORE,), "undo in the annotator brings it back, too"
    assert go_back(folder, 1).changed == 0
    go_back(folder, 2)
    assert labels(tmp_path) == before
    assert [each.number for each in versions(folder)] == [1, 2]


def test_lines_that_say_more_than_a_box_come_back_as_they_were(tmp_path: Path) -> None:
    polygon = "0 0.45 0.40 0.55 0.40 0.50 0.60 0.47 0.55\n"
    folder = AnnotationFolder(yolo_set(tmp_path, {"a": polygon + LINE, "b": polygon, "c": LINE}))
    keep(folder)
    save(folder, "a.png", marks=(MORE,))
    (tmp_path / "labels" / "b.txt").write_text(LINE)
    assert go_back(folder, 1).changed == 2
    texts = {path.stem: path.read_text() for path in (tmp_path / "labels").iterdir()}
    assert texts == {"a": polygon + LINE, "b": polygon, "c": LINE}
    version = tmp_path / ".tilescore" / "versions" / "1.jsonl"
    version.write_text(re.sub(r', "lines": \[.*?\]', "", version.read_text()))
    assert go_back(folder, 1).changed == 0, "a version of before, without such lines"


@pytest.mark.parametrize("closed", ["2.txt", "2.png.jsonl"])
def test_what_cannot_be_read_now_does_not_count_as_empty(
    closed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = Inside.open

    def refused(self: Inside, path: Path, mode: str = "rb") -> BinaryIO:
        if path.name == closed:
            raise PermissionError(13, "Permission denied", str(path))
        return usual(self, path, mode)

    folder = AnnotationFolder(yolo_set(tmp_path, {"1": LINE, "2": LINE, "3": LINE}))
    for name in ("1.png", "2.png"):
        save(folder, name, checked=True)
    keep(folder)
    picture, now = folder.pictures()[0][1], folder.open(folder.pictures()[0][1]).now
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    monkeypatch.setattr(Inside, "open", refused)
    tasks: list[Callable[[], object]] = [
        lambda: folder.open(picture), lambda: folder.save(picture, now), lambda: keep(folder),
        lambda: go_back(folder, 1), lambda: follow(folder, folder.pictures()[0], folder.save),
    ]  # fmt: skip
    for task in tasks:
        with pytest.raises(InputError, match=r"/2\.[a-z.]+' cannot be (read|saved) \(Permission denied\): ") as caught:
            task()
        assert caught.value.code in (NO_ACCESS, "cannot_write" if closed.endswith("l") else "")
    assert before == {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    "damage", [b"", b"no JSON", b"{}\n{}\n", b'{"at": 1}\n[]\n', b'{}\n{"key": "a", "marks": 7}\n', b"\xff"]
)
def test_a_damaged_version_is_passed_over_and_its_number_is_not_used_again(damage: bytes, tmp_path: Path) -> None:
    folder = AnnotationFolder(yolo_set(tmp_path, {"a": LINE}))
    keep(folder)
    (tmp_path / ".tilescore" / "versions" / "1.jsonl").write_bytes(damage)
    with pytest.raises(InputError, match="has no version 1 that can be read"):
        go_back(folder, 1)
    assert keep(folder).number == 2
    assert labels(tmp_path) == {"a.png": ["1m"]}


def test_the_command_keeps_lists_and_goes_back(tmp_path: Path) -> None:
    root = yolo_set(tmp_path / "set", {"a": LINE})

    def run(*words: str) -> str:
        done = CliRunner().invoke(dataset_app, ["versions", str(root), *words], catch_exceptions=False)
        assert done.exit_code == 0
        return done.stdout + done.stderr

    assert f"'{root}' has no version yet: --keep NOTE keeps one." in run()
    assert "1 picture, 1 label  before renaming" in run("--keep", "before renaming")
    save(AnnotationFolder(root), "a.png", marks=())
    said = run("--back", "1")
    assert "kept as version 2" in said
    assert "labels of version 1: 1 picture changed" in said
    assert labels(root) == {"a.png": ["1m"]}
    for words, why in ((("--back", "7"), "no version 7: it has 1, 2"), (("--back", "1", "--keep", "x"), "two tasks")):
        with pytest.raises(InputError, match=why):
            CliRunner().invoke(dataset_app, ["versions", str(root), *words], catch_exceptions=False)


def test_a_new_note_about_unchanged_labels_is_kept(tmp_path: Path) -> None:
    root = yolo_set(tmp_path, {"a": LINE})
    for words in (["--keep", ""], ["--keep", "before  the tournament"], ["--keep", "before the tournament"]):
        assert CliRunner().invoke(dataset_app, ["versions", str(root), *words]).exit_code == 0
    assert [each.note for each in versions(AnnotationFolder(root))] == ["", "before the tournament"]
    CliRunner().invoke(dataset_app, ["versions", str(root), "--back", "1"])
    assert len(versions(AnnotationFolder(root))) == 2, "going back keeps a version of changed labels only"
