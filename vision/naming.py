"""Naming everything seen: the layout and the likeliest legal names, each found with the help of the other.

Where tiles lie depends a little on what they are, what they are depends on where they lie: melds are sets, and
a hand that is complete is complete.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from scoring.winning import ALL_SHAPES
from vision.layout import COMPLETE, Layout, Role, lay_out
from vision.legal import Solution, favoured, likeliest, weighed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scoring.winning import Shape
    from vision.detector import Detection

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
        solutions: the likeliest names and the runners-up.
        completed: whether names were chosen so that the hand is complete.
    """

    detections: tuple[Detection, ...]
    layout: Layout
    solutions: tuple[Solution, ...]
    completed: bool


def name_tiles(
    seen: tuple[Detection, ...],
    fixed: Mapping[int, Role],
    *,
    is_win: bool = False,
    shapes: frozenset[Shape] = ALL_SHAPES,
) -> Naming:
    """The likeliest legal names of everything seen, and the layout under them."""
    first = likeliest(seen, vary=())
    named = _renamed(seen, first[0])
    layout = lay_out(named, fixed)
    naming = _solved(seen, layout, is_win=is_win, shapes=shapes)
    if _kinds(naming.detections) != _kinds(named):
        layout = lay_out(naming.detections, fixed)
        naming = _solved(seen, layout, is_win=is_win, shapes=shapes)
    return naming


def _solved(seen: tuple[Detection, ...], layout: Layout, *, is_win: bool, shapes: frozenset[Shape]) -> Naming:
    """The likeliest names of tiles that lie so."""
    melds = [place.members for place in layout.melds]
    concealed = [index for index in layout.order if layout.roles[index] in (Role.CONCEALED, Role.WINNING)]
    solutions = likeliest(seen, melds=melds, vary=layout.order)
    if len(concealed) + 3 * len(melds) != COMPLETE:
        return Naming(_renamed(seen, solutions[0]), layout, solutions, completed=False)
    complete = likeliest(seen, melds=melds, concealed=concealed, shapes=shapes, vary=layout.order)
    believed = bool(complete) and _believable(seen, solutions[0], complete[0], is_win=is_win)
    if believed:
        solutions = complete if is_win else weighed((*favoured(complete, _LEANING), *solutions))
    completed = believed and any(solutions[0].tiles == solution.tiles for solution in complete)
    return Naming(_renamed(seen, solutions[0]), layout, solutions, completed)


def _believable(seen: Sequence[Detection], freely: Solution, complete: Solution, *, is_win: bool) -> bool:
    """Whether the complete hand is likely enough, and gives up no name that is clear."""
    if complete.cost - freely.cost > (_PERSUADED if is_win else _LEANING):
        return False
    return all(
        name == changed or detection.candidates[0].probability < _CLEAR or detection.tile != name
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
