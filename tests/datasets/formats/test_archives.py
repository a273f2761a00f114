"""Sets in one file: unpacked inside, written outside of no folder; each bad archive is one sentence."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.datasets.labelled import yolo_set
from tests.ui.cli.test_cli_names import run
from tilescore.datasets import formats
from tilescore.datasets.intake import archives
from tilescore.errors import InputError
from tilescore.ui.cli.sets.annotate import ready_to_label

if TYPE_CHECKING:
    from collections.abc import Callable

LINE = "0 .5 .5 .1 .2\n"


@pytest.fixture
def drawer(tmp_path: Path) -> Path:
    return yolo_set(tmp_path / "drawer", {"train/a": LINE, "valid/b": LINE}, names=["9p"])


@pytest.mark.parametrize("suffix", archives.SUFFIXES)
def test_archives_there_and_back(suffix: str, drawer: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    packed, out = tmp_path / f"one{suffix}", tmp_path / f"two{suffix}"
    assert run("dataset", "convert", drawer, packed, "--to", "coco", "--no-look")[0] == 0
    code, _, err = run("dataset", "convert", packed, out, "--to", "yolo", "--no-look")
    assert (code, "2 pictures, 2 boxes" in err) == (0, True), err
    assert not list((tmp_path / "tmp").iterdir()), "nothing stays when the command ends"
    found = formats.read(archives.unpack(out, tmp_path / "back"))
    assert [(picture.split, box.name) for picture in found.pictures for box in picture.boxes] == [
        ("train", "9p"), ("val", "9p"),
    ]  # fmt: skip
    assert run("dataset", "convert", drawer, out, "--to", "coco", "--no-look")[0] == 2, "nothing is overwritten"


def test_names_in_a_written_archive_differ_in_more_than_case(tmp_path: Path) -> None:
    root = yolo_set(tmp_path / "set", {"a": LINE, "A": LINE}, names=["9p"])
    pictures = formats.read(root).pictures
    problems = formats.write(pictures, tmp_path / "set.zip", format_name="coco")
    assert [problem.code for problem in problems] == ["same_name"]
    assert len(formats.read(archives.unpack(tmp_path / "set.zip", tmp_path / "back")).pictures) == 1
    assert formats.write(pictures, tmp_path / "out", format_name="coco") == ()


def test_an_archive_is_labelled_as_a_copy(drawer: Path, tmp_path: Path) -> None:
    archives.pack(drawer.parent, tmp_path.parent / "p.zip", like=Path("p.zip"))  # with a folder around the set
    packed = (tmp_path.parent / "p.zip").rename(tmp_path / "p.zip")
    copy = ready_to_label(packed)
    assert (copy.parent, formats.detect(copy)) == (tmp_path.resolve(), "yolo")
    assert ready_to_label(packed) == copy
    assert run("dataset", "names", packed, "--no-look")[0] == 0


@pytest.mark.parametrize(("name", "encoding"), [("东", "utf-8"), ("αβ", "utf-8"), ("东", "gbk"), ("Küche ½", "cp437")])
def test_names_without_the_mark_of_utf_8(
    name: str, encoding: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    yolo_set(tmp_path / "set", {name: LINE}, names=["9p"])

    def unmarked(info: zipfile.ZipInfo) -> tuple[bytes, int]:
        return info.filename.encode(encoding), info.flag_bits & ~0x800

    monkeypatch.setattr(zipfile.ZipInfo, "_encodeFilenameFlags", unmarked)
    archives.pack(tmp_path / "set", tmp_path / "set.zip", like=Path("set.zip"))
    found = formats.read(archives.unpack(tmp_path / "set.zip", tmp_path / "out"))
    is_known = encoding != "gbk"
    assert [(Path(picture.name).stem == name, len(picture.boxes)) for picture in found.pictures] == [(is_known, 1)]
    assert ("garbled" in run("dataset", "names", tmp_path / "set.zip", "--no-look")[2]) != is_known


def _zip(*members: tuple[str, bytes], mode: int = 0) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        with zipfile.ZipFile(path, "w") as packed:
            for name, data in members:
                info = zipfile.ZipInfo(name)
                info.external_attr = mode << 16
                packed.writestr(info, data)

    return write


def _tar(kind: bytes, name: str = "a", link: str = "", size: int = 0) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        info = tarfile.TarInfo(name)
        info.type, info.linkname, info.size = kind, link, size
        path.write_bytes(info.tobuf() + b"\0" * 1024)

    return write


def _encrypted(path: Path) -> None:
    _zip(("a.txt", b"x"))(path)
    data = bytearray(path.read_bytes())
    for mark, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(mark) + at] |= 1
    path.write_bytes(data)


def _declares(path: Path) -> None:
    """A zip whose header declares 9 GB."""
    _zip(("a.bin", b"x"))(path)
    data = bytearray(path.read_bytes())
    at = data.index(b"PK\x01\x02") + 24
    data[at : at + 4] = (4_294_967_294).to_bytes(4, "little")
    path.write_bytes(data)


def _cut(path: Path) -> None:
    _zip(("a.bin", bytes(range(256)) * 99))(path)
    path.write_bytes(path.read_bytes()[:-60])


def _wrong_sum(path: Path) -> None:
    _zip(("a.bin", b"abcdefgh" * 99))(path)
    path.write_bytes(path.read_bytes().replace(b"abcdefgh", b"abcdefgX", 1))


BAD: list[tuple[str, str, Callable[[Path], None], str]] = [
    ("a path up", "a.zip", _zip(("../a.txt", b"x")), "'../a.txt', which leads out"),
    ("a path up of Windows", "a.zip", _zip(("..\\a.txt", b"x")), "'../a.txt', which leads out"),
    ("an absolute path", "a.zip", _zip(("/etc/a.txt", b"x")), "'/etc/a.txt', which leads out"),
    ("a drive", "a.zip", _zip(("C:\\a.txt", b"x")), "'C:/a.txt', which leads out"),
    ("a link", "a.zip", _zip(("a", b"/etc/passwd"), mode=0o120777), "'a', which is a link"),
    ("the same name twice", "a.zip", _zip(("a.txt", b"x"), ("A.TXT", b"y")), "'A.TXT' twice"),
    ("an archive inside", "a.zip", _zip(("b/c.tar.gz", b"x")), "another archive, 'b/c.tar.gz'"),
    ("a password", "a.zip", _encrypted, "'a.txt', which has a password"),
    ("more than there is room for", "a.zip", _declares, "holds more than"),
    ("many files", "a.zip", _zip(*((f"{n}.txt", b"") for n in range(60))), "holds more than 50 files"),
    ("no archive", "a.zip", lambda path: _ignore(path.write_bytes(b"PK")), "cannot be unpacked"),
    ("one that is cut short", "a.zip", _cut, "cannot be unpacked"),
    ("one with a flipped bit", "a.zip", _wrong_sum, "cannot be unpacked"),
    ("no tar", "a.tar", lambda path: _ignore(path.write_bytes(b"x" * 2000)), "cannot be unpacked"),
    ("no packed tar", "a.tar.gz", lambda path: _ignore(path.write_bytes(b"\x1f\x8b" + b"x" * 99)),
     "cannot be unpacked"),
    ("a path up in a tar", "a.tar", _tar(tarfile.REGTYPE, "../a"), "'../a', which leads out"),
    ("an absolute path in a tar", "a.tar", _tar(tarfile.REGTYPE, "/etc/a"), "'/etc/a', which leads out"),
    ("a link in a tar", "a.tar", _tar(tarfile.SYMTYPE, "a", "/etc"), "'a', which is a link"),
    ("a hard link in a tar", "a.tar", _tar(tarfile.LNKTYPE, "a", "../b"), "'a', which is a link"),
    ("a device in a tar", "a.tar", _tar(tarfile.CHRTYPE), "'a', which is a device"),
    ("a tar of 10 GB", "a.tar", _tar(tarfile.REGTYPE, size=10**10), "holds more than 8 GB"),
]  # fmt: skip


def _ignore(_count: int) -> None:
    """The number of bytes that were written is of no use."""


@pytest.mark.parametrize(("why", "name", "write", "said"), BAD, ids=[case[0] for case in BAD])
def test_a_bad_archive_is_one_sentence(
    why: str, name: str, write: Callable[[Path], None], *, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archives, "MAX_FILES", 50)
    if why == "more than there is room for":
        monkeypatch.setattr(archives, "MAX_BYTES", 4 * 10**9)
    place = tmp_path / "deep" / "deeper"
    place.mkdir(parents=True)
    write(place / name)
    with pytest.raises(InputError) as caught:
        archives.unpack(place / name, place / "out")
    assert (said in str(caught.value), str(caught.value).count("\n")) == (True, 0), f"{why}: {caught.value}"
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == [name], "nothing is written"
    code, _, err = run("dataset", "convert", place / name, place / "x", "--to", "yolo")
    assert (code, said in err) == (2, True), err


@pytest.mark.parametrize("words", [("check", "BAD"), ("split", "GOOD", "out", "--seed", "x")])
def test_a_refused_command_leaves_no_folder_behind(words: tuple[str, ...], drawer: Path, tmp_path: Path) -> None:
    archives.pack(drawer, tmp_path / "good.zip", like=Path("good.zip"))
    (tmp_path / "bad.zip").write_text("no archive")
    (tmp_path / "tmp").mkdir()
    files = {"GOOD": str(tmp_path / "good.zip"), "BAD": str(tmp_path / "bad.zip")}
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-m", "tilescore", "dataset", *(files.get(word, word) for word in words)],
        env={**os.environ, "TMPDIR": str(tmp_path / "tmp")}, cwd=tmp_path, capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert not list((tmp_path / "tmp").iterdir())


def test_more_bytes_than_the_header_declares_stop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    buffer = io.BytesIO(bytes(5_000_000))
    with tarfile.open(tmp_path / "a.tar.gz", "w:gz") as tar:
        info = tarfile.TarInfo("a.bin")
        info.size = 5_000_000
        tar.addfile(info, buffer)
    monkeypatch.setattr(archives, "_refuse", lambda *_: None)
    monkeypatch.setattr(archives, "MAX_BYTES", 1_500_000)
    with pytest.raises(InputError, match="holds more than"):
        archives.unpack(tmp_path / "a.tar.gz", tmp_path / "out")
    assert not (tmp_path / "out").exists()
