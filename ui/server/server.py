"""The app as a server in this process: for this machine alone, or with a passphrase for others in the network."""

from __future__ import annotations

import io
import os
import socket
import tomllib
from importlib.resources import files
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any, Final

from tilescore.base.errors import InputError
from tilescore.ui.state.sharing import SHARED
from tilescore.ui.words.text import sentence, words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from starlette.middleware import Middleware

ENTRY: Final = Path(__file__).parents[1] / "start" / "app.py"
_SETTINGS: Final = files("tilescore.settings") / "config.toml"
"""The settings that `streamlit run app.py` reads from the repository's root."""
_HERE: Final = "localhost"
_EVERYWHERE: Final = "0.0.0.0"  # noqa: S104  # only with --share-lan, behind the passphrase
_NOWHERE: Final = ("192.0.2.1", 9)
"""An address that belongs to nobody: the system names the own address towards it, and nothing is sent."""


def serve(port: int, *, browser: bool) -> None:
    """Serve this machine until interrupted; raises InputError if the port is taken."""
    _run({"server.address": _HERE, "server.headless": not browser}, port)


def serve_house(port: int, passphrase: str, *, browser: bool) -> None:
    """Serve everybody in the network who knows the passphrase, over https, until interrupted.

    Raises:
        InputError: the passphrase is too short, or the port is taken.
    """
    from starlette.middleware import Middleware  # comes with Streamlit

    from tilescore.ui.server.certificate import certificate_for
    from tilescore.ui.server.gate import LEAST_LETTERS, Gate

    if len(passphrase.strip()) < LEAST_LETTERS:
        message = (
            f"the passphrase has fewer than {LEAST_LETTERS} letters: choose a longer one, three words for instance."
        )
        raise InputError("short_passphrase", message)
    certificate = certificate_for((own_address(),))
    os.environ[SHARED] = house_address(port)
    config = {
        "server.address": _EVERYWHERE,
        "server.headless": not browser,
        "browser.serverAddress": _HERE,
        "server.sslCertFile": str(certificate.path),
        "server.sslKeyFile": str(certificate.key_path),
    }
    _run(config, port, guards=[Middleware(Gate, passphrase=passphrase)])


def house_address(port: int) -> str:
    """The address of the shared app for the phones in the network."""
    return f"https://{own_address()}:{port}"


def invitation(port: int) -> str:
    """What the host sees in the terminal: the address as a QR code, and how to know the certificate again."""
    import segno

    from tilescore.ui.server.certificate import certificate_for

    code, certificate = io.StringIO(), certificate_for((own_address(),))
    segno.make(house_address(port)).terminal(out=code, compact=True)
    made = "A new certificate was made on this machine. " if certificate.is_new else ""
    return (
        f"{code.getvalue()}\nTilescore: {house_address(port)} (for everybody with the passphrase; Ctrl+C ends it)\n"
        f"{made}A phone asks once whether to trust it, because no authority knows it. Its SHA-256 fingerprint:\n"
        f"{certificate.fingerprint}"
    )


def own_address() -> str:
    """The address of this machine in its network; its name if it has no address."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_NOWHERE)
        except OSError:
            return socket.gethostname()
        address: str = probe.getsockname()[0]
        return address


def _run(config: dict[str, Any], port: int, *, guards: Sequence[Middleware] = ()) -> None:
    """Serve the app; the addresses come from here, so that no configuration elsewhere lets others in by accident."""
    from streamlit.starlette import App  # start-up time of the other commands

    from tilescore.ui.server.installed import routes

    _check(config["server.address"], port)
    Thread(target=_warm_up, daemon=True).start()
    # The welcome of Streamlit asks a server outside for the address of this machine.
    config = settings() | config
    config |= {"server.port": port, "logger.hideWelcomeMessage": True, "browser.gatherUsageStats": False}
    App(ENTRY, routes=routes(), middleware=list(guards), on_script_error=_apologise).run(config=config)


def settings() -> dict[str, Any]:
    """The options of config.toml under their full names, such as `theme.light.textColor`."""

    def flat(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
        for name, value in table.items():
            if isinstance(value, dict):
                yield from flat(value, f"{prefix}{name}.")
            else:
                yield prefix + name, value

    return dict(flat(tomllib.loads(_SETTINGS.read_text(encoding="utf-8"))))


def _check(address: str, port: int) -> None:
    """Raise InputError if the port is taken: Streamlit would take the next one, unnoticed by the person."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((address, port))
        except OSError as error:
            message = f"port {port} is taken or not allowed: close the other program, or say --port {port + 1}."
            raise InputError("port_taken", message) from error


def _warm_up() -> None:
    """Load the networks while the browser opens, so that the first photo does not wait for them."""
    from tilescore.models.registry import load_reader

    try:
        load_reader()
    except InputError:
        return  # the page reports it with the first photo


def _apologise(_error: Exception) -> bool:
    """Show an apology instead of Streamlit's message, which links to a web search; the log has the details."""
    import streamlit as st

    st.error(sentence(words("app.fault")))
    return True
