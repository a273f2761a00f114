"""What a deal says about its hands: it fills what they leave out, and must not contradict them.

A hand of a deal may leave out its seat, how it was won, who discarded, and what lies on the table. The deal, or
another hand of the deal, says it (S-ALL-10, scoring/sources.md).
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final, TypeVar

from tilescore.errors import ContextError
from tilescore.scoring.context import NO_OCCASION, Occasion, Seat, WinBy
from tilescore.scoring.deal import Deal
from tilescore.scoring.hand import Hand
from tilescore.scoring.plausibility import check_losing_size, check_melds
from tilescore.scoring.tiles import check_copies, format_tiles

_RIICHI: Final = Occasion.RIICHI | Occasion.DOUBLE_RIICHI
_OF_THE_TILE: Final = (
    Occasion.LAST_TILE | Occasion.ROBBING_KONG | Occasion.ROBBING_CONCEALED_KONG | Occasion.ROBBING_NORTH
)
"""Occasions of the winning tile, so of every player who wins on it."""
T = TypeVar("T")


def completed(deal: Deal, *, size: int = Hand.SIZE) -> Deal:
    """The deal with everything filled that its hands leave out.

    `size` is the number of tiles of a complete hand, which a loser does not have. Raises ContextError if two hands, or
    a hand and the deal, say different things; or several winners cannot be.
    """
    discarder = _discarder(deal)
    _check_winners(deal, discarder)
    _check_losers(deal, size)
    for hand, context in deal.hands.values():
        if not context.unchecked:
            check_melds(hand)
    contexts = [context for _, context in deal.hands.values()]
    _one_of("round", [context.round for context in contexts])
    dora = _one_of("dora_indicators", [context.dora_indicators for context in contexts], left_out=())
    ura = _one_of("ura_dora_indicators", [context.ura_dora_indicators for context in contexts], left_out=())
    honba = _one_of("honba", [context.honba for context in contexts], left_out=0)
    deposits = _one_of("riichi_deposits", [context.riichi_deposits for context in contexts], left_out=0)
    dealer = _one_of("dealer", [context.dealer for context in contexts], left_out=Seat.EAST)
    repeats = _one_of("dealer_repeats", [context.dealer_repeats for context in contexts], left_out=0)
    shared = NO_OCCASION
    for seat in deal.winners if deal.also_won else ():
        shared |= deal.hands[seat][1].occasions & _OF_THE_TILE if seat in deal.hands else NO_OCCASION
    hands = {}
    for seat, (hand, context) in deal.hands.items():
        held = context if context.seat is seat else replace(context, seat=seat, discarder=None)
        if seat in deal.winners:
            held = replace(
                held,
                win_by=held.win_by or (WinBy.SELF_DRAW if discarder is None else WinBy.DISCARD),
                discarder=discarder,
                occasions=held.occasions | shared,
                dora_indicators=dora or (),
                ura_dora_indicators=(ura or ()) if held.occasions & _RIICHI else held.ura_dora_indicators,
                honba=honba or 0,
                riichi_deposits=deposits or 0,
                dealer=dealer or Seat.EAST,
                dealer_repeats=repeats or 0,
            )
        hands[seat] = hand, held
    return replace(deal, discarder=discarder, hands=hands)


def check_one_set(deal: Deal) -> None:
    """Raise HandError if all hands and indicators of a deal together hold more copies of a tile than a set does.

    Several winners on one discard share one winning tile and the indicators. A robbed tile belongs to the winner alone.
    """
    tiles = [tile for hand, _ in deal.hands.values() for tile in (*hand.tiles, *hand.bonus)]
    for won in filter(None, [deal.hands[seat][0].winning_tile for seat in deal.also_won if seat in deal.hands]):
        tiles.remove(won)
    shown = [(*held.dora_indicators, *held.ura_dora_indicators) for _, held in deal.hands.values()]
    check_copies([*tiles, *max(shown, key=len, default=())], " in all hands together")


def _discarder(deal: Deal) -> Seat | None:
    """Who discarded, as the deal or the hand of a winner says."""
    if deal.discarder in deal.winners:
        raise ContextError(
            "discarder_is_winner", f"{deal.discarder} cannot win on their own discard: correct one seat."
        )
    said = {seat: deal.hands[seat][1].discarder for seat in deal.winners if seat in deal.hands}
    discarder = deal.discarder or next(filter(None, said.values()), None)
    for seat, other in said.items():
        if other not in (None, discarder):
            raise ContextError(
                "two_discarders",
                f"one tile has one discarder: the deal says {discarder}, the hand of {seat} {other}; correct one.",
            )
    return discarder


def _check_winners(deal: Deal, discarder: Seat | None) -> None:
    if not deal.also_won:
        return
    if len(set(deal.winners)) != len(deal.winners):
        raise ContextError("seat_twice", f"a seat wins once: {', '.join(deal.winners)}; name each winner once.")
    if discarder is None:
        raise ContextError("several_self_draws", "only a discard can have several winners: say who discarded.")
    tiles = (deal.hands[seat][0].winning_tile for seat in deal.winners if seat in deal.hands)
    given = list(dict.fromkeys(filter(None, tiles)))
    if len(given) > 1:
        raise ContextError(
            "several_winning_tiles",
            f"several players win on one and the same tile, but their hands say {', '.join(map(str, given))}: correct "
            "the winning tile of one.",
            tiles=format_tiles(given),
        )


def _check_losers(deal: Deal, size: int) -> None:
    for seat, (hand, held) in deal.hands.items():
        if seat in deal.winners:
            continue
        if held.win_by is not None:
            raise ContextError(
                "loser_won", f"the hand of {seat} has a win_by, but {seat} is no winner: set it to null."
            )
        if deal.winners:
            check_losing_size(hand, held, complete=size)


def _one_of(name: str, values: Iterable[T], *, left_out: Any = None) -> T | None:
    """The value that all hands give that do not leave it out; None if all do."""
    given = list(dict.fromkeys(value for value in values if value != left_out))
    if len(given) > 1:
        first, second = (format_tiles(value) if isinstance(value, tuple) else value for value in given[:2])
        raise ContextError(
            "hands_disagree",
            f"a deal has one {name}, but its hands say '{first}' and '{second}': correct one of them.",
            key=name,
        )
    return given[0] if given else None
