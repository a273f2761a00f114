"""A data set as a thing that lives: which split a picture belongs to, and which version its content is.

Scenes stay together: photos that are nearly the same never lie on both sides of a split, or the measured figures
would flatter the model. Versions are lines of `versions.jsonl` in the data set's folder, added by `stamp`.
"""

from __future__ import annotations

import hashlib
import json
import os
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from tilescore.base.errors import InputError
from tilescore.datasets.checks.near_duplicates import connected, same_scene_pairs

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from tilescore.datasets.labels import LabelledPicture

VERSIONS: Final = "versions.jsonl"
USUAL_SHARES: Final = {"train": 0.8, "val": 0.1, "test": 0.1}


def split_by_scene(
    pictures: Sequence[LabelledPicture],
    pairs: Iterable[tuple[int, int]],
    *,
    shares: Mapping[str, float] = USUAL_SHARES,
    scenes: Sequence[str] = (),
    seed: int = 0,
) -> tuple[str, ...]:
    """The split of each picture: always the same for the same pictures, in whatever order they come.

    A scene that has a picture in a split already goes there whole (where most of it is), so a set that grows keeps
    its held-out pictures; the others fill the splits that lack most, in an order drawn from their names.

    Args:
        pictures: all of the set.
        pairs: places of pictures that show the same, as `same_scene_pairs` finds them.
        shares: how much each split should get; they need not sum to 1.
        scenes: the scene of each picture where it is known, or nothing; equal ones stay together too.
        seed: another one gives another split.

    Raises:
        InputError: no split has a share.
    """
    wanted = {split: share for split, share in shares.items() if share > 0}
    if not wanted:
        raise InputError("no_shares", f"{dict(shares)} gives no split a share: say e.g. train 0.8, val 0.2.")
    groups = connected(len(pictures), [*pairs, *_same_scene(scenes)])
    filled = dict.fromkeys(wanted, 0)
    chosen: dict[int, str] = {}
    fresh: list[list[int]] = []
    for group in groups:
        known = [pictures[place].split for place in group if pictures[place].split in wanted]
        if known:
            _put(group, max(sorted(set(known)), key=known.count), chosen, filled)
        else:
            fresh.append(group)
    total = sum(wanted.values())
    for group in sorted(fresh, key=lambda group: _draw(group, pictures, seed)):
        lacking = {split: wanted[split] / total * len(pictures) - filled[split] for split in wanted}
        _put(group, max(lacking, key=lambda split: lacking[split]), chosen, filled)
    return tuple(chosen[place] for place in range(len(pictures)))


def split_pictures(
    pictures: Sequence[LabelledPicture],
    looks: Sequence[bytes | None],
    *,
    shares: Mapping[str, float] = USUAL_SHARES,
    seed: int = 0,
) -> tuple[str, ...]:
    """The split of each picture by how they look; `looks` are their fingerprints, None for damaged ones."""
    sound = [place for place, look in enumerate(looks) if look is not None]
    pairs = same_scene_pairs([pictures[place] for place in sound], [look for look in looks if look is not None])
    tied = [(sound[first], sound[second]) for first, second, _ in pairs]
    return split_by_scene(pictures, tied, shares=shares, seed=seed)


def parse_shares(text: str) -> dict[str, float]:
    """Shares as a person writes them; raises InputError.

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
        shares[name] = value
    return shares


def stamp(folder: Path, digest: str, *, pictures: int, boxes: int) -> int:
    """The version number of that content: the known one, or the next, which is written down."""
    known = version_of(folder, digest)
    if known is not None:
        return known
    number = max((found for found, _ in _versions(folder)), default=0) + 1
    when = datetime.now(UTC).isoformat(timespec="seconds")
    line = {"version": number, "hash": digest, "stamped": when, "pictures": pictures, "boxes": boxes}
    try:
        with (folder / VERSIONS).open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        message = f"'{folder / VERSIONS}' cannot be written ({error.strerror})."
        raise InputError("cannot_write", message, path=str(folder)) from None
    return number


def version_of(folder: Path, digest: str) -> int | None:
    """The number that this content was stamped with, or None."""
    return next((number for number, known in reversed(_versions(folder)) if known == digest), None)


def _versions(folder: Path) -> list[tuple[int, str]]:
    """Number and hash of each version; lines that are broken are passed over."""
    try:
        lines = (folder / VERSIONS).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []
    found: list[tuple[int, str]] = []
    for line in lines:
        try:
            entry = json.loads(line)
        except ValueError:
            continue
        if isinstance(entry, dict) and isinstance(entry.get("version"), int) and isinstance(entry.get("hash"), str):
            found.append((entry["version"], entry["hash"]))
    return found


def _same_scene(scenes: Sequence[str]) -> list[tuple[int, int]]:
    first: dict[str, int] = {}
    return [(first.setdefault(scene, place), place) for place, scene in enumerate(scenes) if scene]


def _put(group: Sequence[int], split: str, chosen: dict[int, str], filled: dict[str, int]) -> None:
    filled[split] += len(group)
    chosen.update(dict.fromkeys(group, split))


def _draw(group: Sequence[int], pictures: Sequence[LabelledPicture], seed: int) -> str:
    """A scene's place in the order: drawn from the seed and its first name, large scenes first.

    Large ones first, because a small one can always fill what is left.
    """
    name = min(pictures[place].name for place in group)
    return f"{10**9 - len(group):010d} " + hashlib.sha256(f"{seed} {name}".encode()).hexdigest()
