"""The door in front of the server: foreign pages and names get nothing, and a user's own settings do not open it."""

from __future__ import annotations

import logging
import statistics
import time
from http.client import HTTPConnection
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import requests
from starlette.requests import ClientDisconnect

from tests.harness.app_process import running_app
from tests.harness.strangers import ForeignPage, answer, foreign_pages, open_home
from tests.ui.server.asgi import asked
from tilescore.ui.server.door import Door

if TYPE_CHECKING:
    from collections.abc import Iterator

OWN = (b"origin", b"http://localhost:8501")
HOST = b"localhost:8501"


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of an app whose user has Streamlit settings that open everything."""
    folder = tmp_path_factory.mktemp("door")
    with running_app(folder / "data", HOME=str(open_home(folder / "home"))) as address:
        yield int(address.rpartition(":")[2])


PAGES = range(len(foreign_pages(8501)))


@pytest.mark.parametrize("number", PAGES, ids=lambda number: foreign_pages(8501)[number].name)
@pytest.mark.parametrize("upgrade", [False, True], ids=["http", "socket"])
def test_foreign_pages_get_nothing(port: int, number: int, upgrade: bool) -> None:  # noqa: FBT001
    assert answer(port, foreign_pages(port)[number], upgrade=upgrade)[0] == 403


def test_our_own_pages_get_everything(port: int) -> None:
    for host in (f"localhost:{port}", f"127.0.0.1:{port}"):
        assert answer(port, ForeignPage("ours", f"http://{host}", host), upgrade=True)[0] == 101
        assert answer(port, ForeignPage("ours", None, host))[0] == 200


def test_an_answer_leaves_at_once(port: int) -> None:
    """The second request on a connection would wait for 40 ms: its head goes out, the body waits for the receipt."""
    connection = HTTPConnection("localhost", port, timeout=20)
    took = []
    for _ in range(20):
        start = time.perf_counter()
        connection.request("GET", "/_stcore/health")
        connection.getresponse().read()
        took.append(time.perf_counter() - start)
    connection.close()
    assert statistics.median(took) < 0.03


def test_nobody_frames_our_pages(port: int) -> None:
    headers = requests.get(f"http://localhost:{port}/", timeout=20).headers
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert "Server" not in headers


def test_an_upload_needs_the_token_of_our_pages(port: int) -> None:
    own = {"Origin": f"http://localhost:{port}"}
    place = f"http://localhost:{port}/_stcore/upload_file/1/2"
    assert requests.put(place, data=b"x", headers=own, timeout=20).status_code == 403


def test_the_api_for_agents_is_off(port: int) -> None:
    own = {"Origin": f"http://localhost:{port}", "Content-Type": "application/json"}
    found = requests.post(f"http://localhost:{port}/_stcore/agent/interact", data="{}", headers=own, timeout=20)
    assert found.status_code in (403, 404)


SECTIONS = [
    # what the browser tells about the request, status
    ({"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image"}, 403),
    ({"sec-fetch-site": "same-site", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "script"}, 403),
    ({"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe"}, 403),
    ({"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}, 200),  # a link
    ({"sec-fetch-site": "same-origin", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image"}, 200),
    ({"sec-fetch-site": "none", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}, 200),  # typed
    ({}, 200),
]


async def inside(_scope: Any, _receive: Any, send: Any) -> None:
    """An app that answers everything."""
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b""})


@pytest.mark.parametrize(("told", "status"), SECTIONS)
def test_pictures_and_scripts_are_not_for_other_sites(told: dict[str, str], status: int) -> None:
    headers = tuple((name.encode(), value.encode()) for name, value in told.items())
    assert asked(Door(inside), headers=((b"host", HOST), *headers))["status"] == status


@pytest.mark.parametrize(
    ("scheme", "host", "origin", "status"),
    [
        ("http", "192.168.1.7:8501", "http://192.168.1.7:8501", 200),
        ("https", "192.168.1.7:8501", "https://192.168.1.7:8501", 200),
        ("https", "192.168.1.7:8501", "http://192.168.1.7:8501", 403),
        ("http", "192.168.1.8:8501", "http://192.168.1.8:8501", 403),
        ("http", "192.168.1.7", "http://192.168.1.7", 403),
    ],
)
def test_shown_addresses_are_ours(scheme: str, host: str, origin: str, status: int) -> None:
    headers = ((b"host", host.encode()), (b"origin", origin.encode()))
    assert asked(Door(inside, ["192.168.1.7"]), headers=headers, scheme=scheme)["status"] == status


def test_a_change_names_its_page() -> None:
    for method in ("POST", "PUT", "DELETE", "PATCH"):
        assert asked(Door(inside), method=method, headers=((b"host", HOST),))["status"] == 403
        assert asked(Door(inside), method=method, headers=((b"host", HOST), OWN))["status"] == 200


def test_two_hosts_are_none_of_ours() -> None:
    assert asked(Door(inside), headers=((b"host", HOST), (b"host", HOST)))["status"] == 403
    assert asked(Door(inside), headers=())["status"] == 403


def test_the_log_has_one_plain_line(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        asked(Door(inside), headers=((b"host", "evil\x1b[2J\x85.example".encode("latin-1")),))
    assert [record.getMessage() for record in caplog.records] == [
        "refused a request: its host is 'evil\\x1b[2j\\x85.example', which is no name of this server."
    ]


def test_a_request_that_is_broken_off_is_one_line(caplog: pytest.LogCaptureFixture) -> None:
    async def broken(_scope: Any, _receive: Any, _send: Any) -> None:
        raise ClientDisconnect

    with caplog.at_level(logging.WARNING):
        assert asked(Door(broken), headers=((b"host", HOST),)) == {}
    assert [record.getMessage() for record in caplog.records] == ["a request to / was broken off by its sender."]
    assert caplog.records[0].exc_info is None


def test_root_app_has_the_same_door() -> None:
    """`streamlit run app.py` serves the app that this file makes."""
    from streamlit.web.server.app_discovery import discover_asgi_app

    assert discover_asgi_app(Path(__file__).parents[3] / "app.py").is_asgi_app


def test_text_ends_a_socket(caplog: pytest.LogCaptureFixture) -> None:
    got: list[Any] = []

    async def listening(_scope: Any, receive: Any, _send: Any) -> None:
        got.extend([await receive(), await receive()])

    messages: list[dict[str, Any]] = [
        {"type": "websocket.receive", "bytes": b"x"},
        {"type": "websocket.receive", "text": "x"},
    ]
    asked(Door(listening), headers=((b"host", HOST), OWN), kind="websocket", messages=messages)
    assert got == [{"type": "websocket.receive", "bytes": b"x"}, {"type": "websocket.disconnect", "code": 1008}]
    assert [record.getMessage() for record in caplog.records] == ["refused a message of text on a socket."]
