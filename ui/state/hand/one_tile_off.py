"""Hands that are one tile off: the waits of thirteen tiles with their scores, the exchanges that complete fourteen."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from tilescore.base.errors import InputError
from tilescore.scoring.context import Context, WinBy
from tilescore.scoring.score import NOT_A_WIN, NotAWin, Score
from tilescore.scoring.shapes.winning import UNIT, is_win, pack
from tilescore.scoring.tiles import PLAYING_TILES
from tilescore.vision.layout.layout import Role

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tilescore.scoring.hand import Hand
    from tilescore.scoring.ruleset import Ruleset
    from tilescore.scoring.tiles import Tile
    from tilescore.ui.state.hand.work import Work

_MOST: Final = 4
_UNSEEN: Final = 0.0
Result = Score | NotAWin


@dataclass(frozen=True, slots=True)
class TileChange:
    """An exchange that completes the hand: the tile at `at` is `new` instead of `old`."""

    at: int
    old: Tile
    new: Tile


@lru_cache(maxsize=256)
def waits_of(rules: Ruleset, hand: Hand, context: Context) -> tuple[tuple[Tile, Result], ...]:
    """Each tile that completes thirteen tiles, with the score of the hand; empty for any other hand.

    A hand without `win_by` counts as self-drawn.

    >>> from tilescore.scoring.hand import Hand
    >>> from tilescore.scoring.ruleset import ruleset
    >>> waits = waits_of(ruleset("mcr"), Hand.parse("123456789m23s55p"), Context())
    >>> [(str(tile), won.total) for tile, won in waits]
    [('1s', 23), ('4s', 22)]
    """
    if hand.size != rules.traits.size - 1 or hand.winning_tile is not None:
        return ()
    if context.win_by is None:
        context = replace(context, win_by=WinBy.SELF_DRAW, occasions=Context().occasions)
    found = []
    for tile in PLAYING_TILES:
        try:
            won = replace(hand, concealed=(*hand.concealed, tile), winning_tile=tile)
        except InputError:  # a fifth tile of a kind
            continue
        found += _won(rules, won, context)
    return tuple(found)


@lru_cache(maxsize=256)
def wins_of(rules: Ruleset, hand: Hand, context: Context) -> tuple[tuple[Tile, Result], ...]:
    """Each concealed tile that can have completed this hand of fourteen tiles, with the score of the hand.

    >>> from tilescore.scoring.hand import Hand
    >>> from tilescore.scoring.ruleset import ruleset
    >>> wins = wins_of(ruleset("mcr"), Hand.parse("123456789m234s55p"), Context(win_by=WinBy.SELF_DRAW))
    >>> sorted({won.total for _, won in wins})
    [22, 23]
    """
    return tuple(
        pair for tile in sorted(set(hand.concealed)) for pair in _won(rules, replace(hand, winning_tile=tile), context)
    )


def _won(rules: Ruleset, hand: Hand, context: Context) -> list[tuple[Tile, Result]]:
    """The winning tile and the score of a complete hand; empty if it does not win."""
    try:
        result = rules.score(hand, context)
    except InputError:
        return []
    complete = isinstance(result, Score) or result.code != NOT_A_WIN
    return [(hand.winning_tile, result)] if complete and hand.winning_tile is not None else []


def changes(rules: Ruleset, work: Work, context: Context) -> tuple[TileChange, ...]:
    """The likeliest exchanges of one tile that make the tiles of a complete hand a win."""
    if context.win_by is None:
        return ()
    near = sorted(
        _exchanges(rules, work), key=lambda change: (-_probability(work, change), *_distance(change), change.at)
    )
    one_each = {(change.old.plain, change.new): change for change in reversed(near)}
    found = []
    for change in near:
        if one_each[change.old.plain, change.new] is change and _wins(rules, work, change, context):
            found.append(change)
        if len(found) == _MOST:
            break
    return tuple(found)


def _exchanges(rules: Ruleset, work: Work) -> Iterator[TileChange]:
    places = [at for at in work.order if work.role(at) in (Role.CONCEALED, Role.WINNING)]
    tiles = [work.tile(at) for at in places]
    sets = sum(group.role is Role.MELD for group in work.groups)
    if work.size != rules.traits.size or any(tile not in UNIT for tile in tiles):
        return
    packed = pack(tiles)
    for at, tile in zip(places, tiles, strict=True):
        for other in PLAYING_TILES:
            if other != tile.plain and is_win(packed - UNIT[tile] + UNIT[other], sets, rules.shapes):
                yield TileChange(at, tile, other)


def _probability(work: Work, change: TileChange) -> float:
    """The probability that the photo gives to this exchange."""
    if work.reading is None:
        return _UNSEEN
    guesses = work.reading.detections[change.at].names
    return max((guess.probability for guess in guesses if guess.tile.plain == change.new), default=_UNSEEN)


def _distance(change: TileChange) -> tuple[bool, int]:
    """The distance of the two tiles: another suit first, then the difference of their ranks."""
    return change.old.suit != change.new.suit, abs(change.old.plain.rank - change.new.rank)


def _wins(rules: Ruleset, work: Work, change: TileChange, context: Context) -> bool:
    try:
        hand = work.with_tile(change.at, change.new).hand
        result = rules.score(replace(hand, winning_tile=hand.winning_tile or change.new), context)
    except InputError:
        return False
    return isinstance(result, Score) or result.code != NOT_A_WIN
