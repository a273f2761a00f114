"""The door of a shared app: nothing behind it answers without the passphrase, and guessing is slow."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

import pytest
from typer.testing import CliRunner

from tilescore.base.errors import InputError
from tilescore.ui.cli.main import app
from tilescore.ui.server import server
from tilescore.ui.server.config import ServerLimits
from tilescore.ui.server.gate import Gate
from tilescore.ui.server.guests import Guesses, fresh_passphrase, is_strong

HOST_KEY = "host-key"
PASSPHRASE = "drei weiße Drachen"  # noqa: S105  # opens nothing but this test
HTML = (b"accept", b"text/html")


@dataclass
class Inside:
    """The app behind the door; says what reached it."""

    reached: list[str] = field(default_factory=list)
    guests: list[bytes] = field(default_factory=list)

    async def __call__(self, scope: Any, _receive: Any, send: Any) -> None:
        """Answer everything; a socket stays open for ever."""
        self.guests += [value for name, value in scope["headers"] if name == b"x-tilescore-guest"]
        if scope.get("path") == "/held":
            await asyncio.Event().wait()
        self.reached.append(scope["type"] + scope.get("path", ""))
        if scope["type"] == "http":
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": b"inside"})


@dataclass
class House:
    """A gate, the app behind it, and its clock."""

    now: float = 0.0
    inside: Inside = field(default_factory=Inside)

    def __post_init__(self) -> None:
        self.gate = Gate(self.inside, PASSPHRASE, HOST_KEY, guesses=Guesses(clock=lambda: self.now))

    def ask(
        self, path: str = "/", *, method: str = "GET", body: bytes = b"", headers: tuple[tuple[bytes, bytes], ...] = (),
        address: str = "192.168.1.7", kind: str = "http",
    ) -> tuple[int, dict[str, str], str]:  # fmt: skip
        """Status (of a socket: its code), headers and text of the answer."""
        sent: list[dict[str, Any]] = []

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: Any) -> None:
            sent.append(message)

        scope = self.scope(path, method=method, headers=headers, address=address, kind=kind)
        asyncio.run(self.gate(scope, receive, send))
        if kind == "websocket":
            return (sent[0]["code"] if sent else 0), {}, ""
        found = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
        return sent[0]["status"], found, b"".join(part.get("body", b"") for part in sent[1:]).decode()

    def scope(
        self, path: str, *, method: str = "GET", headers: tuple[tuple[bytes, bytes], ...] = (),
        address: str = "192.168.1.7", kind: str = "http",
    ) -> dict[str, Any]:  # fmt: skip
        """A request as the server hands it over."""
        return {
            "type": kind, "method": method, "path": path.partition("?")[0], "headers": [(b"host", b"house"), *headers],
            "query_string": path.partition("?")[2].encode(), "client": (address, 1), "server": ("house", 80),
            "scheme": "http", "root_path": "",
        }  # fmt: skip

    def guess(self, text: str, *, to: str = "/", address: str = "192.168.1.7") -> tuple[int, dict[str, str], str]:
        """Give a passphrase."""
        body = urlencode({"passphrase": text, "to": to}).encode()
        return self.ask("/enter", method="POST", body=body, headers=(HTML,), address=address)


@pytest.fixture
def house() -> House:
    return House()


CLOSED = [
    # method, path, kind
    ("GET", "/", "http"),
    ("GET", "/table", "http"),
    ("GET", "/_stcore/health", "http"),
    ("GET", "/media/0123.jpg", "http"),
    ("GET", "/static/js/index.js", "http"),
    ("PUT", "/_stcore/upload_file/1/2", "http"),
    ("POST", "/_stcore/upload_file/1/2", "http"),
    ("DELETE", "/_stcore/upload_file/1/2", "http"),
    ("OPTIONS", "/", "http"),
    ("GET", "/enter/../", "http"),
    ("GET", "/_stcore/stream", "websocket"),
]


@pytest.mark.parametrize(("method", "path", "kind"), CLOSED)
@pytest.mark.parametrize("cookie", [b"", *(b"tilescore_guest_80=" + value for value in (b"", b"guess", b"\xff"))])
def test_nothing_answers_without_the_passphrase(method: str, path: str, kind: str, cookie: bytes, house: House) -> None:
    status, _, text = house.ask(path, method=method, kind=kind, headers=((b"cookie", cookie),))
    assert status == (1008 if kind == "websocket" else 401)
    assert text == ""
    assert house.inside.reached == []


def test_the_passphrase_opens_everything(house: House) -> None:
    status, headers, _ = house.guess(PASSPHRASE, to="/table?game=1")
    assert (status, headers["location"]) == (303, "/table?game=1")
    assert re.search("HttpOnly.*SameSite=lax", headers["set-cookie"], re.IGNORECASE)
    ticket = (b"cookie", headers["set-cookie"].partition(";")[0].encode())
    assert house.ask("/table", headers=(ticket,))[2] == "inside"
    assert house.ask("/_stcore/stream", kind="websocket", headers=(ticket,))[0] == 0
    assert house.inside.reached == ["http/table", "websocket/_stcore/stream"]
    assert House().ask("/", headers=(ticket,))[0] == 401, "another run knows other tickets"


def ticket_of(answer: tuple[int, dict[str, str], str]) -> tuple[bytes, bytes]:
    """The cookie in an answer, as the browser sends it back."""
    return b"cookie", answer[1]["set-cookie"].partition(";")[0].encode()


def test_only_guests_are_marked_as_guests(house: House) -> None:
    guest, host = ticket_of(house.guess(PASSPHRASE)), ticket_of(house.ask(f"/enter?key={HOST_KEY}"))
    forged = (b"x-tilescore-guest", b"7")
    house.ask("/", headers=(host, forged))
    assert house.inside.guests == []
    house.ask("/", headers=(guest, forged))
    assert house.inside.guests == [b"1"]


def test_a_wrong_key_is_not_the_host(house: House) -> None:
    assert house.ask("/enter?key=guess")[0] == 401
    assert house.ask("/enter")[0] == 401


def test_the_host_sees_the_guests_and_ends_their_access(house: House) -> None:
    browser = (b"user-agent", b"Mozilla/5.0 (<b>iPad</b>; CPU OS 18_0)")
    body = urlencode({"passphrase": PASSPHRASE}).encode()
    guest = ticket_of(house.ask("/enter", method="POST", body=body, headers=(browser,), address="192.168.1.9"))
    other, host = ticket_of(house.guess(PASSPHRASE)), ticket_of(house.ask(f"/enter?key={HOST_KEY}"))
    assert guest != other, "each guest has a cookie of its own"
    listed = house.ask("/guests", headers=(host,))[2]
    assert "&lt;b&gt;iPad&lt;/b&gt; · 192.168.1.9" in listed
    assert listed.count("<form") == 2, "the host is no guest"
    assert house.ask("/guests", headers=(guest,))[2] == "inside", "guests see a page of the app"
    form = (b"content-type", b"application/x-www-form-urlencoded")
    assert house.ask("/guests", method="POST", body=b"number=1", headers=(host, form))[0] == 303
    assert house.ask("/", headers=(guest,))[0] == 401
    assert house.ask("/", headers=(other,))[0] == 200
    assert house.ask("/guests", method="POST", body=b"number=x", headers=(host, form))[0] == 400


def test_ending_access_closes_the_open_page(house: House) -> None:
    guest, host = ticket_of(house.guess(PASSPHRASE)), ticket_of(house.ask(f"/enter?key={HOST_KEY}"))

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


def test_a_guest_has_only_so_many_pages_open(house: House) -> None:
    guest = ticket_of(house.guess(PASSPHRASE))

    async def open_pages(count: int) -> int:
        refused = []

        async def receive() -> dict[str, Any]:
            return {}

        async def send(message: Any) -> None:
            refused.append(message)

        scopes = [house.scope("/held", kind="websocket", headers=(guest,)) for _ in range(count)]
        pages = [asyncio.create_task(house.gate(scope, receive, send)) for scope in scopes]
        await asyncio.sleep(0.01)
        for page in pages:
            page.cancel()
        return len(refused)

    assert asyncio.run(open_pages(ServerLimits().sockets_a_guest + 3)) == 3


def test_letters_count_not_how_they_are_composed(house: House) -> None:
    import unicodedata

    assert house.guess(unicodedata.normalize("NFD", PASSPHRASE))[0] == 303


@pytest.mark.parametrize("target", ["//evil.example", "https://evil.example", "/\\evil.example", "", "javascript:1"])
def test_nobody_is_led_elsewhere(target: str, house: House) -> None:
    assert house.guess(PASSPHRASE, to=target)[1]["location"] == "/"


def test_the_door_keeps_where_people_wanted_to_go_and_speaks_their_language(house: House) -> None:
    headers = (HTML, (b"accept-language", b"tlh,pl-PL;q=0.8"))
    status, _, text = house.ask('/?hand=11m&x="><script>', headers=headers)
    assert status == 401
    assert 'value="/?hand=11m&amp;x=&quot;&gt;&lt;script&gt;"' in text
    assert '<html lang="pl">' in text


def test_guessing_is_slow(house: House) -> None:
    for _ in range(5):
        status, _, text = house.guess("wrong one")
        assert status == 401
        assert 'role="alert"' in text
    assert house.guess(PASSPHRASE)[0] == 429, "not even the right one is compared now"
    assert house.guess(PASSPHRASE, address="192.168.1.8")[0] == 303, "others are not kept out"
    house.now = 12.1
    assert house.guess(PASSPHRASE)[0] == 303, "a guess grows back in twelve seconds"


def test_many_addresses_guess_no_faster(house: House) -> None:
    answers = [house.guess("wrong one", address=f"10.0.0.{number}")[0] for number in range(40)]
    assert answers.count(401) == 30
    assert answers.count(429) == 10
    house.now = 2.1
    assert house.guess(PASSPHRASE, address="192.168.1.8")[0] == 303, "an innocent guest waits two seconds"


def test_right_guesses_do_not_count(house: House) -> None:
    assert [house.guess(PASSPHRASE)[0] for _ in range(10)] == [303] * 10


def test_guesses_that_arrive_together_are_all_counted(house: House) -> None:
    """The bodies are held back until every guess is past the headers."""

    async def burst() -> list[int]:
        released = asyncio.Event()

        async def guess() -> int:
            sent: list[dict[str, Any]] = []

            async def receive() -> dict[str, Any]:
                await released.wait()
                return {"type": "http.request", "body": urlencode({"passphrase": PASSPHRASE + "?"}).encode()}

            async def send(message: Any) -> None:
                sent.append(message)

            await house.gate(house.scope("/enter", method="POST"), receive, send)
            return int(sent[0]["status"])

        waiting = [asyncio.create_task(guess()) for _ in range(200)]
        await asyncio.sleep(0)
        released.set()
        return await asyncio.gather(*waiting)

    answers = asyncio.run(burst())
    assert answers.count(401) == 5
    assert answers.count(429) == 195


def test_a_flood_is_no_guess(house: House) -> None:
    assert house.ask("/enter", method="POST", body=b"x" * 5000, headers=(HTML,))[0] == 413


WEAK = ["short", "aaaaaaaa", "password1", "mahjong123", "qwertyuiop", "20261125", "        ", "abcabcabcabc"]


@pytest.mark.parametrize("passphrase", WEAK)
def test_a_weak_passphrase_is_refused(passphrase: str) -> None:
    with pytest.raises(InputError, match="easy to guess"):
        server.serve_house(8501, passphrase, names=(), host_key=HOST_KEY, browser=False)


@pytest.mark.parametrize("passphrase", [None, PASSPHRASE, "three odd wooden spoons"])
def test_a_good_passphrase_is_taken(passphrase: str | None) -> None:
    assert is_strong(passphrase or fresh_passphrase())


def test_share_lan_says_what_it_does(monkeypatch: pytest.MonkeyPatch) -> None:
    served: list[dict[str, Any]] = []
    monkeypatch.setattr(server, "serve_house", lambda _port, said, **more: served.append({"said": said} | more))
    monkeypatch.setattr("tilescore.ui.server.addresses.own_addresses", lambda: ("192.168.1.7",))
    monkeypatch.delenv("TILESCORE_PASSPHRASE", raising=False)
    done = CliRunner().invoke(app, ["app", "--share-lan", "--no-browser"])
    assert done.exit_code == 0, done.output
    assert "everybody in your network" in done.output
    assert "not encrypted" in done.output
    assert "http://192.168.1.7:8501" in done.output
    assert is_strong(served[0]["said"])
    assert f"Passphrase: {served[0]['said']} " in done.output
    assert served[0]["names"] == ("192.168.1.7",)
    monkeypatch.setenv("TILESCORE_PASSPHRASE", PASSPHRASE)
    done = CliRunner().invoke(app, ["app", "--share-lan", "--no-browser"])
    assert PASSPHRASE not in done.output
    assert served[1]["said"] == PASSPHRASE


def test_this_machine_alone_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    run: list[dict[str, Any]] = []
    monkeypatch.setattr(server, "_run", lambda config, port, *, page, **_: run.append(config | {port: page}))
    done = CliRunner().invoke(app, ["app", "--no-browser"])
    assert done.exit_code == 0, done.output
    assert run == [{"server.address": "localhost", 8501: ""}]


def test_a_taken_port_is_one_sentence() -> None:
    import socket

    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        with pytest.raises(InputError, match=r"port \d+ is taken"):
            server.serve(other.getsockname()[1], browser=False)
