"""Sources of tile faces: our own drawings, game art installed on this machine, scans and real photos.

Each source has a function `(rng) -> FaceMaker`. A FaceMaker turns a class name into ink on white, or into None if it
lacks that face. `sources` leaves out a source whose files are missing, so that this runs on any machine.
"""

import gzip
import importlib.util
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from pathlib import Path
from xml.etree import ElementTree as ET
from xml.etree.ElementTree import Element

import cv2
import numpy as np

from tilescore.datasets.artwork import FACES_FOLDER
from tilescore.datasets.artwork.faces import FACE_WH, draw_face, fit_face
from tilescore.datasets.artwork.lettering import glyph_from
from tilescore.datasets.artwork.photos import FaceMaker, crop_faces, photo_faces
from tilescore.datasets.artwork.style import Array, Rng, sample_style
from tilescore.vision.image.photo import PhotoError, load_photo

HELD_OUT = ("kde-jade", "fluffy")
"""Artwork of the synthetic test set, which no training uses."""
UNLIKE = ("kde-egypt",)
"""Artwork that resembles no mahjong tiles, which no training uses: it measures what fine-tuning gains."""
FITTING = ("xmahjongg-gnome",)
"""Artwork on which confidences are fitted and which no training uses, since networks are overconfident on seen art."""

_GAMES = Path("/usr/share")
_KDE = _GAMES / "kmahjongglib/tilesets"
_KDE_WEIGHTS = {"default": 1.5, "classic": 0.5, "traditional": 1.5, "jade": 1.5, "egypt": 1.0}
"""Weights of those themes of KMahjongg that are used."""
_GNOME = _GAMES / "gnome-mahjongg/themes"
_XMAHJONGG = _GAMES / "games/xmahjongg/tiles"
_KDE_NAME = re.compile(r"^(CHARACTER|ROD|BAMBOO|FLOWER|SEASON|WIND|DRAGON)_\d$")
"""Names of the elements that are faces in a tile set of KMahjongg."""
_KDE_WINDS = {"1z": "WIND_3", "2z": "WIND_2", "3z": "WIND_4", "4z": "WIND_1"}
"""Elements of the winds in those KDE themes that number them in another order."""
_KDE_ODD = dict.fromkeys(("default", "traditional"), _KDE_WINDS) | {
    "classic": _KDE_WINDS | {"1f": "FLOWER_2", "2f": "FLOWER_1"}
}
"""Elements that differ from the usual names, by KDE theme and tile."""
_MARGIN = 0.08
"""Margin around the ink of a face, as a share of the face."""
_SYMBOL_FONTS = {
    "symbola": "/usr/share/fonts/truetype/ancient-scripts/Symbola_hint.ttf",
    "freeserif": "/usr/share/fonts/truetype/freefont/FreeSerif.ttf",
    "symbols2": "/usr/share/fonts/truetype/noto/NotoSansSymbols2-Regular.ttf",
}
"""Fonts with the Unicode mahjong tiles, by the name of the source."""
_UNICODE_ORDER = (
    *("1z", "2z", "3z", "4z", "7z", "6z", "5z"),
    *(f"{n}{suit}" for suit in "msp" for n in range(1, 10)),
    *("1f", "2f", "4f", "3f", "1q", "2q", "3q", "4q"),
)
"""Tiles in the order of their code points from U+1F000 on."""
_GNOME_ORDER = (
    *(f"{n}p" for n in range(1, 10)),
    *("4z", "3z", "2z", "1z", "7z", "6z"),
    *(f"{n}m" for n in range(1, 10)),
    *(f"{n}s" for n in range(1, 10)),
)
"""Tiles in the order of the sheets of GNOME Mahjongg, up to the characters and bamboos."""


@dataclass(frozen=True, slots=True)
class ArtworkSource:
    """A named source of faces."""

    name: str
    weight: float  # how often a tile set is drawn from it, relative to the other sources
    start: Callable[[Rng], FaceMaker]  # makes a FaceMaker for one tile set
    photographic: bool = False  # whether its faces have their own paper, light and wear


@dataclass(frozen=True, slots=True)
class Folders:
    """Folders of pictures that only training may use; None leaves that source out."""

    crops: Path | None = None  # scanned single tiles with crops.csv
    photos: Path | None = None  # labelled photos
    art: Path | None = None  # one folder for each tile set, with one picture for each face: `5m.svg`, `0p.png`


def _always(make: FaceMaker) -> Callable[[Rng], FaceMaker]:
    """The start of a source whose tile sets are all the same."""
    return lambda _rng: make


def _whiten(image: Array) -> Array:
    """Divide by the paper colour, so that only the ink remains."""
    paper = np.percentile(image.reshape(-1, 3), 90, axis=0)
    return np.asarray(np.clip(image * (250.0 / np.maximum(paper, 40)), 0, 255).astype(np.uint8))


def _procedural(rng: Rng) -> FaceMaker:
    style = sample_style(rng)
    return lambda tile: draw_face(tile, style)


def _rasterise(svg: str, width: int, *, style: str = "", paper: str = "#ffffff") -> Array:
    import resvg_py

    png = resvg_py.svg_to_bytes(svg_string=svg, width=width, background=paper, style_sheet=style)
    image = cv2.imdecode(np.frombuffer(bytes(png), np.uint8), cv2.IMREAD_COLOR)
    return np.asarray(cv2.cvtColor(np.asarray(image), cv2.COLOR_BGR2RGB))


def _trim(image: Array) -> Array | None:
    """Crop to the ink and add an even margin; the proportions stay."""
    ink = (image.min(axis=2) < 235).astype(np.uint8)
    x, y, w, h = cv2.boundingRect(ink)
    if w < 4 or h < 4:
        return None
    cut = image[y : y + h, x : x + w]
    width, height = FACE_WH
    scale = min(width * (1 - 2 * _MARGIN) / w, height * (1 - 2 * _MARGIN) / h)
    cut = cv2.resize(cut, (max(1, round(w * scale)), max(1, round(h * scale))), interpolation=cv2.INTER_AREA)
    face = np.full((height, width, 3), 255, np.uint8)
    top, left = (height - cut.shape[0]) // 2, (width - cut.shape[1]) // 2
    face[top : top + cut.shape[0], left : left + cut.shape[1]] = cut
    return face


def _clones(element: Element, by_id: Mapping[str, Element]) -> Element:
    """A `defs` element with everything that `element` refers to."""
    home = Element("{http://www.w3.org/2000/svg}defs")
    names, waiting = set(), [element]
    while waiting:
        for part in waiting.pop().iter():
            name = part.get("{http://www.w3.org/1999/xlink}href", "").removeprefix("#")
            if name in by_id and name not in names:
                names.add(name)
                home.append(by_id[name])
                waiting.append(by_id[name])
    return home


@lru_cache(maxsize=4)
def _kde_elements(theme: str) -> Mapping[str, str]:
    """The SVG of each face alone, at its place in the sheet, by the name of its element."""
    svg = "{http://www.w3.org/2000/svg}"
    root = ET.fromstring(gzip.decompress((_KDE / f"{theme}.svgz").read_bytes()))  # noqa: S314 - an installed file of KDE
    definitions = list(root.iter(f"{svg}defs"))
    parents = {child: parent for parent in root.iter() for child in parent}
    by_id = {element.get("id", ""): element for element in root.iter()}
    faces: dict[str, str] = {}
    for element in root.iter():
        if not _KDE_NAME.match(element.get("id", "")):
            continue
        inner, parent = element, parents[element]
        while parent is not root:  # keep what moves or scales the element, drop its neighbours
            wrap = ET.Element(f"{svg}g", {k: v for k, v in parent.attrib.items() if k != "id"})
            wrap.append(inner)
            inner, parent = wrap, parents[parent]
        alone = ET.Element(root.tag, root.attrib)
        alone.extend([*definitions, _clones(element, by_id), inner])
        faces[element.get("id", "")] = ET.tostring(alone, encoding="unicode")
    return faces


@cache
def _kde_face(theme: str, tile: str) -> Array | None:
    """One face of a KDE tile set; each theme has its own numbers for winds, dragons and flowers."""
    kinds = {"m": "CHARACTER", "p": "ROD", "s": "BAMBOO", "f": "FLOWER", "q": "SEASON"}
    number, suit = int(tile[0]), tile[1]
    name = f"{kinds[suit]}_{number}" if suit != "z" else f"DRAGON_{number - 4}"
    svg = _kde_elements(theme).get(_KDE_ODD.get(theme, {}).get(tile, name))
    if svg is None:
        return None
    if theme == "jade":  # white ink on dark glass
        return _trim(255 - _rasterise(svg, 1600, paper="#000000"))
    return _trim(_rasterise(svg, 1600))


@cache
def _own_face(tile: str, *, index: bool) -> Array | None:
    """A face of our own drawn set, with or without the small western index in its corner."""
    path = FACES_FOLDER / f"{tile}.svg"
    if not path.is_file():
        return None
    hidden = ".tile-body" if index else ".tile-body, .corner-index"
    return fit_face(_rasterise(path.read_text(), 288, style=f"{hidden} {{ display: none }}"))


def _own(rng: Rng) -> FaceMaker:
    index = bool(rng.random() < 0.5)
    return lambda tile: _own_face(tile, index=index)


@cache
def _drawn_face(folder: Path, tile: str) -> Array | None:
    vector, pixels = folder / f"{tile}.svg", folder / f"{tile}.png"
    if vector.is_file():
        return fit_face(_rasterise(vector.read_text(), 288))
    try:
        image = load_photo(pixels).rgb  # transparent parts lie on white
    except PhotoError:
        return None
    rows, cols = round(image.shape[0] * 0.07), round(image.shape[1] * 0.07)  # inside the rim of the drawn tile
    return fit_face(_whiten(image[rows:-rows, cols:-cols]))


@cache
def _symbol_face(path: str, tile: str) -> Array | None:
    """A Unicode mahjong glyph (from U+1F000 on) in black, without its outline."""
    if tile not in _UNICODE_ORDER:
        return None
    mask = glyph_from(path, 0, chr(0x1F000 + _UNICODE_ORDER.index(tile)), 0, 300)
    if mask is None:
        return None
    rows, cols = round(mask.shape[0] * 0.07), round(mask.shape[1] * 0.09)
    inner = 255 - mask[rows:-rows, cols:-cols]
    return fit_face(np.repeat(inner[..., None], 3, axis=2))


def _symbols(name: str) -> Callable[[Rng], FaceMaker]:
    def start(rng: Rng) -> FaceMaker:
        inks = {"m": (170, 30, 40), "p": (30, 50, 130), "s": (20, 110, 60), "f": (160, 40, 90), "q": (40, 90, 110)}
        plain = rng.random() < 0.4

        def make(tile: str) -> Array | None:
            face = _symbol_face(_SYMBOL_FONTS[name], tile)
            if face is None or plain:
                return face
            ink = {"6z": (20, 110, 60), "7z": (180, 30, 40)}.get(tile, inks.get(tile[1], (25, 25, 35)))
            return np.asarray(255 - (255.0 - face) / 255 * (255 - np.array(ink)), np.uint8)

        return make

    return start


@lru_cache(maxsize=8)
def _grid(path: Path) -> Array:
    from PIL import Image

    if path.suffix == ".svg":
        return _rasterise(path.read_text(encoding="utf-8"), 4128)
    with Image.open(path) as image:
        sheet = Image.new("RGBA", image.size, "white")
        sheet.alpha_composite(image.convert("RGBA"))
        return np.asarray(sheet.convert("RGB"))


def _sheet(
    path: Path, order: Mapping[str, tuple[int, int]], cell: tuple[float, float], cut: tuple[float, ...]
) -> Callable[[Rng], FaceMaker]:
    """Faces in a regular sheet: `order` gives (column, row), `cut` the face (x0, y0, x1, y1) as shares of a cell."""

    @cache
    def make(tile: str) -> Array | None:
        if tile not in order:
            return None
        column, row = order[tile]
        x, y = column * cell[0], row * cell[1]
        image = _grid(path)
        part = image[
            round(y + cut[1] * cell[1]) : round(y + cut[3] * cell[1]),
            round(x + cut[0] * cell[0]) : round(x + cut[2] * cell[0]),
        ]
        return fit_face(_whiten(part))

    return _always(make)


def _sheets() -> list[ArtworkSource]:
    rows = (
        tuple(f"{n}p" for n in range(1, 10)),
        tuple(f"{n}s" for n in range(1, 10)),
        tuple(f"{n}m" for n in range(1, 10)),
        ("1q", "2q", "3q", "4q", "4z", "2z", "1z", "3z"),
        ("1f", "2f", "3f", "4f", "6z", "5z", "7z"),
    )
    real = {tile: (column, row) for row, tiles in enumerate(rows) for column, tile in enumerate(tiles)}
    long_row = (*_GNOME_ORDER, "2f", "3f", "1f", "4f", "5z", "1q", "2q", "3q", "4q")
    smooth = {tile: (column, 0) for column, tile in enumerate(long_row)}
    postmodern = {tile: (column, 0) for column, tile in enumerate(_GNOME_ORDER)}
    captioned = (*_GNOME_ORDER, "1q", "2q", "3q", "4q", "5z", "4f", "2f", "1f", "3f")
    dorothys = {tile: (index % 21, index // 21) for index, tile in enumerate(captioned)}
    pixels = (*_GNOME_ORDER[-9:], *_GNOME_ORDER[9:24], *_GNOME_ORDER[:9])
    drawn = {tile: (index % 21, index // 21) for index, tile in enumerate(pixels)} | {"5z": (16, 1)}
    table = (
        ("xmahjongg-real", 5.0, _XMAHJONGG / "real.gif", real, (59.0, 79.0), (0.06, 0.05, 0.95, 0.95)),
        ("xmahjongg-dorothys", 1.0, _XMAHJONGG / "dorwhite.gif", dorothys, (64.0, 80.0), (0.08, 0.05, 0.82, 0.86)),
        ("xmahjongg-gnome", 1.0, _XMAHJONGG / "gnome2.gif", drawn, (40.0, 56.0), (0.08, 0.06, 0.95, 0.94)),
        ("gnome-smooth", 1.5, _GNOME / "smooth.png", smooth, (96.0, 132.0), (0.1, 0.05, 0.9, 0.87)),
        ("gnome-postmodern", 1.5, _GNOME / "postmodern.svg", postmodern, (96.0, 132.0), (0.1, 0.03, 0.92, 0.85)),
    )
    return [
        ArtworkSource(name, weight, _sheet(path, order, cell, cut))
        for name, weight, path, order, cell, cut in table
        if path.is_file()
    ]


@lru_cache(maxsize=8)
def sources(folders: Folders = Folders()) -> tuple[ArtworkSource, ...]:
    """All sources whose files exist on this machine."""
    usable = [ArtworkSource("procedural", 9.0, _procedural), *_sheets()]
    if importlib.util.find_spec("resvg_py"):
        usable += [
            ArtworkSource(f"kde-{theme}", weight, _always(partial(_kde_face, theme)))
            for theme, weight in _KDE_WEIGHTS.items()
            if (_KDE / f"{theme}.svgz").is_file()
        ]
        if FACES_FOLDER.is_dir():
            usable.append(ArtworkSource("own", 2.5, _own))
    usable += [ArtworkSource(name, 0.6, _symbols(name)) for name, path in _SYMBOL_FONTS.items() if Path(path).is_file()]
    if folders.art:
        sets = (folder for folder in sorted(folders.art.iterdir()) if folder.is_dir())
        usable += [ArtworkSource(folder.name, 3.0, _always(partial(_drawn_face, folder))) for folder in sets]
    if folders.crops and (folders.crops / "crops.csv").is_file():
        usable.append(ArtworkSource("crops", 7.0, crop_faces(folders.crops), photographic=True))
    if folders.photos and (folders.photos / "labels/train").is_dir():
        usable += [
            ArtworkSource(f"photo-{family}", weight, photo_faces(folders.photos, family), photographic=True)
            for family, weight in (("jc", 4.0), ("rd", 4.0), ("pk", 3.0))
        ]
    return tuple(usable)
