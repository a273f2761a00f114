"""Commands with worker processes that end by a signal: the workers end too, and one sentence says what is kept."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from tests.harness.app_process import PATIENCE, patience, reserved_port, wait_for

ROOT = Path(__file__).parents[1]
SCRIPT = """
import sys, time
from pathlib import Path
from tilescore.processes.parallel import Pool, work_through
from tilescore.processes.stopping import stoppable
from tilescore.ui.cli.progress import progress_bar
if __name__ == "__main__":
    with stoppable(), progress_bar("working", kept_in=Path("a file")) as progress:
        for done, _ in enumerate(work_through(time.sleep, [0.1, *[60] * 20], Pool(2)), start=1):
            progress(done, 21)
            print(done, flush=True)
"""
WORKERS_END_S = 5
COMMAND_ENDS_S = 2


def test_the_app_ends_quietly_with_its_terminal(tmp_path: Path) -> None:
    with reserved_port() as port:
        command = [sys.executable, "-m", "tilescore.ui.cli.main", "app", "--no-browser", "--port", str(port)]
        environment = os.environ | {"TILESCORE_DATA": str(tmp_path)}
        app = subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.PIPE)  # noqa: S603
        wait_for(f"http://localhost:{port}/_stcore/health", app)
    app.send_signal(signal.SIGHUP)
    _, said = app.communicate(timeout=60)
    assert (app.returncode, b"Traceback" in said) == (129, False), said.decode()


@pytest.mark.parametrize(
    ("number", "to_group", "status"),
    [
        pytest.param(signal.SIGKILL, False, -9, id="killed: nothing runs on the way out"),
        pytest.param(signal.SIGTERM, False, 143, id="asked to end, as a service manager does"),
        pytest.param(signal.SIGINT, True, 130, id="Ctrl-C reaches the workers too"),
        pytest.param(signal.SIGHUP, True, 129, id="the terminal is closed"),
    ],
)
def test_workers_end_with_the_command(tmp_path: Path, number: signal.Signals, *, to_group: bool, status: int) -> None:
    (tmp_path / "script.py").write_text(SCRIPT)
    paths = os.pathsep.join((str(ROOT), os.environ.get("PYTHONPATH", "")))
    command = subprocess.Popen(  # noqa: S603
        [sys.executable, str(tmp_path / "script.py")],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, process_group=0, env=os.environ | {"PYTHONPATH": paths},
    )  # fmt: skip
    assert command.stdout is not None
    assert command.stdout.readline() == b"1\n"
    family = psutil.Process(command.pid).children(recursive=True)
    assert len(family) >= 2
    began = time.monotonic()
    (os.killpg if to_group else os.kill)(command.pid, number)
    assert command.wait(10 * WORKERS_END_S) == status
    took = time.monotonic() - began
    left = psutil.wait_procs(family, timeout=WORKERS_END_S)[1]
    for process in left:
        process.kill()
    assert not left
    _, said = command.communicate()
    if number is not signal.SIGKILL:
        assert took < COMMAND_ENDS_S * patience()
        assert said.decode() == "tilescore: stopped: 1 of 21 kept in 'a file'; start again to go on.\n"


LOADING = """
import sys, time
class Slow:
    def find_spec(self, name, path=None, target=None):
        if name == "tilescore.ui.cli.main":
            print("loading", flush=True)
            for _ in range(6000):  # a signal that comes just before a sleep waits for the end of the sleep
                time.sleep(0.01)
sys.meta_path.insert(0, Slow())
from tilescore.__main__ import main
main()
"""


def test_ctrl_c_is_quiet_while_the_command_is_loaded() -> None:
    """An earlier version showed a traceback in the first half second."""
    command = subprocess.Popen(  # noqa: S603
        [sys.executable, "-c", LOADING], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert command.stdout is not None
    assert command.stdout.readline() == b"loading\n"
    command.send_signal(signal.SIGINT)
    _, said = command.communicate(timeout=10 * PATIENCE)
    assert (command.returncode, said) == (130, b"")
