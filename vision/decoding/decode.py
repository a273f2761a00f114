"""Naming everything seen: the layout and the likeliest legal names, each found with the help of the other.

Where tiles lie depends a little on what they are, what they are depends on where they lie: melds are sets, and
a hand that is complete is complete.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Final

from tilescore.scoring.shapes.winning import ALL_SHAPES
from tilescore.vision.decoding.search import Legal, Solution, likeliest
from tilescore.vision.hand_prior.order import weighed_by_order
from tilescore.vision.hand_prior.prior import hand_cost
from tilescore.vision.layout.layout import COMPLETE, Layout, Role, lay_out

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tilescore.scoring.shapes.winning import Shape
    from tilescore.vision.detections import Detection

_LEANING: Final = 1.0
"""Unless told otherwise, a hand in a photo is taken for complete at this cost, in nats: most photos are of wins."""
_PERSUADED: Final = 12.0
"""And at this cost when a person says that it is a win."""
_CLEAR: Final = 0.97
"""A name at least so probable is not given up for a complete hand."""


@dataclass(frozen=True, slots=True)
class Naming:
    """Everything seen, named and in its place.

    Attributes:
        detections: each under its likeliest legal name.
        layout: the part each plays.
        legal: the likeliest names and the runners-up.
        completed: whether names were chosen so that the hand is complete.
    """

    detections: tuple[Detection, ...]
    layout: Layout
    legal: Legal
    completed: bool


def name_tiles(
    seen: tuple[Detection, ...],
    fixed: Mapping[int, Role],
    *,
    is_win: bool = False,
    shapes: frozenset[Shape] = ALL_SHAPES,
    size_wh: tuple[int, int] = (0, 0),
) -> Naming:
    """The likeliest legal names of everything seen, and the layout under them."""
    named = _renamed(seen, _freely(seen, (), ()).solutions[0])
    layout = lay_out(named, fixed, size_wh=size_wh)
    naming = _solved(seen, layout, is_win=is_win, shapes=shapes)
    if _kinds(naming.detections) != _kinds(named):
        layout = lay_out(naming.detections, fixed, size_wh=size_wh)
        naming = _solved(seen, layout, is_win=is_win, shapes=shapes)
    return naming


def _solved(seen: tuple[Detection, ...], layout: Layout, *, is_win: bool, shapes: frozenset[Shape]) -> Naming:
    """The likeliest names of tiles that lie so."""
    melds = [place.members for place in layout.melds]
    claimed = [place.called for place in layout.melds if place.called is not None]
    concealed = [index for index in layout.order if layout.roles[index] in (Role.CONCEALED, Role.WINNING)]
    weighed = _in_order(seen, layout)
    legal, completed = _freely(weighed, melds, layout.order, claimed), False
    if len(concealed) + 3 * len(melds) == COMPLETE:
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
        if complete and _believable(seen, legal.solutions[0], complete.solutions[0], is_win=is_win):
            legal = complete if is_win else complete.favoured(_LEANING, legal)
            completed = legal.solutions[0].tiles == complete.solutions[0].tiles
    return Naming(_renamed(seen, legal.solutions[0]), layout, legal, completed)


def _in_order(seen: tuple[Detection, ...], layout: Layout) -> tuple[Detection, ...]:
    """Everything seen, the names of concealed tiles as probable as their neighbours make them."""
    row = [index for index in layout.order if layout.roles[index] is Role.CONCEALED]
    found = list(seen)
    for index, names in zip(row, weighed_by_order([seen[index].names for index in row]), strict=True):
        found[index] = replace(seen[index], names=names)
    return tuple(found)


def _freely(
    seen: Sequence[Detection], melds: Sequence[Sequence[int]], vary: Sequence[int], claimed: Sequence[int] = ()
) -> Legal:
    """The likeliest names whether or not the hand is complete: there always are some."""
    legal = likeliest(seen, melds=melds, vary=vary, claimed=claimed)
    return Legal((Solution((), 0.0),), (), 0.0) if legal is None else legal


def _believable(seen: Sequence[Detection], freely: Solution, complete: Solution, *, is_win: bool) -> bool:
    """Whether the complete hand is likely enough, and gives up no name that is clear."""
    if complete.cost - freely.cost > (_PERSUADED if is_win else _LEANING):
        return False
    return all(
        name == changed or detection.names[0].probability < _CLEAR or detection.tile != name
        for detection, name, changed in zip(seen, freely.tiles, complete.tiles, strict=True)
    )


def _renamed(seen: Sequence[Detection], solution: Solution) -> tuple[Detection, ...]:
    return tuple(
        detection if detection.tile == tile else detection.read_as(tile)
        for detection, tile in zip(seen, solution.tiles, strict=True)
    )


def _kinds(detections: Sequence[Detection]) -> list[tuple[bool, bool]]:
    """What of the names decides where a tile belongs."""
    return [(detection.tile.is_bonus, detection.tile.is_back) for detection in detections]
