"""What goes wrong at a table: files that are no photos, a disk or a ledger that cannot be used; one sentence each."""

from __future__ import annotations

import re
import sqlite3
import zipfile
from typing import TYPE_CHECKING, Final

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Visitor
from tests.harness.app_process import PHONE, ROOT, running_app

if TYPE_CHECKING:
    from pathlib import Path

    from tests.e2e.conftest import Tabs

pytestmark = pytest.mark.browser
_VIDEO: Final = b"\0\0\0\x20ftypisom\0\0\x02\0isomiso2avc1mp41" + bytes(4000)
REFUSED: Final = (
    "This photo cannot be read here: choose a JPEG, PNG, WebP or HEIC of at most 60 MB. The hand is as it was."
)
SAID_BELOW: Final = "field => getComputedStyle(field, '::after').content"


def too_large(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(200_000_000)


def a_video(path: Path) -> None:
    path.write_bytes(_VIDEO)


def a_zip(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("hand.txt", "123m456p789s11122z " * 100)


FILES = [
    # name, what is in it, whether the browser already refuses it, what is said
    ("hand.jpg", too_large, True, REFUSED),
    ("hand.mp4", a_video, True, REFUSED),
    ("hand.jpg", a_video, False, "'hand.jpg' is not a picture that can be read: send a JPEG, PNG, WebP or HEIC photo."),
    ("hand.jpg", a_zip, False, "'hand.jpg' is not a picture that can be read: send a JPEG, PNG, WebP or HEIC photo."),
    ("hand.mp4", a_video, True, REFUSED),
]


@pytest.mark.empty_table
def test_files_that_are_no_photos(visitor: Visitor, tmp_path: Path) -> None:
    """One after the other; no score of another hand stays, and a good photo is read afterwards."""
    page = visitor.page
    visitor.type_hand("123456789m234s55p +4s")
    expect(visitor.total).to_have_text("22")
    uploader = page.get_by_test_id("stFileUploader")
    for name, write, by_browser, said in FILES:
        path = tmp_path / name
        write(path)
        page.locator("input[type=file]").set_input_files(path)
        if by_browser:
            expect(uploader.get_by_role("alert").last).to_have_text(re.compile(r"60\.0MB or smaller|not allowed"))
            assert uploader.evaluate(SAID_BELOW) == f'"{said}"'
            expect(page.get_by_test_id("stAlert").filter(visible=True)).to_have_count(0)  # of the file before
        else:
            expect(page.get_by_test_id("stAlert")).to_have_text(said)
            assert uploader.evaluate(SAID_BELOW) == "none"
            expect(visitor.tiles).to_have_count(0)
        path.unlink()
    page.locator("input[type=file]").set_input_files(ROOT / "datasets" / "sample" / "flowers_kong.jpg")
    visitor.tiles.nth(16).wait_for()
    expect(page.get_by_test_id("stAlert")).to_have_count(0)


def newer(path: Path) -> None:
    file = sqlite3.connect(path)
    file.execute("PRAGMA user_version = 99")
    file.close()


def no_file_of_games(path: Path) -> None:
    path.write_bytes(b"a letter to my aunt, long enough to look like something " * 40)


LEDGERS = [(newer, "was written by a newer version of Tilescore"), (no_file_of_games, "is damaged")]


def test_a_file_of_games_that_cannot_be_used(tabs: Tabs, port: int, tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    with running_app(tmp_path, port=port) as address, tabs.visit(**PHONE) as page:
        for write, said in LEDGERS:
            path.unlink(missing_ok=True)
            write(path)
            before = path.read_bytes()
            page.goto(f"{address}/table")
            alert = page.get_by_test_id("stAlert")
            alert.wait_for()
            expect(alert).to_have_count(1)
            expect(alert).to_contain_text(said)
            page.get_by_role("link", name="Hand", exact=True).tap()
            Visitor(page, touch=True).open_sample()  # the rest of the app is of use all the same
            assert path.read_bytes() == before
