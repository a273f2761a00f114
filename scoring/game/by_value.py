"""Payments of a win whose value the players know, without its tiles.

>>> from tilescore.scoring.context import Seat
>>> from tilescore.scoring.ruleset import ruleset
>>> payments_of_values(ruleset("riichi"), {Seat.SOUTH: KnownValue(han=3, fu=40)}, Seat.WEST).by_seat
(0, 5200, -5200, 0)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tilescore.base.errors import ContextError
from tilescore.scoring.classical.points import MAH_JONG
from tilescore.scoring.classical.settlement import differences, pay_winner
from tilescore.scoring.context import SEATS, Seat
from tilescore.scoring.faan.rules import SummedRules
from tilescore.scoring.faan.settlement import Win
from tilescore.scoring.game.han_fu import fu_of
from tilescore.scoring.mcr.settlement import win_steps as mcr_steps
from tilescore.scoring.payments import Payments, Step
from tilescore.scoring.riichi.points import price_of
from tilescore.scoring.riichi.points import win_steps as riichi_steps
from tilescore.scoring.riichi.ruleset import Riichi
from tilescore.scoring.riichi3.ruleset import Riichi3
from tilescore.scoring.ruleset import chosen

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tilescore.scoring.ruleset import Ruleset

MINIMUM: Final = 8
"""Points that a winning hand has at least in MCR."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownValue:
    """What a hand is worth: han and fu in riichi, elsewhere points, faan or tai."""

    points: int = 0
    han: int = 0
    fu: int = 30


def payments_of_values(
    rules: Ruleset,
    winners: Mapping[Seat, KnownValue],
    discarder: Seat | None,
    *,
    losers: Mapping[Seat, int] | None = None,
    honba: int = 0,
    repeats: int = 0,
    pays_for_all: bool = False,
) -> Payments:
    """The payments, deposits left out; the first winner after the discarder takes the honba.

    Args:
        rules: the ruleset of the game.
        winners: the winners with their values, several only in riichi, riichi3, hongkong and taiwan.
        discarder: who discarded the winning tile; None for a self-draw.
        losers: points of the other hands (classical, simplified); hands that are left out have none.
        honba: the counter of the deal (riichi).
        repeats: how often the dealer has kept the deal (taiwan).
        pays_for_all: whether the discarder pays for all (classical).

    Raises:
        ContextError: a value that no winning hand has.
    """
    steps: list[Step] = []
    first = discarder or Seat.EAST
    for place, seat in enumerate(sorted(winners, key=lambda seat: (seat.number - first.number) % len(SEATS))):
        value = winners[seat]
        if isinstance(rules, Riichi | Riichi3):
            steps += _riichi(rules, seat, value, discarder, honba=0 if place else honba)
        elif rules.name == "mcr":
            if value.points < MINIMUM:
                raise ContextError("below_minimum", f"{value.points} points: a hand wins with {MINIMUM} or more.")
            steps += mcr_steps(seat, discarder, value.points)
        elif isinstance(rules, SummedRules):
            steps += _summed(rules, seat, value, discarder, repeats=repeats)
        else:
            _check_points(rules, value.points, losers or {})
            steps += pay_winner(seat, value.points, discarder if pays_for_all else None)
            if chosen(rules, "losers_settle", otherwise=True) and not pays_for_all:
                steps += differences({other: (losers or {}).get(other, 0) for other in SEATS if other is not seat})
    return Payments.of(steps)


def _check_han_and_fu(rules: Riichi | Riichi3, value: KnownValue, *, self_drawn: bool) -> None:
    """Raise ContextError for han and fu that no hand has together."""
    if value.han < 1:
        raise ContextError("no_such_value", f"{value.han} han: a hand wins with 1 han or more.")
    known = fu_of(value.han, self_drawn=self_drawn, double_wind_fu=rules.counting.double_wind_fu)
    if known and value.fu not in known:
        how = "self-draw" if self_drawn else "discard"
        raise ContextError(
            "no_such_fu",
            f"{value.han} han {value.fu} fu by {how}: no hand has both; {value.han} han have "
            f"{', '.join(map(str, known))} fu.",
            han=value.han, fu=value.fu, known=", ".join(map(str, known)),
        )  # fmt: skip


def _check_points(rules: Ruleset, winner: int, losers: Mapping[Seat, int]) -> None:
    """Raise ContextError for points that no hand has: a winner has those of mah-jong, and a limit may cut all hands."""
    capped = chosen(rules, "cap_ordinary", otherwise=True)
    most = chosen(rules, "limit", 0) if capped else max(winner, *losers.values(), MAH_JONG)
    for points, least in ((winner, min(MAH_JONG, most)), *((points, 0) for points in losers.values())):
        if not least <= points <= most:
            who = "the winning hand" if least else "a hand"
            raise ContextError(
                "no_such_points",
                f"{points} points: {who} has {least} to {most} in {rules.name}.",
                least=least,
                most=most,
                points=points,
            )


def _summed(
    rules: SummedRules, seat: Seat, value: KnownValue, discarder: Seat | None, *, repeats: int
) -> tuple[Step, ...]:
    least, limit = chosen(rules, "minimum", 0), chosen(rules, "limit", 0)
    if value.points < least:
        raise ContextError("below_minimum", f"{value.points}: a hand wins with {least} or more in {rules.name}.")
    total = min(value.points, limit) if limit else value.points
    return rules.steps(Win(winner=seat, total=total, discarder=discarder, dealer=Seat.EAST, repeats=repeats))


def _riichi(
    rules: Riichi | Riichi3, seat: Seat, value: KnownValue, discarder: Seat | None, *, honba: int
) -> list[Step]:
    _check_han_and_fu(rules, value, self_drawn=discarder is None)
    price = price_of(value.han, value.fu, kiriage=rules.counting.kiriage, kazoe=rules.counting.kazoe)
    return list(riichi_steps(price, seat, discarder, honba, table=rules.endings.table))
