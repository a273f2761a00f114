"""Change the rules one place at a time and list the changes that no test notices.

    python -m tests.mutation
    python -m tests.mutation --only scoring/plausibility.py --most 40

A mutant is a copy of `scoring/` with one changed comparison, constant, `and`, `not` or boolean. The tests of its module
run on it; a mutant survives if they all pass. A survivor is either a missing case or a change without effect.
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
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
_GAME: Final = ("game/test_endings.py", "game/test_ledger.py")
_RIICHI: Final = ("riichi/test_profiles.py", "riichi/test_riichi_points.py", "riichi/test_riichi_yaku.py")
TESTS: Final = {
    "scoring/plausibility.py": ("test_plausibility.py",),
    "scoring/completion.py": ("test_completion.py", "game/test_stream.py"),
    "scoring/game/standings.py": _GAME,
    "scoring/game/progression.py": _GAME,
    "scoring/game/sticks.py": _GAME,
    "scoring/riichi/settlement.py": (*_RIICHI, "test_completion.py"),
    "scoring/riichi/points.py": _RIICHI,
    "scoring/mcr/settlement.py": ("mcr/test_mcr.py", "game/test_endings.py"),
    "scoring/classical/settlement.py": ("test_settlement.py", "test_completion.py"),
}
"""The tests of each module, in tests/scoring."""
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
    """Try the mutants and print the survivors; the exit status is 1 if there are any."""
    parser = argparse.ArgumentParser(description="Change the rules one place at a time.")
    parser.add_argument("--only", choices=TESTS, action="append", help="this module; may be repeated")
    parser.add_argument("--most", type=int, default=0, help="try so many mutants of each module, chosen at random")
    wanted = parser.parse_args()
    survivors = 0
    with tempfile.TemporaryDirectory(prefix="tilescore-mutants-") as folder:
        package = _copy(Path(folder))
        for name in wanted.only or TESTS:
            survivors += _try_module(package, name, most=wanted.most)
    sys.exit(survivors > 0)


def _copy(folder: Path) -> Path:
    """The package with a copy of `scoring/` and links to the other rooms."""
    package = folder / "tilescore"
    package.mkdir()
    shutil.copytree(ROOT / "scoring", package / "scoring", ignore=shutil.ignore_patterns("__pycache__"))
    for room in ("base", "vision", "datasets", "models", "ui"):
        (package / room).symlink_to(ROOT / room)
    return package


def _try_module(package: Path, name: str, *, most: int) -> int:
    source = (ROOT / name).read_text(encoding="utf-8")
    counter = _Changer(-1)
    counter.visit(ast.parse(source))
    numbers = list(range(counter.places))
    if most and most < len(numbers):
        numbers = sorted(random.Random(name).sample(numbers, most))
    place, survivors = package.parent / "tilescore" / name, 0
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
    paths = [str(ROOT / "tests" / "scoring" / test) for test in tests]
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-m", "not hypothesis", *paths]
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
