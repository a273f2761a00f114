"""Results of `scoring.riichi` as three-player riichi gives them: its keys and numbers, dora counted one by one.

Decisions: scoring/sources.md.
"""

from dataclasses import replace
from typing import Final

from tilescore.scoring.context import Context
from tilescore.scoring.hand import Hand
from tilescore.scoring.riichi.count import DORA
from tilescore.scoring.riichi.fu import fu_items, fu_lines, fu_of_the_win, fu_sum, rounded
from tilescore.scoring.riichi.situation import MEANT_BY_THREE, Situation, situation_of
from tilescore.scoring.riichi.situation import PREFIX as RIICHI_PREFIX
from tilescore.scoring.riichi.view import views_of
from tilescore.scoring.riichi3.options import Counting3
from tilescore.scoring.riichi3.table import RIICHI3, Row, renamed, rows
from tilescore.scoring.score import Excluded, NotAWin, Score, ScoreLine
from tilescore.scoring.tiles import NORTH, Tile

_ONE_BY_ONE: Final = frozenset(RIICHI_PREFIX + row.key for row in DORA)
_NAGASHI: Final = RIICHI_PREFIX + "nagashi_mangan"
_MEANT: Final = frozenset((*MEANT_BY_THREE.names, "bonus"))
"""What riichi for four players ignores with a warning."""


def as_riichi3(result: Score | NotAWin, hand: Hand, context: Context, counting: Counting3) -> Score | NotAWin:
    """The result with the keys, numbers and order of three-player riichi."""
    if isinstance(result, Score) and not result.fu and result.lines[0].key != _NAGASHI:
        result = _with_fu(result, hand, situation_of(hand, context, counting))
    lines = tuple(map(_line, sorted(result.lines, key=lambda line: _row(line.key).place)))
    excluded = tuple(map(_excluded, sorted(result.excluded, key=lambda entry: _row(entry.key).place)))
    warnings = tuple(name for name in result.warnings if name not in _MEANT)
    if isinstance(result, NotAWin):
        waits = _possible(result.waits, hand)
        return replace(result, ruleset=RIICHI3, lines=lines, excluded=excluded, warnings=warnings, waits=waits)
    fu_lines = tuple(replace(line, key=renamed(line.key)) for line in result.fu_lines)
    return replace(result, ruleset=RIICHI3, lines=lines, excluded=excluded, warnings=warnings, fu_lines=fu_lines)


def _with_fu(score: Score, hand: Hand, situation: Situation) -> Score:
    """The score with the fu of its dearest split: kokushi musou, and renhou in place of another hand (S-SAN-7)."""
    ways = []
    for view in views_of(hand, situation, pair_last=True):
        items = fu_items(view) or fu_of_the_win(situation)
        ways.append((fu_sum(items, situation), items, view.tiles))
    fu, items, groups = max(ways, key=lambda way: way[0])
    return replace(score, fu=rounded(fu), fu_lines=fu_lines(items, groups, situation), groups=groups)


def _possible(waits: tuple[Tile, ...], hand: Hand) -> tuple[Tile, ...]:
    """The waits without the north, if the player has all four of them."""
    held = len(hand.bonus) + hand.tiles.count(NORTH) - (hand.size == Hand.SIZE and hand.winning_tile is NORTH)
    return tuple(tile for tile in waits if tile is not NORTH) if held == NORTH.copies else waits


def _row(key: str) -> Row:
    return rows()[key.removeprefix(RIICHI_PREFIX)]


def _line(line: ScoreLine) -> ScoreLine:
    count, value = (line.value, 1) if line.key in _ONE_BY_ONE else (line.count, line.value)
    return replace(line, key=renamed(line.key), number=_row(line.key).number, count=count, value=value)


def _excluded(entry: Excluded) -> Excluded:
    return replace(entry, key=renamed(entry.key), because=renamed(entry.because), number=_row(entry.key).number)
