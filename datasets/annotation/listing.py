"""Pictures and tiles as lists of a folder show them, and which of them are asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tilescore.datasets.annotation.predictions import SURE

DOUBTFUL: Final = f"NOT checked AND IFNULL(worst, 1) < {SURE}"
"""In SQL: something in the picture is worth a look."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A picture in a list; `worst` is the least trust in a mark, None when no model was asked."""

    key: str
    size_wh: tuple[int, int]
    checked: bool
    boxes: int
    open: int
    worst: float | None

    @property
    def doubtful(self) -> bool:
        """Whether something in it is worth a look."""
        return not self.checked and self.worst is not None and self.worst < SURE


@dataclass(frozen=True, slots=True)
class Known:
    """A mark in a list of tiles of one class."""

    key: str
    number: int
    name: str
    xyxy: tuple[float, float, float, float]
    trust: float | None


@dataclass(frozen=True, slots=True)
class Suspect:
    """A picture with something odd in it; `rank` says how much it asks for a look (0-2)."""

    key: str
    code: str
    detail: str
    rank: float


@dataclass(frozen=True, slots=True)
class Counts:
    """How far the labelling is."""

    pictures: int
    checked: int
    doubtful: int


@dataclass(frozen=True, slots=True)
class Choice:
    """Which pictures are gone through, and in which order.

    Attributes:
        state: `all`, `unchecked`, `doubtful` or `checked`.
        name: only pictures with a tile of this class, when given.
        by_doubt: the least trusted first, instead of by name.
    """

    state: str = "all"
    name: str = ""
    by_doubt: bool = False

    @property
    def where(self) -> str:
        """The condition in SQL; `:name` is the class."""
        states = {"unchecked": "NOT checked", "checked": "checked", "doubtful": DOUBTFUL}
        parts = ["problem IS NULL", states.get(self.state, "1")]
        if self.name:
            parts.append("key IN (SELECT key FROM mark WHERE name = :name)")
        return " AND ".join(parts)

    @property
    def columns(self) -> tuple[str, ...]:
        """What pictures are ordered by, in SQL."""
        return ("IFNULL(worst, 2)", "key") if self.by_doubt else ("key",)

    @property
    def order(self) -> tuple[str, str]:
        """What pictures are compared by, in SQL, and the place of `:key` among them."""
        return ("(IFNULL(worst, 2), key)", "(:worst, :key)") if self.by_doubt else ("key", ":key")


EVERYTHING: Final = Choice()
