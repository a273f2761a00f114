"""Payments between four seats, and the steps of which they are the sum."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from tilescore.scoring.context import SEATS, Seat, seat_of


def exact(points: float) -> float:
    """The same number, as an integer where it is whole.

    >>> exact(2.0), exact(0.25)
    (2, 0.25)
    """
    return int(points) if points == int(points) else points


@dataclass(frozen=True, slots=True)
class Step:
    """One payment.

    Attributes:
        source: who pays; None when it comes from the table (riichi deposits).
        target: who receives.
        points: how much, never negative; whole, or quarters where the unit of a game is one.
        why: stable key, e.g. `discard`, `east_doubles`.
    """

    source: Seat | None
    target: Seat
    points: float
    why: str

    def to_json(self) -> dict[str, object]:
        """The step as a JSON object."""
        source = None if self.source is None else str(self.source)
        return {"from": source, "to": str(self.target), "points": self.points, "why": self.why}


@dataclass(frozen=True, slots=True)
class Payments:
    """What each seat wins or loses in one deal.

    >>> Payments.of([Step(Seat.WEST, Seat.SOUTH, 28, "discard")]).to_json()
    {'E': 0, 'S': 28, 'W': -28, 'N': 0}
    """

    by_seat: tuple[float, float, float, float]
    steps: tuple[Step, ...] = ()

    @staticmethod
    def of(steps: Iterable[Step]) -> Payments:
        """The sum of these steps; steps of no points are left out."""
        kept = tuple([step for step in steps if step.points])
        totals: list[float] = [0, 0, 0, 0]
        for step in kept:
            totals[step.target.number - 1] += step.points
            if step.source is not None:
                totals[step.source.number - 1] -= step.points
        return Payments(tuple([exact(total) for total in totals]), kept)  # type: ignore[arg-type]  # four seats, four totals

    def __getitem__(self, seat: Seat | str) -> float:
        """The points of a seat or of its letter; raises ContextError."""
        return self.by_seat[seat_of(seat).number - 1]

    def to_json(self) -> dict[str, float]:
        """Points by seat as a JSON object."""
        return dict(zip(_SEAT_NAMES, self.by_seat, strict=True))


def deposit_steps(winner: Seat, points: int) -> tuple[Step, ...]:
    """The payment of so many points of sticks on the table to the winner."""
    return (Step(None, winner, points, "deposits"),)


_SEAT_NAMES: Final = tuple(map(str, SEATS))
NOTHING: Final = Payments((0, 0, 0, 0))
