"""Recordings that one thread closes while another still adds frames."""

from __future__ import annotations

from pathlib import Path
from threading import Thread

import cv2
import numpy as np
import pytest

from tilescore.errors import InputError
from tilescore.vision.video.recorder import Recording
from tilescore.vision.video.watch import WatchedFrame


def frame(number: int) -> WatchedFrame:
    return WatchedFrame(np.full((240, 320, 3), number % 256, np.uint8), number / 12.5)


def test_closing_while_another_thread_adds(tmp_path: Path) -> None:
    for attempt in range(8):
        recording = Recording(tmp_path / f"{attempt}.avi")
        recording.add(frame(0))
        adding = Thread(target=lambda kept=recording: [kept.add(frame(number)) for number in range(1, 200)])
        adding.start()
        recording.close()
        adding.join()
        assert cv2.VideoCapture(str(recording.path), cv2.CAP_FFMPEG).read()[0]


def test_nothing_is_added_after_the_end(tmp_path: Path) -> None:
    recording = Recording(tmp_path / "game.avi")
    recording.add(frame(0))
    recording.close()
    size = recording.path.stat().st_size
    recording.add(frame(1))
    assert recording.path.stat().st_size == size


def test_the_name_of_a_recording(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with Recording(Path("table:2.avi")) as recording:
        recording.add(frame(0))
    with pytest.raises(InputError, match="not UTF-8"):
        Recording(Path("caf\udce9.avi"))
    monkeypatch.setattr(cv2.VideoWriter, "isOpened", lambda _video: False)
    with pytest.raises(InputError, match="cannot be written"):
        Recording(Path("empty.avi")).add(frame(0))
    assert [path.name for path in tmp_path.iterdir()] == ["table:2.avi"]
