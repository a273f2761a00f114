"""The page on which the host sees the guests and ends their access."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

from starlette.responses import PlainTextResponse, RedirectResponse, Response

from tilescore.ui.server.plain_page import language_of, plain_page, said

if TYPE_CHECKING:
    from starlette.requests import Request

    from tilescore.ui.server.guests import Guest, Guests

PATH: Final = "/guests"


async def guest_list(request: Request, guests: Guests) -> Response:
    """Draw the list of guests; a POST ends the access of the guest with that `number`."""
    if request.method == "POST":
        form = await request.form()
        number = form.get("number")
        if not isinstance(number, str) or not number.isdecimal():
            return PlainTextResponse("", 400)
        guests.end(int(number))
        return RedirectResponse(PATH, 303)
    language = language_of(request)
    rows = "".join(_row(guest, language) for guest in guests.listed())
    nobody = "" if rows else f"<p>{said(language, 'guests.none')}</p>"
    body = (
        f"<main><h1>{said(language, 'guests.title')}</h1>{rows}{nobody}"
        f'<p><a href="/">{said(language, "guests.back")}</a></p></main>'
    )
    return plain_page(language, body)


def _row(guest: Guest, language: str) -> str:
    told = f"{guest.device or '?'} · {guest.address} · {guest.came_at.astimezone():%H:%M}"
    return (
        f'<form method="post" action="{PATH}"><span>{escape(told)}</span>'
        f'<input type="hidden" name="number" value="{guest.number}">'
        f"<button>{said(language, 'guests.end')}</button></form>"
    )
