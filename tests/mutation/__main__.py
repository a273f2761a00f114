"""Change the code one place at a time and list the changes that no fast test notices.

    python -m tests.mutation --most 20                                    # of each module
    python -m tests.mutation --only scoring/plausibility.py --only scoring/deal/completion.py
    python -m tests.mutation --room vision --total 200 --least 85         # of all modules together, in percent

A mutant is a copy of a room with one changed comparison, constant, `and`, `not` or boolean. The tests of its module run
on it; a mutant survives if they all pass. A survivor is either a missing case or a change without effect.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

ROOT: Final = Path(__file__).resolve().parents[2]
_GAME: Final = (
    "game/test_endings.py",
    "game/test_ledger.py",
    "riichi3/test_riichi3_game.py",
    "faan/test_faan_ledger.py",
)
_RIICHI: Final = ("riichi/test_profiles.py", "riichi/test_riichi_points.py", "riichi/test_riichi_yaku.py")
_RIICHI3: Final = ("riichi3/test_riichi3_points.py", "riichi3/test_riichi3_yaku.py")
_FAAN: Final = ("faan/test_faan_settlement.py", "faan/test_hongkong.py", "faan/test_taiwan.py")
_RULES: Final = {
    "scoring/plausibility.py": ("test_plausibility.py", "riichi3/test_riichi3_yaku.py"),
    "scoring/deal/completion.py": ("test_completion.py", "game/test_stream.py"),
    "scoring/game/standings.py": _GAME,
    "scoring/progression.py": _GAME,
    "scoring/game/sticks.py": _GAME,
    "scoring/han/settlement.py": (*_RIICHI, "test_completion.py", *_RIICHI3),
    "scoring/riichi/points.py": (*_RIICHI, *_RIICHI3),
    "scoring/riichi3/checks.py": _RIICHI3,
    "scoring/riichi3/results.py": _RIICHI3,
    "scoring/faan/count.py": _FAAN,
    "scoring/faan/rules.py": _FAAN,
    "scoring/faan/settlement.py": _FAAN,
    "scoring/mcr/settlement.py": ("mcr/test_mcr.py", "game/test_endings.py"),
    "scoring/classical/settlement.py": ("test_settlement.py", "test_completion.py"),
}
"""The tests of modules of scoring/, in tests/scoring."""
_PHOTOS: Final = {
    "vision/layout": ("layout/test_measured.py", "layout", "decoding/test_reading.py"),
    "vision/decoding": ("decoding", "test_reader.py"),
    "vision/classification/fusion.py": ("classification/test_fusion.py", "classification/test_cascade.py"),
}
"""The tests of modules and folders of vision/, in tests/vision."""


def _modules() -> dict[str, tuple[str, ...]]:
    """The paths of the tests of each module."""
    found = {name: tuple(f"tests/scoring/{test}" for test in tests) for name, tests in _RULES.items()}
    for name, tests in _PHOTOS.items():
        for path in sorted((ROOT / name).glob("*.py")) or [ROOT / name]:
            found[str(path.relative_to(ROOT))] = tuple(f"tests/vision/{test}" for test in tests)
    return found


TESTS: Final = _modules()
_SWAPS: Final[dict[type[ast.AST], type[ast.AST]]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.And: ast.Or, ast.Or: ast.And,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult,
}  # fmt: skip
_LIMIT_S: Final = 120


class _Changer(ast.NodeTransformer):
    """Changes the place with one number; `places` counts those that can be changed."""

    def __init__(self, wanted: int) -> None:
        self.wanted = wanted
        self.places = 0
        self.what = ""

    def _here(self, node: ast.AST, what: str) -> bool:
        self.places += 1
        if self.places - 1 != self.wanted:
            return False
        self.what = f"line {getattr(node, 'lineno', '?')}: {what}"
        return True

    def _swap(self, operator: ast.AST, node: ast.AST) -> ast.AST:
        other = _SWAPS.get(type(operator))
        if other is None or not self._here(node, f"{type(operator).__name__} -> {other.__name__}"):
            return operator
        return other()

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        """Change an operator of a comparison."""
        self.generic_visit(node)
        node.ops = [self._swap(one, node) for one in node.ops]  # type: ignore[misc]  # operators stay operators
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        """Change `and` to `or` and back."""
        self.generic_visit(node)
        node.op = self._swap(node.op, node)  # type: ignore[assignment]  # an operator stays an operator
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        """Change an operator of numbers; unions of flags stay."""
        self.generic_visit(node)
        node.op = self._swap(node.op, node)  # type: ignore[assignment]  # an operator stays an operator
        return node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        """Leave out a `not`."""
        self.generic_visit(node)
        if isinstance(node.op, ast.Not) and self._here(node, "not left out"):
            return node.operand
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        """Turn a boolean round, and add one to a whole number."""
        if isinstance(node.value, bool) and self._here(node, f"{node.value} turned round"):
            return ast.copy_location(ast.Constant(not node.value), node)
        if isinstance(node.value, int) and not isinstance(node.value, bool) and self._here(node, f"{node.value} + 1"):
            return ast.copy_location(ast.Constant(node.value + 1), node)
        return node

    def visit_keyword(self, node: ast.keyword) -> ast.AST:
        """Leave `strict=True` alone: it guards against faults of the caller."""
        return node if node.arg == "strict" else self.generic_visit(node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        """Leave messages alone."""
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        """Leave decorators alone: they are not rules."""
        node.body = [self.visit(statement) for statement in node.body]
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """Leave decorators alone: sizes of caches change nothing."""
        node.body = [self.visit(statement) for statement in node.body]
        return node


def main() -> None:
    """Try the mutants and print the survivors; the exit status is 1 if fewer are noticed than asked for."""
    parser = argparse.ArgumentParser(description="Change the code one place at a time.")
    parser.add_argument("--only", choices=TESTS, action="append", help="this module; may be repeated")
    parser.add_argument("--room", choices=("scoring", "vision"), help="the modules of this room")
    parser.add_argument("--most", type=int, default=0, help="try so many mutants of each module, chosen at random")
    parser.add_argument("--total", type=int, default=0, help="try so many mutants of all modules together")
    parser.add_argument("--seed", type=int, default=41, help="of the choice among all modules")
    parser.add_argument("--least", type=float, default=100, help="percent that the tests must notice")
    wanted = parser.parse_args()
    names = wanted.only or [name for name in TESTS if name.startswith(wanted.room or "")]
    chosen = {name: _chosen(name, most=wanted.most) for name in names}
    if wanted.total:
        places = [(name, number) for name, numbers in chosen.items() for number in numbers]
        drawn = random.Random(wanted.seed).sample(places, min(wanted.total, len(places)))
        chosen = {name: sorted(number for other, number in drawn if other == name) for name in names}
    with tempfile.TemporaryDirectory(prefix="tilescore-mutants-") as folder:
        package = _copy(Path(folder))
        survivors = sum(_try_module(package, name, numbers) for name, numbers in chosen.items())
    tried = sum(map(len, chosen.values()))
    noticed = 100 * (tried - survivors) / max(1, tried)
    print(f"{tried - survivors} of {tried} mutants noticed: {noticed:.1f} %")
    sys.exit(noticed < wanted.least)


def _copy(folder: Path) -> Path:
    """The package with copies of the rooms that change and links to the others."""
    package = folder / "tilescore"
    shutil.copytree(ROOT / "tilescore", package, ignore=shutil.ignore_patterns("__pycache__"))
    for room in ("scoring", "vision"):
        shutil.copytree(ROOT / room, package / room, ignore=shutil.ignore_patterns("__pycache__"))
    for room in ("datasets", "models", "ui"):
        (package / room).symlink_to(ROOT / room)
    return package


def _chosen(name: str, *, most: int) -> list[int]:
    """The numbers of the places to change in a module."""
    counter = _Changer(-1)
    counter.visit(ast.parse((ROOT / name).read_text(encoding="utf-8")))
    numbers = list(range(counter.places))
    return sorted(random.Random(name).sample(numbers, most)) if 0 < most < len(numbers) else numbers


def _try_module(package: Path, name: str, numbers: Sequence[int]) -> int:
    source = (ROOT / name).read_text(encoding="utf-8")
    place, survivors = package / name, 0
    for number in numbers:
        changer = _Changer(number)
        tree = ast.fix_missing_locations(changer.visit(ast.parse(source)))
        place.write_text(ast.unparse(tree), encoding="utf-8")
        if _pass(package.parent, TESTS[name]):
            survivors += 1
            print(f"{name} {changer.what}", flush=True)
    place.write_text(source, encoding="utf-8")
    print(f"{name}: {len(numbers) - survivors} of {len(numbers)} mutants noticed", flush=True)
    return survivors


def _pass(folder: Path, tests: tuple[str, ...]) -> bool:
    """Whether the tests pass on this copy; one that does not end has noticed the mutant."""
    # Neither Python nor pytest may put the repository before the copy on the path.
    command = [sys.executable, "-P", "-m", "pytest", "-o", f"pythonpath={folder}", "-q", "-x", "-p", "no:cacheprovider"]
    command += ["-m", "not hypothesis", *tests]
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join((str(folder), str(ROOT))),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    try:
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, timeout=_LIMIT_S, check=False)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


if __name__ == "__main__":
    main()
