"""The reference table of three-player riichi; tests/scoring/test_shared_cases.py reads its cases."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

import pytest

from tilescore.scoring.riichi3.ruleset import Riichi3

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.shared


def test_the_table(shared: Path) -> None:
    """Numbers, keys, names and han are those of the reference table, where `-` is a yaku of closed hands only."""
    with (shared / "rules" / "sanma.csv").open(encoding="utf-8") as file:
        rows = {row["key"]: row for row in csv.DictReader(file)}
    entries = {entry.key: entry for entry in Riichi3().rules() if entry.number is not None}
    assert list(entries) == list(rows)
    for key, row in rows.items():
        entry = entries[key]
        assert (entry.number, entry.names["en"], entry.names["ja"]) == (
            row["number"],
            row["name_en"],
            row["name_native"],
        )
        closed, _, opened = row["value"].partition("/")
        assert entry.value.partition("/")[0] == closed
        if opened:
            assert (entry.value.partition("/")[2] or closed) == opened.replace("-", "0"), key
