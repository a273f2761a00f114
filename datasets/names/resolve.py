"""Chooses what all names of a list mean, together.

One name alone is often ambiguous: `s1` is bamboo beside `m1 p1`, and spring beside `b1 c1 d1`. The list decides. Every
ambiguous word is a variable, and so is the order in which the list counts its honours and flowers. An assignment of all
variables has a cost in nats: unlikely meanings, names that cannot be read, two names for one tile, families with gaps,
missing suits, and suits whose initials come from two languages. A beam search finds the best assignments, and one more
hypothesis says that the list names no mahjong tiles. A meaning is sure if nearly the whole weight of all assignments
agrees on it; otherwise a person has to say.

>>> [str(c.tile) for c in propose(["b1", "c1", "d1", "s1", "b2", "c2", "d2", "s2"])][3]
'1q'
>>> [(c.tile, c.sure) for c in propose(["red", "blue", "green"])]
[(None, False), (None, False), (None, False)]
"""

import math
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping, Sequence
from functools import lru_cache
from typing import Final

from tilescore.datasets.labels import CLASS_NAMES, UNKNOWN, ClassName
from tilescore.datasets.names.grammar import (
    BONUS_ORDER,
    DRAGON,
    FLOWER,
    GROUP_BASE,
    HONOUR,
    ORDERS,
    SUIT_BASE,
    NameReading,
    readings,
)
from tilescore.datasets.names.other_games import other_game
from tilescore.datasets.names.others import Meaning, compared
from tilescore.datasets.names.tokens import Token, tokens
from tilescore.scoring.tiles import PLAYING_TILES, Tile

# Costs in nats and limits of the search, chosen on the lists of public sets.

_SURE: Final = 0.97
"""A meaning is sure from this share of the weight on."""
_UNREAD: Final = 3.0
"""Cost of a name that an assignment cannot read although its words are known."""
_UNKNOWN: Final = 1.0
"""Cost of a name without any reading."""
_SAME_TILE: Final = 2.0
"""Cost of a tile with several names."""
_GAP: Final = (1.0, 0.5, 3.0)
"""Cost of a family with gaps, and of each missing tile, up to the last value."""
_BONUS_GAP: Final = 1.2
"""Cost of each missing tile in a family of flowers or seasons."""
_MOST_GAPS: Final = 1.0
"""The gaps of all families together cost at most this for each name: a short list has gaps anyway."""
_MISSING_SUIT: Final = 1.0
"""Cost of a suit that no name mentions."""
_MIXED_LANGUAGES: Final = 5.0
"""Cost of each further language among the suits."""
_OTHER_MEANING: Final = (5.0, 0.7, 3.0)
"""Cost of a word of unknown meaning, of each name that loses its reading by that, and of each such name of ours."""
_FROM_ZERO: Final = 4.0
"""Cost of a list that counts from 0."""
_RARE_ORDER: Final = 5.0
"""Cost of an order of honours or flowers that contradicts the style of the list."""
_SEASONS_AS_FLOWERS: Final = 1.0
"""Cost of numbers 1 to 4 after "flower" that mean the seasons."""
_EIGHT_FLOWERS: Final = 1.5
"""Cost of numbers 1 to 8 in a list that does not need them."""
_NO_MAHJONG: Final = 3.0
"""Cost of a list that names no mahjong tiles at all."""
_OWN_TEXT: Final = 10.0
"""Surprise of a name that is exactly ours, such as `5m`, in a list of other things."""
_CARD_NAME: Final = 0.5
"""Surprise of a name in a list of playing cards."""
_OWN_NAMES: Final = 9
"""From this number of names that are exactly ours, the list follows our order."""
_LEAST_DECORATED: Final = 3
"""An unknown word means nothing if it stands in at least so many names."""
_BEAM: Final = 64
"""Number of assignments that the search keeps."""
_OTHER: Final = "something else"
"""The meaning of a word that an assignment leaves open."""
_FAMILIES: Final = (
    *(frozenset(Tile(suit, rank) for rank in range(1, 10)) for suit in "mps"),
    frozenset(Tile("z", rank) for rank in range(1, 5)),
    frozenset(Tile("z", rank) for rank in range(5, 8)),
    *(frozenset(Tile(suit, rank) for rank in range(1, 5)) for suit in "fq"),
)
"""Tiles of which a list names all or none, as a rule."""
_VARIANT: Final = re.compile(r"(.+)[-_ .]([a-z])")
"""A name with a letter for a variant of its picture, such as `f1-s` beside `f1`."""
_CARD: Final = re.compile(r"(?:10|[2-9jqkat])[cdhs]|[cdhs](?:10|[2-9jqkat])", re.IGNORECASE)
"""A playing card, such as `10h`."""

Assignment = dict[str, Hashable]
_FROM_ZERO_CHOICES: Final = frozenset({(SUIT_BASE, 0), (GROUP_BASE, 0)})
"""What a list chooses that counts from 0."""
_NOTHING: Final[Meaning] = (None, False, ())


def propose(names: Sequence[str], counts: Mapping[str, int] | None = None) -> tuple[ClassName, ...]:
    """What each name of a list means, with the number of its labels.

    The names stand in the order of their numbers. One that begins with UNKNOWN stays open: it was open in the set from
    which it was copied.
    """
    counts = counts or {}
    distinct = list(dict.fromkeys(names))
    chosen = _meanings(tuple(name for name in distinct if not name.startswith(UNKNOWN)))
    chosen = dict.fromkeys(distinct, _NOTHING) | chosen
    plain = _super_category(distinct, chosen)
    spelt = Counter((name.casefold(), chosen[name][0]) for name in distinct)
    classes: list[ClassName] = []
    for name in distinct:
        tile, sure, candidates = chosen[name]
        if name == plain:
            tile, sure, candidates = None, True, ()
        elif tile is not None and spelt[name.casefold(), tile] > 1:  # a case alone tells two things apart: which?
            tile, sure, candidates = None, False, (str(tile),)
        classes.append(ClassName(name, None if tile is None else str(tile), sure, counts.get(name, 0), candidates))
    return tuple(classes)


@lru_cache(maxsize=64)
def _meanings(names: tuple[str, ...]) -> dict[str, Meaning]:
    """The search among all meanings of a list takes tenths of a second, and a set is read more than once."""
    first = {name[:1] for name in names}
    if all(name in CLASS_NAMES for name in names) and not ("0" in first and "9" not in first):  # suits may count from 0
        return {name: (Tile.parse(name), True, ()) for name in names}  # as Tilescore writes what the pictures show
    meanings = _List(names).meanings()
    if other_game(names):  # a deck offers no tile
        return {name: (tile, sure, ()) for name, (tile, sure, _) in meanings.items()}
    return meanings


def _super_category(names: Sequence[str], chosen: Mapping[str, Meaning]) -> str:
    """The bare number that Roboflow puts before a complete list: its super category."""
    tiles = {tile for tile, sure, _ in chosen.values() if sure}
    numbers = [name for name in names if name.isdigit()]
    return numbers[0] if numbers == ["0"] and tiles >= set(PLAYING_TILES) else ""


class _List:
    def __init__(self, names: Sequence[str]) -> None:
        self._names = names
        keep_case = len({name.casefold() for name in names}) < len(names)
        words = {name: tokens(name, keep_case=keep_case) for name in names}
        decorations = self._decorations(words)
        self._readings = {name: readings(words[name], decorations=decorations) for name in names}
        self._own = {name for name in names if unicodedata.normalize("NFKC", name) in CLASS_NAMES}
        self._variants = self._variants_of()
        self._domains = self._domains_of(words)
        self._counted = [name for name in names if name not in self._variants]

    def _decorations(self, words: Mapping[str, tuple[Token, ...]]) -> frozenset[str]:
        """Unknown words that stand in several names, such as `noble` in `noble_east`."""
        unknown = Counter(text for word in words.values() for text in {t.text for t in word if not t.meanings})
        return frozenset(text for text, count in unknown.items() if count >= _LEAST_DECORATED)

    def _variants_of(self) -> dict[str, str]:
        """Names that say no more than another one, by the name of which they are a variant."""
        variants: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for name in self._names:
            match = _VARIANT.fullmatch(name)
            if match and self._tiles(match[1]) >= self._tiles(name) and self._tiles(match[1]):
                variants[match[2]].append((name, match[1]))
        return {
            name: stem
            for pairs in variants.values() if len(pairs) >= _LEAST_DECORATED
            for name, stem in pairs
        }  # fmt: skip

    def _tiles(self, name: str) -> set[Tile | None]:
        return {reading.tile for reading in self._readings.get(name, ())}

    def _domains_of(self, words: Mapping[str, tuple[Token, ...]]) -> dict[str, list[tuple[Hashable, float]]]:
        """The possible values of each variable that a reading rests on, with their costs."""
        used = Counter(variable for readings in self._readings.values() for r in readings for variable, _ in r.choices)
        domains: dict[str, list[tuple[Hashable, float]]] = {}
        for token in (token for word in words.values() for token in word):
            if token.is_choice and token.variable in used and token.variable not in domains:
                alive = {value for readings in self._readings.values() for r in readings
                         for variable, value in r.choices if variable == token.variable}  # fmt: skip
                domains[token.variable] = [(atom, cost) for atom, cost in token.meanings if atom in alive]
                if token.is_initial or not token.ranked:
                    domains[token.variable].append((_OTHER, _OTHER_MEANING[0]))
        from_zero = any(atom.kind == "rank" and atom.value == "0" for word in words.values() for t in word
                        for atom, _ in t.meanings)  # fmt: skip
        follows_us = len(self._own) >= _OWN_NAMES
        first: list[tuple[Hashable, float]] = [(1, 0.0), (0, _FROM_ZERO)] if from_zero else [(1, 0.0)]
        orders: dict[str, list[tuple[Hashable, float]]] = {
            SUIT_BASE: first,
            GROUP_BASE: first,
            BONUS_ORDER: [("", 0.0), *((order, _EIGHT_FLOWERS) for order in ORDERS[BONUS_ORDER])],
            FLOWER: [("flowers", 0.0), ("seasons", _RARE_ORDER if follows_us else _SEASONS_AS_FLOWERS)],
            DRAGON: [(order, 0.0) for order in ORDERS[DRAGON]],
            HONOUR: [(order, 0.0) for order in ORDERS[HONOUR]],
        }
        domains |= {variable: values for variable, values in orders.items() if variable in used}
        return dict(sorted(domains.items(), key=lambda item: -used[item[0]]))

    def meanings(self) -> dict[str, Meaning]:
        """The tile of each name, whether that is sure, and the tiles that it may be, the likeliest first."""
        best = self._assignments()
        floor = min(cost for cost, _ in best)
        weighed = [(math.exp(floor - cost), assignment) for cost, assignment in best]
        no_mahjong = math.exp(min(floor - self._cost_of_other_things(), 700.0))
        total = no_mahjong + sum(weight for weight, _ in weighed)
        decided: dict[str, Meaning] = {}
        for name in self._counted:
            shares: dict[Tile | str | None, float] = defaultdict(float)
            for weight, assignment in weighed:
                reading = self._read(name, assignment)
                shares[_OTHER if reading is None else reading.tile] += weight / total
            decided[name] = self._decided(shares)
        decided = compared(decided)
        decided |= self._doubted(decided)
        return decided | {name: decided[stem] for name, stem in self._variants.items()}

    def _doubted(self, decided: Mapping[str, Meaning]) -> dict[str, Meaning]:
        """The names that may be another tile than one that a name of ours has too: `S1` beside `1s`."""
        ours = {tile for name, (tile, sure, _) in decided.items() if sure and name in self._own}
        doubted: dict[str, Meaning] = {}
        for name, (tile, sure, _) in decided.items():
            if sure and tile in ours and name not in self._own:
                tiles = {str(reading.tile) for reading in self._readings[name]
                         if reading.tile is not None and not reading.choices & _FROM_ZERO_CHOICES}  # fmt: skip
                if len(tiles) > 1:
                    doubted[name] = None, False, (*sorted(tiles - {str(tile)}), str(tile))
        return doubted

    def _decided(self, shares: Mapping[Tile | str | None, float]) -> Meaning:
        ordered = sorted(shares, key=lambda meaning: -shares[meaning])
        first = ordered[0]
        if not isinstance(first, str) and shares[first] >= _SURE:
            return first, True, ()
        return None, False, tuple(str(meaning) for meaning in ordered if isinstance(meaning, Tile))

    def _assignments(self) -> list[tuple[float, Assignment]]:
        beam: list[tuple[float, Assignment]] = [(0.0, {})]
        for variable, values in self._domains.items():
            wider = [assignment | {variable: value} for _, assignment in beam for value, _ in values]
            scored = sorted(((self._cost(assignment), assignment) for assignment in wider), key=lambda pair: pair[0])
            beam = scored[:_BEAM]
        return beam if self._domains else [(self._cost({}), {})]

    def _read(self, name: str, assignment: Assignment) -> NameReading | None:
        for reading in self._readings[name]:
            for variable, value in reading.choices:  # most of the search happens here: `all` takes twice as long
                if assignment.get(variable) != value:
                    break
            else:
                return reading
        return None

    def _cost(self, assignment: Assignment) -> float:
        """The cost of an assignment; a name counts as soon as all of its variables are assigned."""
        cost = sum(dict(self._domains[variable])[value] for variable, value in assignment.items())
        tiles: Counter[Tile] = Counter()
        languages: set[str] = set()
        initials: set[str] = set()
        for name in self._counted:
            readings = self._readings[name]
            reading = self._read(name, assignment)
            if reading is not None:
                languages |= reading.languages
                initials |= reading.initials
                if reading.tile is not None:
                    tiles[reading.tile] += 1
            elif not readings:
                cost += _UNKNOWN
            elif all(variable in assignment for r in readings for variable, _ in r.choices):
                open_word = any(assignment[variable] == _OTHER for r in readings for variable, _ in r.choices)
                cost += _OTHER_MEANING[1 + (name in self._own)] if open_word else _UNREAD
        cost += _SAME_TILE * sum(count > 1 for tile, count in tiles.items() if not tile.is_back)
        cost += self._cost_of_gaps(tiles)
        cost += _MISSING_SUIT * sum(not any(tile.suit == suit for tile in tiles) for suit in "mps")
        cost += _MIXED_LANGUAGES * max(0, len(initials) - 1)
        return cost + self._cost_of_order(assignment, languages)

    def _cost_of_gaps(self, tiles: Mapping[Tile, int]) -> float:
        """The cost of families of which the list names some tiles and not others."""
        base, a_rank, most = _GAP
        cost = 0.0
        for family in _FAMILIES:
            missing = len(family - tiles.keys())
            if 0 < missing < len(family):
                is_bonus = next(iter(family)).is_bonus
                cost += base + _BONUS_GAP * missing if is_bonus else min(base + a_rank * missing, most)
        return min(cost, _MOST_GAPS * len(self._counted))

    def _cost_of_order(self, assignment: Assignment, languages: set[str]) -> float:
        """The cost of counting the red dragon first: only Japanese lists and our own names settle the order."""
        if assignment.get(HONOUR) != "red first":
            return 0.0
        japanese = languages == {"ja"} or len(self._own) >= _OWN_NAMES
        return _RARE_ORDER if japanese else 0.0

    def _cost_of_other_things(self) -> float:
        """The cost of the hypothesis that the list names no mahjong tiles."""
        cost = _NO_MAHJONG
        readable = [name for name in self._counted if self._readings[name]]
        cards = all(_CARD.fullmatch(name) for name in readable)
        for name in self._counted:
            if cards:
                cost += _CARD_NAME
            elif name in self._own:
                cost += _OWN_TEXT
            elif self._readings[name]:
                cost += min(reading.surprise for reading in self._readings[name])
        return cost
