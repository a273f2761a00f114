"""The yaku of document 004 (scoring/sources.md), from `yaku.csv`."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Yaku:
    """One row of `yaku.csv`: key without prefix, han closed and open, one sentence, and its place in the order."""

    key: str
    closed: int
    open: int
    text: str
    place: int

    @property
    def value(self) -> str:
        """Han as document 004 prints them: `2/1` closed and open, `1/0` closed only, `2` for both."""
        return str(self.closed) if self.closed == self.open else f"{self.closed}/{self.open}"


@cache
def yaku_table() -> Mapping[str, Yaku]:
    """Every yaku and the dora by key, in the order of document 004."""
    with Path(__file__).with_name("yaku.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return {
        row["key"]: Yaku(row["key"], int(row["closed"]), int(row["open"]), row["text"], place)
        for place, row in enumerate(rows)
    }
