"""The open questions about a hand in words: the doubts of a reading, the tiles that a typed hand lacks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tilescore.scoring.hand import Hand
from tilescore.ui.words.text import tile_name, words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tilescore.scoring.tiles import Tile
    from tilescore.vision.decoding.doubts import Doubt
    from tilescore.vision.decoding.reading import Reading

_ASKED_ELSEWHERE: Final = ("winning_tile_unknown",)
"""Doubts without a hint: the page asks for the winning tile beside the score."""
_ANSWERED: Final = ("which_hand", "no_hand", "declared")
"""Doubts that one tap settles come first."""
_SIXTEEN: Final = (16, 17)
"""Sizes of a hand of the sixteen-tile game, waiting and complete."""
_UNCLEAR: Final = "low_confidence"


def hint(reading: Reading | None, size: int) -> str | None:
    """One sentence about what the hand lacks before it can be scored; None if it lacks nothing.

    Args:
        reading: what the photo shows; None for a typed hand.
        size: tiles of the hand, a kong counted as three.
    """
    if reading is not None:
        about_hand = [d for d in reading.doubts if d.detection is None and d.code not in _ASKED_ELSEWHERE]
        first = next((d for code in _ANSWERED for d in about_hand if d.code == code), None)
        return _about_hand(first or about_hand[0], size) if about_hand else _about_size(size)
    return words("hint.empty") if size == 0 else _about_size(size, typed=True)


def about_tile(doubt: Doubt, face: Tile) -> str:
    """A question about one tile of a photo; `face` is the tile as the program reads it."""
    tile = tile_name(face)
    if not doubt.alternatives:
        code = f"{_UNCLEAR}_alone" if doubt.code == _UNCLEAR else doubt.code
        return words(f"doubt.{code}", tile=tile, others="")
    return words(f"doubt.{doubt.code}", tile=tile, others=_either(doubt.alternatives))


def _about_hand(doubt: Doubt, size: int) -> str | None:
    return _about_size(size) if doubt.code == "tile_count" else words(f"hint.{doubt.code}")


def _about_size(size: int, *, typed: bool = False) -> str | None:
    """What a size means that is not that of a hand of 14; a typed hand may still grow."""
    if size == Hand.SIZE:
        return None
    if size in _SIXTEEN:
        return words("hint.sixteen", n=size)
    return words("hint.thirteen") if size == Hand.SIZE - 1 and not typed else words("hint.count", n=size)


def _either(tiles: Sequence[Tile]) -> str:
    names = [tile_name(tile) for tile in tiles]
    return names[0] if len(names) == 1 else words("doubt.or", first=", ".join(names[:-1]), last=names[-1])
