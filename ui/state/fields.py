"""Fields that follow the state of the app: their keys, their values, and what their presses mean."""

import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

import streamlit as st

Kept = TypeVar("Kept")
_KEPT: Final = "fields"
_LATE: Final = 500
"""A browser may still send the values of so many fields that have gone last. Chosen."""


@dataclass(frozen=True, slots=True)
class Field:
    """A field to draw."""

    key: str
    default: Any  # its value in a browser that does not know another one yet
    shown: Any  # its value now
    changed: Callable[[], None]  # the function to call when its value changes

    def choice(self, options: Sequence[Any]) -> dict[str, Any]:
        """The arguments of a field in which a person chooses among the options."""
        return {"options": options, "key": self.key, "default": self._among(options), "on_change": self.changed}

    def among(self, options: Sequence[Any]) -> dict[str, Any]:
        """The arguments of a list from which a person chooses one of the options."""
        index = options.index(self._among(options))
        return {"options": options, "index": index, "key": self.key, "on_change": self.changed}

    def within(self, least: float, most: float | None) -> dict[str, Any]:
        """The arguments of a field for a number between these two; None for no upper end."""
        inside = self.default is None or (least <= self.default and (most is None or self.default <= most))
        value = self.default if inside else self.shown
        return {"min_value": least, "max_value": most} | self.value | {"value": value}

    def _among(self, options: Sequence[Any]) -> Any:
        """The default; the value now, if the options have changed since the field came and are without the default."""
        values = self.default if isinstance(self.default, list) else [self.default]
        return self.default if all(value is None or value in options for value in values) else self.shown

    @property
    def value(self) -> dict[str, Any]:
        """The arguments of a field for a number, a text, or yes and no."""
        return {"key": self.key, "value": self.default, "on_change": self.changed}


@dataclass(slots=True)
class _Seen:
    """The default of a field, and the value that its browser showed last as far as the app knows."""

    default: Any
    value: Any


@dataclass(slots=True)
class _Fields:
    """The fields of a session."""

    keys: dict[str, str] = field(default_factory=dict)  # the keys of the fields that the browser may show, by name
    seen: dict[str, _Seen] = field(default_factory=dict)  # what is known of the newest fields, by key; some have gone
    drawn: set[str] = field(default_factory=set)  # the names of the fields that the present drawing has drawn so far
    # the number of the last key; no session begins with a number that an earlier one in the same browser used
    count: int = field(default_factory=lambda: time.time_ns() // 1_000_000)
    drawing: bool = False  # whether a drawing is going on

    def new_key(self, name: str, shown: Any) -> str:
        self.count += 1
        key = self.keys[name] = f"{name}.{self.count}"
        self.seen[key] = _Seen(shown, shown)
        gone = self.seen.keys() - self.keys.values()
        for old in [key for key in self.seen if key in gone][:-_LATE]:
            del self.seen[old]
        return key


def remembered(key: str, begin: Callable[[], Kept]) -> Kept:
    """What the session remembers under that key; what `begin` gives, if it remembers nothing yet."""
    if key not in st.session_state:
        st.session_state[key] = begin()
    kept: Kept = st.session_state[key]
    return kept


def _fields() -> _Fields:
    return remembered(_KEPT, _Fields)


@contextmanager
def drawing() -> Iterator[None]:
    """Surround a drawing of the whole page, or of the fragment that holds all fields of the page.

    A drawing that is interrupted forgets no field, because Streamlit and the browser keep the fields of the drawing
    before until a drawing is complete. A drawing within another one is a part of it.
    """
    fields = _fields()
    if fields.drawing:
        yield
        return
    fields.drawing, fields.drawn = True, set()
    try:
        yield
    finally:
        fields.drawing = False
    fields.keys = {name: key for name, key in fields.keys.items() if name in fields.drawn}


def follow(
    name: str,
    shown: Any,
    act: Callable[[Any, Any], None],
    *,
    typed: bool = False,
    late: bool = False,
    among: Collection[Any] | None = None,
) -> Field:
    """The field of that name, which is drawn next and shows that value.

    The key is another one each time that the field comes back or that the app changes its value. Streamlit drops the
    value of a field that a drawing leaves out, and so does the browser when it receives that drawing; messages from the
    time before still name the old key with the old value. A new key has no past: the browser shows the default, and a
    value of an old key is a press only if it differs from what that key showed before.

    Args:
        name: the name of the field; several keys may have carried it.
        shown: the value to show.
        act: called once for every press with the new value and with the one before.
        typed: whether a person types the value: then the key stays when the app changes it, and so does the cursor.
        late: whether a press counts that arrives after the field has gone.
        among: the values that count; None for all. A list of Streamlit gives its label in place of a value that it no
            longer offers, and after a change of the language in place of every value.
    """
    fields = _fields()
    key = fields.keys.get(name) or fields.new_key(name, shown)
    if _differ(st.session_state.get(key, fields.seen[key].default), shown):
        if typed:
            st.session_state[key] = fields.seen[key].value = shown
        else:
            key = fields.new_key(name, shown)
    fields.drawn.add(name)

    def changed() -> None:
        seen, value = fields.seen.get(key), st.session_state[key]
        if seen is None or not _differ(seen.value, value) or not (among is None or value in among):
            return
        before, seen.value = seen.value, value
        if late or name in fields.keys:
            act(value, before)

    return Field(key, fields.seen[key].default, shown, changed)


def show_value(key: str, value: object) -> None:
    """Show the value in the field of that key, which is drawn next and never goes.

    Streamlit sends a value that is set here to the browser, even if the field has it already. There it overwrites what
    a person has pressed in the meantime, and their next message brings the old value back as if they had chosen it.
    So only a value that differs is set.
    """
    if key not in st.session_state or _differ(st.session_state[key], value):
        st.session_state[key] = value


def _differ(shown: object, value: object) -> bool:
    """Whether the values differ; a choice of several has no order."""
    if isinstance(shown, list) and isinstance(value, list):
        return len(shown) != len(value) or any(choice not in value for choice in shown)
    return shown != value
