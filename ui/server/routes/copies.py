"""Copies of everything, given and taken as a stream: a file may be larger than the memory.

Only a page of the app knows the key of its visitor. Guests get no key, and are refused.
"""

import tempfile
from itertools import chain
from typing import Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from tilescore.errors import InputError
from tilescore.files.paths import data_folder, private_folder
from tilescore.ui.components.copies.copies import KEY, PATH
from tilescore.ui.state import exchange
from tilescore.ui.storage.copies.backup import Imported, exported, imported
from tilescore.ui.storage.database import wording
from tilescore.ui.words.audience import GUEST_HEADER

_HEADERS: Final = {"Content-Disposition": 'attachment; filename="tilescore.json"', "Cache-Control": "no-store"}


def routes() -> list[Route]:
    """The address for the server."""
    return [Route(PATH, _give, methods=["GET"]), Route(PATH, _take, methods=["PUT"])]


async def _give(request: Request) -> Response:
    visitor = _visitor(request)
    if visitor is None:
        return PlainTextResponse("", 403)
    lines = (f"{line}\n".encode() for line in exported(visitor))
    try:
        first = await run_in_threadpool(lambda: [next(lines), next(lines)])  # the second one has read from the disk
    except InputError:
        return PlainTextResponse("", 503)
    return StreamingResponse(chain(first, lines), media_type="application/json", headers=_HEADERS)


async def _take(request: Request) -> Response:
    visitor = _visitor(request)
    if visitor is None:
        return PlainTextResponse("", 403)
    exchange.report(request.query_params[KEY], await _outcome(request, visitor))
    return PlainTextResponse("")


async def _outcome(request: Request, visitor: str) -> Imported | InputError:
    """Keep the file in a file without a name, which ends with the program, and take it in."""
    folder = data_folder()
    try:
        with wording(folder), tempfile.TemporaryFile(dir=private_folder(folder)) as file:
            async for part in request.stream():
                await run_in_threadpool(file.write, part)
            file.seek(0)
            return await run_in_threadpool(imported, file, visitor)
    except InputError as error:
        return error


def _visitor(request: Request) -> str | None:
    """The visitor of the page that asks; None if there is none, or a guest asks."""
    if GUEST_HEADER in request.headers:
        return None
    return exchange.visitor_of(request.query_params.get(KEY, ""))
