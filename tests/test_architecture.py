"""Imports run one way: ui -> {models, datasets} -> vision -> scoring, and models may use datasets."""

from __future__ import annotations

import ast
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from benchmarks.architecture import PICTURE, ROOT, imported, picture

if TYPE_CHECKING:
    from pathlib import Path

MAY_IMPORT = {
    "scoring": {"scoring"},
    "vision": {"vision", "scoring"},
    "datasets": {"datasets", "vision", "scoring"},
    "models": {"models", "datasets", "vision", "scoring"},
    "ui": {"ui", "models", "datasets", "vision", "scoring"},
}
FILES = [path for room in MAY_IMPORT for path in sorted((ROOT / room).rglob("*.py"))]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_arrow_runs_back(path: Path) -> None:
    room = path.relative_to(ROOT).parts[0]
    assert imported(path) & set(MAY_IMPORT) <= MAY_IMPORT[room]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_rooms_have_human_size(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 420


def test_the_picture_is_that_of_the_code() -> None:
    assert PICTURE.read_text(encoding="utf-8") == picture(), "run python -m benchmarks.architecture"


def test_scoring_is_light() -> None:
    """`import scoring` and all of its rulesets but riichi load nothing from outside the standard library."""
    code = (
        "import sys, scoring.tiles, scoring.hand, scoring.context, scoring.score, scoring.ruleset; "
        "sys.exit(bool({'numpy', 'cv2', 'onnxruntime', 'streamlit', 'torch', 'mahjong'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0  # noqa: S603


def test_runtime_needs_neither_torch_nor_ultralytics() -> None:
    """Nothing outside the training functions imports them at module level."""
    heavy = {"torch", "ultralytics"}
    for path in FILES:
        top = [node for node in ast.parse(path.read_text(encoding="utf-8")).body if isinstance(node, ast.Import)]
        assert not {alias.name.split(".")[0] for node in top for alias in node.names} & heavy, path
