"""Ctrl+C ends the app at once, whoever holds a connection to it."""

from __future__ import annotations

import os
import signal
import socket
import ssl
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from tests.harness.app_process import ROOT, START, patience, reserved_port, wait_for

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.browser
ENDS_S = 2


def test_ctrl_c_ends_the_shared_app(tmp_path: Path, port: int) -> None:
    log = tmp_path / "stderr"
    with log.open("wb") as stderr:
        app = subprocess.Popen(  # noqa: S603  # our own interpreter
            [sys.executable, "-X", "faulthandler", *START, "app", "--share-lan", "--no-browser", "--port", str(port)],
            cwd=ROOT, stdout=subprocess.DEVNULL, stderr=stderr, env=os.environ | {"TILESCORE_DATA": str(tmp_path)},
        )  # fmt: skip
    try:
        wait_for(f"https://localhost:{port}/_stcore/health", app)
        trusting = ssl._create_unverified_context()  # noqa: S323  # no authority knows our own certificate
        with (
            socket.create_connection(("localhost", port)),
            trusting.wrap_socket(socket.create_connection(("localhost", port)), server_hostname="localhost") as silent,
        ):
            silent.sendall(b"GET / HTTP/1.1\r\n")
            time.sleep(0.3)
            begun = time.monotonic()
            app.send_signal(signal.SIGINT)
            assert app.wait(30) == 128 + signal.SIGINT, log.read_text(errors="replace")
            assert time.monotonic() - begun < ENDS_S * patience()
    finally:
        app.kill()
        app.wait()


def test_ctrl_c_in_the_first_seconds(tmp_path: Path) -> None:
    """Threads are loading libraries then: taking the interpreter down aborted the process now and then."""
    started = []
    for number in range(6):
        with reserved_port() as port:
            command = [sys.executable, "-X", "faulthandler", *START, "app", "--no-browser", "--port", str(port)]
        folder = {"TILESCORE_DATA": str(tmp_path / str(number))}
        app = subprocess.Popen(  # noqa: S603  # our own interpreter
            command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=os.environ | folder
        )
        started.append(app)
    try:
        for app in started:
            time.sleep(0.5)
            app.send_signal(signal.SIGINT)
        ended = [(app.communicate(timeout=30)[1].decode(errors="replace"), app.returncode) for app in started]
    finally:
        for app in started:
            app.kill()
    assert {code for _, code in ended} <= {128 + signal.SIGINT, -signal.SIGINT}, ended  # the latter before it has begun
