"""Sections of the report about a whole set: states, sizes, agreement with the model, samples of each class."""

import html
from collections.abc import Sequence
from typing import Final

import numpy as np

from tilescore.datasets.checks.agreement import Agreement
from tilescore.datasets.checks.report_files import figure, picture_tag
from tilescore.datasets.labels import CLASS_NAMES, LabelledPicture

_STEPS_PX: Final = (16, 32, 64, 128, 256)
"""Long sides of tiles, in pixels, between which the report counts."""


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
        figure(case.place, f"labelled {case.labelled} ({case.own:.0%}), the model sees {case.seen} ({case.best:.0%})")
        for case in opinion.suspects
    )
    shown = f"<p>It contradicts these most:</p>{figures}" if figures else ""
    return f"<h2>Agreement with the model</h2><p>{said}</p>{shown}"


def _samples(opinion: Agreement) -> str:
    order = [*(name for name in CLASS_NAMES if name in opinion.samples), *sorted({*opinion.samples} - {*CLASS_NAMES})]
    figures = "".join(
        f"<figure>{picture_tag(np.hstack(opinion.samples[name]), name)}<figcaption>{html.escape(name)}</figcaption>"
        "</figure>"
        for name in order
    )
    return f"<h2>Samples of each class</h2>{figures}" if figures else ""
