"""Frames of films: a fast one is watched at the pace of others, so that stillness is a matter of time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from tilescore.vision.video.source import VideoSource

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(("rate", "seen_rate"), [(25, 25), (60, 60), (120, 60), (240, 60)])
def test_a_fast_film_is_watched_at_most_sixty_times_a_second(rate: int, seen_rate: int, tmp_path: Path) -> None:
    film = tmp_path / "film.avi"
    video = cv2.VideoWriter(str(film), cv2.VideoWriter.fourcc(*"MJPG"), rate, (64, 48))
    for grey in range(rate):
        video.write(np.full((48, 64, 3), grey, np.uint8))
    video.release()
    frames = list(VideoSource(str(film)).frames())
    assert [frame.at_s for frame in frames] == pytest.approx([at / seen_rate for at in range(seen_rate)])
    assert frames[-1].rgb.mean() == pytest.approx(rate - rate // seen_rate, abs=2)
