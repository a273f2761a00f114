"""The faces of tiles: our own drawings, game art, scans."""

from pathlib import Path
from typing import Final

FACES: Final = Path(__file__).resolve().parent / "faces_svg"
"""Our own drawings: one SVG a tile, named by its text."""
