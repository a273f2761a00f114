"""A game from the first deal to the standings: an immutable value, each operation gives a new one.

A game keeps its deals by seat, with the players in these seats, and computes everything else by replaying them. So a
correction of an early deal moves the dealer, the winds, the counters and the totals of all later ones. Sources:
scoring/sources.md.

>>> from tilescore.scoring.context import Seat
>>> from tilescore.scoring.deal import Deal
>>> game = Game.new("riichi", ("Ann", "Ben", "Cleo", "Dan")).play(Deal(hands={}, draw="exhausted", ready=(Seat.SOUTH,)))
>>> game.totals, game.position.honba, game.position.player(Seat.EAST)
((24000, 28000, 24000, 24000), 1, <Player.B: 'B'>)
>>> game.undo() == Game.new("riichi", ("Ann", "Ben", "Cleo", "Dan"))
True
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import InitVar, dataclass, field, replace
from functools import reduce
from itertools import takewhile
from operator import is_
from typing import Any, Final, Self

from tilescore.errors import ContextError, InputError
from tilescore.scoring.context import Seat
from tilescore.scoring.deal import Deal
from tilescore.scoring.game.by_value import settled_by_value
from tilescore.scoring.game.deals import deal_from_json, deal_to_json, json_object
from tilescore.scoring.game.record import (
    MOST_LETTERS,
    Agreed,
    Moment,
    Record,
    check_points_given,
    flag,
    is_name,
    no_players,
)
from tilescore.scoring.game.standings import Standing, Table, standings_of
from tilescore.scoring.game.sticks import check_points, checked_sticks
from tilescore.scoring.hand import refuse_unknown_keys
from tilescore.scoring.payments import Payments, exact
from tilescore.scoring.progression import PLAYERS, Ending, Position, check_end
from tilescore.scoring.ruleset import Ruleset, ruleset
from tilescore.scoring.traits import KnownValue

GAME_KEYS: Final = ("ruleset", "options", "players", "start", "deals", "closed", "tag")
_MOST_DEALS: Final = 1000
"""More than any game has (chosen)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A deal in its place in the game."""

    position: Position  # position of the game before the deal
    deal: Deal
    # what the table said that the hands are worth, by seat; empty where their tiles or the points say it
    known: Mapping[Seat, KnownValue]
    values: Mapping[Seat, int]  # values of the hands, by seat
    winners: tuple[Seat, ...]  # the seats that were paid as winners; none after a draw, or if three rons abort the deal
    sticks: tuple[Seat, ...]  # the seats whose riichi stick counts; none after a foul
    payments: Payments  # payments by seat, with their steps, without riichi sticks laid in the deal
    changes: tuple[float, ...]  # points that each player won or lost, from A on, with these sticks
    totals: tuple[float, ...]  # points of the players after the deal, from A on


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """A game of four players, or of three if the rules say so."""

    # ruleset_name, options: the rules of the game
    ruleset_name: str
    options: Mapping[str, Any] = field(default_factory=dict)
    players: tuple[str, ...]  # names of A, B, C and D, who begin as East, South, West and North
    start: int = 0  # points with which each player starts
    records: tuple[Record, ...] = ()
    closed: bool = False  # whether the players ended it before its last deal
    # what the players call it together with other games, such as the name of a club evening; empty for nothing
    tag: str = ""
    # past, future: moments for undo and redo; games that differ in them alone are equal
    past: tuple[Moment, ...] = field(default=(), compare=False, repr=False)
    future: tuple[Moment, ...] = field(default=(), compare=False, repr=False)
    entries: tuple[Entry, ...] = field(init=False, compare=False, repr=False)
    position: Position = field(init=False, compare=False, repr=False)
    earlier: InitVar[Game | None] = None  # a game of the same rules: the deals with which both begin are not replayed

    def __post_init__(self, earlier: Game | None) -> None:
        rules = self.rules
        check_points_given([self.start], "start")
        position = Position(seating=PLAYERS[: len(rules.traits.seats)])
        if len(self.players) != len(position.seating) or not all(map(is_name, self.players)):
            raise no_players(list(self.players), len(position.seating))
        if not is_name(self.tag):
            raise ContextError("unreadable_game", f"'tag' must be a text of at most {MOST_LETTERS} characters.")
        totals: tuple[float, ...] = (self.start,) * len(position.seating)
        entries: list[Entry] = []
        if earlier is not None:
            entries += earlier.entries[: sum(takewhile(bool, map(is_, earlier.records, self.records)))]
            position = [*(entry.position for entry in earlier.entries), earlier.position][len(entries)]
            totals = entries[-1].totals if entries else totals
        for record in self.records[len(entries) :]:
            entry, position = _replayed(rules, record, position, totals)
            totals = entry.totals
            entries.append(entry)
        object.__setattr__(self, "entries", tuple(entries))
        object.__setattr__(self, "position", position)

    @staticmethod
    def new(
        ruleset_name: str,
        players: tuple[str, ...],
        *,
        options: Mapping[str, Any] | None = None,
        start: int | None = None,
    ) -> Game:
        """A game before its first deal; raises OptionError for an unknown ruleset or option."""
        rules = ruleset(ruleset_name, options)
        return Game(
            ruleset_name=rules.name,
            options=options or {},
            players=players,
            start=(rules.traits.start or 0) if start is None else start,
        )

    @property
    def rules(self) -> Ruleset:
        """The ruleset with this game's options."""
        return ruleset(self.ruleset_name, self.options)

    @property
    def moment(self) -> Moment:
        """What the table can change, as it is now."""
        return Moment(players=self.players, records=self.records, closed=self.closed, tag=self.tag)

    @property
    def totals(self) -> tuple[float, ...]:
        """Points of the players, from A on."""
        return self.entries[-1].totals if self.entries else (self.start,) * len(self.players)

    @property
    def over(self) -> bool:
        """Whether the game has ended: by the rules, or because the players closed it."""
        return self.closed or self.position.over

    @property
    def standings(self) -> tuple[Standing, ...]:
        """First to last, at the end with uma, left sticks and penalties."""
        return self.standings_with(self.totals, over=self.over)

    def standings_with(self, totals: tuple[float, ...], *, over: bool) -> tuple[Standing, ...]:
        """The same for other points of the players, from A on, as if the game were `over` or not."""
        fouls = Counter(
            entry.position.player(entry.deal.foul_by) for entry in self.entries if entry.deal.foul_by is not None
        )
        table = Table(
            names=self.players,
            totals=totals,
            start=self.start,
            left=self.rules.traits.stick * self.position.deposits,
            fouls=fouls,
            over=over,
        )
        return standings_of(self.rules.traits.end, table)

    def play(
        self,
        deal: Deal,
        *,
        riichi: tuple[Seat, ...] = (),
        agreed: Mapping[Seat, float] | None = None,
        values: Mapping[Seat, KnownValue] | None = None,
    ) -> Self:
        """The game with one more deal, by the present seats.

        The position supplies the round and the counters of the hands. Seats in `riichi` laid a stick of 1000. Points on
        which the table `agreed` stand in place of the payments by the rules, and `values` in place of tiles.

        Raises InputError if the game is over or full, or the deal is impossible.
        """
        if self.over:
            raise ContextError("game_over", "the game is over: undo, or begin a new one.")
        if len(self.records) >= _MOST_DEALS:
            raise ContextError("game_full", f"a game has at most {_MOST_DEALS} deals: end it and begin another one.")
        record = self._record(len(self.records), deal, riichi=riichi, agreed=agreed, values=values or {})
        return self.then(records=(*self.records, record))

    def correct(
        self,
        number: int,
        deal: Deal,
        *,
        riichi: tuple[Seat, ...] = (),
        agreed: Mapping[Seat, float] | None = None,
        values: Mapping[Seat, KnownValue] | None = None,
    ) -> Self:
        """The game with another deal `number` (from 1), by the seats of that deal; all later deals are replayed.

        Raises InputError if this deal or a later one is impossible then.
        """
        place = self._place(number)
        record = self._record(place, deal, riichi=riichi, agreed=agreed, values=values or {})
        return self._changed(place, record)

    def without(self, number: int) -> Self:
        """The game without deal `number` (from 1); raises InputError if a later deal is impossible then."""
        return self._changed(self._place(number))

    def then(self, **changes: Any) -> Self:
        """The game after a change of its `moment`, which is one step of its history; raises InputError."""
        return self._at(replace(self.moment, **changes), past=(*self.past, self.moment), future=())

    def undo(self) -> Self:
        """The game before its last change, whatever that was; raises ContextError if there is none."""
        if not self.past:
            raise ContextError("nothing_to_undo", "there is nothing to undo: enter a deal first.")
        return self._at(self.past[-1], past=self.past[:-1], future=(*self.future, self.moment))

    def redo(self) -> Self:
        """The game before the last undo; raises ContextError if there is none."""
        if not self.future:
            raise ContextError("nothing_to_redo", "there is nothing to redo: undo a change first.")
        return self._at(self.future[-1], past=(*self.past, self.moment), future=self.future[:-1])

    def before(self, number: int) -> Self:
        """The game as it was before deal `number` (from 1)."""
        return replace(self, records=self.records[: self._place(number)], closed=False)

    def emptied(self) -> Self:
        """The game before its first deal."""
        return replace(self, records=(), closed=False, past=(), future=())

    def close(self, *, closed: bool = True) -> Self:
        """The game closed before its last deal, or opened again."""
        return self.then(closed=closed)

    def to_json(self) -> dict[str, Any]:
        """The JSON object that `from_json` reads."""
        return {
            "ruleset": self.ruleset_name,
            "options": dict(self.options),
            "players": list(self.players),
            "start": self.start,
            "deals": [record.to_json() for record in self.records],
            "closed": self.closed,
            **({"tag": self.tag} if self.tag else {}),
        }

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> Game:
        """The game of a JSON object; undo opens it again and removes its deals one by one. Raises InputError."""
        refuse_unknown_keys(data, GAME_KEYS, "a game")
        players, deals = data.get("players"), data.get("deals", [])
        name = ruleset(str(data.get("ruleset"))).name
        if not isinstance(players, list):
            raise no_players(players, len(ruleset(name).traits.seats))
        if not isinstance(deals, list) or len(deals) > _MOST_DEALS:
            raise ContextError("unreadable_game", f"'deals' must be a list of at most {_MOST_DEALS} deals.")
        records = tuple(map(Record.from_json, deals))
        now = Moment(players=tuple(players), records=records, closed=flag(data, "closed"), tag=data.get("tag", ""))
        past = tuple(replace(now, records=records[:count], closed=False) for count in range(len(records) + now.closed))
        game = Game(
            ruleset_name=name, options=json_object(data, "options"), players=now.players, start=data.get("start", 0),
            records=records, closed=now.closed, tag=now.tag, past=past,
        )  # fmt: skip
        check_end(entry.position for entry in game.entries)
        return game

    @staticmethod
    def parse(text: str) -> Game:
        """The game of a text that `str` wrote; raises InputError."""
        try:
            data = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise ContextError("unreadable_game", f"this is no saved game ({error}): '{text[:60]}'.") from None
        if not isinstance(data, dict):
            raise ContextError("unreadable_game", f"a saved game must be one JSON object, not '{text[:60]}'.")
        return Game.from_json(data)

    @staticmethod
    def restored(text: str) -> Game:
        """Like `parse`, but what an earlier version booked counts.

        These are deals whose circumstances the tiles contradict, and deals after the end by the rules of today.
        """
        try:
            return Game.parse(text)
        except InputError as error:
            if error.code == "unreadable_game":
                raise
        data = json.loads(text)
        empty = Game.from_json({**data, "deals": []})
        game = reduce(Game._restored, data.get("deals", ()), replace(empty, closed=False, past=()))
        return game.close() if empty.closed else game

    def __str__(self) -> str:
        return json.dumps(self.to_json(), ensure_ascii=False)

    def _restored(self, deal: Any) -> Self:
        try:
            return self.then(records=(*self.records, Record.from_json(deal)))
        except InputError:
            if not isinstance(deal, dict):
                raise
            return self.then(records=(*self.records, Record.from_json({**deal, "as_booked": True})))

    def _at(self, moment: Moment, *, past: tuple[Moment, ...], future: tuple[Moment, ...]) -> Self:
        return replace(
            self, players=moment.players, records=moment.records, closed=moment.closed, tag=moment.tag, past=past,
            future=future, earlier=self,
        )  # fmt: skip

    def _changed(self, place: int, *put: Record) -> Self:
        """The game with these deals instead of one; the error of a later deal names that deal."""
        records = (*self.records[:place], *put, *self.records[place + 1 :])
        try:
            after = self.then(records=records)
        except InputError as error:
            at = place
            with suppress(InputError):
                while True:
                    self.then(records=records[: at + 1])
                    at += 1
            if put and at == place:
                raise
            number = at + 2 - len(put)
            raise ContextError("later_deal", f"deal {number}: {error}", number=number, reason=error) from None
        if not any(entry.position.over for entry in self.entries):  # an earlier version may have booked such deals
            check_end(entry.position for entry in after.entries)
        return after

    def _record(
        self,
        place: int,
        deal: Deal,
        *,
        riichi: tuple[Seat, ...],
        agreed: Mapping[Seat, float] | None,
        values: Mapping[Seat, KnownValue],
    ) -> Record:
        """The deal at that place as a record, checked like one from a file, with what its hands left out."""
        points = None if agreed is None else Agreed.of(agreed)
        judged = points is not None or bool(values)
        deal = deal_from_json(deal_to_json(deal), need_hands=not judged, size=self.rules.traits.size)
        position = self.position if place == len(self.entries) else self.entries[place].position
        totals = self.entries[place - 1].totals if place else (self.start,) * len(self.players)
        record = Record(deal=deal, seating=position.seating, riichi=riichi, agreed=points, values=values)
        record.check_seats(len(self.players))
        if points is not None and not deal.winners:
            self.rules.settle(deal)  # refuses a draw or a foul that the game does not know
        sticks = checked_sticks(self.rules, deal, riichi, judged=judged)
        check_points(self.rules, {seat: totals[PLAYERS.index(position.player(seat))] for seat in sticks})
        return replace(record, riichi=sticks)

    def _place(self, number: int) -> int:
        if not 1 <= number <= len(self.records):
            raise ContextError("no_such_deal", f"there is no deal {number}: {len(self.records)} are recorded.")
        return number - 1


def _replayed(rules: Ruleset, record: Record, position: Position, totals: tuple[float, ...]) -> tuple[Entry, Position]:
    stick = rules.traits.stick
    laid = () if record.deal.foul_by is not None else record.riichi
    record.check_seats(len(position.seating))
    if laid and not stick:
        raise ContextError("riichi_elsewhere", f"there is no riichi in {rules.name}: leave 'riichi' empty.")
    table = replace(position, deposits=position.deposits + len(laid))
    here = record.at(table)
    deal = here.deal
    if here.agreed is None:
        if not here.as_booked:
            here.check_dead(position)
        if here.values:
            settled = settled_by_value(rules, deal, here.values, table, ready=here.riichi)
        else:
            settled = rules.settle(deal)
        values, payments = settled.values, settled.payments
        winners = tuple(seat for seat in deal.winners_in_turn if seat in values)
    else:
        check_points_given(here.agreed.points, "agreed", step=rules.traits.step)
        values, winners = {}, deal.winners_in_turn
        payments = here.agreed.payments(winners[0] if winners else None, stick * table.deposits)
    sticks = here.riichi if laid else ()
    changes = tuple(payments[seat] - stick * (seat in sticks) for seat in map(position.seat, position.players))
    entry = Entry(
        position=position, deal=deal, known=here.values, values=values, winners=winners, sticks=sticks,
        payments=payments, changes=changes,
        totals=tuple(exact(total + change) for total, change in zip(totals, changes, strict=True)),
    )  # fmt: skip
    left = table.deposits - int(sum(payments.by_seat)) // stick if stick else 0
    ending = Ending(deal=deal, winners=winners, deposits=left, totals=entry.totals)
    return entry, rules.next_position(position, ending)
