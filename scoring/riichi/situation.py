"""How a riichi hand was won, and which yaku of the win apply.

Source: document 004, second table of yaku; see scoring/sources.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from tilescore.base.errors import ContextError
from tilescore.scoring.context import NO_OCCASION, Occasion, Seat, WinBy
from tilescore.scoring.score import Excluded

if TYPE_CHECKING:
    from tilescore.scoring.context import Context
    from tilescore.scoring.hand import Hand
    from tilescore.scoring.riichi.options import Counting
    from tilescore.scoring.score import ScoreLine
    from tilescore.scoring.shapes.decompose import Decomposition

RIICHI: Final = "riichi"
GAMES: Final = (RIICHI, "riichi3")
"""The games with han and fu, honba and sticks: with four players and with three."""
PREFIX: Final = "riichi."
READY: Final = Occasion.RIICHI | Occasion.DOUBLE_RIICHI
"""The occasions of a declared riichi."""
MEANT: Final = (
    READY
    | Occasion.IPPATSU
    | Occasion.LAST_TILE
    | Occasion.KONG_REPLACEMENT
    | Occasion.ROBBING_KONG
    | Occasion.ROBBING_CONCEALED_KONG
    | Occasion.FIRST_TURN
    | Occasion.NAGASHI_MANGAN
)
"""Occasions with a meaning in riichi."""
MEANT_BY_THREE: Final = Occasion.KITA_REPLACEMENT | Occasion.ROBBING_NORTH
"""Further occasions with a meaning for three players."""
_ROBBERY: Final = Occasion.ROBBING_KONG | Occasion.ROBBING_CONCEALED_KONG
_REPLACED: Final = Occasion.KONG_REPLACEMENT | Occasion.KITA_REPLACEMENT
_SELF_DRAWN: Final = {Occasion.LAST_TILE: "haitei", _REPLACED: "rinshan_kaihou"}
_DISCARDED: Final = {Occasion.LAST_TILE: "houtei", _ROBBERY: "chankan"}


@dataclass(frozen=True, slots=True, eq=False)
class Situation:
    """The circumstances of a win for the engine; `situation_of` caches them, and identity compares them.

    Attributes:
        yaku: keys, without prefix, of the yaku of the win that apply.
        excluded: yaku of the win that were claimed but do not apply, each with the reason.
        warnings: names of what was given but has no meaning in riichi (S-ALL-5).
        closed: whether no meld was claimed; a concealed quad keeps a hand closed.
        self_drawn: whether the winner drew the tile.
        seat, round: winds.
        counting: the options of what counts.
        nagashi: whether nagashi mangan is claimed, which is no win.
        robbed_concealed: whether the tile was robbed from a concealed kong.
        renhou_mangan: whether renhou makes the hand a mangan at least.
        norths: number of norths set aside; always 0 for four players.
    """

    yaku: tuple[str, ...]
    excluded: tuple[Excluded, ...]
    warnings: tuple[str, ...]
    closed: bool
    self_drawn: bool
    seat: Seat
    round: Seat
    counting: Counting
    nagashi: bool
    robbed_concealed: bool
    renhou_mangan: bool
    norths: int

    @property
    def riichi(self) -> bool:
        """Whether riichi was declared, so that the ura dora count."""
        return "riichi" in self.yaku or "double_riichi" in self.yaku


class ScoredHand(NamedTuple):
    """A complete hand with the yaku and fu that counted.

    Attributes:
        hand, context, situation: what was scored.
        split: the split that counted.
        keys: keys of the yaku and dora that counted, without prefix.
        fu_lines: its items of fu.
        yakuman: whether yakuman counted, which replace everything else.
    """

    hand: Hand
    context: Context
    situation: Situation
    split: Decomposition
    keys: frozenset[str]
    fu_lines: tuple[ScoreLine, ...]
    yakuman: bool


def excluded(key: str, because: str) -> Excluded:
    """An exclusion by keys without their prefix."""
    return Excluded(key=PREFIX + key, because=PREFIX + because)


def situation_of(hand: Hand, context: Context, counting: Counting) -> Situation:
    """The circumstances of a hand; raises ContextError for a contradiction."""
    melds = hand.melds
    return _situation(
        context.occasions,
        (context.seat, context.round),
        counting,
        self_drawn=context.win_by is WinBy.SELF_DRAW,
        closed=not melds or all(meld.concealed for meld in melds),
        first=not melds,
        bonus=len(hand.bonus),
        repeats=context.dealer_repeats > 0,
    )


@lru_cache(maxsize=4096)
def _situation(
    occasions: Occasion,
    winds: tuple[Seat, Seat],
    counting: Counting,
    *,
    self_drawn: bool,
    closed: bool,
    first: bool,
    bonus: int,
    repeats: bool,
) -> Situation:
    """The situation of a hand without melds (`first`, S-RII-27) or with, with so many bonus tiles."""
    yaku: list[str] = []
    lost: list[Excluded] = []
    ignored = _ignored(occasions, bonus=bonus > 0, repeats=repeats)
    norths = bonus if counting.three_players else 0
    first = first and not norths
    occasions &= MEANT | MEANT_BY_THREE if counting.three_players else MEANT
    nagashi, renhou_mangan = Occasion.NAGASHI_MANGAN in occasions, False
    if not nagashi:
        _check(occasions)
    _add_riichi(occasions, yaku, lost)
    _add_tile(occasions, yaku, lost, self_drawn=self_drawn, norths=counting.replaces_norths)
    if Occasion.FIRST_TURN in occasions:
        dealer = winds[0] is Seat.EAST
        key = ("tenhou" if dealer else "chiihou") if self_drawn else "renhou"
        because = _first_turn_lost(key, occasions, dealer=dealer, first=first, renhou=counting.renhou != "none")
        if because is None and key == "renhou" and counting.renhou == "mangan":
            renhou_mangan = True
        elif because is None:
            yaku.append(key)
        else:
            lost.append(excluded(key, because))
    return Situation(
        tuple(yaku),
        tuple(lost),
        ignored,
        closed,
        self_drawn,
        *winds,
        counting,
        nagashi,
        Occasion.ROBBING_CONCEALED_KONG in occasions,
        renhou_mangan,
        norths,
    )


def warnings_of(hand: Hand, context: Context) -> tuple[str, ...]:
    """Names of what was given but has no meaning in riichi (S-ALL-5)."""
    return _ignored(context.occasions, bonus=bool(hand.bonus), repeats=context.dealer_repeats > 0)


def _ignored(occasions: Occasion, *, bonus: bool, repeats: bool) -> tuple[str, ...]:
    given = {"bonus": bonus, "dealer_repeats": repeats}
    return (*(occasions & ~MEANT).names, *(name for name, held in given.items() if held))


def _check(occasions: Occasion) -> None:
    if occasions & READY and Occasion.FIRST_TURN in occasions:
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
        elif occasions & _REPLACED:
            lost.append(excluded("ippatsu", "because.call"))
        else:
            yaku.append("ippatsu")


def _add_tile(occasions: Occasion, yaku: list[str], lost: list[Excluded], *, self_drawn: bool, norths: bool) -> None:
    """Add haitei, houtei, rinshan or chankan: a replacement tile or a robbed one is never the last tile (S-RII-26).

    With `norths` the tile drawn for a north set aside is rinshan, too (S-SAN-4).
    """
    table = _SELF_DRAWN if self_drawn else _DISCARDED
    found = [key for occasion, key in table.items() if occasions & occasion != NO_OCCASION]
    if Occasion.KITA_REPLACEMENT in occasions and not norths:
        lost.append(excluded(found[-1], "because.option_off"))
    else:
        yaku.extend(found[-1:])
    lost.extend(excluded(key, found[-1]) for key in found[:-1])


def _first_turn_lost(key: str, occasions: Occasion, *, dealer: bool, first: bool, renhou: bool) -> str | None:
    """The reason why tenhou, chiihou or renhou does not apply, else None."""
    if not first or occasions & _ROBBERY:
        return "because.call"
    if key == "renhou" and dealer:
        return "because.dealer"
    return "because.option_off" if key == "renhou" and not renhou else None
