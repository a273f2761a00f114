"""Draw docs/architecture.svg, which room imports which, from the code: `python -m benchmarks.architecture`."""

from __future__ import annotations

import ast
import sys
from html import escape
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
PICTURE: Final = ROOT / "docs" / "architecture.svg"
_ROOMS: Final = {
    "ui": ("command line, app, words", 20, 20),
    "models": ("networks: shipped, trained, judged", 20, 140),
    "datasets": ("labels, formats, rendered scenes", 400, 140),
    "vision": ("pixels to a hand and its doubts", 20, 260),
    "scoring": ("rules only: hands, points, payments", 20, 380),
}
"""What each is for, and where its box stands."""
_SIZE: Final = (300, 70)
_FOREIGN: Final = {
    "cv2": "OpenCV", "onnxruntime": "onnxruntime", "streamlit": "Streamlit", "typer": "typer", "mahjong": "mahjong",
    "numpy": "numpy", "torch": "torch", "ultralytics": "ultralytics", "pi_heif": "libheif",
}  # fmt: skip
"""Packages worth naming."""


def imported(path: Path) -> set[str]:
    """The first names of everything that file imports, wherever in it."""
    names = set[str]()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module.split(".")[0])
    return names


def picture() -> str:
    """The SVG: a box a room, an arrow for each room that it imports; one that only repeats a longer way is left out."""
    found = {room: set[str]().union(*map(imported, (ROOT / room).rglob("*.py"))) for room in _ROOMS}
    arrows = {room: (found[room] & _ROOMS.keys()) - {room} for room in _ROOMS}
    parts = []
    for room, others in arrows.items():
        beyond = {far for other in others for far in _reached(other, arrows)}
        parts += [_arrow(room, other) for other in sorted(others - beyond)]
    for room, (purpose, x, y) in _ROOMS.items():
        foreign = ", ".join(name for package, name in _FOREIGN.items() if package in found[room])
        parts.append(
            f'<rect x="{x}" y="{y}" width="{_SIZE[0]}" height="{_SIZE[1]}" rx="8" fill="#f0ede0" stroke="#0b6b4b"/>'
        )
        lines = ((room, 'font-weight="bold" font-size="15"'), (purpose, ""), (foreign, 'fill="#777"'))
        parts += [
            f'<text x="{x + 12}" y="{y + 22 + 19 * place}" {style}>{escape(text)}</text>'
            for place, (text, style) in enumerate(lines)
        ]
    head = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="720" height="470" viewBox="0 0 720 470" '
        'font-family="sans-serif" font-size="12.5" fill="#222">'
        '<defs><marker id="tip" markerWidth="9" markerHeight="9" refX="8" refY="4" orient="auto">'
        '<path d="M0 0L9 4L0 8z" fill="#0b6b4b"/></marker></defs><rect width="100%" height="100%" fill="#fff"/>'
    )
    return "\n".join([head, *parts, "</svg>", ""])


def _reached(room: str, arrows: dict[str, set[str]]) -> set[str]:
    return arrows[room] | {far for other in arrows[room] for far in _reached(other, arrows)}


def _arrow(start: str, end: str) -> str:
    (_, x0, y0), (_, x1, y1) = _ROOMS[start], _ROOMS[end]
    wide, high = _SIZE
    ends = (x0 + wide / 2 + (x1 - x0) / 4, float(y0 + high), x1 + wide / 2 - (x1 - x0) / 4, float(y1))
    if y0 == y1:
        ends = (float(x0 + wide), y0 + high / 2, float(x1), y1 + high / 2)
    line = 'x1="{:.0f}" y1="{:.0f}" x2="{:.0f}" y2="{:.0f}"'.format(*ends)
    return f'<line {line} stroke="#0b6b4b" stroke-width="1.5" marker-end="url(#tip)"/>'


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
    sys.stderr.write(f"wrote {PICTURE.relative_to(ROOT)}\n")
