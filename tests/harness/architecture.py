"""Draw docs/architecture.svg, the imports between our packages: `python -m tests.harness.architecture`."""

import ast
import sys
from functools import cache
from html import escape
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
PICTURE: Final = ROOT / "docs" / "architecture.svg"
PACKAGES: Final = {
    "ui": ("command line, app, words", 20, 20),
    "models": ("networks: shipped, trained, measured", 20, 140),
    "datasets": ("labels, formats, rendered scenes", 400, 140),
    "vision": ("pixels to a hand and its doubts", 20, 260),
    "scoring": ("rules only: hands, points, payments", 20, 380),
    "tilescore": ("errors, files, processes", 20, 500),
}
"""The purpose of each package, and the corner (x, y) of its box in pixels. All others stand on `tilescore`."""
FACE: Final = ("__init__", "__main__", "face")
"""The modules of `tilescore` that stand before all packages."""
_SIZE: Final = (300, 70)
_FOREIGN: Final = {
    "cv2": "OpenCV", "onnxruntime": "onnxruntime", "streamlit": "Streamlit", "typer": "typer",
    "numpy": "numpy", "torch": "torch", "ultralytics": "ultralytics", "pi_heif": "libheif", "distributed": "Dask",
}  # fmt: skip
"""The foreign packages that the picture names."""


def module_name(path: Path) -> str:
    """The import name of that file."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts if parts[0] == "tilescore" else ("tilescore", *parts)).removesuffix(".__init__")


def package_of(name: str) -> str:
    """The package that a module of ours belongs to; "" for the public face and for foreign modules."""
    parts = name.split(".")
    if parts[0] != "tilescore" or parts[1:] in ([], *([module] for module in FACE)):
        return ""
    return parts[1] if parts[1] in PACKAGES else "tilescore"


def modules(package: str) -> list[Path]:
    """The files of a package, without the public face."""
    return [path for path in sorted((ROOT / package).rglob("*.py")) if package_of(module_name(path)) == package]


@cache
def imported(path: Path) -> frozenset[str]:
    """The full names of all modules that the file imports anywhere; of our modules, those that exist."""
    names = set[str]()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            submodules = {f"{node.module}.{alias.name}" for alias in node.names} & _modules()
            names |= submodules or {node.module}
    return frozenset(names)


@cache
def _modules() -> frozenset[str]:
    return frozenset(module_name(path) for package in PACKAGES for path in (ROOT / package).rglob("*.py"))


def picture() -> str:
    """The SVG: a box for each package and an arrow to each import, without arrows that a longer path repeats."""
    found = {package: frozenset().union(*map(imported, modules(package))) for package in PACKAGES}
    arrows = {package: set(map(package_of, names)) - {package, ""} for package, names in found.items()}
    parts = []
    for package, others in arrows.items():
        beyond = {far for other in others for far in _reached(other, arrows)}
        parts += [_arrow(package, other) for other in sorted(others - beyond)]
    for package, (purpose, x, y) in PACKAGES.items():
        outside = {name.split(".")[0] for name in found[package]}
        foreign = ", ".join(name for key, name in _FOREIGN.items() if key in outside)
        parts.append(
            f'<rect x="{x}" y="{y}" width="{_SIZE[0]}" height="{_SIZE[1]}" rx="8" fill="#f0ede0" stroke="#0b6b4b"/>'
        )
        texts = ((package, 'font-weight="bold" font-size="15"'), (purpose, ""), (foreign, 'fill="#777"'))
        parts += [
            f'<text x="{x + 12}" y="{y + 22 + 19 * place}" {style}>{escape(text)}</text>'
            for place, (text, style) in enumerate(texts)
        ]
    head = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="720" height="590" viewBox="0 0 720 590" '
        'font-family="sans-serif" font-size="12.5" fill="#222">'
        '<defs><marker id="tip" markerWidth="9" markerHeight="9" refX="8" refY="4" orient="auto">'
        '<path d="M0 0L9 4L0 8z" fill="#0b6b4b"/></marker></defs><rect width="100%" height="100%" fill="#fff"/>'
    )
    return "\n".join([head, *parts, "</svg>", ""])


def _reached(package: str, arrows: dict[str, set[str]]) -> set[str]:
    return arrows[package] | {far for other in arrows[package] for far in _reached(other, arrows)}


def _arrow(start: str, end: str) -> str:
    (_, x0, y0), (_, x1, y1) = PACKAGES[start], PACKAGES[end]
    wide, high = _SIZE
    ends = (x0 + wide / 2 + (x1 - x0) / 4, float(y0 + high), x1 + wide / 2 - (x1 - x0) / 4, float(y1))
    if y0 == y1:
        ends = (float(x0 + wide), y0 + high / 2, float(x1), y1 + high / 2)
    line = 'x1="{:.0f}" y1="{:.0f}" x2="{:.0f}" y2="{:.0f}"'.format(*ends)
    return f'<line {line} stroke="#0b6b4b" stroke-width="1.5" marker-end="url(#tip)"/>'


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
    sys.stderr.write(f"wrote {PICTURE.relative_to(ROOT)}\n")
