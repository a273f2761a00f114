"""Every example in README and in a docstring runs and gives the stated result."""

import doctest
import re
import shlex
from importlib import import_module
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from typer.main import get_command

from tests.harness.architecture import PACKAGES, ROOT, module_name
from tilescore.scoring.context import OCCASION_NAMES
from tilescore.scoring.game.deals import DEAL_KEYS, HAND_INPUT_KEYS
from tilescore.scoring.ruleset import RULESETS, ruleset
from tilescore.ui.cli.main import app
from tilescore.vision.layout.layout import Role

MODULES = [
    module_name(path)
    for package in PACKAGES
    for path in sorted((ROOT / package).rglob("*.py"))
    if ">>> " in path.read_text(encoding="utf-8")
]
DOCUMENTS = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]
EXAMPLES = [path for path in DOCUMENTS if ">>> " in path.read_text(encoding="utf-8")]
# A command ends before its explanation, which follows after some spaces.
COMMANDS = sorted(
    {
        re.split(r"\s{3,}", line)[0]
        for path in DOCUMENTS
        for block in re.findall(r"^```\w*\n(.*?)^```", path.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
        for line in block.splitlines()
        if line.startswith("tilescore ")
    }
)


MEASURES = sorted(
    {
        name
        for path in DOCUMENTS
        for name in re.findall(
            r"python -m ((?:benchmarks|tests|tilescore)\.[\w.]*\w)", path.read_text(encoding="utf-8")
        )
    }
)
QUOTED = {
    path: set(re.findall(r"(?<!\*)\*([A-Z][^*\n]*)\*(?!\*)", path.read_text(encoding="utf-8"))) for path in DOCUMENTS
}
"""The texts of the app that each document puts between asterisks; a stressed word begins with a small letter."""
CATALOGUE = read_po((ROOT / "ui" / "locale" / "en" / "LC_MESSAGES" / "tilescore.po").open("rb"))


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
    """The command line parses each command; other tests cover its effect."""
    command, arguments = get_command(app), shlex.split(line)[1:]
    context = command.make_context("tilescore", arguments)
    while hasattr(command, "resolve_command"):
        name, command, arguments = command.resolve_command(context, arguments)
        context = command.make_context(name, list(arguments))


@pytest.mark.parametrize("name", MEASURES)
def test_measures_can_be_run(name: str) -> None:
    """Every `python -m …` in the documents names a module of ours that can run."""
    place = ROOT / Path(*name.removeprefix("tilescore.").split("."))
    script = place / "__main__.py" if place.is_dir() else place.with_suffix(".py")
    assert "__main__" in script.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", [path for path in DOCUMENTS if QUOTED[path]], ids=lambda path: path.name)
def test_the_app_shows_the_texts_that_documents_quote(path: Path) -> None:
    shown = {str(message.string).strip(" …") for message in CATALOGUE if isinstance(message.string, str)}
    shown |= {ruleset.capitalize() for ruleset in RULESETS}
    assert QUOTED[path] <= shown


def test_the_guide_to_json_names_every_key() -> None:
    options = [option.name for name in RULESETS for option in ruleset(name).options()]
    named = set(re.findall(r"`(\w+)`", (ROOT / "docs" / "json.md").read_text(encoding="utf-8")))
    assert {*HAND_INPUT_KEYS, *DEAL_KEYS, *OCCASION_NAMES, *map(str, Role), *options} <= named


def test_links_lead_somewhere() -> None:
    for path in DOCUMENTS:
        for place in re.findall(r"\]\(([^)#:]+)\)", path.read_text(encoding="utf-8")):
            assert (path.parent / place).exists(), f"{path.name}: {place}"


def test_some_commands_are_shown() -> None:
    assert {line.split()[1] for line in COMMANDS} >= {"read", "score", "annotate", "dataset"}


def test_targets_exist() -> None:
    """The Makefile has a target for every `make …` in the documents."""
    targets = set(re.findall(r"^([\w./-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    shown = {
        name
        for path in DOCUMENTS
        for name in re.findall(r"(?:^|`)make ([\w./-]+)", path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert "test" in shown
    assert shown <= targets
