"""The index of a folder: it takes in changes, keeps the requested order, and opens thousands of pictures quickly."""

from __future__ import annotations

import errno
import json
import os
import time
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tests.datasets.labelled import hollow_png, name_classes, yolo_set
from tilescore.datasets.annotation.folder import AnnotationFolder
from tilescore.datasets.annotation.index import Index
from tilescore.datasets.annotation.index_file import index_file
from tilescore.datasets.annotation.listing import EVERYTHING, ListFilter
from tilescore.datasets.annotation.predictions import PredictedTile, Prediction
from tilescore.datasets.checks.finding import Remark
from tilescore.datasets.inside import Inside
from tilescore.datasets.marks import Annotation, LabelSource, Mark
from tilescore.errors import InputError
from tilescore.vision.image.boxes import Box

if TYPE_CHECKING:
    from pathlib import Path

PICTURES = 5_000 if os.environ.get("TILESCORE_LONG") else 1_500
LONGEST_S = 2.0
LINE = "0 0.5 0.5 0.1 0.2\n"
BOX = Box(288, 192, 352, 288)
"""The box of LINE in a picture of 640 x 480."""


def index_of(root: Path) -> Index:
    index = Index(AnnotationFolder(root))
    index.refresh()
    return index


def test_labels_get_the_names_of_a_list_that_was_put_right(tmp_path: Path) -> None:
    root = yolo_set(tmp_path, {"a": LINE}, names=["1m", "1s"])
    assert dict(index_of(root).names()) == {"1m": 1}
    name_classes(root, ["1s", "1m"])
    assert dict(index_of(root).names()) == {"1s": 1}


def test_a_class_that_is_added_meanwhile_can_be_labelled(tmp_path: Path) -> None:
    index = index_of(yolo_set(tmp_path, {"a": LINE}, names=["1m"]))
    name_classes(tmp_path, ["1s", "1m"])
    (tmp_path / "labels" / "a.txt").write_text(LINE.replace("0 ", "1 ", 1))
    index.refresh()
    picture = index.file("images/a.png")
    now = index.folder.open(picture).now
    index.folder.save(picture, replace(now, marks=(*now.marks, replace(now.marks[0], name="1s"))))
    assert [line.split()[0] for line in picture.labels.read_text().splitlines()] == ["1", "0"]


def test_the_index_outlasts_a_disk_that_is_taken_out(index: Index) -> None:
    root, counts = index.folder.root, index.counts()
    root.rename(root.with_name("elsewhere"))
    with pytest.raises(InputError, match="is no folder"):
        index.refresh()
    root.with_name("elsewhere").rename(root)
    index.refresh()
    assert index.counts() == counts
    assert index.prediction(index.file("images/a.png")) is not None


def test_a_full_disk_is_named(index: Index) -> None:
    [(pages,)] = index._all("PRAGMA page_count")
    index._database.execute(f"PRAGMA max_page_count = {pages:d}")
    picture = index.file("images/a.png")
    with pytest.raises(InputError, match=r"sqlite3' cannot be written \(database or disk is full\)"):
        index.keep_small(picture, "whole", b"x" * 100_000)
    assert index.small(picture, "whole") is None
    assert index.counts().pictures == 5


def predicted(*candidates: tuple[str, float], box: Box = BOX) -> Prediction:
    return Prediction("net@1", (PredictedTile(box, candidates),))


def keys(index: Index, list_filter: ListFilter, start: str = "", count: int = 99) -> list[str]:
    return [entry.key.removeprefix("images/").removesuffix(".png") for entry in index.beside(start, list_filter, count)]


@pytest.fixture
def index(tmp_path: Path) -> Index:
    """Four labelled pictures, two of them doubtful to the model, and one without labels."""
    index = index_of(yolo_set(tmp_path, {"a": LINE, "b": LINE, "c": LINE, "d": LINE.replace("0 ", "4 ", 1), "e": ""}))
    for key, prediction in (
        ("a", predicted(("1m", 0.99))),
        ("b", predicted(("1m", 0.6), ("2m", 0.4))),
        ("c", predicted(("2m", 0.9), ("1m", 0.1))),
        ("d", predicted(("5m", 0.97))),
    ):
        index.keep_prediction(index.file(f"images/{key}.png"), prediction)
    return index


FILTERS = [
    (EVERYTHING, "abcde"),
    (ListFilter("doubtful"), "bc"),
    (ListFilter("checked"), ""),
    (ListFilter("unjudged"), "abcde"),
    (ListFilter(by_doubt=True), "cbdae"),
    (ListFilter(name="5m"), "d"),
    (ListFilter("doubtful", name="1m", by_doubt=True), "cb"),
]


@pytest.mark.parametrize(("list_filter", "wanted"), FILTERS, ids=str)
def test_pictures_come_as_chosen(list_filter: ListFilter, wanted: str, index: Index) -> None:
    assert keys(index, list_filter) == list(wanted)
    assert keys(index, list_filter, count=-99) == list(wanted[::-1])
    for place, key in enumerate(wanted):
        full = f"images/{key}.png"
        assert keys(index, list_filter, full) == list(wanted[place + 1 :])
        assert keys(index, list_filter, full, -1) == list(wanted[:place][-1:])
        assert index.place(full, list_filter) == (place + 1, len(wanted))


def test_tiles_of_a_class_come_the_least_confident_first(index: Index) -> None:
    found = index.of_class("1m", start=0, count=9)
    assert [(known.key[7:8], known.confidence) for known in found] == [("c", 0.1), ("b", 0.6), ("a", 0.99)]
    assert [known.key for known in index.of_class("1m", start=1, count=1)] == ["images/b.png"]
    assert dict(index.names()) == {"1m": 3, "5m": 1}


def test_findings_come_the_most_urgent_first(index: Index, tmp_path: Path) -> None:
    (tmp_path / "labels" / "e.txt").write_text(LINE * 2)
    index.keep_prediction(index.file("images/a.png"), predicted(("1m", 0.99), box=Box(10, 10, 40, 60)))
    index.refresh()
    found, total = index.findings(start=0, count=9)
    assert total == len(found)
    assert [(finding.key[7:8], finding.code) for finding in found] == [
        ("a", "disagrees"), ("c", "disagrees"), ("a", "missed"), ("e", "duplicate_box"),
    ]  # fmt: skip
    assert found[1].remarks == (Remark("disagrees", {"tile": ["1m"], "other": ["2m"], "share": 0.9}),)


def test_a_person_has_the_last_word(index: Index) -> None:
    file = index.file("images/c.png")
    before = index.folder.open(file).now
    index.note(file, index.folder.save(file, replace(before.accepted(), checked=True)))
    assert keys(index, ListFilter("doubtful")) == ["b"]
    assert keys(index, ListFilter("checked")) == ["c"]
    assert (index.counts().checked, index.counts().doubtful) == (1, 1)
    assert "c" not in {finding.key[7:8] for finding in index.findings(start=0, count=9)[0]}


def test_changes_on_the_disk_are_taken_in(index: Index, tmp_path: Path) -> None:
    (tmp_path / "images" / "a.png").unlink()
    (tmp_path / "labels" / "b.txt").write_text(LINE * 3)
    hollow_png(tmp_path / "images" / "f.png", (64, 64))
    (tmp_path / "images" / "g.png").write_bytes(b"no picture")
    steps: list[tuple[int, int]] = []
    index.refresh(lambda done, total: steps.append((done, total)))
    assert steps == [(0, 3)]
    assert keys(index, EVERYTHING) == list("bcdef")
    assert [(problem.code, problem.where) for problem in index.problems] == [("unreadable_picture", "images/g.png")]
    entry = index.entry("images/b.png")
    assert entry is not None
    assert entry.boxes == 3
    with pytest.raises(InputError, match="not in this folder"):
        index.file("images/a.png")


def test_a_folder_that_cannot_be_written_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_inside: Inside, path: Path) -> None:
        raise OSError(errno.EROFS, "Read-only file system", str(path))

    monkeypatch.setattr(Inside, "make_folder", refuse)
    with pytest.raises(InputError, match=r"cannot be written \(Read-only file system\): labels need a place"):
        Index(AnnotationFolder(tmp_path))


def test_our_own_folder_that_cannot_be_written_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "home").touch()
    monkeypatch.setenv("TILESCORE_DATA", str(tmp_path / "home"))
    with pytest.raises(InputError, match=r"home/indexes/\w+\.sqlite3' cannot be written") as caught:
        Index(AnnotationFolder(tmp_path))
    assert "copy the pictures" not in str(caught.value)


def test_a_picture_comes_back_when_its_folder_can_be_written_again(index: Index) -> None:
    index.set_aside(index.file("images/a.png"), OSError(errno.EROFS, "Read-only file system"))
    assert index.entry("images/a.png") is None
    index.refresh()
    assert index.entry("images/a.png") is not None


def test_a_prediction_holds_until_the_picture_changes(index: Index, tmp_path: Path) -> None:
    file = index.file("images/a.png")
    assert index.prediction(file) == predicted(("1m", 0.99))
    assert [picture.key for picture in index.without_prediction("net@1")] == ["images/e.png"]
    hollow_png(tmp_path / "images" / "a.png", (320, 240))
    os.utime(file.path, (1, 1))
    assert index.prediction(file) is None
    assert [picture.key for picture in index.without_prediction("net@1")] == ["images/a.png", "images/e.png"]
    assert len(index.without_prediction("net@2")) == 5


def test_suggestions_count_while_there_are_no_labels(tmp_path: Path) -> None:
    hollow_png(tmp_path / "a.png", (640, 480))
    index = index_of(tmp_path)
    index.keep_prediction(index.file("a.png"), predicted(("5z", 0.7)))
    entry = index.entry("a.png")
    assert entry is not None
    assert (entry.boxes, entry.open, entry.least_confidence, entry.doubtful) == (1, 1, 0.7, True)
    index.folder.save(index.file("a.png"), Annotation((Mark("6z", BOX, source=LabelSource.PERSON),)))
    index.refresh()
    assert [known.name for known in index.of_class("6z", start=0, count=1)] == ["6z"]


def test_a_lost_or_damaged_index_is_made_again(index: Index, tmp_path: Path) -> None:
    place = index_file(tmp_path)
    with index._lock:
        index._database.close()
    place.write_bytes(b"no database at all" * 100)
    assert keys(index_of(tmp_path), EVERYTHING) == list("abcde")


def test_an_index_of_an_older_version_is_made_again(index: Index, tmp_path: Path) -> None:
    with index._lock:
        index._database.executescript(
            "DROP TABLE remark; CREATE TABLE remark (key TEXT, code TEXT, detail TEXT, rank REAL);"
            "INSERT INTO remark VALUES ('images/e.png', 'odd_size', 'in English', 0.5); PRAGMA user_version = 3"
        )
        index._database.close()
    (tmp_path / "labels" / "e.txt").write_text(LINE * 2)
    again = index_of(tmp_path)
    assert keys(again, EVERYTHING) == list("abcde")
    assert [finding.code for finding in again.findings(start=0, count=9)[0]] == ["duplicate_box"]


def test_thousands_of_pictures_open_quickly(tmp_path: Path) -> None:
    hollow_png(tmp_path / "one.png", (640, 480))
    name_classes(tmp_path / "set")
    for name in ("images", "labels"):
        (tmp_path / "set" / name).mkdir(parents=True)
    for number in range(PICTURES):
        os.link(tmp_path / "one.png", tmp_path / "set" / "images" / f"{number:05d}.png")
        (tmp_path / "set" / "labels" / f"{number:05d}.txt").write_text(LINE)
    index_of(tmp_path / "set")
    times = []
    for _ in range(3):
        start = time.process_time()  # of the work, not of waiting for a core
        index = index_of(tmp_path / "set")
        middle = index.beside("images/00700.png", ListFilter("unchecked", by_doubt=True), 12)
        place = index.place(middle[0].key, ListFilter("unchecked", name="1m"))
        times.append(time.process_time() - start)
    assert place[1] == PICTURES
    assert min(times) < LONGEST_S


def test_another_machine_takes_over_the_predictions(
    index: Index, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index.share_predictions()
    shared = tmp_path / ".tilescore" / "predictions.jsonl"
    shared.write_text("no JSON\n[1]\n" + shared.read_text())
    monkeypatch.setenv("TILESCORE_DATA", str(tmp_path.with_name("elsewhere")))
    elsewhere = index_of(tmp_path)
    assert elsewhere.prediction(elsewhere.file("images/b.png")) == predicted(("1m", 0.6), ("2m", 0.4))
    assert keys(elsewhere, ListFilter("doubtful")) == keys(index, ListFilter("doubtful"))


ODD: list[object] = [None, True, -1, 10**400, "1e400", float("nan"), "", "\ud800", "a\0", "x" * 9999, [], {}, [[]]]


@pytest.mark.parametrize("place", range(-1, 9))
def test_odd_predictions_of_another_machine_are_passed_over(place: int, index: Index, tmp_path: Path) -> None:
    """Each value of a tile in turn is odd; at last the stamp. Earlier, the folder could not be opened any more."""
    shared = tmp_path / ".tilescore" / "predictions.jsonl"
    index.share_predictions()
    key, stamp, _ = json.loads(shared.read_text().splitlines()[0])
    lines: list[str] = []
    for odd in ODD:
        tile: list[object] = [10, 10, 50, 60, "", "1m", 0.9, "2m", 0.1]
        if place >= 0:
            tile[place] = odd
        lines.append(json.dumps([key, odd if place < 0 else stamp, json.dumps(["net@2", tile])]))
    shared.write_text("\n".join(lines))
    index_file(tmp_path).unlink()
    again = index_of(tmp_path)
    prediction = again.prediction(again.file(key))
    allowed = {-1} if place in range(4) else {""} if place == 4 else {-1} if place in (6, 8) else set()
    assert prediction is None or prediction.model == "net@2"
    assert (prediction is not None) == bool(allowed)
    assert again.entry(key) is not None
