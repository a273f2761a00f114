"""What a visitor can use up: messages of the camera, uploads, and the host's disk and folders."""

import asyncio
import base64
import errno
import io
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import streamlit
from PIL import Image
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from tests.harness.hostile_frames import cost, hostile_messages
from tests.ui.server.asgi import asked
from tilescore.errors import InputError
from tilescore.ui.components.camera.camera_tap import frame_of
from tilescore.ui.server.config import ServerLimits
from tilescore.ui.server.door import LOG, Door, FewLines
from tilescore.ui.server.server import apologise
from tilescore.ui.server.uploads import Uploads, freed_uploads
from tilescore.ui.words.text import explained, speak

LIMITS = ServerLimits(uploads_a_session_bytes=1000, uploads_kept_s=0.05, sweep_s=0.02)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the memory is read from /proc")
def test_hostile_camera_messages_cost_little() -> None:
    assert len(hostile_messages()) == 50
    memory, slowest = cost()
    assert memory <= 100
    assert slowest <= 100


def jpeg(kind: str, size: tuple[int, int]) -> str:
    file = io.BytesIO()
    Image.new("RGB", size, "ivory").save(file, kind)
    return base64.b64encode(file.getvalue()).decode()


@pytest.mark.parametrize(
    ("kind", "size", "taken"),
    [
        ("JPEG", (1280, 720), True),
        ("JPEG", (720, 1280), True),
        ("JPEG", (1280, 1280), True),
        ("JPEG", (1281, 1280), False),
        ("PNG", (640, 480), False),
        ("WEBP", (640, 480), False),
        ("TIFF", (640, 480), False),
    ],
)
def test_frames_are_jpeg_of_our_size(kind: str, size: tuple[int, int], taken: bool) -> None:  # noqa: FBT001
    assert (frame_of({"jpeg": jpeg(kind, size), "at_s": 1.5}) is not None) == taken


class Runtime:
    """Streamlit's runtime with two pages, of which one is open."""

    def __init__(self) -> None:
        self.uploaded_file_mgr = MemoryUploadedFileManager("/upload")
        for page in ("open", "gone"):
            self.uploaded_file_mgr.add_file(page, UploadedFileRec("1", "a.jpg", "image/jpeg", bytes(600)))

    def is_active_session(self, page: str) -> bool:
        """Whether that page is open."""
        return page == "open"


@pytest.fixture
def runtime(monkeypatch: pytest.MonkeyPatch) -> Runtime:
    found = Runtime()
    monkeypatch.setattr("streamlit.runtime.Runtime.instance", lambda: found)
    return found


@pytest.mark.usefixtures("runtime")
@pytest.mark.parametrize(
    ("page", "length", "status"),
    [("open", b"400", 204), ("open", b"401", 413), ("new", b"1000", 204), ("new", b"1001", 413), ("new", b"-1", 411)],
)
def test_a_page_holds_so_many_bytes(page: str, length: bytes, status: int) -> None:
    async def stored(_scope: Any, _receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 204, "headers": []})

    app, path = Uploads(stored, LIMITS), f"/_stcore/upload_file/{page}/2"
    assert asked(app, path, method="PUT", headers=((b"content-length", length),))["status"] == status
    assert asked(app, path, method="PUT")["status"] == 411
    assert asked(app, path, method="DELETE")["status"] == 204
    assert not app._arriving


@pytest.mark.usefixtures("runtime")
def test_uploads_that_arrive_together_are_all_counted() -> None:
    statuses: list[int] = []

    async def burst() -> None:
        stored = asyncio.Event()

        async def slow(_scope: Any, _receive: Any, send: Any) -> None:
            await stored.wait()
            await send({"type": "http.response.start", "status": 204, "headers": []})

        async def send(message: Any) -> None:
            statuses.extend([message["status"]] if "status" in message else [])

        app = Uploads(slow, LIMITS)
        scope = {"type": "http", "method": "PUT", "path": "/_stcore/upload_file/new/1"}
        scope |= {"headers": [(b"content-length", b"400")]}  # type: ignore[dict-item]
        waiting = [asyncio.create_task(app(dict(scope), send, send)) for _ in range(5)]  # type: ignore[arg-type]
        await asyncio.sleep(0.01)
        stored.set()
        await asyncio.gather(*waiting)

    asyncio.run(burst())
    assert sorted(statuses) == [204, 204, 413, 413, 413]


@pytest.mark.usefixtures("runtime")
@pytest.mark.parametrize(("guest", "taken"), [(b"1", 4), (None, 20)])
def test_more_pages_give_a_guest_no_more_uploads(guest: bytes | None, taken: int, runtime: Runtime) -> None:
    async def stored(scope: Any, _receive: Any, send: Any) -> None:
        page = scope["path"].split("/")[3]
        runtime.uploaded_file_mgr.add_file(page, UploadedFileRec("1", "a.jpg", "image/jpeg", bytes(900)))
        await send({"type": "http.response.start", "status": 204, "headers": []})

    app = Uploads(stored, replace(LIMITS, uploads_a_guest_bytes=3600))
    headers = ((b"content-length", b"900"), *([(b"x-tilescore-guest", guest)] if guest else []))

    def upload(page: str) -> int:
        return int(asked(app, f"/_stcore/upload_file/{page}/1", method="PUT", headers=headers)["status"])

    assert [upload(f"page{number}") for number in range(20)].count(204) == taken
    if guest:
        runtime.uploaded_file_mgr.remove_session_files("page0")
        assert upload("page30") == 204, "the files of a page that is gone do not count"
        other = ((b"content-length", b"900"), (b"x-tilescore-guest", b"2"))
        assert asked(app, "/_stcore/upload_file/page40/1", method="PUT", headers=other)["status"] == 204


LENGTHS = [
    b"",
    b"-1",
    b"+1",
    b"1.0",
    b"x",
    "\u0661".encode(),
    b"\xb2",
    b" 1",
    b"1 ",
    b"1_0",
    b"9" * 16,
    b"9" * 4500,
    b"0" * 4500,
]


@pytest.mark.usefixtures("runtime")
@pytest.mark.parametrize("length", LENGTHS)
def test_a_length_that_is_none_is_refused(length: bytes) -> None:
    app = Uploads(lambda *_: pytest.fail("it was taken"), LIMITS)
    assert (
        asked(app, "/_stcore/upload_file/new/1", method="PUT", headers=((b"content-length", length),))["status"] == 411
    )


def test_refusals_fill_no_log(caplog: pytest.LogCaptureFixture) -> None:
    now = 0.0
    few = FewLines(clock=lambda: now)
    door = Door(lambda *_: pytest.fail("it was let in"))
    LOG.addFilter(few)
    try:
        for number in range(500):
            asked(door, headers=((b"host", f"evil{number}".encode() * 30),))
        assert len(caplog.messages) == ServerLimits().log_lines
        LOG.warning("something else.")
        assert caplog.messages[-1] == "something else.", "another kind is not left out"
        now = 60.0
        asked(door, headers=((b"host", b"again"),))
        asked(door, headers=((b"host", b"again"),))
        assert "(480 lines like this were left out.)" in caplog.messages[-1]
        assert len(caplog.messages) == ServerLimits().log_lines + 2
        assert max(map(len, caplog.messages)) < 300
    finally:
        LOG.removeFilter(few)


def test_uploads_of_a_page_that_is_gone_are_freed(runtime: Runtime) -> None:
    async def run() -> None:
        async with freed_uploads(None, LIMITS):
            await asyncio.sleep(0.2)

    asyncio.run(run())
    assert [*runtime.uploaded_file_mgr.file_storage] == ["open"]
    assert ServerLimits().uploads_kept_s + 2 * ServerLimits().sweep_s <= 60


PATHS = [
    ("'/home/Ann/photos/a.jpg' is empty.", "'a.jpg' is empty."),
    ("the games cannot be kept in /home/Ann B/games.sqlite3: try.", "the games cannot be kept in games.sqlite3: try."),
    (r"'C:\Users\Ann\a.jpg' and/or '\\server\share\b.jpg' are gone.", "'a.jpg' and/or 'b.jpg' are gone."),
    ("12 / 3 of http://localhost stay as they are.", "12 / 3 of http://localhost stay as they are."),
]


@pytest.mark.parametrize(
    ("number", "place", "said"),
    [
        (errno.EACCES, "models", "cannot be kept in {folder}"),
        (errno.ENOSPC, "models", "The disk is full"),
        (errno.EACCES, "../elsewhere", "our fault"),
        (errno.ENOENT, "models", "our fault"),
    ],
)
def test_a_data_folder_of_somebody_else_is_no_fault_of_ours(
    number: int, place: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[str] = []
    monkeypatch.setenv("TILESCORE_DATA", str(tmp_path / "data"))
    monkeypatch.setattr(streamlit, "error", shown.append)
    assert apologise(OSError(number, os.strerror(number), str(tmp_path / "data" / place)))
    assert len(shown) == 1
    assert said.format(folder=tmp_path / "data") in shown[0].replace("\\", "")


@pytest.mark.parametrize(("said", "to_guest"), PATHS)
def test_guests_see_no_folder_of_the_host(said: str, to_guest: str) -> None:
    try:
        speak(lambda: "en", to_guest=lambda: True)
        assert explained(InputError("any", said)) == to_guest
        speak(lambda: "en")
        assert explained(InputError("any", said)) == said
    finally:
        speak(lambda: "en")
