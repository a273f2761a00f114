"""What any reader of hands reads in public photos: `python -m benchmarks.public` prints it.

`benchmarks/public_hands.jsonl` names the photos, by git's hash of the file, with the hand that each shows.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import TYPE_CHECKING, Any, Final

from tests.harness.figures import Figure
from tilescore.errors import InputError
from tilescore.scoring.tiles import Tile, parse_tiles

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

HANDS: Final = Path(__file__).resolve().parents[2] / "benchmarks" / "public_hands.jsonl"
_LARGEST: Final = 14


@dataclass(frozen=True, slots=True)
class Hand:
    """The hand in a photo, as a multiset of plain tiles by part: red fives count as fives."""

    concealed: Counter[Tile]  # the tiles that are not declared, the winning one included
    melds: Counter[tuple[Tile, ...]]  # the tiles of each declared set
    winning: Tile | None  # the winning tile, if it lies apart
    bonus: Counter[Tile]  # flowers and seasons

    @staticmethod
    def of(hand: Mapping[str, Any] | None) -> Hand:
        """The hand of a JSON object; no hand has no tiles."""
        hand = hand or {}
        winning = hand.get("winning_tile")
        return Hand(
            _plain(hand.get("concealed") or ""),
            Counter(tuple(sorted(_plain(meld["tiles"]).elements(), key=str)) for meld in hand.get("melds") or ()),
            None if winning is None else Tile.parse(winning).plain,
            _plain(hand.get("bonus") or ""),
        )

    @property
    def tiles(self) -> Counter[Tile]:
        """All its tiles but flowers and seasons."""
        every = self.concealed + Counter(tile for meld in self.melds.elements() for tile in meld)
        return Counter({tile: count for tile, count in every.items() if not tile.is_bonus})

    @property
    def size(self) -> int:
        """Its tiles, a declared set counted as three."""
        return self.concealed.total() + 3 * self.melds.total()


@dataclass(frozen=True, slots=True)
class Photo:
    """One public photo: its name here, its source, what it shows (`hand`, `partial`, `no_hand`), and its hand."""

    id: str
    source: str
    kind: str
    hand: Hand


def public_photos() -> dict[str, Photo]:
    """The photos by git's hash of their files."""
    rows = [json.loads(line) for line in HANDS.read_text(encoding="utf-8").splitlines()]
    return {row["blob"]: Photo(row["id"], row["source"], row["kind"], Hand.of(row["hand"])) for row in rows}


def blob_of(path: Path) -> str:
    """Git's hash of a file: SHA-1 of the word `blob`, its length, a zero byte, and its content."""
    content = path.read_bytes()
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


def found_in(clones: Path, photos: Iterable[str]) -> list[Path]:
    """The files inside a folder that are one of these photos, by their hashes, each content once."""
    wanted, found = set(photos), dict[str, Path]()
    for path in sorted(clones.rglob("*")):
        if path.is_file() and ".git" not in path.parts and (blob := blob_of(path)) in wanted:
            found.setdefault(blob, path)
    return sorted(found.values())


def readings_in(clones: Path, file: Path, photos: Mapping[str, Photo]) -> dict[str, Hand]:
    """The readings of the photos, by the hash of the photo; the last line of a photo counts.

    Raises:
        InputError: a line is no reading, or names a photo that is not there.
    """
    found, copies = dict[str, Hand](), {photo.id: blob for blob, photo in photos.items()}
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
        if not line.strip():
            continue
        try:
            reading = json.loads(line)
            path = clones / str(reading["photo"])
            hand = Hand.of(reading["hand"])
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            message = f"{file}, line {number} is no reading ({error}): it needs `photo` and `hand` as `tilescore read`."
            raise InputError("bad_reading", message) from None
        if not path.is_file():
            message = f"{file}, line {number} names '{path}', which is not there: give the folder of the clones."
            raise InputError("no_photo", message)
        blob = blob_of(path)
        if blob in photos or path.stem in copies:
            found[blob if blob in photos else copies[path.stem]] = hand
    return found


def fault(photo: Photo, read: Hand | None) -> str | None:
    """What is wrong with a reading, in the order of the work; None if the tiles and all parts are right."""
    if read is None:
        return "not read"
    if photo.kind == "no_hand":
        return "a hand where there is none" if read.tiles else None
    faults = {
        "no hand found": not read.tiles,
        "other tiles": read.tiles != photo.hand.tiles,
        "declared sets": read.melds != photo.hand.melds,
        "winning tile": read.winning != photo.hand.winning,
        "flowers": read.bonus != photo.hand.bonus,
    }
    return next((name for name, is_one in faults.items() if is_one), None)


def figures_of(photos: Mapping[str, Photo], readings: Mapping[str, Hand]) -> list[Figure]:
    """Exact hands by size and source, hands with all parts right, photos left empty, and the faults by kind."""
    faults = {blob: fault(photo, readings.get(blob)) for blob, photo in photos.items()}
    inside = ("not read", "no hand found", "other tiles")
    hands = [blob for blob, photo in photos.items() if photo.kind == "hand"]
    empty = [blob for blob, photo in photos.items() if photo.kind == "no_hand"]
    small, large = ([one for one in hands if (photos[one].hand.size > _LARGEST) == big] for big in (False, True))

    def share(name: str, some: Sequence[str], is_right: Callable[[str], bool]) -> Figure:
        groups: dict[str, list[bool]] = defaultdict(list)
        for blob in some:
            groups[photos[blob].source].append(is_right(blob))
        return Figure(f"{name}, {len(some)} photos of {len(groups)} sources", mean(map(mean, groups.values())))

    def is_exact(blob: str) -> bool:
        return faults[blob] not in inside

    figures = [
        Figure("photos read", len(readings)),
        share("hands exact", hands, is_exact),
        share("of these 13 or 14 tiles", small, is_exact),
        share("of these 16 or 17 tiles", large, is_exact),
        share("hands with all parts right", hands, lambda blob: faults[blob] is None),
        share("left empty without a hand", empty, lambda blob: faults[blob] is None),
    ]
    for source in sorted({photos[blob].source for blob in hands}):
        some = [blob for blob in hands if photos[blob].source == source]
        figures.append(Figure(f"{source} ({len(some)}): hands exact", mean(map(is_exact, some))))
    kinds = Counter(faults[blob] for blob in (*hands, *empty))
    return figures + [Figure(f"fault: {kind}", count) for kind, count in kinds.most_common() if kind is not None]


def _plain(text: str) -> Counter[Tile]:
    return Counter(tile.plain for tile in parse_tiles(text) if not tile.is_back)
