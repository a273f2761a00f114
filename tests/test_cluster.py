"""Commands on a real Dask scheduler with two workers; a test kills one of them midway."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from concurrent.futures._base import DoneAndNotDoneFutures
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import pytest

from tests.datasets.labelled import photo_set
from tilescore.datasets import formats
from tilescore.datasets.artwork.artwork import Folders
from tilescore.datasets.checks.dataset_check import check
from tilescore.datasets.synthesis.synth import generate
from tilescore.errors import InputError
from tilescore.models.registry import DEFAULT, find, place_for, write_learned
from tilescore.processes import cluster, parallel
from tilescore.processes.parallel import Pool, work_in_order
from tilescore.ui.cli.reading_files import json_of, photos_of, readings
from tilescore.ui.cli.results_file import results_file, source_of
from tilescore.ui.cli.sets.prelabel import prelabel

if TYPE_CHECKING:
    from collections.abc import Iterator

if find_spec("distributed") is None:  # an import takes half a second of each process that collects the tests
    pytest.skip("the extra `cluster` is not installed", allow_module_level=True)
ROOT = Path(__file__).resolve().parents[1]
PHOTO = ROOT / "datasets" / "sample" / "winning_hand.jpg"
PATIENCE_S = 90
PHOTOS = 14


@dataclass(frozen=True)
class LocalCluster:
    """The address of a scheduler, and its two workers."""

    address: str
    workers: list[subprocess.Popen[bytes]]


def start(module: str, *words: str, folder: Path) -> subprocess.Popen[bytes]:
    """A process with another working directory, as on another machine."""
    command = [sys.executable, "-m", f"distributed.cli.{module}", *words]
    paths = os.pathsep.join((str(ROOT), str(ROOT / "tests" / "datasets"), os.environ.get("PYTHONPATH", "")))
    return subprocess.Popen(command, cwd=folder, env=os.environ | {"PYTHONPATH": paths}, stderr=subprocess.DEVNULL)  # noqa: S603


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalCluster]:
    folder = tmp_path_factory.mktemp("cluster")
    contact = folder / "scheduler.json"
    here = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(contact))
    scheduler = start("dask_scheduler", *here, folder=folder)
    deadline = time.monotonic() + PATIENCE_S
    while not contact.is_file() or not contact.read_text().strip():
        assert time.monotonic() < deadline
        time.sleep(0.05)
    address = json.loads(contact.read_text())["address"]
    settings = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--local-directory", str(folder))
    workers = [start("dask_worker", address, *settings, folder=folder) for _ in range(2)]
    from distributed import Client

    with Client(address, set_as_default=False) as client:
        client.wait_for_workers(2, timeout=PATIENCE_S)
    yield LocalCluster(address, workers)
    for process in (*workers, scheduler):
        process.kill()
        process.wait()


def note(folder: Path, number: int) -> tuple[int, int]:
    """Append a line to the item's file at each call, and take a moment."""
    with (folder / f"{number}").open("a") as file:
        file.write(f"{os.getpid()}\n")
    time.sleep(0.01)
    return number, os.getpid()


def test_both_work_and_the_order_stays(place: LocalCluster, tmp_path: Path) -> None:
    done = list(work_in_order(partial(note, tmp_path), range(60), Pool(cluster=place.address), batch_size=2))
    assert [item for item, _ in done] == [number for _, (number, _) in done] == list(range(60))
    assert {process for _, (_, process) in done} == {worker.pid for worker in place.workers}
    assert all(len(path.read_text().splitlines()) == 1 for path in tmp_path.iterdir()), "a worker does no item twice"


def test_commands_find_the_same_as_here(place: LocalCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pool = Pool(cluster=place.address)
    monkeypatch.chdir(tmp_path)  # relative paths must work
    root = photo_set(Path("set"), {"train/a": (1, 0), "val/b": (1, 2), "val/c": (3, 0)})
    there = check(formats.read(root), pool=pool)
    monkeypatch.setenv("TILESCORE_DATA", str(tmp_path / "another person"))
    assert check(formats.read(root)) == there
    drawn = partial(generate, count=3, seed=2, size_px=200, folders=Folders(), include=("procedural",))
    drawn(Path("there"), pool=pool)
    drawn(Path("here"))
    for path in filter(Path.is_file, Path("here").rglob("*.*")):
        assert (Path("there") / path.relative_to("here")).read_bytes() == path.read_bytes()
    steps: list[tuple[int, int]] = []
    with pytest.raises(InputError, match="no model here"):  # the worker has other data; no picture is to blame for it
        prelabel(root, model=_learned("ours"), pool=pool)
    found = prelabel(root, pool=pool, progress=lambda done, total: steps.append((done, total)))
    assert (found.now, found.before, steps[-1]) == (3, 0, (3, 3))
    assert prelabel(root, pool=pool).now == 0


def _learned(name: str) -> str:
    """The name of a model that this machine alone has."""
    start, folder = find(DEFAULT), place_for(name)
    folder.mkdir(parents=True)
    write_learned(folder, start=start, networks={}, fusion=start.fusion)
    return name


def test_a_worker_killed_midway_loses_and_doubles_nothing(place: LocalCluster, tmp_path: Path) -> None:
    photo = cv2.imread(str(PHOTO))
    assert photo is not None
    small = cv2.resize(photo, (480, 360))
    (tmp_path / "photos").mkdir()
    cv2.imwrite(str(tmp_path / "photos" / "00.jpg"), small)
    for number in range(1, PHOTOS):
        shutil.copy(tmp_path / "photos" / "00.jpg", tmp_path / "photos" / f"{number:02d}.jpg")
    with results_file(tmp_path / "out.jsonl") as results:
        files = photos_of([tmp_path / "photos"]).pictures
        for path, found in readings(files, model="tiles46", pool=Pool(0, place.address)):
            results.add(json_of(path, found), source_of(path, model="", is_win=False, budget_ms=400))
            if place.workers[0].poll() is None:
                place.workers[0].kill()
    lines = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [Path(line["photo"]).name for line in lines] == [f"{number:02d}.jpg" for number in range(PHOTOS)]
    assert len({str(line["hand"]) for line in lines}) == 1
    done = list(work_in_order(partial(note, tmp_path), range(9), Pool(cluster=place.address)))
    assert {process for _, (_, process) in done} == {place.workers[1].pid}, "the killed worker is really gone"


@pytest.mark.parametrize(
    "address", ["tcp://127.0.0.1:9", "nonsense://x", "127.0.0.1:notaport", "tcp://", "tcp://[::1", "a b", "mute"]
)
def test_where_no_scheduler_is(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "_ANSWER_S", 0.3)
    mute = socket.create_server(("127.0.0.1", 0))  # accepts, and never says a word
    if address == "mute":
        address = f"tcp://127.0.0.1:{mute.getsockname()[1]}"
    with mute, pytest.raises(InputError, match="no Dask scheduler answers"):
        list(work_in_order(str, range(3), Pool(cluster=address)))


def test_the_loss_of_the_scheduler_is_noticed(
    place: LocalCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parallel, "_POLL_S", 0.3)
    monkeypatch.setattr(cluster, "_ANSWER_S", 0.5)
    done = work_in_order(partial(note, tmp_path), range(9), Pool(cluster=place.address))
    next(done)
    monkeypatch.setattr(cluster, "_answers", lambda _address: False)
    monkeypatch.setattr(parallel, "wait", lambda *_, **_how: DoneAndNotDoneFutures(set(), set()))
    with pytest.raises(InputError, match="was lost: start again, what is done is kept"):
        list(done)


def test_without_workers(place: LocalCluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "_TIMEOUT_S", 0.5)
    for worker in place.workers:
        worker.kill()
        worker.wait()
    with pytest.raises(InputError, match="has no workers: start some"):
        list(work_in_order(str, range(3), Pool(cluster=place.address)))
