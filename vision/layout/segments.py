"""What a group of tiles can be: loose tiles, melds that show themselves, bonus tiles; the likeliest way for each count.

A group that stands apart may still hold several things side by side. All ways to cut it are weighed at once: a
sideways tile must be explained (claimed, or the winning tile), face-down tiles must belong to a concealed kong, a meld
must be able to be a set by the names its tiles may have.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum
from functools import cache
from itertools import pairwise
from operator import attrgetter
from statistics import fmean, median
from typing import TYPE_CHECKING, Final

from tilescore.vision.hand_prior.melds import KONG, free_cost, readings_as_set
from tilescore.vision.layout.pose import ASPECT, TOUCH

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tilescore.vision.detections import Detection
    from tilescore.vision.layout.pose import OnTable

_SET: Final = 3
_score: Final = attrgetter("score")

# How likely things are on a table, in nats.
_MELD: Final = -0.7
_MELD_APART: Final = 1.0
"""A set in a group of its own mostly has a sideways tile."""
_ALIKE_APART: Final = 1.0
"""Four equal tiles in a group of their own are a kong."""
_FOUR_ALIKE: Final = 1.5
"""Four equal tiles, one of them sideways, are one rather than a pung."""
_ALIKE_WITHIN: Final = -2.0
"""Four equal tiles in the middle of others seldom are."""
_HIDDEN: Final = 3.0
"""Face-down tiles around or between equal ones are a concealed kong."""
_ALL_HIDDEN: Final = 0.5
"""Four face-down tiles apart, beside a hand, mostly are one."""
_WINNING_TURNED: Final = -1.3
_SET_BY_CHANCE: Final = -1.0
"""That it makes a set with the tiles beside it is chance: a claimed tile always does."""
_WITHIN: Final = -6.0
"""The winning tile lies at the right of the concealed ones, not among them."""
_FROM_RIGHT: Final = -3.0
"""A chow is claimed from the left."""
_RUN_TOGETHER: Final = -3.0
"""Melds are laid apart from the concealed tiles."""
_STRIDE_SPREAD: Final = 0.08
"""Spread of the step between neighbours in a meld, in tile widths."""
_SIDE_SPREAD: Final = 0.07
"""Spread of midpoints off the line of a meld, likewise."""
_CLEAR: Final = 6.0
"""A box says no more than this, in nats, about how its tile lies."""
_CLEAR_MEASURE: Final = 3.0
"""A step or a midpoint says no more than this, in nats."""
_NOT_LOWERED: Final = 1.5
"""Some lay it in the middle of the line all the same."""
_APART: Final = 0.14
"""Space, in tile widths, that sets a group apart."""
_TIGHT: Final = 0.25
"""Tiles of a meld lie closer than this, in tile widths."""
_LOOSE: Final = 12.0
"""What each tile width of space inside a meld beyond that costs, in nats."""
_STACKED: Final = 1.0
"""A tile on a sideways one is there to make it a kong."""
_STRAY_BACK: Final = -4.0
"""A face-down tile that is part of no kong does not belong to a hand."""
_STRAY_FACE: Final = -2.5
"""A tile at the end of a long row may have come to lie there by chance."""
_ALIGNED: Final = 3.0
"""And hardly one that lies just as the others do."""
_THERE: Final = 0.9
"""What is a tile with this probability is one; of the others any may be none, by its odds."""
_MOST_ASKEW: Final = 8.0
"""A box says no more than this, in nats, about a tile that lies askew."""
_MOST_CUTS: Final = 2
"""So many ways to cut a group are kept for each count."""
_LEAST_SET: Final = -9.0
"""Names less likely than this, against the likeliest ones, do not make a meld."""


class Kind(Enum):
    """What a piece is."""

    TILE = 0
    WINNING = 1
    BONUS = 2
    MELD = 3
    NOTHING = 4


@dataclass(frozen=True, slots=True)
class Piece:
    """Part of a group.

    Attributes:
        kind: what it is.
        members: indices of its detections, as they lie.
        concealed: whether it is a concealed kong.
        called: the sideways tile of a meld.
        on_top: the tile of an added kong that lies on the sideways one.
    """

    kind: Kind
    members: tuple[int, ...]
    concealed: bool = False
    called: int | None = None
    on_top: int | None = None

    @property
    def count(self) -> int:
        """Tiles of a finished hand's fourteen that it makes up."""
        if self.kind is Kind.MELD:
            return _SET
        return 1 if self.kind in (Kind.TILE, Kind.WINNING) else 0


Line = tuple[tuple[Piece, ...], ...]
"""One line of a hand: its groups, each cut into pieces, in reading order."""


@dataclass(frozen=True, slots=True)
class Cut:
    """One way to cut a group into pieces, and how likely it is, in nats."""

    score: float
    pieces: tuple[Piece, ...]

    @property
    def has_winning(self) -> bool:
        """Whether a sideways tile was taken for the winning one."""
        return any(piece.kind is Kind.WINNING for piece in self.pieces)


@dataclass(frozen=True, slots=True)
class Lie:
    """How a detection lies in its row.

    Attributes:
        spot: where it lies, upright or sideways, and how well its box fits that.
        turned: whether it rather lies sideways, by its box and the steps beside it.
        gap: the space between it and the tile before, in tile widths.
    """

    spot: OnTable
    turned: bool = False
    gap: float = math.inf

    @property
    def turn_odds(self) -> float:
        """The logarithm of the odds that it lies sideways, by its box."""
        return max(-_CLEAR, min(_CLEAR, self.spot.turn_odds))

    @property
    def laid(self) -> float:
        """The logarithm of the odds that it lies alongside its row, upright or sideways, rather than at any angle."""
        return self.spot.laid + max(0.0, self.spot.turn_odds)


def _told(seen: float, expected: float, spread: float) -> float:
    """Log-odds of a measure that should be so large, against none."""
    odds = (seen**2 - (seen - expected) ** 2) / (2 * spread**2)
    return max(-_CLEAR_MEASURE, min(_CLEAR_MEASURE, odds))


class Cutter:
    """Cuts groups of the tiles of one picture.

    Args:
        detections: everything seen.
        lies: how each lies.
        stacked: tiles that lie on, or just beyond, a sideways one, by that one.
    """

    def __init__(self, detections: Sequence[Detection], lies: Sequence[Lie], stacked: Mapping[int, int]) -> None:
        self._detections = detections
        self._lies = lies
        self._stacked = stacked
        self._score_as_set = cache(self._set_score)

    def cuts(self, group: tuple[int, ...], *, left_first: bool) -> dict[tuple[int, bool], list[Cut]]:
        """The likeliest ways to cut a group for each count of tiles, with or without a sideways winning tile.

        Args:
            group: tiles side by side.
            left_first: whether the first of them is the owner's left one.
        """
        left = 0 if left_first else -1
        best: list[dict[tuple[int, bool], list[Cut]]] = [{(0, False): [Cut(0.0, ())]}, *({} for _ in group)]
        for start in range(len(group)):
            pieces = list(self._pieces(group, start, left))
            for (count, won), cuts in best[start].items():
                for score, piece in pieces:
                    wins = piece.kind is Kind.WINNING
                    if wins and won:
                        continue
                    into = best[start + len(piece.members) - (piece.on_top is not None)]
                    kept = into.setdefault((count + piece.count, won or wins), [])
                    for cut in cuts:
                        joined = bool(cut.pieces) and self._run_together(cut.pieces[-1], piece, group, start)
                        kept.append(Cut(cut.score + score + _RUN_TOGETHER * joined, (*cut.pieces, piece)))
                    kept.sort(key=_score, reverse=True)
                    del kept[_MOST_CUTS:]
        return best[-1]

    def _run_together(self, first: Piece, second: Piece, group: tuple[int, ...], at: int) -> bool:
        """Whether a meld and loose tiles meet at that place without a space; sets of loose tiles may be melds too."""
        loose = (first.kind is Kind.TILE) + (second.kind is Kind.TILE)
        melded = (first.kind is Kind.MELD) + (second.kind is Kind.MELD)
        if not loose == melded == 1 or self._lies[second.members[0]].gap >= _APART:
            return False
        return not self._only_sets(group, at, forwards=first.kind is Kind.MELD)

    def _only_sets(self, group: tuple[int, ...], at: int, *, forwards: bool) -> bool:
        """Whether the tiles that touch each other from that place on are one set after the other."""
        while True:
            three = group[at : at + _SET] if forwards else group[max(0, at - _SET) : at]
            if len(three) < _SET or self._score_as_set(three) <= _LEAST_SET:
                return False
            at += _SET if forwards else -_SET
            if at <= 0 or at >= len(group) or self._lies[group[at]].gap >= _APART:
                return True
            beyond = self._detections[group[at if forwards else at - 1]].tile
            if beyond.is_bonus or beyond.is_back:
                return True

    def _pieces(self, group: tuple[int, ...], start: int, left: int) -> Iterator[tuple[float, Piece]]:
        """What can begin at that place of the group, each with its score against upright loose tiles."""
        first = group[start]
        tile = self._detections[first].tile
        if tile.is_back:
            yield _STRAY_BACK, Piece(Kind.NOTHING, (first,))
        elif tile.is_bonus:
            yield 0.0, Piece(Kind.BONUS, (first,))
        else:
            end = start in (0, len(group) - 1)
            yield self._askew(group, first) if end else 0.0, Piece(Kind.TILE, (first,))
            out = self._no_tile(first)
            if end and len(group) > 1:
                out = max(out, _STRAY_FACE - max(0.0, min(_ALIGNED, self._lies[first].laid)))
            if out > -math.inf:
                yield out, Piece(Kind.NOTHING, (first,))
            odds = self._lies[first].turn_odds
            if odds > 0 or self._lies[first].turned:
                odds += self._beside(group, start, left) + _WINNING_TURNED + _WITHIN * self._within(group, start, left)
                odds += self._askew(group, first) if end else 0.0
                odds += _SET_BY_CHANCE * self._ends_set(group, start, left)
                yield odds, Piece(Kind.WINNING, (first,))
        for length in (_SET, KONG):
            members = group[start : start + length]
            if len(members) == length:
                yield from self._melds(members, group[start + length : start + length + 1], left)

    def _no_tile(self, index: int) -> float:
        """Log-odds that there is no tile at all, where that is in doubt."""
        found = self._detections[index]
        return -found.presence_odds if 0 < found.presence < _THERE else -math.inf

    def _within(self, group: tuple[int, ...], at: int, left: int) -> bool:
        """Whether another tile touches it on its owner's right."""
        if left == 0:
            return at + 1 < len(group) and self._lies[group[at + 1]].gap < _APART
        return at > 0 and self._lies[group[at]].gap < _APART

    def _ends_set(self, group: tuple[int, ...], at: int, left: int) -> bool:
        """Whether a tile at an end of others makes a set with the next two that it may have been claimed for."""
        beside = group[at : at + _SET] if at == 0 else group[max(0, at + 1 - _SET) : at + 1]
        if len(beside) < _SET or 0 < at < len(group) - 1:
            return False
        kinds = {self._detections[index].tile.plain for index in beside}
        return self._score_as_set(beside) > _LEAST_SET and (len(kinds) == 1 or beside[left] == group[at])

    def _askew(self, group: tuple[int, ...], index: int) -> float:
        """Log-odds that a tile lies askew, beyond what the others of its group seem to."""
        others = [self._lies[other].laid for other in group if other != index]
        usual = min(0.0, median(others)) if others else 0.0
        return max(-_MOST_ASKEW, min(0.0, self._lies[index].laid - usual))

    def _beside(self, group: tuple[int, ...], at: int, left: int) -> float:
        """Log-odds that a tile at an end of others lies sideways, by the step to the next one and its midpoint."""
        side = slice(at - 2, at + 1) if at else slice(at, at + _SET)
        lies = [self._lies[index] for index in group[side]]
        if len(lies) < _SET:
            return 0.0
        place = _SET - 1 if at else 0
        one, two = lies[place - 1 : place + 1] if at else lies[:2]
        step = two.spot.upright.x - one.spot.upright.x - 1 - TOUCH
        return _told(step, (ASPECT - 1) / 2, _STRIDE_SPREAD) + max(0.0, self._lowered(lies, place, left))

    def _melds(self, members: tuple[int, ...], after: tuple[int, ...], left: int) -> Iterator[tuple[float, Piece]]:
        """What these can be as a meld, given the tile right after them, and which end is left."""
        backs = sum(self._detections[index].tile.is_back for index in members)
        if backs == KONG:
            yield _ALL_HIDDEN, Piece(Kind.MELD, members, concealed=True)
        likely = self._score_as_set(members) if backs in (0, 2) else _LEAST_SET
        if likely <= _LEAST_SET:
            return
        if backs:
            yield _HIDDEN + likely, Piece(Kind.MELD, members, concealed=True)
            return
        apart = all(self._lies[index].gap > _APART for index in (members[0], *after))
        score, called = max((self._claimed(members, place, left), members[place]) for place in range(len(members)))
        prior = (_MELD_APART if apart else _MELD) + _FOUR_ALIKE * (len(members) == KONG)
        if score + prior > 0:
            if called != members[left] and len({self._detections[index].tile.plain for index in members}) > 1:
                prior += _FROM_RIGHT
            yield prior + likely + score, Piece(Kind.MELD, members, called=called)
            on_top = self._stacked.get(called)
            if on_top is not None and len(members) == _SET:
                yield from self._added_kong(members, called, on_top, prior + score)
        if len(members) == KONG:
            yield likely + (_ALIKE_APART if apart else _ALIKE_WITHIN), Piece(Kind.MELD, members)

    def _claimed(self, members: tuple[int, ...], place: int, left: int) -> float:
        """Log-odds that just the tile at that place lies sideways, against none: by its shape and by the steps."""
        lies = [self._lies[index] for index in members]
        odds = lies[place].turn_odds + self._lowered(lies, place, left)
        for at, (one, two) in enumerate(pairwise(lies)):
            beside = place in (at, at + 1)
            step = two.spot.upright.x - one.spot.upright.x - 1 - TOUCH
            if beside:
                odds += _told(step, (ASPECT - 1) / 2, _STRIDE_SPREAD)
            odds -= _LOOSE * max(0.0, step - beside * (ASPECT - 1) / 2 - _TIGHT)
        return odds

    @staticmethod
    def _lowered(lies: Sequence[Lie], place: int, left: int) -> float:
        """Log-odds by its midpoint: lower edges keep one line, so that of a sideways tile lies nearer to the owner."""
        others = [lie.spot.upright.y for at, lie in enumerate(lies) if at != place]
        off = fmean(others) - lies[place].spot.sideways.y
        return max(-_NOT_LOWERED, _told(off if left == 0 else -off, (ASPECT - 1) / 2, _SIDE_SPREAD))

    def _added_kong(
        self, members: tuple[int, ...], sideways: int, on_top: int, score: float
    ) -> Iterator[tuple[float, Piece]]:
        at = members.index(sideways) + 1
        whole = (*members[:at], on_top, *members[at:])
        likely = self._score_as_set(whole)
        if likely > _LEAST_SET:
            yield score + _STACKED + likely, Piece(Kind.MELD, whole, called=sideways, on_top=on_top)

    def _set_score(self, members: tuple[int, ...]) -> float:
        """Log-likelihood of the names that make these a set, against the likeliest names of each."""
        candidates = [self._detections[index].names for index in members]
        readings = readings_as_set(candidates)
        if not readings:
            return _LEAST_SET
        return max(_LEAST_SET, free_cost(candidates) - readings[0][0])
