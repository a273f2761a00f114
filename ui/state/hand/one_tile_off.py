"""Hands of which one tile is wrong: the exchanges that complete them."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from tilescore.errors import InputError
from tilescore.scoring.context import Context
from tilescore.scoring.game.waits import won_with
from tilescore.scoring.ruleset import Ruleset
from tilescore.scoring.shapes.winning import UNIT, exchanges
from tilescore.scoring.tiles import Tile
from tilescore.ui.state.hand.work import Work
from tilescore.vision.layout.layout import Role

_MOST: Final = 4


@dataclass(frozen=True, slots=True)
class TileChange:
    """An exchange that completes the hand: the tile at `at` is `new` instead of `old`."""

    at: int
    old: Tile
    new: Tile


def changes(rules: Ruleset, work: Work, context: Context) -> tuple[TileChange, ...]:
    """The likeliest exchanges of one tile that make the tiles of a complete hand a win."""
    if context.win_by is None:
        return ()
    near = sorted(_exchanges(rules, work), key=lambda change: _order(work, change))
    likeliest = {(change.old.plain, change.new): change for change in reversed(near)}
    distinct = (change for change in near if likeliest[change.old.plain, change.new] is change)
    return tuple(islice((change for change in distinct if _wins(rules, work, change, context)), _MOST))


def _exchanges(rules: Ruleset, work: Work) -> Iterator[TileChange]:
    places = [at for at in work.order if work.role(at) in (Role.CONCEALED, Role.WINNING)]
    tiles = [work.tile(at) for at in places]
    sets = sum(group.role is Role.MELD for group in work.groups)
    if work.size != rules.traits.size or any(tile not in UNIT for tile in tiles):
        return
    for place, other in exchanges(tiles, sets, rules.shapes):
        yield TileChange(places[place], tiles[place], other)


def _order(work: Work, change: TileChange) -> tuple[float, bool, int, int]:
    """What the photo finds probable comes first, then the same suit and a near rank."""
    probability = work.reading.detections[change.at].probability_of(change.new)
    return -probability, change.old.suit != change.new.suit, abs(change.old.plain.rank - change.new.rank), change.at


def _wins(rules: Ruleset, work: Work, change: TileChange, context: Context) -> bool:
    try:
        hand = work.with_tile(change.at, change.new).hand
    except InputError:
        return False
    return bool(won_with(rules, replace(hand, winning_tile=hand.winning_tile or change.new), context))
