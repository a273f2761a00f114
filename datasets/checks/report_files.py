"""The report of a check as a web page or a contact sheet. Thumbnails show the boxes of each finding.

The page about a whole set also has `sections`: states, sizes, agreement with the model, samples of each class.
"""

import base64
import html
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from tilescore.datasets.checks.agreement import Agreement
from tilescore.datasets.checks.dataset_check import Report
from tilescore.datasets.checks.finding import SEVERITIES, Finding, Place
from tilescore.datasets.labels import CLASS_NAMES, LabelledPicture
from tilescore.errors import InputError
from tilescore.files.outputs import check_output, write_whole
from tilescore.vision.arrays import Pixels
from tilescore.vision.image.marked import is_marked, save_marked
from tilescore.vision.image.photo import PhotoError, load_photo

_PAGE: Final = ".html"
_GENERATOR: Final = '<meta name="generator" content="Tilescore">'
"""The mark of our pages, by which a later run knows that it may replace one."""
_HEAD_BYTES: Final = 1000
"""The mark stands within this many bytes."""
CELL_WH: Final = (300, 240)
"""Width and height of a thumbnail in pixels."""
_COLUMNS: Final = 4
"""A row of the contact sheet has this many cells."""
_MAX_CELLS: Final = 60
_MAX_FINDINGS: Final = 300
"""A page describes at most this many findings."""
_MAX_PICTURES: Final = 6
"""A finding is shown with at most this many pictures."""
_CAPTION_PX: Final = 34
"""Height of a cell's caption in pixels."""
_TEXT_RGB: Final = (40, 40, 40)
_BOX_RGB: Final = (215, 40, 40)
_COLORS: Final = {"error": "#b3261e", "leak": "#b3261e", "suspect": "#8a5a00", "note": "#555"}
_STEPS_PX: Final = (16, 32, 64, 128, 256)
"""Long sides of tiles, in pixels, between which the report counts."""
_CSS: Final = """
body { font: 15px system-ui, sans-serif; margin: 2rem auto; max-width: 80rem; padding: 0 1rem; color: #222 }
table { border-collapse: collapse; margin: 1rem 0 }
td, th { padding: .2rem .6rem; text-align: right; border-bottom: 1px solid #ddd }
th:first-child, td:first-child { text-align: left }
.wide { overflow-x: auto }
article { border-top: 1px solid #ddd; padding: .8rem 0 }
figure { display: inline-block; margin: .4rem .6rem 0 0; vertical-align: top }
figcaption { font-size: 12px; max-width: 300px; overflow-wrap: anywhere }
img { max-width: 100%; border-radius: 4px }
td.bar { min-width: 8rem } td.bar i { display: block; height: .7rem; background: #0f6e56; border-radius: 2px }
"""


def check_report_output(path: Path, inputs: Iterable[Path], *, option: str = "--report") -> None:
    """Refuse, before any work, a name that means no kind of report or a place that must not be written.

    Raises:
        InputError: see `tilescore.files.outputs.check_output`.
    """
    if path.suffix.lower() not in (_PAGE, ".jpg", ".jpeg", ".png"):
        message = f"'{path}' is no name for a report: let it end in .html, .jpg or .png."
        raise InputError("bad_report_name", message, path=str(path))
    check_output(path, option=option, is_ours=_is_page if _is_page_name(path) else is_marked, inputs=inputs)


def save_report(report: Report, path: Path, *, sections: str = "", alike: Mapping[str, str] | None = None) -> None:
    """Write the report as a page (.html) or a contact sheet (.jpg, .png); raises InputError.

    A page shows the HTML of `sections` before the findings; `alike` says how far the model agrees with the labels of
    each class.
    """
    if _is_page_name(path):
        write_whole(path, _page(report, sections, alike or {}).encode())
    else:
        save_marked(contact_sheet(report), path)


def _is_page_name(path: Path) -> bool:
    return path.suffix.lower() == _PAGE


def _is_page(path: Path) -> bool:
    with path.open("rb") as file:
        return _GENERATOR.encode() in file.read(_HEAD_BYTES)


def contact_sheet(report: Report) -> Pixels:
    """RGB pixels: one cell for each picture of the gravest findings, at most sixty."""
    shown = [(finding, place) for finding in report.findings for place in finding.pictures[:_MAX_PICTURES]]
    cells = [_captioned(finding, place) for finding, place in shown[:_MAX_CELLS]]
    width, height = CELL_WH[0], CELL_WH[1] + _CAPTION_PX
    rows = -(-len(cells) // _COLUMNS)
    sheet = np.full((rows * height + _CAPTION_PX, _COLUMNS * width, 3), 255, np.uint8)
    for index, cell in enumerate(cells):
        top, left = _CAPTION_PX + index // _COLUMNS * height, index % _COLUMNS * width
        sheet[top : top + height, left : left + width] = cell
    total = sum(count.pictures for count in report.counts)
    more = f", {len(shown) - len(cells)} pictures more" if len(shown) > len(cells) else ""
    _write(sheet, f"{report.folder.name}: {total} pictures, {len(report.findings)} findings{more}", (8, 22), 0.6)
    return sheet


def thumbnail(place: Place) -> Pixels:
    """RGB pixels of a cell's size: the whole picture, or the part around the boxes of the place, drawn in red."""
    cell = np.full((CELL_WH[1], CELL_WH[0], 3), 236, np.uint8)
    try:
        photo = None if place.picture is None else load_photo(place.picture)
    except PhotoError:
        photo = None
    if photo is None:
        _write(cell, "cannot be shown", (70, CELL_WH[1] // 2), 0.5)
        return cell
    corners = np.array([box.xyxy for box in place.boxes], np.float64).reshape(-1, 4) / photo.scale
    far = 2.0 * max(photo.rgb.shape[:2])  # a damaged label may hold numbers that no drawing can
    corners = np.clip(corners, -far, far)
    left, top, right, bottom = _view(corners, photo.rgb.shape[1], photo.rgb.shape[0])
    part = photo.rgb[top:bottom, left:right]
    scale = min(CELL_WH[0] / part.shape[1], CELL_WH[1] / part.shape[0])
    width, height = max(1, int(part.shape[1] * scale)), max(1, int(part.shape[0] * scale))
    small = np.asarray(cv2.resize(part, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
    for x0, y0, x1, y1 in ((corners - [left, top, left, top]) * scale).round().astype(int).tolist():
        cv2.rectangle(small, (x0, y0), (x1, y1), _BOX_RGB, 2)
    y, x = (CELL_WH[1] - height) // 2, (CELL_WH[0] - width) // 2
    cell[y : y + height, x : x + width] = small
    return cell


def _view(corners: NDArray[np.float64], width: int, height: int) -> tuple[int, int, int, int]:
    """The part of the picture to show: the boxes with a margin of three box sizes, or the whole without boxes."""
    if not len(corners):
        return 0, 0, width, height
    margin = 3 * float(np.median(np.maximum(corners[:, 2] - corners[:, 0], corners[:, 3] - corners[:, 1])))
    low, high = corners[:, :2].min(axis=0) - margin, corners[:, 2:].max(axis=0) + margin
    left, top = (int(v) for v in np.clip(low, 0, [width - 1, height - 1]))
    right, bottom = (int(v) for v in np.clip(high, [left + 1, top + 1], [width, height]))
    return left, top, right, bottom


def _captioned(finding: Finding, place: Place) -> Pixels:
    caption = np.full((_CAPTION_PX, CELL_WH[0], 3), 255, np.uint8)
    _write(caption, f"{finding.code}: {finding.detail}"[:46], (4, 13), 0.38)
    _write(caption, place.name[-46:], (4, 27), 0.38)
    return np.vstack([thumbnail(place), caption])


def _write(canvas: Pixels, text: str, corner: tuple[int, int], size: float) -> None:
    plain = text.encode("ascii", "replace").decode()
    cv2.putText(canvas, plain, corner, cv2.FONT_HERSHEY_SIMPLEX, size, _TEXT_RGB, 1, cv2.LINE_AA)


def _page(report: Report, sections: str, alike: Mapping[str, str]) -> str:
    version = "not stamped" if report.version is None else f"version {report.version}"
    findings = "".join(_article(finding) for finding in report.findings[:_MAX_FINDINGS])
    more = len(report.findings) - _MAX_FINDINGS
    rest = f"<p>{more} findings more.</p>" if more > 0 else ""
    tally = ", ".join(f"{len(report.of(severity))} {severity}" for severity in SEVERITIES)
    name = html.escape(report.folder.name)
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8">{_GENERATOR}<title>{name}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{_CSS}</style>'
        f"<h1>{name}</h1><p>{report.format_name}, hash <code>{report.digest}</code>, {version}; {tally}.</p>"
        f"{_table(report, alike)}{sections}{'<h2>Findings</h2>' if sections else ''}{findings}{rest}</html>"
    )


def _table(report: Report, alike: Mapping[str, str]) -> str:
    """Pictures and boxes of each split, and the boxes of each class that has some."""
    counts = report.counts
    head = "".join(f"<th>{html.escape(count.split) or 'no split'}</th>" for count in counts)
    more = "<th>model agrees</th>" if alike else ""
    rows = [("pictures", [count.pictures for count in counts]), ("boxes", [count.boxes for count in counts])]
    rows += [(name, [count.classes[at] for count in counts]) for at, name in enumerate(CLASS_NAMES)]
    body = ""
    for name, numbers in rows:
        cells = [name, *map(str, numbers), *([alike.get(name, "")] if alike else [])]
        body += f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>" if any(numbers) else ""
    return f'<div class="wide"><table><tr><th></th>{head}{more}</tr>{body}</table></div>'


def _article(finding: Finding) -> str:
    where = ", ".join(finding.where[:_MAX_PICTURES]) + (" ..." if len(finding.where) > _MAX_PICTURES else "")
    figures = "".join(_figure(place, place.name) for place in finding.pictures[:_MAX_PICTURES])
    title = f'<b style="color:{_COLORS[finding.severity]}">{finding.code}</b> {html.escape(finding.detail)}'
    return f"<article>{title}<br><small>{html.escape(where)}</small><br>{figures}</article>"


def _figure(place: Place, caption: str) -> str:
    """A thumbnail of the place with a caption and its name, as HTML."""
    said = "" if caption == place.name else f"{html.escape(caption)}<br>"
    tag = _picture_tag(thumbnail(place), place.name)
    return f"<figure>{tag}<figcaption>{said}{html.escape(place.name)}</figcaption></figure>"


def _picture_tag(rgb: Pixels, text: str) -> str:
    """The pixels as a picture inside a page."""
    pixels = cv2.cvtColor(rgb, cv2.COLOR_RGB2BGR)
    data = base64.b64encode(bytes(cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, 80])[1])).decode()
    return f'<img alt="{html.escape(text, quote=True)}" src="data:image/jpeg;base64,{data}">'


def sections(pictures: Sequence[LabelledPicture], opinion: Agreement) -> str:
    """The sections as HTML."""
    return "".join((_states(pictures), _sizes(pictures), _suspects(opinion), _samples(opinion)))


def _states(pictures: Sequence[LabelledPicture]) -> str:
    checked = sum(picture.checked for picture in pictures)
    hidden = sum(bool(picture.hidden) for picture in pictures)
    rejected = sum(bool(picture.rejected) for picture in pictures)
    refused = f"; {rejected} are rejected" if rejected else ""
    left = f"; {hidden} have a label that cannot be used, and are left out of training" if hidden else ""
    return f"<p>{checked} of {len(pictures)} pictures are checked by a person{refused}{left}.</p>"


def _sizes(pictures: Sequence[LabelledPicture]) -> str:
    tiles = np.array([max(label.box.width, label.box.height) for picture in pictures for label in picture.boxes])
    sides = np.array([max(picture.size_wh) for picture in pictures])
    if not tiles.size:
        return ""
    low, middle, high = (f"{value:.0f}" for value in np.percentile(sides, (0, 50, 100)))
    counts = np.bincount(np.searchsorted(_STEPS_PX, tiles, side="right"), minlength=len(_STEPS_PX) + 1)
    edges = ("", *map(str, _STEPS_PX), "")
    rows = "".join(
        f"<tr><td>{_range(edges[at], edges[at + 1])}</td><td>{count}</td>"
        f'<td class="bar"><i style="width:{100 * count / counts.max():.0f}%"></i></td></tr>'
        for at, count in enumerate(counts.tolist())
    )
    return (
        f"<h2>Sizes</h2><p>Long side of the pictures: {low} to {high} pixels, median {middle}. "
        f"Tiles below 32 pixels are read less surely.</p>"
        f"<table><tr><th>long side of a tile</th><th>tiles</th><th></th></tr>{rows}</table>"
    )


def _range(low: str, high: str) -> str:
    if low and high:
        return f"{low} to {high} pixels"
    return f"below {high} pixels" if high else f"{low} pixels and more"


def _suspects(opinion: Agreement) -> str:
    """The agreement with the model, and the labels that it contradicts most."""
    if opinion.share is None:
        return ""
    total = sum(opinion.compared.values())
    said = f"The model names {opinion.share:.1%} of {total} labels alike, in {opinion.pictures} pictures."
    figures = "".join(
        _figure(case.place, f"labelled {case.labelled} ({case.own:.0%}), the model sees {case.seen} ({case.best:.0%})")
        for case in opinion.suspects
    )
    shown = f"<p>It contradicts these most:</p>{figures}" if figures else ""
    return f"<h2>Agreement with the model</h2><p>{said}</p>{shown}"


def _samples(opinion: Agreement) -> str:
    order = [*(name for name in CLASS_NAMES if name in opinion.samples), *sorted({*opinion.samples} - {*CLASS_NAMES})]
    figures = "".join(
        f"<figure>{_picture_tag(np.hstack(opinion.samples[name]), name)}<figcaption>{html.escape(name)}</figcaption>"
        "</figure>"
        for name in order
    )
    return f"<h2>Samples of each class</h2>{figures}" if figures else ""
