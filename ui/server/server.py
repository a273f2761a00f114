"""The app as a server in this process: for this machine alone, or with a passphrase for others."""

import errno
import io
import logging
import os
import signal
import socket
import tomllib
import webbrowser
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread, Timer
from types import FrameType
from typing import Any, Final

import streamlit as st
import uvicorn
from starlette.middleware import Middleware
from streamlit.starlette import App
from streamlit.web import bootstrap

from tilescore.errors import InputError
from tilescore.files.paths import data_folder, is_private
from tilescore.processes.stopping import Stopped
from tilescore.ui.server import installed
from tilescore.ui.server.behind.address import PublicAddress
from tilescore.ui.server.behind.proxied import Proxied, ProxyConnection
from tilescore.ui.server.config import LIMITS
from tilescore.ui.server.connections import LimitedConnection, secure_connection
from tilescore.ui.server.door import LOG, THIS_MACHINE, Admission, Door, FewLines
from tilescore.ui.server.gate import Gate
from tilescore.ui.server.guests import Entrance, is_strong, was_ended
from tilescore.ui.server.routes import routes
from tilescore.ui.server.tunnel.tunnel import Tunnel
from tilescore.ui.server.uploads import Uploads, freed_uploads
from tilescore.ui.state.sharing import share
from tilescore.ui.state.undisturbed import keep_presses_whole
from tilescore.ui.words.text import sentence, telling, words

ENTRY: Final = Path(__file__).parents[1] / "start" / "app.py"
_SETTINGS: Final = Path(__file__).with_name("streamlit.toml")
_HERE: Final = "localhost"
_BOUND: Final = {_HERE: "127.0.0.1"}
"""Where a name listens: a machine without a list of hosts cannot resolve its own, but browsers can."""
_EVERYWHERE: Final = "0.0.0.0"  # noqa: S104  # only with --share-lan, behind the passphrase
_SOCKETS: Final = "streamlit.web.server.starlette.starlette_websocket"
"""Streamlit's log of sockets: it writes a traceback for each message that a visitor makes wrong."""
_NO_USE: Final = (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOSPC, errno.EDQUOT)
"""What the system says of a folder that is not ours, or of a disk that is full or takes nothing."""
_CLOSED: Final[dict[str, Any]] = {
    "browser.gatherUsageStats": False,
    "client.allowedOrigins": [],
    "global.developmentMode": False,
    "logger.hideWelcomeMessage": True,  # the welcome asks a server outside for the address of this machine
    "server.allowRunOnSave": False,
    "server.baseUrlPath": "",
    "server.corsAllowedOrigins": [],
    "server.enableAgentApi": False,
    "server.enableCORS": True,
    "server.enableStaticServing": False,
    "server.enableXsrfProtection": True,
    "server.scriptHealthCheckEnabled": False,
    "server.trustedUserHeaders": {},
}
"""Settings that a user's own Streamlit files and variables cannot change."""


def serve(port: int, *, browser: bool) -> None:
    """Serve this machine until interrupted; raises InputError if the port is taken."""
    _run({"server.address": _HERE}, port, guards=guards(THIS_MACHINE), page=f"http://{_HERE}:{port}" if browser else "")


def serve_house(port: int, entrance: Entrance, *, names: Collection[str], browser: bool) -> None:
    """Serve everybody in the network who knows the passphrase, over https, until interrupted.

    `names` are the addresses of this machine that were shown; no other name is answered. Raises InputError if the
    passphrase is easy to guess or ended, or the port is taken.
    """
    from tilescore.ui.server.certificate import certificate_for

    gate, certificate = _gate(entrance), certificate_for(tuple(names))
    if names:
        share(house_address(port, next(iter(names))), lambda: entrance.shown)
    _run(
        {
            "server.address": _EVERYWHERE,
            "browser.serverAddress": _HERE,
            "server.sslCertFile": str(certificate.path),
            "server.sslKeyFile": str(certificate.key_path),
        },
        port,
        guards=guards((*THIS_MACHINE, *names), gate),
        page=entrance.private_page() if browser else "",
        connection=secure_connection(str(certificate.path), str(certificate.key_path)),
    )


def serve_behind(port: int, entrance: Entrance, *, address: PublicAddress, browser: bool) -> None:
    """Serve a reverse proxy on this machine, and so everybody who knows the passphrase, until interrupted.

    The proxy serves the app over https at `address`; no other name is answered. Raises InputError if the passphrase is
    easy to guess or ended, or the port is taken.
    """
    gate = _gate(entrance)
    share(str(address), lambda: entrance.shown)
    _run(
        {"server.address": _HERE},
        port,
        guards=[Middleware(Proxied, address=address), *guards((address.host,), gate)],
        page=entrance.private_page() if browser else "",
        connection=ProxyConnection,
    )


def _gate(entrance: Entrance) -> Middleware:
    """The gate of a shared app; raises InputError if its passphrase is easy to guess, or ended."""
    if not is_strong(entrance.passphrase):
        message = (
            "the passphrase is easy to guess: choose four words that do not belong together, or leave it out and "
            "take the one that the program makes."
        )
        raise InputError("weak_passphrase", message)
    if was_ended(entrance.passphrase):
        message = (
            "the access of somebody who knows this passphrase was ended: give another one in TILESCORE_PASSPHRASE, or "
            "leave it out and take the one that the program makes."
        )
        raise InputError("ended_passphrase", message)
    return Middleware(Gate, entrance=entrance)


def house_address(port: int, name: str) -> str:
    """The address of the shared app for the phones in the network."""
    return f"https://{name}:{port}"


def code_of(address: str) -> str:
    """The address as a QR code for the terminal."""
    import segno

    code = io.StringIO()
    segno.make(address).terminal(out=code, compact=True)
    return code.getvalue()


def certificate_note(names: Collection[str]) -> str:
    """What the host sees in the terminal: how to know the certificate for these addresses again."""
    from tilescore.ui.server.certificate import certificate_for

    certificate = certificate_for(tuple(names))
    made = "A new certificate was made on this machine. " if certificate.is_new else ""
    return (
        f"{made}A phone asks once whether to trust the certificate, because no authority knows it.\n"
        f"Its SHA-256 fingerprint: {certificate.fingerprint}"
    )


def guards(names: Collection[str], *inner: Middleware) -> list[Middleware]:
    """What stands before Streamlit: door, sockets through requests, `inner`, limits, what completes the document."""
    through = inner or (Middleware(Admission),)
    return [
        Middleware(Door, names=names), Middleware(Tunnel), *through, Middleware(Uploads), Middleware(installed.Document)
    ]  # fmt: skip


@contextmanager
def _ended_at_once() -> Iterator[None]:
    """End the process on a signal without taking the interpreter down.

    That takes seconds on a busy machine, and a thread that is loading a library just then aborts the process.
    """
    try:
        yield
    except KeyboardInterrupt:
        os._exit(128 + signal.SIGINT)
    except Stopped as stopped:
        os._exit(int(stopped.code or 0))


@_ended_at_once()
def _run(
    config: dict[str, Any], port: int, *, guards: Sequence[Middleware], page: str,
    connection: type[LimitedConnection] = LimitedConnection,
) -> None:  # fmt: skip
    """Serve the app; the settings come from here, so that no configuration elsewhere lets others in."""
    keep_presses_whole()
    listening = _listen(config["server.address"], port)
    logging.getLogger(_SOCKETS).addFilter(_in_one_line)
    few = FewLines()
    for name in (LOG.name, _SOCKETS, "uvicorn.error", "asyncio"):  # all that strangers can make write
        logging.getLogger(name).addFilter(few)
    Thread(target=_warm_up, daemon=True).start()
    try:
        Path.home()
    except RuntimeError:  # a user without a home: Streamlit looks for its settings there
        os.environ["HOME"] = str(data_folder())
    bootstrap.load_config_options(config | settings() | {"server.port": port, "server.headless": True})
    app = App(
        ENTRY, routes=[*installed.routes(), *routes()], middleware=guards,
        lifespan=freed_uploads, on_script_error=apologise,
    )  # fmt: skip
    # `http` ends the connections of strangers. Streamlit's own start of uvicorn has no option for it, nor for the
    # limit of messages. Without proxy headers, an address is that of the connection.
    serving = uvicorn.Config(
        app, http=connection, ws="websockets-sansio", ws_max_size=LIMITS.message_bytes,
        ws_per_message_deflate=False, proxy_headers=False, timeout_graceful_shutdown=1,
        server_header=False, access_log=False, use_colors=False, log_level="warning",
    )  # fmt: skip
    if page:
        Timer(0.5, webbrowser.open, (page,)).start()
    with listening:
        _run_until_interrupted(uvicorn.Server(serving), listening)


def _run_until_interrupted(server: uvicorn.Server, listening: socket.socket) -> None:
    """Serve; the program ends soon after Ctrl+C, though a browser keeps an encrypted connection open.

    Nothing is lost: whatever is kept is one transaction of the database or one renamed file.
    """
    handle = server.handle_exit

    def handle_exit(sig: int, frame: FrameType | None) -> None:
        handle(sig, frame)
        Tunnel.close()
        last = Timer(LIMITS.farewell_s, os._exit, (128 + sig,))
        last.daemon = True
        last.start()

    vars(server)["handle_exit"] = handle_exit
    with _hung_up(handle_exit):
        server.run(sockets=[listening])


@contextmanager
def _hung_up(end: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    """Take the end of the terminal as uvicorn takes Ctrl+C, unless the caller ignores it; Windows has no signal."""
    number = getattr(signal, "SIGHUP", None)
    if number is None or signal.getsignal(number) is signal.SIG_IGN:
        yield
        return
    seen: list[int] = []

    def hear(sig: int, frame: FrameType | None) -> None:
        seen.append(sig)
        end(sig, frame)

    before = signal.signal(number, hear)
    try:
        yield
    finally:
        signal.signal(number, before)
    if seen:
        signal.raise_signal(number)  # for the exit status


def settings() -> dict[str, Any]:
    """The options of streamlit.toml and `_CLOSED` under their full names, such as `theme.light.textColor`."""

    def flat(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
        for name, value in table.items():
            if isinstance(value, dict):
                yield from flat(value, f"{prefix}{name}.")
            else:
                yield prefix + name, value

    return dict(flat(tomllib.loads(_SETTINGS.read_text(encoding="utf-8")))) | _CLOSED


def _listen(address: str, port: int) -> socket.socket:
    """A socket that listens there; raises InputError if the port is taken or not allowed."""
    # asyncio sends small answers at once (TCP_NODELAY) only if the socket names its protocol; else some wait for 40 ms.
    listening = socket.socket(proto=socket.IPPROTO_TCP)
    if not hasattr(socket, "SO_EXCLUSIVEADDRUSE"):  # on Windows, SO_REUSEADDR would share the port
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((_BOUND.get(address, address), port))
        listening.listen(LIMITS.strangers)
    except OSError as error:
        listening.close()
        message = f"port {port} is taken or not allowed: close the other program, or say --port {port + 1}."
        raise InputError("port_taken", message) from error
    listening.setblocking(False)
    return listening


def _in_one_line(record: logging.LogRecord) -> bool:
    """Leave the traceback out of a record of the log."""
    record.exc_info = None
    return True


def _warm_up() -> None:
    """While the browser opens, load the pages, finish deletions, load the networks: the first photo need not wait."""
    import tilescore.ui.pages.frame  # noqa: F401  # the first page waits for it
    from tilescore.models.registry import load_reader
    from tilescore.ui.storage import deletions

    for work in (deletions.settle, load_reader):
        with suppress(InputError, OSError):  # the page reports it
            work()


def apologise(error: Exception) -> bool:
    """Show what keeps the data folder from use, or an apology, instead of Streamlit's message, a link to a web search.

    The log has the details.
    """
    from tilescore.ui.components.document.messages import show_error  # the pages have loaded both
    from tilescore.ui.storage.database import wording

    if isinstance(error, OSError) and error.errno in _NO_USE and is_private(Path(os.fsdecode(error.filename or ""))):
        with telling(show_error), wording(data_folder()):
            raise error
    else:
        st.error(sentence(words("app.fault")))
    return True
