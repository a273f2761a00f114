"""The constants of the layout that a person has chosen, rather than a fit or a measurement.

A tuple is one constant. Numbers in the definition of a feature do not count: the feature table documents them.
"""

from __future__ import annotations

import ast
import itertools
from typing import TYPE_CHECKING

from tilescore.vision.layout.model import WEIGHTS

if TYPE_CHECKING:
    from collections.abc import Iterator


def chosen() -> list[str]:
    """The constants of `vision/layout` whose text ends with "Chosen.", as `module.NAME`."""
    return [
        name
        for path in sorted(WEIGHTS.parent.glob("*.py"))
        for name in _chosen_in(path.stem, path.read_text(encoding="utf-8"))
    ]


def _chosen_in(module: str, source: str) -> Iterator[str]:
    body = ast.parse(source).body
    for one, text in itertools.pairwise(body):
        match one, text:
            case ast.AnnAssign(target=ast.Name(name)), ast.Expr(ast.Constant(str(words))) if words.endswith("Chosen."):
                yield f"{module}.{name}"
