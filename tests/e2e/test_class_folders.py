"""A set of class folders in a real browser: its labels show in a copy, and the set stays as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import cv2
import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import keep_picture
from tests.harness.app_process import DESK, running_app
from tests.ui.pages.test_annotate_foreign_sets import content
from tilescore.datasets.sample import SAMPLES
from tilescore.ui.cli.sets.annotate import ready_to_label
from tilescore.ui.pages.annotate import FOLDER
from tilescore.vision.image.photo import load_photo

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.e2e.conftest import Tabs

pytestmark = pytest.mark.browser


@pytest.fixture
def crops(tmp_path: Path) -> Path:
    """Three crops of tiles, each in the folder of its class; nobody can know what `f1` is."""
    photo = load_photo(SAMPLES / "riichi_closed.jpg")
    for number, name in enumerate(("1_man", "ton", "f1")):
        place = tmp_path / "crops" / name / "a.jpg"
        place.parent.mkdir(parents=True)
        cut = photo.rgb[650:800, 1480 - 100 * number : 1600 - 100 * number]
        cv2.imwrite(str(place), cv2.cvtColor(cut, cv2.COLOR_RGB2BGR))
    return tmp_path / "crops"


@pytest.fixture
def place(crops: Path, port: int, tmp_path: Path) -> Iterator[str]:
    environment: dict[str, Any] = {FOLDER: str(ready_to_label(crops))}
    with running_app(tmp_path / "games", port=port, **environment) as address:
        yield address


def test_class_folders_show_their_labels_and_stay(tabs: Tabs, place: str, crops: Path) -> None:
    before = content(crops)
    with tabs.visit(**DESK) as page:
        page.goto(place)  # the page of class names comes first: nobody has said what f1 means
        page.get_by_text("Label", exact=True).click()
        expect(page.locator(".where b")).to_have_text("images/1_man/a.jpg")
        expect(page.locator("g.mark")).to_have_count(1)
        expect(page.locator("g.mark")).to_have_attribute("aria-label", "1 of characters")
        keep_picture(page, "annotate_class_folders")
        page.locator(".where b").click()  # the space belongs to the choice of the view as long as that has the focus
        page.keyboard.press(" ")
        expect(page.locator(".where b")).to_have_text("images/f1/a.jpg")
        expect(page.locator("g.mark text.unknown")).to_have_text("?f1")
        page.keyboard.press(" ")
        expect(page.locator(".where b")).to_have_text("images/ton/a.jpg")
        expect(page.locator(".saved:not(.busy)")).to_be_visible()
    assert content(crops) == before
