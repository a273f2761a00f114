"""The role of every tile in a photo: which tiles are the hand, and what part each plays in it.

The layout is found in three steps, each by a fitted model of probabilities: the set of tiles that is the hand, the
structure of that hand (direction, declared sets, winning tile), and the flowers that belong to it. What a person has
fixed rules out all alternatives that contradict it.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from statistics import median
from typing import Final

import numpy as np

from tilescore.scoring.hand import From
from tilescore.scoring.shapes.winning import OF_ANY_SIZE, Shape, hand_size
from tilescore.scoring.tiles import Tile
from tilescore.vision.arrays import Floats
from tilescore.vision.detections import Detection
from tilescore.vision.layout.aside import near, set_aside
from tilescore.vision.layout.bonus import bonus_row
from tilescore.vision.layout.contents import Content, contents_of, cost_of_completion
from tilescore.vision.layout.frames import TOUCHING, TURNED, Frame
from tilescore.vision.layout.model import LayoutModel, fitted_model, weighed
from tilescore.vision.layout.scene import Scene
from tilescore.vision.layout.selection_features import FEATURES, feature_rows
from tilescore.vision.layout.selections import Selection, selections
from tilescore.vision.layout.structure_features import Measure
from tilescore.vision.layout.structures import Declared, Given, Structure, structures


class Role(StrEnum):
    """What part a tile in the picture plays."""

    CONCEALED = "concealed"
    MELD = "meld"
    WINNING = "winning"
    BONUS = "bonus"
    DORA_INDICATOR = "dora_indicator"
    URA_INDICATOR = "ura_indicator"
    """An indicator that lay under another one; only a person says so."""
    OTHER = "other"
    """Walls, discards, another player's tiles: seen, but not part of the hand."""


@dataclass(frozen=True, slots=True)
class MeldPlace:
    """A meld as it lies."""

    members: tuple[int, ...]  # indices of its detections, in reading order
    concealed: bool = False  # whether it is a concealed kong
    called: int | None = None  # which of the detections is the claimed tile, if one lies sideways
    source: From | None = None  # the player whose discard it was, by the place of the sideways tile


@dataclass(frozen=True, slots=True)
class Claim:
    """A set of tiles that may be the hand."""

    members: frozenset[int]  # indices of its faces; none for no hand
    probability: float  # how probable it is that these are the hand (0-1)
    complete: bool = False  # whether they are a complete hand


@dataclass(frozen=True, slots=True)
class Layout:
    """The parts of all detections of one picture.

    Attributes:
        roles: one for each detection.
        groups: indices of the hand's tiles as they lie, one tuple for each group that stands apart.
        turned: indices of detections of the hand that lie sideways to their row.
        claims: the sets of faces that may be the hand, the most probable first: those that are not improbable, and
            complete hands beside the first or, if that is incomplete, instead of it.
        open_sets: sets of which it is open whether they are declared.
    """

    roles: tuple[Role, ...]
    groups: tuple[tuple[int, ...], ...] = ()
    melds: tuple[MeldPlace, ...] = ()
    turned: frozenset[int] = frozenset()
    claims: tuple[Claim, ...] = ()
    open_sets: tuple[tuple[int, ...], ...] = ()

    @property
    def order(self) -> tuple[int, ...]:
        """Indices of the hand's tiles in reading order."""
        return tuple(index for group in self.groups for index in group)


_INSIDE: Final = (Role.CONCEALED, Role.MELD, Role.WINNING, Role.BONUS)
_FACES: Final = (Role.CONCEALED, Role.MELD, Role.WINNING)
_INCOMPLETE_COST: Final = 4.0
"""The cost of an incomplete hand where a person declares a win, in nats: a name may be misread. Chosen."""
_MOST_COMPLETED: Final = 6
"""Selections of which the names of a complete hand are looked for, at most. Chosen."""
_ALL_OF_FEW: Final = list(FEATURES).index("all_of_few")
_LEAST_CLAIM: Final = 0.02
"""Sets of tiles that are less probable as the hand are not listed. Chosen."""
_AS_LIKELY: Final = 0.5
"""Another set of tiles with this share of the probability of the first one is about as likely. Chosen."""
_OPEN: Final = (0.4, 0.6)
"""A set is open if its probability to be declared lies between these. Chosen."""
_BESIDE_BACK: Final = 0.2
"""A face outside the hand is a dora indicator if a back lies nearer than this in its row, in tile widths. Chosen."""


def lay_out(
    detections: Sequence[Detection],
    fixed: Mapping[int, Role] | None = None,
    *,
    size_wh: tuple[int, int] = (0, 0),
    is_win: bool = False,
    shapes: frozenset[Shape] = OF_ANY_SIZE,
    aside: frozenset[Tile] = frozenset(),
    model: LayoutModel | None = None,
) -> Layout:
    """Find the hand among everything in the picture and the part of each of its tiles.

    What a person has fixed stays, by index, and the rest is found around it. With a declared win, a complete hand is
    preferred. `size_wh` is the upright size of the photo in pixels, if known; `aside` are faces that the game sets
    aside like flowers; `model` is the fitted one by default.
    """
    if not detections:
        return Layout(())
    fixed, model = fixed or {}, model or fitted_model()
    scene = Scene.of(detections, size_wh, frozenset(at for at, role in fixed.items() if role not in _FACES))
    claims = _claims(scene, fixed, model, is_win=is_win, shapes=shapes)
    chosen = frozenset() if not claims or _is_open(claims) else claims[0].members
    roles = _roles_outside(scene, chosen)
    if not chosen:
        return Layout(tuple(fixed.get(at, role) for at, role in enumerate(roles)), claims=claims)
    structure, open_sets = _structure(scene, chosen, fixed, model=model, shapes=shapes)
    melds = tuple(_place(one, scene) for one in structure.declared)
    for at, role in _parts(structure).items():
        roles[at] = role
    free = {at for at, tile in enumerate(scene.tiles) if tile in aside and at not in fixed}
    for at in _beside(scene, structure.frame, roles, model=model, free=free):
        roles[at] = Role.BONUS
    roles = [fixed.get(at, role) if role is not Role.MELD else role for at, role in enumerate(roles)]
    taken = () if claims[0].complete else _aside(structure, roles, free, hand_size(shapes))
    if taken:
        again = {**fixed, **dict.fromkeys(taken, Role.BONUS)}
        return lay_out(detections, again, size_wh=size_wh, is_win=is_win, shapes=shapes, aside=aside, model=model)
    return Layout(
        tuple(roles),
        tuple(_groups(structure, roles)),
        melds,
        _turned(structure.frame, [at for at, role in enumerate(roles) if role in _INSIDE], structure.declared),
        claims,
        open_sets,
    )


def _parts(structure: Structure) -> dict[int, Role]:
    parts = dict.fromkeys(structure.loose, Role.CONCEALED)
    parts |= {at: Role.MELD for one in structure.declared for at in one.members}
    return parts if structure.winning is None else {**parts, structure.winning: Role.WINNING}


def _beside(
    scene: Scene, frame: Frame, roles: Sequence[Role], *, model: LayoutModel, free: Collection[int]
) -> list[int]:
    """The flowers that belong to the hand, and the faces among `free` that are set aside beside it."""
    inside = [at for at, role in enumerate(roles) if role in _INSIDE]
    flowers = [at for at, tile in enumerate(scene.tiles) if tile.is_bonus]
    others = near(scene, [at for at in free if roles[at] is Role.OTHER], inside)
    rows = {at: bonus_row(scene, frame, at, inside, others) for at in (*flowers, *others)}
    return [at for at, row in rows.items() if model.bonus.scores(row[None])[0] > 0]


def _aside(structure: Structure, roles: Sequence[Role], free: Collection[int], whole: int) -> tuple[int, ...]:
    """The faces among `free` that are set aside at an end of the hand without its flowers."""
    groups = [tuple(at for at in group if roles[at] is not Role.BONUS) for group in _groups(structure, roles)]
    melds = [one.members for one in structure.declared]
    loose = sum(role in (Role.CONCEALED, Role.WINNING) for role in roles)
    return set_aside(list(filter(None, groups)), melds, free, size=loose + 3 * len(melds), whole=whole)


def _claims(
    scene: Scene, fixed: Mapping[int, Role], model: LayoutModel, *, is_win: bool, shapes: frozenset[Shape]
) -> tuple[Claim, ...]:
    """The sets of faces that may be the hand, given what a person has fixed."""
    given = frozenset(at for at, role in fixed.items() if role in _FACES and at in scene.faces)
    found = dict.fromkeys(some | given for some in selections(scene) if some or not given)
    chosen: list[Selection] = list(found) or [given]
    contents = contents_of(scene, chosen, shapes)
    complete = [content.complete for content in contents]
    rows = feature_rows(scene, chosen, contents)
    scores = model.selection.scores(rows)
    if is_win:
        costs = _costs_of_a_win(scene, chosen, contents, scores, shapes)
        if costs:
            won = [
                replace(one, complete=True, in_sets=one.count) if at in costs else one
                for at, one in enumerate(contents)
            ]
            scores = model.selection.scores(feature_rows(scene, chosen, won))
        scores = scores - [costs.get(at, 0.0 if done else _INCOMPLETE_COST) for at, done in enumerate(complete)]
    if rows[:, _ALL_OF_FEW].any():  # 13 to 18 faces and nothing else are the hand, however they lie
        scores = np.where([bool(some) for some in chosen], scores, -np.inf)
    ranked = weighed(scores)
    claims = [Claim(chosen[at], probability, complete[at]) for at, probability in ranked]
    first = claims[0]
    return tuple(
        claim
        for claim in claims
        if claim is first
        or claim.probability >= _LEAST_CLAIM
        or (claim.complete and (not first.complete or claim.members.isdisjoint(first.members)))
    )


def _costs_of_a_win(
    scene: Scene, chosen: Sequence[Selection], contents: Sequence[Content], scores: Floats, shapes: frozenset[Shape]
) -> dict[int, float]:
    """How much less likely than their likeliest names are the names that complete a selection, in nats.

    By the place of the selection, for the likeliest ones of which other names than the likeliest make a complete hand.
    """
    costs: dict[int, float] = {}
    for at in np.argsort(-scores, kind="stable")[:_MOST_COMPLETED].tolist():
        if not contents[at].complete:
            taken = {face for kong in contents[at].kongs for face in kong.faces}
            names = [scene.names[face] for face in sorted(chosen[at] - taken)]
            cost = cost_of_completion(names, len(contents[at].kongs), shapes)
            if cost < _INCOMPLETE_COST:
                costs[at] = cost
    return costs


def _is_open(claims: Sequence[Claim]) -> bool:
    """Whether two different sets of tiles are about as likely the hand: then neither is claimed."""
    first = claims[0]
    return any(
        claim.probability > _AS_LIKELY * first.probability
        and claim.members
        and len(claim.members & first.members) < len(first.members) / 2
        for claim in claims
    )


def _structure(
    scene: Scene, chosen: Selection, fixed: Mapping[int, Role], *, model: LayoutModel, shapes: frozenset[Shape]
) -> tuple[Structure, tuple[tuple[int, ...], ...]]:
    """The most probable structure of a hand, and the sets of which it is open whether they are declared."""
    given = Given(
        frozenset(at for at, role in fixed.items() if role is Role.MELD),
        frozenset(at for at, role in fixed.items() if role in (Role.CONCEALED, Role.WINNING)),
        next((at for at, role in fixed.items() if role is Role.WINNING), None),
        frozenset(at for at, role in fixed.items() if role in _INSIDE and scene.tiles[at].is_back),
    )
    some = list(structures(scene, chosen, given))
    sums = Measure(scene, shapes).sums(some, model.structure.weights)
    ranked = weighed(model.structure.of_sums(sums))
    best = some[ranked[0].place]
    chances: dict[tuple[int, ...], float] = {}
    for at, probability in ranked:
        for one in some[at].declared:
            members = tuple(sorted(one.members))
            chances[members] = chances.get(members, 0.0) + probability
    low, high = _OPEN
    return best, tuple(members for members, chance in chances.items() if low < chance < high)


def _place(one: Declared, scene: Scene) -> MeldPlace:
    if one.called is None:
        return MeldPlace(one.members, one.is_hidden or any(scene.tiles[at].is_back for at in one.members))
    return MeldPlace(one.members, called=one.called, source=_source(one.lying, one.called))


def _source(members: Sequence[int], called: int) -> From:
    """Left, middle or right: the claimed tile points at the player who threw it."""
    if called == members[0]:
        return From.LEFT
    return From.RIGHT if called == members[-1] else From.ACROSS


def _roles_outside(scene: Scene, chosen: Selection) -> list[Role]:
    """The roles of all tiles as if none were the hand: a face in a row with backs is a dora indicator."""
    level = scene.level(range(len(scene.tiles)))
    near = np.logical_and(scene.gaps < _BESIDE_BACK, level)
    beside = [bool(row[scene.backs].any()) for row in near]
    return [
        Role.DORA_INDICATOR if chosen and beside[at] and not tile.is_back and at not in chosen else Role.OTHER
        for at, tile in enumerate(scene.tiles)
    ]


def _groups(structure: Structure, roles: Sequence[Role]) -> Iterator[tuple[int, ...]]:
    """The hand's tiles as they lie: declared sets are groups of their own.

    A flower among the tiles of a line is part of their group, the others come last.
    """
    frame = structure.frame
    sets = {at: one for one in structure.declared for at in one.members}
    flowers = sorted((at for at, role in enumerate(roles) if role is Role.BONUS), key=frame.along.__getitem__)
    shown: set[int] = set()
    run: list[int] = []
    for line in frame.lines:
        among = [at for at in flowers if frame.is_among(at, line)]
        for at in sorted((*line, *among), key=frame.along.__getitem__):
            one = sets.get(at)
            if run and (one is not None or frame.space(run[-1], at) > TOUCHING):
                yield tuple(run)
                run = []
            if one is None:
                run.append(at)
            elif at not in shown:
                shown.update(one.members)
                yield one.members
        if run:
            yield tuple(run)
            run = []
        shown.update(among)
    rest = [at for at in flowers if at not in shown]
    if rest:
        yield tuple(rest)


def _turned(frame: Frame, members: Sequence[int], declared: Sequence[Declared]) -> frozenset[int]:
    usual = median(frame.ratios[at] for at in members)
    called = {one.called for one in declared if one.called is not None}
    return frozenset(at for at in members if frame.ratios[at] - usual > TURNED) | called
