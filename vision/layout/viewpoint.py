"""Which way the owner of a hand reads it, and the hand in that order.

Melds, the winning tile and flowers lie to the right of the concealed tiles or in front of them, a chow shows its
claimed tile on the left, a sideways tile keeps its lower edge in line with the others, the fourth tile of an added kong
lies beyond the sideways one.
"""

from __future__ import annotations

from dataclasses import replace
from statistics import fmean
from typing import TYPE_CHECKING, Final

from tilescore.scoring.hand import kind_of_set
from tilescore.vision.layout.segments import Cut, Kind, Piece
from tilescore.vision.layout.table import LONE_OFF_LINE, Group, TableView

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tilescore.vision.layout.segments import Line

    Chosen = Sequence[tuple[Group, Cut]]

# What tells that the owner reads the main row in its reading direction, in nats.
_LEVEL: Final = 1.5
"""That a level row is not upside down: times its slope's cosine."""
_UPRIGHT: Final = 0.2
"""That an upright row is read downwards."""
_BONUS_SIDE: Final = 0.6
"""That flowers lie to the right of the others."""
_WINNING_SIDE: Final = 2.5
"""That the winning tile does."""
_TURNED_SIDE: Final = 4.0
"""That it does if it lies sideways."""
_CLEARLY_APART: Final = 0.5
"""From this space on, in tile widths, a tile certainly was set apart."""
_MELD_SIDE: Final = 2.0
"""That melds do, or lie in front."""
_SET_SIDE: Final = 1.0
"""That sets of loose tiles do, each in a group of its own: they may be melds."""
_IN_FRONT: Final = 0.8
"""How much less sure it is that they lie in front than at the right."""
_ON_TOP: Final = 3.0
"""That the fourth tile lies beyond the sideways one."""
_LOWERED: Final = 0.1
"""So far, in tile widths, a sideways tile's middle lies below the others': for one nat, and never for more."""
_TELLING_ROW: Final = 5
"""A row of so many loose tiles is the concealed part of a hand, beside which the melds lie."""
_WITHIN_ROW: Final = 0.3
"""A tile no farther off a row's line, in tile widths, lies in it."""
_BEYOND_END: Final = 0.6
"""A tile farther than this from the end of a row, in tile widths, lies beyond it."""
_LOOSE: Final = (Kind.TILE, Kind.WINNING)


def bearing_score(view: TableView, chosen: Chosen, *, forwards: bool) -> float:
    """How well these groups lie for an owner who reads the main row in its reading direction, or against it.

    In nats; 0 where everything lies as it should.
    """
    sign = 1 if forwards else -1
    return sum(min(0.0, sign * odds) for odds in _forward_odds(view, chosen))


def _forward_odds(view: TableView, chosen: Chosen) -> Iterator[float]:
    """Log-odds, one for each thing that tells, that the owner reads the main row in its reading direction."""
    ux, uy = view.direction
    yield _LEVEL * ux if abs(ux) > abs(uy) else _UPRIGHT
    loose = [piece.members[0] for _, cut in chosen for piece in cut.pieces if piece.kind in _LOOSE]
    if not chosen:
        return
    pure = [group for group, cut in chosen if all(piece.kind in _LOOSE for piece in cut.pieces)]
    rows = [group for group in pure if not _is_set(view, group.members)]
    longest = max(rows or pure or [group for group, _ in chosen], key=lambda group: len(group.members))
    for group in pure:
        if group is not longest and _is_set(view, group.members):
            yield _SET_SIDE * _side((group.along, group.away), longest)
    for piece in (piece for _, cut in chosen for piece in cut.pieces):
        first = piece.members[0]
        if piece.kind is Kind.MELD:
            yield from _meld_odds(view, piece, longest)
        elif piece.kind is Kind.BONUS:
            yield _BONUS_SIDE * _side(view.place(first), longest)
        elif piece.kind is Kind.WINNING or first in view.alone:
            sure = _TURNED_SIDE
            if piece.kind is not Kind.WINNING:
                sure = _WINNING_SIDE * min(1.0, view.apartness(first) / _CLEARLY_APART)
            yield sure * _end_of_line(view, first, loose)


def _is_set(view: TableView, members: Sequence[int]) -> bool:
    return kind_of_set(tuple(view.detections[index].tile for index in members)) is not None


def _end_of_line(view: TableView, index: int, loose: Sequence[int]) -> float:
    """1 if a tile is the last loose one of its line, -1 if it is the first, else 0."""
    along, away = view.place(index)
    places = [view.place(other) for other in loose if other != index]
    line = [place[0] for place in places if abs(place[1] - away) < LONE_OFF_LINE]
    if not line:
        return 0.0
    return 1.0 if along > max(line) else -1.0 if along < min(line) else 0.0


def _side(place: tuple[float, float], row: Group) -> float:
    """1 right of a row or beyond it, -1 left of it or before it, for an owner who reads it forwards."""
    if abs(place[1] - row.away) < _WITHIN_ROW:
        return 1.0 if place[0] > row.along else -1.0
    if place[0] > row.end + _BEYOND_END:
        return 1.0
    if place[0] < row.start - _BEYOND_END:
        return -1.0
    return _IN_FRONT if place[1] > row.away else -_IN_FRONT


def _meld_odds(view: TableView, piece: Piece, longest: Group) -> Iterator[float]:
    members = [index for index in piece.members if index != piece.on_top]
    places = [view.place(index) for index in members]
    middle = fmean(place[0] for place in places), fmean(place[1] for place in places)
    if piece.members[0] not in longest.members:
        yield _MELD_SIDE * min(1.0, len(longest.members) / _TELLING_ROW) * _side(middle, longest)
    if piece.called is not None:
        called = view.place(piece.called)
        if piece.on_top is not None:
            yield _ON_TOP if view.place(piece.on_top)[1] > called[1] else -_ON_TOP
        others = [place for index, place in zip(members, places, strict=True) if index != piece.called]
        lowered = fmean(place[1] for place in others) - called[1]
        yield max(-1.0, min(1.0, lowered / _LOWERED))


def in_order(view: TableView, chosen: Chosen, *, forwards: bool) -> tuple[Line, ...]:
    """The groups' pieces in the owner's reading order, line by line, far lines first."""
    sign = 1 if forwards else -1
    lines: list[list[tuple[Group, Cut]]] = []
    for group, cut in sorted(chosen, key=lambda entry: -sign * entry[0].away):
        line = next((line for line in lines if _continues(view, group, [other for other, _ in line])), None)
        if line is None:
            lines.append([(group, cut)])
        else:
            line.append((group, cut))
    ordered = [sorted(line, key=lambda entry: sign * entry[0].along) for line in lines]
    return tuple(tuple(cut.pieces if forwards else _reversed(cut.pieces) for _, cut in line) for line in ordered)


def _continues(view: TableView, group: Group, line: Sequence[Group]) -> bool:
    """Whether a group lies in line with others, and beside none of them."""
    beside = any(group.start <= other.end and other.start <= group.end for other in line)
    return not beside and any(view.same_line(group, other) for other in line)


def _reversed(pieces: Sequence[Piece]) -> tuple[Piece, ...]:
    return tuple(replace(piece, members=piece.members[::-1]) for piece in pieces[::-1])
