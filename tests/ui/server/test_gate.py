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
from tilescore.ui.server.gate import Gate, Guesses

PASSPHRASE = "drei weiße Drachen"  # noqa: S105  # opens nothing but this test
HTML = (b"accept", b"text/html")


@dataclass
class Inside:
    """The app behind the door; says what reached it."""

    reached: list[str] = field(default_factory=list)

    async def __call__(self, scope: Any, _receive: Any, send: Any) -> None:
        """Answer everything."""
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
        self.gate = Gate(self.inside, PASSPHRASE, Guesses(clock=lambda: self.now))

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

        scope = {
            "type": kind, "method": method, "path": path.partition("?")[0], "headers": [(b"host", b"house"), *headers],
            "query_string": path.partition("?")[2].encode(), "client": (address, 1), "server": ("house", 80),
            "scheme": "http", "root_path": "",
        }  # fmt: skip
        asyncio.run(self.gate(scope, receive, send))
        if kind == "websocket":
            return (sent[0]["code"] if sent else 0), {}, ""
        found = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
        return sent[0]["status"], found, b"".join(part.get("body", b"") for part in sent[1:]).decode()

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
@pytest.mark.parametrize("cookie", [b"", b"tilescore_guest=", b"tilescore_guest=guess", b"tilescore_guest=\xff"])
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
    assert house.guess(PASSPHRASE)[0] == 429, "not even the right one is listened to now"
    assert house.guess(PASSPHRASE, address="192.168.1.8")[0] == 303, "others are not kept out"
    house.now = 61
    assert house.guess(PASSPHRASE)[0] == 303


def test_many_addresses_guess_no_faster(house: House) -> None:
    answers = [house.guess("wrong one", address=f"10.0.0.{number}")[0] for number in range(40)]
    assert answers.count(401) == 30
    assert answers.count(429) == 10


def test_a_flood_is_no_guess(house: House) -> None:
    assert house.ask("/enter", method="POST", body=b"x" * 5000, headers=(HTML,))[0] == 413


def test_a_short_passphrase_is_refused() -> None:
    with pytest.raises(InputError, match="fewer than 8 letters"):
        server.serve_house(8501, " short ", browser=False)


def test_share_lan_says_what_it_does(monkeypatch: pytest.MonkeyPatch) -> None:
    served: list[tuple[object, ...]] = []
    monkeypatch.setattr(server, "serve_house", lambda *asked, **more: served.append((*asked, *more.values())))
    monkeypatch.delenv("TILESCORE_PASSPHRASE", raising=False)
    done = CliRunner().invoke(app, ["app", "--share-lan", "--no-browser"], input=f"{PASSPHRASE}\n{PASSPHRASE}\n")
    assert done.exit_code == 0, done.output
    assert "everybody in your network" in done.output
    assert f"https://{server.own_address()}:8501" in done.output
    assert "fingerprint" in done.output
    assert "\u2588" in done.output or "\u2580" in done.output, "the QR code"
    assert PASSPHRASE not in done.output
    assert served == [(8501, PASSPHRASE, False)]


def test_this_machine_alone_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    run: list[dict[str, Any]] = []
    monkeypatch.setattr(server, "_run", lambda config, port, **more: run.append(config | {"port": port} | more))
    done = CliRunner().invoke(app, ["app", "--no-browser"])
    assert done.exit_code == 0, done.output
    assert run == [{"server.address": "localhost", "server.headless": True, "port": 8501}]


def test_a_taken_port_is_one_sentence() -> None:
    import socket

    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        with pytest.raises(InputError, match=r"port \d+ is taken"):
            server.serve(other.getsockname()[1], browser=False)
