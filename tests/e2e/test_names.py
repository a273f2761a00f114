"""Hostile names of players and hostile links on the pages: see `tests.campaigns.attacks` for all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.harness.hostile_names import NAMES, seen

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser


def test_hostile_names_are_text(tmp_path: Path, browser: Browser) -> None:
    found = seen(tmp_path, NAMES[3::7], browser)
    assert found.states == 32
    assert (found.scripts, found.links, found.requests) == (0, 0, [])
