"""The labelled photos that a fine-tuning learns from, and those that are held out to measure it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from tilescore.datasets import formats
from tilescore.datasets.checks.scans import scan_all
from tilescore.datasets.intake.raw import shown
from tilescore.datasets.labels import REJECTED, LabelledPicture, complete
from tilescore.datasets.splits import split_pictures
from tilescore.errors import InputError
from tilescore.printable import as_argument, counted
from tilescore.processes.parallel import ALL_CORES

Say = Callable[[str], None]

_HELD_OUT_SPLITS: Final = ("val", "test")
"""Splits for evaluation, not for training; each also with a word after it, as in `test_unseen`."""
_LEAST_PHOTOS: Final = 4
_SHARES: Final = {"train": 0.8, "val": 0.2}


def training_photos(
    data: Path, names: Mapping[str, str | None], say: Say
) -> tuple[list[LabelledPicture], list[LabelledPicture]]:
    """Training photos and held-out photos: by the splits of the set, or with a fifth of its scenes held out.

    Raises InputError if there are too few, or all show one scene.
    """
    read = formats.read(data, names=names)
    for problem in read.problems:
        if problem.code in ("unknown_class", "no_tile"):
            say(f"left out: {problem.detail}")
    whole, incomplete = complete(read.pictures)
    rejected = sum(problem.code == REJECTED for problem in incomplete)
    if rejected:
        say(f"left out: {counted(rejected, 'photo')} that a person has rejected")
    if incomplete[rejected:]:
        hidden = len(incomplete) - rejected
        say(f"left out: {counted(hidden, 'photo')} with a label that cannot be used; it would count as background")
    photos = [picture for picture in whole if picture.boxes]
    if len(photos) < _LEAST_PHOTOS:
        message = (
            f"'{data}' has {counted(len(photos), 'labelled photo')}: label at least {_LEAST_PHOTOS}, better twenty, "
            f"with tilescore annotate {as_argument(data)}."
        )
        raise InputError("too_few_photos", message, count=len(photos))
    photos, looks = _distinct(photos, data, say)
    # The others of a scene that the set holds out are held out, too.
    shares = {"train": 1.0} if any(_is_held_out(picture.split) for picture in photos) else _SHARES
    if shares is _SHARES:
        photos = [replace(picture, split="") for picture in photos]
    splits = split_pictures(photos, looks, shares=shares)
    mine = [picture for picture, split in zip(photos, splits, strict=True) if not _is_held_out(split)]
    held_out = [picture for picture, split in zip(photos, splits, strict=True) if _is_held_out(split)]
    if not mine or not held_out:
        message = f"all photos of '{data}' are of one scene, or none is held out: take more photos, of other hands."
        raise InputError("nothing_held_out", message)
    return mine, held_out


def _distinct(
    photos: Sequence[LabelledPicture], data: Path, say: Say
) -> tuple[list[LabelledPicture], list[bytes | None]]:
    """The photos, each file once, and their fingerprints; without files whose copies have different labels.

    Of copies, such as two people hand in, those that somebody has checked count, and of these one that is held out.
    """
    scans = scan_all([picture.path for picture in photos], pool=ALL_CORES)
    copies: dict[str, list[LabelledPicture]] = {}
    for picture, scan in zip(photos, scans, strict=True):
        copies.setdefault(scan.digest or picture.key, []).append(picture)
    kept: list[LabelledPicture] = []
    for alike in copies.values():
        known = [picture for picture in alike if picture.checked] or alike
        if len({tuple(sorted(box.name for box in picture.boxes)) for picture in known}) > 1:
            names = " and ".join(f"'{shown(picture.path, data)}'" for picture in known)
            say(f"left out: {names} are one photo with different labels; keep the right one alone")
        else:
            kept.append(min(known, key=lambda picture: not _is_held_out(picture.split)))
    fingerprint_of = {picture.path: scan.fingerprint for picture, scan in zip(photos, scans, strict=True)}
    return kept, [fingerprint_of[picture.path] for picture in kept]


def _is_held_out(split: str) -> bool:
    return split.partition("_")[0] in _HELD_OUT_SPLITS
