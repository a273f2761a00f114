"""Which han and fu a riichi hand can have together: its sets bring the fu, and some of them yaku that it cannot avoid.

Everything else brings han in steps of one (riichi, dora), so a hand can have any number from the least one on. The
yaku are those of document 004 (scoring/sources.md); the fu are `riichi.fu.FU_TEXTS`.

>>> fu_of(1, self_drawn=False)[:3], fu_of(2, self_drawn=True)[:3]
((30, 40, 50), (20, 30, 40))
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement, product
from types import MappingProxyType
from typing import Final

from tilescore.scoring.riichi.fu import FU_TEXTS, set_key
from tilescore.scoring.riichi.points import MANGAN_HAN

_FU: Final = {key: value for key, (value, _) in FU_TEXTS.items()}
_WAIT: Final = _FU["closed_wait"]
_SETS: Final = 4


@dataclass(frozen=True, slots=True)
class _Group:
    """A set as far as fu and yaku depend on it."""

    fu: int  # what it brings
    size: int  # 3 or 4 equal tiles; 0 for a sequence
    concealed: bool  # whether no other player fed it
    outside: bool = False  # whether it is of terminals or honours


_CHOW: Final = _Group(0, 0, concealed=True)
_SET_OF: Final = {
    (size, concealed, outside): _Group(_FU[set_key(size, outside=outside, closed=concealed)], size, concealed, outside)
    for size, concealed, outside in product((3, 4), (True, False), (True, False))
}
_GROUPS: Final = (_CHOW, _Group(0, 0, concealed=False), *_SET_OF.values())


def fu_of(han: int, *, self_drawn: bool, double_wind_fu: int = _FU["pair_double_wind"]) -> tuple[int, ...]:
    """The fu that a hand of so many han can have; none from a mangan of any fu on, where they change nothing.

    Dora are among the han. Tables count a pair that is both own and round wind differently.
    """
    if han >= MANGAN_HAN:
        return ()
    least = least_han(double_wind_fu)
    return tuple(sorted(fu for (fu, drawn), needed in least.items() if drawn is self_drawn and needed <= han))


@cache
def least_han(double_wind_fu: int) -> Mapping[tuple[int, bool], int]:
    """The least han of a hand, by its fu and whether it was self-drawn; what is not there does not exist."""
    seven_pairs, drawn = 2, 1
    least = {(_FU["seven_pairs"], False): seven_pairs, (_FU["seven_pairs"], True): seven_pairs + drawn}
    for groups, pair_fu in product(
        combinations_with_replacement(_GROUPS, _SETS), (0, _FU["pair_dragon"], double_wind_fu)
    ):
        for self_drawn, (won, wait_fu) in product((True, False), _wins(groups)):
            held = groups if self_drawn or won is None else _fed(groups, won)
            closed = all(group.concealed for group in groups)
            of_sets = _han_of_sets(held, value_pair=pair_fu > 0)
            if of_sets is None:
                continue
            fu = sum([group.fu for group in held]) + pair_fu + wait_fu
            pinfu = closed and not fu
            han = max(1, of_sets + pinfu + (drawn if closed and self_drawn else 0))
            key = _rounded(fu, closed=closed, self_drawn=self_drawn, pinfu=pinfu), self_drawn
            least[key] = min(least.get(key, han), han)
    return MappingProxyType(least)


def _wins(groups: tuple[_Group, ...]) -> Iterator[tuple[_Group | None, int]]:
    """The ways to win: the triplet that the tile completed, if it was one, and the fu of the wait."""
    yield None, _WAIT  # the pair, or the middle or the edge of a sequence
    if _CHOW in groups:
        yield None, 0
    for group in set(groups):
        if group.size == 3 and group.concealed:
            yield group, 0


def _fed(groups: tuple[_Group, ...], won: _Group) -> tuple[_Group, ...]:
    """The groups with that triplet open, because a discard completed it."""
    at = groups.index(won)
    return (*groups[:at], _SET_OF[won.size, False, won.outside], *groups[at + 1 :])


def _han_of_sets(held: tuple[_Group, ...], *, value_pair: bool) -> int | None:
    """Han of the yaku that such sets cannot avoid; None for a yakuman, which has no fu."""
    equal = [group for group in held if group.size]
    concealed = sum([group.concealed for group in equal])
    quads = sum([group.size == 4 for group in equal])
    if _SETS in (concealed, quads):  # suuankou, suukantsu
        return None
    toitoi = len(equal) == _SETS
    honroutou = toitoi and value_pair and all(group.outside for group in equal)
    return 2 * (toitoi + honroutou + (concealed == 3) + (quads == 3))  # sanankou, sankantsu


def _rounded(fu: int, *, closed: bool, self_drawn: bool, pinfu: bool) -> int:
    if self_drawn:
        fu += 0 if pinfu else _FU["self_draw"]
    elif closed:
        fu += _FU["closed_ron"]
    return -(-(_FU["base"] + (fu if fu or closed else _FU["open_pinfu"])) // 10) * 10
