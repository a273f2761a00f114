"""Which fans of a hand count: the cross-table, and the principle that no set is combined twice.

Each combination of groups after the first must bring in a new group and may share only one with those before it
(document 003, rules of combination). The chosen combinations are links between groups that never close a ring
(S-MCR-15). Kongs need no rule of their own: the cross-table drops the smaller kong fans exactly as Novikov's method
does (S-MCR-10). Sources: scoring/sources.md.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product
from typing import Final

from tilescore.scoring.context import Context
from tilescore.scoring.hand import Hand
from tilescore.scoring.mcr.fans import FANS
from tilescore.scoring.mcr.registry import NOT, ONCE, About, Fan, Match, Matches, patterns
from tilescore.scoring.mcr.view import WAIT, View, offers
from tilescore.scoring.shapes.view import views
from tilescore.scoring.shapes.waiting import has_one_wait
from tilescore.scoring.tiles import Tile

CHICKEN_HAND: Final = next(fan for fan in FANS if fan.key == "mcr.chicken_hand")
FLOWER_TILES: Final = FANS[-1]
_PLACE_OF: Final = {fan.number: fan.place for fan in FANS}
_STOPS: Final = tuple(
    sum(1 << _PLACE_OF[number] for number in (*fan.absorbs, *fan.bars, *fan.never_with)) for fan in FANS
)
"""For each fan, as bits, the junior fans that do not count beside it."""
_OF_ANY_SPLIT: Final = frozenset((About.HAND, About.WIN))
_OF_A_SPLIT: Final = frozenset((About.SPLIT, About.GROUPS))
_COMBINING: Final = frozenset(fan.place for fan in FANS if fan.combines_groups)
_BIG_THREE_WINDS: Final = _PLACE_OF["38"]
_TERMINALS_OR_HONORS: Final = _PLACE_OF["73"]
"""Big Three Winds implies the pungs of its winds, but not a pung of terminals beside them (S-MCR-22)."""
_LARGE: Final = 3
"""Combinations of this many groups or more are chosen before those of two."""

Found = dict[int, "Matches"]
"""All matches in the hand, by the place of their fan."""
Link = tuple[int, "Match", int]
"""Place of a fan and the groups that it joins, the latter as bits, too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedFans:
    """The count of a hand in one split."""

    view: View  # the split
    tiles: tuple[tuple[Tile, ...], ...]  # the tiles of its groups
    kept: tuple[tuple[Fan, Matches], ...]  # what counts, in rule-book order, each with the groups that make it
    # fans that the hand shows but that do not count, each with the fan that excludes it
    dropped: tuple[tuple[Fan, Fan], ...]
    total: int  # the points of what counts

    @property
    def flowers(self) -> int:
        """Points that do not help to reach the minimum."""
        return sum(len(matches) for fan, matches in self.kept if fan is FLOWER_TILES)


def best_count(hand: Hand, context: Context) -> CountedFans | None:
    """The most valuable count over all splits of a hand; None for an incomplete hand."""
    ways = views(hand, context, by_discard=not context.self_drawn)
    if not ways:
        return None
    waits = WAIT * (any(view.wait for view in ways) and has_one_wait(hand))
    common = _found(ways[0], _OF_ANY_SPLIT, waits)
    counts = [_count(view, common, waits) for view in ways]
    best = max(counts, key=lambda counted: counted[2])
    return _explained(*best)


def _found(view: View, about: frozenset[About], waits: int) -> Found:
    found: Found = {}
    for place, find in _looked_for(about, offers(view) | waits):
        matches = find(view)
        if matches:
            found[place] = matches
    return found


@lru_cache(maxsize=4096)
def _looked_for(about: frozenset[About], offered: int) -> tuple[tuple[int, Callable[[View], Matches]], ...]:
    """Place and function of the fans about this that a hand can have which offers so much."""
    return tuple((fan.place, fan.find) for fan in FANS if fan.about in about and not fan.needs & ~offered)


def _count(view: View, common: Found, waits: int) -> tuple[View, Found, int, Found]:
    """The view, the fans that count, their points, and all fans that the view shows."""
    found = common | _found(view, _OF_A_SPLIT, waits)
    for about, tiles, groups in ((About.CHOWS, view.chows, view.chow_at), (About.PUNGS, view.pungs, view.pung_at)):
        for place, matches in patterns(about, tiles):
            found[place] = tuple([tuple([groups[position] for position in match]) for match in matches])
    kept = _without_repeats(_allowed(found))
    total = sum([FANS[place].value * len(matches) for place, matches in kept.items()])
    if total == len(kept.get(FLOWER_TILES.place, NOT)):
        kept[CHICKEN_HAND.place] = ONCE
        total += CHICKEN_HAND.value
    return view, kept, total, found


def _allowed(found: Found) -> Found:
    """The fans that no counting senior fan excludes."""
    kept: Found = {}
    stopped = 0
    for place in sorted(found):
        if not stopped >> place & 1:
            kept[place] = found[place]
            stopped |= _STOPS[place]
    if _BIG_THREE_WINDS in kept and _TERMINALS_OR_HONORS in kept:
        winds = {group for match in kept[_BIG_THREE_WINDS] for group in match}
        others = tuple([match for match in kept.pop(_TERMINALS_OR_HONORS) if winds.isdisjoint(match)])
        if others:
            kept[_TERMINALS_OR_HONORS] = others
    return kept


def _without_repeats(allowed: Found) -> Found:
    """The allowed fans without the combinations that the non-repeat principle forbids."""
    combining = [place for place in allowed if place in _COMBINING]
    if not combining:
        return allowed
    large = [place for place in combining if FANS[place].size >= _LARGE]
    links = [(place, match, _bits(match)) for place in combining if FANS[place].size == 2 for match in allowed[place]]
    chosen: tuple[Match, ...] = ()
    most: tuple[Link, ...] = ()
    for joined in product(*[allowed[place] for place in large]):
        subset = _most_links(tuple(map(_bits, joined)), links)
        if not chosen or len(subset) > len(most):
            chosen, most = joined, subset
    kept = {place: matches for place, matches in allowed.items() if place not in _COMBINING}
    kept |= {place: (match,) for place, match in zip(large, chosen, strict=True)}
    for place, match, _ in most:
        kept[place] = (*kept.get(place, ()), match)
    return kept


def _bits(match: Match) -> int:
    return sum([1 << group for group in match])


def _most_links(joined: tuple[int, ...], links: list[Link]) -> tuple[Link, ...]:
    """The largest choice of combinations of two that closes no ring with `joined`; of equal choices the senior."""
    for size in range(min(len(links), _LARGE), 0, -1):
        for subset in combinations(links, size):
            if _closes_no_ring(joined, subset):
                return subset
    return ()


def _closes_no_ring(joined: tuple[int, ...], links: tuple[Link, ...]) -> bool:
    parts = joined
    for _, _, groups in links:
        touched = [part for part in parts if part & groups]
        merged = groups
        for part in touched:
            if not groups & ~part:
                return False
            merged |= part
        parts = (*[part for part in parts if not part & groups], merged)
    return True


def _explained(view: View, kept: Found, total: int, found: Found) -> CountedFans:
    counting = sorted(kept)
    lost = sorted(found.keys() - kept.keys())
    return CountedFans(
        view=view,
        tiles=view.tiles,
        kept=tuple([(FANS[place], kept[place]) for place in counting]),
        dropped=tuple([(FANS[place], FANS[_reason(place, found[place], kept, counting)]) for place in lost]),
        total=total,
    )


def _reason(place: int, matches: Matches, kept: Found, counting: list[int]) -> int:
    """The counting fan that excludes this one: a senior by the table, else one that uses its groups."""
    for senior in counting:
        if _STOPS[senior] >> place & 1:
            return senior
    return next(_users(matches, kept))


def _users(matches: Matches, kept: Mapping[int, Matches]) -> Iterator[int]:
    groups = {group for match in matches for group in match}
    used = ((place, match) for place in sorted(_COMBINING.intersection(kept)) for match in kept[place])
    return (place for place, match in used if groups.intersection(match))
