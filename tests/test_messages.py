"""Every error about input says what to do: README promises one sentence that does."""

from __future__ import annotations

import ast
import re
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.harness.architecture import PACKAGES, ROOT
from tilescore.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

REMEDY = re.compile(r"[:;] |\bmust\b|^(choose|give|name|say) |<value>\.$")
"""What follows a colon or a semicolon, an order, or the demand itself; a value at the end may hold the remedy."""
QUOTED = re.compile(r"'[^'\s]*'")


def errors() -> set[str]:
    """The names of the classes of such errors in our code."""
    names, size = {InputError.__name__}, 0
    bases = {
        node.name: {getattr(base, "id", "") for base in node.bases}
        for path in sources()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
    }
    while size != len(names):
        size = len(names)
        names |= {name for name, above in bases.items() if above & names}
    return names


def sources() -> Iterator[Path]:
    for package in PACKAGES:
        yield from sorted((ROOT / package).rglob("*.py"))


Named = dict[str, list[ast.expr]]
"""What a function calls its sentences, or the beginnings of them."""


def texts(node: ast.expr, named: Named) -> list[str]:
    """The sentences that this may be, with `<value>` for each part that is no literal; none if no part is one."""
    found: list[str] = []
    match node:
        case ast.Constant(value=str(text)):
            found = [text]
        case ast.FormattedValue(value=value):
            found = texts(value, named) or ["<value>"]
        case ast.JoinedStr(values=parts):
            found = ["".join(whole) for whole in product(*(texts(part, named) for part in parts))]
        case ast.BinOp(left=left, right=right):
            found = [a + b for a, b in product(texts(left, named), texts(right, named) or ["<value>."])]
        case ast.Name(id=name):
            found = [text for one in named.get(name, []) for text in texts(one, {})]
    return found


def sentences(path: Path, classes: set[str]) -> Iterator[str]:
    """The whole sentences that this module raises."""
    for function in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(function, ast.FunctionDef):
            named: Named = {}
            for node in ast.walk(function):
                match node:
                    case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant() | ast.JoinedStr() as value):
                        named.setdefault(name, []).append(value)
            for node in ast.walk(function):
                match node:
                    case ast.Raise(exc=ast.Call(func=ast.Name(id=name), args=[_, sentence, *_])) if name in classes:
                        yield from (text for text in texts(sentence, named) if text.endswith("."))


@pytest.mark.parametrize("package", PACKAGES)
def test_an_error_says_what_to_do(package: str) -> None:
    classes = errors()
    found = {text for path in sorted((ROOT / package).rglob("*.py")) for text in sentences(path, classes)}
    assert found
    assert not {text for text in found if not REMEDY.search(QUOTED.sub("", text))}
