"""A hand as a person writes it, brought onto the photo that it belongs to."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tilescore.scoring.hand import Hand, MeldKind
from tilescore.scoring.pasted import tidy
from tilescore.scoring.shapes.winning import OF_ANY_SIZE, hand_sizes
from tilescore.scoring.tiles import Tile
from tilescore.ui.state.hand.order import beside
from tilescore.ui.state.hand.typed_hand import tiles_of_hand
from tilescore.vision.layout.layout import Role

if TYPE_CHECKING:
    from collections.abc import Callable

    from tilescore.ui.state.hand.typed_hand import TypedTile
    from tilescore.ui.state.hand.work import Work

    Likeness = Callable[[Tile, Role, TypedTile], bool]

_WINNING: Final = re.compile(r"\+\s*(\S+)")
_OUTSIDE: Final = (Role.OTHER, Role.DORA_INDICATOR, Role.URA_INDICATOR)
_LIKENESSES: Final[tuple[Likeness, ...]] = (
    lambda tile, role, wanted: tile == wanted.tile and role is wanted.role,
    lambda tile, role, wanted: tile.plain == wanted.tile.plain and role is wanted.role,
    lambda tile, _, wanted: tile == wanted.tile,
    lambda _, role, wanted: role is wanted.role,
    lambda _, role, wanted: role not in _OUTSIDE and wanted.role is not Role.BONUS,
)
"""What makes a tile of the photo the one that is written, the surest first."""


def hand_of(text: str) -> Hand:
    """The hand in that text; a hand that waits and a winning tile make a complete one. Raises InputError.

    >>> str(hand_of("123456789M, 55p55z ＋５z"))
    '123456789m55p555z +5z'
    """
    text = tidy(text)
    won = _WINNING.search(text)
    if won is not None:
        waiting = Hand.parse(text.replace(won[0], " ", 1))
        if waiting.size + 1 in hand_sizes(OF_ANY_SIZE):
            tile = Tile.parse(won[1])
            return replace(waiting, concealed=(*waiting.concealed, tile), winning_tile=tile)
    return Hand.parse(_WINNING.sub(r"+\1", text))


def written(work: Work, hand: Hand) -> Work:
    """The work with that hand; its photo stays, with a box around each tile that it shows."""
    if work.reading is None:
        return replace(work, typed=hand)
    for rename in (False, True):
        changed = _matched(work, hand, rename=rename)
        try:
            if _sorted(changed.hand) == _sorted(hand):
                return changed
        except ValueError:  # no such hand can exist
            continue
    return replace(work, reading=None, typed=hand, unseen=frozenset(), arranged=())


def _matched(work: Work, hand: Hand, *, rename: bool) -> Work:
    """The work in which each tile of the hand is the likeliest tile of the photo, or one without a place on it.

    With `rename`, the names and roles of all matched tiles are fixed, so that no rule of likelihood changes them.
    """
    reading = work.reading
    if reading is None:
        return work
    free = [*work.order, *(at for at in range(len(reading.detections)) if at not in work.order)]
    wanted = [*tiles_of_hand(hand)]
    tiles: dict[int, Tile] = {}
    roles: dict[int, Role] = {}
    for alike in _LIKENESSES:
        for typed in [*wanted]:
            at = next((at for at in free if alike(work.tile(at), work.role(at), typed)), None)
            if at is None:
                continue
            free.remove(at)
            wanted.remove(typed)
            if rename or work.tile(at) != typed.tile:
                tiles[at] = typed.tile
            if rename or work.role(at) is not typed.role:
                roles[at] = typed.role
    roles |= {at: Role.OTHER for at in free if work.role(at) not in _OUTSIDE}
    first = len(reading.detections)
    added = range(first, first + len(wanted))
    roles |= {at: typed.role for at, typed in zip(added, wanted, strict=True)}
    box = beside(reading)
    return replace(
        work,
        reading=reading.edited(tiles=tiles, roles=roles, added=[(box, typed.tile) for typed in wanted]),
        unseen=work.unseen | {*added},
        concealed_kongs=frozenset(m.tiles[-1].plain for m in hand.melds if m.kind is MeldKind.KONG and m.concealed),
    )


def _sorted(hand: Hand) -> tuple[object, ...]:
    """The hand as far as its score depends on it, whatever the order of its tiles."""
    melds = sorted((str(meld.kind), sorted(meld.tiles), meld.concealed) for meld in hand.melds)
    return sorted(hand.concealed), melds, hand.winning_tile, sorted(hand.bonus)
