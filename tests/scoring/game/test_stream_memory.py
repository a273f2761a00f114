"""`score-hands` keeps no line that it has answered: many lines need no more memory than few."""

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

from tests.harness.mcr_hands import random_win
from tilescore.scoring.ruleset import RULESETS

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[3]
LONG = os.environ.get("TILESCORE_LONG") == "1"
FEW, MANY, GROWTH = (20_000, 100_000, 1.1) if LONG else (500, 5_000, 1.15)
"""Numbers of lines, and the growth that bounded caches may cause."""
# The peak memory of this process alone: the peak that the kernel reports to a parent includes the parent.
CODE = """
import sys
from tilescore.ui.cli.main import main
try:
    main()
finally:
    sys.stderr.write(open("/proc/self/status").read().split("VmHWM:")[1].split()[0])
"""
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the peak is read from /proc")


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
    """The peak memory in kilobytes of scoring this file; every line must have its answer."""
    command = [sys.executable, "-c", CODE, "score-hands", "--json", "--ruleset", ruleset, str(path)]
    answers = path.with_suffix(f".{ruleset}")
    with answers.open("w") as out:
        done = subprocess.run(command, cwd=ROOT, stdout=out, stderr=subprocess.PIPE, check=True)  # noqa: S603
    with answers.open() as out, path.open() as given:
        assert sum(1 for _ in out) == sum(1 for _ in given)
    return int(done.stderr)


@pytest.mark.random
@pytest.mark.parametrize("ruleset", RULESETS if LONG else ("mcr", "riichi"))
def test_many_lines_need_no_more_memory_than_few(files: tuple[Path, Path], ruleset: str) -> None:
    few, many = (peak(ruleset, path) for path in files)
    assert many <= few * GROWTH, (few, many)
