"""Which hands are seen whole: `python -m benchmarks.reading.seen`.

A hand is seen whole if a detection lies on each of its tiles (IoU >= 0.5) and names it rightly, before the rules of the
game decide. The photos are those of ../shared/data/tables and of `datasets/layouts/roles.jsonl`; each source has equal
weight. `--changes` makes them harder to see (`benchmarks.reading.harder`), `--plain` leaves out the looks
along rows and at the negative, `--labelled` adds the tiles of `val` and `test_unseen`, where everything has a label.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from statistics import mean, median
from typing import TYPE_CHECKING, Final

from benchmarks.reading.accuracy import PHOTOS
from benchmarks.reading.harder import CHANGES
from tests.harness.figures import Figure, at_least, show
from tilescore.datasets.layouts.judged import OWN
from tilescore.models.evaluation.judged_hands import judged_hands
from tilescore.models.evaluation.matching import judge, labelled_photos, match
from tilescore.models.evaluation.metrics import f1
from tilescore.models.registry import load_reader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tilescore.models.evaluation.judged_hands import JudgedHand
    from tilescore.vision.detection.along_row import Corners
    from tilescore.vision.reader import TileReader

TABLES: Final = PHOTOS.parent / "tables"
_SPLITS: Final = (("val", 0.96), ("test_unseen", 0.95))


@dataclass
class Count:
    """What became of the photos with one change."""

    # for each source, whether each of its hands is seen whole
    whole: dict[str, list[bool]] = field(default_factory=lambda: defaultdict(list))
    # for each photo, the number of detections that are no tile of the hand
    others: list[int] = field(default_factory=list)
    spent_ms: list[float] = field(default_factory=list)  # for each photo, the processor's time

    def add(self, hand: JudgedHand, reader: TileReader) -> list[str]:
        """Read a photo; what is wrong with the tiles of its hand."""
        start = time.process_time()
        seen = reader.read(hand.photo).seen
        self.spent_ms.append(1000 * (time.process_time() - start))
        matches = match(seen, hand.tiles)
        self.others.append(sum(not one.true for one in matches))
        wrong = [f"{one.true} as {one.read or 'nothing'}" for one in matches if one.true and not one.right]
        self.whole[hand.source].append(not wrong)
        return wrong


def count_hands(reader: TileReader, corners: Corners, changes: Sequence[str], *, every: int) -> dict[str, Count]:
    """The counts of each change; prints what is wrong with each hand."""
    counts = {change: Count() for change in changes}
    judged = chain(judged_hands(TABLES / "roles.jsonl", TABLES), judged_hands(OWN, PHOTOS))
    for number, hand in enumerate(judged):
        for change, count in counts.items():
            for changed in CHANGES[change](hand, corners) if number % every == 0 else ():
                if wrong := count.add(changed, reader):
                    print(f"{change}: {Path(hand.photo.name).stem} ({hand.source}): {', '.join(wrong)}")
    return counts


def figures_of(change: str, count: Count) -> list[Figure]:
    """The counts as figures."""
    photos = [one for some in count.whole.values() for one in some]
    return [
        Figure(f"{change}: hands seen whole, {len(photos)} hands", sum(photos)),
        Figure(f"{change}: the same, mean of the sources", mean(map(mean, count.whole.values()))),
        *(
            Figure(f"{change}: the same, {source} ({len(some)} hands)", mean(some))
            for source, some in sorted(count.whole.items())
        ),
        Figure(f"{change}: other detections a photo", mean(count.others)),
        Figure(f"{change}: milliseconds of a reading, median", median(count.spent_ms)),
    ]


def labelled(reader: TileReader) -> list[Figure]:
    """Tile F1 and invented tiles a photo where everything has a label."""
    figures = []
    for split, least in _SPLITS:
        judged = [judge(reader, photo) for photo in labelled_photos(PHOTOS / "data.yaml", split)]
        matches = [one for photo in judged for one in photo.matches]
        invented = sum(not one.true for one in matches)
        figures += [
            at_least(f"tile F1, {split}", f1(matches), least),
            Figure(f"invented tiles a photo, {split}", invented / len(judged)),
            Figure(f"milliseconds of detection and names, {split}, median", median(one.milliseconds for one in judged)),
        ]
    return figures


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.reading.seen", description=__doc__)
    parser.add_argument("--changes", nargs="*", choices=tuple(CHANGES), default=["as they are"], help="what is changed")
    parser.add_argument("--every", type=int, default=1, help="read one hand of so many")
    parser.add_argument("--plain", action="store_true", help="without looks along rows and at the negative")
    parser.add_argument("--labelled", action="store_true", help="val and test_unseen as well")
    options = parser.parse_args(arguments)
    reader = load_reader()
    corners = reader.corners
    if corners is None:
        parser.error("this model finds no corners of faces: name another one.")
    if options.plain:
        reader = replace(reader, corners=None, config=replace(reader.config, few_faces=0))
    counts = count_hands(reader, corners, options.changes, every=options.every)
    figures = [figure for change, count in counts.items() for figure in figures_of(change, count)]
    show([*figures, *(labelled(reader) if options.labelled else ())])


if __name__ == "__main__":
    main()
