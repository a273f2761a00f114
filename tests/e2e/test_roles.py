"""Roles in the annotator: the layout proposes, a person corrects several tiles at once, files keep the judgement."""

from __future__ import annotations

import shutil
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Tabs, keep_picture
from tests.harness.app_process import DESK, PHONE, running_app
from tilescore.datasets.annotation.folder import AnnotationFolder
from tilescore.datasets.sample import SAMPLES
from tilescore.ui.pages.annotate import FOLDER

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Page

    from tilescore.datasets.marks import Annotation

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A hand with a claimed set, and one with flowers and a concealed kong."""
    root = tmp_path_factory.mktemp("pictures")
    for name, sample in (("a", "winning_hand"), ("b", "flowers_kong")):
        shutil.copy(SAMPLES / f"{sample}.jpg", root / f"{name}.jpg")
    return root


@pytest.fixture(scope="module")
def place(folder: Path, port: int, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    environment: dict[str, Any] = {FOLDER: str(folder)}
    with running_app(tmp_path_factory.mktemp("games"), port=port, **environment) as address:
        yield address


@contextmanager
def visit(tabs: Tabs, address: str, title: str, **options: Any) -> Iterator[Page]:
    """Somebody who looks at the roles in the picture of that name."""
    with tabs.visit(**options) as page:
        page.goto(address)
        page.locator(".cell").nth(ord(title[0]) - ord("a")).click()
        expect(page.locator(".where b")).to_have_text(title)
        expect(page.locator(".stage .mark").first).to_be_visible()
        page.get_by_role("button", name="Roles").click()
        expect(page.locator(".roles").first).to_be_visible()
        yield page


def settled(page: Page) -> None:
    expect(page.locator(".saved:not(.busy)")).to_be_visible()


def now(folder: Path, name: str) -> Annotation:
    opened = AnnotationFolder(folder)
    return opened.open(next(file for file in opened.pictures()[0] if file.key == name)).now


def roles(state: Annotation) -> list[str]:
    """Name and part of each tile of the hand, from left to right."""
    inside = [mark for mark in state.marks if mark.part.role not in ("", "other")]
    return [f"{mark.name} {mark.part}" for mark in sorted(inside, key=lambda mark: mark.box.x0)]


ROW = [f"{tile} concealed" for tile in ["2m", "3m", "4m", "4p", "5p", "6p", "3p", "3p", "6s", "7s"]]


def test_roles_are_proposed_corrected_undone_and_kept(tabs: Tabs, place: str, folder: Path) -> None:
    with visit(tabs, place, "a.jpg", **DESK) as page:
        expect(page.locator(".judged")).to_have_text("Nobody has judged the roles in this picture yet.")
        expect(page.locator(".mark.meld")).to_have_count(3)
        for key in ("a", "o"):  # everything is another player's
            page.keyboard.press(key)
        expect(page.locator(".judged")).to_have_text("Judged: no hand")
        page.keyboard.press("p")
        expect(page.locator(".mark.meld")).to_have_count(3)
        expect(page.locator(".judged")).to_have_text("Nobody has judged the roles in this picture yet.")
        frame(page, ".mark.meld")
        expect(page.locator(".mark.chosen")).to_have_count(3)
        keep_picture(page, "annotate_roles")
        page.keyboard.press("h")
        expect(page.locator(".judged")).to_have_text("Judged: a hand")
        expect(page.locator(".mark.meld")).to_have_count(0)
        page.keyboard.press("Control+z")
        expect(page.locator(".mark.meld")).to_have_count(3)
        page.keyboard.press("Control+y")
        frame(page, ".mark[aria-label='white dragon']")
        expect(page.locator(".mark.chosen")).to_have_count(3)
        page.get_by_role("button", name="Meld").click()
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("Enter")
        expect(page.locator(".where b")).to_have_text("b.jpg")
        settled(page)
    state = now(folder, "a.jpg")
    assert state.hand == "hand"
    assert roles(state) == [*ROW, "8s winning", "5z meld 1 turned", "5z meld 1", "5z meld 1"]


def test_a_phone_marks_tiles_with_taps_and_no_hand_with_one(tabs: Tabs, place: str, folder: Path) -> None:
    with visit(tabs, place, "b.jpg", **PHONE) as page:
        for _ in range(2):
            page.locator(".mark.bonus:not(.chosen) .edge").first.tap()
        expect(page.locator(".mark.chosen")).to_have_count(2)
        keep_picture(page, "annotate_roles_phone")
        page.evaluate("window.dispatchEvent(new KeyboardEvent('keydown', { key: 'x' }))")
        expect(page.locator(".mark.bonus")).to_have_count(0)
        page.get_by_role("button", name="Undo").tap()
        expect(page.locator(".mark.bonus")).to_have_count(2)
        for _ in range(2):
            page.locator(".mark.bonus:not(.chosen) .edge").first.tap()
        page.get_by_role("button", name="Not this hand").tap()
        expect(page.locator(".mark.bonus")).to_have_count(0)
        settled(page)
        state = now(folder, "b.jpg")
        assert (state.hand, sum("meld 1 concealed" in text for text in roles(state))) == ("hand", 4)
        assert page.evaluate("document.querySelector('.stMain').scrollWidth") <= 390
        page.get_by_role("button", name="No hand in this picture").tap()
        expect(page.locator(".judged")).to_have_text("Judged: no hand")
        settled(page)
    assert (now(folder, "b.jpg").hand, roles(now(folder, "b.jpg"))) == ("no_hand", [])


def frame(page: Page, selector: str) -> None:
    """Draw a frame around all marks of that kind."""
    settled(page)
    measure = "all => all.map((one) => one.getBoundingClientRect()).map((r) => [r.left, r.top, r.right, r.bottom])"
    left, top, right, bottom = zip(*page.locator(f"{selector} .edge").evaluate_all(measure), strict=True)
    page.mouse.move(min(left) - 6, min(top) - 6)
    page.mouse.down()
    page.mouse.move(max(right) + 6, max(bottom) + 6, steps=3)
    page.mouse.up()
