"""Payments of MCR after wins, draws and fouls (document 003, payments and fouls; see scoring/sources.md)."""

import re
from dataclasses import replace
from typing import Final

from tilescore.errors import ContextError
from tilescore.scoring.context import SEATS, Seat
from tilescore.scoring.deal import Deal, Settlement
from tilescore.scoring.deal.completion import completed
from tilescore.scoring.payments import NOTHING, Payments, Step
from tilescore.scoring.progression import Ending, Position, passed
from tilescore.scoring.ruleset import Ruleset
from tilescore.scoring.score import Score
from tilescore.scoring.traits import Foul

BASE: Final = 8
"""Points that each loser pays the winner besides those of the hand."""
FOULS: Final = {
    "false_mahjong": 20,
    "false_mahjong_below_minimum": 10,
    "wrong_meld": 0,
    "wrong_count": 0,
    "wall_tile_seen": 0,
    "tiles_shown": 0,
    "change_of_mind": 0,
    "wall_touched": 0,
    "late_claim": 0,
}
"""Points that a foul costs to each other player; 0 is a dead hand, a warning, or tiles that must be discarded."""
MOST_OFFENCES: Final = 25
"""The highest number of a repeated offence (S-MCR-24; chosen): each doubles the points, and a game holds so many."""
_HARM: Final = (5, 60, 20)
"""The least, the most and the usual points for a tile shown to the harm of another."""
PAID_FOULS: Final = (
    *(Foul(kind=kind) for kind, points in FOULS.items() if points),
    *(Foul(kind=kind, most=MOST_OFFENCES) for kind in ("change_of_mind", "wall_touched", "late_claim")),
    Foul(kind="tile_exposed", harms=_HARM),
)
"""Fouls that cost points: the first kinds as they are, then repeated ones, then a tile shown to the harm of another."""
_REPEATED: Final = re.compile(r"(change_of_mind|wall_touched|late_claim)_([1-9]\d?)")
_EXPOSED: Final = re.compile(r"tile_exposed_of_([ESWN])_(\d{1,2})")


DEAD_HANDS: Final = frozenset(
    ("false_mahjong", "false_mahjong_below_minimum", "wrong_meld", "wrong_count", "wall_tile_seen")
)
"""Fouls after which the player plays on but cannot win."""


def win_steps(winner: Seat, discarder: Seat | None, points: int) -> tuple[Step, ...]:
    """Payments of the three losers to the winner; without a discarder the winner drew the tile.

    >>> [step.points for step in win_steps(Seat.SOUTH, Seat.WEST, 20)]
    [8, 28, 8]
    """
    return tuple(
        Step(seat, winner, BASE + (points if discarder in (None, seat) else 0), _why(seat, discarder))
        for seat in SEATS
        if seat is not winner
    )


def settle(rules: Ruleset, deal: Deal) -> Settlement:
    """Values and payments of a deal; raises InputError if something needed is missing."""
    if deal.foul_by is not None:
        return Settlement(values={}, payments=foul_payments(deal.foul_by, deal.foul_kind or ""))
    if deal.winner is None:
        deal.check_draw(rules.name)
        return Settlement(values={}, payments=NOTHING)
    winner = deal.winner
    if deal.also_won:
        raise ContextError(
            "one_winner", f"only one player wins in mcr, the nearest to the discarder: not {winner} and others."
        )
    deal = completed(deal)
    if winner not in deal.hands:
        raise ContextError("winner_hand_missing", f"the hand of the winner {winner} is missing: add it to 'hands'.")
    hand, context = deal.hands[winner]
    if not context.self_drawn and deal.discarder is None:
        raise ContextError("discarder_needed", f"{winner} won on a discard: say who threw it.")
    score = rules.score(hand, context)
    if not isinstance(score, Score):
        raise ContextError(score.code, f"the hand of {winner} does not win: {score.message}")
    steps = win_steps(winner, None if context.self_drawn else deal.discarder, score.total)
    return Settlement(values={winner: score.total}, payments=Payments.of(steps))


def foul_payments(offender: Seat, kind: str) -> Payments:
    """Payments for a foul (document 003, fouls); raises ContextError for an unknown kind.

    The kinds are those of `FOULS`, and two with numbers. `change_of_mind_2`, `wall_touched_3` and `late_claim_4` are
    the second, third and fourth offence, at 5, 10 and 20 points to each other player. `tile_exposed_of_S_20` is the
    payment of 20 points to South; the referee sets it between 5 and 60. Offences are numbered up to 99.

    >>> foul_payments(Seat.WEST, "late_claim_3").to_json()
    {'E': 10, 'S': 10, 'W': -30, 'N': 10}
    """
    repeated, exposed = _REPEATED.fullmatch(kind), _EXPOSED.fullmatch(kind)
    victims = [seat for seat in SEATS if seat is not offender]
    if kind in FOULS:
        points = FOULS[kind]
    elif repeated is not None and 2 <= int(repeated[2]) <= MOST_OFFENCES:
        points = 5 * 2 ** (int(repeated[2]) - 2)
    elif exposed is not None and _HARM[0] <= int(exposed[2]) <= _HARM[1] and Seat(exposed[1]) is not offender:
        victims, points = [Seat(exposed[1])], int(exposed[2])
    else:
        problem = f"'{kind}' is no foul in mcr" if kind else "a foul needs its 'kind'"
        raise ContextError(
            "unknown_foul",
            f"{problem}: mcr knows {', '.join(FOULS)}; change_of_mind_2, wall_touched_2, late_claim_2 and on, "
            f"up to {MOST_OFFENCES}, for repeated offences; tile_exposed_of_S_20 (seat of the player harmed, 5 to 60 "
            "points).",
            kind=kind,
        )
    return Payments.of([Step(offender, seat, points, kind) for seat in victims])


_SEATS_AFTER: Final = {Seat.EAST: (1, 0, 3, 2), Seat.SOUTH: (3, 2, 0, 1), Seat.WEST: (1, 0, 3, 2)}
"""The old places of the new East, South, West and North after each round."""


def next_position(position: Position, ending: Ending) -> Position:
    """The deal passes every time; after each round the players change seats as document 003 says."""
    if ending.deal.foul_by is not None:
        return _after_foul(position, ending.deal.foul_by, ending.deal.foul_kind)
    moved = passed(replace(position, dead=()), last=Seat.NORTH)
    if moved.number > 1 or moved.over:
        return moved
    return replace(moved, seating=tuple(moved.seating[place] for place in _SEATS_AFTER[position.round]))


def _after_foul(position: Position, by: Seat, kind: str | None) -> Position:
    """The same position; the foul may make a hand dead until the deal has ended (S-MCR-23)."""
    culprit = position.player(by)
    if kind not in DEAD_HANDS or culprit in position.dead:
        return position
    return replace(position, dead=(*position.dead, culprit))


def _why(seat: Seat, discarder: Seat | None) -> str:
    if discarder is None:
        return "self_draw"
    return "discard" if seat is discarder else "base"
