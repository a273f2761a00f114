"""Labels follow their tiles through a film, and every correction moves the frames around it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from tilescore.datasets.annotation.film import TRACKER, film_of, films, follow
from tilescore.datasets.annotation.folder import AnnotationFolder
from tilescore.datasets.marks import Annotation, LabelSource, Mark
from tilescore.errors import InputError
from tilescore.vision.image.boxes import Box

if TYPE_CHECKING:
    from pathlib import Path

    from tilescore.datasets.annotation.folder import PictureFile

FRAMES = 21
TILES = {"1m": Box(60, 60, 100, 114), "5p": Box(110, 62, 150, 116), "9s": Box(200, 140, 240, 194)}
COVERED = range(8, 13)
"""Frames in which a hand lies on the first tile."""
LAID = 10
"""The frame in which the last tile is laid down."""


def face(seed: int) -> np.ndarray:
    ink = np.random.default_rng(seed).integers(0, 2, (9, 7)).astype(np.uint8)
    large = cv2.resize(ink, (40, 54), interpolation=cv2.INTER_NEAREST)
    return np.asarray(np.where(large[..., None] > 0, 40, 235), np.uint8)


def shift(frame: int) -> tuple[float, float]:
    """How far the camera has carried the table."""
    return 2.5 * frame, round(20 * float(np.sin(frame / 6)), 2)


def drawn(frame: int) -> np.ndarray:
    rng = np.random.default_rng(3)
    table = cv2.resize(rng.integers(60, 140, (30, 40, 3)).astype(np.uint8), (400, 300), interpolation=cv2.INTER_CUBIC)
    for seed, (name, box) in enumerate(TILES.items()):
        if name != "9s" or frame >= LAID:
            table[int(box.y0) : int(box.y1), int(box.x0) : int(box.x1)] = face(seed)
    if frame in COVERED:
        table[50:125, 50:105] = 90
    moved = cv2.warpAffine(table, np.array([[1, 0, shift(frame)[0]], [0, 1, shift(frame)[1]]]), (400, 300))
    noisy = moved + np.random.default_rng(frame).normal(0, 3, moved.shape)
    return np.asarray(np.clip(noisy, 0, 255), np.uint8)


def true_box(name: str, frame: int) -> Box:
    return TILES[name].moved(*shift(frame))


@pytest.fixture
def folder(tmp_path: Path) -> AnnotationFolder:
    (tmp_path / "images").mkdir()
    for frame in range(FRAMES):
        cv2.imwrite(str(tmp_path / "images" / f"table_{frame:03d}.png"), drawn(frame))
    cv2.imwrite(str(tmp_path / "images" / "other.png"), drawn(0))
    return AnnotationFolder(tmp_path)


def film(folder: AnnotationFolder) -> tuple[PictureFile, ...]:
    return film_of(folder.pictures()[0], "images/table_005.png")


def label(folder: AnnotationFolder, frame: int, boxes: dict[str, Box]) -> None:
    picture = film(folder)[frame]
    marks = tuple(Mark(name, box) for name, box in boxes.items())
    folder.save(picture, Annotation(marks, checked=True, version=folder.open(picture).now.version), by="me")


def run(folder: AnnotationFolder, around: str = "") -> None:
    follow(folder, film(folder), partial(folder.save, by=TRACKER), around=around)


def at(folder: AnnotationFolder, frame: int) -> dict[str, Mark]:
    return {mark.name: mark for mark in folder.open(film(folder)[frame]).now.marks}


def test_frames_belong_together_by_their_names(folder: AnnotationFolder) -> None:
    assert [picture.key for picture in film(folder)] == [f"images/table_{at:03d}.png" for at in range(FRAMES)]
    assert films(folder.pictures()[0]) == (film(folder),)
    assert film_of(folder.pictures()[0], "images/other.png") == ()


def test_a_labelled_frame_is_needed(folder: AnnotationFolder) -> None:
    with pytest.raises(InputError, match="label one"):
        run(folder)


def test_boxes_follow_and_wait_under_a_hand(folder: AnnotationFolder) -> None:
    label(folder, 0, {name: true_box(name, 0) for name in ("1m", "5p")})
    run(folder)
    for frame in range(1, FRAMES):
        found = at(folder, frame)
        assert [*found] == ["1m", "5p"]
        assert all(mark.box.iou(true_box(name, frame)) > 0.85 for name, mark in found.items()), frame
        assert (found["1m"].source is LabelSource.MODEL) == (frame in COVERED), frame  # a suggestion to look at
        assert found["5p"].source is LabelSource.FILM
    assert not folder.open(film(folder)[5]).now.checked
    assert len(folder.open(film(folder)[9]).now.labels) == 1  # the label file holds what is in view


def test_labels_of_another_program_are_no_frames_to_follow(folder: AnnotationFolder) -> None:
    label(folder, 0, {"5p": true_box("5p", 0)})
    foreign = film(folder)[5].labels
    foreign.parent.mkdir(exist_ok=True)
    foreign.write_text("3 0.5 0.5 0.1 0.2\n")
    run(folder)
    assert foreign.read_text() == "3 0.5 0.5 0.1 0.2\n"
    assert next(iter(at(folder, 4))) == "5p"


def test_a_rejected_frame_is_left_alone(folder: AnnotationFolder) -> None:
    label(folder, 0, {"1m": true_box("1m", 0)})
    picture = film(folder)[3]
    folder.save(picture, Annotation((), rejected="blurred", version=folder.open(picture).now.version), by="me")
    run(folder)
    assert [*at(folder, 2)] == ["1m"]
    assert at(folder, 3) == {}
    assert folder.open(picture).now.rejected == "blurred"


def test_a_correction_moves_the_frames_up_to_the_corrected_one_before(folder: AnnotationFolder) -> None:
    label(folder, 0, {"5p": true_box("5p", 0)})
    run(folder)
    before = [at(folder, frame)["5p"].box for frame in range(FRAMES)]
    right = true_box("5p", 20).moved(12, 0)  # a person wants it elsewhere
    label(folder, 20, {"5p": right})
    run(folder, film(folder)[20].key)
    moved = [at(folder, frame)["5p"].box.x0 - before[frame].x0 for frame in range(1, 20)]
    assert moved == pytest.approx([12 * frame / 20 for frame in range(1, 20)], abs=1.5)
    assert at(folder, 0)["5p"].box.xyxy == pytest.approx(true_box("5p", 0).xyxy)
    assert at(folder, 20)["5p"].box.xyxy == pytest.approx(right.xyxy)
    label(folder, 10, {"5p": true_box("5p", 10)})
    after = [at(folder, frame)["5p"].box for frame in range(11)]
    run(folder, film(folder)[20].key)  # the frames before the tenth belong to others
    assert [at(folder, frame)["5p"].box for frame in range(11)] == after


def test_a_tile_counts_from_the_frame_in_which_it_is_laid(folder: AnnotationFolder) -> None:
    label(folder, 0, {"5p": true_box("5p", 0)})
    label(folder, 20, {name: true_box(name, 20) for name in ("5p", "9s")})
    run(folder)
    assert [frame for frame in range(FRAMES) if "9s" in at(folder, frame)] == [*range(LAID, FRAMES)]
    assert all(at(folder, frame)["9s"].box.iou(true_box("9s", frame)) > 0.85 for frame in range(LAID, FRAMES))


def test_a_tile_that_is_taken_away_ends_there(folder: AnnotationFolder) -> None:
    images = folder.root / "images"
    for frame in range(FRAMES):  # the film runs backwards
        (images / f"back_{99 - frame:03d}.png").write_bytes((images / f"table_{frame:03d}.png").read_bytes())
    back = film_of(folder.pictures()[0], "images/back_099.png")
    for at_frame, frame in ((0, 20), (20, 0)):
        tiles = ("5p", "9s") if frame == 20 else ("5p",)
        marks = tuple(Mark(name, true_box(name, frame)) for name in tiles)
        folder.save(back[at_frame], Annotation(marks, checked=True), by="me")
    follow(folder, back, partial(folder.save, by=TRACKER))
    lies = ["9s" in {mark.name for mark in folder.open(each).now.marks} for each in back]
    assert lies == [frame >= LAID for frame in reversed(range(FRAMES))]


def test_what_others_did_meanwhile_stays(folder: AnnotationFolder) -> None:
    label(folder, 0, {"5p": true_box("5p", 0)})

    def keep(picture: PictureFile, changed: Annotation) -> object:
        if picture == film(folder)[4] and changed.version == 0:
            label(folder, 4, {"9p": true_box("5p", 4)})
        return folder.save(picture, changed, by=TRACKER)

    follow(folder, film(folder), keep)
    assert [*at(folder, 4)] == ["9p"]
    assert all("5p" in at(folder, frame) for frame in (3, 5, 20))
