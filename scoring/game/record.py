"""A deal of a game with the players in its seats, so that it stays true when an earlier deal is corrected.

Sources: scoring/sources.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from tilescore.errors import ContextError
from tilescore.scoring.context import SEATS, Context, Seat, seat_of
from tilescore.scoring.deal import MOST_NUMBER, Deal
from tilescore.scoring.game.by_value import check_values, values_from_json, values_to_json
from tilescore.scoring.game.deals import deal_from_json, deal_to_json, json_object, seats_value
from tilescore.scoring.hand import refuse_unknown_keys
from tilescore.scoring.options import QUARTER
from tilescore.scoring.payments import Payments, deposit_steps
from tilescore.scoring.progression import PLAYERS, Player, Position, Seating
from tilescore.scoring.traits import KnownValue, with_harmed

MOST_LETTERS: Final = 200
"""Letters of the name of a player or of a tag, more than any has (chosen)."""
_RECORD_KEYS: Final = ("deal", "seating", "riichi", "agreed", "values", "as_booked")


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreed:
    """Points by seat on which the table agreed, in place of the payments by the rules; riichi deposits are apart."""

    points: tuple[float, float, float, float]

    def __post_init__(self) -> None:
        check_points_given(self.points, "agreed", step=QUARTER)
        if sum(self.points):
            raise ContextError("agreed_not_zero", f"agreed points must add up to 0, not {sum(self.points)}.")

    @staticmethod
    def of(points: Mapping[Seat, float]) -> Agreed:
        """The points of these seats; other seats get none."""
        return Agreed(points=tuple(points.get(seat, 0) for seat in SEATS))  # type: ignore[arg-type]  # four seats

    def at(self, moved: Mapping[Seat, Seat]) -> Agreed:
        """The points after the players have moved to other seats."""
        back = {after: before for before, after in moved.items()}
        return Agreed.of({seat: self.points[before.number - 1] for seat, before in back.items()})

    def payments(self, winner: Seat | None, deposited: int) -> Payments:
        """The payments; the winner also gets so many points of sticks on the table."""
        if winner is None:
            return Payments(self.points)
        taken = Payments.of(deposit_steps(winner, deposited))
        points = tuple(given + more for given, more in zip(self.points, taken.by_seat, strict=True))
        return Payments(points, taken.steps)  # type: ignore[arg-type]  # four seats


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One deal of a game."""

    deal: Deal  # how it ended, by seats
    seating: Seating  # the players in the seats East, South, West and, with four of them, North at its entry
    riichi: tuple[Seat, ...] = ()  # the seats that laid a stick of 1000 in it
    agreed: Agreed | None = None  # points on which the table agreed; None for the payments by the rules
    # what the hands are worth, by seat, where the table knows that and not their tiles; else empty
    values: Mapping[Seat, KnownValue] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.values:
            check_values(self.deal, self.values, agreed=self.agreed is not None)

    @property
    def as_booked(self) -> bool:
        """Whether circumstances count that the tiles contradict, because an earlier version booked them."""
        return any(context.unchecked for _, context in self.deal.hands.values())

    def at(self, position: Position) -> Record:
        """The deal at another position: its players in their seats there, with the winds and counters of the position.

        The sticks of the position are those on the table, those laid in this deal included.
        """
        moved = {seat: position.seat(player) for seat, player in zip(SEATS, self.seating, strict=False)}
        letters = {str(before): str(after) for before, after in moved.items()}
        deal = self.deal
        return Record(
            deal=replace(
                deal,
                winner=None if deal.winner is None else moved[deal.winner],
                also_won=tuple(moved[seat] for seat in deal.also_won),
                discarder=None if deal.discarder is None else moved[deal.discarder],
                hands={
                    moved[seat]: (hand, _context_at(context, moved, position))
                    for seat, (hand, context) in deal.hands.items()
                },
                ready=tuple(moved[seat] for seat in deal.ready),
                nagashi=tuple(moved[seat] for seat in deal.nagashi),
                liable={moved[winner]: moved[liable] for winner, liable in deal.liable.items()},
                foul_by=None if deal.foul_by is None else moved[deal.foul_by],
                foul_kind=deal.foul_kind and with_harmed(deal.foul_kind, lambda at: letters.get(at, at)),
            ),
            seating=position.seating,
            riichi=tuple(moved[seat] for seat in self.riichi),
            agreed=None if self.agreed is None else self.agreed.at(moved),
            values={moved[seat]: value for seat, value in self.values.items()},
        )

    def check_seats(self, players: int) -> None:
        """Raise ContextError unless this is a deal of that many players."""
        if len(self.seating) != players:
            raise ContextError(
                "unknown_seating", f"'seating' must hold the {players} players, not '{''.join(self.seating)}'."
            )
        agreed = (
            () if self.agreed is None else (s for s, points in zip(SEATS, self.agreed.points, strict=True) if points)
        )
        named = {*self.deal.seats, *self.riichi, *agreed, *self.values}
        absent = next((seat for seat in SEATS[players:] if seat in named), None)
        if absent is not None:
            raise ContextError(
                "seat_not_in_game",
                f"{absent} is no seat of a game of {players} players, who sit {' '.join(SEATS[:players])}; correct it.",
                seat=str(absent),
            )

    def check_dead(self, position: Position) -> None:
        """Raise ContextError if a player wins whose hand a foul of this deal has made dead (S-MCR-23)."""
        for seat in self.deal.winners:
            if position.player(seat) in position.dead:
                raise ContextError(
                    "dead_hand",
                    f"{seat} cannot win this deal: a foul made that hand dead; correct the foul or the winner.",
                )

    def to_json(self) -> dict[str, Any]:
        """The JSON object that `from_json` reads: the deal as for `settle`, and what a game adds to it."""
        agreed = None if self.agreed is None else dict(zip(SEATS, self.agreed.points, strict=True))
        return {
            "deal": deal_to_json(self.deal),
            "seating": "".join(self.seating),
            "riichi": list(self.riichi),
            "agreed": agreed,
            **({"values": values_to_json(self.values)} if self.values else {}),
            **({"as_booked": True} if self.as_booked else {}),
        }

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> Record:
        """The record of a JSON object; raises InputError."""
        refuse_unknown_keys(data, _RECORD_KEYS, "a deal of a game")
        points = {seat_of(key): value for key, value in json_object(data, "agreed").items()}
        agreed = None if data.get("agreed") is None else Agreed.of(points)
        values = {} if data.get("values") is None else values_from_json(json_object(data, "values"))
        need_hands = agreed is None and not values
        return Record(
            deal=deal_from_json(json_object(data, "deal"), need_hands=need_hands, unchecked=flag(data, "as_booked")),
            seating=_seating(data.get("seating")),
            riichi=seats_value(data, "riichi"),
            agreed=agreed,
            values=values,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """What the table can change of a game: each change is one step, and undo and redo go from moment to moment."""

    players: tuple[str, ...]
    records: tuple[Record, ...]
    closed: bool
    tag: str


def is_name(player: object) -> bool:
    """Whether this is a text of usual length that UTF-8 can write."""
    if not isinstance(player, str) or len(player) > MOST_LETTERS:
        return False
    return not any("\ud800" <= letter <= "\udfff" for letter in player)


def no_players(given: object, number: int) -> ContextError:
    """The error of players who are not so many names, each its own."""
    word = _NUMBERS[number]
    return ContextError(f"players_not_{word}", f"'players' must be {word} names, all different, not {given!r}.")


_NUMBERS: Final = {3: "three", 4: "four"}


def check_points_given(given: Iterable[Any], key: str, *, step: float = 1) -> None:
    """Raise ContextError unless these are numbers of points that a game may have, in quarters if the step is one."""
    for value in given:
        known = isinstance(value, int) or (step < 1 and isinstance(value, float))
        if not known or isinstance(value, bool) or abs(value) > MOST_NUMBER or value % min(step, 1):
            numbers = "quarters" if step < 1 else "whole numbers"
            message = f"'{key}' must hold {numbers} of points, at most {MOST_NUMBER}, not {value!r}."
            raise ContextError("not_points", message)


def flag(data: Mapping[str, Any], key: str) -> bool:
    """The value of this key, false if absent or null; raises ContextError unless it is true or false."""
    value = data.get(key)
    if value is not None and not isinstance(value, bool):
        raise ContextError("not_boolean", f"'{key}' must be true, false or null, not {value!r}.")
    return value is True


def _context_at(context: Context, moved: Mapping[Seat, Seat], position: Position) -> Context:
    return replace(
        context,
        seat=moved[context.seat],
        discarder=None if context.discarder is None else moved[context.discarder],
        round=position.round,
        honba=position.honba,
        riichi_deposits=position.deposits,
        dealer=Seat.EAST,
        dealer_repeats=position.repeats,
    )


def _seating(text: object) -> Seating:
    if not isinstance(text, str) or sorted(text) not in _SEATED:
        raise ContextError(
            "unknown_seating",
            f"'seating' must be the letters A B C D, or A B C of three players, in some order, not {text!r}.",
        )
    return tuple(map(Player, text))


_SEATED: Final = [sorted(PLAYERS[:number]) for number in _NUMBERS]
