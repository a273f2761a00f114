"""Fixtures of the vision tests."""

import base64
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def heic() -> bytes:
    """A HEIC picture of 128x96 pixels, left half red, right half blue (made by us with libheif)."""
    return base64.b64decode((Path(__file__).parent / "two_halves.heic.b64").read_text())
