"""Payments of a riichi deal: wins, several rons, liability, draws, nagashi mangan, chombo.

Document 004 is silent here; the decisions are S-RII-9 and S-RII-14 to S-RII-23 (scoring/sources.md).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from tilescore.base.errors import ContextError
from tilescore.scoring.context import SEATS, Context, Occasion, WinBy
from tilescore.scoring.hand import Hand
from tilescore.scoring.payments import NOTHING, Payments
from tilescore.scoring.riichi.points import (
    DEALER,
    MANGAN,
    YAKUMAN_HAN,
    Price,
    chombo_steps,
    deposit_steps,
    liable_steps,
    price_of,
    price_of_yakuman,
    ready_steps,
    win_steps,
)
from tilescore.scoring.riichi.situation import PREFIX, RIICHI
from tilescore.scoring.ruleset import Settlement
from tilescore.scoring.score import NotAWin, Score

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tilescore.scoring.context import Seat
    from tilescore.scoring.payments import Step
    from tilescore.scoring.riichi.options import Counting, Endings
    from tilescore.scoring.ruleset import Deal

ABORTIVE_DRAWS: Final = ("nine_terminals", "four_winds", "four_riichi", "four_kongs", "triple_ron")
FALSE_MAHJONG: Final = "false_mahjong"
_LIABLE_KEYS: Final = (PREFIX + "daisangen", PREFIX + "daisuushii")
_NO_HAND: Final = (Hand(()), Context())


class Rules(Protocol):
    """The part of the ruleset that a settlement needs: two groups of options, and the score of a hand."""

    @property
    def counting(self) -> Counting:
        """What counts in a hand."""

    @property
    def endings(self) -> Endings:
        """How a deal may end."""

    def score(self, hand: Hand, context: Context) -> Score | NotAWin:
        """The score of a hand; raises InputError."""


def settle(rules: Rules, deal: Deal) -> Settlement:
    """Values of the winning hands, without honba and deposits, and payments of the four seats; raises InputError."""
    if deal.winner is not None:
        return _win(rules, deal)
    if deal.foul_by is not None:
        return _foul(rules, deal)
    return _draw(rules, deal)


def price_of_score(rules: Rules, score: Score) -> Price:
    """The price of a score: several yakuman add up, other hands are priced by han and fu."""
    han = score.han or 0
    if score.lines[0].value >= YAKUMAN_HAN:
        return price_of_yakuman(han // YAKUMAN_HAN)
    return price_of(han, score.fu or 0, kiriage=rules.counting.kiriage, kazoe=rules.counting.kazoe)


def _win(rules: Rules, deal: Deal) -> Settlement:
    winners = _winners(rules, deal)
    if len(winners) == 3 and rules.endings.multiple_ron == "three_abort":
        return Settlement(values={}, payments=NOTHING)
    values: dict[Seat, int] = {}
    steps: list[Step] = []
    for place, seat in enumerate(winners):
        if seat not in deal.hands:
            raise ContextError("winner_hand_missing", f"the hand of the winner {seat} is missing from 'hands'.")
        hand, context = deal.hands[seat]
        if context.win_by is WinBy.DISCARD and deal.discarder is None:
            raise ContextError("discarder_needed", f"{seat} won on a discard: say who discarded.")
        score = rules.score(hand, context)
        if isinstance(score, NotAWin):
            raise ContextError(score.code, f"the hand of {seat} does not win: {score.message}")
        values[seat] = score.total
        honba, deposits = (context.honba, context.riichi_deposits) if place == 0 else (0, 0)
        steps += _winner_steps(rules, deal, seat, score, honba)
        steps += deposit_steps(seat, deposits)
    return Settlement(values=values, payments=Payments.of(steps))


def _winners(rules: Rules, deal: Deal) -> tuple[Seat, ...]:
    """The winners who are paid, in turn order after the discarder; the first takes honba and deposits (S-RII-16)."""
    named = {deal.winner, *deal.also_won}
    if len(named) == 1:
        return tuple(seat for seat in SEATS if seat in named)
    if deal.discarder is None:
        raise ContextError("several_self_draws", "only a discard can have several winners: say who discarded.")
    if deal.discarder in named:
        raise ContextError("discarder_is_winner", f"{deal.discarder} cannot win on their own discard.")
    order = tuple(seat for steps in (1, 2, 3) if (seat := deal.discarder.after(steps)) in named)
    return order[:1] if rules.endings.multiple_ron == "head_bump" else order


def _winner_steps(rules: Rules, deal: Deal, seat: Seat, score: Score, honba: int) -> Iterator[Step]:
    liable = deal.liable.get(seat)
    if liable is None:
        return win_steps(price_of_score(rules, score), seat, deal.discarder, honba)
    fed = sum(line.value for line in score.lines if line.key in _LIABLE_KEYS) // YAKUMAN_HAN
    if not fed or liable is seat:
        raise ContextError(
            "nobody_liable",
            f"{liable} cannot be liable for the hand of {seat}: another player's daisangen or daisuushii.",
        )
    rest = price_of_yakuman((score.han or 0) // YAKUMAN_HAN - fed)
    return liable_steps(price_of_yakuman(fed), rest, seat, deal.discarder, liable=liable, honba=honba)


def _foul(rules: Rules, deal: Deal) -> Settlement:
    if deal.foul_kind != FALSE_MAHJONG or deal.foul_by is None:
        raise ContextError("unknown_foul", f"'{deal.foul_kind}' is no foul in riichi: {FALSE_MAHJONG} is the only one.")
    steps = chombo_steps(deal.foul_by) if rules.endings.chombo == "mangan" else ()
    return Settlement(values={}, payments=Payments.of(steps))


def _draw(rules: Rules, deal: Deal) -> Settlement:
    """The payments of a draw; honba and deposits stay on the table."""
    if deal.draw in ABORTIVE_DRAWS:
        if not rules.endings.abortive_draws:
            raise ContextError("no_abortive_draws", f"'{deal.draw}' is no draw here: the option abortive_draws is off.")
        return Settlement(values={}, payments=NOTHING)
    deal.check_draw(RIICHI, ABORTIVE_DRAWS)
    drained = tuple(seat for seat in SEATS if seat in deal.nagashi or _has_nagashi(deal, seat))
    if not drained:
        return Settlement(values={}, payments=Payments.of(ready_steps(deal.ready)))
    if not rules.endings.nagashi_mangan:
        raise ContextError("no_nagashi_mangan", "nagashi_mangan is not agreed: the option nagashi_mangan is off.")
    values = {seat: MANGAN.total(dealer=seat is DEALER, self_drawn=True) for seat in drained}
    steps = (step for seat in drained for step in win_steps(MANGAN, seat, None, 0))
    return Settlement(values=values, payments=Payments.of(steps))


def _has_nagashi(deal: Deal, seat: Seat) -> bool:
    return Occasion.NAGASHI_MANGAN in deal.hands.get(seat, _NO_HAND)[1].occasions
