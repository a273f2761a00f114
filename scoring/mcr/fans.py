"""The 81 fans in rule-book order, number 57 in its two forms."""

from typing import Final

from tilescore.scoring.mcr import fans_4_to_1, fans_16_to_6, fans_88_to_24
from tilescore.scoring.mcr.registry import Fan, entered

FILES: Final = (fans_88_to_24, fans_16_to_6, fans_4_to_1)
"""The modules of the fans; importing them registers the fans."""
FANS: Final[tuple[Fan, ...]] = entered()
"""1 Big Four Winds … 81 Flower Tiles."""
