"""The keys and the values of fields that follow the state of the app."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import streamlit as st

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_KEPT: Final = "fields"


@dataclass(slots=True)
class _Fields:
    """The fields of a session.

    Attributes:
        keys: the keys of the fields that the browser may show, by name.
        drawn: the names of the fields that the present drawing has drawn so far.
        count: the number of keys so far.
        drawing: whether a drawing is going on.
    """

    keys: dict[str, str] = field(default_factory=dict)
    drawn: set[str] = field(default_factory=set)
    count: int = 0
    drawing: bool = False


def _fields() -> _Fields:
    kept: _Fields = st.session_state.setdefault(_KEPT, _Fields())
    return kept


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


def field_key(name: str) -> str:
    """The key of the field with that name, which is drawn next; another key each time that the field comes back.

    Streamlit drops the value of a field that a drawing leaves out, and so does the browser when it receives that
    drawing. A message from the time before still names the old value, so Streamlit knows the value and does not send
    it; the browser shows the field empty, and its next message empties the value in the app. A new key has no past.
    """
    fields = _fields()
    if name not in fields.keys:
        fields.count += 1
        fields.keys[name] = f"{name}.{fields.count}"
    fields.drawn.add(name)
    return fields.keys[name]


def is_shown(key: str) -> bool:
    """Whether the browser may show the field with that key: the last complete drawing or a later one drew it."""
    return key in _fields().keys.values()


def while_shown(key: str, act: Callable[[], None]) -> Callable[[], None]:
    """A callback for the field with that key, which does nothing once the field has gone.

    A browser that still shows the field at the next tap sends its value along, and Streamlit takes it for a change.
    """

    def unless_gone() -> None:
        if is_shown(key):
            act()

    return unless_gone


def show_value(key: str, value: object) -> None:
    """Show the value in the field of that key, which is drawn next.

    Streamlit sends a value that is set here to the browser, even if the field has it already. There it overwrites what
    a person has pressed in the meantime, and their next message brings the old value back as if they had chosen it.
    So only a value that differs is set.
    """
    if key not in st.session_state or _differ(st.session_state[key], value):
        st.session_state[key] = value


def _differ(shown: object, value: object) -> bool:
    """Whether the values differ; a choice of several has no order."""
    if isinstance(shown, list) and isinstance(value, list):
        return len(shown) != len(value) or any(one not in value for one in shown)
    return shown != value
