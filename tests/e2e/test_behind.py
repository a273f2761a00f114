"""A club's server: nginx with the configuration of the docs in front of the app as the systemd unit starts it."""

from __future__ import annotations

import json
import os
import subprocess
from socket import create_connection
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Tabs, Visitor, keep_picture
from tests.e2e.test_every_page import OVERFLOW
from tests.harness.app_process import CLUB, DESK, PHONE, ROOT
from tests.harness.club import NGINX, PASSPHRASE, club, has_ipv6
from tests.harness.strangers import ForeignPage, answer
from tilescore.ui.locale import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

    from tests.harness.club import Club

pytestmark = pytest.mark.browser
ENTER = urlencode({"passphrase": "three odd wooden spoon", "to": "/"})
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


@pytest.fixture(scope="module", params=["", "/club/tiles"], ids=["whole name", "base path"])
def served(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    """The server; where nginx is missing the test is skipped, in CI it fails."""
    if not NGINX.exists():
        reason = f"{NGINX} is missing: apt-get install nginx-light"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    with club(tmp_path_factory.mktemp("club"), request.param) as running:
        yield running


@pytest.fixture(scope="module")
def doors(browser: Browser, served: Club) -> Tabs:
    """Tabs for strangers at the door."""
    return Tabs(browser, served.address)


@pytest.fixture
def guest(doors: Tabs) -> Iterator[Visitor]:
    """Somebody with a phone who gave the passphrase."""
    with doors.visit(**PHONE, ignore_https_errors=True) as page:
        page.goto(f"{doors.address}/?hand=11m&rules=mcr")
        page.get_by_label("Passphrase").fill(PASSPHRASE)
        page.get_by_role("button", name="Come in").tap()
        expect(page.get_by_role("textbox", name="The hand as text")).to_have_value("11m")
        yield Visitor(page, touch=True)


def test_a_guest_scores_a_photo(guest: Visitor, served: Club) -> None:
    page = guest.page
    page.locator("input[type=file]").set_input_files(ROOT / "datasets" / "sample" / "riichi_closed.jpg")
    expect(guest.tiles).to_have_count(14)
    page.wait_for_function("[...document.images].every((image) => image.complete && image.naturalWidth)")
    page.wait_for_function("document.querySelector('.stApp').dataset.testConnectionState === 'CONNECTED'")
    guest.choose("Riichi")  # the score comes over the socket
    expect(guest.total).to_be_visible()
    assert page.get_by_role("button", name="Keep this photo").count() == 0
    assert page.evaluate("isSecureContext"), "the camera opens"
    guest.keep_picture("behind")
    assert not (served.games / "hands.sqlite3").exists(), "guests keep nothing on the host's disk"
    page.reload()
    expect(guest.tiles).to_have_count(14)


def test_links_name_the_public_address(guest: Visitor, served: Club) -> None:
    page, base = guest.page, served.address.partition(str(served.port))[2]
    cookies = page.context.cookies()
    assert {cookie["name"] for cookie in cookies} >= {f"tilescore_guest_{served.port}", "_streamlit_xsrf"}
    assert {(cookie["secure"], cookie["path"]) for cookie in cookies} == {(True, f"{base}/")}
    manifest = page.evaluate("document.querySelector('link[rel=manifest]').href")
    assert manifest == f"{served.address}/tilescore.webmanifest"
    told = page.evaluate(f"fetch('{manifest}', {{ credentials: 'include' }}).then((answer) => answer.json())")
    assert page.evaluate(f"new URL('{told['start_url']}', '{manifest}').href") == f"{served.address}/"
    page.get_by_role("link", name="Table").tap()
    page.wait_for_url(f"{served.address}/table")
    page.get_by_role("button", name="Invite").tap()
    expect(page.get_by_role("img", name="QR code of the address")).to_be_visible()
    expect(page.get_by_text(f"{served.address}/table", exact=True)).to_be_visible()
    expect(page.get_by_text("Scan this with a phone, then give the passphrase.")).to_be_visible()
    keep_picture(page, "behind_invite_phone")
    assert page.get_by_text("Passphrase:").count() == 0
    page.goto(f"{served.address}/history")
    page.locator(".stApp[data-test-script-state=notRunning]").wait_for()


def test_the_host_sees_and_ends_guests(browser: Browser, guest: Visitor, served: Club) -> None:
    context = browser.new_context(**DESK, ignore_https_errors=True)
    host = context.new_page()
    link = served.links()[-1]
    assert link.startswith(f"{served.address}/enter#")
    host.goto(link)
    host.wait_for_url(f"{served.address}/")
    host.goto(f"{served.address}/history")
    host.get_by_role("tab", name="Copies").click()
    with host.expect_download() as download:
        host.get_by_role("button", name="Export everything").click()
    assert json.loads(download.value.path().read_text(encoding="utf-8"))["games"] == []
    host.goto(f"{served.address}/guests")
    expect(host.get_by_text("127.0.0.1")).to_have_count(1)
    keep_picture(host, "behind_guests_desk")
    host.get_by_role("button", name="End access").click()
    expect(host.get_by_text("No guest is here.")).to_be_visible()
    expect(guest.page.get_by_label("Passphrase")).to_be_visible()  # the page asks by itself
    host.get_by_role("link").click()
    host.wait_for_url(f"{served.address}/")
    context.close()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_passphrase_page_fits_every_screen(language: str, browser: Browser, served: Club) -> None:
    context = browser.new_context(ignore_https_errors=True, locale=language)
    page = context.new_page()
    page.goto(served.address)
    expect(page.locator("html")).to_have_attribute("lang", language)
    for width, height in ((360, 800), (390, 844), (768, 1024), (844, 390), (1280, 800)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(OVERFLOW) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        expect(page.get_by_role("button")).to_be_in_viewport(ratio=1)
    context.close()


NOBODY = [
    # what a request says that is not ours
    {"Host": "evil.example"},
    {"Host": CLUB},
    {"Host": "localhost"},
    {"Host": "127.0.0.1"},
    {"Origin": "https://evil.example"},
    {"Origin": f"https://{CLUB}"},
    {"Origin": "null"},
    {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"},
]


@pytest.mark.parametrize("more", NOBODY, ids=str)
def test_other_names_and_pages_get_nothing(more: dict[str, str], served: Club) -> None:
    base = served.address.partition(str(served.port))[2]
    assert served.ask(f"{base}/", headers=more)[0] == 403
    socket = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "x"}
    assert served.ask(f"{base}/_stcore/stream", headers=socket | more)[0] in {400, 403}
    assert served.ask(f"{base}/enter", method="POST", body=ENTER, headers=FORM | more)[0] == 403


def test_nothing_answers_without_the_passphrase(served: Club) -> None:
    base = served.address.partition(str(served.port))[2]
    for path in ("/", "/table", "/_stcore/health", "/static/js/index.js", "/copies?key=x", "/guests"):
        assert served.ask(base + path)[0] == 401, path
    for path in ("/_stcore/upload_file/1/2", "/copies?key=x"):
        assert served.ask(base + path, method="PUT", body="x")[0] == 401, path
    if base:
        assert served.ask("/")[0] == 404
        assert served.ask(f"{base}?hand=11m")[1]["Location"].endswith(f"{base}/?hand=11m")


def test_only_the_proxy_is_answered(served: Club) -> None:
    """Whoever reaches the app past the proxy names no sender; no other machine reaches it at all."""
    own = ForeignPage("past the proxy", None, f"{CLUB}:{served.port}")
    assert answer(served.behind, own)[0] == 403
    with pytest.raises(OSError, match="refused"):
        create_connection(("127.0.0.2", served.behind), timeout=5)


def test_nobody_guesses_faster_by_other_addresses(served: Club) -> None:
    """The last test of a server: it uses up the guesses of this machine."""
    base = served.address.partition(str(served.port))[2]
    sent = [FORM | {"X-Forwarded-For": f"203.0.113.{number}", "X-Real-IP": "203.0.113.9"} for number in range(8)]
    answers = [served.ask(f"{base}/enter", method="POST", body=ENTER, headers=one)[0] for one in sent]
    assert answers[-1] == 429
    assert answers.count(401) <= 6


def test_nginx_finds_no_fault_in_the_configuration(served: Club) -> None:
    command = [str(NGINX), "-t", "-p", str(served.said.parent), "-c", "nginx.conf", "-e", "stderr"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    assert done.returncode == 0, done.stderr
    assert "warn" not in done.stderr


@pytest.mark.skipif(not has_ipv6(), reason="this machine has no version 6 of the internet")
def test_nginx_answers_by_version_6_of_the_internet(served: Club) -> None:
    with create_connection(("::1", served.port), timeout=20):
        pass
