"""Everything about a data set that a person should look at before a model learns from it.

`check` reads the labels in any format, decodes every picture once (in parallel, and never again while it stays the
same), and gives a `Report` of findings; nothing in the folder is changed.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from tilescore.base.parallel import THIS_PROCESS, Pool
from tilescore.datasets import formats
from tilescore.datasets.checks.label_checks import check_picture
from tilescore.datasets.checks.near_duplicates import connected, same_scene_pairs
from tilescore.datasets.checks.scans import scan_all
from tilescore.datasets.labels import CLASS_NAMES
from tilescore.datasets.splits import version_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from tilescore.datasets.checks.scans import Progress, Scan
    from tilescore.datasets.labels import LabelledPicture
    from tilescore.vision.image.boxes import Box

SEVERITIES: Final = ("error", "leak", "suspect", "note")
"""From what breaks training to what is only good to know."""
_SEVERITY: Final = {
    "leak": "leak",
    "near_duplicate": "suspect",
    "odd_shape": "suspect",
    "odd_size": "suspect",
    "duplicate_box": "suspect",
    "contradictory_boxes": "suspect",
    "five_of_a_kind": "suspect",
    "no_boxes": "note",
    "class_missing": "note",
}


@dataclass(frozen=True, slots=True)
class Exhibit:
    """A picture that a finding is about, and the boxes in it that are meant."""

    key: str
    path: Path
    boxes: tuple[Box, ...] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to look at.

    Attributes:
        code: stable name, e.g. `leak` or `unknown_class`.
        where: the files or pictures it is about, below the folder.
        detail: what is wrong, quoting it.
        exhibits: the pictures to look at.
    """

    code: str
    where: tuple[str, ...]
    detail: str
    exhibits: tuple[Exhibit, ...] = field(default=(), repr=False)

    @property
    def severity(self) -> str:
        """One of SEVERITIES."""
        return _SEVERITY.get(self.code, "error")

    def to_json(self) -> dict[str, Any]:
        """The finding as the command line prints it."""
        return {"code": self.code, "severity": self.severity, "where": list(self.where), "detail": self.detail}


@dataclass(frozen=True, slots=True)
class SplitCount:
    """How much there is in one split; `classes` in the order of CLASS_NAMES."""

    split: str
    pictures: int
    boxes: int
    classes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """What a check found.

    Attributes:
        folder: the data set.
        format_name: how its labels are written.
        digest: hash of all pictures and labels as this format holds them; equal for equal content.
        version: the number this content was stamped with, or None.
        counts: a row a split.
        findings: the gravest first.
    """

    folder: Path
    format_name: str
    digest: str
    version: int | None
    counts: tuple[SplitCount, ...]
    findings: tuple[Finding, ...]

    def of(self, severity: str) -> tuple[Finding, ...]:
        """The findings of that severity."""
        return tuple(finding for finding in self.findings if finding.severity == severity)

    def to_json(self) -> dict[str, Any]:
        """The report as the command line prints it."""
        return {
            "folder": str(self.folder),
            "format": self.format_name,
            "hash": self.digest,
            "version": self.version,
            "pictures": sum(count.pictures for count in self.counts),
            "boxes": sum(count.boxes for count in self.counts),
            "splits": {
                count.split: {
                    "pictures": count.pictures,
                    "boxes": count.boxes,
                    "classes": dict(zip(CLASS_NAMES, count.classes, strict=True)),
                }
                for count in self.counts
            },
            "found": {severity: len(self.of(severity)) for severity in SEVERITIES},
            "findings": [finding.to_json() for finding in self.findings],
        }


def check(
    folder: Path, *, format_name: str | None = None, pool: Pool = THIS_PROCESS, progress: Progress | None = None
) -> Report:
    """Look at every picture and label of a data set; raises InputError when it is none.

    Args:
        folder: the data set, or its label file.
        format_name: told from the files when not given.
        pool: who looks at the pictures.
        progress: called with how many pictures are done, and of how many.
    """
    found = formats.read(folder, format_name=format_name)
    pictures = found.pictures
    scans = scan_all([picture.path for picture in pictures], pool=pool, progress=progress)
    findings = [Finding(problem.code, (problem.where,), problem.detail) for problem in found.problems]
    for picture, scan in zip(pictures, scans, strict=True):
        if scan.look is None:
            detail = "the file is damaged or cut short: its pixels cannot be decoded"
            findings.append(Finding("damaged_picture", (picture.key,), detail))
        findings += [
            Finding(remark.code, (picture.key,), remark.detail, (Exhibit(picture.key, picture.path, remark.boxes),))
            for remark in check_picture(picture)
        ]
    findings += _look_alikes(pictures, scans)
    counts = _counts(pictures)
    findings += _gaps(pictures, counts)
    findings.sort(key=lambda finding: (SEVERITIES.index(finding.severity), finding.code, finding.where))
    digest = _digest(pictures, scans)
    return Report(folder, found.format_name, digest, version_of(found.root, digest), counts, tuple(findings))


def _look_alikes(pictures: Sequence[LabelledPicture], scans: Sequence[Scan]) -> Iterator[Finding]:
    """Groups of near-duplicates: a leak when a group lies in several splits."""
    sound = [
        (picture, scan.look) for picture, scan in zip(pictures, scans, strict=True) if scan.look is not None
    ]  # fmt: skip
    seen = [picture for picture, _ in sound]
    pairs = [(first, second) for first, second, _ in same_scene_pairs(seen, [look for _, look in sound])]
    inside = [(first, second) for first, second in pairs if seen[first].split == seen[second].split]
    across = [(first, second) for first, second in pairs if seen[first].split != seen[second].split]
    for code, tied in (("near_duplicate", inside), ("leak", across)):
        for group in connected(len(seen), tied):
            if len(group) > 1:
                yield _alike(code, [seen[place] for place in group])


def _alike(code: str, group: Sequence[LabelledPicture]) -> Finding:
    splits = sorted({picture.split for picture in group})
    shared = f"in {' and '.join(splits)}: keep them in one split" if code == "leak" else "nearly the same"
    detail = f"{len(group)} photos show the same, {shared}" if code == "leak" else f"{len(group)} photos are {shared}"
    exhibits = tuple(Exhibit(picture.key, picture.path) for picture in group)
    return Finding(code, tuple(picture.key for picture in group), detail, exhibits)


def _counts(pictures: Sequence[LabelledPicture]) -> tuple[SplitCount, ...]:
    rows: list[SplitCount] = []
    for split in sorted({picture.split for picture in pictures}):
        mine = [picture for picture in pictures if picture.split == split]
        names = Counter(box.name for picture in mine for box in picture.boxes)
        rows.append(SplitCount(split, len(mine), names.total(), tuple(names[name] for name in CLASS_NAMES)))
    return tuple(rows)


def _gaps(pictures: Sequence[LabelledPicture], counts: Sequence[SplitCount]) -> Iterator[Finding]:
    """What is not there: pictures without boxes, classes without examples."""
    bare = tuple(picture.key for picture in pictures if not picture.boxes)
    if bare:
        yield Finding("no_boxes", bare, f"{len(bare)} pictures have no boxes: is no tile in them?")
    for count in counts:
        missing = [name for name, number in zip(CLASS_NAMES, count.classes, strict=True) if number == 0]
        if missing:
            yield Finding("class_missing", (count.split,), f"no example of {' '.join(missing)}")


def _digest(pictures: Iterable[LabelledPicture], scans: Iterable[Scan]) -> str:
    """Sixteen digits over names, pixels and labels, boxes to a tenth of a pixel.

    A set converted to another format may get another hash: formats round differently.
    """
    total = hashlib.sha256()
    for picture, scan in zip(pictures, scans, strict=True):
        boxes = sorted(f"{box.name} " + " ".join(f"{v:.1f}" for v in box.box.xyxy) for box in picture.boxes)
        total.update("\n".join([picture.key, scan.digest, *boxes, ""]).encode())
    return total.hexdigest()[:16]
