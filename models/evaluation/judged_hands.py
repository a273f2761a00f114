"""Photos of hands whose tiles people judged, as they are and with white dragons without a picture."""

import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from tilescore.datasets.labels import LabelledBox
from tilescore.vision.arrays import Floats, Pixels
from tilescore.vision.detection.along_row import Corners
from tilescore.vision.image.boxes import Box
from tilescore.vision.image.photo import Photo, load_photo

_FEWEST: Final = 5
"""Of a hand with fewer concealed tiles none is made blank."""
_LEAST_PX: Final = 12
"""A face in fewer pixels shows no paper to go on."""
_DARKER: Final = 8.0
"""What is darker than the paper by so many grey levels is ink."""


@dataclass(frozen=True, slots=True, eq=False)
class JudgedHand:
    """A photo, who took it, and the tiles of the hand in pixels of the upright original; the first are concealed."""

    photo: Photo
    source: str
    tiles: tuple[LabelledBox, ...]
    concealed: int


def judged_hands(listed: Path, photos: Path) -> Iterator[JudgedHand]:
    """The whole hands of a `roles.jsonl`, with every tile of each, and the folder that its photos lie in."""
    for line in listed.read_text(encoding="utf-8").splitlines():
        entry: dict[str, Any] = json.loads(line)
        if entry["kind"] != "hand" or entry.get("missing"):
            continue
        concealed = entry.get("concealed", [])
        melds = [tile for meld in entry.get("melds", []) for tile in meld["tiles"]]
        tiles = tuple(
            LabelledBox(tile["tile"], Box(*tile["box_xyxy"])) for tile in (*concealed, *melds, *entry.get("bonus", []))
        )
        yield JudgedHand(load_photo(photos / entry["photo"]), entry["source"], tiles, len(concealed))


def as_they_are(hand: JudgedHand, _corners: Corners) -> Iterator[JudgedHand]:
    """The photo itself."""
    yield hand


def blanked(hand: JudgedHand, corners: Corners) -> Iterator[JudgedHand]:
    """The photo with a concealed tile made a white dragon without a picture: the first, one between, the last, two."""
    photo, concealed = hand.photo, hand.tiles[: hand.concealed]
    centers = np.array([tile.box.center for tile in concealed])
    if len(concealed) < _FEWEST or min(tile.box.short_side for tile in concealed) < _LEAST_PX * photo.scale:
        return
    quads = corners.find(photo.rgb, [tile.box.scaled(1 / photo.scale) for tile in concealed])
    order = np.argsort(centers[:, int(np.argmax(np.ptp(centers, axis=0)))]).tolist()
    dice = np.random.default_rng(zlib.crc32(photo.name.encode()))
    inner, pair = int(dice.integers(1, len(order) - 1)), int(dice.integers(0, len(order) - 1))
    for chosen in (order[:1], order[inner : inner + 1], order[-1:], order[pair : pair + 2]):
        rgb, tiles = photo.rgb, list(hand.tiles)
        for at in chosen:
            rgb = _without_ink(rgb, quads[at])
            tiles[at] = replace(tiles[at], name="5z")
        yield replace(hand, photo=replace(photo, rgb=rgb), tiles=tuple(tiles))


def _without_ink(rgb: Pixels, quad: Floats) -> Pixels:
    """The picture with the face between four corners without its ink: its paper goes on, a plane of colour."""
    height, width = rgb.shape[:2]
    x0, y0 = np.clip(np.floor(quad.min(axis=0) - 3), 0, (width, height)).astype(int)
    x1, y1 = np.clip(np.ceil(quad.max(axis=0) + 3), 0, (width, height)).astype(int)
    part = rgb[y0:y1, x0:x1].astype(np.float32)
    inner, face = (_filled(part.shape[:2], quad - (x0, y0), share) for share in (0.8, 0.93))
    bright = part.mean(axis=2)
    paper = inner & (bright >= np.quantile(bright[inner], 0.55))
    rows, columns = np.mgrid[: part.shape[0], : part.shape[1]]
    places = np.stack([np.ones_like(rows), columns, rows], axis=2).astype(np.float32)
    for _ in range(2):
        plane = places @ np.linalg.lstsq(places[paper], part[paper], rcond=None)[0]
        off = np.abs(part - plane).mean(axis=2)
        paper = inner & (off < max(4.0, 2 * float(np.median(off[paper]))))
    noise = min(3.0, float((part - plane)[paper].std())) if paper.any() else 0.0
    grain = np.random.default_rng(0).normal(0, noise, part.shape).astype(np.float32)
    ink = (face & ((plane - part).max(axis=2) > _DARKER)).astype(np.float32)
    ink = cv2.dilate(ink, np.ones((3, 3), np.uint8), iterations=2) * face
    share = cv2.GaussianBlur(ink, (3, 3), 0)[..., None]
    changed = rgb.copy()
    changed[y0:y1, x0:x1] = np.clip(part * (1 - share) + (plane + cv2.GaussianBlur(grain, (3, 3), 0)) * share, 0, 255)
    return changed


def _filled(shape: tuple[int, ...], quad: Floats, share: float) -> NDArray[np.bool_]:
    """Which pixels lie in the inner share of a quad."""
    middle = quad.mean(axis=0)
    mask = np.zeros(shape, np.uint8)
    cv2.fillConvexPoly(mask, (middle + (quad - middle) * share).round().astype(np.int32), 1)
    return mask.astype(bool)
