"""Payments of the classical and the simplified rules: the winner's hand, the losers' differences, penalties.

Source: document 000, sections IV and V; document 001, counting; see scoring/sources.md.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from tilescore.errors import ContextError, HandError
from tilescore.scoring.classical.counted_hand import waits
from tilescore.scoring.context import SEATS, Context, Occasion, Seat
from tilescore.scoring.deal import FALSE_MAHJONG, Deal, Settlement
from tilescore.scoring.deal.completion import completed
from tilescore.scoring.hand import Hand, MeldKind
from tilescore.scoring.payments import NOTHING, Payments, Step
from tilescore.scoring.plausibility import CONTRADICTS_HAND
from tilescore.scoring.ruleset import Ruleset
from tilescore.scoring.score import NotAWin, Score
from tilescore.scoring.tiles import BACK, Tile

HAND_VALUE: Final = "hand_value"
EAST_DOUBLES: Final = "east_doubles"
DIFFERENCE: Final = "difference"
DIFFERENCE_EAST_DOUBLES: Final = "difference_east_doubles"
PAYS_FOR_ALL: Final = "pays_for_all"
PAYS_FOR_ALL_EAST_DOUBLES: Final = "pays_for_all_east_doubles"
FALSE_MAHJONG_EAST_DOUBLES: Final = "false_mahjong_east_doubles"
_DOUBLED: Final = {
    HAND_VALUE: EAST_DOUBLES,
    DIFFERENCE: DIFFERENCE_EAST_DOUBLES,
    PAYS_FOR_ALL: PAYS_FOR_ALL_EAST_DOUBLES,
    FALSE_MAHJONG: FALSE_MAHJONG_EAST_DOUBLES,
}
_EXPOSED_OF_ONE_SUIT: Final = 9
_EXPOSED_WINDS: Final = 3
_EXPOSED_DRAGONS: Final = 2
_EXPOSED_TERMINALS: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Customs:
    """The customs of settlement of a ruleset."""

    losers_settle: bool  # whether the losers pay each other the differences of their hands
    penalties: bool  # whether a dangerous discard makes the discarder pay for all where the deal does not say
    false_mahjong: int  # points that a false mah-jong pays each other player
    capped: bool = True  # whether a limit cuts all hands


def settle_deal(rules: Ruleset, deal: Deal, customs: Customs) -> Settlement:
    """Values of the known hands and all payments; raises InputError if a hand or seat that is needed is missing."""
    if deal.draw is not None:
        deal.check_draw(rules.name)
        return Settlement(values={}, payments=NOTHING)
    if deal.foul_by is not None:
        deal.check_foul(rules.name)
        return Settlement(values={}, payments=_foul(deal.foul_by, customs))
    winner = _only_winner(deal)
    deal = completed(deal)
    values = {seat: _value(seat, rules.score(*deal.hands[seat])) for seat in SEATS if seat in deal.hands}
    for_all = pays_for_all(rules, deal, customs)
    if customs.losers_settle and not for_all:
        missing = [str(seat) for seat in SEATS if seat not in values]
        if missing:
            raise ContextError(
                "hands_missing",
                f"the losers settle the difference of their hands too: give the hands of {', '.join(missing)}.",
            )
    steps = [*pay_winner(winner, values[winner], deal.discarder if for_all else None)]
    if customs.losers_settle and not for_all:
        steps += differences({seat: value for seat, value in values.items() if seat is not winner})
    return Settlement(values=values, payments=Payments.of(steps))


def pay_winner(winner: Seat, value: int, for_all: Seat | None = None) -> tuple[Step, ...]:
    """Payments of the losers to the winner; the player `for_all` pays those of all three (S-CLA-21)."""
    steps = []
    for loser in SEATS:
        if loser is not winner:
            payer = loser if for_all is None else for_all
            why = HAND_VALUE if for_all is None else PAYS_FOR_ALL
            steps.append(_step(payer, winner, value, why, doubled=Seat.EAST in (winner, loser)))
    return tuple(steps)


def pays_for_all(rules: Ruleset, deal: Deal, customs: Customs) -> bool:
    """Whether the discarder pays for all; the deal decides, or else the penalties."""
    hand, context = deal.hands[_only_winner(deal)]
    due = deal.pays_for_all
    if due is None:
        due = customs.penalties and not context.self_drawn and _penalty(rules, deal, hand)
    if due and deal.discarder is None:
        raise ContextError("discarder_needed", "the discarder pays for all: say who it is.")
    return due


def payments_of_winner(hand: Hand, context: Context, value: int, customs: Customs) -> Payments | None:
    """All payments of a deal, if the winner's hand alone decides them; None if they need the other hands."""
    discarder = context.discarder
    if customs.penalties and discarder is not None and any(rule(hand) for rule in PENALTIES):
        return Payments.of(pay_winner(context.seat, value, discarder))
    if customs.losers_settle or customs.penalties:
        return None
    return Payments.of(pay_winner(context.seat, value))


def _penalty(rules: Ruleset, deal: Deal, hand: Hand) -> bool:
    return any(rule(hand) for rule in PENALTIES) or (nine_of_a_suit(hand) and not _excused(rules, deal, hand))


def nine_of_a_suit(hand: Hand) -> bool:
    """Penalty 1: nine or more exposed tiles of one suit, and the discard is of that suit (S-CLA-22)."""
    last = _last(hand)
    exposed = [tile for meld in hand.exposed_melds for tile in meld.tiles if tile.suit == last.suit]
    return last.is_suited and len(exposed) >= _EXPOSED_OF_ONE_SUIT


def fourth_wind(hand: Hand) -> bool:
    """Penalty 2: three exposed wind sets, and the discard is a wind; only the fourth wind completes a hand."""
    winds = [tile for tile in _exposed_pungs(hand) if tile.is_wind]
    return _last(hand).is_wind and len(winds) == _EXPOSED_WINDS


def third_dragon(hand: Hand) -> bool:
    """Penalty 3: two exposed dragon sets, and the discard is a dragon; only the third dragon completes a hand."""
    dragons = [tile for tile in _exposed_pungs(hand) if tile.is_dragon]
    return _last(hand).is_dragon and len(dragons) == _EXPOSED_DRAGONS


def fourth_terminal(hand: Hand) -> bool:
    """Penalty 4: three exposed sets of ones or nines, and the discard is a one or a nine."""
    terminals = [tile for tile in _exposed_pungs(hand) if tile.is_terminal]
    return _last(hand).is_terminal and len(terminals) >= _EXPOSED_TERMINALS


PENALTIES: Final = (fourth_wind, third_dragon, fourth_terminal)
"""Penalties without an excuse; `nine_of_a_suit` has two."""


def _excused(rules: Ruleset, deal: Deal, hand: Hand) -> bool:
    """Whether penalty 1 spares the discarder, who holds only that suit or has declared a ready hand (S-CLA-23)."""
    if deal.discarder is None:
        return False
    if deal.discarder in deal.ready:
        _check_ready(rules, deal, deal.discarder)
        return True
    if deal.discarder not in deal.hands:
        raise ContextError(
            "hands_missing",
            f"whether {deal.discarder} pays for all depends on that player's hand: give it, or 'pays_for_all', or "
            "'ready' if that player had declared a ready hand.",
        )
    held, context = deal.hands[deal.discarder]
    return context.has(Occasion.READY_FROM_START) or {tile.suit for tile in held.concealed} == {_last(hand).suit}


def _check_ready(rules: Ruleset, deal: Deal, seat: Seat) -> None:
    """Raise ContextError if the known hand of a player who declared it ready waits for nothing."""
    if seat in deal.hands and not waits(deal.hands[seat][0], rules.shapes):
        raise ContextError(
            CONTRADICTS_HAND,
            f"'ready' names {seat}, but '{deal.hands[seat][0]}' waits for no tile: correct the hand, or drop {seat}.",
        )


def _last(hand: Hand) -> Tile:
    """The winning tile; a back, which no penalty names, for a hand without one."""
    return (hand.winning_tile or BACK).plain


def _exposed_pungs(hand: Hand) -> list[Tile]:
    return [meld.tiles[0].plain for meld in hand.exposed_melds if meld.kind is not MeldKind.CHOW]


def _only_winner(deal: Deal) -> Seat:
    if deal.winner is None or deal.winner not in deal.hands:
        raise ContextError("winner_hand_missing", "say who won and give the winner's hand, or say 'draw' or 'foul'.")
    if deal.also_won:
        seats = " and ".join((deal.winner, *deal.also_won))
        raise ContextError(
            "several_winners",
            f"{seats} cannot all win: of several only the one who sits furthest from the discarder wins.",
        )
    return deal.winner


def _value(seat: Seat, score: Score | NotAWin) -> int:
    if not isinstance(score, Score):
        raise HandError(score.code, f"the hand of {seat} did not win: {score.message}")
    return score.total


def differences(values: Mapping[Seat, int]) -> Iterator[Step]:
    """Payments between losers: in each pair the cheaper hand pays the difference."""
    for pair in combinations(values, 2):
        cheaper, dearer = sorted(pair, key=values.__getitem__)
        difference = values[dearer] - values[cheaper]
        yield _step(cheaper, dearer, difference, DIFFERENCE, doubled=Seat.EAST in pair)


def _foul(by: Seat, customs: Customs) -> Payments:
    return Payments.of(
        _step(by, seat, customs.false_mahjong, FALSE_MAHJONG, doubled=Seat.EAST in (by, seat))
        for seat in SEATS
        if seat is not by
    )


def _step(source: Seat, target: Seat, points: int, why: str, *, doubled: bool) -> Step:
    return Step(source, target, points * (2 if doubled else 1), _DOUBLED[why] if doubled else why)
