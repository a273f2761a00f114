"""Plausibility: circumstances that the tiles of a hand contradict. All rulesets use this module.

`Context` refuses circumstances that contradict one another; this module compares them with the tiles. A ruleset says
in its `Play` which circumstances it knows. Circumstances without meaning in a ruleset are not compared (S-ALL-5,
S-ALL-9 in scoring/sources.md).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from tilescore.errors import ContextError, HandError
from tilescore.scoring.context import NO_OCCASION, Context, Occasion, Seat, WinBy
from tilescore.scoring.hand import From, Hand, MeldKind
from tilescore.scoring.tiles import NORTH, Tile

MOST_INDICATORS: Final = 5
"""Dora indicators of a deal: the first, and one for each of four kongs."""
_OTHER_COPIES: Final = 3
_NOT_FOR_CHOWS: Final = {From.ACROSS: "across", From.RIGHT: "the right"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Play:
    """How a ruleset is played, as far as it decides which circumstances a hand can have."""

    meant: Occasion  # occasions with a meaning in it
    bonus_replaced: bool = False  # whether a drawn flower is replaced by a tile that counts as a loose one
    indicators: bool = False  # whether dora indicators are turned up
    nagashi_open: bool = False  # whether nagashi mangan allows claimed melds
    size: int = Hand.SIZE  # tiles of a complete hand, a kong counted as three
    flower_wins: tuple[int, ...] = ()  # numbers of flowers and seasons that win by themselves
    flowers_drawn: bool = False  # whether only a flower that was drawn wins by flowers
    claims_after_ready: bool = False  # whether a claim makes readiness from the start void and is no contradiction
    any_dealer: bool = False  # whether another player than East can be the dealer
    norths_aside: bool = False  # whether a north can be set aside
    ura_alone: bool = False  # whether ura indicators may be given without the dora indicators above them
    waits: Callable[[Hand], tuple[Tile, ...]]  # the tiles that complete a hand


def check_plausible(hand: Hand, context: Context, play: Play) -> None:
    """Raise ContextError for a circumstance that the tiles contradict; the message quotes both and says the remedy.

    Raise HandError for a north among the bonus tiles in a game where none can be set aside.
    """
    if hand.bonus and NORTH in hand.bonus and not play.norths_aside:
        raise HandError(
            "not_a_bonus_tile",
            f"{NORTH} in 'bonus': only three-player riichi sets norths aside; move it to the concealed tiles.",
            tile=str(NORTH),
        )
    if context.unchecked:
        return
    check_melds(hand)
    if context.dealer is not Seat.EAST and not play.any_dealer:
        raise ContextError(
            "dealer_not_east",
            f"dealer {context.dealer} given, but East deals in this game: drop it, or correct the seats.",
            dealer=str(context.dealer),
        )
    if context.occasions is not NO_OCCASION:
        for name, code, contradiction in _asked(context.occasions, play.meant):
            fault = contradiction(hand, context, play)
            if fault is not None:
                raise ContextError(code, f"{name} is given, but {fault}.", occasion=name, hand=str(hand))
    if play.indicators and not len(context.ura_dora_indicators) <= len(context.dora_indicators) <= MOST_INDICATORS:
        _refuse_indicators(context, play)


@lru_cache(maxsize=4096)
def _asked(given: Occasion, meant: Occasion) -> tuple[tuple[str, str, Contradiction], ...]:
    """Name, code and contradiction of each given occasion with a meaning that the tiles can contradict."""
    return tuple((flag.names[0], code, find) for flag, code, find in _CONTRADICTIONS if flag in given & meant)


def check_melds(hand: Hand) -> None:
    """Raise HandError for a meld that nobody can have claimed as it says (S-ALL-11)."""
    for meld in hand.melds:
        if meld.kind is MeldKind.CHOW and meld.source in _NOT_FOR_CHOWS:
            raise HandError(
                "chow_not_from_left",
                f"{meld} was claimed from {_NOT_FOR_CHOWS[meld.source]}: a chow is claimed from the left alone; "
                "correct the place, or leave it out.",
                meld=str(meld),
            )
        if meld.concealed and (meld.source is not None or meld.called is not None):
            raise HandError(
                "concealed_kong_claimed",
                f"{meld} is a concealed kong, of which nobody claims a tile: leave out 'called' and 'from', or set "
                "'concealed' to false.",
                meld=str(meld),
            )


def check_losing_size(hand: Hand, context: Context, *, complete: int = Hand.SIZE) -> None:
    """Raise HandError for a hand of a complete hand's size that did not win: it has a tile less when a deal ends."""
    if hand.size == complete and not context.unchecked:
        raise HandError(
            "losing_hand_complete",
            f"'{hand}' has {complete} tiles (a kong counts three), but a hand that did not win has {complete - 1}: "
            "remove a tile, or say how it won.",
            hand=str(hand),
        )


def holds_the_others_open(hand: Hand) -> bool:
    """Whether the three other copies of the winning tile lie in the hand's own claimed melds (S-MCR-13, S-SIM-12).

    >>> holds_the_others_open(Hand.parse("23455p (222p) (234s) (777z) +2p"))
    True
    """
    won = hand.winning_tile
    if won is None:
        return False
    shown = [tile.plain for meld in hand.exposed_melds for tile in meld.tiles]
    return shown.count(won.plain) == _OTHER_COPIES


def _refuse_indicators(context: Context, play: Play) -> None:
    dora, ura = len(context.dora_indicators), len(context.ura_dora_indicators)
    for name, count in (("dora_indicators", dora), ("ura_dora_indicators", ura)):
        if count > MOST_INDICATORS:
            raise ContextError(
                "too_many_indicators",
                f"{count} {name}: a deal has at most {MOST_INDICATORS}, one and one more for each kong; remove some.",
                count=count,
                most=MOST_INDICATORS,
            )
    if play.ura_alone and not dora:
        return
    raise ContextError(
        "ura_without_dora",
        f"{ura} ura_dora_indicators under {dora} dora_indicators: each lies under one of them; correct one of the two.",
        ura=ura,
        dora=dora,
    )


Contradiction = Callable[[Hand, "Context", Play], str | None]


# --- contradictions: what the tiles say against an occasion, and the remedy; None if nothing --------------------------


def _not_replaced(hand: Hand, _: Context, play: Play) -> str | None:
    if any(meld.kind is MeldKind.KONG for meld in hand.melds) or (play.bonus_replaced and hand.bonus):
        return None
    nothing = "no kong, flower or season" if play.bonus_replaced else "no kong"
    return f"the hand has {nothing}: declare what was replaced, or drop the occasion"


def _not_robbed(hand: Hand, context: Context, play: Play) -> str | None:
    seen = [*hand.tiles, *(context.dora_indicators if play.indicators else ())]
    return _seen_again(hand, seen, "the other three lie in the kong")


def _no_north_aside(hand: Hand, _: Context, __: Play) -> str | None:
    return None if NORTH in hand.bonus else "no north lies aside: put it into 'bonus', or drop the occasion"


def _no_north_won(hand: Hand, _: Context, __: Play) -> str | None:
    won = hand.winning_tile
    if won is None or won is NORTH:
        return None
    return f"the winning tile is {won}, not {NORTH}: correct the winning tile, or drop the occasion"


def _not_last(hand: Hand, _: Context, __: Play) -> str | None:
    kongs = [tile for meld in hand.melds if meld.concealed for tile in meld.tiles]
    return _seen_again(hand, [*hand.concealed, *kongs], "the other three lie open")


def _seen_again(hand: Hand, seen: Iterable[Tile], why: str) -> str | None:
    won = hand.winning_tile
    if won is None:
        return None
    count = sum([tile.plain is won.plain for tile in seen])
    if count < 2:
        return None
    return f"{won.plain} is seen {count} times: {why}; drop the occasion, or correct the winning tile"


def _not_two_kongs(hand: Hand, _: Context, __: Play) -> str | None:
    kongs = sum([meld.kind is MeldKind.KONG for meld in hand.melds])
    return None if kongs >= 2 else f"the hand has {kongs} of two kongs: declare both, or drop the occasion"


def _not_by_flowers(hand: Hand, context: Context, play: Play) -> str | None:
    held, won = len(hand.bonus), hand.winning_tile
    if held not in play.flower_wins:
        needed = " or ".join(map(str, play.flower_wins))
        return f"the hand has {held} flowers and seasons, not {needed}: name those in 'bonus', or drop the occasion"
    if won is not None and not won.is_bonus:
        return f"the winning tile is {won}: name the last flower or season, or drop the occasion"
    if play.flowers_drawn and context.win_by is WinBy.DISCARD:
        return "win_by is discard: nobody discards a flower; set it to self_draw, or drop the occasion"
    return None


def _not_kept(hand: Hand, _: Context, play: Play) -> str | None:
    claimed = next((meld for meld in hand.melds if not meld.concealed and meld.kind is not MeldKind.KONG), None)
    if claimed is not None and not play.claims_after_ready:
        return f"{claimed} was claimed: a hand that is ready when dealt claims no set; drop the occasion or the meld"
    if hand.size < play.size and not play.waits(hand):
        return f"'{hand}' waits for no tile: drop the occasion, or correct the tiles"
    return None


def _not_drained(hand: Hand, _: Context, play: Play) -> str | None:
    if hand.exposed_melds and not play.nagashi_open:
        return f"{hand.exposed_melds[0]} was claimed: nagashi mangan needs a hand without claims; drop one of the two"
    if hand.size not in (0, Hand.SIZE - 1):
        return (
            f"'{hand}' has {hand.size} tiles: when the wall is used up a hand has {Hand.SIZE - 1}; "
            "correct the tiles, or drop the occasion"
        )
    return None


def _not_closed(hand: Hand, _: Context, __: Play) -> str | None:
    melds = hand.exposed_melds
    return f"{melds[0]} was claimed: drop the occasion, or make the meld a concealed kong" if melds else None


CONTRADICTS_HAND: Final = "occasion_contradicts_hand"
_OPEN_RIICHI: Final = "riichi_open_hand"
_CONTRADICTIONS: Final = (
    (Occasion.KONG_REPLACEMENT, CONTRADICTS_HAND, _not_replaced),
    (Occasion.ROBBING_KONG, CONTRADICTS_HAND, _not_robbed),
    (Occasion.ROBBING_CONCEALED_KONG, CONTRADICTS_HAND, _not_robbed),
    (Occasion.KITA_REPLACEMENT, CONTRADICTS_HAND, _no_north_aside),
    (Occasion.ROBBING_NORTH, CONTRADICTS_HAND, _no_north_won),
    (Occasion.LAST_OF_ITS_KIND, CONTRADICTS_HAND, _not_last),
    (Occasion.READY_FROM_START, CONTRADICTS_HAND, _not_kept),
    (Occasion.READY_AS_DEALT, CONTRADICTS_HAND, _not_kept),
    (Occasion.KONG_ON_KONG, CONTRADICTS_HAND, _not_two_kongs),
    (Occasion.FLOWER_WIN, CONTRADICTS_HAND, _not_by_flowers),
    (Occasion.NAGASHI_MANGAN, CONTRADICTS_HAND, _not_drained),
    (Occasion.RIICHI, _OPEN_RIICHI, _not_closed),
    (Occasion.DOUBLE_RIICHI, _OPEN_RIICHI, _not_closed),
)
"""Occasions that the tiles can contradict, with the code of the error and the test, in the order of the tests."""
