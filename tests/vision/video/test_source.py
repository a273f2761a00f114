"""Frames of films: a fast one is watched at the pace of others, so that stillness is a matter of time."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING

import cv2
import pytest

from tests.vision.video.recorded import UnevenFilm, write_film
from tilescore.vision.video import source
from tilescore.vision.video.config import SourceConfig
from tilescore.vision.video.film import Film
from tilescore.vision.video.source import VideoSource

if TYPE_CHECKING:
    from pathlib import Path


def refuse(warning: str) -> None:
    """No warning is due."""
    pytest.fail(warning)


@pytest.mark.parametrize(("rate", "seen_rate"), [(25, 25), (60, 60), (120, 60), (240, 60)])
def test_a_fast_film_is_watched_at_most_sixty_times_a_second(rate: int, seen_rate: int, tmp_path: Path) -> None:
    film = write_film(tmp_path / "film.avi", rate=rate, frames=rate)
    frames = list(VideoSource(str(film)).frames())
    assert [frame.at_s for frame in frames] == pytest.approx([at / seen_rate for at in range(seen_rate)])
    assert frames[-1].rgb.mean() == pytest.approx(rate - rate // seen_rate, abs=2)


def test_a_film_without_a_rate_is_watched_at_its_own_times(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    film = write_film(tmp_path / "film.avi", rate=25, frames=70)
    monkeypatch.setattr(cv2, "VideoCapture", UnevenFilm)
    assert [frame.at_s for frame in VideoSource(str(film)).frames(warn=refuse)] == pytest.approx(UnevenFilm.times_s)
    with Film.opened(film) as uneven:
        chosen = [number for number, _ in uneven.frames(0.2, refuse)]
    assert chosen == [*range(0, 50, 5), *range(50, 70, 2)]


def test_a_film_whose_times_jump_is_played_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    film = write_film(tmp_path / "film.avi", rate=25, frames=6)
    pauses: list[float] = []
    clock = SimpleNamespace(monotonic=lambda: sum(pauses), sleep=pauses.append)
    monkeypatch.setattr(source, "time", clock)
    monkeypatch.setattr(cv2, "VideoCapture", UnevenFilm)
    monkeypatch.setattr(UnevenFilm, "times_s", (0, 1, 95443, 95444, 95449, 95450))  # as where two clips are joined
    assert [frame.at_s for frame in VideoSource(str(film)).frames(realtime=True)] == list(UnevenFilm.times_s)
    assert pauses == pytest.approx([1, SourceConfig().answer_s, 1, 5, 1])


@pytest.mark.parametrize("ending", ["avi", "mkv", "mp4"])
@pytest.mark.parametrize("rate", [12.5, 24, 30, 50, 120])
def test_a_steady_film_gives_each_so_many_th_frame(
    rate: float, ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    film = write_film(tmp_path / f"film.{ending}", rate=rate, frames=200)
    with Film.opened(film) as steady:
        chosen = list(steady.frames(0.2, refuse))
    assert [number for number, _ in chosen] == list(range(0, 200, round(0.2 * rate)))
    assert [at_s for _, at_s in chosen] == pytest.approx([number / rate for number, _ in chosen], abs=0.001)
    monkeypatch.setattr(UnevenFilm, "times_s", (0.0,) * 201)  # the format keeps no times
    monkeypatch.setattr(cv2, "VideoCapture", UnevenFilm)
    with Film.opened(film) as timeless:
        assert [at_s for _, at_s in timeless.frames(0, refuse)] == pytest.approx(
            [number / 1000 for number in range(200)]
        )


@pytest.mark.parametrize("name", ["cam-2026-12-02T10:15.avi", "caf\udce9.avi"])
def test_a_film_has_any_name(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_film(tmp_path / "film.avi", rate=25, frames=5).rename(tmp_path / name)
    monkeypatch.chdir(tmp_path)
    assert len(list(VideoSource(name).frames())) == 5


def test_a_film_that_was_cut_short_is_named(tmp_path: Path) -> None:
    film = write_film(tmp_path / "film.avi", rate=10, frames=100)
    film.write_bytes(film.read_bytes()[: film.stat().st_size * 6 // 10])
    said: list[str] = []
    frames = list(VideoSource(str(film)).frames(warn=said.append))
    assert said == [f"the film ends after {len(frames) / 10:.1f} of 10.0 s: copy it again, unless somebody cut it."]
