"""Labelling in a real browser: quick on the keyboard, undone when wanted, safe when two people meet."""

from __future__ import annotations

import shutil
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.datasets.labelled import name_classes
from tests.e2e.conftest import Tabs, keep_picture
from tests.e2e.test_dragging import box_of
from tests.harness.app_process import DESK, PHONE, running_app
from tilescore.datasets import formats
from tilescore.datasets.annotation.folder import AnnotationFolder
from tilescore.datasets.annotation.index import Index
from tilescore.datasets.annotation.predictions import PredictedTile, Prediction
from tilescore.datasets.formats import yolo
from tilescore.datasets.labels import LabelledBox
from tilescore.datasets.parts import Part
from tilescore.datasets.sample import SAMPLES
from tilescore.models.registry import load_reader
from tilescore.ui.pages.annotate import FOLDER
from tilescore.vision.image.boxes import Box
from tilescore.vision.image.photo import load_photo

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
MOST_KEYS = 12


@pytest.fixture(scope="module")
def truth() -> Prediction:
    """What the model sees in the sample: all of it is right."""
    return Prediction.of(load_reader().read(load_photo(SAMPLES / "riichi_closed.jpg")))


def with_mistakes(right: Prediction) -> Prediction:
    """A wrong name, a tile that is missed, and a box where no tile is."""
    seen = {sighting.candidates[0][0]: sighting for sighting in right.tiles}
    first_2s = min((s for s in right.tiles if s.candidates[0][0] == "2s"), key=lambda s: s.box.x0)
    wrong = replace(seen["0p"], candidates=(("5p", 0.5), ("0p", 0.4)))
    ghost = PredictedTile(Box(200, 200, 320, 350), (("1z", 0.3),), Part("other"))
    kept = tuple(s for s in right.tiles if s not in (seen["0p"], first_2s))
    return Prediction(right.model, (*kept, wrong, ghost))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, truth: Prediction) -> Path:
    """Four photos; the model is made to err on the first, and a person on the last."""
    root = tmp_path_factory.mktemp("pictures")
    for name in ("a", "b", "c", "d"):
        shutil.copy(SAMPLES / "riichi_closed.jpg", root / f"{name}.jpg")
    name_classes(root)
    index = Index(AnnotationFolder(root))
    index.refresh()
    boxes = [LabelledBox(s.candidates[0][0].replace("5s", "9s"), s.box) for s in truth.tiles]
    (root / "d.txt").write_text(yolo.label_lines(boxes, (2000, 1500)))
    for name in ("a", "b", "c", "d"):
        index.keep_prediction(index.file(f"{name}.jpg"), with_mistakes(truth) if name == "a" else truth)
    index.share_predictions()  # the app has a data folder of its own
    return root


@pytest.fixture(scope="module")
def place(folder: Path, port: int, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    environment: dict[str, Any] = {FOLDER: str(folder)}
    with running_app(tmp_path_factory.mktemp("games"), port=port, **environment) as address:
        yield address


@contextmanager
def visit(tabs: Tabs, address: str, title: str, **options: Any) -> Iterator[Page]:
    """Somebody who looks at the picture of that name."""
    with tabs.visit(**(options or DESK)) as page:
        page.goto(address)
        page.locator(".cell").nth(ord(title[0]) - ord("a")).click()
        expect(page.locator(".where b")).to_have_text(title)
        expect(page.locator(".stage .mark").first).to_be_visible()
        yield page


def settled(page: Page) -> None:
    expect(page.locator(".saved:not(.busy)")).to_be_visible()


def labels(folder: Path, name: str) -> Sequence[LabelledBox]:
    return next(p for p in formats.read(folder).pictures if p.name == name).boxes


def test_fourteen_tiles_with_three_mistakes_take_few_keys(
    tabs: Tabs, place: str, folder: Path, truth: Prediction
) -> None:
    with visit(tabs, place, "a.jpg") as page:
        expect(page.locator(".mark")).to_have_count(14)
        keep_picture(page, "annotate_mistakes")
        keys = ["x", "p", "0", "ArrowRight", "ArrowRight", "ArrowRight", "d", "s", "2", " "]
        assert len(keys) <= MOST_KEYS
        for key in keys:
            page.keyboard.press(key)
        expect(page.locator(".where b")).to_have_text("b.jpg")
        settled(page)
        keep_picture(page, "annotate_next")
    found = labels(folder, "a.jpg")
    assert sorted(box.name for box in found) == sorted(seen.candidates[0][0] for seen in truth.tiles)
    for seen in truth.tiles:
        assert max(box.box.iou(seen.box) for box in found if box.name == seen.candidates[0][0]) > 0.6
    assert AnnotationFolder(folder).open(AnnotationFolder(folder).pictures()[0][0]).now.checked


def test_fifty_changes_are_undone_and_redone_even_after_a_reload(tabs: Tabs, place: str, folder: Path) -> None:
    with visit(tabs, place, "b.jpg") as page:
        page.keyboard.press("ArrowRight")
        for _ in range(51):
            page.keyboard.press("Shift+ArrowDown")
        settled(page)
        moved = page.locator(".mark.selected .edge").get_attribute("y")
        for _ in range(50):
            page.keyboard.press("Control+z")
        settled(page)
        assert page.locator(".mark.selected .edge").get_attribute("y") != moved
        for _ in range(50):
            page.keyboard.press("Control+y")
        settled(page)
        assert page.locator(".mark.selected .edge").get_attribute("y") == moved
    before = AnnotationFolder(folder).open(AnnotationFolder(folder).pictures()[0][1]).now
    with visit(tabs, place, "b.jpg") as page:
        page.keyboard.press("Control+z")
        expect(page.locator(".saved:not(.busy)")).to_be_visible()
        page.wait_for_timeout(300)
        settled(page)
    after = AnnotationFolder(folder).open(AnnotationFolder(folder).pictures()[0][1])
    assert after.now.marks != before.marks
    assert after.now.marks in [state.marks for state in after.past[:-1]]


def test_a_reload_stays_at_the_picture_and_its_choice(tabs: Tabs, place: str) -> None:
    with visit(tabs, place, "c.jpg") as page:
        order = page.get_by_label("In which order")
        order.select_option("doubt")
        expect(page.locator(".where b")).to_have_text("c.jpg")
        page.wait_for_function("document.cookie.includes('order=doubt')")
        page.reload()
        expect(page.locator(".where b")).to_have_text("c.jpg")
        expect(order).to_have_value("doubt")


def test_mouse_draws_moves_and_resizes_and_the_model_names(tabs: Tabs, place: str, truth: Prediction) -> None:
    with visit(tabs, place, "c.jpg") as page:
        stage = page.locator(".stage")
        tile = page.locator(".mark").first
        box = box_of(tile.locator(".edge"))
        name = tile.get_attribute("aria-label")
        assert name is not None
        tile.click()
        page.keyboard.press("x")
        expect(page.locator(".mark")).to_have_count(13)
        page.keyboard.down("Alt")  # where boxes touch
        page.mouse.move(box["x"], box["y"])
        page.mouse.down()
        page.mouse.move(box["x"] + box["width"], box["y"] + box["height"], steps=3)
        page.mouse.up()
        page.keyboard.up("Alt")
        expect(page.locator(".mark.selected")).to_have_attribute("aria-label", name)
        corner = box_of(page.locator(".handle.se"))
        page.mouse.move(corner["x"] + 4, corner["y"] + 4)
        page.mouse.down()
        page.mouse.move(corner["x"] + 24, corner["y"] + 34, steps=3)
        page.mouse.up()
        settled(page)
        page.locator(".mark.selected .edge").wait_for()
        larger = box_of(page.locator(".mark.selected .edge"))
        assert larger["height"] > box["height"] + 15
        stage.hover()
        page.mouse.wheel(0, -600)
        zoomed = box_of(page.locator(".mark.selected .edge"))
        assert zoomed["width"] > 1.5 * larger["width"]
        settled(page)
    assert len(truth.tiles) == 14


def test_two_people_who_open_the_folder_begin_at_different_pictures(tabs: Tabs, place: str) -> None:
    with tabs.visit(**DESK) as ann, tabs.visit(**DESK) as ben:
        titles = []
        for page in (ann, ben):
            page.goto(place)
            expect(page.locator(".stage .mark").first).to_be_visible()
            titles.append(page.locator(".where b").inner_text())
        assert titles[0] != titles[1]


def test_two_people_on_one_picture_overwrite_nothing(tabs: Tabs, place: str, folder: Path) -> None:
    with visit(tabs, place, "c.jpg") as ann, visit(tabs, place, "c.jpg") as ben:
        for key in ("ArrowRight", "z", "1"):
            ann.keyboard.press(key)
        settled(ann)
        for key in ("ArrowLeft", "z", "2"):
            ben.keyboard.press(key)
        expect(ben.locator(".note")).to_contain_text("changed in another window")
        names = [box.name for box in labels(folder, "c.jpg")]
        assert ("1z" in names, "2z" in names) == (True, False)
        keep_picture(ben, "annotate_conflict")
        ben.keyboard.press("Control+y")  # what was refused is still there
        settled(ben)
        ben.wait_for_timeout(300)
        names = [box.name for box in labels(folder, "c.jpg")]
        assert ("1z" in names, "2z" in names) == (True, True), "it joins what the other one did"
        for _ in range(2):  # undo ends at what the other one left
            ben.keyboard.press("Control+z")
            settled(ben)
        ben.wait_for_timeout(300)
        names = [box.name for box in labels(folder, "c.jpg")]
        assert ("1z" in names, "2z" in names) == (True, False)


@pytest.mark.parametrize("again", [False, True])
def test_what_is_refused_waits_while_its_author_goes_on(tabs: Tabs, place: str, folder: Path, *, again: bool) -> None:
    with visit(tabs, place, "c.jpg") as ann, visit(tabs, place, "c.jpg") as ben:
        for key in ("ArrowRight", "z", "5"):
            ann.keyboard.press(key)
        settled(ann)
        for key in ("ArrowLeft", "z", "6"):
            ben.keyboard.press(key)
        note = ben.locator(".note")
        expect(note).to_contain_text("changed in another window")
        if again:
            for key in ("ArrowRight", "z", "4"):
                ann.keyboard.press(key)
            settled(ann)
        for key in ("ArrowLeft", "z", "7"):
            ben.keyboard.press(key)
        settled(ben)
        ben.wait_for_timeout(300)
        expect(note).to_contain_text("Redo brings your own change back")
        ben.keyboard.press("Control+y")
        expect(note).to_have_count(0)
        settled(ben)
        ben.wait_for_timeout(300)
        assert {"5z", "6z", "7z"} <= {box.name for box in labels(folder, "c.jpg")}


def test_help_and_a_phone(tabs: Tabs, place: str) -> None:
    with visit(tabs, place, "b.jpg", **PHONE) as page:
        assert page.evaluate("document.querySelector('.stMain').scrollWidth") <= 390
        keep_picture(page, "annotate_phone")
    with visit(tabs, place, "b.jpg") as page:
        page.keyboard.press("?")
        expect(page.locator("dialog.help")).to_contain_text("next unchecked picture")
        expect(page.locator("dialog.help")).to_contain_text("leave the picture for the page")
        page.keyboard.press("Escape")
        expect(page.locator("dialog.help")).to_have_count(0)
        page.keyboard.press("End")
        expect(page.locator(".where b")).to_have_text("d.jpg")


def test_a_page_at_400_percent_shows_the_picture_while_keys_are_pressed_and_then_what_is_said(
    tabs: Tabs, place: str
) -> None:
    with tabs.visit(viewport={"width": 320, "height": 256}) as page:
        page.goto(place)
        expect(page.locator(".stage .mark").first).to_be_attached()
        end = box_of(page.get_by_role("link", name="History"))["y"]
        page.keyboard.press("End")
        expect(page.locator(".where b")).to_have_text("d.jpg")
        stage, note = page.locator(".stage"), page.locator(".note")
        expect(stage).to_be_in_viewport(ratio=1)
        assert box_of(stage)["y"] + box_of(stage)["height"] < end
        page.keyboard.press("ArrowRight")
        tile, handle = (box_of(page.locator(part).first) for part in (".mark.selected .edge", ".handle"))
        assert 3 * handle["width"] < tile["width"]
        page.keyboard.press(".")
        expect(note).to_be_in_viewport(ratio=1)
        assert box_of(note)["y"] + box_of(note)["height"] < end


def test_forced_colours_show_which_picture_and_which_tile_is_chosen(tabs: Tabs, place: str) -> None:
    with visit(tabs, place, "c.jpg", forced_colors="active", **DESK) as page:

        def edges(chosen: str, every: str) -> tuple[int, int]:
            script = "all => all.map((one) => getComputedStyle(one).borderColor)"
            colours = [page.locator(which).evaluate_all(script) for which in (chosen, every)]
            return len(colours[0]), colours[1].count(colours[0][0])

        assert edges(".cell.current", ".cell") == (1, 1)
        page.get_by_role("radio", name="One tile, all pictures").click()
        expect(page.locator(".shot").nth(1)).to_be_visible()
        assert edges(".shot.selected", ".shot") == (1, 1)


def test_the_head_ends_where_the_window_ends(tabs: Tabs, place: str) -> None:
    """The annotator has one page more than the app; in Swahili the names of the pages are longest."""
    with tabs.visit(**DESK) as page:
        page.goto(f"{place}?lang=sw")
        page.locator(".cell").first.wait_for()
        for width in (641, 700, 781, 821):
            page.set_viewport_size({"width": width, "height": 800})
            page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
            box = page.locator(".st-key-ts_language").bounding_box()
            assert box is not None
            assert box["x"] + box["width"] <= width, width


def test_a_wrong_label_jumps_out_and_is_fixed_in_place(tabs: Tabs, place: str, folder: Path) -> None:
    with visit(tabs, place, "d.jpg") as page:
        page.get_by_role("radio", name="What looks odd").click()
        expect(page.locator(".wide .shot").first).to_contain_text("Labelled 9 of bamboo, the model sees 5 of bamboo")
        page.get_by_role("radio", name="One tile, all pictures").click()
        page.locator("select").select_option("9s")
        expect(page.locator(".shot")).to_have_count(1)
        keep_picture(page, "annotate_sheet")
        for key in ("s", "5"):
            page.keyboard.press(key)
        expect(page.locator(".shot.fixed")).to_contain_text("5 of bamboo")
        assert "9s" not in {box.name for box in labels(folder, "d.jpg")}
        page.keyboard.press("Control+z")
        expect(page.locator(".shot.fixed")).to_have_count(0)
        assert "9s" in {box.name for box in labels(folder, "d.jpg")}
        page.keyboard.press("Enter")
        expect(page.locator(".where b")).to_have_text("d.jpg")


def test_keys_lead_from_the_sheet_to_other_views_and_pages(tabs: Tabs, place: str) -> None:
    with visit(tabs, place, "c.jpg") as page:
        page.keyboard.press("Shift+Tab")
        for _ in range(3):
            page.keyboard.press("Shift+Tab")
        expect(page.locator("[role=radio]:focus")).to_have_text("The set")
        for key in ("ArrowLeft", "ArrowLeft", "Space"):
            page.keyboard.press(key)
        expect(page.locator(".shot").first).to_be_visible()
        page.keyboard.press("ArrowRight")
        expect(page.locator("[role=radio]:focus")).to_have_text("What looks odd")
        page.get_by_role("link", name="History").focus()
        page.keyboard.press("Enter")
        expect(page.locator(".shot")).to_have_count(0)
        expect(page.get_by_role("tab").first).to_be_visible()


def test_keys_typed_while_a_picture_loads_belong_to_it(tabs: Tabs, place: str, folder: Path) -> None:
    with visit(tabs, place, "c.jpg") as page:
        press_at_once(page, ".", "ArrowRight", "z", "4", ",", "ArrowRight", "z", "3")
        expect(page.locator(".mark.selected")).to_have_attribute("aria-label", "west wind")
        expect(page.locator(".where b")).to_have_text("c.jpg")
        settled(page)
        for name, tile in (("d.jpg", "4z"), ("c.jpg", "3z")):
            assert tile in {box.name for box in labels(folder, name)}
        before = labels(folder, "d.jpg")
        press_at_once(page, ".", "ArrowRight", "R", "b", "x")
        page.locator("dialog.why").press("Escape")
        expect(page.locator(".where b")).to_have_text("d.jpg")
        settled(page)
        assert labels(folder, "d.jpg") == before, "no key changes a mark behind the question"
        press_at_once(page, "v", "c")
        expect(page.locator(".finish[aria-pressed=true]")).to_be_visible()
        settled(page)
        assert "3z" in {box.name for box in labels(folder, "d.jpg")}, "the copy is accepted, not what was there before"
        page.locator("select").first.select_option("checked")
        settled(page)
        press_at_once(page, *["Control+z"] * 2)
        settled(page)
        assert "4z" in {box.name for box in labels(folder, "d.jpg")}, "two quick presses undo both"


def press_at_once(page: Page, *keys: str) -> None:
    """Press keys faster than any answer arrives."""
    page.evaluate(
        "keys => keys.forEach((key) => window.dispatchEvent(new KeyboardEvent('keydown',"
        " { key: key.split('+').at(-1), ctrlKey: key.startsWith('Control'), bubbles: true })))",
        keys,
    )


def test_a_gesture_ends_with_its_picture_and_tab_leaves_the_annotator(tabs: Tabs, place: str, folder: Path) -> None:
    with visit(tabs, place, "c.jpg") as page:
        before = [labels(folder, name) for name in ("c.jpg", "d.jpg")]
        box = box_of(page.locator(".mark .edge").nth(5))
        for key, title in ((".", "d.jpg"), (",", "c.jpg")):
            page.mouse.move(box["x"] + 20, box["y"] + 20)
            page.mouse.down()
            page.mouse.move(box["x"] + 40, box["y"] + 40, steps=3)
            page.keyboard.press(key)
            expect(page.locator(".where b")).to_have_text(title)
            page.mouse.move(box["x"] + 60, box["y"] + 60, steps=3)
            page.mouse.up()
        settled(page)
        assert [labels(folder, name) for name in ("c.jpg", "d.jpg")] == before
        page.mouse.click(box["x"] + 20, box["y"] + 20)
        page.keyboard.press("Shift+Tab")
        expect(page.locator("[role=radio]:focus")).to_have_count(1)
