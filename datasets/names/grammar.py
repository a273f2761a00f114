"""Reads one class name in every way that its words allow.

A reading is a tile together with the choices that it rests on: the meaning of each word with several meanings, the
order in which a list counts honours or flowers, and whether it counts from 0.

>>> from tilescore.datasets.names.tokens import tokens
>>> sorted({str(reading.tile) for reading in readings(tokens("s1"))})
['1q', '1s', '2q', '2s']
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Final

from tilescore.datasets.names.tokens import Token
from tilescore.datasets.names.vocabulary import Atom
from tilescore.scoring.tiles import Tile

NameChoice = tuple[str, object]
"""A choice for the whole list: its name, and what was chosen."""
_Choices = tuple[Tile | None, tuple[NameChoice, ...]]
"""A tile, or None for no tile, and the choices that it rests on."""
_MOST_COMBINATIONS: Final = 512
"""A name whose words have more combinations of meanings than this is not read."""
HONOUR: Final = "order of the honours"
DRAGON: Final = "order of the dragons"
FLOWER: Final = "what flower 1 to 4 means"
BONUS_ORDER: Final = "order of flowers and seasons"
SUIT_BASE: Final = "first number of the suits"
GROUP_BASE: Final = "first number of the groups"
ORDERS: Final = {
    HONOUR: ("white first", "red first"),
    DRAGON: ("white first", "red first", "green first"),
    FLOWER: ("flowers", "seasons"),
    BONUS_ORDER: ("flowers first", "seasons first"),
    SUIT_BASE: (1, 0),
    GROUP_BASE: (1, 0),
}
"""What a list can choose beside the meanings of words."""
_DRAGONS: Final = {"white first": "567", "red first": "765", "green first": "675"}


@dataclass(frozen=True, slots=True)
class NameReading:
    """One way to read a name: a tile, or None for a name that says that it is no tile."""

    tile: Tile | None
    choices: frozenset[NameChoice] = field(default_factory=frozenset)  # what has to be chosen for the whole list
    surprise: float = 0.0  # how unlikely (nats) such words are in a list of other things
    languages: frozenset[str] = field(default_factory=frozenset)  # languages of the suits in the name
    initials: frozenset[str] = field(default_factory=frozenset)  # languages of the suits that are written as initials


def readings(words: Sequence[Token], *, decorations: frozenset[str] = frozenset()) -> tuple[NameReading, ...]:
    """All readings of a name of these words; decorations are unknown words that mean nothing in the list."""
    words = [word for word in words if word.text not in decorations]
    count = 1
    for word in words:
        count *= len(word.meanings)
    if not words or not count or count > _MOST_COMBINATIONS:
        return ()
    distinct: dict[NameReading, None] = {}
    for combination in product(*(word.meanings for word in words)):
        atoms = [atom for atom, _ in combination]
        chosen = {(word.variable, atom) for word, atom in zip(words, atoms, strict=True) if word.is_choice}
        if len({text for text, _ in chosen}) < len(chosen):
            continue  # one word has two meanings within the name
        surprise = sum(atom.surprise for atom in atoms)
        suits = [atom for atom in atoms if atom.kind == "suit"]
        languages = frozenset(atom.language for atom in suits)
        initials = frozenset(atom.language for atom in suits if atom.is_initial)
        for tile, more in _tiles(atoms):
            distinct[NameReading(tile, frozenset(chosen | set(more)), surprise, languages, initials)] = None
    return tuple(distinct)


def _tiles(atoms: Sequence[Atom]) -> Iterator[_Choices]:
    """The tiles that words with these meanings name; none if they contradict one another."""
    said = {kind: {atom.value for atom in atoms if atom.kind == kind} for kind in _KINDS}
    present = {kind for kind, values in said.items() if values} - {"filler"}
    if not present or present == {"none"}:
        yield None, ()
    elif present == {"back"}:
        yield Tile("b", 0), ()
    elif not present & {"back", "none", "number"} and all(len(said[kind]) <= 1 for kind in _KINDS if kind != "group"):
        value = {kind: next(iter(said[kind]), "") for kind in _KINDS}
        yield from _named(value, frozenset(said["group"]), is_red=bool(said["red"]))


_KINDS: Final = ("suit", "rank", "honour", "flower", "season", "group", "red", "back", "none", "filler", "number")
_ALLOWED: Final = {
    "suit": {"suit"}, "honour": {"wind", "dragon", "honour"}, "flower": {"flower", "bonus"},
    "season": {"season", "flower", "bonus"},
}  # fmt: skip
"""Groups that may stand beside a word of each kind."""


def _named(value: dict[str, str], groups: frozenset[str], *, is_red: bool) -> Iterator[_Choices]:
    rank = int(value["rank"]) if value["rank"] else None
    names = [kind for kind in ("suit", "honour", "flower", "season") if value[kind]]
    if len(names) > 1 or (is_red and names != ["suit"]):
        return
    if not names:
        yield from _numbered(groups, rank)
        return
    kind = names[0]
    if groups - _ALLOWED[kind]:
        return
    if kind == "suit":
        if rank is not None:
            yield from _suited(value["suit"], rank, is_red=is_red)
        return
    number = int(value[kind])
    if kind == "honour":
        wrong = "dragon" if number <= 4 else "wind"
        counted = {number, number - 4} if groups else {number}
        if wrong not in groups and (rank is None or rank in counted):
            yield Tile("z", number), ()
    elif rank is None or rank in (number, number + 4):
        yield Tile("f" if kind == "flower" else "q", number), ()


def _suited(suit: str, rank: int, *, is_red: bool) -> Iterator[_Choices]:
    if is_red:
        if rank in (0, 5):
            yield Tile(suit, 0), ()
        return
    yield Tile(suit, rank), ((SUIT_BASE, 1),)
    if rank < 9:
        yield Tile(suit, rank + 1), ((SUIT_BASE, 0),)


def _numbered(groups: frozenset[str], rank: int | None) -> Iterator[_Choices]:
    """The tiles of a group with a number, such as `dragon 2`."""
    group = next(iter(groups)) if len(groups) == 1 else ""
    if groups in ({"bonus", "flower"}, {"bonus", "season"}):
        group = next(iter(groups - {"bonus"}))
    if rank is None or not group:
        return
    for first in ORDERS[GROUP_BASE]:
        number = rank + 1 - int(str(first))
        for tile, order in _of_group(group, number):
            yield tile, ((GROUP_BASE, first), *order)


def _of_group(group: str, number: int) -> Iterable[_Choices]:
    """The tiles with that number of a group, in every order in which a list may count them."""
    if group in ("wind", "honour") and 1 <= number <= 4:
        return [(Tile("z", number), ())]
    if group == "season" and 1 <= number <= 4:
        return [(Tile("q", number), ())]
    if group == "dragon" and 1 <= number <= 3:
        return _dragons(DRAGON, number)
    if group == "honour" and 5 <= number <= 7:
        return _dragons(HONOUR, number - 4)
    return _flowers(number, alone=group == "flower") if group in ("flower", "bonus") and 1 <= number <= 8 else ()


def _dragons(variable: str, number: int) -> Iterator[_Choices]:
    for order in ORDERS[variable]:
        yield Tile("z", int(_DRAGONS[str(order)][number - 1])), ((variable, order),)


def _flowers(number: int, *, alone: bool) -> Iterator[_Choices]:
    """Flowers and seasons counted together, or (alone) the four that a list calls flowers."""
    if alone and number <= 4:
        yield Tile("f", number), ((BONUS_ORDER, ""), (FLOWER, "flowers"))
        yield Tile("q", number), ((BONUS_ORDER, ""), (FLOWER, "seasons"))
    for order in ORDERS[BONUS_ORDER]:
        is_flower = (order == "flowers first") == (number <= 4)
        yield Tile("f" if is_flower else "q", (number - 1) % 4 + 1), ((BONUS_ORDER, order),)
