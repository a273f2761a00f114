"""Reading folders of photos: in order, on several cores, on from where a kill stopped it."""

import itertools
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tilescore.datasets.checks.scans import scan
from tilescore.datasets.inside import Inside
from tilescore.errors import InputError
from tilescore.models.registry import load_same_reader, resolved
from tilescore.processes.parallel import Pool
from tilescore.ui.cli.reading_files import photos_of, readings
from tilescore.ui.cli.results_file import check_results, results_file, source_of
from tilescore.vision.decoding.reading import Reading
from tilescore.vision.image.photo import load_photo

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
    found = list(readings([*photos_of([photos]).pictures, photos / "0.jpg"], model="tiles46", pool=Pool(2)))
    assert [path.name for path, _ in found] == [*(f"{number}.jpg" for number in range(10)), "0.jpg"]
    assert [path.name for path, outcome in found if isinstance(outcome, InputError)] == ["3.jpg"]


@pytest.mark.shared
def test_a_photo_is_read_alike_alone_and_in_a_folder(shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = sorted((shared / "data" / "tables" / "photos").glob("*.jpg"))[::11][:10]
    together = [found for _, found in readings(files, model="tiles46", pool=Pool(2))]
    monkeypatch.setattr(time, "perf_counter", itertools.count().__next__)
    for path, in_folder in zip(reversed(files), reversed(together), strict=True):
        ((_, alone),) = readings([path], model="tiles46")
        assert isinstance(alone, Reading)
        assert isinstance(in_folder, Reading)
        assert alone == in_folder, path.name


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
    kept_photos = sum("error" not in json.loads(text) for text in before.splitlines())
    assert f"{9 - kept_photos} read, {kept_photos} kept from before, 1 failed, 0 passed over" in said.decode()


def line(path: Path, source: dict[str, object], **more: object) -> dict[str, object]:
    return {"photo": path.name, "source": source, **more}


def lines(out: Path) -> list[dict[str, object]]:
    return [json.loads(text) for text in out.read_text().splitlines()]


def todo(
    out: Path, photos: list[Path], *, model: str = "m", is_win: bool = False, budget_ms: float | None = None
) -> list[str]:
    """The names of the photos that a run would read; it reads them."""
    with results_file(out) as results:
        sources = [source_of(path, model=model, is_win=is_win, budget_ms=budget_ms) for path in photos]
        missing = results.missing(sources)
        for index in missing:
            results.add({"photo": photos[index].name}, sources[index])
    return [photos[index].name for index in missing]


def test_what_a_reading_depends_on_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out, a, b = tmp_path / "out.jsonl", tmp_path / "a.jpg", tmp_path / "b.jpg"
    other = tmp_path / "other" / "a.jpg"
    other.parent.mkdir()
    for path in (a, b, other):
        path.write_bytes(b"1")
    monkeypatch.chdir(tmp_path)
    assert todo(out, [a, b]) == ["a.jpg", "b.jpg"]
    spellings = [Path("a.jpg"), Path("./a.jpg"), Path("other/../a.jpg"), a]
    assert todo(out, spellings) == [], "four spellings of one path are one photo"
    monkeypatch.chdir(other.parent)
    assert todo(out, [Path("a.jpg")]) == ["a.jpg"], "the same relative name in another folder is another photo"
    a.write_bytes(b"12")
    assert todo(out, [a, b]) == ["a.jpg"], "another size"
    os.utime(b, ns=(1, 1))
    assert todo(out, [a, b]) == ["b.jpg"], "another time of change"
    assert todo(out, [a, b], model="n") == ["a.jpg", "b.jpg"], "another model"
    assert todo(out, [a, b], model="n", is_win=True) == ["a.jpg", "b.jpg"], "another option"
    assert todo(out, [a], model="n", is_win=True, budget_ms=90) == ["a.jpg"], "another budget"
    assert sorted(str(entry["photo"]) for entry in lines(out)) == ["a.jpg", "a.jpg", "b.jpg"], "one line for each photo"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.jpg", "b.jpg", "other", "out.jsonl"]


def test_a_failed_photo_is_tried_again_and_damage_stays(tmp_path: Path) -> None:
    out, path = tmp_path / "out.jsonl", tmp_path / "a.jpg"
    path.write_bytes(b"1")
    source = source_of(path, model="m", is_win=False, budget_ms=400)
    failed = json.dumps(line(path, source, error={"code": "x"})).encode()
    out.write_bytes(failed + b'\n{"photo": dam\xffaged\n{"photo": "torn')
    with results_file(out) as results:
        assert results.missing([source, source_of(tmp_path / "gone.jpg", model="m", is_win=False, budget_ms=400)]) == [
            0,
            1,
        ]
        results.add(line(path, source), source)
        assert out.read_bytes().count(b"\n") == 3, "the line before stays until the run ends"
    assert out.read_bytes().startswith(b'{"photo": dam\xffaged\n{"photo": "a.jpg"')


def test_no_line_answers_standard_input(tmp_path: Path) -> None:
    source = source_of(Path("-"), model="m", is_win=False, budget_ms=None)
    with results_file(tmp_path / "out.jsonl") as results:
        results.add(line(Path("-"), source), source)
        assert results.missing([source]) == [0]


def test_a_worker_with_another_model_ends_the_command(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"is tiles46@.* on a worker and tiles46@0 here: give the workers the same"):
        load_same_reader("tiles46", "tiles46@0")
    own = tmp_path / "own.onnx"
    own.write_bytes(b"")
    assert (resolved(""), resolved("tiles46"), resolved(str(own))) == ("tiles46", "tiles46", str(own))
    assert Path(resolved(os.path.relpath(own))) == own


def test_two_runs_do_not_write_one_file(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    busy = pytest.raises(InputError, match="another run writes to")
    with results_file(out), busy, results_file(out):
        pass
    with results_file(tmp_path / "out.jsonl"):
        pass


@pytest.mark.parametrize(
    ("content", "is_ours"),
    [
        pytest.param(b"", True, id="nothing"),
        pytest.param(b'{"photo": "a", "size_wh": [1, 1]}\n', True, id="a line"),
        pytest.param(b'{"pho', True, id="the beginning of a line, left by a kill"),
        pytest.param(b'{"hand": 1}\n', False, id="JSON of another kind"),
        pytest.param(b"\xff\xd8\xff", False, id="a photo"),
        pytest.param(b"{}\n", False, id="an empty object"),
    ],
)
def test_the_file_is_ours(tmp_path: Path, content: bytes, is_ours: bool) -> None:  # noqa: FBT001  # a table
    out = tmp_path / "out.jsonl"
    out.write_bytes(content)
    if is_ours:
        check_results(out, [])
    else:
        with pytest.raises(InputError, match="did not write it: give --out another name"):
            check_results(out, [])


def test_a_folder_without_photos_is_said(tmp_path: Path) -> None:
    (tmp_path / "a.psd").touch()
    with pytest.raises(InputError, match=r"there is no picture in '.*' \(1 \.psd\)"):
        photos_of([tmp_path])
    assert photos_of([tmp_path / "nowhere.jpg"]).pictures == (tmp_path / "nowhere.jpg",)


def test_what_is_passed_over_is_counted_and_never_opened(tmp_path: Path) -> None:
    shutil.copy(SAMPLE, tmp_path / "a.jpg")
    for name in ("b.psd", "c.txt", "d.txt", ".e.jpg", "noending"):
        (tmp_path / name).touch()
    os.mkfifo(tmp_path / "pipe.jpg")
    (tmp_path / "folder.jpg").mkdir()
    (tmp_path / "round.jpg").symlink_to("round.jpg")
    (tmp_path / "up.jpg").symlink_to(tmp_path)
    (tmp_path / "up").symlink_to(tmp_path)
    (tmp_path / "device.jpg").symlink_to("/dev/zero")
    found = photos_of([tmp_path])
    assert [path.name for path in found.pictures] == ["a.jpg"]
    assert found.passed_over == {
        ".txt": 2, ".psd": 1, "hidden": 1, "without an ending": 1, "a pipe": 1, "a link that leads nowhere": 1,
        "a link to a folder": 2, "a device": 1,
    }  # fmt: skip


@pytest.mark.parametrize("kind", ["pipe", "socket", "device", "folder", "sparse", "round"])
def test_what_is_no_plain_file_is_told_at_once(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "x.jpg"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "socket":
        with socket.socket(socket.AF_UNIX) as one:
            one.bind(str(path))
    elif kind == "sparse":
        with path.open("wb") as file:
            file.truncate(6_000_000_000)
    elif kind == "folder":
        path.mkdir()
    else:
        path.symlink_to("/dev/zero" if kind == "device" else "x.jpg")
    began = time.monotonic()
    for read_one in (load_photo, Inside(tmp_path).read_picture):
        with pytest.raises((InputError, OSError)):
            read_one(path)
    assert scan(path).digest == ""
    assert time.monotonic() - began < 1


@pytest.mark.skipif(sys.platform == "darwin", reason="its file names are UTF-8")
def test_a_name_of_any_bytes_is_read_written_and_found_again(tmp_path: Path) -> None:
    photos = tmp_path / "photos"
    photos.mkdir()
    for name in (b"a\xff.jpg", b"a\xe2\x80\x9bFF.jpg", b"new\nline.jpg"):
        (photos / os.fsdecode(name)).write_bytes(SAMPLE.read_bytes())
    out = tmp_path / "out.jsonl"
    for kept in (0, 3):
        process = read(photos, "--out", out)
        assert f"{3 - kept} read, {kept} kept from before, 0 failed" in process.communicate()[1].decode("utf-8")
    printed, _ = read(photos, "--json").communicate()
    for text in (printed, out.read_bytes()):
        names = [json.loads(line)["photo"] for line in text.decode("utf-8").splitlines()]
        assert sorted(map(path_named, names)) == sorted(photos_of([photos]).pictures)


def path_named(text: str) -> Path:
    """The path that a line of JSON names, whose escapes are those of rclone."""
    return Path(re.sub("\u201b(\u201b|[0-9A-F]{2})", _byte, text))


def _byte(escape: re.Match[str]) -> str:
    return chr(0xDC00 + int(escape[1], 16)) if len(escape[1]) == 2 else escape[1]


def test_one_photo_from_standard_input() -> None:
    for words in (("read", "-"), ("score", "-", "--ruleset", "riichi")):
        command = [sys.executable, "-m", "tilescore.ui.cli.main", *words, "--json"]
        done = subprocess.run(command, cwd=ROOT, input=SAMPLE.read_bytes(), capture_output=True, check=True)  # noqa: S603
        assert json.loads(done.stdout)["photo"] == "-"
    with pytest.raises(InputError, match="name it alone"):
        photos_of([Path("-"), SAMPLE])
