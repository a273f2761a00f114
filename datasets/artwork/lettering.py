"""Ink masks of Chinese characters, from the fonts of this machine or from our own brush."""

import csv
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path

import cv2
import numpy as np

from tilescore.datasets.artwork.brush import strokes
from tilescore.datasets.artwork.style import Array

_FONT_FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "/Library/Fonts", "C:/Windows/Fonts")
"""Folders in which fonts are searched."""
_PRINT_FONTS = ("cjk", "wqy", "droidsansfallback", "uming", "simsun", "msyh", "sourcehan", "lxgwwenkai-", "yozba_.")
"""Parts of the names of font files with printed Chinese characters."""
_HAND_FONTS = ("ukai", "kai00mp", "cwkai", "cwfs", "mouhitsu", "aoyagikouzan", "klee", "kaiti", "simkai")
"""Parts of the names of fonts like handwriting; they count twice, because real tiles look like handwriting."""
_VARIANTS = str.maketrans("万伍発发", "萬五發發")
"""Maps variants of a character to the one that the brush draws."""


@lru_cache(maxsize=1)
def cjk_fonts() -> tuple[tuple[str, int], ...]:
    """Fonts of this machine with Chinese characters, as (path, index in its collection)."""
    fonts: list[tuple[str, int]] = []
    for folder in _FONT_FOLDERS:
        for path in sorted(Path(folder).rglob("*.[ot]t[cf]")) if Path(folder).is_dir() else ():
            name = path.name.lower()
            written = any(mark in name for mark in _HAND_FONTS)
            if written or any(mark in name for mark in _PRINT_FONTS):
                indices = (0, 2, 3) if "cjk" in name else (0,)
                fonts += [(str(path), i) for i in indices] * (2 if written else 1)
    return tuple(fonts)


@lru_cache(maxsize=4096)
def glyph_from(path: str, index: int, text: str, stroke: int, size: int) -> Array | None:
    """The tight ink mask (uint8) of `text` in the font at `path`; None if the font lacks a character."""
    from PIL import Image, ImageDraw, ImageFont

    face = ImageFont.truetype(path, size, index=index)
    if any(bytes(face.getmask(letter)) == bytes(face.getmask("\uffff")) for letter in text):
        return None
    sheet = Image.new("L", (round(size * 1.5) * len(text) + 40, size * 2))
    ImageDraw.Draw(sheet).text((20, 20), text, fill=255, font=face, stroke_width=stroke)
    box = sheet.getbbox()
    return None if box is None else np.asarray(sheet.crop(box))


@cache
def characters() -> Mapping[str, tuple[float, str]]:
    """Brush weight and strokes of each of our own characters, in writing order on a grid of 100 x 100.

    A stroke that turns a corner is split into its parts: `h`, then `v`, and `k` for the hook.
    """
    with Path(__file__).with_name("characters.csv").open(newline="", encoding="utf-8") as file:
        return {row["character"]: (float(row["weight"]), row["strokes"]) for row in csv.DictReader(file)}


@lru_cache(maxsize=256)
def _brushed(letter: str, heavier: int) -> Array | None:
    """The tight ink mask of one of our own brush-drawn characters."""
    written = characters().get(letter.translate(_VARIANTS))
    if written is None:
        return None
    weight, text = written
    sheet = np.zeros((150, 150), np.uint8)
    for outline in strokes(text, weight=weight * (0.85 + heavier * 0.12), at=(20, 20), scale=(1.1, 1.1)):
        stroke = np.zeros_like(sheet)
        cv2.fillPoly(stroke, [np.round(np.array(outline) * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
        sheet = np.maximum(sheet, stroke)
    x, y, w, h = cv2.boundingRect(sheet)
    return sheet[y : y + h, x : x + w]


def glyph(text: str, font: int, stroke: int = 0) -> Array | None:
    """The ink mask of a character, about 110 px high, from a font or our own brush; None if both lack it."""
    fonts = cjk_fonts()
    which = font % (len(fonts) + 5)
    if which < len(fonts):
        for path, index in (*fonts[which:], *fonts[:which]):
            mask = glyph_from(path, index, text, stroke, 112)
            if mask is not None:
                return mask
    return _brushed(text, which % 5)
