"""The app in a separate process and Debian's Chromium, for the end-to-end tests and for timings."""

from __future__ import annotations

import os
import socket
import ssl
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

ROOT: Final = Path(__file__).resolve().parents[2]
_BROWSERS: Final = ("/usr/bin/chromium-headless-shell", "/usr/bin/chromium")
"""The same engine without and with windows. Without windows, a page takes an eighth less computing time."""
CHROMIUM: Final = next(filter(Path.exists, map(Path, _BROWSERS)), Path(_BROWSERS[0]))
"""Debian's browser; the first one where none is installed."""
PHONE: Final[dict[str, Any]] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
DESK: Final[dict[str, Any]] = {"viewport": {"width": 1280, "height": 800}}
TAPPED: Final = """(button, count) => new Promise((done) => {
  const canvas = button.closest('.canvas'), began = performance.now();
  new MutationObserver((_, watch) => {
    if (canvas.querySelectorAll('.strip .tile').length !== count) return;
    watch.disconnect();
    done(performance.now() - began);
  }).observe(canvas, { childList: true, subtree: true });
  button.click();
})"""
"""JavaScript that taps a button and gives the milliseconds until the hand has so many tiles."""
CLUB: Final = "mahjong.example.org"
"""A name that our browser finds on this machine, for an app behind a proxy."""
FLAGS: Final = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    "--disable-software-rasterizer",  # it draws what a GPU would draw, a fifth of the browser's time
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    "--js-flags=--always-sparkplug,--no-opt,--invocation-count-for-maglev=3000",  # no page lives long enough for more
    f"--host-resolver-rules=MAP {CLUB} 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
)
_TRUSTING: Final = ssl._create_unverified_context()  # noqa: S323  # no authority knows our own certificate
PATIENCE: Final = float(os.environ.get("TILESCORE_PATIENCE", "1"))
"""The factor by which all waiting times are longer than usual, for a busy machine."""
_ARITHMETIC_S: Final = 0.0053
"""The computing time of `_arithmetic_s` where nothing slows the processor down."""
START: Final = ("-m", "tilescore.ui.cli.main")


@contextmanager
def running_app(
    games: Path,
    *options: str,
    start: tuple[str, ...] = START,
    words: tuple[str, ...] = ("app",),
    before: tuple[str, ...] = (),
    port: int = 0,
    log: Path = Path(os.devnull),
    **environment: str,
) -> Iterator[str]:
    """Start `tilescore app` with its data in that folder; gives its address.

    Args:
        games: the data folder.
        options: further words of the command line.
        start: the arguments of Python that start the command line.
        words: the command; a command other than `app` must serve pages, too.
        before: the words before our command line, such as those of strace.
        port: where it answers; 0 for any free port.
        log: the file for what the app writes.
        environment: additional environment variables.

    Raises:
        RuntimeError: the app ends by itself or does not answer in time.
    """
    with ExitStack() as held:
        port = port or held.enter_context(reserved_port())
        command = [*before, sys.executable, *start, *words, "--no-browser", "--port", str(port), *options]
        server = subprocess.Popen(  # noqa: S603  # our own interpreter
            command, cwd=ROOT, stdout=held.enter_context(log.open("wb")), stderr=subprocess.STDOUT,
            env=os.environ | {"TILESCORE_DATA": str(games)} | environment,
        )  # fmt: skip
        held.callback(ended, server)
        address = f"{'https' if '--share-lan' in options else 'http'}://localhost:{port}"
        wait_for(f"{address}/_stcore/health", server)
        yield address


def ended(server: subprocess.Popen[bytes]) -> None:
    """End a server that we started."""
    server.terminate()
    try:
        server.wait(10)
    except subprocess.TimeoutExpired:  # browsers keep encrypted connections open
        server.kill()
        server.wait(10)


@contextmanager
def chromium() -> Iterator[Browser]:
    """Run Debian's Chromium without a window."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=list(FLAGS))
        yield browser
        browser.close()


def open_sample(page: Page) -> None:
    """Put the first sample on the table and wait for its hand."""
    page.get_by_role("button", name="Sample", exact=True).click()
    page.locator(".strip .tile").nth(13).wait_for()


def patience() -> float:
    """PATIENCE, and more on a processor that is slow now: the factor for a time that a test promises.

    The speed of a lent processor changes by two thirds within a minute, whatever the program under test does.
    """
    return PATIENCE * max(1, median(_arithmetic_s() for _ in range(5)) / _ARITHMETIC_S)


def _arithmetic_s() -> float:
    """The computing time of a fixed piece of arithmetic; other processes add nothing to it."""
    began = time.process_time()
    sum(number * number % 7 for number in range(100_000))
    return time.process_time() - began


@contextmanager
def reserved_port() -> Iterator[int]:
    """A port of this machine that no other process is given, while a server that we start can listen there.

    A port that is only known to be free may be given to another process before the server listens, or between two
    servers.
    """
    with socket.socket() as place:
        place.bind(("127.0.0.1", 0))
        place.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # the server says so, too, and so shares the port
        port: int = place.getsockname()[1]
        yield port


def wait_for(url: str, server: subprocess.Popen[bytes]) -> None:
    """Wait until the app answers there; raises RuntimeError if it ends by itself or does not answer in time."""
    deadline = time.monotonic() + 60 * PATIENCE
    while time.monotonic() < deadline:
        if server.poll() is not None:
            raise RuntimeError(f"the app ended by itself with code {server.returncode}")
        try:
            with urllib.request.urlopen(url, timeout=2, context=_TRUSTING):  # noqa: S310  # our own server
                return
        except urllib.error.HTTPError:
            return  # the app asks for a password
        except OSError:
            time.sleep(0.05)
    raise RuntimeError("the app did not start in time")
