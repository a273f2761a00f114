"""Measure a network for the parts of tiles on authors from whom it has not learned (extra `train`).

python -m tilescore.models.layout_network.folds ../shared/data    # half an hour; a second run takes what `runs` holds

The network learns from simulated tables, then from judged photos of all authors but those of one fold. The few weights
of the decision are fitted on what the networks of the other folds say.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tilescore.base.parallel import Pool, work_in_order
from tilescore.datasets.layouts.tables import table_of
from tilescore.models.layout_fit import judged, newton
from tilescore.models.layout_network.decision import FEATURES, rows_of
from tilescore.models.layout_network.hypotheses import WINNING, hypotheses, log_parts
from tilescore.models.layout_network.network import export_layout, judge, lesson_of, train_layout
from tilescore.vision.inference.session import open_session
from tilescore.vision.layout.scene import Scene

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from tilescore.datasets.layouts.judged import JudgedPhoto
    from tilescore.models.layout_network.hypotheses import Hypothesis
    from tilescore.models.layout_network.network import Lesson

    Array = NDArray[np.float64]

RUNS: Final = Path("runs")
SIMULATED: Final = 26_000
"""Simulated tables to learn from. Chosen."""
_SEED: Final = 1
FOLDS: Final = 5
_PENALTY: Final = 0.001
"""Weight of the quadratic penalty, on features divided by their standard deviation. Chosen."""
_NO_HAND: Final = 0.35
"""The weight of a photo without a hand beside one with a hand. Chosen."""


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """One photo as a list of hypotheses.

    Attributes:
        photo: the photo.
        some: the hypotheses.
        rows: features (H, F) of the hypotheses.
        right: which of them are right (H,).
    """

    photo: JudgedPhoto
    some: Sequence[Hypothesis]
    rows: Array
    right: NDArray[np.bool_]


# Photos


def teaches(photo: JudgedPhoto) -> bool:
    """Whether the layout may learn from a photo: it is not for measuring, and shows a whole hand or none.

    Few tiles laid out to be seen are called a part of a hand by one reader and no hand by another.
    """
    return photo.split == "train" and photo.kind in ("hand", "no_hand")


def folds(photos: Iterable[JudgedPhoto]) -> dict[str, int]:
    """The fold of each author: all photos of one author are left out together, and folds are about as large."""
    counts = Counter(photo.author for photo in photos)
    sizes, found = [0] * FOLDS, {}
    for author, count in sorted(counts.items(), key=lambda entry: (-entry[1], entry[0])):
        found[author] = sizes.index(min(sizes))
        sizes[found[author]] += count
    return found


def simulated_lessons(count: int = SIMULATED) -> list[Lesson]:
    """What simulated tables teach, on all cores."""
    done = work_in_order(partial(_simulated, _SEED), range(count), Pool(), batch_size=100)
    return [lesson for _, lesson in done if lesson is not None]


def _simulated(seed: int, index: int) -> Lesson | None:
    return lesson_of(table_of(seed, index))


def lessons_of(photos: Iterable[JudgedPhoto]) -> list[Lesson]:
    """What judged photos teach."""
    found = (lesson_of(photo) for photo in photos if teaches(photo))
    return [lesson for lesson in found if lesson is not None]


# The network


def learned(tables: Sequence[Lesson], photos: Sequence[JudgedPhoto], out: Path) -> None:
    """Write the network that these photos teach; a second call resumes the training from the checkpoint beside it."""
    out.parent.mkdir(parents=True, exist_ok=True)
    export_layout(train_layout(tables, lessons_of(photos), out.with_suffix(".pt")), out)


def left_out(
    photos: Sequence[JudgedPhoto], tables: Sequence[Lesson] = (), *, runs: Path = RUNS
) -> Iterator[tuple[Path, list[JudgedPhoto]]]:
    """For each fold the network that has not learned from its authors, and the photos of these authors.

    Args:
        photos: all judged photos that count.
        tables: simulated tables to train the networks with; without them, the networks of the last training are taken.
        runs: the folder of the networks.
    """
    fold_of = folds(photos)
    for fold in range(FOLDS):
        network = runs / f"layout-{fold}.onnx"
        if tables:
            learned(tables, [photo for photo in photos if fold_of[photo.author] != fold], network)
        yield network, [photo for photo in photos if fold_of[photo.author] == fold]


# The decision


def choice_of(session: Any, photo: JudgedPhoto) -> Choice:
    """The hypotheses of a photo by a network, as an onnxruntime session, and which of them are right."""
    scene = Scene.of(photo.detections, photo.size_wh)
    says = judge(session, scene)
    some = hypotheses(scene, log_parts(scene, says.parts), says.together)
    right = np.array([is_right(one, photo) for one in some], bool)
    if not right.any():
        right = np.array([is_right(one, photo, tiles_alone=True) for one in some], bool)
    return Choice(photo, some, rows_of(scene, some, says.no_hand), right)


def is_right(one: Hypothesis, photo: JudgedPhoto, *, tiles_alone: bool = False) -> bool:
    """Whether a hypothesis is what a person judged."""
    sets = frozenset(frozenset(some.members) for some in one.sets)
    if photo.kind == "no_hand" or not photo.hand:
        return not one.count
    if frozenset(one.loose).union(*sets) != photo.hand or not photo.melds <= sets <= photo.melds | photo.optional:
        return False
    winning = next((at for at, part in enumerate(one.parts) if part == WINNING), None)
    return tiles_alone or (winning in (photo.winning, *photo.maybe_winning) and one.bonus == photo.bonus)


def fit(choices: Sequence[Choice]) -> dict[str, float]:
    """The weights by feature that make what people judged most probable; each source counts alike but for its size."""
    usable = [choice for choice in choices if choice.right.any() and teaches(choice.photo)]
    counts = Counter(choice.photo.source for choice in usable)
    shares = [
        counts[choice.photo.source] ** -0.5 * (_NO_HAND if choice.photo.kind == "no_hand" else 1.0) for choice in usable
    ]
    weights = newton(usable, np.array(shares), _PENALTY)
    return dict(zip(FEATURES, weights.tolist(), strict=True))


def outcomes(photos: Sequence[JudgedPhoto], *, runs: Path = RUNS) -> Iterator[tuple[JudgedPhoto, Hypothesis]]:
    """Each photo with the hypothesis that a network and weights choose which have seen no photo of its author."""
    parts = [(open_session(path, threads=1), some) for path, some in left_out(photos, runs=runs)]
    listed = [[choice_of(session, photo) for photo in some] for session, some in parts]
    for number, part in enumerate(listed):
        weights = np.array(
            list(fit([one for at, other in enumerate(listed) if at != number for one in other]).values())
        )
        for choice in part:
            yield choice.photo, choice.some[int((choice.rows @ weights).argmax())]


def main() -> None:
    """Train the networks that are missing in `runs`, and print what they reach, source by source."""
    parser = argparse.ArgumentParser(prog="python -m tilescore.models.layout_network.folds", description=__doc__)
    parser.add_argument("data", type=Path, help="the folder with `layouts`, `tables` and `photos`")
    options = parser.parse_args()
    photos = [photo for photo in judged(options.data) if photo.kind != "any" and photo.detections]
    if any(not path.exists() for path, _ in left_out(photos)):
        for _ in left_out(photos, simulated_lessons()):
            sys.stderr.write("a network is trained\n")
    found: dict[str, list[tuple[JudgedPhoto, Hypothesis]]] = {}
    for photo, chosen in outcomes(photos):
        found.setdefault(photo.source, []).append((photo, chosen))
    print(f"{'source':<16}{'hands':>6}{'tiles':>7}{'roles':>7}{'none':>6}{'empty':>7}")
    for source, some in sorted(found.items()):
        hands = [entry for entry in some if entry[0].kind == "hand"]
        without = [entry for entry in some if entry[0].kind == "no_hand"]
        tiles = sum(is_right(chosen, photo, tiles_alone=True) for photo, chosen in hands)
        roles = sum(is_right(chosen, photo) for photo, chosen in hands)
        empty = sum(not chosen.count for _, chosen in without)
        print(f"{source:<16}{len(hands):>6}{tiles:>7}{roles:>7}{len(without):>6}{empty:>7}")


if __name__ == "__main__":
    main()
