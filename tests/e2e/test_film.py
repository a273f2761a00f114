"""A film in the annotator: one labelled frame labels the others, and a correction moves the frames before it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest
from playwright.sync_api import expect

from tests.datasets.labelled import name_classes
from tests.e2e.conftest import Tabs, keep_picture
from tests.harness.app_process import DESK, PHONE, running_app
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

pytestmark = pytest.mark.browser
FRAMES = 7
STEP_PX = 6


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The frames of a camera that moves to the right; the model knows the first and the last one."""
    root = tmp_path_factory.mktemp("film")
    photo = load_photo(SAMPLES / "riichi_closed.jpg")
    small = cv2.resize(cv2.cvtColor(photo.rgb, cv2.COLOR_RGB2BGR), (1000, 750), interpolation=cv2.INTER_AREA)
    for frame in range(FRAMES):
        moved = cv2.warpAffine(small, np.array([[1.0, 0, STEP_PX * frame], [0, 1, 0]]), (1000, 750))
        cv2.imwrite(str(root / f"film_{frame}.jpg"), moved)
    name_classes(root)
    index = Index(AnnotationFolder(root))
    index.refresh()
    for frame in range(FRAMES):
        file = index.file(f"film_{frame}.jpg")
        index.keep_prediction(file, Prediction.of(load_reader().read(load_photo(file.path))))
    index.share_predictions()
    return root


@pytest.fixture(scope="module")
def place(folder: Path, port: int, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    environment: dict[str, Any] = {FOLDER: str(folder)}
    with running_app(tmp_path_factory.mktemp("games"), port=port, **environment) as address:
        yield address


def lefts(folder: Path, frame: int) -> list[float]:
    """The left edges of the labels of a frame, sorted."""
    labels = AnnotationFolder(folder)
    return sorted(mark.box.x0 for mark in labels.open(labels.pictures()[0][frame]).now.kept)


def turn_to(page: Page, frame: int) -> None:
    page.locator(".cell").nth(frame).click()
    expect(page.locator(".where b").first).to_have_text(f"film_{frame}.jpg")


def follow(page: Page) -> None:
    page.keyboard.press("Shift+F")
    expect(page.locator(".note").first).to_contain_text("Frames followed", timeout=90_000)


def test_labels_follow_and_a_correction_moves_the_frames_before_it(tabs: Tabs, place: str, folder: Path) -> None:
    with tabs.visit(**DESK) as page:
        page.goto(place)
        expect(page.locator(".stage .mark").first).to_be_visible()
        turn_to(page, 0)
        follow(page)
        first = lefts(folder, 0)
        assert len(first) == 14
        for frame in range(1, FRAMES):
            assert lefts(folder, frame) == pytest.approx([x0 + STEP_PX * frame for x0 in first], abs=2)
        keep_picture(page, "film_1280")

        turn_to(page, FRAMES - 1)
        page.keyboard.press("ArrowRight")  # the first tile from the left
        for _ in range(8):
            page.keyboard.press("Shift+ArrowLeft")
        follow(page)
        last = lefts(folder, FRAMES - 1)[0] - (first[0] + STEP_PX * (FRAMES - 1))
        assert last < -8
        for frame in range(1, FRAMES - 1):
            moved = lefts(folder, frame)[0] - (first[0] + STEP_PX * frame)
            assert moved == pytest.approx(last * frame / (FRAMES - 1), abs=2)


def test_the_button_stands_where_a_film_is(tabs: Tabs, place: str) -> None:
    with tabs.visit(**PHONE) as page:
        page.goto(place)
        expect(page.locator(".stage .mark").first).to_be_visible()
        expect(page.get_by_role("button", name="Follow tiles")).to_be_visible()
        keep_picture(page, "film_390")
