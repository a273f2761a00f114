"""A shared app without a server: its gate, and a stand-in for everything behind."""

import asyncio
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from tilescore.ui.server.gate import Gate
from tilescore.ui.server.guests import Entrance, Guesses

PASSPHRASE = "drei weiße Drachen"  # noqa: S105  # opens nothing but these tests
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
    told: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.entrance = Entrance(80, PASSPHRASE, tell=self.told.append)
        self.gate = Gate(self.inside, self.entrance, guesses=Guesses(clock=lambda: self.now))

    def host(self, key: str | None = None) -> tuple[int, dict[str, str], str]:
        """Come in by the host's link, or by another key."""
        body = urlencode({"passphrase": "", "to": "/", "key": key or self.entrance.link.partition("#")[2]}).encode()
        return self.ask("/enter", method="POST", body=body, headers=(HTML,), address="127.0.0.1")

    def end(self, number: str, host: tuple[bytes, bytes]) -> int:
        """End the access of a guest."""
        return self.ask("/guests", method="POST", body=urlencode({"number": number}).encode(), headers=(host,))[0]

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


def ticket_of(answer: tuple[int, dict[str, str], str]) -> tuple[bytes, bytes]:
    """The cookie in an answer, as the browser sends it back."""
    return b"cookie", answer[1]["set-cookie"].partition(";")[0].encode()
