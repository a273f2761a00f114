"""A share of `python -m tests.campaigns.damage`: kills, small disks, odd photos and odd surroundings."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.harness.damage import disks, environments, kills, odd_photos

if TYPE_CHECKING:
    from tests.harness.figures import Figure


def good(figures: list[Figure]) -> bool:
    return all(figure.good for figure in figures)


def test_what_is_no_photo_is_refused_at_once() -> None:
    assert good(odd_photos.figures(33))


def test_a_kill_leaves_a_whole_copy_or_none() -> None:
    assert good(kills.figures(2, names=("convert",)))


def test_a_full_disk_changes_nothing(tmp_path: Path) -> None:
    if not disks.can_mount(tmp_path):
        pytest.skip("only a superuser can mount small disks")
    assert good(disks.figures(("convert", "synth"), ("full",)))


def test_odd_surroundings() -> None:
    assert good(environments.figures(("UTF-16", "warnings are errors"), ("rules --json",)))
