"""What the annotation page asks of a folder: suggestions, names for drawn boxes, copies, exchanges."""

import shutil
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from tilescore.datasets.annotation.folder import ChangedError
from tilescore.datasets.annotation.listing import EVERYTHING, ListedMark
from tilescore.datasets.marks import LabelSource
from tilescore.errors import InputError
from tilescore.processes.parallel import Pool
from tilescore.ui.cli.sets.prelabel import prelabel
from tilescore.ui.pages.annotate.desk import CROP_PX, THUMBNAIL_WH, Desk
from tilescore.vision.image.boxes import Box

SAMPLE = Path(__file__).parents[3] / "datasets" / "sample" / "riichi_closed.jpg"
TILES = ["0p", "2m", "2s", "2s", "3m", "3p", "4m", "4p", "5s", "6p", "6s", "7p", "7s", "8p"]


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    for name in ("a", "b"):
        shutil.copy(SAMPLE, tmp_path / f"{name}.jpg")
    (tmp_path / "broken.jpg").write_bytes(SAMPLE.read_bytes()[:5000])
    return Desk(tmp_path)


def state(marks: list[list[object]], version: int = 0) -> dict[str, object]:
    return {"version": version, "checked": False, "marks": marks}


def test_the_model_suggests_and_a_person_accepts(desk: Desk) -> None:
    shown = desk.show("a.jpg")
    assert sorted(mark.name for mark in shown.opened.now.marks) == TILES
    assert {mark.source for mark in shown.opened.now.marks} == {LabelSource.MODEL}
    assert [guesses[0][0] for guesses in shown.guesses(shown.opened.now.marks)] == [
        mark.name for mark in shown.opened.now.marks
    ]
    kept = desk.save("a.jpg", shown.opened.now.accepted().to_json(), by="me")
    assert desk.show("a.jpg").opened.now == kept
    assert dict(desk.index.names())["2s"] == 2


def test_the_first_change_can_be_undone_after_the_picture_is_opened_again(desk: Desk) -> None:
    suggested = desk.show("a.jpg").opened.now
    kept = desk.save("a.jpg", replace(suggested.accepted(), checked=True).to_json(), by="me")
    assert desk.show("a.jpg").opened.past == (suggested,)
    desk.save("a.jpg", replace(kept, checked=False).to_json(), by="me")
    assert desk.show("a.jpg").opened.past == (suggested, kept)


@pytest.mark.parametrize("lines", ["", "0 0.5 0.5 0.25 0.25\n"])
def test_undo_leads_back_to_the_labels_that_a_file_had(lines: str, desk: Desk) -> None:
    (desk.folder.root / "a.txt").write_text(lines)
    desk.index.refresh()
    in_file = desk.show("a.jpg").opened.now
    desk.save("a.jpg", replace(in_file, checked=True).to_json(), by="me")
    assert desk.show("a.jpg").opened.past == (in_file,)


def test_a_box_without_a_name_is_named_by_the_model(desk: Desk) -> None:
    five = next(mark for mark in desk.show("a.jpg").opened.now.marks if mark.name == "5s")
    kept = desk.save("a.jpg", state([["", *five.box.xyxy, "", "model", 0]]), by="me")
    assert [(mark.name, mark.source) for mark in kept.marks] == [("5s", LabelSource.MODEL)]
    assert kept.marks[0].score > 0.5
    accepted = desk.save("a.jpg", state([["", *five.box.xyxy, "", "person", 1]], kept.version), by="me")
    assert [mark.name for mark in accepted.labels] == ["5s"], "a person accepted the box before it had a name"


@pytest.mark.parametrize("entry", [["", "x", 2, 3, 4, "", "model", 0], ["", 1, 2], None, "5m"])
def test_what_the_browser_should_not_send_is_refused(entry: object, desk: Desk) -> None:
    with pytest.raises(InputError, match="cannot be kept"):
        desk.save("a.jpg", {"marks": [entry]}, by="me")
    with pytest.raises(InputError, match="not in this folder"):
        desk.save("../a.jpg", state([]), by="me")


def test_labels_of_the_picture_before_are_copied(desk: Desk) -> None:
    mine = desk.save("a.jpg", state([["5m", 10, 20, 40, 60, "", "person", 1]]), by="me")
    copied = desk.copy_before("b.jpg", 0, by="me")
    assert copied is not None
    assert [(m.name, m.box.xyxy) for m in copied.marks] == [(m.name, m.box.xyxy) for m in mine.marks]
    assert desk.copy_before("a.jpg", mine.version, by="me") is None
    with pytest.raises(ChangedError):
        desk.copy_before("b.jpg", 0, by="me")


def test_a_tile_of_the_sheet_is_exchanged_taken_away_and_brought_back(desk: Desk) -> None:
    mark = desk.show("a.jpg").opened.now.marks[3]
    other = replace(mark, name="9p", source=LabelSource.PERSON)
    assert desk.exchange("a.jpg", mark.box, mark.name, other, by="me") == mark
    with pytest.raises(ChangedError, match="changed in another window"):
        desk.exchange("a.jpg", mark.box, mark.name, other, by="me")
    gone = desk.exchange("a.jpg", mark.box, "9p", None, by="me")
    assert len(desk.show("a.jpg").opened.now.marks) == 13
    desk.exchange("a.jpg", mark.box, "", gone, by="me")
    assert [m.name for m in desk.show("a.jpg").opened.now.labels] == ["9p"]
    desk.exchange("a.jpg", mark.box, "9p", mark, by="me")
    back = desk.show("a.jpg").opened.now
    assert (back.labels, len(back.marks)) == ((), 14), "an undone change leaves the suggestion that it was"


def test_the_layout_proposes_roles_that_nobody_has_judged(desk: Desk) -> None:
    marks = [mark.to_json() for mark in desk.show("a.jpg").opened.now.marks]
    bare = [[*mark[:5], "other", *mark[6:]] for mark in marks]
    desk.save("a.jpg", state(bare) | {"hand": "no_hand"}, by="me")
    proposed = desk.propose("a.jpg", 1, by="me")
    assert [mark.to_json() for mark in proposed.marks] == marks
    assert proposed.hand == ""


def test_small_pictures_are_made_once(desk: Desk) -> None:
    small = desk.thumbnail("a.jpg")
    pixels = cv2.imdecode(np.frombuffer(small, np.uint8), cv2.IMREAD_COLOR)
    assert pixels is not None
    assert pixels.shape[1] == THUMBNAIL_WH[0]
    known = ListedMark("a.jpg", 0, "5s", Box(1486, 653, 1612, 803).xyxy, None)
    crop = cv2.imdecode(np.frombuffer(desk.crop(known), np.uint8), cv2.IMREAD_COLOR)
    assert crop is not None
    assert crop.shape[:2] == (CROP_PX, CROP_PX)
    (desk.folder.root / "a.jpg").touch()
    assert desk.index.small(desk.index.file("a.jpg"), "whole") is None


def test_all_pictures_are_looked_at_once_and_the_broken_one_is_named(desk: Desk) -> None:
    said: list[tuple[int, int]] = []
    found = prelabel(desk.folder.root, pool=Pool(1), progress=lambda done, total: said.append((done, total)))
    assert (found.now, found.before) == (2, 0)
    assert len(found.unreadable) == 1
    assert "broken.jpg" in found.unreadable[0]
    assert said[-1] == (3, 3)
    again = prelabel(desk.folder.root, pool=Pool(1))
    assert (again.now, again.before) == (0, 2)
    assert [entry.least_confidence is not None for entry in desk.index.beside("", EVERYTHING, 3)] == [True, True]
    shutil.rmtree(desk.folder.root / ".tilescore")
    assert prelabel(desk.folder.root, pool=Pool(1)).before == 2
    lines = (desk.folder.root / ".tilescore" / "predictions.jsonl").read_text().splitlines()
    assert len(lines) == 2, "another machine finds the predictions, although somebody deleted the folder"
