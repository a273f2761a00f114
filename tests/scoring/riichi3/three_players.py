"""Hands of three-player riichi in one line for tests, in the words of `riichi_deal`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.scoring.riichi.riichi_deal import circumstances as four_players
from tilescore.scoring.hand import Hand
from tilescore.scoring.riichi3.ruleset import Riichi3
from tilescore.scoring.tiles import PLAYING_TILES

if TYPE_CHECKING:
    from tilescore.scoring.context import Context
    from tilescore.scoring.score import NotAWin, Score

KINDS = tuple(tile for tile in PLAYING_TILES if tile.suit != "m" or tile.is_terminal)
"""The 27 kinds of the game."""


def circumstances(words: str) -> Context:
    """The context that these words describe; West wins on a discard of East, the others on one of West."""
    return four_players(f"{words} by=E" if words.startswith("W") and "by=" not in words else words)


def scored(hand: str, words: str = "", **options: object) -> Score | NotAWin:
    """The score of this hand."""
    return Riichi3.of(**options).score(Hand.parse(hand), circumstances(words))


def told(result: Score | NotAWin) -> str:
    """The lines of a result as `key` (`key*3` for more than one han, dora too), in order."""
    found = [(line.key.removeprefix("riichi3."), line.value * line.count) for line in result.lines]
    return " ".join(key if han == 1 else f"{key}*{han}" for key, han in found)


def lost(result: Score | NotAWin) -> set[str]:
    """The exclusions of a result, as `key:because`."""
    short = [(entry.key, entry.because.replace("because.", "")) for entry in result.excluded]
    return {f"{key.removeprefix('riichi3.')}:{because.removeprefix('riichi3.')}" for key, because in short}
