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
from tilescore.scoring.riichi.view import (
    GREEN,
    HONORS,
    OUTSIDE,
    PAIR,
    PLACES,
    SIMPLES,
    View,
    gates,
    is_outside,
    nine_gates,
)
from tilescore.scoring.shapes.winning import Shape

Places = tuple[int, ...] | None
"""Places of the groups that make a yaku."""
NOT: Final[Places] = None
WHOLE: Final[Places] = ()
_WHITE, _GREEN, _RED = DRAGONS


# --- sets of value ------------------------------------------------------------------------------------------------


@yaku(1, 1)
def haku(view: View) -> Places:
    """A triplet or quad of white dragons."""
    return view.set_of(_WHITE)


@yaku(1, 1)
def hatsu(view: View) -> Places:
    """A triplet or quad of green dragons."""
    return view.set_of(_GREEN)


@yaku(1, 1)
def chun(view: View) -> Places:
    """A triplet or quad of red dragons."""
    return view.set_of(_RED)


@yaku(1, 1)
def seat_wind(view: View) -> Places:
    """A triplet or quad of the player's own wind."""
    return view.set_of(view.situation.own_wind)


@yaku(1, 1)
def round_wind(view: View) -> Places:
    """A triplet or quad of the wind of the round."""
    return view.set_of(view.situation.round_wind)


# --- one and two han ----------------------------------------------------------------------------------------------


@yaku(1)
def pinfu(view: View) -> Places:
    """Closed: four sequences, a pair that is no dragon, own or round wind, and a wait on both ends of a sequence."""
    return WHOLE if len(view.runs) == 4 and view.pair not in view.situation.value_pairs and not view.wait else NOT


@yaku(1, 1)
def tanyao(view: View) -> Places:
    """No terminal and no honour; open hands too, where the table allows it.

    S-RII-12.
    """
    allowed = view.situation.closed or view.situation.counting.open_tanyao
    return WHOLE if allowed and not view.kinds & OUTSIDE else NOT


@yaku(1)
def iipeikou(view: View) -> Places:
    """Closed: twice the same sequence in one suit."""
    return _twins(view, 1)


@yaku(2, 2)
def toitoi(view: View) -> Places:
    """Four triplets or quads and a pair."""
    return view.alike_at if len(view.alike) == 4 else NOT


@yaku(2, 1)
def sanshoku_doujun(view: View) -> Places:
    """The same sequence in all three suits."""
    return _three_suits(view.runs, view.run_at)


@yaku(2, 2)
def sanshoku_doukou(view: View) -> Places:
    """The same triplet or quad in all three suits."""
    return _three_suits(view.alike, view.alike_at)


@yaku(2, 1)
def ittsu(view: View) -> Places:
    """123 456 789 in one suit."""
    for low in (0, 9, 18):
        if low in view.runs and low + 3 in view.runs and low + 6 in view.runs:
            at = dict(zip(view.runs, view.run_at, strict=True))
            return at[low], at[low + 3], at[low + 6]
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
    return view.hidden_at if len(view.hidden_at) >= 3 else NOT


@yaku(2, 2)
def sankantsu(view: View) -> Places:
    """Three quads, open or closed."""
    return view.quad_at if len(view.quad_at) >= 3 else NOT


@yaku(2, 2)
def honroutou(view: View) -> Places:
    """Only terminals and honours."""
    return NOT if view.kinds & SIMPLES else WHOLE


@yaku(2)
def chiitoitsu(view: View) -> Places:
    """Seven pairs, no two alike."""
    return PLACES[:7] if view.shape is Shape.DIFFERENT_PAIRS else NOT


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
    return view.form_ended == PAIR


def _ended_gates(view: View) -> bool:
    return nine_gates(view.before)


def _ended_second(view: View) -> bool:
    return view.held == 2


@yaku(YAKUMAN_HAN, YAKUMAN_HAN)
def ryuuiisou(view: View) -> Places:
    """Only 2 3 4 6 8 bamboo and green dragons; the dragon may be absent.

    S-RII-7.
    """
    return NOT if view.kinds & ~GREEN else WHOLE


@yaku(YAKUMAN_HAN, YAKUMAN_HAN)
def suukantsu(view: View) -> Places:
    """Four quads, open or closed."""
    return view.quad_at if len(view.quad_at) == 4 else NOT


@yaku(YAKUMAN_HAN, doubled=_ended_pair)
def suuankou(view: View) -> Places:
    """Four closed triplets or quads; on a discard only with the pair as wait.

    S-RII-6; two yakuman on the pair.
    """
    return view.hidden_at if len(view.hidden_at) == 4 else NOT


@yaku(YAKUMAN_HAN, YAKUMAN_HAN)
def chinroutou(view: View) -> Places:
    """Only terminals."""
    return NOT if view.kinds & (SIMPLES | HONORS) else WHOLE


@yaku(YAKUMAN_HAN, doubled=_ended_gates)
def chuuren_poutou(view: View) -> Places:
    """Closed: 1112345678999 of one suit and any further tile of it.

    Two yakuman where the further tile is the winning one.
    """
    return WHOLE if view.suits == 1 and not view.hand.melds and gates(view.packed) else NOT


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
    return PLACES[:2] if view.shape is Shape.THIRTEEN_ORPHANS else NOT


@yaku(YAKUMAN_HAN, YAKUMAN_HAN)
def shousuushii(view: View) -> Places:
    """Triplets or quads of three winds and the pair of the fourth."""
    return _honor_sets(view, WINDS, 3) if view.pair in WINDS else NOT


@yaku(YAKUMAN_HAN, YAKUMAN_HAN, doubled=_always)
def daisuushii(view: View) -> Places:
    """Triplets or quads of all four winds."""
    return _honor_sets(view, WINDS, 4)


# --- what several of them share -----------------------------------------------------------------------------------


def twins(runs: tuple[int, ...]) -> int:
    """The number of pairs of equal sequences."""
    different = set(runs)
    return 0 if len(different) == len(runs) else sum([runs.count(run) // 2 for run in different])


def _twins(view: View, least: int) -> Places:
    runs = view.runs
    if twins(runs) < least:
        return NOT
    return tuple([at for run, at in zip(runs, view.run_at, strict=True) if runs.count(run) > 1])


def _three_suits(kinds: tuple[int, ...], at: tuple[int, ...]) -> Places:
    for kind in kinds:
        if kind < 9 and kind + 9 in kinds and kind + 18 in kinds:
            same = (kind, kind + 9, kind + 18)
            return tuple({kind: place for kind, place in zip(kinds, at, strict=True) if kind in same}.values())
    return NOT


def _outside_everywhere(view: View) -> Places:
    groups = view.runs and all(map(is_outside, view.blocks))
    return PLACES[:5] if groups else NOT


def _honor_sets(view: View, honors: tuple[int, ...], sets: int) -> Places:
    """The groups of these honours, pair included, if exactly so many of them are triplets or quads."""
    if sum([kind in honors for kind in view.alike]) != sets:
        return NOT
    return tuple([place for place, block in enumerate(view.blocks) if block >> 2 in honors])
