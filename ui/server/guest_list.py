"""The page on which the host sees the guests and ends their access."""

from html import escape
from typing import Final

from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response

from tilescore.ui.server.guests import Entrance, Guest, Guests
from tilescore.ui.server.plain_page import form_of, language_of, plain_page, said

PATH: Final = "/guests"


async def guest_list(request: Request, guests: Guests, entrance: Entrance) -> Response:
    """Draw the list of guests; a POST ends the access of the guest with that `number` and changes the passphrase."""
    if request.method == "POST":
        form = await form_of(request)
        if form is None:
            return PlainTextResponse("", 413)
        if guests.end(form.get("number", "")):
            entrance.change_passphrase()
        return RedirectResponse(PATH, 303)  # who is not inside is ended already
    language = language_of(request)
    rows = "".join(_row(guest, language) for guest in guests.listed())
    nobody = "" if rows else f"<p>{said(language, 'guests.none')}</p>"
    now = f"<p>{said(language, 'guests.passphrase')} <strong>{escape(entrance.shown)}</strong></p>"
    body = (
        f"<main><h1>{said(language, 'guests.title')}</h1>{rows}{nobody}"
        f"<p>{said(language, 'guests.how')}</p>{now if entrance.shown else ''}"
        f'<p><a href="./">{said(language, "guests.back")}</a></p></main>'
    )
    return plain_page(language, body)


def _row(guest: Guest, language: str) -> str:
    devices = ", ".join(device or "?" for device in guest.devices)
    told = f"{devices} · {guest.address} · {guest.came_at.astimezone():%H:%M}"
    return (
        f'<form method="post" action="{PATH[1:]}"><span>{escape(told)}</span>'
        f'<input type="hidden" name="number" value="{guest.number}">'
        f"<button>{said(language, 'guests.end')}</button></form>"
    )
