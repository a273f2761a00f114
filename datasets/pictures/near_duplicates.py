"""Near-duplicate photos: a perceptual hash, and all pairs of hashes that are close.

The hash is a difference hash: it says for 16 x 16 places whether the picture gets brighter to the right, and downwards.
In the photos at hand, two photos of different scenes differ in at least 69 of the 512 bits. Two photos of one hand
differ in up to about 80 bits, so the limit is higher for photos with equal labels.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import ImageOps

from tilescore.datasets.labels import LabelledPicture
from tilescore.datasets.pictures.picture_files import open_picture

_SIDE: Final = 16
"""The hash compares this many places along each side."""
NEAR_BITS: Final = 51
"""Near-duplicates differ in at most this many bits, a tenth of all (512)."""
SAME_TILES_BITS: Final = 128
"""Photos with the same tiles may differ in this many bits if they show at least MIN_TILES tiles."""
MIN_TILES: Final = 8
"""Number of tiles from which equal labels suggest that two photos show one scene."""
_BLOCK: Final = 256
"""Hashes are compared in blocks of this many rows, to bound the memory."""


def fingerprint(path: Path) -> bytes:
    """The 512-bit hash of the upright picture; raises one of `picture_files.DAMAGE` when its pixels are damaged."""
    with open_picture(path) as image:
        image.draft("L", (8 * _SIDE, 8 * _SIDE))  # a JPEG is decoded at the smallest size that is large enough
        upright = ImageOps.exif_transpose(image) if image.format != "HEIF" else image
        grey = np.asarray(upright.convert("L"), np.uint8)
    return hash_of(grey)


def hash_of(grey: NDArray[np.uint8]) -> bytes:
    """The hash of grey pixels (H, W)."""
    across = np.asarray(cv2.resize(grey, (_SIDE + 1, _SIDE), interpolation=cv2.INTER_AREA), np.int16)
    down = np.asarray(cv2.resize(grey, (_SIDE, _SIDE + 1), interpolation=cv2.INTER_AREA), np.int16)
    return np.packbits(np.concatenate([np.diff(across, axis=1) > 0, (np.diff(down, axis=0) > 0)], axis=None)).tobytes()


def near_pairs(
    hashes: Sequence[bytes], *, at_most_bits: int = NEAR_BITS, turned: bool = False
) -> list[tuple[int, int, int]]:
    """All close pairs (first, second, number of differing bits), ordered, with first < second.

    With `turned`, a mirrored or turned copy is close, too. Bits written as -1 and 1 make the distance a matrix product,
    so that 20,000 hashes take seconds.
    """
    if len(hashes) < 2:
        return []
    bits = np.unpackbits(np.frombuffer(b"".join(hashes), np.uint8).reshape(len(hashes), -1), axis=1)
    signs = bits.astype(np.float32) * 2 - 1
    width = signs.shape[1]
    bits_of: dict[tuple[int, int], int] = {}
    for view in _views(signs) if turned else (signs,):
        for start in range(0, len(signs), _BLOCK):
            agreement = view[start : start + _BLOCK] @ signs[start:].T
            rows, columns = np.nonzero(agreement >= width - 2 * at_most_bits)
            above = columns > rows
            rows, columns = rows[above], columns[above]
            apart = ((width - agreement[rows, columns]) / 2).astype(int)
            for first, second, bit_count in zip(rows.tolist(), columns.tolist(), apart.tolist(), strict=True):
                key = (first + start, second + start)
                bits_of[key] = min(bit_count, bits_of.get(key, bit_count))
    return [(first, second, bit_count) for (first, second), bit_count in sorted(bits_of.items())]


def _views(signs: NDArray[np.float32]) -> Iterator[NDArray[np.float32]]:
    """The hashes of the pictures in all eight ways to turn and mirror them, computed from the hashes alone."""
    grids = signs.reshape(len(signs), 2, _SIDE, _SIDE)
    across, down = grids[:, 0], grids[:, 1]
    for _ in range(2):
        for step_x, step_y in ((1, 1), (-1, 1), (1, -1), (-1, -1)):
            # Brighter to the right becomes brighter to the left in a mirrored picture, so its sign changes.
            turned = (across[:, ::step_y, ::step_x] * step_x, down[:, ::step_y, ::step_x] * step_y)
            yield np.stack(turned, axis=1).reshape(len(signs), -1)
        across, down = down.transpose(0, 2, 1), across.transpose(0, 2, 1)


def same_scene_pairs(pictures: Sequence[LabelledPicture], hashes: Sequence[bytes]) -> list[tuple[int, int, int]]:
    """Pairs of pictures that are nearly equal, and pairs that are less alike but show the same tiles."""
    bits_of = {(first, second): bits for first, second, bits in near_pairs(hashes, turned=True)}
    alike: dict[tuple[tuple[str, int], ...], list[int]] = {}
    for place, picture in enumerate(pictures):
        if len(picture.boxes) >= MIN_TILES:
            tiles = Counter(box.name for box in picture.boxes)
            alike.setdefault(tuple(sorted(tiles.items())), []).append(place)
    for places in alike.values():
        alike_hashes = [hashes[place] for place in places]
        for first, second, bits in near_pairs(alike_hashes, at_most_bits=SAME_TILES_BITS, turned=True):
            bits_of[places[first], places[second]] = bits
    return [(first, second, bits) for (first, second), bits in sorted(bits_of.items())]


def connected(count: int, pairs: Iterable[tuple[int, int]]) -> list[list[int]]:
    """The connected components of a graph with `count` nodes, each ordered, in the order of their first nodes.

    >>> connected(5, [(0, 3), (3, 4)])
    [[0, 3, 4], [1], [2]]
    """
    parent = list(range(count))

    def root(place: int) -> int:
        while parent[place] != place:
            parent[place] = parent[parent[place]]
            place = parent[place]
        return place

    for first, second in pairs:
        low, high = sorted((root(first), root(second)))
        parent[high] = low
    groups: dict[int, list[int]] = {}
    for place in range(count):
        groups.setdefault(root(place), []).append(place)
    return list(groups.values())
