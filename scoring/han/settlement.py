"""Payments of a riichi deal: wins, several rons, liability, draws, nagashi mangan, chombo.

Document 004 is silent here; the decisions are S-RII-9 and S-RII-14 to S-RII-23 (scoring/sources.md).
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from tilescore.errors import ContextError
from tilescore.scoring.context import SEATS, Context, Occasion, Seat, WinBy
from tilescore.scoring.deal import Deal, Settlement
from tilescore.scoring.deal.completion import completed
from tilescore.scoring.han.rules import HanRules
from tilescore.scoring.hand import Hand, MeldKind
from tilescore.scoring.payments import NOTHING, Payments, Step, deposit_steps
from tilescore.scoring.riichi.options import Endings
from tilescore.scoring.riichi.points import (
    MANGAN,
    STICK,
    YAKUMAN_HAN,
    Price,
    chombo_steps,
    liable_steps,
    price_of,
    price_of_yakuman,
    ready_steps,
    win_steps,
)
from tilescore.scoring.riichi.situation import PREFIX, READY
from tilescore.scoring.score import NotAWin, Score

_NO_HAND: Final = (Hand(()), Context())


def settle(rules: HanRules, deal: Deal) -> Settlement:
    """Values of the winning hands, without honba and deposits, and payments of the four seats; raises InputError."""
    if deal.winner is not None:
        return _win(rules, deal)
    if deal.foul_by is not None:
        return _foul(rules, deal, deal.foul_by)
    return _draw(rules, deal)


def price_of_score(rules: HanRules, score: Score) -> Price:
    """The price of a score: several yakuman add up, other hands are priced by han and fu."""
    han = score.han or 0
    if score.lines[0].value >= YAKUMAN_HAN:
        return price_of_yakuman(han // YAKUMAN_HAN)
    return price_of(han, score.fu or 0, kiriage=rules.counting.kiriage, kazoe=rules.counting.kazoe)


def _win(rules: HanRules, given: Deal) -> Settlement:
    deal = completed(given)
    missing = next((seat for seat in deal.winners if seat not in deal.hands), None)
    if missing is not None:
        raise ContextError("winner_hand_missing", f"the hand of the winner {missing} is missing: add it to 'hands'.")
    first = deal.hands[deal.winners_in_turn[0]][1]
    ready = {seat for seat in deal.winners if deal.hands[seat][1].occasions & READY}
    values: dict[Seat, int] = {}
    steps: list[Step] = []
    for seat, share in rules.shares_of(deal, deposits=first.riichi_deposits, ready=ready).items():
        hand, context = deal.hands[seat]
        if context.win_by is WinBy.DISCARD and deal.discarder is None:
            raise ContextError("discarder_needed", f"{seat} won on a discard: say who discarded.")
        score = rules.score(hand, context)
        if isinstance(score, NotAWin):
            raise ContextError(score.code, f"the hand of {seat} does not win: {score.message}")
        values[seat] = score.total
        steps += _winner_steps(rules, deal, seat, score, context.honba if share.takes_honba else 0)
        steps += deposit_steps(seat, STICK * share.sticks)
    return Settlement(values=values, payments=Payments.of(steps))


def _winner_steps(rules: HanRules, deal: Deal, seat: Seat, score: Score, honba: int) -> Iterator[Step]:
    liable = deal.liable.get(seat)
    if liable is None:
        return win_steps(price_of_score(rules, score), seat, deal.discarder, honba, table=rules.endings.table)
    endings = rules.endings
    made = {line.key for line in score.lines} | {entry.key for entry in score.excluded}
    fed_keys = _fed(endings, deal.hands[seat][0], seat, liable) & made
    if not fed_keys or liable is seat:
        raise ContextError(
            "nobody_liable",
            f"{liable} cannot be liable for the hand of {seat}: another player is, for "
            f"{'daisangen, daisuushii or suukantsu' if endings.liability_four_kongs else 'daisangen or daisuushii'} "
            f"with {'all its sets' if endings.fed_sets_declared else 'a set'} declared and one of them claimed from "
            f"{liable}{'' if endings.liability_four_kongs else ' (the option liability_four_kongs is off)'}; drop "
            "'liable', or correct the claimed sets.",
        )
    whole = (score.han or 0) // YAKUMAN_HAN
    fed = whole
    if endings.liability == "own_yakuman" and rules.counting.yakuman_add_up:
        fed = sum(line.value for line in score.lines if line.key in fed_keys) // YAKUMAN_HAN
    prices = price_of_yakuman(fed), price_of_yakuman(whole - fed)
    return liable_steps(
        *prices,
        seat,
        deal.discarder,
        liable=liable,
        honba=honba,
        honba_from=endings.liability_honba,
        table=endings.table,
    )


def _fed(endings: Endings, hand: Hand, winner: Seat, liable: Seat) -> set[str]:
    """Keys of the yakuman that the player can have fed: sets are declared, and one may come from that player."""
    sets = {
        PREFIX + "daisangen": ([meld for meld in hand.melds if meld.tiles[0].is_dragon], 3),
        PREFIX + "daisuushii": ([meld for meld in hand.melds if meld.tiles[0].is_wind], 4),
    }
    if endings.liability_four_kongs:
        sets[PREFIX + "suukantsu"] = ([meld for meld in hand.melds if meld.kind is MeldKind.KONG], 4)
    places = (None, *endings.table.places(winner, liable))
    return {
        key
        for key, (melds, needed) in sets.items()
        if len(melds) >= (needed if endings.fed_sets_declared else 1)
        and any(not meld.concealed and meld.source in places for meld in melds)
    }


def _foul(rules: HanRules, deal: Deal, by: Seat) -> Settlement:
    deal.check_foul(rules.endings.name)
    steps = chombo_steps(by, rules.endings.table) if rules.endings.chombo == "mangan" else ()
    return Settlement(values={}, payments=Payments.of(steps))


def _draw(rules: HanRules, deal: Deal) -> Settlement:
    """The payments of a draw; honba and deposits stay on the table."""
    table = rules.endings.table
    if deal.draw in rules.endings.abortive:
        if not rules.endings.abortive_draws:
            raise ContextError("no_abortive_draws", f"'{deal.draw}' is no draw here: the option abortive_draws is off.")
        return Settlement(values={}, payments=NOTHING)
    deal.check_draw(rules.endings.name, rules.endings.abortive)
    drained = tuple(
        seat for seat in SEATS if seat in deal.nagashi or deal.hands.get(seat, _NO_HAND)[1].has(Occasion.NAGASHI_MANGAN)
    )
    if not drained:
        return Settlement(values={}, payments=Payments.of(ready_steps(deal.ready, table)))
    if not rules.endings.nagashi_mangan:
        raise ContextError("no_nagashi_mangan", "nagashi_mangan is not agreed: the option nagashi_mangan is off.")
    for seat in drained:
        hand, context = deal.hands.get(seat, _NO_HAND)
        rules.score(hand, replace(context, occasions=context.occasions | Occasion.NAGASHI_MANGAN))
    values = {seat: table.total(MANGAN, seat, self_drawn=True) for seat in drained}
    steps = (step for seat in drained for step in win_steps(MANGAN, seat, None, 0, table=table))
    return Settlement(values=values, payments=Payments.of(steps))
