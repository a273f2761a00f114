"""Lists of names that do not name tiles: those of other games, and those that only say where tiles lie.

>>> other_game(["10h", "As", "Qd", "joker"])
'playing cards'
>>> sorted(places(["dots", "bamboo", "characters"])["dots"])[:2], places(["tile"])["tile"] == set(CLASS_NAMES)
(['0p', '1p'], True)
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from tilescore.datasets.labels import CLASS_NAMES
from tilescore.datasets.names.tokens import tokens
from tilescore.scoring.tiles import Tile

_RANK: Final = r"(?:10|[2-9jqkat]|ace|two|three|four|five|six|seven|eight|nine|ten|jack|queen|king)"
_COLOUR: Final = r"(?:red|yellow|green|blue)"
_PIECE: Final = r"(?:king|queen|rook|bishop|knight|pawn)"
_GAMES: Final = {
    "playing cards": rf"{_RANK} ?(?:of )?(?:[cdhs♣♦♥♠]|clubs?|diamonds?|hearts?|spades?)|[cdhs♣♦♥♠] ?{_RANK}|"
    r"clubs?|diamonds?|hearts?|spades?|(?:red |black |big |small )?joker",
    "dominoes": r"(?:domino )?\d{1,2} ?[x|:]? ?\d{1,2}|domino(?:es)?",
    "UNO": rf"{_COLOUR} (?:\d|skip|reverse|draw ?(?:2|two)|plus ?2)|(?:\d|skip|reverse|draw ?(?:2|two)) {_COLOUR}|"
    r"(?:wild|draw)(?: .*)?|uno",
    "chess": rf"(?:(?:white|black|w|b) ?)?{_PIECE}|{_PIECE} (?:white|black|w|b)|[wb] ?[kqrbnp]",
}
"""What the names of other games look like, in lower case and with spaces between words."""
_SHARE: Final = 0.8
"""So much of a list has to be of one game."""
_FEWEST: Final = 3
_GROUPS: Final = {"wind": "1z 2z 3z 4z", "dragon": "5z 6z 7z", "honour": "1z 2z 3z 4z 5z 6z 7z",
                  "flower": "1f 2f 3f 4f", "season": "1q 2q 3q 4q", "bonus": "1f 2f 3f 4f 1q 2q 3q 4q"}  # fmt: skip


def other_game(names: Sequence[str]) -> str:
    """The game that a list of names belongs to; empty if it is none that is known."""
    plain = [" ".join(re.split(r"[\W_]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name))).strip().lower() for name in names]
    for game, form in _GAMES.items():
        count = sum(re.fullmatch(form, name) is not None for name in plain)
        if count >= _FEWEST and count >= _SHARE * len(plain):
            return game
    return ""


def places(names: Sequence[str]) -> Mapping[str, frozenset[str]]:
    """The tiles that may lie under each name if no name says more than a suit or a group; empty if one does.

    One suit alone is no such list: `ball` is also something else.
    """
    tiles = {name: _tiles(name) for name in names}
    kinds = set(tiles.values())
    if not all(kinds) or (len(kinds) == 1 and frozenset(CLASS_NAMES) not in kinds):
        return {}
    return tiles


def _tiles(name: str) -> frozenset[str]:
    """The tiles under a name that says `tile`, a suit or a group and no more; empty for any other name."""
    allowed = frozenset(CLASS_NAMES)
    words = tokens(name)
    for word in words:
        atoms = [atom for atom, _ in word.meanings if atom.kind in ("filler", "suit", "group") and not atom.is_initial]
        if not atoms:
            return frozenset()
        if atoms[0].kind == "suit":
            allowed &= {tile for tile in CLASS_NAMES if Tile.parse(tile).suit == atoms[0].value}
        elif atoms[0].value in _GROUPS:
            allowed &= set(_GROUPS[atoms[0].value].split())
    return allowed if words else frozenset()
