"""A club's server: the app as the systemd unit starts it, behind Debian's nginx with the configuration of the docs."""

from __future__ import annotations

import configparser
import json
import os
import re
import shlex
import socket
import ssl
import subprocess
import sys
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from http.client import HTTPSConnection
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tests.harness.app_process import CLUB, ROOT, START, ended, reserved_port, wait_for
from tilescore.ui.server.certificate import certificate_for

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

NGINX: Final = Path("/usr/sbin/nginx")
"""Where Debian's nginx-light lies."""
DEPLOY: Final = ROOT / "deploy"
PASSPHRASE: Final = "three odd wooden spoons"  # noqa: S105  # opens nothing but tests
_FRAME: Final = """
daemon off; pid nginx.pid; worker_processes 1; {user}
events {{}}
http {{
    access_log off;
    client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path f; uwsgi_temp_path u; scgi_temp_path s;
    include site.conf;
}}
"""


@dataclass(frozen=True)
class Club:
    """A running server."""

    address: str  # its public address
    port: int  # where nginx answers
    behind: int  # where the app answers on this machine
    said: Path  # the file with what the app prints
    games: Path  # the app's data folder
    trusted: ssl.SSLContext = field(repr=False)  # the context of TLS that trusts its certificate

    @property
    def own(self) -> dict[str, str]:
        """The headers of a request of its own pages."""
        return {"Host": f"{CLUB}:{self.port}", "Origin": f"https://{CLUB}:{self.port}"}

    def ask(
        self, path: str, *, method: str = "GET", body: str = "", headers: Mapping[str, str] | None = None
    ) -> tuple[int, dict[str, str]]:
        """The status and the headers of its answer through nginx."""
        connection = _Through(self)
        connection.request(method, path, body.encode(), {**self.own, **(headers or {})})
        answer = connection.getresponse()
        answer.read()
        connection.close()
        return answer.status, dict(answer.getheaders())

    def links(self) -> list[str]:
        """The host's links that the app has printed; the last one works."""
        return re.findall(r"https://\S+/enter#\S+", self.said.read_text(encoding="utf-8"))


class _Through(HTTPSConnection):
    """A connection to nginx on this machine under the public name."""

    def __init__(self, club: Club) -> None:
        super().__init__(CLUB, club.port, timeout=20)
        self._club = club

    def connect(self) -> None:
        """Connect without a look-up of the name."""
        line = socket.create_connection(("127.0.0.1", self._club.port), timeout=20)
        self.sock = self._club.trusted.wrap_socket(line, server_hostname=CLUB)


@contextmanager
def club(folder: Path, base: str = "") -> Iterator[Club]:
    """Run the app below that base path behind nginx, with all files in that folder.

    Raises:
        RuntimeError: one of both ends by itself or does not answer in time.
    """
    with ExitStack() as held:
        http, https, behind = (held.enter_context(reserved_port()) for _ in range(3))
        address, games, said = f"https://{CLUB}:{https}{base}", folder / "games", folder / "said"
        certificate = certificate_for((CLUB,))
        site = _changed(
            (DEPLOY / "nginx.conf").read_text(encoding="utf-8"),
            {
                "listen 80;": f"listen 127.0.0.1:{http};",
                "listen 443 ssl;": f"listen 127.0.0.1:{https} ssl;",
                "listen [::]:80;": f"listen [::1]:{http};" if has_ipv6() else "",
                "listen [::]:443 ssl;": f"listen [::1]:{https} ssl;" if has_ipv6() else "",
                f"/etc/letsencrypt/live/{CLUB}/fullchain.pem": str(certificate.path),
                f"/etc/letsencrypt/live/{CLUB}/privkey.pem": str(certificate.key_path),
                "127.0.0.1:8501": f"127.0.0.1:{behind}",
                "location / {": f"location {base}/ {{",
                "location = /copies {": f"location = {base}/copies {{",
            },
        )
        (folder / "site.conf").write_text(site, encoding="utf-8")
        user = "user root root;" if os.geteuid() == 0 else ""  # else its worker cannot reach our folder
        (folder / "nginx.conf").write_text(_FRAME.format(user=user), encoding="utf-8")
        nginx = [str(NGINX), "-p", str(folder), "-c", "nginx.conf", "-e", "stderr"]
        app = [sys.executable, *START, *_changed_words({"8501": str(behind), f"https://{CLUB}": address})]
        unit = os.environ | {"TILESCORE_DATA": str(games), "TILESCORE_PASSPHRASE": PASSPHRASE, "PYTHONUNBUFFERED": "1"}
        with said.open("wb") as out, (folder / "nginx.log").open("wb") as log:
            for command, place, environment in (
                (app, f"http://localhost:{behind}", unit),
                (nginx, f"https://localhost:{https}", None),
            ):
                server = subprocess.Popen(command, cwd=ROOT, stdout=out, stderr=log, env=environment)  # noqa: S603
                held.callback(ended, server)
                wait_for(f"{place}/_stcore/health", server)
        trusted = ssl.create_default_context(cafile=str(certificate.path))
        yield Club(address, https, behind, said, games, trusted)


def has_ipv6() -> bool:
    """Whether this machine answers itself by version 6 of the internet."""
    try:
        with socket.create_server(("::1", 0), family=socket.AF_INET6):
            return True
    except OSError:
        return False


def unit() -> dict[str, str]:
    """The section `Service` of the unit; of several lines with one name the last."""
    parser = configparser.RawConfigParser(strict=False)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read(DEPLOY / "tilescore.service", encoding="utf-8")
    return dict(parser["Service"])


def words_of_container() -> list[str]:
    """The words that the container starts with."""
    found = re.search(r"^ENTRYPOINT (.+)$", (DEPLOY / "Containerfile").read_text(encoding="utf-8"), re.MULTILINE)
    assert found is not None
    words: list[str] = json.loads(found[1])
    return words


def _changed_words(changes: Mapping[str, str]) -> list[str]:
    """The words with which the unit starts the app, without the program."""
    _, *words = shlex.split(unit()["ExecStart"])
    assert changes.keys() <= {*words}, "the unit has other words"
    return [changes.get(word, word) for word in words]


def _changed(text: str, changes: Mapping[str, str]) -> str:
    """The text with other places in it; all of them must stand in it."""
    for old, new in changes.items():
        assert old in text, f"the configuration has no '{old}'"
        text = text.replace(old, new)
    return text
