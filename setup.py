"""Say where the packages lie: each room of `tilescore` is a folder at the top of the repository."""

from pathlib import Path
from shutil import rmtree

from setuptools import setup

ROOT = Path(__file__).parent
ROOMS = ("scoring", "vision", "datasets", "models", "ui")

rmtree(ROOT / "build" / "lib", ignore_errors=True)  # setuptools would also pack what an earlier version left there

folders = {path.parent.relative_to(ROOT) for room in ("tilescore", *ROOMS) for path in (ROOT / room).rglob("*.py")}
names = {folder: ".".join(dict.fromkeys(("tilescore", *folder.parts))) for folder in sorted(folders)}
setup(packages=[*names.values()], package_dir={name: folder.as_posix() for folder, name in names.items()})
