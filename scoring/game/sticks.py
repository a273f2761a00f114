"""Who may have laid a stick in a deal of a game: each seat once, with points enough."""

from collections.abc import Mapping

from tilescore.errors import ContextError
from tilescore.scoring.context import Seat
from tilescore.scoring.deal import Deal
from tilescore.scoring.ruleset import Ruleset


def checked_sticks(rules: Ruleset, deal: Deal, riichi: tuple[Seat, ...], *, judged: bool) -> tuple[Seat, ...]:
    """The seats that laid a stick: those named, and those whose hand says so.

    Raises:
        ContextError: a seat is named twice, or its hand cannot have laid a stick. Where the table has `judged` the
            hands, by agreed points or by values, only the seats are checked.
    """
    if len(set(riichi)) != len(riichi):
        raise ContextError("seat_twice", f"'riichi' names a seat twice: {', '.join(riichi)}; name each seat once.")
    if not rules.traits.stick or judged or deal.foul_by is not None:
        return riichi
    return rules.sticks_of(deal, riichi)


def check_points(rules: Ruleset, points: Mapping[Seat, float]) -> None:
    """Raise ContextError if one of these players had too few points for a stick."""
    least = rules.traits.stick_from
    for seat, held in points.items():
        if least and held < least:
            raise ContextError(
                "riichi_without_points",
                f"{seat} has {held} points: riichi needs {least}; leave the stick out, or agree on riichi_below_1000.",
                points=held,
            )
