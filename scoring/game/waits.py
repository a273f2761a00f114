"""Hands that are one tile off a win, and hands of which nobody knows the tile that won: each tile with its score."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from tilescore.errors import InputError
from tilescore.scoring.context import Context, WinBy
from tilescore.scoring.hand import Hand
from tilescore.scoring.ruleset import Ruleset
from tilescore.scoring.score import NOT_A_WIN, NotAWin, Score
from tilescore.scoring.tiles import PLAYING_TILES, Tile

Worth = Score | NotAWin


@lru_cache(maxsize=256)
def waits_of(rules: Ruleset, hand: Hand, context: Context) -> tuple[tuple[Tile, Worth], ...]:
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
    wins = []
    for tile in PLAYING_TILES:
        try:
            won = replace(hand, concealed=(*hand.concealed, tile), winning_tile=tile)
        except InputError:  # a fifth tile of a kind
            continue
        wins += won_with(rules, won, context)
    return tuple(wins)


@lru_cache(maxsize=256)
def wins_of(rules: Ruleset, hand: Hand, context: Context) -> tuple[tuple[Tile, Worth], ...]:
    """Each concealed tile that can have completed this hand of fourteen tiles, with the score of the hand.

    >>> from tilescore.scoring.hand import Hand
    >>> from tilescore.scoring.ruleset import ruleset
    >>> wins = wins_of(ruleset("mcr"), Hand.parse("123456789m234s55p"), Context(win_by=WinBy.SELF_DRAW))
    >>> sorted({won.total for _, won in wins})
    [22, 23]
    """
    return tuple(
        pair
        for tile in sorted(set(hand.concealed))
        for pair in won_with(rules, replace(hand, winning_tile=tile), context)
    )


def common_result(wins: Sequence[tuple[Tile, Worth]]) -> Worth | None:
    """What the hand is worth whichever of these tiles completed it; None if that depends on the tile, or without tiles.

    Of results without a win, the one that lacks least stands for all; for what it waited nobody knows. Items of the fu
    are left out if they differ.

    >>> from tilescore.scoring.hand import Hand
    >>> from tilescore.scoring.ruleset import ruleset
    >>> hand, context = Hand.parse("123m456p789s11222z"), Context(win_by=WinBy.SELF_DRAW)
    >>> common_result(wins_of(ruleset("riichi"), hand, context)).total
    2100
    >>> common_result(wins_of(ruleset("mcr"), hand, context)) is None
    True
    """
    results = [result for _, result in wins]
    scores = [result for result in results if isinstance(result, Score)]
    if results and not scores:
        return replace(max(results, key=lambda result: result.total), waits=())
    if not scores:
        return None
    first = scores[0]
    if len(scores) < len(results) or any(_counted(score) != _counted(first) for score in scores):
        return None
    return first if all(score.fu_lines == first.fu_lines for score in scores) else replace(first, fu_lines=())


def _counted(score: Score) -> tuple[object, ...]:
    return score.total, score.fu, score.lines, score.payments


def won_with(rules: Ruleset, hand: Hand, context: Context) -> list[tuple[Tile, Worth]]:
    """The winning tile and the score of a complete hand; empty if it does not win."""
    try:
        result = rules.score(hand, context)
    except InputError:
        return []
    complete = isinstance(result, Score) or result.code != NOT_A_WIN
    return [(hand.winning_tile, result)] if complete and hand.winning_tile is not None else []
