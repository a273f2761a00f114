"""Nothing leaves this machine: every connection and look-up by the app is watched; the door of a shared app."""

from __future__ import annotations

import ipaddress
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import requests
from playwright.sync_api import expect

from benchmarks.app_process import PATIENCE, PHONE, ROOT, START, running_app

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser
WATCHED = """
import os, sys
log = open(os.environ["WATCHED"], "a", buffering=1)
log.write("watching localhost\\n")
def watch(event, given):
    if event in ("socket.connect", "socket.sendto", "socket.getaddrinfo", "socket.gethostbyname", "urllib.Request"):
        log.write(f"{event} {given[1:] if event in ('socket.connect', 'socket.sendto') else given}\\n")
sys.addaudithook(watch)
from ui.cli import main
main()
"""
HOME = re.compile(r"^watching|\('?(localhost|127\.0\.0\.1|::1)'?[,)]|\('127\.0\.0\.1'|\(\('127\.0\.0\.1'|\(\('::1'")
PASSPHRASE = "three red dragons"  # noqa: S105  # opens nothing but this test


def visitor_of(browser: Browser) -> Page:
    """A page in a browser that knows nothing."""
    context = browser.new_context(**PHONE)
    context.set_default_timeout(20_000 * PATIENCE)
    return context.new_page()


def test_the_app_connects_to_nobody(browser: Browser, tmp_path: Path) -> None:
    """A visit with everything in it: sample, a photo, every ruleset, the table, a game with its copies."""
    log = tmp_path / "log"
    with running_app(tmp_path / "games", start=("-c", WATCHED), WATCHED=str(log)) as address:
        page = visitor_of(browser)
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(address)
        page.locator(".strip").wait_for()
        for name in ("Riichi", "Classical", "Simplified"):
            page.get_by_role("radio", name=name, exact=True).tap()
        page.get_by_role("radio", name="Photo", exact=True).tap()
        page.locator("input[type=file]").set_input_files(ROOT / "datasets" / "sample" / "flowers_kong.jpg")
        page.locator(".strip .tile").nth(16).wait_for()
        page.goto(f"{address}/table")
        page.get_by_role("button", name="Start the game").tap()
        expect(page.get_by_role("button", name="Spreadsheet")).to_be_visible()
        page.context.close()
    assert [url for url in asked if not re.match(r"(http|ws)://localhost:|data:|blob:", url)] == []
    lines = log.read_text().splitlines()
    assert lines, "the watch is on"
    assert [line for line in lines if not HOME.search(line)] == []


def test_the_watch_sees_a_connection(tmp_path: Path) -> None:
    log = tmp_path / "log"
    code = WATCHED.replace("from ui.cli import main\nmain()", "") + (
        "import socket, urllib.request\n"
        "for act in (lambda: socket.create_connection(('192.0.2.1', 9), timeout=0.01),\n"
        "            lambda: urllib.request.urlopen('http://tilescore.invalid', timeout=0.01)):\n"
        "    try: act()\n"
        "    except OSError: pass\n"
    )
    subprocess.run([sys.executable, "-c", code], env={"WATCHED": str(log)}, check=True)  # noqa: S603
    away = [line for line in log.read_text().splitlines() if not HOME.search(line)]
    assert any("192.0.2.1" in line for line in away)
    assert any("tilescore.invalid" in line for line in away)


def test_only_this_machine_is_served(tmp_path: Path) -> None:
    """The socket is bound to the loopback address: from another address nobody answers."""
    with running_app(tmp_path / "games") as address:
        port = int(address.rpartition(":")[2])
        listening = (line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:])
        places = {
            bytes.fromhex(row[1][:8])[::-1] for row in listening if row[3] == "0A" and int(row[1][9:], 16) == port
        }
    assert places
    assert all(ipaddress.IPv4Address(place).is_loopback for place in places)


def test_a_shared_app_asks_for_the_passphrase(browser: Browser, tmp_path: Path) -> None:
    with running_app(tmp_path / "games", "--share-lan", start=START, TILESCORE_PASSPHRASE=PASSPHRASE) as address:
        for method, path in (("GET", "/"), ("GET", "/_stcore/health"), ("PUT", "/_stcore/upload_file/a/b")):
            assert requests.request(method, address + path, data=b"x", timeout=20).status_code == 401, path
        page = visitor_of(browser)
        page.goto(f"{address}/?hand=11m&rules=mcr")
        page.get_by_label("Passphrase").fill("three red dragon")
        page.get_by_role("button", name="Come in").tap()
        expect(page.get_by_role("alert")).to_have_text(re.compile("not the passphrase"))
        page.goto(f"{address}/?hand=11m&rules=mcr")
        page.get_by_label("Passphrase").fill(PASSPHRASE)
        page.get_by_role("button", name="Come in").tap()
        expect(page.get_by_role("textbox", name="The hand as text")).to_have_value("11m")
        page.get_by_role("radio", name="Photo", exact=True).tap()
        page.locator("input[type=file]").set_input_files(ROOT / "datasets" / "sample" / "flowers_kong.jpg")
        page.locator(".strip .tile").nth(16).wait_for()
        page.context.close()
