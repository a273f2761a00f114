"""Sources of tile faces: our own drawings, game art, scans."""

from pathlib import Path
from typing import Final

FACES_FOLDER: Final = Path(__file__).resolve().parent / "faces_svg"
"""Folder of our own drawings: one SVG for each tile, named by the tile's text."""
