"""Only this machine is served, and a shared app has a door; test_closed_network.py sees what leaves the machine."""

from __future__ import annotations

import ipaddress
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import requests
from playwright.sync_api import expect

from tests.e2e.conftest import keep_picture
from tests.harness.app_process import PHONE, ROOT, START, running_app

if TYPE_CHECKING:
    from tests.e2e.conftest import Tabs

pytestmark = pytest.mark.browser
PASSPHRASE = "three odd wooden spoons"  # noqa: S105  # opens nothing but this test


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


def test_a_shared_app_asks_for_the_passphrase(tabs: Tabs, tmp_path: Path) -> None:
    certificate = tmp_path / "games" / "certificate" / "certificate.pem"
    with running_app(tmp_path / "games", "--share-lan", start=START, TILESCORE_PASSPHRASE=PASSPHRASE) as address:
        for method, path in (("GET", "/"), ("GET", "/_stcore/health"), ("PUT", "/_stcore/upload_file/a/b")):
            answer = requests.request(
                method, address + path, data=b"x", headers={"Origin": address}, timeout=20, verify=str(certificate)
            )
            assert answer.status_code == 401, path
        with tabs.visit(**PHONE, ignore_https_errors=True) as page:
            page.goto(f"{address}/?hand=11m&rules=mcr")
            page.get_by_label("Passphrase").fill("three odd wooden spoon")
            page.get_by_role("button", name="Come in").tap()
            expect(page.get_by_role("alert")).to_have_text(re.compile("not the passphrase"))
            page.goto(f"{address}/?hand=11m&rules=mcr")
            page.get_by_label("Passphrase").fill(PASSPHRASE)
            page.get_by_role("button", name="Come in").tap()
            expect(page.get_by_role("textbox", name="The hand as text")).to_have_value("11m")
            page.locator("input[type=file]").set_input_files(ROOT / "datasets" / "sample" / "flowers_kong.jpg")
            page.locator(".strip .tile").nth(16).wait_for()
            assert page.get_by_role("button", name="Keep this photo").count() == 0
            assert page.evaluate("isSecureContext"), "the camera opens"
            page.reload()
            page.locator(".strip .tile").nth(16).wait_for()
            assert not (tmp_path / "games" / "hands.sqlite3").exists(), "guests keep nothing on the host's disk"
            page.get_by_role("link", name="Table").tap()
            page.get_by_role("button", name="Invite").tap()
            expect(page.get_by_role("img", name="QR code of the address")).to_be_visible()
            keep_picture(page, "invite_phone")
            page.goto(f"{address}/live")
            page.locator(".tap").wait_for()
            page.wait_for_timeout(1000)
            assert page.get_by_text("Record what the camera sees").count() == 0, (
                "guests keep nothing on the host's disk"
            )
