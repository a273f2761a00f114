"""What every check returns: a `Finding` says what is wrong and where."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple

from tilescore.vision.image.boxes import Box

SEVERITIES: Final = ("error", "leak", "suspect", "note")
"""Severities from the gravest to the lightest: an error breaks training, a note is only good to know."""
_SEVERITY: Final = {
    **dict.fromkeys(("leak", "same_picture", "same_source"), "leak"),
    **dict.fromkeys(("near_duplicate", "odd_shape", "odd_size", "duplicate_box", "contradictory_boxes"), "suspect"),
    **dict.fromkeys(("five_of_a_kind", "box_outside", "taken_as_upright", "open_suggestions"), "suspect"),
    **dict.fromkeys(
        ("no_boxes", "no_tile", "rejected", "polygon", "turned", "turned_by_look", "class_folders"), "note"
    ),
    **dict.fromkeys(("train_only", "no_train", "class_missing"), "note"),
}
"""The severity of each code; a code that is missing here is an error."""
_MOST_DETAILS: Final = 3
"""A merged finding quotes the details of at most this many findings."""


@dataclass(frozen=True, slots=True)
class Place:
    """A file, split or picture that a finding is about, named below the data set's folder.

    A person should look at `picture`, and in it at the boxes.
    """

    name: str
    picture: Path | None = None
    boxes: tuple[Box, ...] = ()


class Remark(NamedTuple):
    """What is wrong as a key and the values that its sentence quotes, so that a user interface can word it.

    A value that is a list holds names of labels; one with a fraction is a part of a whole, 0 to 1 or more.
    """

    key: str
    params: Mapping[str, float | str | list[str]]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to look at: a stable code such as `leak`, what is wrong, and where.

    The priority (0-2) says how urgently a person who labels should look. `remarks` say the same as `detail`; a finding
    that no page shows has none.
    """

    code: str
    detail: str
    places: tuple[Place, ...] = field(repr=False)
    priority: float = 0.0
    remarks: tuple[Remark, ...] = ()

    @property
    def where(self) -> tuple[str, ...]:
        """Names of all places."""
        return tuple(place.name for place in self.places)

    @property
    def key(self) -> str:
        """Name of the first place: the picture, where the finding is about one picture."""
        return self.places[0].name

    @property
    def pictures(self) -> tuple[Place, ...]:
        """Places whose picture a person should look at."""
        return tuple(place for place in self.places if place.picture is not None)

    @property
    def severity(self) -> str:
        """One of SEVERITIES."""
        return _SEVERITY.get(self.code, "error")

    def to_json(self) -> dict[str, Any]:
        """The finding as the command line prints it."""
        return {"code": self.code, "severity": self.severity, "where": list(self.where), "detail": self.detail}


def merged(findings: Sequence[Finding]) -> Finding:
    """One finding for several of one code in one picture: it has all of their boxes and the first three details."""
    details = [finding.detail for finding in findings[:_MOST_DETAILS]]
    remarks = [remark for finding in findings[:_MOST_DETAILS] for remark in finding.remarks]
    more = len(findings) - _MOST_DETAILS
    if more > 0:
        details.append(f"{more} more")
        remarks.append(Remark("more", {"n": more}))
    first = findings[0].places[0]
    boxes = tuple(box for finding in findings for place in finding.places for box in place.boxes)
    place = Place(first.name, first.picture, boxes)
    priority = max(finding.priority for finding in findings)
    return Finding(findings[0].code, "; ".join(details), (place,), priority, tuple(remarks))
