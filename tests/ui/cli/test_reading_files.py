"""Reading folders of photos: in order, on several cores, on from where a kill stopped it."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tilescore.base.errors import InputError
from tilescore.base.parallel import Pool
from tilescore.ui.cli.reading_files import ResultsFile, Unread, photos_of, readings

ROOT = Path(__file__).parents[3]
SAMPLE = ROOT / "datasets" / "sample" / "riichi_closed.jpg"


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    folder = tmp_path / "photos"
    folder.mkdir()
    for number in range(10):
        shutil.copy(SAMPLE, folder / f"{number}.jpg")
    (folder / "3.jpg").write_bytes(b"no photo")
    return folder


def read(*arguments: object) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "tilescore.ui.cli.main", "read", *map(str, arguments)]
    return subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, stdout=subprocess.PIPE)  # noqa: S603


def names(out: Path) -> list[str]:
    return sorted(Path(json.loads(line)["photo"]).name for line in out.read_text().splitlines())


def test_several_processes_keep_the_order(photos: Path) -> None:
    found = list(readings([*photos_of([photos]), photos / "0.jpg"], model="tiles46", pool=Pool(2)))
    assert [path.name for path, _ in found] == [*(f"{number}.jpg" for number in range(10)), "0.jpg"]
    assert [path.name for path, outcome in found if isinstance(outcome, Unread)] == ["3.jpg"]


def test_a_kill_loses_nothing_and_nothing_is_read_twice(photos: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    killed = read(photos, "--out", out, "--workers", 1)
    deadline = time.monotonic() + 120
    while not (out.exists() and out.read_bytes().count(b"\n") >= 2):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    os.kill(killed.pid, signal.SIGKILL)
    killed.communicate()
    with out.open("ab") as file:
        file.write(b'{"photo": "torn')
    before = out.read_bytes().rpartition(b"\n")[0]
    again = read(photos, "--out", out)
    _, said = again.communicate()
    assert again.returncode == 2  # one is no photo
    assert out.read_bytes().startswith(before)
    assert names(out) == [f"{number}.jpg" for number in range(10)]
    read_before = before.count(b"\n") + 1
    assert f"{10 - read_before} read now, {read_before} before" in said.decode()


def test_results_know_what_is_done(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    path.write_bytes(b'{"photo": "a"}\nnonsense\n[1]\n{"photo": "b", "error": {}}\n{"photo": "c"')
    with path.open("a+b") as file:
        results = ResultsFile(file)
        assert (results.done, results.failed) == ({"a", "b"}, 1)
        results.add({"photo": "c"})
    assert path.read_bytes().endswith(b'{"photo": "b", "error": {}}\n{"photo": "c"}\n')


def test_a_folder_without_photos_is_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no picture in"):
        photos_of([tmp_path])
    assert photos_of([tmp_path / "nowhere.jpg"]) == (tmp_path / "nowhere.jpg",)
