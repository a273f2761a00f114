"""What guests find again after a reload: it lies in memory, because guests leave nothing on the disk of the host."""

from typing import Final, Generic, TypeVar

Place = TypeVar("Place")
Kept = TypeVar("Kept")
_MOST: Final = 30
"""What is kept, the latest: a table has a photo of a third of a megabyte."""


class GuestMemory(Generic[Place, Kept]):
    """The latest values by place."""

    def __init__(self) -> None:
        self._kept: dict[Place, Kept] = {}

    def get(self, place: Place) -> Kept | None:
        """What was put there; None if nothing is left."""
        return self._kept.get(place)

    def put(self, place: Place, value: Kept | None) -> None:
        """Keep a value instead of the one before, or nothing; the earliest value goes if there are many."""
        self._kept.pop(place, None)
        if value is not None:
            self._kept[place] = value
        while len(self._kept) > _MOST:
            self._kept.pop(next(iter(self._kept)))
