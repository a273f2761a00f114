"""The package has one name, `tilescore.scoring`."""

import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def test_the_folder_itself_is_no_package() -> None:
    """A module under two names would exist twice."""
    with pytest.raises(ImportError, match=r"import tilescore\.scoring instead"):
        runpy.run_path(str(ROOT / "scoring" / "__init__.py"), run_name="scoring")
