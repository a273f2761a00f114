"""Pictures that cannot be opened: the annotator and its commands leave them out, name them, and go on."""

from __future__ import annotations

import shutil
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.datasets.odd_pictures import ODD
from tests.ui.pages.table_app import LIMIT_S
from tests.ui.pages.test_annotate_deletion import PAGE
from tilescore.datasets import formats
from tilescore.datasets.annotation.folder import AnnotationFolder
from tilescore.datasets.annotation.index import Index
from tilescore.datasets.annotation.listing import EVERYTHING
from tilescore.datasets.checks.dataset_check import check
from tilescore.datasets.inside import Inside
from tilescore.datasets.marks import Annotation
from tilescore.datasets.sample import SAMPLES
from tilescore.errors import InputError
from tilescore.processes.parallel import Pool
from tilescore.ui.cli.sets.prelabel import prelabel
from tilescore.ui.pages.annotate import FOLDER
from tilescore.ui.pages.annotate.desk import Desk

if TYPE_CHECKING:
    from pathlib import Path


BEHIND_THE_HEADER = {"cut_in_its_pixels.jpg", "without_pixels.png", "pixels_of_floats.tif", "icon.png"}
"""Only who decodes these pictures finds that they are none."""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Two good photos, a folder with the name of a picture between them."""
    for name in ("a", "z"):
        shutil.copy(SAMPLES / "riichi_closed.jpg", tmp_path / f"{name}.jpg")
    (tmp_path / "folder.jpg").mkdir()
    return tmp_path


def listed(index: Index) -> list[str]:
    return [entry.key for entry in index.beside("", EVERYTHING, 9)]


def look_at_all(desk: Desk) -> None:
    """What the page asks for while a person goes through all pictures."""
    for key in listed(desk.index):
        with suppress(InputError):
            desk.show(key)
            desk.thumbnail(key)
            desk.picture(desk.index.file(key))


@pytest.mark.parametrize("name", ODD)
def test_a_picture_that_cannot_be_opened_is_set_aside(name: str, root: Path) -> None:
    ODD[name](root / name)
    desk = Desk(root)
    look_at_all(desk)
    assert listed(desk.index) == ["a.jpg", "z.jpg"]
    (problem,) = desk.index.problems
    assert problem.where == name
    assert desk.index.counts().pictures == 2
    again = Desk(root)
    assert listed(again.index) == ["a.jpg", "z.jpg"], "it stays aside"
    assert again.index.problems == desk.index.problems
    assert not (root / name).with_suffix(".txt").exists()
    assert name not in str(desk.index.findings(start=0, count=99))
    assert desk.copy_before("z.jpg", 0, by="me") is not None


@pytest.mark.parametrize("name", ODD)
def test_one_look_finds_pictures_that_a_header_gives_away(name: str, root: Path) -> None:
    ODD[name](root / name)
    index = Index(AnnotationFolder(root))
    index.refresh()
    assert (name in listed(index)) == (name in BEHIND_THE_HEADER)


def test_a_picture_that_was_repaired_comes_back(root: Path) -> None:
    for name in ("cut_in_its_pixels.jpg", "below_32_pixels.png"):
        ODD[name](root / name)
        desk = Desk(root)
        look_at_all(desk)
        assert len(desk.index.problems) == 1
        shutil.copy(SAMPLES / "riichi_closed.jpg", root / name)
        desk.index.refresh()
        assert name in listed(desk.index)
        assert not desk.index.problems
        (root / name).unlink()


@pytest.mark.parametrize("name", ["a.jpg", "a.txt"])
def test_a_file_that_may_not_be_read_comes_back_when_it_may(
    name: str, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = Inside.open

    def refused(self: Inside, path: Path, mode: str = "rb") -> Any:
        if path.name == name:
            raise PermissionError(13, "Permission denied", str(path))
        return usual(self, path, mode)

    desk = Desk(root)
    with monkeypatch.context() as patched:
        patched.setattr(Inside, "open", refused)
        with pytest.raises(InputError, match="Permission denied"):
            desk.show("a.jpg")
        assert listed(desk.index) == ["z.jpg"]
        desk.index.refresh()
        assert "Permission denied" in str(desk.index.problems)
    desk.index.refresh()
    assert listed(desk.index) == ["a.jpg", "z.jpg"]
    assert desk.show("a.jpg").opened.now.marks


def test_the_labels_of_a_picture_that_was_set_aside_stay(root: Path) -> None:
    desk = Desk(root)
    kept = desk.save("a.jpg", desk.show("a.jpg").opened.now.accepted().to_json(), by="me")
    whole = (root / "a.jpg").read_bytes()
    (root / "a.jpg").write_bytes(whole[:5000])
    desk.index.refresh()
    with pytest.raises(InputError, match="cut short"):
        desk.show("a.jpg")
    desk.index.note(desk.index.file("a.jpg"), Annotation())
    assert listed(desk.index) == ["z.jpg"]
    (root / "a.jpg").write_bytes(whole)
    desk.index.refresh()
    assert desk.show("a.jpg").opened.now == kept


def test_the_commands_go_on_and_name_them(root: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    for name, write in ODD.items():
        write(root / name)
    found = prelabel(root, pool=Pool(1))
    assert (found.now, found.before) == (2, 0)
    assert all(any(name in reason for reason in found.unreadable) for name in ODD)
    assert prelabel(root, pool=Pool(1)).before == 2
    desk = Desk(root)
    for key in ("a.jpg", "z.jpg"):
        desk.save(key, desk.show(key).opened.now.accepted().to_json(), by="me")
    labelled = formats.read(root)
    assert check(labelled).findings
    for name in formats.WRITTEN:
        out = tmp_path_factory.mktemp("out") / name
        formats.write(labelled.pictures, out, format_name=name)
        assert {picture.path.name for picture in formats.read(out).pictures} >= {"a.jpg", "z.jpg"}


@pytest.fixture
def app(root: Path, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    """The page of the annotator with the folder."""
    monkeypatch.setenv(FOLDER, str(root))
    return AppTest.from_string(PAGE, default_timeout=LIMIT_S).run()


def test_a_folder_that_goes_and_comes_back_while_it_is_open_is_named_and_loses_no_picture(
    app: AppTest, root: Path
) -> None:
    root.rename(root.with_name("away"))
    app.run()
    assert ["connect it again" in error.value for error in app.error] == [True]
    root.with_name("away").rename(root)
    app.run()
    assert not app.error
    assert app.session_state["annotate"].here == "a.jpg"


def test_pictures_that_all_go_are_named_with_the_reason(app: AppTest, root: Path) -> None:
    for name in ("a", "z"):
        (root / f"{name}.jpg").unlink()
    app.run()
    assert ["No such file" in error.value for error in app.error] == [True]
