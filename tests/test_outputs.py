"""Files that commands write: nothing but our own is overwritten, and a full disk leaves the earlier file whole."""

import errno
import os
import pickle
import stat
from pathlib import Path

import cv2
import numpy as np
import pytest

from tilescore.datasets.artwork.artwork import Folders
from tilescore.datasets.inside import Inside
from tilescore.datasets.synthesis.synth import generate
from tilescore.errors import InputError
from tilescore.files import outputs
from tilescore.files.outputs import check_output, write_whole
from tilescore.vision.image.marked import check_picture_output, is_marked, save_marked
from tilescore.vision.video.config import RecorderConfig
from tilescore.vision.video.recorder import Recording
from tilescore.vision.video.watch import WatchedFrame

GREY = np.full((40, 60, 3), 128, np.uint8)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """An input `a.jpg` with two more names, a file of somebody else, our own picture, a pipe and a folder."""
    cv2.imwrite(str(tmp_path / "a.jpg"), GREY)
    cv2.imwrite(str(tmp_path / "photo.png"), GREY)
    (tmp_path / "soft.jpg").symlink_to("a.jpg")
    os.link(tmp_path / "a.jpg", tmp_path / "hard.jpg")
    save_marked(GREY, tmp_path / "ours.jpg")
    (tmp_path / "text.jpg").write_text("a diary")
    os.mkfifo(tmp_path / "pipe.jpg")
    (tmp_path / "folder.jpg").mkdir()
    (tmp_path / "round.jpg").symlink_to("round.jpg")
    return tmp_path


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        pytest.param("a.jpg", "is an input", id="the input itself"),
        pytest.param("../{folder}/a.jpg", "is an input", id="the input by another path"),
        pytest.param("soft.jpg", "is an input", id="the input by a link"),
        pytest.param("hard.jpg", "is an input", id="the input by a second name"),
        pytest.param("photo.png", "is there already", id="another photo"),
        pytest.param("text.jpg", "is there already", id="a file of another kind"),
        pytest.param("pipe.jpg", "is there already", id="a pipe, which nobody may open"),
        pytest.param("folder.jpg", "is there already", id="a folder"),
        pytest.param("round.jpg", "cannot be written", id="a link to itself"),
        pytest.param("nowhere/b.jpg", "there is no folder", id="a folder that is missing"),
        pytest.param("a.jpg/b.jpg", "cannot be written", id="a file as a folder"),
        pytest.param("x" * 300 + ".jpg", "cannot be written", id="a name that is too long"),
        pytest.param("b.txt", "no name for a picture", id="no format of pictures"),
    ],
)
def test_what_is_not_written(place: Path, name: str, reason: str) -> None:
    before = {path.name: path.read_bytes() for path in place.iterdir() if path.is_file()}
    with pytest.raises(InputError, match=reason):
        check_picture_output(place / name.format(folder=place.name), option="--save", inputs=[place / "a.jpg"])
    assert {path.name: path.read_bytes() for path in place.iterdir() if path.is_file()} == before


@pytest.mark.parametrize("name", ["ours.jpg", "new.jpg", "new.PNG", "new.webp"])
def test_what_may_be_written_is_ours_the_next_time(place: Path, name: str) -> None:
    for _ in range(2):
        check_picture_output(place / name, option="--save", inputs=[place / "a.jpg"])
        save_marked(GREY, place / name)
        assert is_marked(place / name)


def test_a_failure_leaves_the_earlier_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a"
    write_whole(path, b"before")
    path.chmod(0o640)

    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(InputError, match="No space left on device"):
            write_whole(path, b"after")
        with pytest.raises(OSError, match="No space"):
            Inside(tmp_path).write(path, b"after")
    assert [entry.name for entry in tmp_path.iterdir()] == ["a"]
    assert path.read_bytes() == b"before"
    (tmp_path / "link").symlink_to("a")
    write_whole(tmp_path / "link", b"after")
    assert (tmp_path / "link").is_symlink()
    assert (path.read_bytes(), path.stat().st_mode & 0o777) == (b"after", 0o640)


def test_a_shared_folder_that_cannot_be_synced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sync = os.fsync

    def of_files_alone(handle: int) -> None:
        if stat.S_ISDIR(os.fstat(handle).st_mode):
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        sync(handle)

    monkeypatch.setattr(os, "fsync", of_files_alone)
    write_whole(tmp_path / "a", b"whole")
    Inside(tmp_path).sync(tmp_path)
    assert (tmp_path / "a").read_bytes() == b"whole"


def test_a_place_that_is_read_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outputs, "_is_read_only", lambda _folder: True)
    with pytest.raises(InputError, match="nothing may be written in"):
        check_output(tmp_path / "a", option="--out", is_ours=lambda _path: True)


def test_scenes_are_written_into_their_own_folder_only(tmp_path: Path) -> None:
    how = {"count": 1, "size_px": 160, "folders": Folders(), "include": ("procedural",)}
    (tmp_path / "set").mkdir()
    (tmp_path / "set" / "data.yaml").write_text("mine")
    with pytest.raises(InputError, match="holds no rendered scenes"):
        generate(tmp_path / "set", seed=1, **how)  # type: ignore[arg-type]  # one table of them
    assert (tmp_path / "set" / "data.yaml").read_text() == "mine"
    generate(tmp_path / "new", seed=1, **how)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="'seed': 1, 'size': 160"):
        generate(tmp_path / "new", seed=2, **how)  # type: ignore[arg-type]


def test_a_recording_ends_before_the_disk_is_full(tmp_path: Path) -> None:
    recording = Recording(tmp_path / "game.avi", RecorderConfig(min_free_bytes=1 << 62))
    with pytest.raises(InputError, match="almost full: the recording ends after 0 s"):
        recording.add(WatchedFrame(GREY, 0.0))


def test_an_error_comes_back_from_another_process() -> None:
    error = pickle.loads(pickle.dumps(InputError("full", "no room.", path="a")))  # noqa: S301
    assert (type(error), error.code, str(error), error.params) == (InputError, "full", "no room.", {"path": "a"})
