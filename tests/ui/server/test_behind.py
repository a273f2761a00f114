"""The app behind a reverse proxy: its address, whom it believes, and the files with which a club runs it."""

import asyncio
import re
import tomllib
from typing import Any

import pytest
from starlette.requests import HTTPConnection
from typer.testing import CliRunner

from tests.harness.app_process import ROOT
from tests.harness.architecture import PACKAGES
from tests.harness.club import DEPLOY, unit, words_of_container
from tilescore.errors import InputError
from tilescore.ui.cli.main import app
from tilescore.ui.server import server
from tilescore.ui.server.behind.address import PublicAddress
from tilescore.ui.server.behind.proxied import Proxied, sender_of
from tilescore.ui.server.guests import is_strong

CLUB = PublicAddress("club.example", 8443, "/tiles")

ADDRESSES = [
    # text, address
    ("https://club.example", "https://club.example"),
    ("https://club.example/", "https://club.example"),
    ("HTTPS://Club.Example:443/", "https://club.example"),
    ("https://club.example:8443/Tiles/v1.0/", "https://club.example:8443/Tiles/v1.0"),
    ("https://192.168.1.7", "https://192.168.1.7"),
]


@pytest.mark.parametrize(("text", "address"), ADDRESSES)
def test_an_address_is_read(text: str, address: str) -> None:
    assert str(PublicAddress.parse(text)) == address
    assert PublicAddress.parse(address) == PublicAddress.parse(text)


NO_ADDRESSES = [
    # text, what the message says
    ("http://club.example", "begins with https://"),
    ("club.example", "begins with https://"),
    ("", "begins with https://"),
    ("https://", "begins with https://"),
    ("https:///tiles", "no name of a server"),
    ("https://club_room.example", "no name of a server"),
    ("https://club..example", "no name of a server"),
    ("https://клуб.example", "no name of a server"),
    ("https://club .example", "no name of a server"),
    ("https://" + "a" * 64 + ".example", "no name of a server"),
    ("https://" + "a." * 127 + "example", "no name of a server"),
    ("https://[::1]", "no name of a server"),
    ("https://club.example:", "no port"),
    ("https://club.example:0", "no port"),
    ("https://club.example:65536", "no port"),
    ("https://club.example:https", "no port"),
    ("https://club.example:８443", "no port"),
    ("https://club.example?hand=1m", r"\? or #"),
    ("https://club.example/tiles#top", r"\? or #"),
    ("https://club.example//tiles", "base path"),
    ("https://club.example/../tiles", "base path"),
    ("https://club.example/%74iles", "base path"),
    ("https://club.example/my tiles", "base path"),
    ("https://club.example/tiles\n", "base path"),
]


@pytest.mark.parametrize(("text", "said"), NO_ADDRESSES)
def test_what_is_no_address_gets_one_sentence(text: str, said: str) -> None:
    with pytest.raises(InputError, match=said) as refused:
        PublicAddress.parse(text)
    assert "\n" not in str(refused.value)
    assert str(refused.value).endswith("write it like https://mahjong.example.org.")


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_no_message_shows_a_password(scheme: str) -> None:
    with pytest.raises(InputError, match="leave the user and the password out") as refused:
        PublicAddress.parse(f"{scheme}://me:secret@club.example")
    assert "secret" not in str(refused.value)


SENDERS = [
    # lines of X-Forwarded-For, who is meant
    ((b"203.0.113.7",), "203.0.113.7"),
    ((b"1.2.3.4, 203.0.113.7",), "203.0.113.7"),  # the browser sent the first one
    ((b"1.2.3.4", b"203.0.113.7"), "203.0.113.7"),
    ((b"::ffff:203.0.113.7",), "203.0.113.7"),
    ((b"2001:db8:1:2:3:4:5:6",), "2001:db8:1:2::/64"),  # one person has all of these
    ((b"2001:db8:1:2::1",), "2001:db8:1:2::/64"),
    ((), None),
    ((b"",), None),
    ((b"203.0.113.7,",), None),
    ((b"unknown",), None),
    ((b"203.0.113.7:80",), None),
    ((b"\xff",), None),
]


@pytest.mark.parametrize(("lines", "sender"), SENDERS)
def test_only_the_word_of_the_proxy_counts(lines: tuple[bytes, ...], sender: str | None) -> None:
    assert sender_of({"headers": [(b"x-forwarded-for", line) for line in lines]}) == sender


def passed(
    path: str, *, headers: tuple[tuple[bytes, bytes], ...] = (), kind: str = "http", query: bytes = b""
) -> tuple[dict[str, Any], dict[str, Any]]:
    """What arrives behind the proxy of the club, and the start of the answer, which leads to `/table` with a cookie."""
    arrived: dict[str, Any] = {}
    sent: list[dict[str, Any]] = []

    async def inside(scope: Any, _receive: Any, send: Any) -> None:
        arrived.update(scope)
        cookies = [(b"set-cookie", b"a=b; Path=/; SameSite=Lax"), (b"set-cookie", b"c=d; Secure")]
        await send({"type": "http.response.start", "status": 303, "headers": [(b"location", b"/table"), *cookies]})

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {
        "type": kind, "method": "GET", "path": path, "query_string": query, "scheme": {"http": "http"}.get(kind, "ws"),
        "headers": [(b"x-forwarded-for", b"203.0.113.7"), *headers], "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 8501),
    }  # fmt: skip
    asyncio.run(Proxied(inside, CLUB)(scope, None, send))  # type: ignore[arg-type]  # it reads nothing
    return arrived, sent[0]


def test_a_request_looks_as_the_browser_sent_it() -> None:
    for kind, scheme in (("http", "https"), ("websocket", "wss")):
        arrived, _ = passed("/tiles/table", kind=kind)
        assert (arrived["path"], arrived["scheme"]) == ("/table", scheme)
        assert (arrived["server"], arrived["client"]) == (("club.example", 8443), ("203.0.113.7", 0))
    assert passed("/tiles/")[0]["path"] == "/"
    assert passed("/tiles/tiles/")[0]["path"] == "/tiles/"


def test_an_answer_stays_below_the_base_path_and_on_https() -> None:
    answer = passed("/tiles/")[1]
    assert answer["headers"] == [
        (b"location", b"/tiles/table"),
        (b"set-cookie", b"a=b; SameSite=Lax; Path=/tiles/; Secure"),
        (b"set-cookie", b"c=d; Path=/tiles/; Secure"),
    ]


@pytest.mark.parametrize("said", [("a=ours; b=2; a=theirs",), ("a=ours; b=2", "a=theirs")])
def test_a_program_above_the_base_path_covers_no_cookie(said: tuple[str, ...]) -> None:
    """A browser sends the cookies of the longest path first."""
    arrived, _ = passed("/tiles/", headers=tuple((b"cookie", line.encode()) for line in said))
    assert HTTPConnection(arrived).cookies == {"a": "ours", "b": "2"}
    assert HTTPConnection(passed("/tiles/")[0]).cookies == {}


@pytest.mark.parametrize("path", ["/", "/table", "/tile", "/tilesandmore/", "//tiles/", "/Tiles/", "*"])
def test_nothing_lies_outside_of_the_base_path(path: str) -> None:
    arrived, answer = passed(path)
    assert (arrived, answer["status"]) == ({}, 404)


def test_the_base_path_without_its_slash_leads_to_it() -> None:
    arrived, answer = passed("/tiles", query=b"hand=11m")
    assert (arrived, answer["status"]) == ({}, 308)
    assert (b"location", b"/tiles/?hand=11m") in answer["headers"]
    assert passed("/tiles", kind="websocket")[1] == {"type": "websocket.close", "code": 1008}


def test_behind_says_what_it_does(monkeypatch: pytest.MonkeyPatch) -> None:
    served: list[dict[str, Any]] = []
    monkeypatch.setattr(server, "serve_behind", lambda port, by, **more: served.append({"port": port, "by": by} | more))
    monkeypatch.delenv("TILESCORE_PASSPHRASE", raising=False)
    done = CliRunner().invoke(app, ["app", "--behind", "https://club.example/tiles/", "--no-browser", "--port", "8600"])
    assert done.exit_code == 0, done.output
    assert served[0]["address"] == PublicAddress("club.example", base="/tiles")
    assert f"For you: {served[0]['by'].link} (works once" in done.output
    assert served[0]["by"].link.startswith("https://club.example/tiles/enter#")
    assert "Who is in, and end it: https://club.example/tiles/guests\n" in done.output
    assert "For guests: https://club.example/tiles\n" in done.output
    assert f"Passphrase: {served[0]['by'].passphrase} " in done.output
    assert "localhost:8600" in done.output
    assert "fingerprint" not in done.output


def test_one_door_at_a_time() -> None:
    done = CliRunner().invoke(app, ["app", "--share-lan", "--behind", "https://club.example"])
    assert isinstance(done.exception, InputError)
    assert done.exception.code == "two_doors"


# --- the files with which a club runs it ----------------------------------------------------------------------------


def test_the_container_copies_all_that_the_package_needs() -> None:
    """No test builds it: at least everything that it names is there, and nothing of the package is left out."""
    text = (DEPLOY / "Containerfile").read_text(encoding="utf-8")
    copied = [word for line in re.findall(r"^COPY (?!--from)(.+)$", text, re.MULTILINE) for word in line.split()[:-1]]
    assert [name for name in copied if not (ROOT / name).exists()] == []
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    named = {
        "pyproject.toml",
        "setup.py",
        "constraints.txt",
        project["project"]["readme"],
        *project["project"]["license-files"],
    }
    assert {*copied} == PACKAGES.keys() | named
    pinned = (ROOT / "constraints.txt").read_text(encoding="utf-8")
    assert "--no-build-isolation ." in text
    assert re.search("^setuptools==", pinned, re.MULTILINE), "without isolation it has to be there"
    assert int(re.findall(r"python:3\.(\d+)-slim", text)[0]) >= int(project["project"]["requires-python"][4:])
    assert not re.search(r"^USER (root|0)", text, re.MULTILINE)
    assert text.rindex("\nUSER ") > text.rindex("\nRUN "), "what is built belongs to root"
    volume, data = (re.findall(rf"^{name}(\S+)$", text, re.MULTILINE) for name in ("VOLUME ", "ENV TILESCORE_DATA="))
    assert volume == data


def test_unit_and_container_start_commands_that_exist(monkeypatch: pytest.MonkeyPatch) -> None:
    served: list[str] = []

    def serve(_port: int, _by: object, *, address: PublicAddress, browser: bool) -> None:
        served.append(f"{address} {browser}")

    monkeypatch.setattr(server, "serve_behind", serve)
    for words in (unit()["ExecStart"].split(), [*words_of_container(), "--behind", "https://mahjong.example.org"]):
        assert words[0] == "/opt/tilescore/bin/tilescore"
        done = CliRunner().invoke(app, words[1:])
        assert done.exit_code == 0, done.output
    assert served == ["https://mahjong.example.org False"] * 2


def test_the_unit_is_hardened() -> None:
    found = unit()
    assert (found["DynamicUser"], found["NoNewPrivileges"], found["ProtectSystem"]) == ("yes", "yes", "strict")
    assert found["Environment"] == f"TILESCORE_DATA=/var/lib/{found['StateDirectory']}"
    assert (found["IPAddressDeny"], found["IPAddressAllow"]) == ("any", "localhost")


@pytest.mark.parametrize("name", ["nginx.conf", "tilescore.service", "Containerfile"])
def test_the_page_names_every_file(name: str) -> None:
    assert f"../deploy/{name}" in (ROOT / "docs" / "server.md").read_text(encoding="utf-8")


def test_the_service_can_read_what_root_installs() -> None:
    """Whatever umask root has: pip makes files with it."""
    blocks = re.findall(
        r"^```\n(.*?)^```", (ROOT / "docs" / "server.md").read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
    )
    installing = [block.partition("/pip install")[0] for block in blocks if "/pip install" in block]
    assert len(installing) == 2
    assert [before for before in installing if "umask 022" not in before] == []


@pytest.mark.parametrize("name", ["docs/server.md", "deploy/tilescore.service"])
def test_nobody_serves_with_a_passphrase_that_everybody_can_read(name: str) -> None:
    printed = re.findall(r'TILESCORE_PASSPHRASE="?([^"`,\n]*)', (ROOT / name).read_text(encoding="utf-8"))
    assert printed
    assert [passphrase for passphrase in printed if is_strong(passphrase)] == []
