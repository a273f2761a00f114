"""The app as a server in this process: for this machine alone, or behind a passphrase for the others in the house."""

from __future__ import annotations

import socket
import tomllib
from importlib.resources import files
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any, Final

from tilescore.base.errors import InputError
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
"""An address that belongs to nobody: which of ours would be used to reach it is asked, nothing is sent."""


def serve(port: int, *, browser: bool) -> None:
    """Serve this machine until interrupted; raises InputError if the port is taken."""
    _run({"server.address": _HERE, "server.headless": not browser}, port)


def serve_house(port: int, passphrase: str, *, browser: bool) -> None:
    """Serve everybody in the network who knows the passphrase, until interrupted; raises InputError."""
    from starlette.middleware import Middleware  # noqa: PLC0415  # comes with Streamlit

    from tilescore.ui.server.gate import LEAST_LETTERS, Gate  # noqa: PLC0415

    if len(passphrase.strip()) < LEAST_LETTERS:
        message = (
            f"the passphrase has fewer than {LEAST_LETTERS} letters: choose a longer one, three words for instance."
        )
        raise InputError("short_passphrase", message)
    _run(
        {"server.address": _EVERYWHERE, "server.headless": not browser, "browser.serverAddress": _HERE},
        port,
        guards=[Middleware(Gate, passphrase=passphrase)],
    )


def own_address() -> str:
    """This machine's address in its network; its name if it has none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_NOWHERE)
        except OSError:
            return socket.gethostname()
        address: str = probe.getsockname()[0]
        return address


def _run(config: dict[str, Any], port: int, *, guards: Sequence[Middleware] = ()) -> None:
    """Serve; the addresses are stated here, whatever a configuration elsewhere says: nobody is let in by accident."""
    from streamlit.starlette import App  # noqa: PLC0415  # start-up time of the other commands

    _check(config["server.address"], port)
    Thread(target=_warm_up, daemon=True).start()
    # Streamlit's own welcome asks a server out there for this machine's address.
    config = settings() | config
    config |= {"server.port": port, "logger.hideWelcomeMessage": True, "browser.gatherUsageStats": False}
    App(ENTRY, middleware=list(guards), on_script_error=_apologise).run(config=config)


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
    """Streamlit would take the next free port, and people would look at another program."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((address, port))
        except OSError as error:
            message = f"port {port} is taken or not allowed: close the other program, or say --port {port + 1}."
            raise InputError("port_taken", message) from error


def _warm_up() -> None:
    """Load the networks while the browser opens, so that the first photo need not wait for them."""
    from tilescore.models.registry import load_reader  # noqa: PLC0415

    try:
        load_reader()
    except InputError:
        return  # whoever shows a photo is told


def _apologise(_error: Exception) -> bool:
    """In the place of Streamlit's own words, which offer to search for them elsewhere; the log has the details."""
    import streamlit as st  # noqa: PLC0415

    st.error(sentence(words("app.fault")))
    return True
