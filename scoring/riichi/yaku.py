"""The yaku that the tiles make, one small function each: document 004, first table of yaku (see scoring/sources.md).

A yaku is a function with the name of its key that looks at one way to read the hand. It returns the places of the
groups that make the yaku, `WHOLE` for a yaku of all tiles, or `NOT`. The decorator states its han in a closed and in
an open hand, and what it takes the place of; a yakuman takes the place of everything else. The first paragraph of the
docstring is the text of the rule, a second one names the decisions that it rests on. `situation` has the yaku of the
win, `count` the han that are no yaku.
"""

from typing import Final

from tilescore.scoring.riichi.points import YAKUMAN_HAN
from tilescore.scoring.riichi.situation import DRAGONS, WINDS
from tilescore.scoring.riichi.table import yaku
from tilescore.scoring.riichi.view import View, set_of
from tilescore.scoring.shapes.kinds import GATES, GREEN, HONORS, MIDDLE, NINE_GATES, OF_SUIT, SIMPLES
from tilescore.scoring.shapes.view import PAIR_WAIT
from tilescore.scoring.shapes.winning import ORPHANS, Shape
from tilescore.scoring.tiles import SUITS, Tile, parse_tiles

Places = tuple[int, ...] | None
"""Places of the groups that make a yaku."""
NOT: Final[Places] = None
WHOLE: Final[Places] = ()
_WHITE, _GREEN, _RED = parse_tiles("567z")
_STRAIGHTS: Final = tuple(
    (kinds, tuple(Tile(suit, rank) for rank in (1, 4, 7))) for kinds, suit in zip(OF_SUIT, SUITS, strict=True)
)
"""The kinds of each suit, and the lowest tiles of its straight."""
_OF_THREE_SUITS: Final = {
    Tile(SUITS[0], rank): tiles for rank in range(1, 10) for tiles in [frozenset(Tile(suit, rank) for suit in SUITS)]
}
"""For each tile of the first suit, those of its rank."""


# --- sets of value ------------------------------------------------------------------------------------------------


@yaku(1, 1)
def haku(view: View) -> Places:
    """A triplet or quad of white dragons."""
    return set_of(view, _WHITE)


@yaku(1, 1)
def hatsu(view: View) -> Places:
    """A triplet or quad of green dragons."""
    return set_of(view, _GREEN)


@yaku(1, 1)
def chun(view: View) -> Places:
    """A triplet or quad of red dragons."""
    return set_of(view, _RED)


@yaku(1, 1)
def seat_wind(view: View) -> Places:
    """A triplet or quad of the player's own wind."""
    return set_of(view, view.context.own_wind)


@yaku(1, 1)
def round_wind(view: View) -> Places:
    """A triplet or quad of the wind of the round."""
    return set_of(view, view.context.round_wind)


# --- one and two han ----------------------------------------------------------------------------------------------


@yaku(1)
def pinfu(view: View) -> Places:
    """Closed: four sequences, a pair that is no dragon, own or round wind, and a wait on both ends of a sequence."""
    return WHOLE if len(view.chows) == 4 and view.pair not in view.context.value_pairs and not view.wait else NOT


@yaku(1, 1)
def tanyao(view: View) -> Places:
    """No terminal and no honour; open hands too, where the table allows it.

    S-RII-12.
    """
    allowed = view.context.closed or view.context.counting.open_tanyao
    return WHOLE if allowed and not view.kinds & ORPHANS else NOT


@yaku(1)
def iipeikou(view: View) -> Places:
    """Closed: twice the same sequence in one suit."""
    return _twins(view, 1)


@yaku(2, 2)
def toitoi(view: View) -> Places:
    """Four triplets or quads and a pair."""
    return view.pung_at if len(view.pungs) == 4 else NOT


@yaku(2, 1)
def sanshoku_doujun(view: View) -> Places:
    """The same sequence in all three suits."""
    return _three_suits(view.chows, view.chow_at) if view.suits == 3 else NOT


@yaku(2, 2)
def sanshoku_doukou(view: View) -> Places:
    """The same triplet or quad in all three suits."""
    return _three_suits(view.pungs, view.pung_at) if view.suits == 3 else NOT


@yaku(2, 1)
def ittsu(view: View) -> Places:
    """123 456 789 in one suit."""
    for suit, lows in _STRAIGHTS:
        if view.kinds & suit == suit and set(view.chows).issuperset(lows):
            at = dict(zip(view.chows, view.chow_at, strict=True))
            return tuple([at[low] for low in lows])
    return NOT


@yaku(2, 1)
def chanta(view: View) -> Places:
    """A terminal or an honour in every group and the pair, with at least one sequence and one honour."""
    return _outside_everywhere(view) if view.kinds & HONORS else NOT


@yaku(2, 2)
def sanankou(view: View) -> Places:
    """Three triplets or quads without a claimed tile; one that the winning discard ends is not among them.

    S-RII-3, S-RII-6.
    """
    return view.concealed_at if len(view.concealed_at) >= 3 else NOT


@yaku(2, 2)
def sankantsu(view: View) -> Places:
    """Three quads, open or closed."""
    return view.kong_at if len(view.kong_at) >= 3 else NOT


@yaku(2, 2)
def honroutou(view: View) -> Places:
    """Only terminals and honours."""
    return NOT if view.kinds & SIMPLES else WHOLE


@yaku(2)
def chiitoitsu(view: View) -> Places:
    """Seven pairs, no two alike."""
    return tuple(range(7)) if view.shape is Shape.DIFFERENT_PAIRS else NOT


@yaku(2, 2)
def shousangen(view: View) -> Places:
    """Two triplets and the pair of dragons, on top of the two dragon triplets.

    S-RII-4.
    """
    return _honor_sets(view, DRAGONS, 2) if view.pair in DRAGONS else NOT


# --- three han and more -------------------------------------------------------------------------------------------


@yaku(3, 2)
def honitsu(view: View) -> Places:
    """One suit and honours."""
    return WHOLE if view.suits == 1 and view.kinds & HONORS else NOT


@yaku(3, replaces=("iipeikou", "chiitoitsu"))
def ryanpeikou(view: View) -> Places:
    """Closed: two times twice the same sequence, and a pair."""
    return _twins(view, 2)


@yaku(3, 2)
def junchan(view: View) -> Places:
    """A terminal in every group and the pair, with at least one sequence."""
    return NOT if view.kinds & HONORS else _outside_everywhere(view)


@yaku(6, 5)
def chinitsu(view: View) -> Places:
    """One suit without honours."""
    return WHOLE if view.suits == 1 and not view.kinds & HONORS else NOT


# --- yakuman: S-RII-5, S-RII-11 -----------------------------------------------------------------------------------


def _always(_: View) -> bool:
    return True


def _ended_pair(view: View) -> bool:
    return view.wait == PAIR_WAIT


def _ended_gates(view: View) -> bool:
    return view.before in NINE_GATES


def _ended_second(view: View) -> bool:
    return view.before == ORPHANS


@yaku(YAKUMAN_HAN, YAKUMAN_HAN)
def ryuuiisou(view: View) -> Places:
    """Only 2 3 4 6 8 bamboo and green dragons; the dragon may be absent.

    S-RII-7.
    """
    return NOT if view.kinds & ~GREEN else WHOLE


@yaku(YAKUMAN_HAN, YAKUMAN_HAN)
def suukantsu(view: View) -> Places:
    """Four quads, open or closed."""
    return view.kong_at if len(view.kong_at) == 4 else NOT


@yaku(YAKUMAN_HAN, doubled=_ended_pair)
def suuankou(view: View) -> Places:
    """Four closed triplets or quads; on a discard only with the pair as wait.

    S-RII-6; two yakuman on the pair.
    """
    return view.concealed_at if len(view.concealed_at) == 4 else NOT


@yaku(YAKUMAN_HAN, YAKUMAN_HAN)
def chinroutou(view: View) -> Places:
    """Only terminals."""
    return NOT if view.kinds & (SIMPLES | HONORS) else WHOLE


@yaku(YAKUMAN_HAN, doubled=_ended_gates)
def chuuren_poutou(view: View) -> Places:
    """Closed: 1112345678999 of one suit and any further tile of it.

    Two yakuman where the further tile is the winning one.
    """
    return WHOLE if not view.hand.melds and view.packed in GATES else NOT


@yaku(YAKUMAN_HAN, YAKUMAN_HAN)
def tsuuiisou(view: View) -> Places:
    """Only honours."""
    return WHOLE if not view.suits else NOT


@yaku(YAKUMAN_HAN, YAKUMAN_HAN)
def daisangen(view: View) -> Places:
    """Triplets or quads of all three dragons."""
    return _honor_sets(view, DRAGONS, 3)


@yaku(YAKUMAN_HAN, doubled=_ended_second)
def kokushi_musou(view: View) -> Places:
    """One of each terminal and honour and a second of one of them.

    Two yakuman where the winning tile is the second one.
    """
    return (0, 1) if view.shape is Shape.THIRTEEN_ORPHANS else NOT


@yaku(YAKUMAN_HAN, YAKUMAN_HAN)
def shousuushii(view: View) -> Places:
    """Triplets or quads of three winds and the pair of the fourth."""
    return _honor_sets(view, WINDS, 3) if view.pair in WINDS else NOT


@yaku(YAKUMAN_HAN, YAKUMAN_HAN, doubled=_always)
def daisuushii(view: View) -> Places:
    """Triplets or quads of all four winds."""
    return _honor_sets(view, WINDS, 4)


# --- what several of them share -----------------------------------------------------------------------------------


def twins(runs: tuple[Tile, ...]) -> int:
    """The number of pairs of equal sequences."""
    different = set(runs)
    return 0 if len(different) == len(runs) else sum([runs.count(run) // 2 for run in different])


def _twins(view: View, least: int) -> Places:
    runs = view.chows
    if twins(runs) < least:
        return NOT
    return tuple([at for run, at in zip(runs, view.chow_at, strict=True) if runs.count(run) > 1])


def _three_suits(tiles: tuple[Tile, ...], at: tuple[int, ...]) -> Places:
    for tile in tiles:
        same = _OF_THREE_SUITS.get(tile)
        if same is not None and same.issubset(tiles):
            return tuple({tile: place for tile, place in zip(tiles, at, strict=True) if tile in same}.values())
    return NOT


def _outside_everywhere(view: View) -> Places:
    if view.kinds & MIDDLE or not view.chows:
        return NOT
    return tuple(range(5)) if all(group.is_outside for group in view.groups) else NOT


def _honor_sets(view: View, honors: frozenset[Tile], sets: int) -> Places:
    """The groups of these honours, pair included, if exactly so many of them are triplets or quads."""
    if len(view.pungs) < sets or sum([tile in honors for tile in view.pungs]) != sets:
        return NOT
    return tuple([place for place, group in enumerate(view.groups) if group.tiles[0] in honors])
