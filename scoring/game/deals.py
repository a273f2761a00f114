"""Hands and deals as JSON objects (line format in scoring/sources.md), and the checks of their keys."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from tilescore.errors import ContextError, OptionError
from tilescore.scoring.context import CONTEXT_KEYS, Context, Seat, WinBy, seat_of
from tilescore.scoring.deal import Deal
from tilescore.scoring.deal.completion import check_one_set, completed
from tilescore.scoring.hand import HAND_KEYS, Hand, refuse_unknown_keys
from tilescore.scoring.tiles import require_object

_GROUPS: Final = "groups"
"""The tiles of a hand part by part, as a reading names them: they say nothing more, so nobody reads them."""
HAND_INPUT_KEYS: Final = ("id", *HAND_KEYS, *CONTEXT_KEYS, "options", _GROUPS)
DEAL_KEYS: Final = (
    "id",
    "winner",
    "winners",
    "discarder",
    "hands",
    "options",
    "ready",
    "pays_for_all",
    "liable",
    "foul",
    "draw",
)
_DRAW_KEYS: Final = ("kind", "ready", "nagashi_mangan")
_FOUL_KEYS: Final = ("by", "kind")


@dataclass(frozen=True, slots=True, kw_only=True)
class HandInput:
    """One line of `score-hands`, parsed."""

    id: object  # the name of the line, which the answer repeats
    # hand, context: the tiles and their circumstances
    hand: Hand
    context: Context
    options: Mapping[str, Any]  # options of the ruleset, not yet checked

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> HandInput:
        """The hand of a JSON object; raises InputError, also for an unknown key."""
        refuse_unknown_keys(data, HAND_INPUT_KEYS, "a hand")
        return HandInput(
            id=data.get("id"),
            hand=Hand.from_json(data),
            context=Context.from_json(data),
            options=json_object(data, "options"),
        )


def deal_from_json(
    data: Mapping[str, Any], *, need_hands: bool = True, size: int = Hand.SIZE, unchecked: bool = False
) -> Deal:
    """The deal of a JSON object for `settle`; raises InputError.

    With `need_hands` false the hand of a winner may be missing, as in a deal with agreed points. `size` is that of a
    complete hand. With `unchecked` the tiles may contradict the circumstances, or be more than a set holds.
    """
    refuse_unknown_keys(data, DEAL_KEYS, "a deal")
    winners = _winners(data)
    draw, foul = _part(data, "draw", _DRAW_KEYS), _part(data, "foul", _FOUL_KEYS)
    if bool(winners) + (draw is not None) + (foul is not None) != 1:
        raise ContextError("unclear_deal", "a deal ends in one way: give exactly one of 'winner', 'draw' and 'foul'.")
    if draw is not None and seats_value(data, "ready"):
        raise ContextError("ready_beside_draw", "the ready hands of a draw stand in 'draw': write 'ready' there.")
    discarder = None if data.get("discarder") is None else seat_of(data["discarder"])
    pays_for_all = data.get("pays_for_all")
    if pays_for_all is not None and not isinstance(pays_for_all, bool):
        raise ContextError("not_boolean", f"'pays_for_all' must be true, false or null, not {pays_for_all!r}.")
    hands = _hands(data, winners)
    if unchecked:
        hands = {seat: (hand, replace(context, unchecked=True)) for seat, (hand, context) in hands.items()}
    missing = next((seat for seat in winners if need_hands and seat not in hands), None)
    if missing is not None:
        raise ContextError("winner_hand_missing", f"the hand of the winner {missing} is missing: add it to 'hands'.")
    deal = Deal(
        winner=winners[0] if winners else None,
        also_won=winners[1:],
        discarder=discarder,
        hands=hands,
        liable={seat_of(key): seat_of(value) for key, value in json_object(data, "liable").items()},
        pays_for_all=pays_for_all,
        draw=None if draw is None else _text(draw, "kind", "draw"),
        ready=seats_value(data, "ready") if draw is None else seats_value(draw, "ready"),
        nagashi=() if draw is None else seats_value(draw, "nagashi_mangan"),
        foul_by=None if foul is None else seat_of(foul.get("by")),
        foul_kind=None if foul is None else _text(foul, "kind", "foul"),
    )
    whole = completed(deal, size=size)
    if not unchecked:
        check_one_set(whole)
    return whole


def deal_to_json(deal: Deal) -> dict[str, Any]:
    """The JSON object that `deal_from_json` reads."""
    data: dict[str, Any] = {
        "hands": {str(seat): hand.to_json() | context.to_json() for seat, (hand, context) in deal.hands.items()}
    }
    if deal.also_won:
        data["winners"] = [deal.winner, *deal.also_won]
    else:
        data["winner"] = deal.winner
    data["discarder"] = deal.discarder
    if deal.draw is not None:
        data["draw"] = {"kind": deal.draw, "ready": list(deal.ready), "nagashi_mangan": list(deal.nagashi)}
    elif deal.ready:
        data["ready"] = list(deal.ready)
    if deal.foul_by is not None:
        data["foul"] = {"by": deal.foul_by, "kind": deal.foul_kind}
    if deal.liable:
        data["liable"] = {str(winner): str(liable) for winner, liable in deal.liable.items()}
    if deal.pays_for_all is not None:
        data["pays_for_all"] = deal.pays_for_all
    return data


def json_object(data: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """The object under `key`, empty if absent or null; raises InputError if the value is no object."""
    value = data.get(key)
    if value is None:
        return {}
    if not isinstance(value, dict):
        kind = OptionError if key == "options" else ContextError
        raise kind("not_object", f"'{key}' must be a JSON object, not {value!r}.", key=key)
    return value


def _part(data: Mapping[str, Any], key: str, known: tuple[str, ...]) -> Mapping[str, Any] | None:
    if data.get(key) is None:
        return None
    value = json_object(data, key)
    refuse_unknown_keys(value, known, f"'{key}'")
    return value


def _text(data: Mapping[str, Any], key: str, what: str) -> str:
    """The text under `key`; empty if there is none, which the ruleset refuses with the names that it knows."""
    value = "" if data.get(key) is None else data[key]
    if not isinstance(value, str):
        raise ContextError("not_text", f"'{key}' of a {what} must be text, not {value!r}.", key=key)
    return value


def seats_value(data: Mapping[str, Any], key: str) -> tuple[Seat, ...]:
    """The seats listed under `key`, none if absent; raises ContextError."""
    value = data.get(key, [])
    if not isinstance(value, list):
        raise ContextError("seats_not_list", f"'{key}' must be a list of seats, not {value!r}.", key=key)
    seats = tuple(map(seat_of, value))
    if len(set(seats)) != len(seats):
        raise ContextError("seat_twice", f"'{key}' names a seat twice: {', '.join(seats)}.", key=key)
    return seats


def _winners(data: Mapping[str, Any]) -> tuple[Seat, ...]:
    """The seats under `winner` (one seat) or `winners` (a list: several rons in riichi)."""
    several = seats_value(data, "winners")
    if data.get("winner") is None:
        return several
    if several:
        raise ContextError("two_winner_keys", "give 'winner' or 'winners', not both.")
    return (seat_of(data["winner"]),)


def _hands(data: Mapping[str, Any], winners: tuple[Seat, ...]) -> dict[Seat, tuple[Hand, Context]]:
    """The hands by seat: without a round with that of the others, a winner without `win_by` with what the deal says."""
    given, options = json_object(data, "hands"), json_object(data, "options")
    objects = [hand for hand in given.values() if isinstance(hand, dict)]
    rounds = [hand["round"] for hand in objects if "round" in hand]
    thrown = any(part.get("discarder") is not None for part in (data, *objects))
    common = {"round": rounds[0]} if rounds else {}
    won = {"win_by": str(WinBy.DISCARD if thrown else WinBy.SELF_DRAW)}
    hands = {}
    for key, one in given.items():
        seat = seat_of(key)
        if isinstance(one, dict):
            filled = {**common, **one, **(won if seat in winners and one.get("win_by") is None else {})}
            hands[seat] = _hand_at(key, filled, options)
        else:
            hands[seat] = _hand_at(key, one, options)
    return hands


def _hand_at(key: str, data: Mapping[str, Any], options: Mapping[str, Any]) -> tuple[Hand, Context]:
    require_object(data, f"the hand of {key}", error=ContextError)
    given = HandInput.from_json({"seat": key, **data})
    if given.context.seat is not seat_of(key):
        raise ContextError("wrong_seat", f"the hand of {key} says seat {given.context.seat}: correct one of the two.")
    if given.options and given.options != options:
        raise OptionError("options_of_hand", f"options stand beside 'hands', not in the hand of {key}.")
    return given.hand, given.context
