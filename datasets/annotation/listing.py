"""Rows of the lists that the annotation page shows, and the filter that selects them."""

from dataclasses import dataclass
from typing import Final

from tilescore.datasets.annotation.predictions import CONFIDENT

DOUBTFUL: Final = f"NOT checked AND rejected = '' AND IFNULL(worst, 1) < {CONFIDENT}"
"""SQL condition: no person has checked or rejected the picture, and the model is not confident of one of its marks."""


@dataclass(frozen=True, slots=True)
class PictureEntry:
    """A picture in a list.

    Of its marks `boxes`, so many are `open` suggestions. `least_confidence` is that of the model in a mark, None
    without a prediction; `rejected` is the reason why a person has rejected it.
    """

    key: str
    size_wh: tuple[int, int]
    checked: bool
    boxes: int
    open: int
    least_confidence: float | None
    rejected: str
    doubtful: bool


@dataclass(frozen=True, slots=True)
class ListedMark:
    """A mark in a list of tiles of one class; `confidence` is None without a prediction."""

    key: str
    number: int
    name: str
    xyxy: tuple[float, float, float, float]
    confidence: float | None


@dataclass(frozen=True, slots=True)
class ClassTally:
    """The labels of one class; suggestions that nobody accepted do not count.

    Of all `labels`, so many lie in `checked` pictures; of these the model has `compared` some, and names some `alike`.
    """

    name: str
    labels: int
    checked: int
    compared: int
    alike: int


@dataclass(frozen=True, slots=True)
class Counts:
    """Progress of the labelling: all pictures, checked ones, doubtful ones."""

    pictures: int
    checked: int
    doubtful: int


@dataclass(frozen=True, slots=True)
class ListFilter:
    """Which pictures a list shows, and in which order."""

    # `all`, `unchecked`, `doubtful`, `checked`, `rejected`, or `unjudged`: nobody has judged the roles of its tiles
    state: str = "all"
    name: str = ""  # the class that a picture must show; any class if empty
    by_doubt: bool = False  # whether the pictures with the least confidence come first, instead of the order of names

    @property
    def where(self) -> str:
        """SQL condition; `:name` is the class."""
        states = {
            "unchecked": "NOT checked AND rejected = ''", "checked": "checked", "doubtful": DOUBTFUL,
            "rejected": "rejected != ''", "unjudged": "hand = '' AND rejected = ''",
        }  # fmt: skip
        parts = ["problem IS NULL", states.get(self.state, "1")]
        if self.name:
            parts.append("key IN (SELECT key FROM mark WHERE name = :name)")
        return " AND ".join(parts)

    @property
    def columns(self) -> tuple[str, ...]:
        """SQL expressions that order the pictures."""
        return ("IFNULL(worst, 2)", "key") if self.by_doubt else ("key",)

    @property
    def order(self) -> tuple[str, str]:
        """SQL expression by which pictures are compared, and its value for the picture `:key`."""
        return ("(IFNULL(worst, 2), key)", "(:worst, :key)") if self.by_doubt else ("key", ":key")


EVERYTHING: Final = ListFilter()
