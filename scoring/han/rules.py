"""What both games with han and fu state about themselves (S-RII in scoring/sources.md)."""

from collections.abc import Collection, Mapping
from typing import ClassVar, Final

from tilescore.errors import ContextError
from tilescore.scoring.context import Occasion, Seat
from tilescore.scoring.deal import EXHAUSTED, Deal
from tilescore.scoring.han.course import with_counters
from tilescore.scoring.han.han_fu import fu_of
from tilescore.scoring.hand import Hand
from tilescore.scoring.payments import Step
from tilescore.scoring.progression import Ending, Position
from tilescore.scoring.riichi.not_won import waits_of
from tilescore.scoring.riichi.options import FOUR_RIICHI, Counting, Endings, MatchOptions, uma_points
from tilescore.scoring.riichi.points import (
    CHOMBO,
    PRICE_LIMITS,
    STICK,
    YAKUMAN_HAN,
    liable_steps,
    price_of_known,
    price_of_yakuman,
    win_steps,
)
from tilescore.scoring.riichi.situation import READY
from tilescore.scoring.ruleset import Ruleset
from tilescore.scoring.traits import GameEnd, KnownValue, KnownWin, Share, Traits

_ASKED: Final = (
    Occasion.RIICHI,
    Occasion.DOUBLE_RIICHI,
    Occasion.IPPATSU,
    Occasion.LAST_TILE,
    Occasion.KONG_REPLACEMENT,
    Occasion.ROBBING_KONG,
    Occasion.ROBBING_CONCEALED_KONG,
    Occasion.FIRST_TURN,
    Occasion.NAGASHI_MANGAN,
)
_FU: Final = (20, 25, 30, 40, 50, 60, 70)
"""The fu of most hands."""
_DRAGONS, _WINDS, _KONGS = 3, 4, 4
"""Declared sets of a yakuman that others can have fed."""


class HanRules(Ruleset):
    """What riichi for four and for three players has in common besides the score of a hand."""

    __slots__ = ()
    has_indicators: ClassVar[bool] = True
    """The game has dora."""

    counting: Counting
    """What counts in a hand."""
    endings: Endings
    """How a deal may end."""
    match: MatchOptions
    """How long a game lasts."""

    @property
    def traits(self) -> Traits:
        """What both games have in common."""
        return self.common_traits()

    def common_traits(self) -> Traits:
        """Several winners, han and fu, sticks and counters, payments of ready hands."""
        endings = self.endings
        return Traits(
            occasions=_ASKED,
            seats=endings.table.seats,
            bonus=(),
            most_winners=1 if endings.multiple_ron == "head_bump" else len(endings.table.seats) - 1,
            stick=STICK,
            stick_from=0 if self.match.riichi_below_1000 else STICK,
            unit="han",
            with_fu=True,
            least=1,
            most=YAKUMAN_HAN,
            common=_FU,
            limits=PRICE_LIMITS,
            step=100,
            start=self.match.start_points,
            draws=(EXHAUSTED, *(kind for kind in endings.abortive if endings.may_break_off(kind))),
            ready_paid=True,
            nagashi=endings.nagashi_mangan,
            at_win=("liable",),
            at_draw=("ready", "nagashi_mangan"),
            end=self._end,
            language="ja",
        )

    @property
    def _end(self) -> GameEnd:
        match = self.match
        return GameEnd(
            counted_from=match.return_points,
            uma=uma_points(match.uma, match.players),
            shared=match.ties == "shared",
            sticks=match.leftover_sticks,
            rounding=match.rounding,
            penalty=CHOMBO if self.endings.chombo == "after_uma" else 0,
        )

    def payments_of(self, win: KnownWin) -> tuple[Step, ...]:
        """Payments of a win of so many han and fu; raises ContextError if no hand has both."""
        han, fu, self_drawn = win.value.han, win.value.fu, win.discarder is None
        if han < 1:
            raise ContextError("no_such_value", f"{han} han: a hand wins with 1 han or more.")
        possible = self.fu_of(han, self_drawn=self_drawn)
        if possible and fu not in possible:
            how, which = "self-draw" if self_drawn else "discard", ", ".join(map(str, possible))
            raise ContextError(
                "no_such_fu",
                f"{han} han {fu} fu by {how}: no hand has both; {han} han have {which} fu.",
                han=han,
                fu=fu,
                possible=which,
            )
        counting, endings = self.counting, self.endings
        price = price_of_known(han, fu, kiriage=counting.kiriage, kazoe=counting.kazoe, add_up=counting.yakuman_add_up)
        if win.liable is None:
            return tuple(win_steps(price, win.winner, win.discarder, win.honba, table=endings.table))
        if not self.may_be_fed(win.value) or win.liable is win.winner:
            raise ContextError(
                "nobody_liable",
                f"{win.liable} cannot be liable for {han} han of {win.winner}: another player is, for one yakuman (13 "
                "han); drop 'liable', or give the hand in place of 'values'.",
            )
        return tuple(
            liable_steps(
                price,
                price_of_yakuman(0),
                win.winner,
                win.discarder,
                liable=win.liable,
                honba=win.honba,
                honba_from=endings.liability_honba,
                table=endings.table,
            )
        )

    def shares_of(self, deal: Deal, *, deposits: int, ready: Collection[Seat]) -> Mapping[Seat, Share]:
        """The winners who are paid, in turn after the discarder (S-RII-16); none if three rons abort the deal.

        The first takes counters and sticks, or each winner the counters and the own stick, and the first what is left.
        """
        order, endings = deal.winners_in_turn, self.endings
        if len(order) == 3 and endings.multiple_ron == "three_abort":
            return {}
        paid = order[:1] if endings.multiple_ron == "head_bump" else order
        each = endings.multiple_ron_honba == "each"
        sticks = dict.fromkeys(paid, 0)
        for seat in paid[1:] if each else ():
            sticks[seat] = min(deposits - sum(sticks.values()), int(seat in ready))
        sticks[paid[0]] = deposits - sum(sticks.values())
        return {seat: Share(takes_honba=each or seat is paid[0], sticks=sticks[seat]) for seat in paid}

    def fu_of(self, han: int, *, self_drawn: bool) -> tuple[int, ...]:
        """The fu that a hand of so many han can have."""
        return fu_of(han, self_drawn=self_drawn, double_wind_fu=self.counting.double_wind_fu)

    def may_be_fed(self, won: Hand | KnownValue) -> bool:
        """Whether so many sets of dragons or winds, or kongs if the option says so, are declared (S-RII-17).

        A value must be that of yakuman: of one, where the liable player pays for the fed one alone.
        """
        if isinstance(won, KnownValue):
            alone = self.endings.liability == "own_yakuman" and self.counting.yakuman_add_up
            return won.han == YAKUMAN_HAN or (won.han > 0 and won.han % YAKUMAN_HAN == 0 and not alone)
        first = [meld.tiles[0] for meld in won.melds]
        kongs = sum(len(meld.tiles) == 4 for meld in won.melds) if self.endings.liability_four_kongs else 0
        dragons, winds = sum(tile.is_dragon for tile in first), sum(tile.is_wind for tile in first)
        return dragons >= _DRAGONS or winds >= _WINDS or kongs >= _KONGS

    def sticks_of(self, deal: Deal, laid: tuple[Seat, ...]) -> tuple[Seat, ...]:
        """Those named, winners whose hand says riichi, and all seats at a draw of four riichi (S-RII-36).

        Raises ContextError for a seat that cannot have laid one.
        """
        laid = self.endings.table.seats if deal.draw == FOUR_RIICHI else laid
        declared = [seat for seat in deal.winners if deal.hands[seat][1].occasions & READY and seat not in laid]
        for seat in laid:
            _check_stick(deal, seat)
        return (*laid, *declared)

    def next_position(self, position: Position, ending: Ending) -> Position:
        """The next deal with counters and sticks, and the end of the game."""
        return with_counters(self.match, position, ending)


def _check_stick(deal: Deal, seat: Seat) -> None:
    if deal.draw == EXHAUSTED and seat not in deal.ready:
        raise ContextError(
            "riichi_not_ready",
            f"{seat} laid a stick and is not ready: name {seat} among 'ready', or leave the stick out; riichi without "
            "a ready hand is a false mah-jong.",
        )
    if seat not in deal.hands:
        return
    hand, context = deal.hands[seat]
    if hand.exposed_melds:
        raise ContextError(
            "riichi_open_hand",
            f"{seat} laid a stick and claimed {hand.exposed_melds[0]}: riichi needs a closed hand; correct one of the "
            "two.",
        )
    if seat in deal.winners:
        if not context.occasions & READY:
            raise ContextError(
                "riichi_untold",
                f"{seat} laid a stick, but the hand of {seat} has no riichi: add the occasion, or leave the stick out.",
            )
    elif hand.tiles and not waits_of(hand):
        raise ContextError(
            "riichi_not_ready",
            f"{seat} laid a stick, but '{hand}' waits for no tile: correct the hand, or leave the stick out.",
        )
