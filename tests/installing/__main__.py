"""Install Tilescore in every way with all that it needs, and look whether it works.

    python -m tests.installing                # half an hour, and 3 GB of free disk
    python -m tests.installing --only uv      # the ways with this text in their command

Each way gets a new environment. The installed command reads a photo, scores its hand and starts the app, whose first
page must show no fault. pip, pipx and uv fetch packages from the index that they are configured for. The last way
installs an unpacked sdist for development, and runs tests there.
"""

import argparse
import os
import shutil
import sys
import tempfile
import time
import venv
from pathlib import Path
from typing import Final

from tests.installing.ways import FORMS, NAME, built, check, copied, run, unpacked

_PIP: Final = "{venv}/bin/python -m pip install --quiet"
_UV: Final = "{tools}/bin/uv"
_COMMAND: Final = "{venv}/bin/tilescore"
_TESTS: Final = "tests/scoring tests/test_architecture.py tests/test_package.py"
WAYS: Final = {
    f"{_PIP} .": _COMMAND,
    **{f"{_PIP} {options} .": _COMMAND for options in FORMS.values()},
    f"{_PIP} {{sdist}}": _COMMAND,
    f"{_PIP} {{wheel}}": "{venv}/bin/python -m tilescore",
    "{tools}/bin/pipx install --quiet .": _COMMAND,
    f"{_UV} tool install --quiet .": _COMMAND,
    f"{_UV} pip install --quiet --python {{venv}} .": _COMMAND,
    f"{_UV} pip install --quiet --python {{venv}} --editable .": _COMMAND,
    f"{_UV} sync --quiet": f"{_UV} run --quiet --project {{source}} tilescore",
    f"{_PIP} --editable {{unpacked}}[dev]": f"{{venv}}/bin/python -m pytest -q {_TESTS}",
}
"""Commands that install, each with the command that is there then; the folders in braces may contain spaces."""


def main() -> None:
    """Try all ways and print a line for each; the exit status is 1 if one fails."""
    parser = argparse.ArgumentParser(description="Install Tilescore in every way, and look whether it works.")
    parser.add_argument("--only", default="", metavar="TEXT", help="the ways with this text in their command")
    wanted = parser.parse_args()
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        places = _prepared(Path(folder) / NAME)
        for install, command in WAYS.items():
            if wanted.only in install:
                start, fault = time.monotonic(), _fault(install, command, places)
                failed |= bool(fault)
                print(f"{time.monotonic() - start:6.0f} s  {install}  {fault or 'works'}", flush=True)
    sys.exit(failed)


def _prepared(folder: Path) -> dict[str, Path]:
    """The folders that the commands name, with the tools and all that can be installed."""
    tools, source = folder / "tools", copied(folder / "source")
    venv.create(tools, with_pip=True)
    run(tools / "bin" / "python", "-m", "pip", "install", "--quiet", "pipx", "uv", cwd=folder)
    run(
        tools / "bin" / "python",
        "-m",
        "pip",
        "install",
        "--quiet",
        "--target",
        folder / "build",
        "setuptools",
        cwd=folder,
    )
    sdist = built("sdist", source, tools=folder / "build")
    inside = unpacked(sdist, folder / "sdist")
    wheel = built("wheel", inside, tools=folder / "build")
    names = {"tools": tools, "source": source, "sdist": sdist, "wheel": wheel, "unpacked": inside}
    return names | {"venv": folder / "venv", "home": folder / "home"}


def _fault(install: str, command: str, places: dict[str, Path]) -> str:
    """What fails in this way; empty if all works."""

    def words(text: str) -> list[str]:
        return [word.format(**places) for word in text.split()]

    ours, home = places["venv"], places["home"]
    for folder in (ours, home):
        shutil.rmtree(folder, ignore_errors=True)
    venv.create(ours, with_pip="-m pip" in install)
    variables = {"PIP_NO_COMPILE": "1"}  # quicker; Python compiles what it loads
    variables |= {f"{tool}_BIN_DIR": str(ours / "bin") for tool in ("PIPX", "UV_TOOL")}
    variables |= {name: str(ours / "tools") for name in ("PIPX_HOME", "UV_TOOL_DIR")}
    try:
        run(*words(install), cwd=places["source"], env=os.environ | variables)
        if "pytest" in command:
            run(*words(command), cwd=places["unpacked"])
        else:
            check(*words(command), home=home)
    except AssertionError as error:
        return f"fails:\n{error}"
    return ""


if __name__ == "__main__":
    main()
