"""The telemetry of a library is off before the library loads; tests/e2e/test_closed_network.py observes the effect."""

import ast
import os
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

from tilescore.telemetry import VARIABLES

ROOT = Path(__file__).resolve().parents[1]
SOURCES = [
    path
    for path in ROOT.rglob("*.py")
    if not any(part.startswith((".", "build")) for part in path.relative_to(ROOT).parts)
]
LOADED_BY = {"onnxruntime": "vision/inference/session.py", "ultralytics": "models/training/yolo.py"}
AUDITED = {
    "onnxruntime": "1.31.1", "streamlit": "1.67.0", "distributed": "2026.8.0",
    "opencv-python": "5.0.0.93", "pi_heif": "1.4.0", "ultralytics": "8.4.190", "torch": "2.13.0",
}  # fmt: skip
"""The versions with which `python -m tests.campaigns.privacy` observed no traffic beyond this machine."""


def python(code: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run the code in an environment without variables of telemetry or CI."""
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)} | variables
    command = [sys.executable, "-c", code]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True)  # noqa: S603


@pytest.mark.parametrize(
    "room",
    [
        "tilescore",
        "tilescore.vision",
        "tilescore.models",
        "tilescore.processes.parallel",
        "tilescore.ui.state.hand.work",
        "tests.harness.figures",
    ],
)
def test_a_room_sets_the_variables_before_it_loads_a_library(room: str) -> None:
    code = (
        "import os, sys\n"
        "class Watch:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name in ('onnxruntime', 'ultralytics'):\n"
        "            assert os.environ.get('ORT_DISABLE_TELEMETRY') == '1', name\n"
        "sys.meta_path.insert(0, Watch())\n"
        f"import {room}\n"
        "from tilescore.vision.inference.session import load_onnxruntime\n"
        "load_onnxruntime()\n"
        "print(*(f'{name}={os.environ[name]}' for name in sorted(os.environ)), sep='\\n')"
    )
    printed = python(code, ORT_DISABLE_TELEMETRY="0", YOLO_OFFLINE="0").stdout.splitlines()
    assert {f"{name}={value}" for name, value in VARIABLES.items()} <= set(printed)


def test_onnxruntime_loaded_earlier_is_a_warning() -> None:
    stderr = python("import onnxruntime, tilescore.errors", CI="true").stderr  # in CI, onnxruntime sends nothing
    assert "RuntimeWarning: onnxruntime was imported before Tilescore" in stderr
    assert "Warning" not in python("import onnxruntime, tilescore.errors", ORT_DISABLE_TELEMETRY="1").stderr


def test_one_module_loads_a_library() -> None:
    """A second module might load the library before the variables are set."""
    loading: dict[str, set[str]] = {library: set() for library in LOADED_BY}
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            for library in loading.keys() & {name.split(".")[0] for name in names}:
                loading[library].add(path.relative_to(ROOT).as_posix())
    assert loading == {library: {place} for library, place in LOADED_BY.items()}


def test_other_versions_are_audited_anew() -> None:
    installed = {found.name: found.version.split("+")[0] for found in metadata.distributions() if found.name in AUDITED}
    assert installed.items() <= AUDITED.items(), "run tests.campaigns.privacy, then enter the versions in AUDITED"
    lists = (ROOT / name for name in ("constraints.txt", "environment.sh"))
    pinned = {word.replace("_", "-") for path in lists for word in path.read_text(encoding="utf-8").split()}
    assert {f"{name}=={version}".replace("_", "-") for name, version in AUDITED.items()} <= pinned
