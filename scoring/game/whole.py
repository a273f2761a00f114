"""A whole game from JSON lines: a deal or a penalty a line, and at the end the result.

A deal is as for `settle`, with the seats of that deal; the game carries winds, counters and sticks from deal to deal.
Sticks of players who do not win stand under `riichi`, and `agreed` has the points on which a table agreed.

>>> game = Whole.new("riichi", ("Ann", "Ben", "Cleo", "Dan"))
>>> game, answer = game.after({"draw": {"kind": "exhausted", "ready": ["S"]}})
>>> answer["position"], answer["standing"]
({'round': 'E', 'number': 1, 'dealer': 0, 'honba': 0, 'sticks': 0}, [24000, 28000, 24000, 24000])
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from tilescore.errors import ContextError
from tilescore.scoring.context import Seat, seat_of
from tilescore.scoring.deal import MOST_NUMBER
from tilescore.scoring.game.by_value import OF_HAN, OF_POINTS, values_from_json
from tilescore.scoring.game.deals import deal_from_json, json_object, seats_value
from tilescore.scoring.game.ledger import Game
from tilescore.scoring.game.record import no_players
from tilescore.scoring.game.standings import Standing
from tilescore.scoring.hand import refuse_unknown_keys
from tilescore.scoring.house import HOUSE, named
from tilescore.scoring.progression import Position

_ADDED: Final = ("riichi", "agreed", "values")
"""What a line has besides the keys of a deal for `settle`."""
_PENALTY_KEYS: Final = ("player", "points", "to", "reason", "after_uma")
OTHERS: Final = "others"
NOBODY: Final = "nobody"


@dataclass(frozen=True, slots=True, kw_only=True)
class Penalty:
    """Points that a referee takes from a player."""

    player: int  # whose, by the place in the list of players
    points: int
    # The players who share them; what does not divide goes to the first ones. Nobody if empty.
    to: tuple[int, ...]
    reason: str = ""  # why, in the words of the referee
    after_uma: bool = False  # whether they count in the result alone, and not for the places

    @staticmethod
    def from_json(data: Mapping[str, Any], players: int) -> Penalty:
        """The penalty of a JSON object; raises ContextError."""
        refuse_unknown_keys(data, _PENALTY_KEYS, "'penalty'")
        player, points, reason = data.get("player"), data.get("points"), data.get("reason", "")
        _check_player(player, players, "player")
        if not isinstance(points, int) or isinstance(points, bool) or not 0 < points <= MOST_NUMBER:
            message = f"'points' of a penalty must be a number from 1 to {MOST_NUMBER}, not {points!r}."
            raise ContextError("not_points", message)
        if not isinstance(reason, str) or not isinstance(data.get("after_uma", False), bool):
            raise ContextError("bad_penalty", "'reason' of a penalty must be text, and 'after_uma' true or false.")
        to = data.get("to", NOBODY)
        if to == OTHERS:
            to = [other for other in range(players) if other != player]
        elif to == NOBODY:
            to = []
        if not isinstance(to, list):
            message = f"'to' of a penalty must be {OTHERS}, {NOBODY} or a list of players, not {to!r}."
            raise ContextError("bad_penalty", message)
        for other in to:
            _check_player(other, players, "to")
        if player in to or len(set(to)) != len(to):
            raise ContextError("bad_penalty", "'to' of a penalty must name each other player once at most.")
        after_uma = bool(data.get("after_uma"))
        return Penalty(player=int(player or 0), points=points, to=tuple(to), reason=reason, after_uma=after_uma)

    def changes(self, players: int) -> tuple[int, ...]:
        """What each player wins or loses by it."""
        part, rest = divmod(self.points, len(self.to)) if self.to else (0, 0)
        shares = {player: part + (place < rest) for place, player in enumerate(self.to)}
        return tuple(-self.points if place == self.player else shares.get(place, 0) for place in range(players))

    def to_json(self) -> dict[str, Any]:
        """The penalty as a JSON object."""
        to = list(self.to) or NOBODY
        reason = {"reason": self.reason} if self.reason else {}
        after = {"after_uma": True} if self.after_uma else {}
        return {"player": self.player, "points": self.points, "to": to, **reason, **after}


@dataclass(frozen=True, slots=True, kw_only=True)
class Whole:
    """A game, and the penalties of its referee; an immutable value."""

    game: Game
    penalties: tuple[Penalty, ...] = ()

    @staticmethod
    def new(ruleset: str, players: tuple[str, ...], *, options: Mapping[str, Any] | None = None) -> Whole:
        """A game before its first line; raises InputError, also for players whom their names do not tell apart."""
        game = Game.new(ruleset, players, options=options)
        if not all(players) or len(set(players)) < len(players):
            raise no_players(list(players), len(players))
        return Whole(game=game)

    @property
    def totals(self) -> tuple[float, ...]:
        """Points of the players with the penalties that count for the places."""
        return self._with(self.game.totals, after_uma=False)

    def after(self, line: Mapping[str, Any]) -> tuple[Whole, dict[str, Any]]:
        """The game after a line, and the answer to it; raises InputError."""
        if "penalty" in line:
            refuse_unknown_keys(line, ("id", "penalty"), "a line with a penalty")
            penalty = Penalty.from_json(json_object(line, "penalty"), len(self.game.players))
            whole = replace(self, penalties=(*self.penalties, penalty))
            return whole, {"penalty": penalty.to_json(), "standing": list(whole.totals)}
        house = {key: value for key, value in self.game.options.items() if key == HOUSE}
        if "options" in line and {**house, **json_object(line, "options")} != self.game.options:
            raise ContextError("options_of_game", "a game has the same options in every deal: give them beside it.")
        points = {seat_of(key): value for key, value in json_object(line, "agreed").items()}
        agreed = None if line.get("agreed") is None else points
        traits = self.game.rules.traits
        keys = OF_HAN if traits.with_fu else OF_POINTS
        values = None if line.get("values") is None else values_from_json(json_object(line, "values"), keys)
        rest = {key: value for key, value in line.items() if key not in _ADDED}
        deal = deal_from_json(rest, need_hands=agreed is None and not values, size=traits.size)
        riichi = seats_value(line, "riichi")
        whole = replace(self, game=self.game.play(deal, riichi=riichi, agreed=agreed, values=values))
        entry = whole.game.entries[-1]
        return whole, {
            "deal": len(whole.game.entries),
            "position": _position(entry.position, repeats=traits.repeats),
            "payments": entry.payments.to_json(),
            "standing": list(whole.totals),
            "warnings": list(deal.without_meaning(traits.at_win, traits.at_draw)),
        }

    def standings(self) -> tuple[Standing, ...]:
        """First to last as if the game ended here, with sticks left over, uma, oka and penalties."""
        return self.game.standings_with(self.totals, over=True)

    def final(self) -> dict[str, Any]:
        """The end as a JSON object, each list by the place in the list of players."""
        players = self.game.position.players
        by_player = {standing.player: standing for standing in self.standings()}
        standings = [by_player[player] for player in players]
        results = self._with(tuple(standing.result for standing in standings), after_uma=True)
        final: dict[str, Any] = {
            "points": [standing.points for standing in standings],
            "places": [standing.rank for standing in standings],
            "result": list(results),
            **named(self.game.rules),
        }
        worth = self.game.rules.traits.table_points
        if worth:
            final["table_points"] = _table_points(worth, self.totals)
        if self.penalties:
            final["penalties"] = [penalty.to_json() for penalty in self.penalties]
        return {"final": final}

    def _with(self, points: tuple[float, ...], *, after_uma: bool) -> tuple[float, ...]:
        changes = [penalty.changes(len(points)) for penalty in self.penalties if penalty.after_uma is after_uma]
        return tuple(held + sum(change) for held, *change in zip(points, *changes, strict=True))


def _position(position: Position, *, repeats: bool) -> dict[str, Any]:
    told: dict[str, Any] = {
        "round": str(position.round),
        "number": position.number,
        "dealer": position.players.index(position.player(Seat.EAST)),
        "honba": position.honba,
        "sticks": position.deposits,
    }
    return told | ({"repeats": position.repeats} if repeats else {})


def _table_points(worth: tuple[int, ...], totals: tuple[float, ...]) -> list[float]:
    """The points of each place; players with equal points share those of their places."""
    order = sorted(totals, reverse=True)
    shares = {
        total: sum(worth[order.index(total) : order.index(total) + order.count(total)]) / order.count(total)
        for total in order
    }
    return [round(shares[total], 2) for total in totals]


def _check_player(player: object, players: int, key: str) -> None:
    if not isinstance(player, int) or isinstance(player, bool) or not 0 <= player < players:
        raise ContextError(
            "no_such_player", f"'{key}' of a penalty must be a player from 0 to {players - 1}, not {player!r}."
        )
