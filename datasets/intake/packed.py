"""The shapes of a picture in little memory: 100,000 labels take megabytes, not hundreds of them.

A shape as an object takes about half a kilobyte, most of it for numbers. A packed sequence keeps corners as doubles,
and what few shapes have beside them; it makes an object when somebody asks for it.

>>> boxes = Packed(lambda name, xyxy, part, corners: (name, xyxy), [("5m", (1, 2, 3.5, 4), NO_PART, ())])
>>> boxes[0], len(boxes), boxes == (("5m", (1.0, 2.0, 3.5, 4.0)),)
(('5m', (1.0, 2.0, 3.5, 4.0)), 1, True)
"""

from array import array
from collections.abc import Callable, Iterable, Sequence
from sys import intern
from typing import TypeVar, overload

from tilescore.datasets.parts import NO_PART, Part

Sides = tuple[float, float, float, float]
Corners = tuple[tuple[float, float], ...]
Row = tuple[str, Sides, Part, Corners]


T = TypeVar("T")


class Packed(Sequence[T]):
    """A sequence of shapes that cannot change."""

    __slots__ = ("_make", "_more", "_names", "_values")

    def __init__(self, make: Callable[[str, Sides, Part, Corners], T], rows: Iterable[Row]) -> None:
        """Pack the shapes.

        `make` gets the class name, left, top, right, bottom, part in the hand, and corners of a shape.
        """
        names: list[str] = []
        self._make, self._values = make, array("d")
        self._more: dict[int, tuple[Part, Corners]] = {}
        for at, (name, xyxy, part, corners) in enumerate(rows):
            names.append(intern(name))
            self._values.extend(xyxy)
            if part != NO_PART or corners:
                self._more[at] = (part, corners)
        self._names = tuple(names)

    def __len__(self) -> int:
        return len(self._names)

    @overload
    def __getitem__(self, at: int) -> T: ...

    @overload
    def __getitem__(self, at: slice) -> tuple[T, ...]: ...

    def __getitem__(self, at: int | slice) -> T | tuple[T, ...]:
        if isinstance(at, slice):
            return tuple(self[place] for place in range(*at.indices(len(self))))
        name = self._names[at]
        at %= len(self._names)
        x0, y0, x1, y1 = self._values[4 * at : 4 * at + 4]
        return self._make(name, (x0, y0, x1, y1), *self._more.get(at, (NO_PART, ())))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, (Packed, tuple)) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))
