"""A set of another program in the annotator: names are explained, unknown marks are shown, no file is shortened."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.datasets.labelled import name_classes
from tests.e2e.conftest import keep_picture
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

    from tests.e2e.conftest import Tabs

pytestmark = pytest.mark.browser
LINES = "0 0.3 0.5 0.06 0.1\n1 .4 .5 .06 .1\n2 .6 .5 .06 .1\n2 .7 .4 .72 .4 .72 .5 .7 .5\nno label at all\n"
"""Labels of a picture: two names that are known, one that is not, a polygon, and a line that cannot be read."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "drawer"
    root.mkdir()
    shutil.copy(SAMPLES / "riichi_closed.jpg", root / "a.jpg")
    name_classes(root, ["1_man", "ton", "f1"])
    (root / "a.txt").write_text(LINES)
    index = Index(AnnotationFolder(root))
    index.refresh()
    index.keep_prediction(index.file("a.jpg"), Prediction.of(load_reader().read(load_photo(root / "a.jpg"))))
    return root


@pytest.fixture
def place(folder: Path, port: int, tmp_path: Path) -> Iterator[str]:
    environment: dict[str, Any] = {FOLDER: str(folder)}
    with running_app(tmp_path / "games", port=port, **environment) as address:
        yield address


def test_a_picture_is_checked_once_its_names_are_known_and_keeps_every_line(
    tabs: Tabs, place: str, folder: Path
) -> None:
    history = folder / ".tilescore" / "history" / "a.jpg.jsonl"

    def is_checked() -> bool:
        return history.exists() and json.loads(history.read_text().splitlines()[-1])["checked"] is True

    with tabs.visit(**DESK) as page:
        page.goto(place)  # the page of class names comes first
        page.get_by_text("Label", exact=True).click()
        expect(page.locator("g.mark")).to_have_count(4)
        expect(page.locator("g.mark text.unknown").first).to_have_text("?f1")
        keep_picture(page, "annotate_unknown_marks")
        page.keyboard.press("c")
        expect(page.get_by_text("Not marked as checked: nobody has said")).to_be_visible()
        assert not is_checked()
        page.get_by_text("Class names", exact=True).click()
        menu = page.locator('[class*="st-key-ts_name_0"] input')
        menu.fill("3q")
        menu.press("Enter")
        page.get_by_role("button", name="Save the meanings").click()
        expect(page.get_by_text("Saved. Every command")).to_be_visible()
        page.get_by_text("Label", exact=True).click()
        expect(page.locator("g.mark")).to_have_count(4)
        expect(page.locator("g.mark text.unknown")).to_have_count(0)
        page.keyboard.press("c")
        for _ in range(100):
            if is_checked():
                break
            page.wait_for_timeout(100)
        assert is_checked()
        assert (folder / "a.txt").read_text() == LINES


@pytest.mark.parametrize(("name", "options"), [("desk", DESK), ("phone", PHONE)])
def test_names_are_explained_on_their_page(
    tabs: Tabs, place: str, folder: Path, name: str, options: dict[str, Any]
) -> None:
    with tabs.visit(**options) as page:
        page.goto(place)
        page.get_by_text("Class names", exact=True).click()
        rows = page.locator(".ts-name")
        expect(rows).to_have_count(3)
        expect(rows.first).to_contain_text("f1")
        expect(rows.first).to_contain_text("labels: 2")
        expect(rows.first.locator("img")).to_have_count(2)
        keep_picture(page, f"annotate_names_{name}", full_page=True)
        menu = page.locator('[class*="st-key-ts_name_0"] input')
        menu.fill("3q")
        menu.press("Enter")
        page.get_by_role("button", name="Save the meanings").click()
        expect(page.get_by_text("Saved. Every command")).to_be_visible()
        assert json.loads((folder / ".tilescore" / "names.json").read_text())["f1"] == "3q"
        assert [box.name for box in formats.read(folder).pictures[0].boxes] == ["1m", "1z", "3q", "3q"]
        assert (folder / "a.txt").read_text() == LINES
