"""The door of a shared app: nothing behind it answers without the passphrase, and guessing is slow."""

import asyncio
import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlencode, urlsplit

import pytest
from typer.testing import CliRunner

from tests.ui.server.house import HTML, PASSPHRASE, House, ticket_of
from tilescore.errors import InputError
from tilescore.ui.cli.main import app
from tilescore.ui.server import server
from tilescore.ui.server.guests import Entrance, fresh_passphrase, is_strong


@pytest.fixture
def house() -> House:
    return House()


CLOSED = [
    # method, path, kind
    ("GET", "/", "http"),
    ("GET", "/table", "http"),
    ("GET", "/game?id=0", "http"),
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


def test_a_wrong_key_is_not_the_host(house: House) -> None:
    status, _, text = house.host("guess")
    assert status == 401
    assert 'role="alert"' in text
    assert house.ask("/enter")[0] == 401


def test_an_address_that_is_opened_lets_nobody_in(house: House) -> None:
    key = house.entrance.link.partition("#")[2]
    for path in (f"/enter?key={key}", f"/enter?passphrase={PASSPHRASE}", f"/?key={key}"):
        for method in ("GET", "HEAD", "OPTIONS", "PUT"):
            assert house.ask(path, method=method)[0] == 401
    assert house.entrance.link.endswith(key), "the key is not used up"


def test_the_key_of_the_host_works_once(house: House) -> None:
    first = house.entrance.link
    ticket = ticket_of(house.host())
    assert house.host(first.partition("#")[2])[0] == 401
    assert house.entrance.link != first
    assert house.entrance.link in house.told[0]
    assert house.ask("/enter", headers=(ticket,))[1]["location"] == "/#", "who is in already keeps the new key"
    assert house.entrance.link in house.told[-1]
    assert ticket_of(house.host()) != ticket


def test_the_key_stands_in_no_command_line(house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILESCORE_DATA", str(tmp_path / "data"))
    address = house.entrance.private_page()
    page = Path(unquote(urlsplit(address).path))
    assert house.entrance.link in page.read_text(encoding="utf-8")
    assert house.entrance.link.partition("#")[2] not in address
    assert (page.stat().st_mode & 0o777, page.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    house.host()
    assert not page.exists(), "a key that was used leaves no file"
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("TILESCORE_DATA", str(tmp_path / "file" / "data"))
    assert house.entrance.private_page() == "", "the terminal shows the link all the same"


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
        server.serve_house(8501, Entrance(8501, passphrase, tell=print), names=(), browser=False)


@pytest.mark.parametrize("passphrase", [None, PASSPHRASE, "three odd wooden spoons"])
def test_a_good_passphrase_is_taken(passphrase: str | None) -> None:
    assert is_strong(passphrase or fresh_passphrase())


def test_share_lan_says_what_it_does(monkeypatch: pytest.MonkeyPatch) -> None:
    served: list[dict[str, Any]] = []
    monkeypatch.setattr(server, "serve_house", lambda _port, by, **more: served.append({"by": by} | more))
    monkeypatch.setattr("tilescore.ui.server.addresses.own_addresses", lambda: ("192.168.1.7",))
    monkeypatch.delenv("TILESCORE_PASSPHRASE", raising=False)
    done = CliRunner().invoke(app, ["app", "--share-lan", "--no-browser"])
    assert done.exit_code == 0, done.output
    assert "everybody in your network" in done.output
    assert "https://192.168.1.7:8501" in done.output
    assert "fingerprint" in done.output
    assert "\u2588" in done.output or "\u2580" in done.output, "the QR code"
    assert is_strong(served[0]["by"].passphrase)
    assert f"Passphrase: {served[0]['by'].passphrase} " in done.output
    assert f"For you: {served[0]['by'].link} (works once" in done.output
    assert served[0]["names"] == ("192.168.1.7",)
    monkeypatch.setenv("TILESCORE_PASSPHRASE", PASSPHRASE)
    done = CliRunner().invoke(app, ["app", "--share-lan", "--no-browser"])
    assert PASSPHRASE not in done.output
    assert served[1]["by"].passphrase == PASSPHRASE


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
