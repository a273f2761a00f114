"""No module outside a ruleset's own folder knows its name, its class, its code, or an option by its name.

`Ruleset` and `Traits` say what a game is like.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tests.harness.architecture import PACKAGES, ROOT, imported
from tilescore.scoring.house import HOUSE
from tilescore.scoring.ruleset import RULESETS, ruleset

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ROOMS = ("mcr", "riichi", "riichi3", "han", "classical", "faan")
"""The folders of rulesets in `scoring`."""
OWN = {ROOT / "scoring" / folder for folder in ROOMS}
REGISTRY = ROOT / "scoring" / "ruleset.py"
AMBIGUOUS = {"riichi"}
"""Also an occasion, and the key of sticks: alone it is a name only where something is compared with it."""
FACTORIES = {entry.place.partition(":")[2].partition(".")[0] for entry in RULESETS.values()}
COMMON_OPTIONS = {HOUSE, "profile"}
"""Options that several games have under the same name, which the app treats alike."""
OPTIONS = {entry.name for name in RULESETS for entry in ruleset(name).options()} - COMMON_OPTIONS
FILES = [
    path
    for package in PACKAGES
    for path in sorted((ROOT / package).rglob("*.py"))
    if path.parent not in OWN and path != REGISTRY
]


def docstrings(tree: ast.Module) -> Iterator[ast.expr]:
    """The texts that stand alone as a statement."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield node.value


def names_in(tree: ast.Module) -> Iterator[str]:
    """Where the code names a ruleset: a text, the beginning of its keys, its class, a comparison with its name."""
    told = {*docstrings(tree)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in told:
            name, dot, _ = node.value.partition(".")
            if name in RULESETS and (name not in AMBIGUOUS or dot):
                yield f"{node.lineno}: {node.value!r}"
        elif isinstance(node, ast.Compare):
            for side in (node.left, *node.comparators):
                if isinstance(side, ast.Constant) and side.value in AMBIGUOUS:
                    yield f"{node.lineno}: {ast.unparse(node)}"
        elif isinstance(node, ast.Name) and node.id in FACTORIES:
            yield f"{node.lineno}: {node.id}"
        elif isinstance(node, ast.Call):
            yield from asked_options(node)


def asked_options(call: ast.Call) -> Iterator[str]:
    """Where a call asks rules for an option by its name: `chosen(rules, "uma")`, `rules.options.get("uma")`."""
    texts = [one.value for one in call.args if isinstance(one, ast.Constant) and one.value in OPTIONS]
    asked = ast.unparse(call)
    if texts and "rules" in asked:
        yield f"{call.lineno}: {asked}"


def found(paths: list[Path]) -> dict[str, list[str]]:
    return {
        str(path.relative_to(ROOT)): names
        for path in paths
        if (names := sorted({*names_in(ast.parse(path.read_text(encoding="utf-8")))}))
    }


def test_no_module_imports_the_code_of_a_ruleset() -> None:
    """What the rest needs of a game, `Ruleset` and `Traits` state."""
    rooms = {f"tilescore.scoring.{room}" for room in ROOMS}
    found = {
        str(path.relative_to(ROOT)): inside
        for path in FILES
        if (inside := {name for name in imported(path) if ".".join(name.split(".")[:3]) in rooms})
    }
    assert not found


def test_no_module_asks_for_the_name_of_a_ruleset() -> None:
    assert not found(FILES)


def test_a_comparison_would_be_found() -> None:
    code = 'def f(rules):\n    "mcr"\n    return rules.name == "riichi" or {"mcr": 1} or isinstance(rules, Mcr)'
    assert {*names_in(ast.parse(code))} == {"3: rules.name == 'riichi'", "3: 'mcr'", "3: Mcr"}


def test_an_option_asked_for_by_name_would_be_found() -> None:
    assert {*names_in(ast.parse("chosen(game.rules, 'uma', '')"))} == {"1: chosen(game.rules, 'uma', '')"}
