"""Every example in README and in a docstring runs and gives what it says."""

from __future__ import annotations

import doctest
import re
import shlex
from importlib import import_module
from pathlib import Path

import pytest
from typer.main import get_command

from ui.cli import app

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("scoring", "vision", "datasets", "models", "ui", "benchmarks")
MODULES = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for room in ROOMS
    for path in sorted((ROOT / room).rglob("*.py"))
    if ">>> " in path.read_text(encoding="utf-8")
]
DOCUMENTS = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]
EXAMPLES = [path for path in DOCUMENTS if ">>> " in path.read_text(encoding="utf-8")]
# A command ends where its explanation begins, some spaces further on.
COMMANDS = sorted(
    {
        re.split(r"\s{3,}", line)[0]
        for path in DOCUMENTS
        for block in re.findall(r"^```\n(.*?)^```", path.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
        for line in block.splitlines()
        if line.startswith("tilescore ")
    }
)


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name: str) -> None:
    result = doctest.testmod(import_module(name))
    assert result.attempted > 0
    assert result.failed == 0


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_documents(path: Path) -> None:
    result = doctest.testfile(str(path), module_relative=False)
    assert result.attempted > 0
    assert result.failed == 0


@pytest.mark.parametrize("line", COMMANDS)
def test_commands_can_be_given(line: str) -> None:
    """Each is parsed as the command line would; what it does is tested where it is done."""
    command, arguments = get_command(app), shlex.split(line)[1:]
    context = command.make_context("tilescore", arguments)
    while hasattr(command, "resolve_command"):
        name, command, arguments = command.resolve_command(context, arguments)
        context = command.make_context(name, list(arguments))


def test_some_commands_are_shown() -> None:
    assert {line.split()[1] for line in COMMANDS} >= {"read", "score", "annotate", "dataset"}


def test_targets_exist() -> None:
    """Every `make …` of the documents."""
    targets = set(re.findall(r"^([\w./-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    shown = {
        name
        for path in DOCUMENTS
        for name in re.findall(r"(?:^|`)make ([\w./-]+)", path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert "test" in shown
    assert shown <= targets
