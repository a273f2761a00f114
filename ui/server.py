"""The app as a server in this process: on this machine alone, or behind a passphrase for the others in the house."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starlette.middleware import Middleware

ENTRY: Final = Path(__file__).resolve().parents[1] / "app.py"
HERE: Final = "localhost"
EVERYWHERE: Final = "0.0.0.0"  # noqa: S104  # only with --share-lan, behind the passphrase


def serve(port: int, *, browser: bool, address: str = HERE, guards: Sequence[Middleware] = ()) -> None:
    """Serve until interrupted; every request passes the guards first.

    `address` is stated here whatever a configuration file elsewhere says: nobody is let in by accident.
    """
    from streamlit.starlette import App  # noqa: PLC0415  # start-up time of the other commands

    sys.argv = [str(ENTRY)]  # where Streamlit looks for .streamlit/config.toml
    config: dict[str, Any] = {"server.port": port, "server.address": address, "server.headless": not browser}
    App(ENTRY, middleware=list(guards)).run(config=config)
