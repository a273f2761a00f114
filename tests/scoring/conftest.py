"""Settings of the scoring tests: no deadline for properties, because a busy machine is no fault of the rules."""

from __future__ import annotations

import gc
from functools import _lru_cache_wrapper

import pytest
from hypothesis import settings

settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


@pytest.fixture(scope="module", autouse=True)
def _no_cached_values() -> None:
    """Forget cached values: branches count only while a value is computed, and another file may have run uncounted."""
    for found in gc.get_objects():
        if isinstance(found, _lru_cache_wrapper) and found.__module__.startswith("tilescore.scoring"):
            found.cache_clear()
