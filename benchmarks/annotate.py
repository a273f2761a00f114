"""Measure the annotator on a large folder, in a real browser: `python -m benchmarks.annotate`.

This module makes the pictures: small JPEGs with fourteen labelled tiles each. The predictions are those of an invented
model that is sometimes wrong.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np

from tests.harness.app_process import DESK, chromium, running_app
from tests.harness.figures import Figure, at_most, show
from tilescore.datasets.annotation.folder import AnnotationFolder
from tilescore.datasets.annotation.index import Index
from tilescore.datasets.annotation.listing import EVERYTHING, ListFilter
from tilescore.datasets.annotation.predictions import PredictedTile, Prediction
from tilescore.datasets.formats.yolo import label_lines
from tilescore.datasets.labels import CLASS_NAMES, LabelledBox
from tilescore.datasets.parts import Part
from tilescore.models.registry import load_reader
from tilescore.ui.pages.annotate import FOLDER
from tilescore.vision.image.boxes import Box

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from playwright.sync_api import Page

SIZE_WH = (640, 480)
TILES = 14
TURNS = 30
SHEETS = 6
PATIENCE_MS = 60_000
_UNTIL = """(root, old) => new Promise(done => {
    const check = () => %s ? done() : requestAnimationFrame(check); check(); })"""
"""JavaScript that checks a condition frame by frame. It runs in the root of the component, which survives redrawing."""
_SHOWN = """[...root.querySelectorAll(".shot > img")].every(
    one => one.getBoundingClientRect().top > innerHeight || (one.complete && one.naturalWidth))"""
"""JavaScript: whether every visible tile of the sheet has its picture."""


def write_folder(root: Path, count: int) -> None:
    """Write `count` pictures with labels and the list of classes; existing pictures stay."""
    for part in ("images", "labels"):
        (root / part).mkdir(parents=True, exist_ok=True)
    (root / "classes.txt").write_text("\n".join(CLASS_NAMES) + "\n")  # else the page asks for their meaning first
    rng = np.random.default_rng(0)
    views = [_view(rng) for _ in range(40)]
    for number in range(count):
        picture, text = root / "images" / f"{number:05d}.jpg", root / "labels" / f"{number:05d}.txt"
        if text.exists():
            continue
        mark = number.to_bytes(4, "little")  # bytes behind the end of the picture: no two files are equal
        picture.write_bytes(views[number % len(views)] + mark)
        text.write_text(label_lines(boxes_of(number), SIZE_WH))


def boxes_of(number: int) -> list[LabelledBox]:
    """The labels of one picture: a row of tiles."""
    names = np.random.default_rng(number).choice(CLASS_NAMES, TILES)
    return [LabelledBox(str(name), Box(30 + 41 * at, 200, 68 + 41 * at, 254)) for at, name in enumerate(names)]


def store_predictions(index: Index, model: str) -> None:
    """Store a prediction for every picture; a few of them differ from the labels."""
    rng = np.random.default_rng(1)
    for picture in index.without_prediction(model):
        seen = []
        for labelled in boxes_of(int(picture.path.stem)):
            sure = float(rng.uniform(0.7, 1.0))
            other = str(rng.choice(CLASS_NAMES))
            names = ((labelled.name, sure), (other, 1 - sure)) if rng.random() > 0.002 else ((other, sure),)
            seen.append(PredictedTile(labelled.box, names, Part("concealed")))
        index.keep_prediction(picture, Prediction(model, tuple(seen)))


def opening(root: Path) -> tuple[Figure, ...]:
    """Seconds to open a folder, for the first time and later."""
    began = time.perf_counter()
    _opened(root)
    first = time.perf_counter() - began
    again = min(_spent(lambda: _opened(root)) for _ in range(3))
    return (
        Figure("folder opened for the first time, s", first),
        at_most("folder opened again, s, best of three", again, 2.0),
    )


def queries(root: Path) -> tuple[Figure, ...]:
    """Milliseconds of the queries that a page sends to the index."""
    index = _opened(root)
    middle = index.beside("", ListFilter(by_doubt=True), 1000)[-1].key
    asked: dict[str, Callable[[], object]] = {
        "neighbours by doubt": lambda: index.beside(middle, ListFilter("unchecked", by_doubt=True), 12),
        "neighbours with one tile": lambda: index.beside(middle, ListFilter(name="5m", by_doubt=True), 12),
        "place in the list": lambda: index.place(middle, EVERYTHING),
        "place among those with one tile": lambda: index.place(middle, ListFilter(name="5m", by_doubt=True)),
        "counts": index.counts,
        "classes": index.names,
        "a sheet": lambda: index.of_class("5m", start=600, count=60),
        "suspects": lambda: index.findings(start=240, count=24),
    }
    return tuple(
        at_most(f"{name}, ms, best of five", 1000 * min(_spent(ask) for _ in range(5)), 100)
        for name, ask in asked.items()
    )


def in_the_browser(root: Path, games: Path) -> tuple[Figure, ...]:
    """Seconds in Chromium from a key or a click to its result."""
    environment: dict[str, str] = {FOLDER: str(root)}
    with running_app(games, **environment) as address, chromium() as browser:  # type: ignore[arg-type]
        page = browser.new_context(**DESK).new_page()
        page.set_default_timeout(PATIENCE_MS)
        began = time.perf_counter()
        page.goto(address)
        page.locator(".stage .mark").first.wait_for()
        arrival = time.perf_counter() - began
        turning = [_turned(page, "PageDown") for _ in range(TURNS)]
        page.get_by_role("radio", name="One tile, all pictures").click()
        page.locator(".shot > img").first.wait_for()
        fresh = [_sheet(page, "PageDown") for _ in range(SHEETS)]
        known = [_sheet(page, "PageUp") for _ in range(SHEETS)]
    return (
        at_most("address entered to first picture, s", arrival, 10),
        at_most(f"next picture, s, median of {TURNS}", statistics.median(turning), 0.5),
        at_most(f"next picture, s, slowest of {TURNS}", max(turning), 1.5),
        at_most("sheet of 60 tiles, never shown before, s, median", statistics.median(fresh), 2.0),
        at_most("sheet of 60 tiles, shown before, s, median", statistics.median(known), 1.0),
    )


def _turned(page: Page, key: str) -> float:
    before = page.locator(".where b").inner_text()
    began = time.perf_counter()
    page.keyboard.press(key)
    page.locator(".annotator").evaluate(_UNTIL % "(root.querySelector('.where b')?.innerText ?? old) !== old", before)
    return time.perf_counter() - began


def _sheet(page: Page, key: str) -> float:
    first = page.locator(".shot").first.get_attribute("title")
    began = time.perf_counter()
    page.keyboard.press(key)
    page.locator(".contact").evaluate(
        _UNTIL % f"(root.querySelector('.shot')?.title ?? old) !== old && {_SHOWN}", first
    )
    return time.perf_counter() - began


def _view(rng: np.random.Generator) -> bytes:
    soft = cv2.resize(rng.integers(0, 256, (9, 12, 3)).astype(np.uint8), SIZE_WH, interpolation=cv2.INTER_CUBIC)
    return cv2.imencode(".jpg", soft, [cv2.IMWRITE_JPEG_QUALITY, 80])[1].tobytes()


def _opened(root: Path) -> Index:
    index = Index(AnnotationFolder(root))
    index.refresh()
    return index


def _spent(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.annotate", description=__doc__)
    parser.add_argument(
        "--count", type=int, nargs="+", default=[5_000, 20_000], help="number of pictures in each folder"
    )
    parser.add_argument("--keep", type=Path, help="make the folders in this place and keep them for later runs")
    options = parser.parse_args(arguments)
    model = load_reader().detector.name
    with tempfile.TemporaryDirectory() as temporary:
        for count in options.count:
            root = (options.keep or Path(temporary)) / str(count)
            write_folder(root, count)
            figures = list(opening(root))
            store_predictions(_opened(root), model)
            print(f"{count} pictures on {os.cpu_count()} cores")
            show([*figures, *queries(root), *in_the_browser(root, Path(temporary) / f"games{count}")])
            sys.stdout.flush()


if __name__ == "__main__":
    main()
