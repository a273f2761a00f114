"""A reading as a notebook shows it: the photo with a box around each tile, and a table of the tiles."""

import base64
from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

from tilescore.vision.decoding.doubts import Doubt
from tilescore.vision.detections import Detection
from tilescore.vision.image.jpeg import jpeg_of
from tilescore.vision.image.photo import Photo
from tilescore.vision.layout.layout import Layout, Role

ROLE_COLORS_RGB: Final = {
    Role.CONCEALED: (46, 160, 67),
    Role.MELD: (31, 111, 235),
    Role.WINNING: (219, 97, 26),
    Role.BONUS: (163, 77, 214),
    Role.DORA_INDICATOR: (191, 135, 0),
    Role.URA_INDICATOR: (191, 135, 0),
    Role.OTHER: (140, 140, 140),
}
"""The colour of each role in a picture."""
_LONG_SIDE: Final = 800
"""Pixels of the picture."""
_QUALITY: Final = 85


def thumbnail(photo: Photo) -> bytes:
    """The photo as a small JPEG."""
    return jpeg_of(photo.rgb, quality=_QUALITY, long_side_px=_LONG_SIDE)


def html_of(
    detections: Sequence[Detection],
    layout: Layout,
    doubts: Iterable[Doubt],
    *,
    picture: bytes,
    size_wh: tuple[int, int],
) -> str:
    """The HTML of a reading.

    Without `picture`, the photo as a JPEG, there are only the boxes, which are given in pixels of `size_wh`.
    """
    width, height = size_wh
    asked = [(doubt.detection, escape(doubt.message)) for doubt in doubts]
    boxes = []
    for detection, role in zip(detections, layout.roles, strict=True):
        x0, y0, x1, y1 = detection.box.xyxy
        boxes.append(
            f'<rect x="{x0:.0f}" y="{y0:.0f}" width="{x1 - x0:.0f}" height="{y1 - y0:.0f}" fill="none" '
            f'stroke="rgb{ROLE_COLORS_RGB[role]}" stroke-width="{max(size_wh) / 400:.1f}">'
            f"<title>{detection.tile}, {role}</title></rect>"
        )
    rows = [("tile", "role", "confidence", "question")]
    for index in layout.order:
        questions = "<br>".join(text for at, text in asked if at == index)
        confidence = f"{detections[index].confidence:.2f}"
        rows.append((str(detections[index].tile), str(layout.roles[index]), confidence, questions))
    photo = f"data:image/jpeg;base64,{base64.b64encode(picture).decode()}"
    image = f'<image href="{photo}" width="{width}" height="{height}"/>' if picture else ""
    table = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    return (
        f'<svg viewBox="0 0 {width} {height}" style="max-width: {_LONG_SIDE}px">{image}{"".join(boxes)}</svg>'
        f"{''.join(f'<p>{text}</p>' for at, text in asked if at is None)}<table>{table}</table>"
    )
