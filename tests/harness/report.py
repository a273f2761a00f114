"""Write the page of figures, `benchmarks/REPORT.md`, and its charts as SVG files beside it."""

from __future__ import annotations

import os
import platform
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime
from html import escape
from importlib import metadata
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tests.harness.figures import Figure, show, written

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

FOLDER: Final = Path(__file__).resolve().parents[2] / "benchmarks"
_WIDTH: Final = 720
_LABEL: Final = 330
_ROW: Final = 24


@dataclass(frozen=True, slots=True)
class Section:
    """The figures under one heading."""

    title: str  # the heading
    # the functions that measure; a function gives no figures if this machine cannot measure them
    measures: tuple[Callable[[], list[Figure]], ...]
    chart: str = ""  # the beginning of the names of figures that a chart shows as well; no chart if empty
    figures: tuple[Figure, ...] = field(default=())  # the measured figures

    def measured(self) -> Section:
        """Measure and print the figures; gives the section with its figures.

        A fresh process measures, because modules that other sections loaded would slow it down.
        """
        print(f"\n== {self.title}", flush=True)
        with ProcessPoolExecutor(1, get_context("spawn")) as fresh:
            figures = tuple(figure for measure in self.measures for figure in fresh.submit(measure).result())
        show(figures)
        return Section(self.title, self.measures, self.chart, figures)


def write_report(sections: Sequence[Section], *, minutes: float, folder: Path = FOLDER) -> Path:
    """Write the page and its charts; gives the path of the page."""
    figures = [figure for section in sections for figure in section.figures]
    missed = [figure for figure in figures if not figure.good]
    promised = sum(bool(figure.bound) for figure in figures)
    lines = [
        "# What Tilescore reaches",
        "",
        f"Written by `make bench`, {datetime.now(UTC):%d %B %Y}, in {minutes:.1f} minutes on {_machine()}.",
        f"Kept promises: {promised - len(missed)} of {promised}.",
        "",
        *(f"- missed: {figure.name}, {written(figure.value)} instead of {figure.bound}" for figure in missed),
    ]
    for section in sections:
        lines += ["", f"## {section.title}", ""]
        if not section.figures:
            lines.append("Not measured: this machine lacks what the measurement needs.")
            continue
        charted = [figure for figure in section.figures if section.chart and figure.name.startswith(section.chart)]
        if charted:
            name = f"report_{section.title.split()[-1].lower()}.svg"
            (folder / name).write_text(bars(charted, start=section.chart), encoding="utf-8")
            lines += [f"![{section.title}]({name})", ""]
        lines += ["| figure | measured | promised |", "|---|---|---|"]
        lines += [f"| {figure.name} | {written(figure.value)} | {_promise(figure)} |" for figure in section.figures]
    page = folder / "REPORT.md"
    page.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return page


def bars(figures: Sequence[Figure], *, start: str) -> str:
    """An SVG with one horizontal bar for each figure, named without that beginning.

    >>> bars([Figure("s: a < b", 2.0)], start="s: ").count("<rect")
    2
    """
    most = max(figure.value for figure in figures) or 1.0
    rows = []
    for place, figure in enumerate(figures):
        middle = _ROW * place + 17
        long = (_WIDTH - _LABEL - 70) * figure.value / most
        rows += [
            f'<text x="{_LABEL - 8}" y="{middle}" text-anchor="end">{escape(figure.name.removeprefix(start))}</text>',
            f'<rect x="{_LABEL}" y="{middle - 12}" width="{long:.0f}" height="16" rx="2" fill="#2b7a5b"/>',
            f'<text x="{_LABEL + long + 6:.0f}" y="{middle}">{written(figure.value)}</text>',
        ]
    height = _ROW * len(figures) + 8
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height}" '
        f'viewBox="0 0 {_WIDTH} {height}" font-family="sans-serif" font-size="12" fill="#222">'
    )
    return "\n".join([head, '<rect width="100%" height="100%" fill="#fff"/>', *rows, "</svg>", ""])


def _promise(figure: Figure) -> str:
    return figure.bound + ("" if figure.good else ", **missed**")


def _machine() -> str:
    """The cores, the processor and the versions of Python and onnxruntime, as far as the system reports them."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.exists() else []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    model = names[0] if names else platform.machine()
    return (
        f"{os.cpu_count()} cores ({model}), Python {platform.python_version()}, "
        f"onnxruntime {metadata.version('onnxruntime')}"
    )
