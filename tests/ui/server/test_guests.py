"""The guests of a shared app: what each of them may use up, and how the host ends somebody's access."""

import asyncio
import unicodedata
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from tests.ui.server.house import PASSPHRASE, House, ticket_of
from tilescore.errors import InputError
from tilescore.ui.server.config import ServerLimits
from tilescore.ui.server.guests import Entrance, is_strong, was_ended
from tilescore.ui.server.server import serve_house


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    monkeypatch.setenv("TILESCORE_DATA", str(tmp_path))
    return House()


def test_only_guests_are_marked_as_guests(house: House) -> None:
    guest, host = ticket_of(house.guess(PASSPHRASE)), ticket_of(house.host())
    forged = (b"x-tilescore-guest", b"7")
    house.ask("/", headers=(host, forged))
    assert house.inside.guests == []
    house.ask("/", headers=(guest, forged))
    assert house.inside.guests == [b"1"]


def test_the_host_sees_the_guests_and_ends_their_access(house: House) -> None:
    browser = (b"user-agent", b"Mozilla/5.0 (<b>iPad</b>; CPU OS 18_0)")
    body = urlencode({"passphrase": PASSPHRASE}).encode()
    guest = ticket_of(house.ask("/enter", method="POST", body=body, headers=(browser,), address="192.168.1.9"))
    other, host = ticket_of(house.guess(PASSPHRASE)), ticket_of(house.host())
    assert guest != other, "each guest has a cookie of its own"
    listed = house.ask("/guests", headers=(host,))[2]
    assert "&lt;b&gt;iPad&lt;/b&gt; · 192.168.1.9" in listed
    assert listed.count("<form") == 2, "the host is no guest"
    assert house.ask("/guests", headers=(guest,))[2] == "inside", "guests see a page of the app"
    assert house.end("1", host) == 303
    assert house.ask("/", headers=(guest,))[0] == 401
    assert house.ask("/", headers=(other,))[0] == 200


def test_who_was_ended_does_not_come_in_with_the_same_passphrase(house: House) -> None:
    guest, host = ticket_of(house.guess(PASSPHRASE)), ticket_of(house.host())
    stays = ticket_of(house.guess(PASSPHRASE, address="192.168.1.8"))
    assert PASSPHRASE not in house.ask("/guests", headers=(host,))[2], "a person may use it elsewhere, too"
    house.end("1", host)
    assert house.ask("/", headers=(guest,))[0] == 401
    assert house.guess(PASSPHRASE)[0] == 401
    assert house.guess(PASSPHRASE, address="192.168.1.9")[0] == 401, "nor from another address"
    assert house.ask("/", headers=(stays,))[0] == 200, "the others notice nothing"
    now = house.entrance.shown
    assert now in house.ask("/guests", headers=(host,))[2]
    assert now in house.told[-1]
    assert now not in house.ask("/guests", headers=(stays,))[2]
    assert house.guess(now, address="192.168.1.9")[0] == 303
    assert is_strong(now)


def test_an_ended_passphrase_of_the_host_opens_no_later_start(house: House, tmp_path: Path) -> None:
    """However the keyboard composes it; another one opens, and the one that the program made is kept nowhere."""
    for _ in range(2):
        house.guess(house.entrance.passphrase)
        house.end(str(house.gate._guests.listed()[0].number), ticket_of(house.host()))
    assert "give another one at the next start" in house.told[-4]
    (kept,) = [path for path in tmp_path.iterdir() if "passphrases" in path.name]
    assert len(kept.read_text().splitlines()) == 1
    assert PASSPHRASE not in kept.read_text()
    for said in (PASSPHRASE, unicodedata.normalize("NFD", PASSPHRASE)):
        with pytest.raises(InputError, match="was ended: give another one"):
            serve_house(8501, Entrance(8501, said, tell=print), names=(), browser=False)
    assert not was_ended("three odd wooden spoons")


def test_all_entries_of_a_person_end_together(house: House) -> None:
    entries = [ticket_of(house.guess(PASSPHRASE)) for _ in range(12)]
    host = ticket_of(house.host())
    assert house.ask("/guests", headers=(host,))[2].count("<form") == 1, "one row for a person"
    house.end("1", host)
    assert {house.ask("/", headers=(entry,))[0] for entry in entries} == {401}


def test_entries_do_not_pile_up(house: House) -> None:
    entries = [ticket_of(house.guess(PASSPHRASE)) for _ in range(40)]
    most = ServerLimits().entries_a_guest
    assert [house.ask("/", headers=(entry,))[0] for entry in entries] == [401] * (40 - most) + [200] * most
    hosts = [ticket_of(house.host()) for _ in range(2)]
    assert {house.ask("/guests", headers=(host,))[0] for host in hosts} == {200}


NO_GUEST = ["", "x", "2", "-1", "1.0", "\u0661", "\u00b2", "9" * 4500, "1" + "\0", "1 ", "nan", "%", "1&number=7"]


@pytest.mark.parametrize("number", NO_GUEST)
def test_a_number_of_no_guest_ends_nobody(number: str, house: House) -> None:
    guest, host = ticket_of(house.guess(PASSPHRASE)), ticket_of(house.host())
    assert house.end(number, host) in {303, 413}
    assert house.ask("/", headers=(guest,))[0] == 200
    assert house.entrance.passphrase == PASSPHRASE


def test_ending_access_closes_the_open_page(house: House) -> None:
    guest, host = ticket_of(house.guess(PASSPHRASE)), ticket_of(house.host())

    async def end_while_open() -> list[dict[str, Any]]:
        sent: list[dict[str, Any]] = []

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": b"number=1", "more_body": False}

        async def send(message: Any) -> None:
            sent.append(message)

        page = asyncio.create_task(house.gate(house.scope("/held", kind="websocket", headers=(guest,)), receive, send))
        await asyncio.sleep(0.01)
        assert not page.done()
        form = (b"content-type", b"application/x-www-form-urlencoded")
        await house.gate(house.scope("/guests", method="POST", headers=(host, form)), receive, send)
        await asyncio.wait_for(page, 5)
        return sent

    assert {"type": "websocket.close", "code": 1008} in asyncio.run(end_while_open())


def held_pages(house: House, tickets: list[tuple[bytes, bytes]], *, each: int) -> int:
    """How many pages stay open if every ticket opens so many."""

    async def open_pages() -> int:
        refused = []

        async def receive() -> dict[str, Any]:
            return {}

        async def send(message: Any) -> None:
            refused.append(message)

        scopes = [house.scope("/held", kind="websocket", headers=(ticket,)) for ticket in tickets for _ in range(each)]
        pages = [asyncio.create_task(house.gate(scope, receive, send)) for scope in scopes]
        await asyncio.sleep(0.01)
        for page in pages:
            page.cancel()
        return len(scopes) - len(refused)

    return asyncio.run(open_pages())


def test_a_guest_has_only_so_many_pages_open(house: House) -> None:
    most = ServerLimits().pages_a_guest
    assert held_pages(house, [ticket_of(house.guess(PASSPHRASE))], each=most + 3) == most


def test_more_entries_give_a_guest_no_more_pages(house: House) -> None:
    tickets = [ticket_of(house.guess(PASSPHRASE)) for _ in range(12)]
    assert held_pages(house, tickets, each=16) == ServerLimits().pages_a_guest


def test_guests_together_have_only_so_many_pages(house: House) -> None:
    tickets = [ticket_of(house.guess(PASSPHRASE, address=f"10.0.0.{number}")) for number in range(30)]
    assert held_pages(house, tickets, each=16) == ServerLimits().pages_of_guests
    assert held_pages(house, [ticket_of(house.host())], each=40) == 40, "the host is no guest"
