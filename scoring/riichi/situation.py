"""How a riichi hand was won: which occasional yaku apply, which do not and why (document 004, second table of yaku)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from scoring.context import NO_OCCASION, Occasion, Seat
from scoring.errors import ContextError
from scoring.score import Excluded

if TYPE_CHECKING:
    from scoring.context import Context
    from scoring.hand import Hand

RIICHI: Final = "riichi"
PREFIX: Final = "riichi."
_READY: Final = Occasion.RIICHI | Occasion.DOUBLE_RIICHI
_MEANINGLESS: Final = Occasion.LAST_OF_ITS_KIND | Occasion.ONLY_POSSIBLE_TILE | Occasion.READY_FROM_START
_ROBBERY: Final = Occasion.ROBBING_KONG | Occasion.ROBBING_CONCEALED_KONG
_SELF_DRAWN: Final = {Occasion.LAST_TILE: "haitei", Occasion.KONG_REPLACEMENT: "rinshan_kaihou"}
_DISCARDED: Final = {Occasion.LAST_TILE: "houtei", _ROBBERY: "chankan"}


@dataclass(frozen=True, slots=True)
class Situation:
    """What the engine is told of a win.

    Attributes:
        yaku: keys, without prefix, of the occasional yaku that apply.
        excluded: those that were claimed but do not, and why.
        warnings: what was accepted but has no meaning in riichi.
        closed: no claimed meld (a concealed quad keeps a hand closed).
        self_drawn: the winner drew the tile.
        seat, round: winds.
    """

    yaku: tuple[str, ...]
    excluded: tuple[Excluded, ...]
    warnings: tuple[str, ...]
    closed: bool
    self_drawn: bool
    seat: Seat
    round: Seat

    @property
    def riichi(self) -> bool:
        """Whether riichi was declared, so that the ura dora count."""
        return "riichi" in self.yaku or "double_riichi" in self.yaku


def excluded(key: str, because: str) -> Excluded:
    """An exclusion by keys without their prefix."""
    return Excluded(key=PREFIX + key, because=PREFIX + because)


def situation_of(hand: Hand, context: Context, *, renhou: bool) -> Situation:
    """Which occasional yaku that hand has; `renhou` by the option; raises ContextError for a contradiction."""
    occasions = context.occasions
    closed = not hand.melds or not hand.exposed_melds
    yaku: list[str] = []
    lost: list[Excluded] = []
    if occasions:
        _check(occasions, closed=closed)
        _add_riichi(occasions, yaku, lost)
        _add_tile(context, yaku, lost)
        if Occasion.FIRST_TURN in occasions:
            _add_first_turn(hand, context, yaku, lost, renhou=renhou)
    return Situation(
        tuple(yaku),
        tuple(lost),
        warnings_of(hand, context),
        closed,
        context.self_drawn,
        context.seat,
        context.round,
    )


def warnings_of(hand: Hand, context: Context) -> tuple[str, ...]:
    """Keys of what was given but has no meaning in riichi."""
    ignored = context.occasions & _MEANINGLESS
    names = ignored.names if ignored else ()
    return (*names, "bonus") if hand.bonus else names


def _check(occasions: Occasion, *, closed: bool) -> None:
    if occasions & _READY and not closed:
        raise ContextError(
            "riichi_open_hand", "riichi with a claimed meld: drop the occasion, or make the meld a concealed kong."
        )
    if occasions & _READY and Occasion.FIRST_TURN in occasions:
        raise ContextError(
            "contradicting_occasions",
            "first_turn and riichi cannot both be true: after riichi the first turn is over; drop one of them.",
        )


def _add_riichi(occasions: Occasion, yaku: list[str], lost: list[Excluded]) -> None:
    if Occasion.RIICHI in occasions:
        yaku.append("riichi")
    elif Occasion.DOUBLE_RIICHI in occasions:
        yaku.append("double_riichi")
    if Occasion.IPPATSU in occasions:
        if not yaku:
            lost.append(excluded("ippatsu", "because.no_riichi"))
        elif Occasion.KONG_REPLACEMENT in occasions:
            lost.append(excluded("ippatsu", "because.call"))
        else:
            yaku.append("ippatsu")


def _add_tile(context: Context, yaku: list[str], lost: list[Excluded]) -> None:
    """Haitei, houtei, rinshan, chankan: a replacement tile or a robbed one is never the last of the wall."""
    table = _SELF_DRAWN if context.self_drawn else _DISCARDED
    found = [key for occasion, key in table.items() if context.occasions & occasion != NO_OCCASION]
    yaku.extend(found[-1:])
    lost.extend(excluded(key, found[-1]) for key in found[:-1])


def _add_first_turn(hand: Hand, context: Context, yaku: list[str], lost: list[Excluded], *, renhou: bool) -> None:
    dealer = context.seat is Seat.EAST
    key = ("tenhou" if dealer else "chiihou") if context.self_drawn else "renhou"
    if hand.melds or context.occasions & _ROBBERY:
        lost.append(excluded(key, "because.call"))
    elif key == "renhou" and dealer:
        lost.append(excluded(key, "because.dealer"))
    elif key == "renhou" and not renhou:
        lost.append(excluded(key, "because.option_off"))
    else:
        yaku.append(key)
