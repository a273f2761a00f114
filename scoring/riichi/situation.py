"""How a riichi hand was won, and the yaku of the win: document 004, second table of yaku (see scoring/sources.md).

A yaku of the win is a small function, as those of `yaku`. It returns whether the yaku counts, or the key of the reason
why it does not although it was claimed.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, NamedTuple

from tilescore.errors import ContextError
from tilescore.scoring.context import Context, Occasion, Seat, WinBy
from tilescore.scoring.hand import Hand
from tilescore.scoring.riichi.options import Counting
from tilescore.scoring.riichi.points import YAKUMAN_HAN
from tilescore.scoring.riichi.table import Table, Yaku, entered, yaku
from tilescore.scoring.score import Excluded
from tilescore.scoring.tiles import NORTH, Tile, parse_tiles

WINDS: Final = frozenset(parse_tiles("1234z"))
DRAGONS: Final = frozenset(parse_tiles("567z"))
RIICHI: Final = "riichi"
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

Claim = bool | str
"""Whether a yaku of the win counts; the key of the reason if it was claimed and does not."""


class Win(NamedTuple):
    """What the yaku of the win depend on."""

    occasions: Occasion  # those with a meaning in the game
    drawn: bool  # whether the winner drew the tile
    closed: bool  # whether no meld was claimed; a concealed quad keeps a hand closed
    first: bool  # whether nothing is declared or set aside
    dealer: bool  # whether East won
    counting: Counting  # the options of what counts

    def has(self, occasions: Occasion) -> bool:
        """Whether one of these occasions is given."""
        return bool(self.occasions & occasions)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Situation:
    """The circumstances of a win; `situation_of` caches them, and identity compares them."""

    yaku: tuple[tuple[Yaku, int], ...]  # the yaku of the win that apply, each with its han
    excluded: tuple[Excluded, ...]  # yaku of the win that were claimed but do not apply, each with the reason
    warnings: tuple[str, ...]  # names of what was given but has no meaning in riichi (S-ALL-5)
    closed: bool  # whether no meld was claimed; a concealed quad keeps a hand closed
    self_drawn: bool  # whether the winner drew the tile
    # own_wind, round_wind: the winds of the player and of the round
    own_wind: Tile
    round_wind: Tile
    value_pairs: Mapping[Tile, str]  # the tiles of which a pair has a value, each with the key of its fu
    counting: Counting  # the options of what counts
    riichi: bool  # whether riichi was declared, so that the ura dora count
    nagashi: bool  # whether nagashi mangan is claimed, which is no win
    robbed_concealed: bool  # whether the tile was robbed from a concealed kong
    renhou_mangan: bool  # whether renhou makes the hand a mangan at least
    norths: int  # number of norths set aside; always 0 for four players


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
    """The situation of a hand without melds (`first`) or with, with so many bonus tiles."""
    norths = bonus if counting.three_players else 0
    meant = occasions & (MEANT | MEANT_BY_THREE if counting.three_players else MEANT)
    if Occasion.NAGASHI_MANGAN not in meant:
        _check(meant)
    win = Win(meant, self_drawn, closed, first and not norths, winds[0] is Seat.EAST, counting)
    claims = {row: row.find(win) for row in _rows_of_wins(counting)}
    replaced = {key: row.key for row, claim in claims.items() if claim for key in row.replaces}
    because = {row: replaced.get(row.key, claim) for row, claim in claims.items() if claim}
    lost = [excluded(row.key, reason) for row, reason in because.items() if isinstance(reason, str)]
    rows = [row for row, reason in because.items() if not isinstance(reason, str)]
    mangan = counting.renhou == "mangan" and any(row.find is renhou for row in rows)
    counted = [(row, row.closed if closed else row.open) for row in rows if not (mangan and row.find is renhou)]
    own, round_ = (seat.wind for seat in winds)
    return Situation(
        yaku=tuple(counted),
        excluded=tuple(lost),
        warnings=_ignored(occasions, bonus=bonus > 0, repeats=repeats),
        closed=closed,
        self_drawn=self_drawn,
        own_wind=own,
        round_wind=round_,
        value_pairs=_value_pairs(own, round_, counting),
        counting=counting,
        riichi=win.has(READY),
        nagashi=Occasion.NAGASHI_MANGAN in meant,
        robbed_concealed=Occasion.ROBBING_CONCEALED_KONG in meant,
        renhou_mangan=mangan,
        norths=norths,
    )


def _rows_of_wins(counting: Counting) -> list[Yaku]:
    """The yaku that the win itself shows."""
    return [row_under(counting, row) for row in entered().values() if row.table is Table.WIN]


def row_under(counting: Counting, row: Yaku) -> Yaku:
    """The row with the han that these options give it (S-RII-8)."""
    as_yakuman = row.find is renhou and counting.renhou == "yakuman"
    return replace(row, closed=YAKUMAN_HAN) if as_yakuman else row


def _value_pairs(own: Tile, round_: Tile, counting: Counting) -> Mapping[Tile, str]:
    """The tiles of which a pair has a value, each with the key of its fu (S-RII-37)."""
    norths = {NORTH: "pair_north"} if counting.north_counts else {}
    winds = {round_: "pair_round_wind", own: "pair_double_wind" if own is round_ else "pair_own_wind"}
    return {**norths, **dict.fromkeys(DRAGONS, "pair_dragon"), **winds}


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


# --- the yaku of the win ------------------------------------------------------------------------------------------


@yaku(1, table=Table.WIN)
def riichi(win: Win) -> Claim:
    """Closed hand declared ready, 1000 points laid down."""
    return win.has(READY)


@yaku(2, table=Table.WIN, replaces=("riichi",))
def double_riichi(win: Win) -> Claim:
    """Riichi with the first discard of the deal; instead of the 1 of riichi."""
    return win.has(Occasion.DOUBLE_RIICHI)


@yaku(1, table=Table.WIN)
def ippatsu(win: Win) -> Claim:
    """Won within one turn after riichi with no call in between.

    S-RII-26.
    """
    if not win.has(Occasion.IPPATSU):
        return False
    if not win.has(READY):
        return "because.no_riichi"
    return "because.call" if win.has(_REPLACED) else True


@yaku(1, table=Table.WIN)
def menzen_tsumo(win: Win) -> Claim:
    """The tile drawn by the winner of a closed hand."""
    return win.drawn and win.closed


@yaku(1, 1, table=Table.WIN)
def haitei(win: Win) -> Claim:
    """Won by drawing the last tile of the wall."""
    return win.drawn and win.has(Occasion.LAST_TILE)


@yaku(1, 1, table=Table.WIN)
def houtei(win: Win) -> Claim:
    """Won on the discard after the last tile of the wall."""
    return not win.drawn and win.has(Occasion.LAST_TILE)


@yaku(1, 1, table=Table.WIN, replaces=("haitei",))
def rinshan_kaihou(win: Win) -> Claim:
    """Won by drawing the replacement tile of a quad.

    S-RII-26; S-SAN-4 for the tile that replaces a north set aside.
    """
    if not win.counting.replaces_norths and win.has(Occasion.KITA_REPLACEMENT):
        return "because.option_off"
    return win.drawn and win.has(_REPLACED)


@yaku(1, 1, table=Table.WIN, replaces=("houtei",))
def chankan(win: Win) -> Claim:
    """Won by robbing the tile that another player adds to a triplet.

    S-RII-26.
    """
    return not win.drawn and win.has(_ROBBERY)


@yaku(5, table=Table.WIN)
def nagashi_mangan(win: Win) -> Claim:
    """Exhaustive draw with nothing but terminals and honours discarded, none of them claimed: paid as a self-drawn
    mangan.

    S-RII-9.
    """  # noqa: D205  # the text of the rule is longer than a line
    return win.has(Occasion.NAGASHI_MANGAN)


@yaku(YAKUMAN_HAN, table=Table.WIN)
def tenhou(win: Win) -> Claim:
    """The dealer wins with the dealt hand."""
    return _first_turn(win) if win.drawn and win.dealer else False


@yaku(YAKUMAN_HAN, table=Table.WIN)
def chiihou(win: Win) -> Claim:
    """Another player wins with the first draw and no call before it."""
    return _first_turn(win) if win.drawn and not win.dealer else False


@yaku(5, table=Table.WIN)
def renhou(win: Win) -> Claim:
    """Not the dealer, before the first draw of one's own, on a discard and with no call before it.

    S-RII-8.
    """
    claim = _first_turn(win) if not win.drawn else False
    if claim is True and win.dealer:
        return "because.dealer"
    return "because.option_off" if claim is True and win.counting.renhou == "none" else claim


def _first_turn(win: Win) -> Claim:
    """Whether the hand was won in the first turn, which any declared set ends (S-RII-27)."""
    if not win.has(Occasion.FIRST_TURN):
        return False
    return "because.call" if not win.first or win.has(_ROBBERY) else True
