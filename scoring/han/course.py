"""The course of a game with counters: when the dealer stays, and when the game ends.

Decisions S-RII-19 to S-RII-24 and S-RII-34 (scoring/sources.md).
"""

from dataclasses import replace

from tilescore.scoring.context import Seat
from tilescore.scoring.deal import EXHAUSTED
from tilescore.scoring.progression import PLAYERS, Ending, Player, Position, passed
from tilescore.scoring.riichi.options import MatchOptions


def with_counters(match: MatchOptions, position: Position, ending: Ending) -> Position:
    """East stays after winning, after an abortive draw, or ready at an exhaustive draw (S-RII-20, S-RII-22)."""
    if ending.deal.foul_by is not None:
        moved = replace(position, over=match.foul_ends)
    else:
        moved = _counted(match, position, ending)
    return replace(moved, over=True) if match.bankruptcy_ends and min(ending.totals) < 0 else moved


def _counted(match: MatchOptions, position: Position, ending: Ending) -> Position:
    dealer_won = Seat.EAST in ending.winners
    dealer_ready = ending.deal.draw == EXHAUSTED and Seat.EAST in ending.deal.ready
    stays = dealer_won or dealer_ready or (not ending.winners and ending.deal.draw != EXHAUSTED)
    honba = position.honba + 1 if stays or not ending.winners else 0
    last = Seat.EAST if match.length == "east" else Seat.SOUTH
    reached = max(ending.totals) >= match.target_points
    extra = position.round is last.after()
    if not stays:
        moved = _passed_to_target(position, last=last, extra=extra, reached=reached)
    elif (extra or (position.round is last and position.number == len(position.seating))) and (
        dealer_won or dealer_ready
    ):
        leads = first_of(ending.totals) is position.player(Seat.EAST)
        moved = replace(position, over=reached and leads and match.agari_yame)
    else:
        moved = position
    return replace(moved, honba=honba, deposits=ending.deposits)


def _passed_to_target(position: Position, *, last: Seat, extra: bool, reached: bool) -> Position:
    """The deal passes on; an extra round follows the last one until somebody has the target points (S-RII-34)."""
    moved = passed(position, last=last.after() if extra or not reached else last)
    return replace(moved, over=True) if extra and reached else moved


def first_of(totals: tuple[float, ...]) -> Player:
    """The leader; of equal points the player who sat nearer to the first dealer (S-RII-24)."""
    return PLAYERS[totals.index(max(totals))]
