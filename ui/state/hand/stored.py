"""A hand on the table as JSON, without its photo: what a reload or another day brings back."""

from dataclasses import replace
from typing import Any, Final

from tilescore.scoring.context import Context
from tilescore.scoring.hand import Hand
from tilescore.scoring.shapes.winning import OF_ANY_SIZE, Shape
from tilescore.scoring.tiles import Tile
from tilescore.ui.state.hand.work import Picture, Work
from tilescore.ui.storage.copies.fields import HALVES, FileField
from tilescore.vision.decoding.reading import Reading
from tilescore.vision.detections import Candidate, Detection
from tilescore.vision.image.boxes import Box
from tilescore.vision.layout.layout import Role

_MOST_TILES: Final = 2000
_MOST_PIXELS: Final = 100_000
_MOST_SHARPNESS: Final = 1e9
_TEXT: Final = 400
_NAME: Final = 1000
"""More than any hand and photo has (chosen)."""


def to_json(work: Work) -> dict[str, Any]:
    """The JSON object of a hand; `from_json` is the inverse, if it gets the photo."""
    return {
        "id": work.id,
        "typed": "" if work.on_photo else str(work.hand),
        "reading": _reading_json(work.reading) if work.on_photo else None,
        "concealed_kongs": [str(tile) for tile in sorted(work.concealed_kongs)],
        "unseen": sorted(work.unseen),
        "arranged": list(work.arranged),
        "context": work.context.to_json(),
    }


def from_json(data: object, jpeg: bytes | None) -> Work:
    """The hand of a JSON object and its photo, every field checked by its type and range; raises InputError."""
    field = FileField(data, "hand")
    reading = None if field.member("reading").value is None else _reading(field.member("reading"))
    tiles = _MOST_TILES if reading is None else len(reading.seen)
    typed = Work.of(Hand.parse(field.member("typed").text(most=_TEXT)))
    read = typed if reading is None else Work(
        reading=reading,
        picture=None if jpeg is None else Picture(jpeg, reading.size_wh),
        concealed_kongs=_tiles(field.member("concealed_kongs")),
        unseen=frozenset(_indices(field.member("unseen"), tiles)),
        arranged=_indices(field.member("arranged"), tiles),
    )  # fmt: skip
    context = Context.from_json(field.member("context").json_object(most=_TEXT * _TEXT))
    return replace(read, context=context, id=field.member("id").text(most=64))


def _reading_json(reading: Reading) -> dict[str, Any]:
    """What a reading is computed from."""
    return {
        "photo": reading.photo_name,
        "size_wh": list(reading.size_wh),
        "model": reading.model,
        "is_win": reading.is_win,
        "shapes": sorted(reading.shapes),
        "aside": [str(tile) for tile in sorted(reading.aside)],
        "fixed_roles": [[index, str(role)] for index, role in reading.fixed_roles],
        "seen": [
            {
                "box": list(detection.box.xyxy),
                "presence": detection.presence,
                "sharpness": detection.sharpness,
                "names": [[str(name.tile), name.probability] for name in detection.names],
            }
            for detection in reading.seen
        ],
    }


def _reading(field: FileField) -> Reading:
    seen = [_detection(detection) for detection in field.member("seen").items(most=_MOST_TILES)]
    field = replace(field, value={"shapes": [], "aside": [], **field.value})  # earlier versions wrote neither
    shapes = {Shape(shape.one_of(tuple(Shape))) for shape in field.member("shapes").items(most=len(Shape))}
    width, height = _many(field.member("size_wh"), 2)
    pairs = [_many(pair, 2) for pair in field.member("fixed_roles").items(most=len(seen))]
    return Reading.of(
        seen, photo_name=_name(field.member("photo")), model=_name(field.member("model")),
        size_wh=(width.whole(1, _MOST_PIXELS), height.whole(1, _MOST_PIXELS)), is_win=field.member("is_win").flag(),
        fixed_roles={index.whole(0, len(seen) - 1): Role(role.one_of(tuple(Role))) for index, role in pairs},
        shapes=frozenset(shapes) or OF_ANY_SIZE, aside=_tiles(field.member("aside")),
    )  # fmt: skip


def _tiles(field: FileField) -> frozenset[Tile]:
    return frozenset(Tile.parse(tile.text(most=_TEXT)) for tile in field.items(most=_MOST_TILES))


def _name(field: FileField) -> str:
    """The name of a file, which may hold any character."""
    return field.text(most=_NAME, barred=HALVES)


def _detection(field: FileField) -> Detection:
    corners = [corner.number(-_MOST_PIXELS, _MOST_PIXELS) for corner in _many(field.member("box"), 4)]
    if corners[0] > corners[2] or corners[1] > corners[3]:
        raise field.member("box").refused("[x0, y0, x1, y1]")
    names = [_many(pair, 2) for pair in field.member("names").items(most=_MOST_TILES)]
    if not names:
        raise field.member("names").refused("[…]")
    return Detection(
        Box(*corners),
        field.member("presence").number(0, 1),
        tuple(Candidate(Tile.parse(tile.text(most=_TEXT)), share.number(0, 1)) for tile, share in names),
        field.member("sharpness").number(-_MOST_SHARPNESS, _MOST_SHARPNESS),
    )


def _many(field: FileField, count: int) -> tuple[FileField, ...]:
    """The values of a list of that length."""
    values = field.items(most=count)
    if len(values) != count:
        raise field.refused(f"[…] ({count})")
    return values


def _indices(field: FileField, count: int) -> tuple[int, ...]:
    return tuple(index.whole(0, count - 1) for index in field.items(most=count))
