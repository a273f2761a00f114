"""Measure the waiting times that the app promises, at the size of a phone and of a desk.

Run `python -m benchmarks.app_speed`.

The figures of `benchmarks.browser` come first: photo to score, eight people at once, a change. Then come whole tables,
eight tiles in one gesture, a reload, and two pages of one game. All browsers share the cores of this machine.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import cv2

from benchmarks.browser import waiting
from tests.harness.app_process import DESK, PHONE, ROOT, TAPPED, chromium, open_sample, running_app
from tests.harness.figures import Figure, at_most, command
from tilescore.vision.image.photo import load_photo

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Browser, Page

_SIZES: Final[dict[str, dict[str, Any]]] = {"390x844": PHONE, "1280x800": DESK}
_SAMPLES: Final = ROOT / "datasets" / "sample"
_TABLES: Final = 5
_RELOADS: Final = 5
_GESTURES: Final = 7
_EIGHT: Final = 8
_HAND: Final = 14
_TABLE_TILES: Final = 40
"""Boxes on the photo of a whole table, at least: it shows four hands."""
_BOX: Final = ".photo .box"
_PATIENCE_S: Final = 60


def gestures() -> list[Figure]:
    """The figures of both sizes."""
    figures = []
    with tempfile.TemporaryDirectory() as folder, running_app(Path(folder)) as address, chromium() as browser:
        tables = [_table_photo(Path(folder) / f"table{number}.jpg", number) for number in range(_TABLES)]
        for size, options in _SIZES.items():
            seconds = _tables_read(browser, address, options, tables)
            figures.append(at_most(f"photo of a whole table to its tiles, {size}, median, s", _median(seconds), 3.0))
            taken, left = _eight_tiles(browser, address, options)
            figures.append(at_most(f"eight selected tiles leave the hand, {size}, median, ms", _median(left), 300))
            figures.append(at_most(f"eight seen tiles taken at once, {size}, median, ms", _median(taken), 300))
            seconds = _reloaded(browser, address, options)
            figures.append(at_most(f"reload to the same state, {size}, slowest, s", max(seconds), 2.0))
            figures.append(at_most(f"two pages of one game agree, {size}, s", _agree(browser, address, options), 2.0))
    return figures


def _median(times: list[float]) -> float:
    return statistics.median(times)


def _table_photo(place: Path, number: int) -> Path:
    """Four samples side by side, 12 megapixels; each number gives other bytes."""
    pictures = [cv2.cvtColor(load_photo(path).rgb, cv2.COLOR_RGB2BGR) for path in sorted(_SAMPLES.glob("*.jpg"))]
    quarter = [cv2.resize(picture, (2016, 1512), interpolation=cv2.INTER_AREA) for picture in pictures]
    whole = cv2.vconcat([cv2.hconcat(quarter[:2]), cv2.hconcat(quarter[2:4])])
    whole[:4, :4] = number
    cv2.imwrite(str(place), whole)
    return place


def _until(page: Page, holds: Callable[[], bool]) -> None:
    """Look every few milliseconds whether that holds; raises TimeoutError."""
    begun = time.monotonic()
    while not holds():
        if time.monotonic() - begun > _PATIENCE_S:
            raise TimeoutError("the page does not show what was expected")
        page.wait_for_timeout(10)


def _shows_table(page: Page, before: list[Any]) -> bool:
    return _photos(page) != before and page.locator(_BOX).count() >= _TABLE_TILES


def _photos(page: Page) -> list[Any]:
    found: list[Any] = page.locator(".photo image").evaluate_all("all => all.map((one) => one.getAttribute('href'))")
    return found


def _state(page: Page) -> tuple[Any, ...]:
    """The photo, the hand and its score."""
    tiles = page.locator(".strip .tile").evaluate_all("tiles => tiles.map((tile) => tile.ariaLabel)")
    return _photos(page) != [], tiles, page.locator(".ts-total strong").all_inner_texts()


def _opened(browser: Browser, address: str, options: dict[str, Any]) -> Page:
    page = browser.new_context(**options).new_page()
    page.goto(address)
    open_sample(page)
    page.wait_for_timeout(500)
    return page


def _tables_read(browser: Browser, address: str, options: dict[str, Any], photos: list[Path]) -> list[float]:
    page = _opened(browser, address, options)
    times = []
    for photo in photos:
        before, begun = _photos(page), time.monotonic()
        page.locator("input[type=file]").set_input_files(photo)
        _until(page, partial(_shows_table, page, before))
        times.append(time.monotonic() - begun)
        page.wait_for_timeout(1000)
    page.context.close()
    return times[1:]


def _eight_tiles(browser: Browser, address: str, options: dict[str, Any]) -> tuple[list[float], list[float]]:
    """Milliseconds until eight tiles are taken into the hand, and until they leave it."""
    page = _opened(browser, address, options)
    taken, left = [], []
    for _ in range(_GESTURES):
        page.get_by_role("button", name="Select", exact=True).click()
        for place in range(_EIGHT):
            page.locator(".strip .tile").nth(place).click()
        out = page.get_by_role("button", name="Not mine", exact=True)
        left.append(float(out.evaluate(TAPPED, _HAND - _EIGHT)))
        page.wait_for_timeout(400)
        offer = page.locator(".hint .offer").first
        taken.append(float(offer.evaluate(TAPPED, _HAND)))
        page.wait_for_timeout(400)
    page.context.close()
    return taken[1:], left[1:]


def _reloaded(browser: Browser, address: str, options: dict[str, Any]) -> list[float]:
    page = _opened(browser, address, options)
    page.locator("input[type=file]").set_input_files(_SAMPLES / "winning_hand.jpg")
    page.locator(".strip .group.meld .tile").first.wait_for()
    page.wait_for_timeout(1500)
    wanted, times = _state(page), []
    for _ in range(_RELOADS):
        begun = time.monotonic()
        page.reload()
        _until(page, lambda: _state(page) == wanted)
        times.append(time.monotonic() - begun)
    page.context.close()
    return times


def _agree(browser: Browser, address: str, options: dict[str, Any]) -> float:
    """Seconds from a booking on one page until the other page shows it."""
    first, second = (browser.new_context(**options).new_page() for _ in range(2))
    first.goto(f"{address}/table")
    start, another = (first.get_by_role("button", name=name) for name in ("Start the game", "New game"))
    start.or_(another).wait_for()
    if another.is_visible():
        another.click()
    first.get_by_role("radio", name="MCR", exact=True).click()
    start.click()
    first.wait_for_url("**game=**")
    second.goto(first.url)
    second.locator(".table .middle").wait_for()
    first.get_by_role("radio", name="Draw", exact=True).click()
    book = first.get_by_role("button", name="Book this deal")
    book.wait_for()
    first.wait_for_timeout(500)
    begun = time.monotonic()
    book.click()
    second.locator("tbody tr.sums").wait_for()
    seconds = time.monotonic() - begun
    first.context.close()
    second.context.close()
    return seconds


def app_speed() -> list[Figure]:
    """All figures of the app."""
    return [*waiting(), *gestures()]


if __name__ == "__main__":
    command(app_speed)
