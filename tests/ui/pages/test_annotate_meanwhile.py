"""Two people, or two programs, who work on one folder of pictures at the same time."""

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.datasets.labelled import name_classes
from tests.ui.pages.table_app import LIMIT_S
from tilescore.datasets import formats
from tilescore.datasets.annotation.listing import EVERYTHING, ListedMark, ListFilter
from tilescore.datasets.sample import SAMPLES
from tilescore.ui.pages.annotate import page, review
from tilescore.ui.pages.annotate.beside import choosers, loaded_early
from tilescore.ui.pages.annotate.desk import Desk


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name in ("a", "c"):
        shutil.copy(SAMPLES / "riichi_closed.jpg", tmp_path / f"{name}.jpg")
    return tmp_path


@pytest.mark.parametrize("do", ["save", "rewind", "copy", "propose"])
def test_nothing_overwrites_what_another_person_did_meanwhile(
    do: str, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = Desk(root)
    seen = desk.show("c.jpg").opened.now
    visit = page._Visit(here="c.jpg", past=[replace(seen, hand="no_hand")])
    monkeypatch.setattr(page, "_visit", lambda: visit)
    theirs = desk.save("c.jpg", replace(seen.accepted(), checked=True).to_json(), by="another person")
    page._edited(desk, {"do": do, "key": "c.jpg", "id": 7, "state": seen.to_json()})
    assert desk.show("c.jpg").opened.now == theirs
    assert (visit.refused, visit.past) == (7, None)
    assert "another window" in visit.note


def test_an_undo_that_arrives_once_another_picture_is_open_changes_nothing(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = Desk(root)
    seen = desk.show("c.jpg").opened.now
    past = [replace(seen, hand="no_hand")]
    monkeypatch.setattr(page, "_visit", lambda: page._Visit(here="a.jpg", past=past))
    page._edited(desk, {"do": "rewind", "key": "c.jpg", "id": 7, "state": seen.to_json()})
    assert desk.show("c.jpg").opened.now == seen
    assert len(past) == 1


def test_the_next_picture_is_one_that_nobody_else_has_open(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(root)
    monkeypatch.setattr(page, "_session", lambda: "me")
    monkeypatch.setattr(page, "_is_here", lambda session: session != "gone")
    after = {"": "c.jpg", "c.jpg": "a.jpg"}
    for open_by in ({"ann": "a.jpg", "gone": "c.jpg", "me": "c.jpg"}, {"ann": "a.jpg"}):
        desk.open_by = open_by
        found = {key: page._next_of(desk, ListFilter("unchecked"), key)[0].key for key in after}
        assert found == after
    desk.open_by = {"ann": "a.jpg", "ben": "c.jpg"}
    assert page._next_of(desk, ListFilter("unchecked"))[0].key == "a.jpg", "nothing else is left"


def test_a_picture_that_another_machine_has_checked_is_not_the_next_one(
    root: Path, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    desk = Desk(root)
    monkeypatch.setenv("TILESCORE_DATA", str(tmp_path_factory.mktemp("other machine")))
    other = Desk(root)
    other.save("a.jpg", replace(other.show("a.jpg").opened.now.accepted(), checked=True).to_json(), by="another person")
    assert [entry.key for entry in page._next_of(desk, ListFilter("unchecked"))] == ["c.jpg"]
    assert desk.index.counts().checked == 1


def test_a_picture_that_another_program_takes_in_is_the_next_one(root: Path) -> None:
    desk = Desk(root)
    shutil.copy(root / "a.jpg", root / "b.jpg")
    Desk(root)
    assert desk.index.file("b.jpg").path == root / "b.jpg"
    assert loaded_early(desk, "a.jpg", EVERYTHING)


def test_the_sheet_of_a_class_stays_when_one_of_its_pictures_is_deleted(root: Path) -> None:
    desk = Desk(root)
    listed = ListedMark("gone.jpg", 0, "5s", (0.0, 0.0, 30.0, 40.0), 0.9)
    assert desk.guesses(listed) == ()


@pytest.mark.parametrize("theirs", ["", "7z"])
def test_the_sheet_shows_what_another_person_made_of_a_tile(
    theirs: str, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = Desk(root)
    first = desk.show("c.jpg").opened.now.marks[0]
    known = ListedMark("c.jpg", 0, first.name, first.box.xyxy, 0.9)
    sheet = review._Review(cells=[review._Cell(known, first.name)])
    monkeypatch.setattr(review, "_review", lambda: sheet)
    desk.exchange("c.jpg", first.box, first.name, replace(first, name=theirs) if theirs else None, by="another person")
    review._edited(desk, {"do": "fix", "at": 0, "tile": "9p"}, lambda _: None, "me")
    assert "the sheet shows how it stands now" in sheet.note
    assert (sheet.cells[0].now, sheet.undo) == (theirs, [])


def test_the_menu_names_the_chosen_class_when_its_last_tile_is_renamed(root: Path) -> None:
    menu = choosers(Desk(root), ListFilter(name="9p"))[1]
    assert menu["value"] in dict(menu["options"])


def test_the_sheet_of_odd_pictures_turns_back_when_its_last_ones_are_put_right(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name_classes(root)
    for name in ("a", "c"):
        (root / f"{name}.txt").write_text("0 .5 .5 .1 .2\n" * 2)
    sheets: list[dict[str, Any]] = []
    monkeypatch.setattr(review, "_review", lambda: review._Review(suspect=24))
    monkeypatch.setattr(review, "contact_sheet", lambda sheet, **_: sheets.append(sheet))
    review.review_suspects(Desk(root), lambda _: None)
    assert sheets[0]["cells"]
    assert sheets[0]["place"].startswith("1–")


NAMES_ALONE = """
from pathlib import Path
import streamlit as st
from tilescore.ui.pages.annotate.desk import Desk
from tilescore.ui.pages.annotate.names import name_classes

name_classes(st.cache_resource(Desk)(Path({!r})))
"""


def test_each_of_two_people_explains_other_class_names_and_neither_takes_back_what_the_other_said(root: Path) -> None:
    name_classes(root, ["1m", "foo", "bar"])
    for name in ("a", "c"):
        (root / f"{name}.txt").write_text("0 .5 .5 .1 .2\n1 .3 .5 .1 .2\n2 .7 .5 .1 .2\n")
    ann, ben = (AppTest.from_string(NAMES_ALONE.format(str(root)), default_timeout=LIMIT_S).run() for _ in range(2))

    def say(person: AppTest, **names: str) -> None:
        for name, tile in names.items():
            next(menu for menu in person.selectbox if menu.label.endswith(f" {name}")).set_value(tile)
        person.button[0].click().run()

    say(ann, **{"1m": "9m", "foo": "7z"})
    say(ben, bar="6z", foo="5z")
    assert formats.names_of(root) == {"1m": "9m", "foo": "7z", "bar": "6z"}
    assert [": foo." in warning.value for warning in ben.warning] == [True]
    say(ben, foo="5z")
    assert formats.names_of(root) == {"1m": "9m", "foo": "5z", "bar": "6z"}
    assert not ben.warning
