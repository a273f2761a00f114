"""Fit the layout on photos whose roles people judged and on simulated tables: `make fit-layout`.

Three log-linear models, fitted by Newton's method with a quadratic penalty. Each photo is a list of alternatives, of
which one or several are right. A scene weighs the root of the number of its photos, simulated tables weigh together a
share of the photos. The result is `vision/layout/weights.json`.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from tilescore.datasets.layouts.judged import JUDGED_TABLES, OWN, judged_boxes, judged_photos
from tilescore.datasets.layouts.tables import table_of
from tilescore.models.registry import DEFAULT, load_reader
from tilescore.processes.parallel import Pool, work_in_order
from tilescore.vision.layout import bonus, selection_features, structure_features
from tilescore.vision.layout.bonus import bonus_row
from tilescore.vision.layout.contents import contents_of
from tilescore.vision.layout.model import WEIGHTS
from tilescore.vision.layout.scene import Scene
from tilescore.vision.layout.selection_features import feature_rows
from tilescore.vision.layout.selections import selections
from tilescore.vision.layout.structure_features import Measure
from tilescore.vision.layout.structures import structures

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from tilescore.datasets.layouts.judged import JudgedPhoto
    from tilescore.vision.layout.structures import Structure
    from tilescore.vision.reader import TileReader

    Array = NDArray[np.float64]

SIMULATED: Final = 2000
"""Simulated tables; about a quarter of them show no hand. Chosen."""
_SEED: Final = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class FitConfig:
    """Settings of the fit of one model. All values are chosen by leaving one source out.

    Attributes:
        penalty: Weight of the quadratic penalty, on features divided by their standard deviation.
        simulated: Total weight of the simulated tables, as a share of that of the photos.
        no_hand: Total weight of the photos without a hand, as a share of that of the others.
    """

    penalty: float
    simulated: float
    no_hand: float = 0.25


PARTS: Final = {
    "selection": FitConfig(penalty=0.001, simulated=0.6),
    "structure": FitConfig(penalty=0.0003, simulated=8.0),
    "bonus": FitConfig(penalty=0.0003, simulated=8.0),
}
"""The three models and how each is fitted."""
FEATURES_OF: Final = {
    "selection": selection_features.FEATURES,
    "structure": structure_features.FEATURES,
    "bonus": bonus.FEATURES,
}
_ROUNDS: Final = 8
"""Rounds in which several right alternatives share the weight of a photo by their probabilities."""
_STEPS: Final = 25
_SHORTEST_STEP: Final = 1e-3
"""A step of Newton's method is halved until it lowers the loss, at most to this share."""


_NEGLIGIBLE: Final = 1e-10
"""Alternatives of less weight do not bend the loss."""


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """One photo as a list of alternatives.

    Attributes:
        rows: features (N, F).
        right: which of them are right (N,).
    """

    rows: Array
    right: NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """One judged photo and what there is to choose in it.

    Attributes:
        photo: the photo.
        choices: by model. `selection` has one: the set of tiles that is the hand. `structure` has one for a true hand
            whose parts are judged.
            `bonus` has one for each flower: it belongs to the hand, or it does not, with features 0.
    """

    photo: JudgedPhoto
    choices: Mapping[str, tuple[Choice, ...]]


def example_of(photo: JudgedPhoto) -> Example:
    """The choices that a photo asks for."""
    scene = Scene.of(photo.detections, photo.size_wh)
    hand = frozenset(photo.hand & set(scene.faces.tolist()))
    chosen = selections(scene)
    selection = Choice(
        feature_rows(scene, chosen, contents_of(scene, chosen)), np.array([some == hand for some in chosen], bool)
    )
    if not hand:
        return Example(photo, {"selection": (selection,), "structure": (), "bonus": ()})
    some = list(structures(scene, hand))
    structure = Choice(Measure(scene).rows(some), np.array([is_right(one, photo) for one in some], bool))
    flowers = [at for at, tile in enumerate(scene.tiles) if tile.is_bonus]
    frame = some[int(structure.right.argmax())].frame
    beside = {at: bonus_row(scene, frame, at, sorted(photo.hand)) for at in flowers}
    inside = [
        Choice(np.stack([row, 0 * row]), np.array([at in photo.bonus, at not in photo.bonus]))
        for at, row in beside.items()
    ]
    judged_parts = () if photo.parts_open else (structure,)
    return Example(photo, {"selection": (selection,), "structure": judged_parts, "bonus": tuple(inside)})


def is_right(structure: Structure, photo: JudgedPhoto) -> bool:
    """Whether a structure of the true hand is what a person judged; unknown facts do not count."""
    sets = {frozenset(place.members): place for place in structure.declared}
    if structure.winning != photo.winning or not photo.melds <= sets.keys() <= photo.melds | photo.optional:
        return False
    if photo.right is not None and float(structure.frame.right @ np.array(photo.right)) <= 0:
        return False
    if photo.called is None:
        return True
    for members, place in sets.items():
        turned = members & photo.called
        if not place.is_hidden and (bool(turned) != (place.called is not None) or place.is_added != (len(turned) > 1)):
            return False
        if turned and place.called not in turned:
            return False
    return True


def fit(part: str, some: Sequence[Example], config: FitConfig | None = None) -> dict[str, float]:
    """The weights by feature that make what people judged most probable; only photos of the split `train` count."""
    config = config or PARTS[part]
    train = [example for example in some if example.photo.split == "train"]
    shares = _shares(train, config)
    pairs = [
        (share, choice)
        for share, example in zip(shares.tolist(), train, strict=True)
        for choice in example.choices[part]
        if choice.right.any()
    ]
    if not pairs:
        return dict.fromkeys(FEATURES_OF[part], 0.0)
    weights = newton([choice for _, choice in pairs], np.array([share for share, _ in pairs]), config.penalty)
    return dict(zip(FEATURES_OF[part], weights.tolist(), strict=True))


def newton(choices: Sequence[Choice], shares: Array, penalty: float) -> Array:
    """The weights (F,) of the smallest penalised loss. Right alternatives share the weight of their photo."""
    rows = np.concatenate([choice.rows for choice in choices])
    right = np.concatenate([choice.right for choice in choices])
    lengths = [len(choice.rows) for choice in choices]
    starts = np.concatenate([[0], np.cumsum(lengths)[:-1]]).astype(np.int64)
    list_of = np.repeat(np.arange(len(choices)), lengths)
    share = (shares / shares.sum())[list_of]
    scale = rows.std(axis=0)
    scale[scale < 1e-9] = np.inf
    rows = rows / scale
    weights = np.zeros(rows.shape[1])

    def chances(scores: Array) -> Array:
        powers = np.exp(scores - np.maximum.reduceat(scores, starts)[list_of])
        return np.asarray(powers / np.maximum(np.add.reduceat(powers, starts), 1e-300)[list_of])

    def loss(weights: Array, wanted: Array) -> float:
        scores = rows @ weights
        peaks = np.maximum.reduceat(scores, starts)
        totals = np.log(np.add.reduceat(np.exp(scores - peaks[list_of]), starts)) + peaks
        return float(share[starts] @ totals - wanted @ scores + penalty * weights @ weights / 2)

    for _ in range(_ROUNDS):
        before = weights
        wanted = share * chances(np.where(right, rows @ weights, -1e9))
        for _ in range(_STEPS):
            chance = chances(rows @ weights)
            gradient = (share * chance - wanted) @ rows + penalty * weights
            means = np.add.reduceat(rows * chance[:, None], starts)
            heavy = share * chance > _NEGLIGIBLE
            some = rows[heavy]
            hessian = (some * (share * chance)[heavy, None]).T @ some - (means * share[starts][:, None]).T @ means
            step = np.linalg.solve(hessian + penalty * np.eye(len(weights)), gradient)
            now, length = loss(weights, wanted), 1.0
            while loss(weights - length * step, wanted) > now and length > _SHORTEST_STEP:
                length /= 2
            weights = weights - length * step
            if np.abs(length * step).max() < 1e-3:
                break
        if np.abs(weights - before).max() < 1e-2:
            break
    return np.asarray(weights / scale)


def _shares(some: Sequence[Example], config: FitConfig) -> Array:
    """The weight of each example."""
    photos = Counter(example.photo.scene for example in some)
    shares = np.array([photos[example.photo.scene] ** -0.5 for example in some])
    empty = np.array([example.photo.kind == "no_hand" for example in some], bool)
    drawn = np.array([example.photo.source == "simulated" for example in some], bool)
    for part in (drawn, ~drawn):
        without, hands = part & empty, part & ~empty
        if without.any() and hands.any():
            shares[without] *= config.no_hand * shares[hands].sum() / shares[without].sum()
    if drawn.any() and not drawn.all():
        shares[drawn] *= config.simulated * shares[~drawn].sum() / shares[drawn].sum()
    return np.asarray(shares)


def judged(data: Path, *, more: Sequence[Path] = (), reader: TileReader | None = None) -> list[JudgedPhoto]:
    """All judged photos below that folder: those of `layouts`, then `tables` and our `photos`, read by the networks.

    `more` are further files of the form of `layouts.jsonl`, as `tilescore dataset layouts` writes them. Without a
    `reader` the shipped one reads.
    """
    photos = list(judged_boxes(data / "layouts" / "layouts.jsonl"))
    names = {photo.name for photo in photos}
    reader = reader or load_reader(DEFAULT)
    for folder, roles in (("tables", JUDGED_TABLES), ("photos", OWN)):
        photos += [photo for photo in judged_photos(data / folder, reader, roles) if photo.name not in names]
    return photos + [photo for path in more for photo in judged_boxes(path)]


def examples(photos: Iterable[JudgedPhoto]) -> list[Example]:
    """The examples of all photos that count, on all cores."""
    counted = [photo for photo in photos if photo.kind != "any"]
    return [example for _, example in work_in_order(example_of, counted, Pool(), batch_size=20)]


def simulated_examples(count: int = SIMULATED) -> list[Example]:
    """The examples of simulated tables, on all cores."""
    return [example for _, example in work_in_order(_simulated, range(count), Pool(), batch_size=50)]


def _simulated(index: int) -> Example:
    return example_of(table_of(_SEED, index))


def main() -> None:
    """Fit the weights and write them."""
    parser = argparse.ArgumentParser(prog="python -m tilescore.models.layout_fit", description=__doc__)
    parser.add_argument("data", type=Path, help="the folder with `layouts` and `photos`")
    parser.add_argument("more", type=Path, nargs="*", help="files that `tilescore dataset layouts` wrote")
    options = parser.parse_args()
    photos = [photo for photo in judged(options.data, more=options.more) if photo.split == "train"]
    some = [*examples(photos), *simulated_examples()]
    weights = {part: {name: round(weight, 4) for name, weight in fit(part, some).items()} for part in PARTS}
    text = json.dumps({"command": "make fit-layout", "photos": len(photos), "weights": weights}, indent=1)
    WEIGHTS.write_text(text + "\n", encoding="utf-8")
    sys.stderr.write(f"{len(photos)} photos and {len(some) - len(photos)} simulated tables; wrote {WEIGHTS.name}\n")


if __name__ == "__main__":
    main()
