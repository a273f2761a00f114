"""All reference cases and the reference table of three-player riichi, as text lines and as values."""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING, Any

import pytest

from tilescore.scoring.game.stream import score_lines, settle_lines
from tilescore.scoring.riichi3.ruleset import Riichi3

if TYPE_CHECKING:
    from pathlib import Path

    Answer = dict[str, Any]

pytestmark = pytest.mark.shared
COUNTS = {"sanma.jsonl": 84, "settle_efg.jsonl": 8}


@pytest.mark.parametrize("name", COUNTS)
def test_everything_expected(shared: Path, name: str) -> None:
    lines = (shared / "cases" / name).read_text(encoding="utf-8").splitlines()
    cases = [case for case in map(json.loads, lines) if case["ruleset"] == "riichi3"]
    assert len(cases) == COUNTS[name]
    for case in cases:
        stream = score_lines if "hand" in case else settle_lines
        given = case["hand"] if "hand" in case else case["settle"]
        answer = json.loads(next(stream("riichi3", [json.dumps(given)])))
        assert {key: found(key, answer) for key in case["expected"]} == case["expected"], case["id"]
    print(f"{name}: {len(cases)} of {len(cases)} cases as expected")  # noqa: T201  # the promise, with `pytest -s`


def found(key: str, answer: Answer) -> Any:
    """The value that a case names."""
    if key == "lines":
        return [[line["number"], line["count"], line["value"]] for line in answer["lines"]]
    return answer[key]["code"] if key in ("reason", "error") else answer[key]


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
