"""A hand as a person writes it, brought onto the photo that it belongs to."""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from tilescore.errors import InputError
from tilescore.scoring.hand import Hand
from tilescore.scoring.pasted import tidy
from tilescore.scoring.shapes.winning import OF_ANY_SIZE, hand_sizes
from tilescore.scoring.tiles import Tile
from tilescore.ui.state.hand.laid import laid
from tilescore.ui.state.hand.work import Work
from tilescore.vision.layout.layout import Role

Likeness = Callable[[Tile, Role, Tile, Role], bool]


_WINNING: Final = re.compile(r"\+\s*(\S+)")
_OUTSIDE: Final = (Role.OTHER, Role.DORA_INDICATOR, Role.URA_INDICATOR)
_LIKENESSES: Final[tuple[Likeness, ...]] = (
    lambda tile, role, wanted, part: tile == wanted and role is part,
    lambda tile, role, wanted, part: tile.plain == wanted.plain and role is part,
    lambda tile, _, wanted, __: tile == wanted,
    lambda _, role, __, part: role is part,
    lambda _, role, __, part: role not in _OUTSIDE and part is not Role.BONUS,
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
        if waiting.winning_tile is None and waiting.size + 1 in hand_sizes(OF_ANY_SIZE):
            tile = Tile.parse(won[1])
            return replace(waiting, concealed=(*waiting.concealed, tile), winning_tile=tile)
    return Hand.parse(_WINNING.sub(r"+\1", text))


def written(work: Work, hand: Hand) -> Work:
    """The work with that hand; its photo stays, with a box around each tile that it shows."""
    for rename in (False, True) if work.on_photo else ():
        changed = _matched(work, hand, rename=rename)
        try:
            if _sorted(changed.hand) == _sorted(hand):
                return changed
        except ValueError:  # no such hand can exist
            continue
    return work.with_laid(hand)


def is_another(work: Work, hand: Hand) -> bool:
    """Whether fewer than half of the tiles are those of the work: it is no correction."""
    before = Counter(work.tile(at).plain for at in work.order)
    after = Counter(detection.tile.plain for detection in laid(hand).detections)
    return 2 * (before & after).total() < max(before.total(), after.total())


def is_of(work: Work, text: str) -> bool:
    """Whether the text is the hand of the work, whatever tile won, or no hand yet."""
    if text == work.notation:
        return True
    try:
        hand = hand_of(text)
    except InputError:
        return True
    try:
        return _sorted(replace(work.hand, winning_tile=hand.winning_tile)) == _sorted(hand)
    except ValueError:  # no such hand can exist
        return False


def _matched(work: Work, hand: Hand, *, rename: bool) -> Work:
    """The work in which each tile of the hand is the likeliest tile of the photo, or one without a place on it.

    With `rename`, the names and roles of all matched tiles are fixed, so that no rule of likelihood changes them.
    Without it, what lies face down stays so: two tiles name a concealed kong.
    """
    free = [*work.order, *(at for at in range(len(work.reading.detections)) if at not in work.order)]
    table = laid(hand)
    wanted = [*zip((detection.tile for detection in table.detections), table.layout.roles, strict=True)]
    tiles: dict[int, Tile] = {}
    roles: dict[int, Role] = {}
    for alike in _LIKENESSES:
        for tile, role in [*wanted]:
            at = next((at for at in free if alike(work.tile(at), work.role(at), tile, role)), None)
            if at is None:
                continue
            free.remove(at)
            wanted.remove((tile, role))
            if rename or (work.tile(at) != tile and not work.tile(at).is_back):
                tiles[at] = tile
            if rename or work.role(at) is not role:
                roles[at] = role
    roles |= {at: Role.OTHER for at in free if work.role(at) not in _OUTSIDE}
    changed = work.edited(tiles=tiles, roles=roles, added=[(tile, role, None) for tile, role in wanted])
    return replace(changed, concealed_kongs=work.with_laid(hand).concealed_kongs)


def _sorted(hand: Hand) -> tuple[object, ...]:
    """The hand as far as its score depends on it, whatever the order of its tiles."""
    melds = sorted((str(meld.kind), sorted(meld.tiles), meld.concealed) for meld in hand.melds)
    return sorted(hand.concealed), melds, hand.winning_tile, sorted(hand.bonus)
