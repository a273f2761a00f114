"""Fit the layout on photos whose roles people judged and on simulated tables: `make fit-layout`.

Three small networks (`models/ranking.py`). Each photo is a list of alternatives, of which one or several are right. A
scene weighs the root of the number of its photos, simulated tables weigh together a share of the photos. The result is
`vision/layout/weights.json`.
"""

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from tilescore.datasets.layouts.judged import JUDGED_TABLES, OWN, JudgedPhoto, judged_boxes, judged_photos
from tilescore.datasets.layouts.tables import table_of
from tilescore.models.ranking import Choice, fit_network
from tilescore.models.registry import DEFAULT, load_reader
from tilescore.processes.parallel import Pool, work_in_order
from tilescore.vision.arrays import Floats
from tilescore.vision.layout.bonus import bonus_row
from tilescore.vision.layout.contents import contents_of
from tilescore.vision.layout.model import FEATURES_OF, WEIGHTS, Network
from tilescore.vision.layout.scene import Scene
from tilescore.vision.layout.selection_features import feature_rows
from tilescore.vision.layout.selections import selections
from tilescore.vision.layout.structure_features import Measure
from tilescore.vision.layout.structures import Structure, structures
from tilescore.vision.reader import TileReader

SIMULATED: Final = 2000
"""Simulated tables; about a quarter of them show no hand. Chosen."""
_SEED: Final = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class FitConfig:
    """Settings of the fit of one network. All values are chosen by leaving one source out."""

    penalty: float  # weight of the quadratic penalty, on features divided by their standard deviation
    simulated: float  # total weight of the simulated tables, as a share of that of the photos
    no_hand: float = 0.25  # total weight of the photos without a hand, as a share of that of the others
    units: int = 0  # hidden units of each start; 0 for a linear network


PARTS: Final = {
    "selection": FitConfig(penalty=0.01, simulated=1.2, units=8),
    "structure": FitConfig(penalty=0.0003, simulated=8.0),
    "bonus": FitConfig(penalty=0.0003, simulated=8.0),
}
"""The three networks and how each is fitted."""


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """One judged photo and what there is to choose in it."""

    photo: JudgedPhoto
    # By network. `selection` has one: the set of tiles that is the hand. `structure` has one for a true hand whose
    # parts are judged. `bonus` has one for each flower: it belongs to the hand, or it does not, with features 0.
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


def fit(part: str, some: Sequence[Example]) -> Network:
    """The network that makes what people judged most probable; only photos of the split `train` count."""
    config = PARTS[part]
    train = [example for example in some if example.photo.split == "train"]
    shares = _shares(train, config)
    pairs = [
        (share, choice)
        for share, example in zip(shares.tolist(), train, strict=True)
        for choice in example.choices[part]
        if choice.right.any()
    ]
    if not pairs:
        return Network(np.zeros((len(FEATURES_OF[part]), 1)), np.zeros(0), np.zeros(0))
    weights = np.array([share for share, _ in pairs])
    return fit_network([choice for _, choice in pairs], weights, penalty=config.penalty, units=config.units)


def _shares(some: Sequence[Example], config: FitConfig) -> Floats:
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
    added = [photo for path in more for photo in judged_boxes(path)]  # before the networks read for minutes
    photos = list(judged_boxes(data / "layouts" / "layouts.jsonl"))
    names = {photo.name for photo in photos}
    reader = reader or load_reader(DEFAULT)
    for folder, roles in (("tables", JUDGED_TABLES), ("photos", OWN)):
        photos += [photo for photo in judged_photos(data / folder, reader, roles) if photo.name not in names]
    return photos + added


def examples(photos: Iterable[JudgedPhoto]) -> list[Example]:
    """The examples of all photos that count, on all cores."""
    counted = [photo for photo in photos if photo.kind != "any"]
    return [example for _, example in work_in_order(example_of, counted, Pool(), batch_size=20)]


def simulated_examples() -> list[Example]:
    """The examples of simulated tables, on all cores."""
    return [example for _, example in work_in_order(_simulated, range(SIMULATED), Pool(), batch_size=50)]


def _simulated(index: int) -> Example:
    return example_of(table_of(_SEED, index))


def _text(found: Mapping[str, object]) -> str:
    text = json.dumps(found, indent=1)
    return re.sub(r"\[[^][]*\]", lambda numbers: " ".join(numbers[0].split()), text) + "\n"


def main() -> None:
    """Fit the networks and write them."""
    parser = argparse.ArgumentParser(prog="python -m tilescore.models.layout_fit", description=__doc__)
    parser.add_argument("data", type=Path, help="the folder with `layouts` and `photos`")
    parser.add_argument("more", type=Path, nargs="*", help="files that `tilescore dataset layouts` wrote")
    options = parser.parse_args()
    try:
        photos = [photo for photo in judged(options.data, more=options.more) if photo.split == "train"]
    except (OSError, ValueError, LookupError, TypeError) as error:
        parser.error(f"the judged photos cannot be read ({error!r}): name what tilescore dataset layouts wrote.")
    some = [*examples(photos), *simulated_examples()]
    networks = {part: fit(part, some).entry(FEATURES_OF[part]) for part in PARTS}
    found = {"command": "make fit-layout", "photos": len(photos), "networks": networks}
    WEIGHTS.write_text(_text(found), encoding="utf-8")
    sys.stderr.write(f"{len(photos)} photos and {len(some) - len(photos)} simulated tables; wrote {WEIGHTS.name}\n")


if __name__ == "__main__":
    main()
