"""A set of another program in the annotator: names that nobody has explained, small tiles, the set as a whole."""

from __future__ import annotations

import zipfile
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import keep_picture
from tests.e2e.test_annotate import settled
from tests.harness.app_process import DESK, PHONE, running_app
from tilescore.datasets import formats
from tilescore.datasets.annotation.folder import AnnotationFolder
from tilescore.datasets.annotation.index import Index
from tilescore.datasets.annotation.predictions import Prediction
from tilescore.datasets.sample import SAMPLES
from tilescore.models.registry import load_reader
from tilescore.ui.pages.annotate import FOLDER
from tilescore.vision.image.photo import load_photo

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Page

    from tests.e2e.conftest import Tabs

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three photos with their tiles in a corner; one label of the first two has a name that nobody can know."""
    root = tmp_path_factory.mktemp("work") / "drawer"
    root.mkdir()
    photo = np.asarray(cv2.imread(str(SAMPLES / "riichi_closed.jpg")), np.uint8)
    small = np.full((3000, 4000, 3), 40, np.uint8)
    small[:750, :1000] = cv2.resize(photo, (1000, 750), interpolation=cv2.INTER_AREA)
    cv2.imwrite(str(root / "a.jpg"), small)
    seen = Prediction.of(load_reader().read(load_photo(root / "a.jpg")))
    names = [tile.candidates[0][0] for tile in seen.tiles]
    listed = [*dict.fromkeys(names), "zebra"]
    lines = [
        f"{listed.index(name)} {sum(tile.box.xyxy[::2]) / 8000} {sum(tile.box.xyxy[1::2]) / 6000} "
        f"{tile.box.width / 4000} {tile.box.height / 3000}"
        for name, tile in zip(names, seen.tiles, strict=True)
    ]
    lines[0] = f"{len(listed) - 1}{lines[0][lines[0].index(' ') :]}"
    (root / "classes.txt").write_text("\n".join(listed))
    for name in ("a", "b"):
        cv2.imwrite(str(root / f"{name}.jpg"), small)
        (root / f"{name}.txt").write_text("\n".join(lines))
    cv2.imwrite(str(root / "c.jpg"), small)
    (root / "c.txt").write_text("\n".join(lines[1:]))
    index = Index(AnnotationFolder(root))
    index.refresh()
    last = index.file("c.jpg")
    index.folder.save(last, replace(index.folder.open(last).now, checked=True))
    for name in ("a", "b", "c"):
        index.keep_prediction(index.file(f"{name}.jpg"), seen)
    index.share_predictions()
    return root


@pytest.fixture(scope="module")
def place(folder: Path, port: int, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    environment: dict[str, Any] = {FOLDER: str(folder)}
    with running_app(tmp_path_factory.mktemp("games"), port=port, **environment) as address:
        yield address


def choose(page: Page, view: str) -> None:
    page.get_by_role("radio", name=view, exact=True).click()


def view_of(page: Page) -> list[float]:
    """The visible part of the picture: left, top, width, height."""
    return [float(value) for value in str(page.locator(".stage").get_attribute("viewBox")).split()]


def checked(folder: Path) -> dict[str, bool]:
    return {picture.name: picture.checked for picture in formats.read(folder, keep_open=True).pictures}


def test_an_open_name_is_asked_for_and_keeps_its_picture_unchecked(tabs: Tabs, place: str, folder: Path) -> None:
    with tabs.visit(**DESK) as page:
        page.goto(place)
        expect(page.locator(".ts-name.open b")).to_have_text("zebra")  # the page of names comes first
        keep_picture(page, "annotate_names")
        choose(page, "Label")
        expect(page.locator(".mark")).to_have_count(14)
        left, top, width, height = view_of(page)
        assert (left, top) == (0, 0)
        assert width < 2000, "the tiles fill the view"
        assert height == pytest.approx(width * 3 / 4, rel=0.01)
        keep_picture(page, "annotate_zoomed")
        page.locator(".cell").first.click()
        page.keyboard.press("0")
        expect(page.locator(".stage")).to_have_attribute("viewBox", "0 0 4000 3000")
        page.keyboard.press(" ")
        expect(page.locator(".where b")).to_have_text("b.jpg")
        expect(page.locator(".note")).to_contain_text("Not marked as checked")
        settled(page)
        assert checked(folder) == {"a.jpg": False, "b.jpg": False, "c.jpg": True}
        choose(page, "Class names")
        page.get_by_role("combobox", name="Meaning of zebra").click()
        page.keyboard.type("no tile")
        page.get_by_role("option", name="no tile").click()
        page.get_by_role("button", name="Save the meanings").click()
        expect(page.get_by_text("Saved. Every command")).to_be_visible()
        choose(page, "Label")
        expect(page.locator(".mark").first).to_be_visible()
        page.locator(".cell").first.click()
        expect(page.locator(".where b")).to_have_text("a.jpg")
        page.keyboard.press(" ")
        expect(page.locator(".where b")).to_have_text("b.jpg")
        settled(page)
    assert checked(folder) == {"a.jpg": True, "b.jpg": False, "c.jpg": True}


def test_a_picture_is_rejected_with_a_reason_and_taken_back(tabs: Tabs, place: str, folder: Path) -> None:
    def rejected() -> list[str]:
        return [
            picture.rejected for picture in formats.read(folder, keep_open=True).pictures if picture.name == "b.jpg"
        ]

    for size, name in ((PHONE, "phone"), (DESK, "desk")):
        with tabs.visit(**size) as page:
            page.goto(place)
            choose(page, "Label")
            expect(page.locator(".mark").first).to_be_visible()
            page.locator(".cell").nth(1).click()
            expect(page.locator(".where b")).to_have_text("b.jpg")
            page.get_by_role("button", name="Reject", exact=True).first.click()
            page.get_by_label("Why shall nobody learn").last.fill("glare")
            keep_picture(page, f"annotate_reject_{name}")
            page.keyboard.press("Enter")
            expect(page.locator("dialog.why")).to_have_count(0)
            page.locator(".cell.rejected").click()
            expect(page.locator(".where b")).to_have_text("b.jpg")
            expect(page.locator("p.rejected")).to_have_text("Rejected: glare")
            settled(page)
            assert rejected() == ["glare"]
            page.get_by_role("button", name="Rejected", exact=True).first.click()
            expect(page.locator("p.rejected")).to_have_count(0)
            settled(page)
            assert rejected() == [""]


def test_the_set_is_counted_and_exported(tabs: Tabs, place: str, folder: Path) -> None:
    for size, name in ((PHONE, "phone"), (DESK, "desk")):
        with tabs.visit(**size) as page:
            page.goto(place)
            choose(page, "The set")
            expect(page.locator(".ts-set td").first).to_be_visible()
            expect(page.get_by_text("Check more pictures")).to_be_visible()
            assert page.evaluate("document.querySelector('.stMain').scrollWidth") <= size["viewport"]["width"]
            keep_picture(page, f"annotate_set_{name}")
            page.get_by_role("button", name="Export", exact=True).click()
            expect(page.get_by_text("Pictures written:").first).to_be_visible()
    files = sorted(folder.parent.glob("drawer-*.zip"))
    assert [file.name for file in files] == ["drawer-coco-2.zip", "drawer-coco.zip"], "nothing is overwritten"
    with zipfile.ZipFile(files[0]) as archive:
        names = [entry.rpartition("/")[2] for entry in archive.namelist() if entry.endswith(".jpg")]
    assert "c.jpg" in names
    assert "b.jpg" not in names, "nobody has checked it"


STARTS_BEFORE_ITS_END = """(title) => {
  const text = document.createTreeWalker(title, NodeFilter.SHOW_TEXT).nextNode(), range = document.createRange();
  text.data = "100% sure.jpg";
  const x = (at) => { range.setStart(text, at); range.setEnd(text, at + 1); return range.getBoundingClientRect().x; };
  return x(0) < x(text.length - 1);
}"""
WHAT_LIES_THERE = """(line) => {
  const { x, y, height } = line.getBoundingClientRect();
  return document.elementFromPoint(x + 200, y + height / 2).tagName;
}"""


def test_a_wide_screen_is_filled_and_no_view_lies_under_another_thing(tabs: Tabs, place: str) -> None:
    with tabs.visit(viewport={"width": 1920, "height": 1080}) as page:
        page.goto(place)
        choose(page, "The set")
        expect(page.locator(".ts-set td").first).to_be_visible()
        form = page.locator(".stForm").bounding_box()
        assert form is not None
        assert form["width"] < 500, "a menu of formats is not as wide as the page"
        choose(page, "Label")
        expect(page.locator(".mark").first).to_be_visible()
        assert page.locator(".ts-head p").evaluate(WHAT_LIES_THERE) == "P", "not the links to the other pages"
        desk = page.locator(".annotator").bounding_box()
        assert desk is not None
        assert desk["width"] > 1800
        assert page.locator(".where b").evaluate(STARTS_BEFORE_ITS_END), "the name of a picture is turned around"
