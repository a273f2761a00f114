"""Pictures that cannot be opened, in a real browser: the page goes past them and names them."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.datasets.odd_pictures import ODD
from tests.e2e.conftest import keep_picture
from tests.harness.app_process import DESK, PHONE, running_app
from tilescore.datasets.annotation.folder import AnnotationFolder
from tilescore.datasets.sample import SAMPLES
from tilescore.ui.pages.annotate import FOLDER

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.e2e.conftest import Tabs

pytestmark = pytest.mark.browser


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Every kind of odd picture, first, between and last; three photos, and one that breaks while the page is open."""
    root = tmp_path / "pictures"
    root.mkdir()
    for name in ("b", "m", "n", "p"):
        shutil.copy(SAMPLES / "riichi_closed.jpg", root / f"{name}.jpg")
    for name, write in ODD.items():
        write(root / name)
    ODD["below_32_pixels.png"](root / "a_tiny.png")
    ODD["cut_in_its_pixels.jpg"](root / "a_broken.jpg")
    ODD["without_pixels.png"](root / "z_last.png")
    return root


@pytest.fixture
def place(folder: Path, port: int, tmp_path: Path) -> Iterator[str]:
    environment: dict[str, Any] = {FOLDER: str(folder)}
    with running_app(tmp_path / "games", port=port, **environment) as address:
        yield address


def test_the_annotator_goes_past_pictures_that_cannot_be_opened(tabs: Tabs, place: str, folder: Path) -> None:
    with tabs.visit(**DESK) as page:
        page.goto(place)
        expect(page.locator(".where b")).to_have_text("b.jpg")
        keep_picture(page, "annotate_odd_pictures")
        (folder / "n.jpg").write_bytes((folder / "n.jpg").read_bytes()[:9000])
        page.keyboard.press(" ")
        expect(page.locator(".where b")).to_have_text("m.jpg")
        page.keyboard.press(" ")
        expect(page.locator(".where b")).to_have_text("p.jpg")
        page.keyboard.press(" ")
        expect(page.locator(".note")).to_contain_text("checked")
        page.keyboard.press("Home")
        expect(page.locator(".where b")).to_have_text("b.jpg")
        page.locator("summary", has_text="cannot be labelled").click()
        for name in (*ODD, "a_tiny.png", "a_broken.jpg", "z_last.png", "n.jpg"):
            expect(page.get_by_text(f"{name}: ").first).to_be_visible()
        keep_picture(page, "annotate_odd_pictures_listed")
        for view in ("What looks odd", "One tile, all pictures"):
            page.get_by_role("radio", name=view).click()
            expect(page.locator("summary", has_text="cannot be labelled")).to_be_visible()
            expect(page.get_by_text("our fault")).to_have_count(0)
    checked = {p.key for p in AnnotationFolder(folder).pictures()[0] if p.labels.is_file()}
    assert checked == {"b.jpg", "m.jpg", "p.jpg"}
    with tabs.visit(**PHONE) as page:
        page.goto(place)
        expect(page.locator(".where b")).to_have_text("b.jpg")
        assert page.evaluate("document.querySelector('.stMain').scrollWidth") <= 390
        keep_picture(page, "annotate_odd_pictures_phone")
