"""The 81 fans in rule-book order, number 57 in its two forms."""

from __future__ import annotations

from typing import Final

from scoring.mcr import fans_4_to_1, fans_16_to_6, fans_88_to_24
from scoring.mcr.registry import ROWS, Fan, entered

FANS: Final[tuple[Fan, ...]] = entered()
"""1 Big Four Winds … 81 Flower Tiles."""

_MODULES: Final = (fans_88_to_24, fans_16_to_6, fans_4_to_1)  # importing them enters their fans
if [fan.row for fan in FANS] != list(ROWS.values()):
    raise ImportError(f"{_MODULES}: a fan of fans.csv has no function.")
