"""The settlement of a win whose value the players know, without its tiles.

>>> from tilescore.scoring.context import Seat
>>> from tilescore.scoring.deal import Deal
>>> from tilescore.scoring.ruleset import ruleset
>>> from tilescore.scoring.traits import KnownValue
>>> deal = Deal(winner=Seat.SOUTH, discarder=Seat.WEST, hands={})
>>> settled_by_value(ruleset("riichi"), deal, {Seat.SOUTH: KnownValue(han=3, fu=40)}, Position()).payments.by_seat
(0, 5200, -5200, 0)
"""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any, Final

from tilescore.errors import ContextError
from tilescore.scoring.context import Seat, seat_of
from tilescore.scoring.deal import MOST_NUMBER, Deal, Settlement
from tilescore.scoring.game.deals import json_object
from tilescore.scoring.hand import refuse_unknown_keys
from tilescore.scoring.payments import Payments, Step, deposit_steps
from tilescore.scoring.progression import Position
from tilescore.scoring.ruleset import Ruleset
from tilescore.scoring.traits import KnownValue, KnownWin

OF_POINTS: Final = ("points",)
OF_HAN: Final = ("han", "fu")
"""The keys of a value in games that count points, faan or tai, and in those that count han and fu."""


def settled_by_value(
    rules: Ruleset, deal: Deal, known: Mapping[Seat, KnownValue], position: Position, *, ready: Collection[Seat] = ()
) -> Settlement:
    """Values of the hands, without counters and sticks, and payments.

    The hands of the deal do not count: `known` has what those of the winners are worth, and of the losers where these
    count. The counters and sticks are those of the position, the sticks laid in this deal by the seats in `ready`
    included. Raises ContextError for a value that no winning hand has, and for winners who cannot all win.
    """
    losers = {seat: value.points for seat, value in known.items() if seat not in deal.winners}
    values = dict(losers)
    steps: list[Step] = []
    for seat, share in rules.shares_of(deal, deposits=position.deposits, ready=ready).items():
        win = KnownWin(
            winner=seat,
            value=known[seat],
            discarder=deal.discarder,
            losers={other: value.points for other, value in known.items()},
            honba=position.honba if share.takes_honba else 0,
            repeats=position.repeats,
            pays_for_all=bool(deal.pays_for_all) and deal.discarder is not None,
            liable=deal.liable.get(seat),
        )
        steps += rules.payments_of(win)
        steps += deposit_steps(seat, rules.traits.stick * share.sticks) if share.sticks else ()
        values[seat] = known[seat].points
        if rules.traits.with_fu:
            values[seat] = int(Payments.of(rules.payments_of(replace(win, honba=0)))[seat])
    return Settlement(values=values, payments=Payments.of(steps))


def values_to_json(known: Mapping[Seat, KnownValue]) -> dict[str, Any]:
    """The JSON object of what hands are worth by seat; `values_from_json` is the inverse."""
    return {
        str(seat): {"han": value.han, "fu": value.fu} if value.han else {"points": value.points}
        for seat, value in known.items()
    }


def values_from_json(data: Mapping[str, Any], keys: tuple[str, ...] = (*OF_POINTS, *OF_HAN)) -> dict[Seat, KnownValue]:
    """What hands are worth by seat, in these keys; raises ContextError."""
    return {seat_of(key): _value(json_object(data, key), keys) for key in data}


def check_values(deal: Deal, known: Mapping[Seat, KnownValue], *, agreed: bool) -> None:
    """Raise ContextError unless these are the values of a deal that somebody won, and nothing else was agreed."""
    if agreed or not deal.winners or not known.keys() >= {*deal.winners}:
        raise ContextError(
            "values_do_not_fit",
            "'values' says what the hand of each winner is worth: give it for every winner, and leave it out of a deal "
            "that nobody won or on whose points the table agreed.",
        )


def _value(data: Mapping[str, Any], keys: tuple[str, ...]) -> KnownValue:
    refuse_unknown_keys(data, keys, "a value")
    for number in data.values():
        if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number <= MOST_NUMBER:
            raise ContextError(
                "not_points", f"'values' must hold whole numbers of points, at most {MOST_NUMBER}, not {number!r}."
            )
    return KnownValue(**data)
