"""One set of mahjong tiles for rendering: faces on their paper, colours, proportions, wear."""

from collections.abc import Sequence

import cv2
import numpy as np

from tilescore.datasets.artwork.artwork import ArtworkSource
from tilescore.datasets.artwork.faces import FACE_WH, FRONT_NAMES
from tilescore.datasets.artwork.photos import FaceMaker
from tilescore.datasets.artwork.style import Array, Colour, Rng, varied

_BACKS: tuple[Colour, ...] = (
    *((20, 120, 70), (60, 160, 80), (10, 80, 60), (30, 70, 160), (70, 130, 200), (235, 190, 40), (225, 120, 30)),
    *((110, 50, 140), (25, 25, 28), (170, 120, 70), (200, 160, 105), (225, 130, 160), (150, 25, 35)),
    *((40, 160, 160), (150, 200, 230), (190, 20, 120)),
)
"""Colours of backs (RGB)."""
_ONE_INKS: tuple[Colour, ...] = ((25, 25, 28), (40, 55, 110), (35, 75, 55), (90, 60, 40))
"""Inks of sets that are printed in one colour (RGB)."""
_BONUS_INKS: tuple[Colour, ...] = (*_ONE_INKS, (20, 20, 24), (150, 30, 40), (25, 90, 60), (40, 60, 140))
"""Inks of flowers and seasons that are printed in one colour (RGB)."""
_PAPERS: tuple[Colour, ...] = (
    *((250, 248, 240), (255, 255, 255), (244, 238, 220), (240, 226, 190), (232, 240, 232), (236, 240, 246)),
    *((250, 250, 244), (248, 246, 236)),
)
"""Colours of the paper of faces (RGB)."""


def hue_shifted(image: Array, degrees: float, saturation: float) -> Array:
    """Shift the hue of an RGB image by `degrees` and scale its saturation."""
    hsv = cv2.cvtColor(image, cv2.COLOR_RGB2HSV).astype(np.float32)
    hsv[..., 0] = (hsv[..., 0] + degrees / 2) % 180
    hsv[..., 1] = np.clip(hsv[..., 1] * saturation, 0, 255)
    return np.asarray(cv2.cvtColor(hsv.astype(np.uint8), cv2.COLOR_HSV2RGB))


def _rounded_alpha(radius: int) -> Array:
    width, height = FACE_WH
    alpha = np.zeros((height, width), np.uint8)
    cv2.rectangle(alpha, (radius, 0), (width - 1 - radius, height - 1), 255, -1)
    cv2.rectangle(alpha, (0, radius), (width - 1, height - 1 - radius), 255, -1)
    for x in (radius, width - 1 - radius):
        for y in (radius, height - 1 - radius):
            cv2.circle(alpha, (x, y), radius, 255, -1, cv2.LINE_AA)
    return alpha


class TileSet:
    """Faces and colours of one set. RGBA faces are made on demand and cached.

    The other sources supply the faces that the chosen one lacks.
    """

    def __init__(self, rng: Rng, sources: Sequence[ArtworkSource]) -> None:
        weights = np.array([source.weight for source in sources])
        chosen = sources[rng.choice(len(sources), p=weights / weights.sum())]
        self.source = chosen.name
        self._makers: list[tuple[FaceMaker, bool]] = [(chosen.start(rng), chosen.photographic)]
        rich = [s for s in sources if s.name in ("procedural", "crops", "xmahjongg-real")] or sources
        others = [s for s in rich if s.name != chosen.name]
        for which in rng.permutation(len(others)):
            self._makers.append((others[which].start(rng), others[which].photographic))
        self._complete = any(source.name == "procedural" for source in sources)
        self._seed = int(rng.integers(1 << 30))
        self._faces: dict[str, Array | None] = {}
        self.aspect = float(rng.uniform(1.26, 1.43))
        self.depth = float(rng.uniform(0.6, 0.95))
        self.back: Colour = varied(rng, _BACKS[rng.integers(len(_BACKS))], 22)
        self.paper: Colour = varied(rng, _PAPERS[rng.integers(len(_PAPERS))], 6)
        self.body: Colour = varied(rng, self.paper, 5)
        self.back_share = float(rng.choice([1.0, *rng.uniform(0.25, 0.6, 9)]))
        self.radius = int(rng.integers(5, 16))
        self._hue = float(rng.uniform(-25, 25)) if rng.random() < 0.4 else 0.0
        self._saturation = float(rng.uniform(0.6, 1.25))
        self._one_ink = _ONE_INKS[rng.integers(len(_ONE_INKS))] if rng.random() < 0.1 else None
        self._thickness = int(rng.choice([-1, 0, 0, 0, 1]))
        self._engraving = float(rng.choice([0.0, 0.0, 0.3, 0.6]))
        self._wear = float(rng.choice([0.0, 0.0, 0.0, 0.25, 0.5]))
        self._shear = float(rng.normal(0, 0.03))
        self._margin = float(rng.uniform(0.84, 1.02))
        self._rim = float(rng.uniform(-0.25, 0.1))
        habits = np.random.default_rng([self._seed, *b"bonus"])
        # Flowers often have another artist than the suits, and often one colour.
        self._bonus_makers = self._makers
        if habits.random() < 0.5:
            source = sources[int(habits.integers(len(sources)))]
            self._bonus_makers = [(source.start(habits), source.photographic), *self._makers]
        self._bonus_ink = self._one_ink
        if habits.random() < 0.35:
            self._bonus_ink = varied(habits, _BONUS_INKS[habits.integers(len(_BONUS_INKS))], 20)

    @property
    def size(self) -> Array:
        """Width, height and depth of a tile, in tile widths."""
        return np.array([1.0, self.aspect, self.depth])

    def lacking(self) -> tuple[str, ...]:
        """Faces that no source can draw."""
        return () if self._complete else tuple(tile for tile in FRONT_NAMES if self.face(tile) is None)

    def face(self, tile: str) -> Array | None:
        """The finished RGBA face, 96 x 128 px; None if no source can draw it."""
        if tile not in self._faces:
            self._faces[tile] = self._make(tile)
        return self._faces[tile]

    def back_face(self) -> Array:
        """The RGBA back: one colour with a shaded rim, sometimes with a grain or a lattice."""
        if "back" not in self._faces:
            width, height = FACE_WH
            colour = np.clip(np.array(self.back, np.float32) * self._shading(), 0, 255)
            flat = np.broadcast_to(colour, (height, width, 3))
            rng = np.random.default_rng(self._seed)
            if rng.random() < 0.3:  # bamboo or wood has a grain along the tile
                grain = np.repeat(rng.standard_normal((1, width // 2, 1)), 2, axis=1) * rng.uniform(3, 14)
                flat = np.clip(flat + grain, 0, 255)
            if rng.random() < 0.12:  # a printed lattice
                flat = np.ascontiguousarray(flat, np.uint8)
                ink = tuple(int(c * rng.uniform(0.5, 1.4)) % 256 for c in self.back)
                for k in range(-height, width + height, int(rng.integers(8, 22))):
                    cv2.line(flat, (k, 0), (k + height, height), ink, 2, cv2.LINE_AA)
                    cv2.line(flat, (k, height), (k + height, 0), ink, 2, cv2.LINE_AA)
            flat = flat.astype(np.uint8)
            self._faces["back"] = np.dstack([flat, _rounded_alpha(self.radius)])
        return np.asarray(self._faces["back"])

    def _make(self, tile: str) -> Array | None:
        rng = np.random.default_rng([self._seed, *tile.encode()])
        for maker, photographic in self._bonus_makers if tile[1] in "fq" else self._makers:
            image = maker(tile)
            if image is not None:
                finished = self._photographed(image, rng) if photographic else self._inked(image, rng, self._ink(tile))
                return np.dstack([finished, _rounded_alpha(self.radius)])
        if tile[0] == "0":  # no source draws the red five: redden the plain one
            plain = self.face("5" + tile[1])
            return None if plain is None else self._reddened(plain)
        return None

    def _reddened(self, face: Array) -> Array:
        grey = face[..., :3].min(axis=2).astype(np.float32)
        paper = np.percentile(face[..., :3].reshape(-1, 3), 92, axis=0)
        share = np.clip((np.percentile(grey, 92) - grey) / 130.0, 0, 1)[..., None]
        red = paper * (1 - share) + np.array([185.0, 25, 30]) * share
        return np.dstack([red.astype(np.uint8), face[..., 3]])

    def _photographed(self, image: Array, rng: Rng) -> Array:
        """A photographed face whose paper is adapted to that of the set."""
        own = np.percentile(image.reshape(-1, 3), 85, axis=0)
        gain = np.clip(np.array(self.paper) / np.maximum(own, 30), 0.7, 1.7) ** 0.8 * rng.uniform(0.96, 1.03)
        image = np.clip(image * gain, 0, 255).astype(np.uint8)
        return hue_shifted(image, self._hue / 3, 0.7 + 0.3 * self._saturation)

    def _ink(self, tile: str) -> Colour | None:
        """The single ink of a face; None if the face keeps its own colours, as a red five does."""
        if tile[0] == "0":
            return None
        return self._bonus_ink if tile[1] in "fq" else self._one_ink

    def _inked(self, image: Array, rng: Rng, ink: Colour | None) -> Array:
        """Turn ink on white into engraved, worn paint on the set's paper."""
        if ink is not None:
            share = (255 - image.min(axis=2, keepdims=True).astype(np.float32)) / 255
            image = np.asarray(255 - share * (255 - np.array(ink)), np.uint8)
        elif self._hue or self._saturation != 1.0:
            image = hue_shifted(image, self._hue, self._saturation)
        if self._thickness:
            kernel = np.ones((2, 2), np.uint8)
            image = cv2.erode(image, kernel) if self._thickness > 0 else cv2.dilate(image, kernel)
        width, height = FACE_WH
        scale = self._margin * rng.uniform(0.98, 1.02)
        linear = np.array([[scale * rng.uniform(0.97, 1.03), self._shear], [0, scale]])
        middle = np.array([width, height]) / 2
        matrix = np.column_stack([linear, middle - linear @ middle + rng.uniform(-1.5, 1.5, 2)])
        moved = cv2.warpAffine(image, matrix, FACE_WH, flags=cv2.INTER_AREA, borderValue=(255, 255, 255))
        paint = moved.astype(np.float32) / 255
        if self._wear:
            holes = cv2.resize(rng.random((24, 18), np.float32), FACE_WH, interpolation=cv2.INTER_CUBIC)[..., None]
            paint = 1 - (1 - paint) * np.clip(1.3 - self._wear * 1.6 * holes, 0, 1)
        face = paint * np.array(self.paper, np.float32)
        if self._engraving:
            dark = 1 - paint.min(axis=2)
            edge = np.roll(dark, (2, 2), (0, 1)) - np.roll(dark, (-2, -2), (0, 1))
            face += edge[..., None] * 60 * self._engraving
        return np.asarray(np.clip(face * self._shading(), 0, 255).astype(np.uint8))

    def _shading(self) -> Array:
        """Brightness of the bevel: a rim slightly darker or lighter than the flat face."""
        width, height = FACE_WH
        x = np.minimum(np.arange(width), np.arange(width)[::-1])[None, :]
        y = np.minimum(np.arange(height), np.arange(height)[::-1])[:, None]
        rim = np.clip(1 - np.minimum(x, y) / 7.0, 0, 1)
        return (1 + self._rim * rim)[..., None].astype(np.float32)
