"""From a photo to points: what `import tilescore` offers beside the values of the game."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from tilescore.errors import HandError
from tilescore.scoring.context import Context, WinBy
from tilescore.scoring.hand import Hand
from tilescore.scoring.ruleset import ruleset as find_ruleset
from tilescore.scoring.score import NotAWin, Score
from tilescore.scoring.tiles import Tile
from tilescore.vision.arrays import Pixels
from tilescore.vision.decoding.finish import finished
from tilescore.vision.decoding.notebook import thumbnail
from tilescore.vision.decoding.reading import Reading
from tilescore.vision.image.photo import Photo, PhotoError, check_size, decode_photo, load_photo


def read(photo: Path | str | bytes | Pixels, *, model: Path | str = "") -> Reading:
    """The hand in a photo, with its tiles, sets and doubts; a notebook shows it as a picture and a table.

    Args:
        photo: name of a picture file, its bytes, or uint8 RGB pixels (height, width, 3).
        model: name of a model, its folder, or an .onnx file; without it, the one in use. It is loaded once.

    Raises:
        PhotoError: the photo cannot be read.
        ModelError: there is no such model.
    """
    from tilescore.models.registry import load_reader  # loads the networks

    pixels = _photo(photo)
    return replace(load_reader(str(model or "")).read(pixels), picture=thumbnail(pixels))


def score(
    hand: Hand | Reading | Path | str | bytes | Pixels,
    ruleset: str,
    *,
    context: Context | None = None,
    options: Mapping[str, Any] | None = None,
    winning_tile: Tile | str | None = None,
) -> Score | NotAWin:
    """What a finished hand is worth, line by line, and who pays whom.

    >>> score("123456789m234s55p +4s", "mcr").total
    22

    Args:
        hand: a hand, a reading, or a photo as in `read`. A text without a dot is the text form of a hand, and one with
            a dot is the name of a file.
        ruleset: its name, such as `mcr` or `riichi`.
        context: how the hand was won; by self-draw as East in the east round without it.
        options: house rules of the ruleset, by name.
        winning_tile: the tile that completed the hand. Without it, that is in a photo the tile which lies apart, or
            else the last one of the row.

    Raises:
        InputError: the photo, the hand, an option or the context cannot be used.
    """
    rules = find_ruleset(ruleset, options)
    if isinstance(hand, str) and "." not in hand:
        hand = Hand.parse(hand)
    if isinstance(hand, Hand):
        if winning_tile is not None:
            hand = replace(hand, winning_tile=_named(hand, winning_tile))
    else:
        reading = hand if isinstance(hand, Reading) else read(hand)
        hand = finished(reading, rules, winning_tile=winning_tile)[0].hand
    return rules.score(hand, context or Context(win_by=WinBy.SELF_DRAW))


def _named(hand: Hand, text: Tile | str) -> Tile:
    tile = Tile.parse(text)
    if tile not in hand.concealed:
        raise HandError("winning_tile_missing", f"no concealed tile of '{hand}' is {tile}: name one that is.")
    return tile


def _photo(photo: Path | str | bytes | Pixels) -> Photo:
    if isinstance(photo, bytes):
        return decode_photo(photo)
    if isinstance(photo, Path | str):
        return load_photo(photo)
    dtype, shape = str(getattr(photo, "dtype", "")), getattr(photo, "shape", ())
    match dtype, shape:
        case "uint8", (int(height), int(width), 3):
            check_size((width, height), "")
            return Photo(name="photo", rgb=photo, size_wh=(width, height))
    kind = " ".join(filter(None, (type(photo).__name__, dtype, str(shape or ""))))
    message = f"{kind} is no photo: give a file name, the bytes of a file, or uint8 RGB pixels (height, width, 3)."
    raise PhotoError("not_a_photo", message)
