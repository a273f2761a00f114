"""What messages of the browser mean that name fields of an older drawing."""

from __future__ import annotations

from itertools import count
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from tilescore.ui.state import fields

if TYPE_CHECKING:
    from tilescore.ui.state.fields import Field


class Page:
    """A page with one field, whose value the app may change after a press."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, **options: Any) -> None:
        self.state: dict[str, Any] = {}
        self.presses: list[tuple[Any, Any]] = []
        self._options = options
        monkeypatch.setattr("streamlit.session_state", self.state)

    def draw(self, shown: Any, *, name: str = "field") -> Field:
        """A complete drawing."""
        with fields.drawing():
            field = fields.follow(name, shown, lambda *press: self.presses.append(press), **self._options)
        self.state.setdefault(field.key, field.default)
        return field

    def send(self, field: Field, value: Any) -> None:
        """A message of the browser in which the field has that value."""
        if self.state.get(field.key) != value:
            self.state[field.key] = value
            field.changed()


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch) -> Page:
    return Page(monkeypatch)


def test_a_press_keeps_the_field(page: Page) -> None:
    field = page.draw("east")
    page.send(field, "south")
    assert page.presses == [("south", "east")]
    assert page.draw("south").key == field.key


def test_a_value_that_the_app_changes_has_a_new_key_and_the_old_press_is_not_repeated(page: Page) -> None:
    field = page.draw(["riichi"])
    page.send(field, ["riichi", "double"])
    changed = page.draw(["double"])
    assert changed.key != field.key
    assert changed.default == ["double"]
    del page.state[field.key]  # Streamlit forgets it, and a message that was under way names it again
    page.send(field, ["riichi", "double"])
    assert page.presses == [(["riichi", "double"], ["riichi"])]


def test_a_press_on_the_field_that_the_app_has_just_changed_counts(page: Page) -> None:
    field = page.draw(["riichi"])
    page.send(field, ["riichi", "double"])
    page.draw(["double"])
    page.send(field, ["riichi", "double", "last tile"])
    assert page.presses[-1] == (["riichi", "double", "last tile"], ["riichi", "double"])


def test_the_order_of_several_choices_says_nothing(page: Page) -> None:
    field = page.draw(["a", "b"])
    page.send(field, ["b", "a"])
    assert not page.presses
    assert page.draw(["a", "b"]).key == field.key


def test_a_field_that_comes_back_has_a_new_key(page: Page) -> None:
    field = page.draw("dan")
    page.draw("", name="another")
    assert page.draw("dan").key != field.key


def test_the_first_value_counts_only_among_the_options_of_today(page: Page) -> None:
    field = page.draw("east")
    page.send(field, "south")
    field = page.draw("south")
    assert field.choice(["east", "south"])["default"] == "east", "its browser knows the press"
    assert field.choice(["south", "west"])["default"] == "south"
    assert field.among(["west", "south"])["index"] == 1
    several = page.draw(["red", "white"], name="dragons")
    page.send(several, ["white"])
    assert page.draw(["white"], name="dragons").choice(["white", "green"])["default"] == ["white"]
    number = page.draw(9, name="times")
    page.send(number, 3)
    number = page.draw(3, name="times")
    assert [number.within(2, most)["value"] for most in (9, None, 5)] == [9, 9, 3]
    assert page.draw(None, name="han").within(1, 13)["value"] is None


def test_a_label_is_no_press(monkeypatch: pytest.MonkeyPatch) -> None:
    """Streamlit gives a label in place of a value that the list does not offer, as after a change of the language."""
    page = Page(monkeypatch, among=("", "wmc"))
    field = page.draw("wmc")
    page.send(field, "Options of your own")
    assert not page.presses
    drawn = page.draw("wmc")
    assert drawn.default == "wmc"
    assert drawn.among(["", "wmc"])["index"] == 1
    page.send(drawn, "")
    assert page.presses == [("", "wmc")]


@pytest.mark.parametrize("late", [False, True])
def test_a_press_on_a_field_that_has_gone(monkeypatch: pytest.MonkeyPatch, *, late: bool) -> None:
    page = Page(monkeypatch, late=late)
    field = page.draw("dan")
    page.draw("", name="another")
    page.send(field, "cleo")
    assert page.presses == ([("cleo", "dan")] if late else [])


def test_a_typed_value_keeps_its_key_when_the_app_changes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    page = Page(monkeypatch, typed=True)
    field = page.draw("")
    page.send(field, "123m+3m")
    changed = page.draw("123m +3m")
    assert changed.key == field.key
    assert page.state[field.key] == "123m +3m"


def test_only_the_newest_fields_that_have_gone_are_known(page: Page) -> None:
    lasting = page.draw("east")
    gone = [page.draw(number, name=f"field {number}") for number in range(600)]
    assert len(page.state["fields"].seen) <= 502
    page.send(gone[0], 7)
    assert not page.presses
    page.send(lasting, "south")
    assert not page.presses


def test_another_session_gives_no_field_the_key_of_an_earlier_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """The browser may still show fields of a session that has ended, with presses that never arrived."""
    clock = SimpleNamespace(time_ns=count(10**18, 10**9).__next__)
    monkeypatch.setattr(fields, "time", clock)
    first = Page(monkeypatch).draw("east").key
    assert Page(monkeypatch).draw("east").key != first
