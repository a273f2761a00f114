"""Decoding: the layout and the likeliest legal names, each found with the help of the other.

The layout depends a little on the names, and the names depend on the layout: a meld is a set, and the tiles of a
complete hand form sets and a pair.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from tilescore.scoring.hand import Hand
from tilescore.scoring.shapes.winning import OF_ANY_SIZE, Shape
from tilescore.scoring.tiles import Tile
from tilescore.vision.decoding.config import DECODING, DecodingConfig
from tilescore.vision.decoding.search import Legal, Solution, likeliest, likeliest_names
from tilescore.vision.detections import Detection
from tilescore.vision.hand_prior.order import weighed_by_order
from tilescore.vision.hand_prior.prior import hand_cost
from tilescore.vision.layout.layout import Layout, Role, lay_out


@dataclass(frozen=True, slots=True)
class Naming:
    """All detections with their names and roles."""

    detections: tuple[Detection, ...]  # each under its likeliest legal name
    layout: Layout
    legal: Legal
    completed: bool  # whether the names are those of a complete hand


def name_tiles(
    seen: tuple[Detection, ...],
    fixed: Mapping[int, Role],
    *,
    is_win: bool = False,
    shapes: frozenset[Shape] = OF_ANY_SIZE,
    aside: frozenset[Tile] = frozenset(),
    size_wh: tuple[int, int] = (0, 0),
    config: DecodingConfig = DECODING,
) -> Naming:
    """The likeliest legal names of all detections, and the layout under these names.

    `seen` has the names of the networks. The other arguments are those of `Reading.of`.
    """
    named = _renamed(seen, likeliest_names(seen))
    find = partial(
        lay_out, fixed=fixed, size_wh=size_wh, is_win=is_win, shapes=shapes, aside=aside, model=config.layout
    )
    naming = _decoded(seen, find(named), config, is_win=is_win, shapes=shapes)
    for _ in range(config.max_layouts - 1):
        if _tiles(naming.detections) == _tiles(named):
            break
        named = naming.detections
        naming = _decoded(seen, find(named), config, is_win=is_win, shapes=shapes)
    return naming


def _decoded(
    seen: tuple[Detection, ...], layout: Layout, config: DecodingConfig, *, is_win: bool, shapes: frozenset[Shape]
) -> Naming:
    melds = [place.members for place in layout.melds]
    claimed = [place.called for place in layout.melds if place.called is not None]
    concealed = [index for index in layout.order if layout.roles[index] in (Role.CONCEALED, Role.WINNING)]
    weighed = _weighed_by_order(seen, layout)
    legal = _without_completion(weighed, melds, layout.order, claimed)
    completed = False
    if len(concealed) + 3 * len(melds) == Hand.SIZE:
        row = [at for at, index in enumerate(concealed) if layout.roles[index] is Role.CONCEALED]
        cost_of = partial(hand_cost, [seen[index].names for index in concealed], row) if is_win else None
        complete = likeliest(
            weighed,
            melds=melds,
            concealed=concealed,
            shapes=shapes,
            vary=layout.order,
            cost_of=cost_of,
            claimed=claimed,
        )
        if complete and _is_believable(seen, legal.solutions[0], complete.solutions[0], config, is_win=is_win):
            legal = complete if is_win else complete.favoured(config.assumed_win_nats, legal)
            completed = legal.solutions[0].tiles == complete.solutions[0].tiles
    return Naming(_renamed(seen, legal.solutions[0].tiles), layout, legal, completed)


def _weighed_by_order(seen: tuple[Detection, ...], layout: Layout) -> tuple[Detection, ...]:
    """All detections, the names of concealed tiles weighed by the order of their row."""
    row = [index for index in layout.order if layout.roles[index] is Role.CONCEALED]
    found = list(seen)
    for index, names in zip(row, weighed_by_order([seen[index].names for index in row]), strict=True):
        found[index] = replace(seen[index], names=names)
    return tuple(found)


def _without_completion(
    seen: Sequence[Detection], melds: Sequence[Sequence[int]], vary: Sequence[int], claimed: Sequence[int] = ()
) -> Legal:
    """The likeliest names whether or not the hand is complete; there is always a solution."""
    legal = likeliest(seen, melds=melds, vary=vary, claimed=claimed)
    return Legal((Solution((), 0.0),), (), 0.0) if legal is None else legal


def _is_believable(
    seen: Sequence[Detection], likeliest_one: Solution, complete: Solution, config: DecodingConfig, *, is_win: bool
) -> bool:
    """Whether the names of a complete hand are likely enough and give up no clear name."""
    if complete.cost - likeliest_one.cost > (config.declared_win_nats if is_win else config.assumed_win_nats):
        return False
    return all(
        name == changed or detection.names[0].probability < config.clear_name_probability or detection.tile != name
        for detection, name, changed in zip(seen, likeliest_one.tiles, complete.tiles, strict=True)
    )


def _renamed(seen: Sequence[Detection], tiles: Sequence[Tile]) -> tuple[Detection, ...]:
    return tuple(
        detection if detection.tile == tile else detection.read_as(tile)
        for detection, tile in zip(seen, tiles, strict=True)
    )


def _tiles(detections: Sequence[Detection]) -> list[Tile]:
    return [detection.tile for detection in detections]
