"""Splits and versions of a data set that grows.

Near-duplicates of one scene, and copies that a program made of one picture, always share a split; otherwise
evaluation would overrate the model. `stamp` adds a line to `versions.jsonl` in the data set's folder for each version
of its content.
"""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import Final

from tilescore.datasets.labels import LabelledPicture
from tilescore.datasets.pictures.near_duplicates import connected, same_scene_pairs
from tilescore.errors import InputError
from tilescore.files.outputs import cannot_write, write_whole

VERSIONS: Final = "versions.jsonl"
USUAL_SHARES: Final = {"train": 0.8, "val": 0.1, "test": 0.1}


_COPIES: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"(?P<source>.+)\.rf\.[0-9a-z]+",  # Roboflow
        r"aug(?:mented)?[-_]?\d*[-_](?P<source>.+)",
        r"(?P<source>.+?)[-_](?:aug(?:mented)?|flip(?:ped)?|mirror(?:ed)?|[hv]flip|rot(?:ated)?|crop(?:ped)?)[-_]?\d*",
        r"(?P<source>.+?)[-_](?:blur(?:red)?|noise|bright|dark|shift(?:ed)?)[-_]?\d*",
    )
)
"""Names of augmented copies, with the name of their source."""


def split_by_scene(
    pictures: Sequence[LabelledPicture],
    pairs: Iterable[tuple[int, int]],
    *,
    shares: Mapping[str, float] = USUAL_SHARES,
    scenes: Sequence[str] = (),
    seed: int = 0,
) -> tuple[str, ...]:
    """The split of each picture; it depends on the pictures and the seed, not on their order.

    If some pictures of a scene have a split already, the whole scene goes to the split of most of them. So a set that
    grows keeps its held-out pictures. A split without an entry in the shares keeps all its pictures, and the others of
    their scenes go there; a share of 0 dissolves a split. Every other scene goes to the split that lacks most, in an
    order drawn from the names.

    `pairs` are indices of pictures that show one scene, as `same_scene_pairs` finds them. `scenes` are names of scenes,
    where they are known; equal names stay together, too. The shares need not sum to 1.

    Raises InputError if no split has a share.
    """
    wanted = {split: share for split, share in shares.items() if share > 0}
    if not wanted:
        raise InputError("no_shares", f"{dict(shares)} gives no split a share: say e.g. train 0.8, val 0.2.")
    groups = connected(len(pictures), [*pairs, *_same_scene(scenes)])
    filled = Counter[str]()
    chosen: dict[int, str] = {}
    fresh: list[list[int]] = []
    for group in groups:
        splits = [split for place in group if (split := pictures[place].split) and shares.get(split, 1) > 0]
        splits = [split for split in splits if split not in shares] or splits
        if splits:
            _put(group, max(sorted(set(splits)), key=splits.count), chosen, filled)
        else:
            fresh.append(group)
    total = sum(wanted.values())
    shared = len(pictures) - sum(count for split, count in filled.items() if split not in wanted)
    for group in sorted(fresh, key=lambda group: _draw(group, pictures, seed)):
        lacking = {split: wanted[split] / total * shared - filled[split] for split in wanted}
        _put(group, max(lacking, key=lambda split: lacking[split]), chosen, filled)
    return tuple(chosen[place] for place in range(len(pictures)))


def split_pictures(
    pictures: Sequence[LabelledPicture],
    fingerprints: Sequence[bytes | None],
    *,
    shares: Mapping[str, float] = USUAL_SHARES,
    seed: int = 0,
) -> tuple[str, ...]:
    """The split of each picture, with near-duplicates in one split; the fingerprint of a damaged picture is None."""
    if len({picture.split for picture in pictures}) == 1:  # one split alone holds nothing out
        pictures = [replace(picture, split="") for picture in pictures]
    sources = [source_of(picture.name) for picture in pictures]
    return split_by_scene(pictures, _pairs(pictures, fingerprints), shares=shares, scenes=sources, seed=seed)


def scenes_of(pictures: Sequence[LabelledPicture], fingerprints: Sequence[bytes | None]) -> tuple[str, ...]:
    """The scene of each picture, called after its first picture; a near-duplicate shows the same scene."""
    sources = [source_of(picture.name) for picture in pictures]
    groups = connected(len(pictures), [*_pairs(pictures, fingerprints), *_same_scene(sources)])
    names = {place: PurePosixPath(pictures[group[0]].name).stem for group in groups for place in group}
    return tuple(names[place] for place in range(len(pictures)))


def _pairs(pictures: Sequence[LabelledPicture], fingerprints: Sequence[bytes | None]) -> list[tuple[int, int]]:
    """Pairs of pictures of one scene; those without a fingerprint are in none."""
    sound = [index for index, fingerprint in enumerate(fingerprints) if fingerprint is not None]
    sound_ones = [fingerprint for fingerprint in fingerprints if fingerprint is not None]
    pairs = same_scene_pairs([pictures[index] for index in sound], sound_ones)
    return [(sound[first], sound[second]) for first, second, _ in pairs]


def source_of(name: str) -> str:
    """The picture of which another program made a copy with that name; empty if the name tells none.

    >>> source_of("train/t0_jpg.rf.0a1b.jpg"), source_of("IMG_1.jpg"), source_of("aug_3_IMG_1.jpg")
    ('t0_jpg', '', 'IMG_1')
    """
    stem = PurePosixPath(name).stem
    copy = next((match for pattern in _COPIES if (match := pattern.fullmatch(stem))), None)
    return copy["source"] if copy else ""


def parse_shares(text: str) -> dict[str, float]:
    """Parse shares such as `train=0.9,val=0.1`; raises InputError.

    >>> parse_shares("train=0.9, val=0.1")
    {'train': 0.9, 'val': 0.1}
    """
    shares: dict[str, float] = {}
    for part in text.split(","):
        name, equals, number = (word.strip() for word in part.partition("="))
        try:
            value = float(number)
        except ValueError:
            value = -1.0
        if not equals or not name.isidentifier() or not 0 <= value < 1e6:
            raise InputError("bad_shares", f"'{part.strip()}' is no share: write e.g. train=0.8,val=0.2.", text=text)
        if name in shares:
            raise InputError(
                "share_twice", f"the split {name} stands twice in '{text}': keep one of the two.", text=text
            )
        shares[name] = value
    return shares


def stamp(folder: Path, digest: str, *, pictures: int, boxes: int) -> int:
    """The version number of that content; new content gets the next number, which is written to the file."""
    stamped = version_of(folder, digest)
    if stamped is not None:
        return stamped
    number = max((version for version, _ in _versions(folder)), default=0) + 1
    when = datetime.now(UTC).isoformat(timespec="seconds")
    line = {"version": number, "hash": digest, "stamped": when, "pictures": pictures, "boxes": boxes}
    file = folder / VERSIONS
    try:
        before = file.read_bytes() if file.exists() else b""
    except OSError as error:
        raise cannot_write(file, error) from None
    whole = before if before.endswith(b"\n") or not before else before + b"\n"
    write_whole(file, whole + json.dumps(line).encode() + b"\n")
    return number


def version_of(folder: Path, digest: str) -> int | None:
    """The version number of that content, or None if it has none."""
    return next((number for number, kept in reversed(_versions(folder)) if kept == digest), None)


def _versions(folder: Path) -> list[tuple[int, str]]:
    """Number and hash of each version, without broken lines."""
    try:
        lines = (folder / VERSIONS).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []
    versions: list[tuple[int, str]] = []
    for line in lines:
        try:
            entry = json.loads(line)
        except ValueError:
            continue
        if isinstance(entry, dict) and isinstance(entry.get("version"), int) and isinstance(entry.get("hash"), str):
            versions.append((entry["version"], entry["hash"]))
    return versions


def _same_scene(scenes: Sequence[str]) -> list[tuple[int, int]]:
    first: dict[str, int] = {}
    return [(first.setdefault(scene, place), place) for place, scene in enumerate(scenes) if scene]


def _put(group: Sequence[int], split: str, chosen: dict[int, str], filled: Counter[str]) -> None:
    filled[split] += len(group)
    chosen.update(dict.fromkeys(group, split))


def _draw(group: Sequence[int], pictures: Sequence[LabelledPicture], seed: int) -> str:
    """Sort key of a scene: large scenes first, then an order drawn from the seed and the scene's first name.

    Small scenes come last because they can fill small gaps.
    """
    name = min(pictures[place].name for place in group)
    return f"{10**9 - len(group):010d} " + hashlib.sha256(f"{seed} {name}".encode()).hexdigest()
