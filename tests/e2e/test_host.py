"""The host of a shared app: comes in without a key in a command line, and ends the access of a guest."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
import requests
from playwright.sync_api import expect

from tests.e2e.conftest import keep_picture
from tests.harness.app_process import PHONE, ROOT, START, reserved_port, wait_for

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser
PASSPHRASE = "three odd wooden spoons"  # noqa: S105  # opens nothing but this test


def test_the_host_comes_in_and_ends_a_guest(browser: Browser, tmp_path: Path) -> None:
    command_line, said = tmp_path / "command_line", tmp_path / "said"
    viewer = tmp_path / "browser.py"
    viewer.write_text(f"import pathlib, sys\npathlib.Path({str(command_line)!r}).write_text(sys.argv[1])\n")
    environment = {
        "TILESCORE_DATA": str(tmp_path / "games"), "TILESCORE_PASSPHRASE": PASSPHRASE, "PYTHONUNBUFFERED": "1",
        "BROWSER": f"{sys.executable} {viewer} %s",
    }  # fmt: skip
    with reserved_port() as port, said.open("w") as out:
        server = subprocess.Popen(  # noqa: S603  # our own interpreter
            [sys.executable, *START, "app", "--share-lan", "--port", str(port)], cwd=ROOT, stdout=out,
            stderr=subprocess.DEVNULL, env=os.environ | environment,
        )  # fmt: skip
        try:
            address = f"https://localhost:{port}"
            wait_for(f"{address}/_stcore/health", server)
            context = browser.new_context(**PHONE, ignore_https_errors=True)
            page = context.new_page()
            page.wait_for_timeout(3000)  # the program opens the browser soon after its start
            link = re.findall(r"https://\S+#(\S+)", said.read_text())
            opened = command_line.read_text()
            assert opened.startswith("file://")
            assert link[0] not in opened
            page.goto(opened)
            page.wait_for_url(f"{address}/")
            page.goto(f"{address}/guests")
            expect(page.get_by_text("No guest is here.")).to_be_visible()
            guest = requests.Session()
            certificate = str(tmp_path / "games" / "certificate" / "certificate.pem")

            def enters() -> int:
                form = {"passphrase": PASSPHRASE, "to": "/guests"}
                headers = {"Origin": address, "User-Agent": "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0)"}
                answer = guest.post(f"{address}/enter", data=form, headers=headers, timeout=60, verify=certificate)
                return answer.status_code

            assert [enters() for _ in range(3)] == [200] * 3
            page.reload()
            expect(page.get_by_role("button", name="End access")).to_have_count(1)
            keep_picture(page, "guests_phone")
            page.get_by_role("button", name="End access").tap()
            expect(page.get_by_text("Passphrase now:")).to_be_visible()
            keep_picture(page, "guests_ended_phone")
            page.set_viewport_size({"width": 1280, "height": 800})
            keep_picture(page, "guests_ended_desk")
            assert enters() == 401
            stranger = browser.new_context(**PHONE, ignore_https_errors=True).new_page()
            stranger.goto(f"{address}/enter#{link[0]}")
            expect(stranger.get_by_role("alert")).to_contain_text("lets you in once")
            expect(stranger).to_have_url(f"{address}/enter")
            keep_picture(stranger, "key_used_phone")
            stranger.goto(f"{address}/enter#{re.findall(r'https://[^#]+#([^ ]+)', said.read_text())[-1]}")
            stranger.wait_for_url(f"{address}/")
            stranger.context.close()
            context.close()
        finally:
            server.kill()
            server.wait(10)
