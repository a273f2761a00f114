"""Uploaded files in memory: a limit for each page, and nothing left of a page that is gone."""

import asyncio
import re
import time
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Final

from starlette.formparsers import MultiPartParser
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit.runtime import Runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadFileUrlInfo

from tilescore.ui.server.config import LIMITS, ServerLimits
from tilescore.ui.server.door import LOG, refuse
from tilescore.ui.state import arrivals
from tilescore.ui.words.audience import GUEST_HEADER

_PATH: Final = re.compile(r"/_stcore/upload_file/([^/]+)/([^/]+)")
_LENGTH: Final = re.compile(rb"[0-9]{1,15}")
_MARK: Final = GUEST_HEADER.lower().encode()


class Uploads:
    """ASGI middleware that refuses an upload when its page, or the pages of its guest, would hold too many bytes."""

    def __init__(self, app: ASGIApp, limits: ServerLimits = LIMITS) -> None:
        self._app = app
        self._limits = limits
        self._arriving: Counter[str] = Counter()
        self._pages: dict[bytes, set[str]] = {}
        MultiPartParser.spool_max_size = limits.uploads_a_session_bytes  # no copy of a photo in a temporary file

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on everything except an upload that is too much."""
        match = _PATH.fullmatch(scope["path"]) if scope["type"] == "http" and scope["method"] == "PUT" else None
        if match is None:
            await self._app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        page, length, guest = match[1], headers.get(b"content-length", b""), headers.get(_MARK)
        if not _LENGTH.fullmatch(length):
            await refuse(scope, receive, send, status=411)
            return
        if self._is_too_much(page, guest, int(length)):
            LOG.warning("refused an upload of %s MB: its page holds enough already.", int(length) // 1_000_000)
            await refuse(scope, receive, send, status=413)
            return
        self._arriving[page] += int(length)
        try:
            await self._app(scope, receive, send)
        finally:
            self._arriving[page] -= int(length)
            self._arriving += Counter()  # drops the pages at zero

    def _is_too_much(self, page: str, guest: bytes | None, length: int) -> bool:
        """Whether the page, or all pages of the guest together, would hold too much; the host has no guest's number."""
        if self._held(page) + length > self._limits.uploads_a_session_bytes:
            return True
        if guest is None:
            return False
        pages = {open_page for open_page in self._pages.get(guest, ()) if self._held(open_page)} | {page}
        self._pages[guest] = pages
        return sum(map(self._held, pages)) + length > self._limits.uploads_a_guest_bytes

    def _held(self, page: str) -> int:
        return held_bytes(page) + self._arriving[page]


@asynccontextmanager
async def freed_uploads(_app: object, limits: ServerLimits = LIMITS) -> AsyncIterator[None]:
    """While the server runs, free the uploads of pages that have been gone for a while, and date those that come."""
    _date_choices(_files())
    sweeping = asyncio.create_task(_sweep(limits))
    try:
        yield
    finally:
        sweeping.cancel()


def _date_choices(files: MemoryUploadedFileManager) -> None:
    """Note the moment at which a page asks where to send a file: its person has just chosen the file.

    This question travels on the same socket as presses, so that both keep their order. The file itself may come late.
    """
    places_for = files.get_upload_urls

    def dated(session_id: str, file_names: Sequence[str]) -> list[UploadFileUrlInfo]:
        places = places_for(session_id, file_names)
        for place in places:
            arrivals.chosen(session_id, place.file_id)
        return places

    files.get_upload_urls = dated  # type: ignore[method-assign]  # Streamlit has no hook for it


async def _sweep(limits: ServerLimits) -> None:
    gone_since: dict[str, float] = {}
    while True:
        await asyncio.sleep(limits.sweep_s)
        runtime, now = Runtime.instance(), time.monotonic()
        gone = [page for page in [*_files().file_storage] if not runtime.is_active_session(page)]
        gone_since = {page: gone_since.get(page, now) for page in gone}
        for page, since in gone_since.items():
            if now - since >= limits.uploads_kept_s:
                _files().remove_session_files(page)
        arrivals.forget_all_but(runtime.is_active_session)


def held_bytes(page: str) -> int:
    """The bytes of the uploaded files that the server holds for a page."""
    return sum(len(file.data) for file in [*_files().file_storage.get(page, {}).values()])


def _files() -> MemoryUploadedFileManager:
    files = Runtime.instance().uploaded_file_mgr
    assert isinstance(files, MemoryUploadedFileManager)  # noqa: S101  # the only manager that Streamlit has
    return files
