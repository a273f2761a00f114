"""Measure the waiting times of users in a real browser: `python -m benchmarks.browser`.

Chromium and the app run on the same machine and share its cores, as with `make app`. In the figure for eight users, all
eight browsers share these cores too, although real users would have eight phones.
"""

from __future__ import annotations

import importlib.util
import statistics
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from benchmarks.crowd import large_photo, one_round
from tests.harness.app_process import CHROMIUM, DESK, PHONE, chromium, open_sample, running_app
from tests.harness.figures import Figure, at_most, command

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

_SAMPLES: Final = ("riichi_closed", "discard_pond")
"""Two hands with different points in MCR, so that a new total is visible."""
_PHOTOS: Final = 11
_CHANGES: Final = 31
_LEFT_OUT: Final = 1
"""Measurements at the start of a series that do not count, because the network and the scripts load then."""
_PHOTO_CHOSEN: Final = """() => document.addEventListener("change", (event) => {
  if (event.target.type === "file") window.chosenAt = performance.now();
}, { capture: true })"""
_SCORE_SHOWN: Final = """async (total) => {
  const shown = () => document.querySelector(".ts-total strong")?.textContent === total;
  while (!shown()) await new Promise(requestAnimationFrame);
  return (performance.now() - window.chosenAt) / 1000;
}"""
_FACE_CHOSEN: Final = """async (face) => {
  const score = () => document.querySelector("#score")?.textContent ?? "";
  const [before, start] = [score(), performance.now()];
  face.click();
  while (["", before].includes(score())) await new Promise(requestAnimationFrame);
  return performance.now() - start;
}"""


def waiting() -> list[Figure]:
    """Seconds from the photo to its score, and milliseconds from a changed tile to the new score."""
    if not CHROMIUM.exists() or importlib.util.find_spec("playwright") is None:
        print("Chromium or playwright is missing: waiting in the browser is not measured", file=sys.stderr)
        return []
    with tempfile.TemporaryDirectory() as folder, running_app(Path(folder)) as address, chromium() as browser:
        photos = [large_photo(name, Path(folder), number) for number in range(_PHOTOS) for name in _SAMPLES]
        seconds = sorted(_photo_to_score(browser, address, photos))
        crowd = sorted(one_round(browser, address, Path(folder)))
        changes = {name: sorted(_change_to_score(browser, address, size)) for name, size in _sizes().items()}
    figures = [
        at_most("12 MP photo chosen to visible score, median, s", statistics.median(seconds), 2.0),
        Figure("12 MP photo chosen to visible score, slowest, s", seconds[-1]),
        at_most(f"{len(crowd)} users choose 12 MP photos at once, longest wait, s", crowd[-1], 5.0),
        Figure(f"{len(crowd)} users choose 12 MP photos at once, median, s", statistics.median(crowd)),
    ]
    for name, times in changes.items():
        figures.append(at_most(f"tile changed to new score, {name}, median, ms", statistics.median(times), 150))
        figures.append(Figure(f"tile changed to new score, {name}, slowest of {len(times)}, ms", times[-1]))
    return figures


def _sizes() -> dict[str, dict[str, Any]]:
    return {"desk": DESK, "phone": PHONE}


def _photo_to_score(browser: Browser, address: str, photos: list[Path]) -> list[float]:
    page = browser.new_page(**PHONE)
    page.goto(address)
    page.locator("input[type=file]").wait_for(state="attached")
    page.evaluate(_PHOTO_CHOSEN)
    totals: dict[str, str] = {}
    times = []
    for photo in photos:
        name = photo.stem.rpartition("-")[0]
        chooser = page.locator("input[type=file]")
        if name not in totals:  # the first time: learn which total to expect
            chooser.set_input_files(photo)
            page.wait_for_timeout(3000)
            totals[name] = page.locator(".ts-total strong").inner_text()
            continue
        chooser.set_input_files(photo)
        times.append(float(page.evaluate(_SCORE_SHOWN, totals[name])))
    page.close()
    if len(set(totals.values())) != len(totals):
        raise RuntimeError(f"the sample hands have the same total, {totals}: choose other samples")
    return times


def _change_to_score(browser: Browser, address: str, size: dict[str, Any]) -> list[float]:
    """Milliseconds for one tile of the first hand, changed back and forth between a win and no win."""
    page: Page = browser.new_page(**size)
    page.goto(address)
    open_sample(page)
    tile = page.locator('.strip .tile[aria-label^="7 of bamboo"]').last
    tile.wait_for()
    page.locator("#score").wait_for()
    place = tile.get_attribute("data-at")
    times = []
    for number in range(_CHANGES + _LEFT_OUT):
        page.locator(f'.strip .tile[data-at="{place}"]').click()
        wanted = "7 of bamboo" if number % 2 else "9 of bamboo"
        face = page.locator(f'dialog .suit .tile[aria-label="{wanted}"]')
        times.append(float(page.evaluate(_FACE_CHOSEN, face.element_handle())))
        page.wait_for_timeout(250)
    page.close()
    return times[_LEFT_OUT:]


if __name__ == "__main__":
    command(waiting)
