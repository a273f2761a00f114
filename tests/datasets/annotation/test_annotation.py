"""A folder that is being labelled loses no acknowledged change, overwrites nobody and names bad input."""

from __future__ import annotations

import errno
import fcntl
import multiprocessing
import os
import random
import signal
import time
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from tests.datasets.labelled import hollow_png, yolo_set
from tilescore.datasets import formats
from tilescore.datasets.annotation.folder import AnnotationFolder, ChangedError, PictureFile
from tilescore.datasets.annotation.index import Index
from tilescore.datasets.annotation.listing import ListFilter
from tilescore.datasets.checks.dataset_check import check
from tilescore.datasets.labels import CLASS_NAMES, complete
from tilescore.datasets.marks import Annotation, LabelSource, Mark
from tilescore.datasets.parts import Part
from tilescore.errors import InputError
from tilescore.vision.image.boxes import Box

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from pathlib import Path

KILLS = 100 if os.environ.get("TILESCORE_LONG") else 20
SIZE = (640, 480)


def mark(name: str = "5m", left: float = 10, source: LabelSource = LabelSource.PERSON) -> Mark:
    return Mark(name, Box(left, 20, left + 30, 60), Part("concealed"), source)


PARTS = [
    ("", Part()),
    ("concealed", Part("concealed")),
    ("turned", Part(turned=True)),
    ("winning turned", Part("winning", turned=True)),
    ("meld", Part("meld")),  # as earlier histories have it
    ("meld 12 concealed turned", Part("meld", 12, concealed=True, turned=True)),
]


@pytest.mark.parametrize(("text", "part"), PARTS)
def test_a_part_has_a_text_and_fields(text: str, part: Part) -> None:
    assert (str(part), Part.parse(text), Part.of(part.fields())) == (text, part, part)
    assert Part.of({name: str(value) for name, value in part.fields().items()}) == part  # XML has texts alone


@pytest.mark.parametrize("text", ["melds", "concealed 2", "meld 99", "meld -1", "concealed concealed", "hand turned"])
def test_a_text_that_is_no_part_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no part of a hand"):
        Part.parse(text)


def opened(root: Path) -> tuple[AnnotationFolder, PictureFile]:
    hollow_png(root / "a.png", SIZE)
    folder = AnnotationFolder(root)
    return folder, folder.pictures()[0][0]


def test_the_folders_of_several_people_open_together_with_the_history_of_each(tmp_path: Path) -> None:
    ann, rejected = opened_below(tmp_path / "ann")
    ann.save(rejected, Annotation((mark(),), rejected="blurred"), by="ann")
    ben, checked = opened_below(tmp_path / "ben")
    ben.save(checked, Annotation((mark(),), checked=True), by="ben")
    together = AnnotationFolder(tmp_path)
    first, second = together.pictures()[0]
    assert (together.open(first).now.rejected, together.open(second).now.checked) == ("blurred", True)
    together.save(first, replace(together.open(first).now, rejected=""), by="cleo")
    assert ann.open(rejected).now.rejected == ""
    assert len(ann.open(rejected).past) == 1
    hollow_png(tmp_path / "ben" / "later.png", SIZE)
    later = AnnotationFolder(tmp_path).pictures()[0][2]
    together.save(later, Annotation((mark(),), checked=True), by="cleo")
    assert ben.open(ben.pictures()[0][1]).now.checked
    assert not (tmp_path / ".tilescore" / "history").exists()


def opened_below(root: Path) -> tuple[AnnotationFolder, PictureFile]:
    root.mkdir()
    return opened(root)


def test_a_change_is_in_the_label_file_and_in_the_history(tmp_path: Path) -> None:
    folder, picture = opened(tmp_path)
    assert folder.open(picture).is_new
    first = folder.save(picture, Annotation((mark(), mark("0p", 60, LabelSource.MODEL))))
    assert (tmp_path / "a.txt").read_text() == "4 0.039062 0.083333 0.046875 0.083333\n"
    assert [note.code for note in formats.read(tmp_path).notes] == ["open_suggestions"]
    second = folder.save(picture, replace(first.accepted(), checked=True))
    assert formats.read(tmp_path).notes == ()
    found = folder.open(picture)
    assert found.now == second
    assert [state.version for state in found.past] == [1]
    assert not found.is_new
    assert [box.name for box in formats.read(tmp_path).pictures[0].boxes] == ["5m", "0p"]


def test_labels_that_a_person_checked_lie_on_the_upright_picture(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    Image.new("RGB", SIZE).save(tmp_path / "a.jpg", exif=exif)
    folder = AnnotationFolder(tmp_path)
    folder.save(folder.pictures()[0][0], Annotation((mark(),), checked=True))

    def the_other_way(_picture: object, _boxes: object) -> int:
        return 1

    found = formats.read(tmp_path, look=the_other_way)
    assert [box.box.xyxy for box in found.pictures[0].boxes] == [pytest.approx(mark().box.xyxy, abs=0.01)]
    assert found.notes == ()


def test_suggestions_alone_make_no_label_file(tmp_path: Path) -> None:
    folder, picture = opened(tmp_path)
    state = folder.save(picture, Annotation((mark(source=LabelSource.MODEL),)))
    assert not picture.labels.exists()
    folder.save(picture, replace(state, marks=(), checked=True))
    assert picture.labels.read_text() == ""


def test_the_second_of_two_changes_overwrites_nothing(tmp_path: Path) -> None:
    folder, picture = opened(tmp_path)
    start = folder.open(picture).now
    mine = folder.save(picture, replace(start, marks=(mark("1m"),)))
    with pytest.raises(ChangedError, match=r"'a.png' was changed in another window"):
        AnnotationFolder(tmp_path).save(picture, replace(start, marks=(mark("2m"),)))
    assert folder.open(picture).now == mine


def test_a_disk_without_locks_keeps_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_file: object, _how: int) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(fcntl, "flock", refuse)
    folder, picture = opened(tmp_path)
    kept = folder.save(picture, Annotation((mark(),)))
    assert folder.open(picture).now == kept


def test_labels_changed_by_another_program_are_taken_over(tmp_path: Path) -> None:
    folder, picture = opened(tmp_path)
    mine = folder.save(picture, Annotation((mark("1m"),), checked=True))
    picture.labels.write_text("8 0.5 0.5 0.1 0.1\n")
    found = folder.open(picture)
    assert [(m.name, m.source) for m in found.now.marks] == [("9m", LabelSource.FILE)]
    assert (found.now.version, found.now.checked) == (2, False)
    assert found.past[-1] == mine
    with pytest.raises(ChangedError):
        folder.save(picture, mine)


def test_labels_have_the_names_that_every_command_reads_after_the_list_changed(tmp_path: Path) -> None:
    folder, picture = opened(tmp_path)
    (tmp_path / "classes.txt").write_text("1m\n2m\n3m\n")
    folder.refresh()
    guess = mark("2m", 60, LabelSource.MODEL)
    folder.save(picture, Annotation((guess, mark("3m")), checked=True))
    (tmp_path / "classes.txt").write_text("3m\n1m\n2m\n")
    folder = AnnotationFolder(tmp_path)
    changed = folder.open(picture)
    assert [box.name for box in formats.read(tmp_path).pictures[0].boxes] == ["2m"]
    assert changed.now == Annotation((guess, mark("2m")), version=2)
    assert changed.past[-1].marks[1].name == "3m"  # undo brings it back
    assert folder.save(picture, replace(changed.past[-1], version=2)).version == 3
    assert [box.name for box in formats.read(tmp_path).pictures[0].boxes] == ["3m"]
    (tmp_path / "classes.txt").write_text("3m\n1m\n2m\n4m\n")
    assert AnnotationFolder(tmp_path).open(picture).now.checked  # a class more changes nothing


def test_a_label_file_with_bad_lines_is_named_and_kept(tmp_path: Path) -> None:
    text = "0 0.5 0.5 0.1 0.2\n0 nan 0.5 0.1 0.1\n99 0.5 0.5 0.1 0.1\n"
    folder = AnnotationFolder(yolo_set(tmp_path, {"train/a": text}))
    (picture,), problems = folder.pictures()
    found = folder.open(picture)
    assert (problems, [problem.code for problem in found.problems]) == ((), ["not_a_number"])
    assert [each.name for each in found.now.marks] == ["1m", "?99"]
    folder.save(picture, found.now.accepted())
    assert (tmp_path / ".tilescore" / "originals" / "images" / "train" / "a.png.txt").read_text() == text
    assert sorted(picture.labels.read_text().splitlines()) == sorted(text.splitlines())


FOREIGN = ["1_man", "ton", "zebra"]
KEPT_LINES = [
    ("a box", "0 .5 .5 .1 .2"),
    ("a name that means nothing", "2 .2 .2 .1 .2"),
    ("a number beyond the list", "7 .2 .2 .1 .2"),
    ("a polygon", "1 .1 .1 .2 .1 .2 .2 .1 .2"),
    ("a confidence", "1 .5 .5 .1 .2 0.93"),
    ("words", "this is no label"),
    ("a box without area", "0 .5 .5 0 .2"),
    ("more digits than ours", "0 0.123456789 .5 .1 .2"),
]


@pytest.mark.parametrize(("why", "line"), KEPT_LINES, ids=[why for why, _ in KEPT_LINES])
def test_checking_a_picture_shortens_no_file(why: str, line: str, tmp_path: Path) -> None:
    folder = AnnotationFolder(yolo_set(tmp_path, {"a": f"{line}\n"}, names=FOREIGN))
    (picture,), _ = folder.pictures()
    found = folder.open(picture)
    folder.save(picture, replace(found.now.accepted(), checked=True))
    assert picture.labels.read_text() == f"{line}\n", why


def test_a_new_mark_joins_labels_under_foreign_names(tmp_path: Path) -> None:
    folder = AnnotationFolder(yolo_set(tmp_path, {"a": "2 .5 .5 .1 .2\n"}, names=FOREIGN))
    (picture,), _ = folder.pictures()
    found = folder.open(picture)
    assert [each.name for each in found.now.marks] == ["?zebra"]
    folder.save(picture, replace(found.now, marks=(*found.now.marks, mark("1z"))))
    assert picture.labels.read_text() == "2 .5 .5 .1 .2\n1 0.039062 0.083333 0.046875 0.083333\n"
    folder.explain({"zebra": "1m"})
    assert [each.name for each in AnnotationFolder(tmp_path).open(picture).now.marks] == ["1m", "1z"]
    assert [box.name for box in formats.read(tmp_path).pictures[0].boxes] == ["1m", "1z"]


def test_pictures_that_cannot_be_labelled_are_named(tmp_path: Path) -> None:
    hollow_png(tmp_path / "outside.png", SIZE)
    root = yolo_set(tmp_path / "set", {"train/a": "", "train/b": ""})
    hollow_png(root / "images" / "train" / "b.jpg", SIZE)
    (root / "images" / "link.png").symlink_to(tmp_path / "outside.png")
    pictures, problems = AnnotationFolder(root).pictures()
    assert [(picture.key, picture.split) for picture in pictures] == [("images/train/a.png", "train")]
    assert sorted((problem.code, problem.where) for problem in problems) == [
        ("leaves_folder", "images/link.png"),
        ("same_name", "images/train/b.jpg"),
        ("same_name", "images/train/b.png"),
    ]


@pytest.mark.parametrize(
    ("names", "number"), [("names: [2m, 5m]\n", "1"), ("names:\n  0: 5m\n", "0")]
)  # fmt: skip
def test_class_numbers_follow_the_sets_own_names(names: str, number: str, tmp_path: Path) -> None:
    (tmp_path / "data.yaml").write_text(names)
    folder, picture = opened(tmp_path)
    state = folder.save(picture, Annotation((mark("5m"),)))
    assert picture.labels.read_text().split()[0] == number
    with pytest.raises(InputError, match="no class for 1f"):
        folder.save(picture, replace(state, marks=(mark("1f"),)))
    assert folder.open(picture).now == state
    assert not (tmp_path / "classes.txt").exists()


@pytest.mark.parametrize(
    "files",
    [{"a.json": '{"images": [], "annotations": []}'}, {"1m/a.png": "", "2m/b.png": ""}],
    ids=["coco", "folders"],
)
def test_other_formats_are_pointed_to_convert(files: dict[str, str], tmp_path: Path) -> None:
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    with pytest.raises(InputError, match="dataset convert"):
        AnnotationFolder(tmp_path)


BAD_CHANGES = [
    ["5m", 1, 2, float("nan"), 4, "", "person", 1],
    ["5m", 1, 2, float("inf"), 4, "", "person", 1],
    ["5m", 30, 20, 10, 40, "", "person", 1],
    ["5m", 700, 20, 710, 40, "", "person", 1],
    ["joker", 1, 2, 3, 4, "", "person", 1],
    ["5m", 1, 2, 3, 4, "king", "person", 1],
    ["5m", 1, 2, 3, 4, "", "stranger", 1],
    ["5m", 1, 2, 3, True, "", "person", 1],
    ["5m", 1, 2, 3, 4],
    "5m",
]


@pytest.mark.parametrize("entry", BAD_CHANGES, ids=str)
def test_a_bad_mark_is_refused(entry: object) -> None:
    with pytest.raises(InputError, match="cannot be kept"):
        Annotation.from_json({"version": 0, "marks": [entry]}, size_wh=SIZE)


@settings(deadline=None)  # files are written, and other tests use the disk
@given(damage=st.binary(max_size=80), cut=st.integers(0, 5))
def test_a_damaged_history_can_be_opened_and_saved(
    damage: bytes, cut: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder, picture = opened(tmp_path_factory.mktemp("set"))
    state = folder.save(picture, Annotation((mark(),)))
    history = folder.history_file(picture)
    history.write_bytes(history.read_bytes()[: -cut or None] + damage)
    found = folder.open(picture).now
    assert [m.name for m in found.marks] == ["5m"]
    assert found.marks[0].box.xyxy == pytest.approx(state.marks[0].box.xyxy, abs=1e-3)
    folder.save(picture, replace(found, marks=(mark("1z"),)))
    assert [m.name for m in folder.open(picture).now.marks] == ["1z"]


def label_until_killed(root: Path, seed: int, told: Connection) -> None:
    """Change a picture repeatedly; acknowledge each change after it is saved."""
    rng = random.Random(seed)
    folder = AnnotationFolder(root)
    picture = folder.pictures()[0][0]
    state = folder.open(picture).now
    while True:
        names = rng.choices(CLASS_NAMES, k=rng.randrange(5))
        marks = tuple(mark(name, 40 * place + rng.random()) for place, name in enumerate(names))
        state = folder.save(picture, replace(state, marks=marks, checked=rng.random() < 0.5))
        told.send(state.to_json())


def test_random_kills_lose_no_acknowledged_edit(tmp_path: Path) -> None:
    folder, picture = opened(tmp_path)
    rng = random.Random(KILLS)
    # A fork of this process could deadlock on a lock that one of its threads holds.
    fork = multiprocessing.get_context("forkserver")
    fork.set_forkserver_preload(["tilescore.datasets.marks", "tilescore.datasets.formats", "pytest", __name__])
    for seed in range(KILLS):
        reader, writer = fork.Pipe(duplex=False)
        worker = fork.Process(target=label_until_killed, args=(tmp_path, seed, writer), daemon=True)
        worker.start()
        writer.close()
        last = reader.recv()
        time.sleep(rng.random() * 0.03)
        os.kill(worker.pid or 0, signal.SIGKILL)
        worker.join()
        try:
            while True:
                last = reader.recv()
        except EOFError:
            pass
        found = folder.open(picture)
        told = Annotation.from_json(last, size_wh=SIZE)
        assert found.now.version - told.version in (0, 1)  # the change that was under way may be there too
        assert told in (*found.past, found.now)
        (labelled,) = formats.read(tmp_path).pictures
        assert [box.name for box in labelled.boxes] == [box.name for box in found.now.labels]
    assert [path.name for path in tmp_path.iterdir() if ".next" in path.name] in ([], [".a.txt.next"])


def test_nobody_learns_from_a_rejected_picture(tmp_path: Path) -> None:
    folder, picture = opened(tmp_path)
    for name in ("b.png", "c.png"):
        hollow_png(tmp_path / name, SIZE)
    _, bare, plain = folder.pictures()[0]
    folder.save(picture, Annotation((mark(),), rejected="glare"))
    folder.save(bare, Annotation(rejected="blurred"))
    folder.save(plain, Annotation((mark(),), checked=True))
    assert folder.open(picture).now.rejected == "glare"
    found = formats.read(tmp_path).pictures
    assert {each.name: each.rejected for each in found} == {"a.png": "glare", "b.png": "blurred", "c.png": ""}
    whole, left_out = complete(found)
    assert [each.name for each in whole] == ["c.png"]
    assert [str(problem) for problem in left_out] == ["a.png: rejected: glare", "b.png: rejected: blurred"]
    noted = [each for each in check(formats.read(tmp_path)).of("note") if each.code == "rejected"]
    assert [each.detail for each in noted] == ["glare", "blurred"]
    index = Index(folder)
    index.refresh()
    shown = {
        state: [each.key for each in index.beside("", ListFilter(state), 9)] for state in ("unchecked", "rejected")
    }
    assert shown == {"unchecked": [], "rejected": ["a.png", "b.png"]}
    folder.save(picture, replace(folder.open(picture).now, rejected=""))
    assert [each.name for each in complete(formats.read(tmp_path).pictures)[0]] == ["a.png", "c.png"]


@pytest.mark.parametrize("reason", [7, None, ["x"], "x" * 201, "a\nb", "\ud800", "\u202e"])
def test_a_reason_is_a_short_text(reason: object) -> None:
    with pytest.raises(InputError, match="cannot be kept"):
        Annotation.from_json({"marks": [], "rejected": reason}, size_wh=SIZE)
    both = Annotation.from_json({"marks": [], "rejected": "glare", "checked": True}, size_wh=SIZE)
    assert not both.checked


def test_what_people_said_of_folders_holds_for_the_folder_of_all(tmp_path: Path) -> None:
    for person, state in (("ada", Annotation((mark(),), checked=True)), ("bo", Annotation(rejected="blurred"))):
        (tmp_path / person).mkdir()
        folder, picture = opened(tmp_path / person)
        folder.save(picture, state)
    ada, bo = formats.read(tmp_path).pictures
    assert (ada.checked, bo.rejected) == (True, "blurred")
    folder = AnnotationFolder(tmp_path)
    folder.save(folder.pictures()[0][0], replace(folder.open(folder.pictures()[0][0]).now, rejected="a copy"))
    assert formats.read(tmp_path).pictures[0].rejected == "a copy", "the latest word counts"


def test_a_picture_counts_as_checked_while_its_names_are_those_that_the_person_saw(tmp_path: Path) -> None:
    (tmp_path / "classes.txt").write_text("1m\n2m\n3m\n")
    folder, picture = opened(tmp_path)
    folder.save(picture, Annotation((mark("3m"),), checked=True))
    for names, checked in (("1m\n2m\n3m\n4m\n", True), ("3m\n1m\n2m\n", False)):
        (tmp_path / "classes.txt").write_text(names)
        assert formats.read(tmp_path).pictures[0].checked == checked
