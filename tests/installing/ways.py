"""Ways of installing Tilescore, and a check of what was installed: a photo, a score, the app."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
import venv
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest
from streamlit.proto.Alert_pb2 import Alert
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import connect
from websockets.typing import Origin, Subprotocol

from tests.harness.app_process import PATIENCE, ROOT, reserved_port, wait_for

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

NAME: Final = "my tiles 麻将"
"""The folder in which Tilescore is built, installed and run has this name."""
FORMS: Final = {
    "default": "--editable",
    "strict": "--config-settings=editable_mode=strict --editable",
    "compat": "--config-settings=editable_mode=compat --editable",
}
"""The forms of an editable install, with the options of pip."""
NOT_PACKED: Final = {Path(name) for name in (".ci/run", ".editorconfig", ".gitignore", ".pre-commit-config.yaml")}
"""Files of the repository that the sdist leaves out."""
PHOTO: Final = ROOT / "datasets" / "sample" / "winning_hand.jpg"


def files() -> list[Path]:
    """The files that git tracks or would track, below the repository; in an unpacked sdist, those that it lists."""
    if (ROOT / "PKG-INFO").is_file():
        names = (ROOT / "tilescore.egg-info" / "SOURCES.txt").read_text(encoding="utf-8").splitlines()
    else:
        command = ("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
        listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
        names = listed.stdout.decode().rstrip("\0").split("\0")
    return [Path(name) for name in sorted(names) if (ROOT / name).is_file() and "egg-info" not in name]


def copied(folder: Path) -> Path:
    """A new folder with a copy of those files."""
    for name in files():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes((ROOT / name).read_bytes())
    return folder


def built(kind: str, source: Path, *, tools: Path) -> Path:
    """The sdist or wheel of a source folder, built without a network by the setuptools in the folder `tools`."""
    code = f"from setuptools.build_meta import build_{kind} as build; build('dist')"
    run(sys.executable, "-c", code, cwd=source, env=os.environ | {"PYTHONPATH": str(tools)})
    (made,) = (source / "dist").iterdir()
    return made


def unpacked(sdist: Path, folder: Path) -> Path:
    """The folder in which an unpacked sdist lies."""
    with tarfile.open(sdist) as archive:
        archive.extractall(folder, filter="data")
    (inside,) = folder.iterdir()
    return inside


def environment(place: Path, *packages: Path) -> Path:
    """A new environment that sees the packages in those folders, without pip; gives its Python."""
    venv.create(place, symlinks=True)
    (site,) = (place / "lib").glob("python3*/site-packages")
    (site / "others.pth").write_text("".join(f"{folder}\n" for folder in packages), encoding="utf-8")
    return place / "bin" / "python"


def dependencies(folder: Path) -> Path:
    """A new folder of links to all packages of this environment except Tilescore and pip."""
    folder.mkdir(parents=True)
    for path in Path(pytest.__file__).parents[1].iterdir():
        if path.suffix != ".pth" and path.name not in {"pip", "__pycache__"} and "tilescore" not in path.name:
            (folder / path.name).symlink_to(path)
    return folder


def run(*command: str | Path, cwd: Path, env: Mapping[str, str] | None = None) -> str:
    """The stdout of a command; fails with all that it wrote."""
    cwd.mkdir(parents=True, exist_ok=True)
    done = subprocess.run([*map(str, command)], cwd=cwd, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def user(home: Path) -> dict[str, str]:
    """The environment variables of a new user: an empty home, no locale, no settings of Python."""
    kept = {name: value for name, value in os.environ.items() if name in {"PATH", "PYTHONPYCACHEPREFIX"}}
    return kept | {"HOME": str(home), "TILESCORE_DATA": str(home / "data")}


def check(*command: str | Path, home: Path) -> None:
    """Check that a command reads a photo and scores its hand, and that its app shows the first page and ends."""
    check_score(*command, home=home)
    with running_app(*command, home=home) as port:
        check_first_page(port)


def check_score(*command: str | Path, home: Path) -> None:
    """Check that a command reads a photo and scores its hand."""
    told = run(*command, "score", PHOTO, "--ruleset", "classical", "--json", cwd=home, env=user(home))
    assert json.loads(told.splitlines()[0])["total"] > 0, told


@contextmanager
def running_app(*command: str | Path, home: Path) -> Iterator[int]:
    """Start the app by that command; gives the port where it answers, and ends it."""
    log = home / "app.log"
    with reserved_port() as port, log.open("wb") as written:
        words = [*map(str, command), "app", "--no-browser", "--port", str(port)]
        process = subprocess.Popen(words, cwd=home, env=user(home), stdout=written, stderr=written)
        try:
            wait_for(f"http://localhost:{port}/_stcore/health", process)
            yield port
        except RuntimeError as error:
            raise AssertionError(log.read_text(encoding="utf-8")) from error
        finally:
            process.terminate()
            process.wait(30 * PATIENCE)


def check_first_page(port: int) -> None:
    """Visit the first page as a browser does, and check that it shows its parts and no fault."""
    begin, kinds = BackMsg(), set[str]()
    begin.rerun_script.query_string = ""
    here = f"localhost:{port}"
    origin, protocols = Origin(f"http://{here}"), [Subprotocol("streamlit")]
    socket = f"ws://{here}/_stcore/stream"
    with connect(socket, origin=origin, subprotocols=protocols, max_size=None, proxy=None) as page:
        page.send(begin.SerializeToString())
        while not (message := ForwardMsg.FromString(page.recv(timeout=60 * PATIENCE))).HasField("script_finished"):
            element = message.delta.new_element
            kinds.add(element.WhichOneof("type") or "")
            assert element.alert.format != Alert.ERROR, element.alert.body
            assert not element.exception.message, element.exception.message
    assert kinds >= {"html", "page_link", "bidi_component", "file_uploader"}, kinds
