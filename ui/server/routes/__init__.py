"""The addresses of our own beside those of Streamlit."""

import os

from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.routing import Route

from tilescore.ui.pages.annotate import FOLDER
from tilescore.ui.server.routes import copies, games


def routes() -> list[Route]:
    """The addresses that the pages need.

    Streamlit serves the first page at the empty address alone, and says of its name that no page has this address.
    """
    first = "annotate" if FOLDER in os.environ else "hand"
    return [*copies.routes(), *games.routes(), Route(f"/{first}", _to_first_page)]


def _to_first_page(request: Request) -> RedirectResponse:
    return RedirectResponse(f"/?{request.url.query}".removesuffix("?"))
