"""How long people wait in a real browser: `python -m benchmarks.browser`.

Chromium and the app run on the same machine, so that they share its cores, as they do in `make app`; of eight people at
once all eight browsers do, which at a real table are telephones.
"""

from __future__ import annotations

import importlib.util
import statistics
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import cv2

from benchmarks.app_process import CHROMIUM, DESK, PHONE, ROOT, chromium, running_app
from benchmarks.figures import Figure, at_most, show
from models.registry import load_eye
from ui.work import Work
from vision.photo import load_photo

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

_SAMPLES: Final = ("riichi_closed", "discard_pond")
"""Two hands that are worth different points in MCR, so that a new total is seen to be new."""
_HANDS: Final = ("riichi_closed", "discard_pond", "flowers_kong", "winning_hand")
_PEOPLE: Final = 8
_PHOTOS: Final = 11
_CHANGES: Final = 31
_SIZE_WH: Final = (4032, 3024)
_LEFT_OUT: Final = 1
"""Of every series, the first: the network and the page's scripts are loaded then."""
_PHOTO_CHOSEN: Final = """() => document.addEventListener("change", (event) => {
  if (event.target.type === "file") window.chosenAt = performance.now();
}, { capture: true })"""
_WATCHED: Final = """(notation) => {
  const score = () => document.querySelector("#score")?.textContent ?? "";
  const [field, before] = [() => document.querySelector("input[aria-label='The hand as text']")?.value ?? "", score()];
  window.handsSeen = [];
  document.addEventListener("change", async (event) => {
    if (event.target.type !== "file") return;
    const start = performance.now();
    while (field() !== notation || ["", before].includes(score())) {
      window.handsSeen.push(field());
      await new Promise((next) => setTimeout(next, 10));
    }
    window.waitedS = (performance.now() - start) / 1000;
  }, { capture: true });
}"""
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
    """Median seconds from photo to score and milliseconds from a changed tile to the new score."""
    if not CHROMIUM.exists() or importlib.util.find_spec("playwright") is None:
        print("no Chromium or no playwright: waiting in the browser is not measured", file=sys.stderr)
        return []
    with tempfile.TemporaryDirectory() as folder, running_app(Path(folder)) as address, chromium() as browser:
        photos = [_large(name, Path(folder), number) for number in range(_PHOTOS) for name in _SAMPLES]
        seconds = sorted(_photo_to_score(browser, address, photos))
        crowd = sorted(_crowd(browser, address, Path(folder)))
        changes = {name: sorted(_change_to_score(browser, address, size)) for name, size in _sizes().items()}
    figures = [
        at_most("12 MP photo chosen to visible score, median, s", statistics.median(seconds), 2.0),
        Figure("12 MP photo chosen to visible score, slowest, s", seconds[-1]),
        at_most(f"{len(crowd)} people choose 12 MP photos at once, longest wait, s", crowd[-1], 5.0),
        Figure(f"{len(crowd)} people choose 12 MP photos at once, median, s", statistics.median(crowd)),
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
    page.locator(".strip").wait_for()
    page.evaluate(_PHOTO_CHOSEN)
    page.get_by_role("radio", name="Photo", exact=True).tap()
    totals: dict[str, str] = {}
    times = []
    for photo in photos:
        name = photo.stem.rpartition("-")[0]
        chooser = page.locator("input[type=file]")
        if name not in totals:  # twice the first time: which total to expect is not known yet
            chooser.set_input_files(photo)
            page.wait_for_timeout(3000)
            totals[name] = page.locator(".ts-total strong").inner_text()
            continue
        chooser.set_input_files(photo)
        times.append(float(page.evaluate(_SCORE_SHOWN, totals[name])))
    page.close()
    if len(set(totals.values())) != len(totals):
        raise RuntimeError(f"the sample hands have the same total, {totals}: choose others")
    return times


def _crowd(browser: Browser, address: str, folder: Path) -> list[float]:
    """Everybody with a photo of their own: each waits until that very hand and what it is worth are there."""
    pages = []
    for number in range(_PEOPLE):
        photo = _large(_HANDS[number % len(_HANDS)], folder, 100 + number)
        notation = Work(reading=load_eye().read(load_photo(photo))).notation
        page = browser.new_context(**PHONE).new_page()
        page.goto(address)
        page.get_by_role("radio", name="Tiles", exact=True).tap()  # an empty table
        page.locator("#score.ts-none").wait_for()
        page.get_by_role("radio", name="Photo", exact=True).tap()
        page.locator("input[type=file]").wait_for(state="attached")
        page.evaluate(_WATCHED, notation)
        pages.append((page, photo))
    for page, photo in pages:
        page.locator("input[type=file]").set_input_files(photo, no_wait_after=True)
    times = []
    for page, _ in pages:  # raises if somebody does not see their own hand within half a minute
        page.wait_for_function("window.waitedS")
        if page.evaluate("window.handsSeen.some((hand) => hand !== '')"):
            raise RuntimeError("somebody saw the hand of somebody else")
        times.append(float(page.evaluate("window.waitedS")))
        page.context.close()
    return times


def _change_to_score(browser: Browser, address: str, size: dict[str, Any]) -> list[float]:
    """One tile of the sample at the start, there and back: a win and none."""
    page: Page = browser.new_page(**size)
    page.goto(address)
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


def _large(name: str, folder: Path, number: int) -> Path:
    """The sample at 12 megapixels, as a phone writes it; no two alike, or what was read before would be remembered."""
    rgb = load_photo(ROOT / "datasets" / "sample" / f"{name}.jpg").rgb
    large = cv2.resize(cv2.cvtColor(rgb, cv2.COLOR_RGB2BGR), _SIZE_WH, interpolation=cv2.INTER_CUBIC)
    large[0, 0] = number
    path = folder / f"{name}-{number}.jpg"
    cv2.imwrite(str(path), large, [cv2.IMWRITE_JPEG_QUALITY, 92 - number % 3])
    return path


if __name__ == "__main__":
    show(waiting())
