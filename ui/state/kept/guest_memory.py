"""What guests find again after a reload: it lies in memory, because guests leave nothing on the disk of the host."""

from typing import Any, Final

import streamlit as st

_MOST: Final = 30
"""What is kept, the latest: a table has a photo of a third of a megabyte."""


class GuestMemory:
    """The latest values by place."""

    def __init__(self) -> None:
        self._kept: dict[Any, Any] = {}

    def get(self, place: Any) -> Any | None:
        """What was put there; None if nothing is left."""
        return self._kept.get(place)

    def put(self, place: Any, value: Any | None) -> None:
        """Keep a value instead of the one before, or nothing; the earliest value goes if there are many."""
        self._kept.pop(place, None)
        if value is not None:
            self._kept[place] = value
        while len(self._kept) > _MOST:
            self._kept.pop(next(iter(self._kept)))


@st.cache_resource(show_spinner=False)
def of_guests(what: str) -> GuestMemory:  # noqa: ARG001  # by which Streamlit knows it again
    """The memory of all guests for one thing, by the name of that thing."""
    return GuestMemory()
