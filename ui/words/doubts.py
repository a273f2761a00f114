"""The open questions about a hand in words: the doubts of a reading, the tiles that a typed hand lacks."""

from typing import Final

from tilescore.scoring.hand import Hand
from tilescore.scoring.ruleset import RULESETS, ruleset
from tilescore.scoring.tiles import Tile
from tilescore.ui.words.text import listed, sentence, tile_name, words
from tilescore.vision.decoding.doubts import Doubt
from tilescore.vision.decoding.reading import Reading

_ASKED_ELSEWHERE: Final = ("winning_tile_unknown", "tile_count", "declared")
"""Doubts without a hint: the page asks for the winning tile and about open sets beside the score, and the rules say how
many tiles."""
_ANSWERED: Final = ("which_hand", "no_hand")
"""Doubts that one tap settles come first."""
_UNCLEAR: Final = "low_confidence"


def hint(reading: Reading, size: int, whole: int = Hand.SIZE) -> str | None:
    """One sentence about what the hand lacks before it can be scored; None if it lacks nothing.

    `size` is the number of tiles of the hand, a kong counted as three; `whole` that of a complete one.
    """
    about_hand = [d for d in reading.doubts if d.detection is None and d.code not in _ASKED_ELSEWHERE]
    first = next((d for code in _ANSWERED for d in about_hand if d.code == code), None)
    about_size = None if first or not size else _about_size(size, whole)
    return about_size or (words(f"hint.{(first or about_hand[0]).code}") if about_hand else None)


def count_words(size: int, whole: int) -> str:
    """What a hand of so many tiles lacks."""
    return words("hint.thirteen", n=size) if size == whole - 1 else words("hint.count", n=size, of=whole)


def about_tile(doubt: Doubt, face: Tile) -> str:
    """A question about one tile of a photo; `face` is the tile as the program reads it."""
    tile = tile_name(face)
    if not doubt.alternatives:
        code = f"{_UNCLEAR}_alone" if doubt.code == _UNCLEAR else doubt.code
        return sentence(words(f"doubt.{code}", tile=tile, others=""))
    others = listed(map(tile_name, doubt.alternatives), "doubt.or")
    return sentence(words(f"doubt.{doubt.code}", tile=tile, others=others))


def _about_size(size: int, whole: int) -> str | None:
    """What the number of tiles means under these rules; None for a whole hand."""
    if size == whole:
        return None
    other = next((name for name in RULESETS if ruleset(name).traits.size in (size, size + 1)), None)
    if other is not None and size > whole:
        return words("hint.sixteen", n=size, rules=words(f"ruleset.{other}"))
    return count_words(size, whole)
