"""Frames of a video: the sharpest of each view, once."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from tests.datasets.labelled import view
from tilescore.datasets.video_frames import extract
from tilescore.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path


def video(path: Path, frames: list[np.ndarray], *, rate: int = 10) -> Path:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), rate, (320, 240))
    for frame in frames:
        writer.write(frame)
    writer.release()
    return path


def blurred(seed: int, radius: int) -> np.ndarray:
    picture = view(seed)
    picture[::8, ::8] = 255  # detail that blur removes
    return cv2.GaussianBlur(picture, (0, 0), radius) if radius else picture


def test_one_sharp_frame_of_each_view(tmp_path: Path) -> None:
    radii = [4, 3, 2, 0, 2, 3]
    frames = [blurred(seed, radius) for seed in (1, 2, 3, 1) for radius in radii]
    seen: list[tuple[int, int | None]] = []
    found = extract(
        video(tmp_path / "hand.avi", frames), tmp_path / "out", every_s=0.1,
        progress=lambda done, total: seen.append((done, total)),
    )  # fmt: skip
    assert found.compared == 24
    assert [path.name for path in found.pictures] == ["hand_000003.jpg", "hand_000009.jpg", "hand_000015.jpg"]
    assert seen[-1][0] == 24
    sharp = cv2.imread(str(found.pictures[0]))
    assert sharp is not None
    assert np.abs(sharp.astype(int) - frames[3]).mean() < 6


def test_existing_pictures_stay_unchanged(tmp_path: Path) -> None:
    made = video(tmp_path / "hand.avi", [blurred(1, 0)] * 8)
    (first,) = extract(made, tmp_path / "out").pictures
    assert extract(made, tmp_path / "out").others == (), "it goes on"
    first.write_bytes(b"mine")
    found = extract(made, tmp_path / "out")
    assert (found.pictures, found.others) == ((first,), (first,))
    assert first.read_bytes() == b"mine"
    assert [path.name for path in (tmp_path / "out").iterdir()] == [first.name]


def test_a_file_that_is_no_video_is_named(tmp_path: Path) -> None:
    (tmp_path / "text.mp4").write_text("no video")
    (tmp_path / "cut.avi").write_bytes(video(tmp_path / "whole.avi", [blurred(1, 0)] * 8).read_bytes()[:200])
    for name in ("text.mp4", "cut.avi"):
        with pytest.raises(InputError, match=f"{name}' is no video"):
            extract(tmp_path / name, tmp_path / "out")
    with pytest.raises(InputError, match="is no file"):
        extract(tmp_path / "nowhere.mp4", tmp_path / "out")
    with pytest.raises(InputError, match="seconds between"):
        extract(tmp_path / "whole.avi", tmp_path / "out", every_s=0)
    with pytest.raises(InputError, match="cannot be written"):
        extract(tmp_path / "whole.avi", tmp_path / "text.mp4")


def test_a_damaged_film_gives_one_sentence(tmp_path: Path) -> None:
    film = tmp_path / "film.avi"
    writer = cv2.VideoWriter(str(film), cv2.VideoWriter.fourcc(*"mp4v"), 10, (320, 240))
    for seed in range(20):
        writer.write(view(seed))
    writer.release()
    data = film.read_bytes()
    film.write_bytes(data[: len(data) // 2] + bytes(len(data) // 2))
    command = [sys.executable, "-m", "tilescore", "dataset", "frames", str(film), str(tmp_path / "out")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603  # FFmpeg writes by itself
    warning, answer = done.stderr.splitlines()
    assert re.fullmatch(r"tilescore: the film ends after [01]\.\d of 2\.0 s: copy it again, unless .*\.", warning)
    assert answer.startswith("wrote ")
