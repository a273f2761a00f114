"""What the other names of a list say about a name that its own words leave open.

Nine names are left and one suit is: they are that suit. Three further names for the fives are the red fives. Of two
names for one tile, one that says more than its words mean is asked for.
"""

from collections import defaultdict
from collections.abc import Mapping
from typing import Final

from tilescore.datasets.names.tokens import tokens
from tilescore.scoring.tiles import Tile

Meaning = tuple[Tile | None, bool, tuple[str, ...]]
"""A tile, whether that is sure, and the tiles that it may be, the likeliest first."""

_SUITS: Final = "mps"


def compared(chosen: Mapping[str, Meaning]) -> dict[str, Meaning]:
    """The meanings of a list after a look at the other names: tile, whether that is sure, tiles that it may be."""
    meanings = dict(chosen)
    meanings |= {name: (tile, True, ()) for name, tile in _red_fives(meanings).items()}
    meanings |= {name: (tile, True, ()) for name, tile in _last_suit(meanings).items()}
    return meanings | {name: (None, False, (str(meanings[name][0]),)) for name in _strange(meanings)}


def _sure(chosen: Mapping[str, Meaning]) -> dict[Tile, list[str]]:
    names: dict[Tile, list[str]] = defaultdict(list)
    for name, (tile, sure, _) in chosen.items():
        if sure and tile is not None and not tile.is_back:
            names[tile].append(name)
    return names


def _red_fives(chosen: Mapping[str, Meaning]) -> dict[str, Tile]:
    """The names that put the same addition before or behind the names of all three fives, and of no other tile."""
    named = _sure(chosen)
    if any(Tile(suit, 0) in named for suit in _SUITS):
        return {}
    added: dict[tuple[str, bool], dict[Tile, str]] = defaultdict(dict)
    for tile, plain in ((tile, plain) for tile, names in named.items() for plain in names):
        for name in chosen:
            if name != plain and name.endswith(plain):
                added[name.removesuffix(plain), True][tile] = name
            elif name != plain and name.startswith(plain):
                added[name.removeprefix(plain), False][tile] = name
    fives = {Tile(suit, 5) for suit in _SUITS}
    triples = [reds for (addition, _), reds in added.items() if reds.keys() == fives and not addition[-1:].isdigit()]
    return {name: Tile(tile.suit, 0) for tile, name in triples[0].items()} if len(triples) == 1 else {}


def _last_suit(chosen: Mapping[str, Meaning]) -> dict[str, Tile]:
    """The only nine open names with the same words and the numbers 1 to 9, where one suit is left and two are whole."""
    named = _sure(chosen)
    whole = [suit for suit in _SUITS if all(Tile(suit, rank) in named for rank in range(1, 10))]
    left = [suit for suit in _SUITS if not any(tile.suit == suit for tile in named)]
    if len(whole) != 2 or len(left) != 1:
        return {}
    groups: dict[tuple[str, ...], dict[int, str]] = defaultdict(dict)
    for name, (tile, sure, _) in chosen.items():
        if not sure and tile is None:
            words, rank = parted(name)
            if rank:
                groups[words][rank] = name
    nines = [group for group in groups.values() if group.keys() == set(range(1, 10))]
    return {name: Tile(left[0], rank) for rank, name in nines[0].items()} if len(nines) == 1 else {}


def parted(name: str) -> tuple[tuple[str, ...], int]:
    """The words of a name without its number, and the number from 1 to 9; 0 if it has none, or several.

    >>> parted("Van_03"), parted("dot")
    ((('van',), 3), (('dot',), 0))
    """
    ranks = {word.text: int(atom.value) for word in tokens(name) for atom, _ in word.meanings if atom.kind == "rank"}
    fillers = {word.text for word in tokens(name) if {atom.kind for atom, _ in word.meanings} == {"filler"}}
    words = tuple(word.text for word in tokens(name) if word.text not in {*ranks, *fillers})
    return words, next(iter(ranks.values())) if len(ranks) == 1 else 0


def _strange(chosen: Mapping[str, Meaning]) -> list[str]:
    """Names of tiles with several names, that hold an unknown word or the same word twice."""
    strange = []
    for name in (name for names in _sure(chosen).values() if len(names) > 1 for name in names):
        words = tokens(name)
        if any(not word.meanings for word in words) or len({word.text for word in words}) < len(words):
            strange.append(name)
    return strange
