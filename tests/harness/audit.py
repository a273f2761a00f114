"""Run one part of the product in a closed network and record its traffic and the files that it writes.

`tests.campaigns.privacy` defines the parts. Each part runs in a process of its own, as for a new user: in an empty home
folder, without our environment variables and without those of CI.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from tests.harness.app_process import ROOT, START
from tests.harness.closed_network import Traffic, in_closed_network, watched
from tilescore.datasets.sample import SAMPLES

if TYPE_CHECKING:
    from pathlib import Path

TRAIN: Final = "train"
"""The part that may also write to `runs` and to temporary files."""
_KEPT: Final = ("PATH", "LANG", "TILESCORE_PATIENCE", "LD_LIBRARY_PATH", "PYTHONPYCACHEPREFIX")
"""Environment variables that a new user may have. A variable like CI would silence the telemetry of onnxruntime.

`PYTHONPYCACHEPREFIX` is the folder of compiled files. A process that may not write there still reads them.
"""
_PHOTOS_A_MINUTE: Final = 60


@dataclass(frozen=True, slots=True)
class AuditedPart:
    """The folders and the time of one part."""

    folder: Path  # contains the home folder of the part and all its input
    minutes: float  # how long the part runs at least
    until: float  # when the part may end, by `time.monotonic`

    @property
    def home(self) -> Path:
        """The home folder."""
        return self.folder / "home"

    @property
    def data(self) -> Path:
        """The data folder of the product, below the home folder."""
        return self.home / ".local" / "share" / "tilescore"

    @property
    def pages(self) -> Path:
        """A file with one line for each foreign address that the pages of the app requested."""
        return self.folder / "pages"

    @property
    def asked(self) -> Path:
        """The folder of all input and of all requested output."""
        return self.folder / "asked"

    def photos(self) -> Path:
        """Make a folder with copies of the sample photos."""
        folder = self.asked / "photos"
        folder.mkdir()
        samples = sorted(SAMPLES.glob("*.jpg"))
        for number in range(max(8, round(_PHOTOS_A_MINUTE * self.minutes))):
            shutil.copy(samples[number % len(samples)], folder / f"{number:03}.jpg")
        return folder

    def run(self, *words: object, start: tuple[str, ...] = START) -> None:
        """Run the command line under strace until it ends; raises RuntimeError with its output if it fails."""
        command = [*watched(self.folder, str(time.monotonic_ns())), sys.executable, *start, *map(str, words)]
        done = subprocess.run(command, check=False, capture_output=True, text=True)  # noqa: S603
        if done.returncode:
            raise RuntimeError((done.stdout + done.stderr)[-4000:])


def traffic(name: str, folder: Path, minutes: float) -> tuple[Traffic, tuple[Path, ...]]:
    """Run the part of that name in an empty folder; gives its traffic and the files that nobody asked it to write."""
    part = AuditedPart(folder, minutes, 0)
    temporary = folder / "temporary"
    for made in (part.home, part.asked, temporary):
        made.mkdir()
    environment = {kept: os.environ[kept] for kept in _KEPT if kept in os.environ}
    environment |= {"HOME": str(part.home), "TMPDIR": str(temporary), "PYTHONDONTWRITEBYTECODE": "1"}
    words = ("-m", "tests.campaigns.privacy", "--part", name, "--minutes", str(minutes), "--inside", str(folder))
    tried = in_closed_network(words, folder, environment)
    if part.pages.exists():
        tried = replace(tried, contacts=(*tried.contacts, *part.pages.read_text().split()))
    asked = (part.asked, ROOT / "runs", temporary) if name == TRAIN else (part.asked,)
    return tried, tried.written_outside(part.data, *asked)
