"""The version of a game, for pages that show the game: they ask once a second whether it has changed."""

from typing import Final

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from tilescore.ui.components.game.news import GAME, PATH
from tilescore.ui.storage.database import StoreError
from tilescore.ui.storage.ledger_store import LedgerStore

_HEADERS: Final = {"Cache-Control": "no-store"}


def routes() -> list[Route]:
    """The address for the server."""
    return [Route(PATH, _version)]


def _version(request: Request) -> Response:
    """Starlette calls it in another thread, because it may wait for the disk."""
    try:
        version = LedgerStore().version(request.query_params.get(GAME, ""))
    except StoreError as error:
        return PlainTextResponse("", 404 if error.code == "no_such_game" else 503, headers=_HEADERS)
    return PlainTextResponse(str(version), headers=_HEADERS)
