"""The wheel has one import name, contains everything that the product needs, and touches no other package."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import tomllib
import venv
from pathlib import Path
from urllib.request import urlopen
from zipfile import ZipFile

import pytest

from benchmarks.architecture import PACKAGES, ROOT
from tilescore.datasets.sample import SAMPLES

SETUP = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
OTHER = "datasets"
"""The import name of a well-known package; one of our folders has this name, too."""


def run(*command: str | Path, cwd: Path, **variables: str) -> str:
    environment = {"PATH": os.environ["PATH"], "HOME": str(cwd)} | variables
    done = subprocess.run(  # noqa: S603
        [*map(str, command)], cwd=cwd, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from a copy of all files that git tracks or would track."""
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],  # noqa: S607
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout.splitlines()  # fmt: skip
    for name in listed:
        if (ROOT / name).is_file():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            (source / name).write_bytes((ROOT / name).read_bytes())
    pip = (sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, source)
    subprocess.run([*map(str, pip)], check=True)  # noqa: S603
    (built,) = folder.glob("tilescore-*.whl")
    return built


def test_every_folder_is_a_package() -> None:
    folders = {path.parent.relative_to(ROOT) for package in PACKAGES for path in (ROOT / package).rglob("*.py")}
    listed = {name for name in SETUP["packages"] if name != "tilescore.settings"}
    assert listed == {".".join(("tilescore", *folder.parts)) for folder in folders}


def test_a_wheel_holds_one_name(wheel: Path) -> None:
    """The wheel contains every tracked file of our folders, below `tilescore`, and no other file."""
    with ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert {name.split("/")[0] for name in names} == {"tilescore"}
    tracked = subprocess.run(["git", "ls-files", *PACKAGES], cwd=ROOT, capture_output=True, text=True, check=True)  # noqa: S603, S607
    ours = {f"tilescore/{name}" for name in tracked.stdout.splitlines() if (ROOT / name).is_file()}
    left_out = {name for name in ours if name.endswith((".po", ".md", ".jsonl"))}
    assert ours - names <= left_out
    assert "tilescore/settings/config.toml" in names


@pytest.mark.parametrize("package", PACKAGES)
def test_a_module_has_one_name(package: str) -> None:
    """No folder can be imported under its bare name, even with the root of the repository on the path."""
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r}); import {package}"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603
    assert f"import tilescore.{package} instead" in done.stderr


def test_it_lives_beside_another_package(wheel: Path, tmp_path: Path) -> None:
    """Install beside a package `datasets`, read a photo, start the app, uninstall: the other package stays intact."""
    place = tmp_path / "venv"
    venv.create(place, symlinks=True)
    python = place / "bin" / "python"
    (site,) = (place / "lib").glob("python3*/site-packages")
    other = site / OTHER
    other.mkdir()
    (other / "__init__.py").write_text("ANSWER = 42\n", encoding="utf-8")
    (other / "parallel.py").write_text("ANSWER = 43\n", encoding="utf-8")
    # The dependencies come from the environment of this test; Tilescore itself must come from the wheel.
    theirs = Path(pytest.__file__).parents[1]
    for found in theirs.iterdir():
        if (
            "tilescore" not in found.name
            and found.name not in {"pip", "__pycache__"}
            and not found.name.endswith(".pth")
        ):
            (site / found.name).symlink_to(found)
    pip = (sys.executable, "-m", "pip", "--quiet", "--python", str(python))
    run(*pip, "install", "--no-deps", "--no-index", wheel, cwd=tmp_path)
    check = f"import {OTHER}, {OTHER}.parallel; assert {OTHER}.ANSWER + {OTHER}.parallel.ANSWER == 85"
    run(python, "-c", f"{check}; import tilescore.datasets.labels", cwd=tmp_path)

    read = run(place / "bin" / "tilescore", "read", SAMPLES / "winning_hand.jpg", "--json", cwd=tmp_path)
    assert '"hand": {"concealed"' in read
    shown = "from tilescore.ui.server.server import settings; print(settings()['client.showErrorDetails'])"
    assert run(python, "-c", shown, cwd=tmp_path) == "none\n"
    assert_app_starts(place / "bin" / "tilescore", tmp_path)

    run(*pip, "uninstall", "--yes", "tilescore", cwd=tmp_path)
    assert not [path for path in (site / "tilescore").rglob("*") if path.is_file()]
    run(python, "-c", check, cwd=tmp_path)


def assert_app_starts(command: Path, folder: Path) -> None:
    """The installed app starts in a folder without our files and answers."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder)}
    with subprocess.Popen(  # noqa: S603
        [str(command), "app", "--no-browser", "--port", str(port)], cwd=folder, env=environment,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    ) as app:  # fmt: skip
        try:
            deadline = time.monotonic() + 60
            while True:
                try:
                    with urlopen(f"http://localhost:{port}/_stcore/health", timeout=5) as answer:
                        assert answer.read() == b"ok"
                        return
                except OSError:
                    assert time.monotonic() < deadline
                    time.sleep(0.2)
        finally:
            app.terminate()
