"""The check of a whole data set: everything that a person should look at before a model learns from it.

`check` takes a set in any format and decodes every picture, in parallel. It returns a `Report` of findings and
changes nothing in the folder. A picture that has not changed since an earlier check is not decoded again.
"""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tilescore.datasets.checks.finding import SEVERITIES, Finding, Place
from tilescore.datasets.checks.label_checks import check_picture
from tilescore.datasets.checks.scans import Scan, scan_all
from tilescore.datasets.labels import CLASS_NAMES, REJECTED, LabelledPicture, LabelSet
from tilescore.datasets.pictures.near_duplicates import connected, same_scene_pairs
from tilescore.datasets.splits import source_of, version_of
from tilescore.printable import counted
from tilescore.processes.parallel import THIS_PROCESS, Pool
from tilescore.processes.progress import Progress, unseen


@dataclass(frozen=True, slots=True)
class SplitCount:
    """Number of pictures and boxes in one split, and of boxes of each class in the order of CLASS_NAMES."""

    split: str
    pictures: int
    boxes: int
    classes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """What a check found: a row for each split, and all findings, the gravest first.

    The digest is a hash of all pictures and labels as this format holds them, equal for equal content. `version` is the
    number with which this content was stamped, or None.
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


def check(labels: LabelSet, *, pool: Pool = THIS_PROCESS, progress: Progress = unseen) -> Report:
    """Check every picture and label of a data set, as `tilescore.datasets.formats.read` reads it."""
    pictures = labels.pictures
    scans = scan_all([picture.path for picture in pictures], pool=pool, progress=progress)
    findings = [
        Finding(problem.code, problem.detail, (Place(problem.where),))
        for problem in (*labels.problems, *labels.notes)
        if problem.code != "same_picture"  # the near-duplicates name them
    ]
    for picture, scan in zip(pictures, scans, strict=True):
        if scan.fingerprint is None:
            detail = "the file is damaged or cut short: its pixels cannot be decoded"
            findings.append(Finding("damaged_picture", detail, (Place(picture.key),)))
        findings += check_picture(picture)
        if picture.rejected:
            findings.append(Finding(REJECTED, picture.rejected, (Place(picture.key, picture.path),)))
    findings += _near_duplicates(pictures, scans)
    findings += _same_sources(pictures)
    counts = _counts(pictures)
    findings += _gaps(pictures, counts)
    findings.sort(key=lambda finding: (SEVERITIES.index(finding.severity), finding.code, finding.where))
    digest = _digest(pictures, scans)
    return Report(labels.root, labels.format_name, digest, version_of(labels.root, digest), counts, tuple(findings))


def _near_duplicates(pictures: Sequence[LabelledPicture], scans: Sequence[Scan]) -> Iterator[Finding]:
    """Groups of near-duplicates: a group that lies in several splits is a leak."""
    fingerprints = [scan.fingerprint for scan in scans if scan.fingerprint is not None]
    sound = [picture for picture, scan in zip(pictures, scans, strict=True) if scan.fingerprint is not None]
    pairs = [(first, second) for first, second, _ in same_scene_pairs(sound, fingerprints)]
    inside = [(first, second) for first, second in pairs if sound[first].split == sound[second].split]
    across = [(first, second) for first, second in pairs if sound[first].split != sound[second].split]
    for code, chosen in (("near_duplicate", inside), ("leak", across)):
        for group in connected(len(sound), chosen):
            if len(group) > 1:
                yield _duplicates(code, [sound[index] for index in group])


def _same_sources(pictures: Sequence[LabelledPicture]) -> Iterator[Finding]:
    """Copies that a program made of one picture, in several splits."""
    groups: dict[str, list[LabelledPicture]] = defaultdict(list)
    for picture in pictures:
        source = source_of(picture.name)
        if source:
            groups[source].append(picture)
    for source, group in groups.items():
        splits = sorted({picture.split for picture in group})
        if len(splits) > 1:
            detail = f"{len(group)} copies of {source} are in {' and '.join(splits)}: keep them in one split"
            yield Finding("same_source", detail, tuple(Place(picture.key, picture.path) for picture in group))


def _duplicates(code: str, group: Sequence[LabelledPicture]) -> Finding:
    splits = sorted({picture.split for picture in group})
    shared = f"in {' and '.join(splits)}: keep them in one split" if code == "leak" else "nearly the same"
    detail = f"{len(group)} photos show the same, {shared}" if code == "leak" else f"{len(group)} photos are {shared}"
    return Finding(code, detail, tuple(Place(picture.key, picture.path) for picture in group))


def _counts(pictures: Sequence[LabelledPicture]) -> tuple[SplitCount, ...]:
    rows: list[SplitCount] = []
    for split in sorted({picture.split for picture in pictures}):
        mine = [picture for picture in pictures if picture.split == split]
        names = Counter(box.name for picture in mine for box in picture.boxes)
        rows.append(SplitCount(split, len(mine), names.total(), tuple(names[name] for name in CLASS_NAMES)))
    return tuple(rows)


def _gaps(pictures: Sequence[LabelledPicture], counts: Sequence[SplitCount]) -> Iterator[Finding]:
    """Pictures without boxes and classes without examples."""
    bare = tuple(Place(picture.key) for picture in pictures if not picture.boxes)
    if bare:
        yield Finding("no_boxes", f"{counted(len(bare), 'picture')} without boxes: is no tile there?", bare)
    for count in counts:
        missing = [name for name, number in zip(CLASS_NAMES, count.classes, strict=True) if number == 0]
        if missing:
            yield Finding("class_missing", f"no example of {' '.join(missing)}", (Place(count.split),))


def _digest(pictures: Iterable[LabelledPicture], scans: Iterable[Scan]) -> str:
    """Sixteen hex digits: a hash of names, pixels and labels, with boxes to a tenth of a pixel.

    The hash of a set may change when the set is converted, because formats round differently.
    """
    total = hashlib.sha256()
    for picture, scan in zip(pictures, scans, strict=True):
        boxes = sorted(f"{box.name} " + " ".join(f"{v:.1f}" for v in box.box.xyxy) for box in picture.boxes)
        total.update("\n".join([picture.key, scan.digest, *boxes, ""]).encode())
    return total.hexdigest()[:16]
