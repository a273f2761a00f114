"""Judged photos read smaller, darker and lighter: a hand that is right by luck is wrong in one of these forms."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from tilescore.models.layout_fit import judged
from tilescore.models.registry import DEFAULT, load_reader
from tilescore.vision.image.boxes import resized
from tilescore.vision.reader import TileReader

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from tilescore.datasets.layouts.judged import JudgedPhoto
    from tilescore.vision.decoding.reading import Reading
    from tilescore.vision.image.photo import Photo


@dataclass(frozen=True, slots=True)
class Form:
    """How a photo is changed."""

    size: float = 1.0  # its sides, as a share of those before
    gamma: float = 1.0  # the exponent of its brightness, 0-1; above 1 it becomes darker
    quality: int = 95  # of the JPEG as which it is kept in between

    def of(self, rgb: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """A picture (H, W, 3) in this form."""
        height, width = (round(side * self.size) for side in rgb.shape[:2])
        levels = (255 * np.linspace(0, 1, 256) ** self.gamma).astype(np.uint8)
        data = cv2.imencode(".jpg", levels[resized(rgb, (width, height))], [cv2.IMWRITE_JPEG_QUALITY, self.quality])[1]
        return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


FORMS: Final = (Form(size=0.85), Form(gamma=1.3, quality=70), Form(gamma=0.75, quality=85))


@dataclass(frozen=True, slots=True)
class _ReaderOfForm(TileReader):
    form: Form = FORMS[0]

    def read(self, photo: Photo, *, budget_ms: float | None = None) -> Reading:
        return TileReader.read(self, replace(photo, rgb=self.form.of(photo.rgb)), budget_ms=budget_ms)


def judged_in_forms(data: Path) -> list[JudgedPhoto]:
    """All judged photos in each of the forms; those of which boxes alone are known stay as they are."""
    shipped = load_reader(DEFAULT)
    parts = {name: getattr(shipped, name) for name in ("detector", "classifier", "fusion", "config", "corners")}
    return [photo for form in FORMS for photo in judged(data, reader=_ReaderOfForm(**parts, form=form))]
