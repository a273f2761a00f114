"""The app in a process of its own and Debian's Chromium to look at it, at the size of a phone and of a desk."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Locator, Page

ROOT = Path(__file__).parents[2]
CHROMIUM = Path("/usr/bin/chromium")
SCREENSHOTS = ROOT / ".work" / "screenshots"
FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
SIZES: dict[str, dict[str, Any]] = {
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
    "desk": {"viewport": {"width": 1280, "height": 800}},
}


@dataclass
class Visitor:
    """Somebody looking at the app.

    Attributes:
        page: their browser's page.
        touch: whether they use a finger.
        requests: every address the page asked for.
    """

    page: Page
    touch: bool
    requests: list[str] = field(default_factory=list)

    def press(self, target: Locator) -> None:
        """Tap or click."""
        if self.touch:
            target.tap()
        else:
            target.click()

    def choose(self, name: str) -> None:
        """Choose in a segmented control."""
        self.press(self.page.get_by_role("radio", name=name, exact=True))

    def type_hand(self, text: str) -> None:
        """Write the hand into the text field."""
        box = self.page.get_by_role("textbox", name="The hand as text")
        box.fill(text)
        box.press("Enter")
        self.page.locator(".photo").wait_for(state="detached")

    def strip(self) -> list[str]:
        """What the tiles of the hand are called."""
        return [str(label) for label in self.tiles.evaluate_all("tiles => tiles.map((tile) => tile.ariaLabel)")]

    @property
    def tiles(self) -> Locator:
        """The tiles of the hand below the photo."""
        return self.page.locator(".strip .tile")

    @property
    def total(self) -> Locator:
        """The large number."""
        return self.page.locator(".ts-total strong")

    def keep_picture(self, name: str) -> None:
        """A screenshot for people to look at."""
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=SCREENSHOTS / f"{name}_{'phone' if self.touch else 'desk'}.png")


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the app answers."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", "app.py"]
    command += ["--server.port", str(port), "--server.headless", "true"]
    server = subprocess.Popen(  # noqa: S603
        command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        env=os.environ | {"TILESCORE_DATA": str(tmp_path_factory.mktemp("games"))},
    )  # fmt: skip
    try:
        _wait(f"http://localhost:{port}/_stcore/health", server)
        yield f"http://localhost:{port}"
    finally:
        server.terminate()
        server.wait(10)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Debian's Chromium; where it is missing the test is skipped, in CI it fails."""
    if not CHROMIUM.exists():
        reason = f"{CHROMIUM} is missing: apt-get install chromium"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    from playwright.sync_api import sync_playwright  # noqa: PLC0415  # only where a browser is

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=str(CHROMIUM), args=list(FLAGS))
        yield started
        started.close()


@pytest.fixture(params=SIZES)
def visitor(request: pytest.FixtureRequest, browser: Browser, address: str) -> Iterator[Visitor]:
    """Somebody who has just opened the app."""
    context = browser.new_context(**SIZES[request.param])
    context.set_default_timeout(20_000)
    page = context.new_page()
    visitor = Visitor(page, request.param == "phone")
    page.on("request", lambda asked: visitor.requests.append(asked.url))
    page.goto(address)
    page.locator(".strip").wait_for()
    yield visitor
    context.close()


def _wait(url: str, server: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if server.poll() is not None:
            pytest.fail(f"the app ended by itself with code {server.returncode}")
        try:
            with urllib.request.urlopen(url, timeout=2):  # noqa: S310  # our own server
                return
        except OSError:
            time.sleep(0.2)
    pytest.fail("the app did not start within a minute")
