"""`score-hands` keeps nothing of the lines that have passed: many need no more memory than few."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from mcr_hands import random_win

from scoring.ruleset import RULESET_NAMES

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[2]
LONG = os.environ.get("TILESCORE_LONG") == "1"
FEW, MANY = 500, 100_000 if LONG else 5_000
GROWTH = 1.15 if LONG else 1.05
"""What the tables of suit patterns may add, which fill as ever new hands pass."""
SCORE = [sys.executable, "-c", "from ui.cli import main; main()", "score-hands", "--json", "--ruleset"]


def lines() -> Iterator[str]:
    """Random winning hands without end."""
    dice, number = random.Random(5), 0
    while True:
        hand, context = random_win(dice)
        number += 1
        yield json.dumps({"id": number, **hand.to_json(), **context.to_json()}) + "\n"


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("hands")
    few, many = folder / "few.jsonl", folder / "many.jsonl"
    with many.open("w") as file:
        file.writelines(islice(lines(), MANY))
    with few.open("w") as file:
        file.writelines(islice(lines(), FEW))
    return few, many


def peak(ruleset: str, path: Path) -> int:
    """Most memory that scoring this file takes, in the system's unit; every line must have its answer."""
    answers = path.with_suffix(".out")
    with answers.open("w") as out:
        process = subprocess.Popen([*SCORE, ruleset, str(path)], cwd=ROOT, stdout=out)  # noqa: S603
        _, status, usage = os.wait4(process.pid, 0)
    assert status == 0
    with answers.open() as out, path.open() as given:
        assert sum(1 for _ in out) == sum(1 for _ in given)
    return usage.ru_maxrss


@pytest.mark.parametrize("ruleset", RULESET_NAMES if LONG else ("mcr", "riichi"))
def test_many_lines_need_no_more_memory_than_few(files: tuple[Path, Path], ruleset: str) -> None:
    few, many = (peak(ruleset, path) for path in files)
    assert many <= few * GROWTH, (few, many)
