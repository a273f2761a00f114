"""The hand of a reading as a finished one: with as many tiles as the game needs, and with a winning tile."""

from tilescore.errors import InputError
from tilescore.scoring.ruleset import Ruleset
from tilescore.scoring.shapes.winning import hand_size
from tilescore.scoring.tiles import Tile
from tilescore.vision.decoding.reading import Reading
from tilescore.vision.layout.layout import Role


def finished(
    reading: Reading, rules: Ruleset, *, winning_tile: Tile | str | None = None
) -> tuple[Reading, Tile | None]:
    """The reading of a hand that is won under these rules, and its winning tile if that is a guess.

    The winning tile is the one that is named, else the one that lies apart, else, as a guess, the last of the row.
    Raises InputError if the tile is none or is not seen, or the hand is not complete.
    """
    reading = reading.in_game(rules.shapes, aside=rules.traits.aside, is_win=True)
    if winning_tile is not None:
        reading = _with_winning(reading, Tile.parse(winning_tile))
    _check_size(reading, hand_size(rules.shapes))
    is_open = reading.winning is None and reading.concealed
    guess = reading.detections[reading.concealed[-1]].tile if is_open else None
    reading = with_last_as_winning(reading)
    return (reading if rules.has_indicators else reading.without_indicators()), guess


def with_last_as_winning(reading: Reading) -> Reading:
    """The reading with the last tile of the row as the winning one; as it is where a winning tile is set apart."""
    if reading.winning is not None or not reading.concealed:
        return reading
    return reading.with_role(reading.concealed[-1], Role.WINNING)


def _with_winning(reading: Reading, tile: Tile) -> Reading:
    """The reading in which this tile, the last one if there are several, completed the hand; raises InputError."""
    place = next((index for index in reversed(reading.concealed) if reading.detections[index].tile == tile), None)
    if place is None:
        seen = " ".join(str(reading.detections[index].tile) for index in reading.concealed)
        raise InputError(
            "winning_tile_not_seen",
            f"winning tile {tile}: no such tile among the concealed ones that were read ({seen}); name one of these.",
        )
    return reading.with_role(place, Role.WINNING)


def _check_size(reading: Reading, size: int) -> None:
    """Raise InputError unless there is a hand of so many tiles, a kong counted as three."""
    for doubt in reading.doubts:
        if doubt.code == "no_hand":
            raise InputError(doubt.code, f"'{reading.photo_name}' shows {doubt.message}")
    if reading.size != size:
        raise InputError(
            "tile_count",
            f"{reading.size} tiles seen in '{reading.photo_name}' (a kong counts three): a finished hand has "
            f"{size}; lay all of them open in one picture, a little apart from other tiles.",
            count=reading.size,
        )
