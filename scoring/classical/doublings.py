"""Tables of the doublings of the classical and the simplified rules; a few multiply by another factor than two.

Source: document 000, sections V and VIII; document 001, counting and winner's doublings; see scoring/sources.md.
"""

from collections.abc import Callable, Collection
from dataclasses import KW_ONLY, dataclass
from functools import partial
from typing import Final

from tilescore.scoring.classical.counted_hand import View, all_pungs, pairs
from tilescore.scoring.classical.points import POINTS_OF, pair_keys
from tilescore.scoring.context import Occasion
from tilescore.scoring.plausibility import holds_the_others_open
from tilescore.scoring.shapes.winning import ORPHANS, Shape
from tilescore.scoring.tiles import Tile

Found = tuple[tuple[Tile, ...], ...]
"""The tiles of each instance that counts; `WITHOUT_TILES` for a doubling about the whole hand or the win."""
WITHOUT_TILES: Final[Found] = ((),)
NOT_FOUND: Final[Found] = ()
MISERE: Final = "misere"


@dataclass(frozen=True, slots=True)
class Doubling:
    """One doubling."""

    key: str  # its name without the ruleset
    text: str  # one English sentence
    find: Callable[[View], Found]  # finds its instances in a hand
    factor: int = 2  # multiplier of each instance
    _: KW_ONLY
    winner_only: bool = False  # whether it counts in a winning hand only
    yields_to: tuple[str, ...] = ()  # keys of doublings that replace it where their tiles include its tiles
    # gives the key of what alone keeps a hand from this doubling, else None
    spoiled: Callable[[View], str | None] | None = None


_of_winner: Final = partial(Doubling, winner_only=True)


def _sets(view: View, counts: Callable[[Tile], bool]) -> Found:
    return tuple(view.groups[at].tiles for tile, at in zip(view.pungs, view.pung_at, strict=True) if counts(tile))


def _if(holds: bool) -> Found:  # noqa: FBT001  (reads well in the tables: `_if(...)`)
    return WITHOUT_TILES if holds else NOT_FOUND


def _on(occasion: Occasion) -> Callable[[View], Found]:
    return lambda view: _if(view.context.has(occasion))


def _bonus(suit: str, seat: str) -> Callable[[View], Found]:
    def find(view: View) -> Found:
        tile = Tile(suit, getattr(view.context, seat).number)
        return ((tile,),) if tile in view.hand.bonus else NOT_FOUND

    return find


def _bouquet(suit: str) -> Callable[[View], Found]:
    def find(view: View) -> Found:
        family = tuple(sorted(tile for tile in view.hand.bonus if tile.suit == suit))
        return (family,) if len(family) == 4 else NOT_FOUND

    return find


def three_winds(view: View) -> Found:
    """Three wind sets and a pair of the fourth wind."""
    return _sets_and_pair(view, 3, lambda tile: tile.is_wind)


def two_dragons(view: View) -> Found:
    """Two dragon sets and a pair of the third dragon."""
    return _sets_and_pair(view, 2, lambda tile: tile.is_dragon)


def _sets_and_pair(view: View, count: int, counts: Callable[[Tile], bool]) -> Found:
    sets = _sets(view, counts)
    pair = next((pair for pair in pairs(view) if counts(pair[0])), ())
    return (sum(sets, ()) + pair,) if len(sets) == count and pair else NOT_FOUND


def misere(valued: Collection[str]) -> Doubling:
    """The doubling of a hand without points; a pair spoils it whose line of points is among the `valued` (S-CLA-10)."""

    def pair(view: View) -> str | None:
        """Key of the points of the pair in a hand of chows."""
        if view.shape is not Shape.STANDARD or view.pungs:
            return None
        return next((key for key in pair_keys(pairs(view)[0][0], view) if key in valued), None)

    return _of_winner(
        MISERE,
        "No points: chows only and a pair worth nothing; points of the win and flowers do not spoil it.",
        lambda view: _if(view.shape is Shape.STANDARD and not view.pungs and pair(view) is None),
        spoiled=pair,
    )


def terminals_everywhere(view: View) -> bool:
    """Whether each set and the pair hold a one, a nine or an honour."""
    return view.shape is Shape.STANDARD and all(group.is_outside for group in view.groups)


def pure_doublings(factor: int, *, losers: bool) -> tuple[Doubling, ...]:
    """Doublings for what all tiles of a hand are; one suit alone and honours alone multiply by `factor` (S-CLA-7)."""
    doubling = Doubling if losers else _of_winner
    return (
        doubling(
            "one_suit_honors", "One suit with winds or dragons.", lambda view: _if(view.suits == 1 and view.honors)
        ),
        doubling(
            "one_suit",
            "One suit without winds and dragons.",
            lambda view: _if(view.suits == 1 and not view.honors),
            factor,
        ),
        doubling(
            "terminals_honors",
            "Only ones, nines, winds and dragons; not beside winds and dragons alone.",
            lambda view: _if(not view.kinds & ~ORPHANS),
            yields_to=("honors_only",),
        ),
        doubling("honors_only", "Only winds and dragons.", lambda view: _if(not view.suits), factor),
    )


SET_DOUBLINGS: Final = (
    Doubling("dragon_set", "Each pung or kong of dragons.", lambda view: _sets(view, lambda tile: tile.is_dragon)),
    Doubling(
        "own_wind_set",
        "A pung or kong of the player's own wind.",
        lambda view: _sets(view, lambda tile: tile == view.context.seat.wind),
    ),
    Doubling(
        "round_wind_set",
        "A pung or kong of the wind of the round.",
        lambda view: _sets(view, lambda tile: tile == view.context.round.wind),
    ),
)


def own_bonus(*, bouquets: tuple[str, ...] = ()) -> tuple[Doubling, ...]:
    """Doublings for the own flower and season; `bouquets` are keys to which they yield, of flowers and of seasons."""
    flowers, seasons = bouquets[:1], bouquets[1:]
    return (
        Doubling("own_flower", "The flower of the player's seat.", _bonus("f", "seat"), yields_to=flowers),
        Doubling("own_season", "The season of the player's seat.", _bonus("q", "seat"), yields_to=seasons),
    )


BOUQUETS: Final = (
    Doubling("all_flowers", "All four flowers.", _bouquet("f"), 4),
    Doubling("all_seasons", "All four seasons.", _bouquet("q"), 4),
)
ROUND_BONUS: Final = (
    Doubling(
        "round_flower",
        "The flower of the wind of the round; one that is the player's own counts once.",
        _bonus("f", "round"),
        yields_to=("own_flower",),
    ),
    Doubling(
        "round_season",
        "The season of the wind of the round; one that is the player's own counts once.",
        _bonus("q", "round"),
        yields_to=("own_season",),
    ),
)


def winner_doublings(*, three_winds_factor: int) -> tuple[Doubling, ...]:
    """Doublings for the winner that documents 000 and 001 both list."""
    return (
        _of_winner("no_chows", "Pungs or kongs only, no chow.", lambda view: _if(all_pungs(view))),
        misere(POINTS_OF),
        _of_winner("loose_tile", "Won on a loose tile, after a kong or a flower.", _on(Occasion.KONG_REPLACEMENT)),
        _of_winner("last_tile", "Won on the last tile of the wall, drawn or thrown.", _on(Occasion.LAST_TILE)),
        _of_winner("robbed_kong", "Won by robbing an open kong.", _on(Occasion.ROBBING_KONG)),
        _of_winner("three_winds", "Three sets and a pair of winds.", three_winds, three_winds_factor),
        _of_winner("two_dragons", "Two sets and a pair of dragons.", two_dragons),
    )


READY_AT_ONCE: Final = _of_winner(
    "ready_at_once", "Ready hand declared at once and kept.", _on(Occasion.READY_FROM_START)
)
SIMPLIFIED_WINNER_DOUBLINGS: Final = (
    _of_winner(
        "terminals_everywhere",
        "A one, a nine or an honour in every set and in the pair.",
        lambda view: _if(terminals_everywhere(view)),
    ),
    _of_winner(
        "concealed_hand",
        "No claimed set; a win on a discard counts.",
        lambda view: _if(view.shape is not None and not view.hand.exposed_melds),
    ),
    _of_winner("two_or_three_kongs", "Two or three declared kongs.", lambda view: _if(len(view.kong_at) in (2, 3))),
    _of_winner(
        "last_of_its_kind",
        "Won on a tile whose three others lie open.",
        lambda view: _if(view.context.has(Occasion.LAST_OF_ITS_KIND) or holds_the_others_open(view.hand)),
    ),
)
