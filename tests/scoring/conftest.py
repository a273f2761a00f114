"""Fixtures of the scoring tests."""

import gc
from functools import _lru_cache_wrapper

import pytest


@pytest.fixture(scope="module", autouse=True)
def _no_cached_values() -> None:
    """Forget cached values: branches count only while a value is computed, and another file may have run uncounted."""
    for found in gc.get_objects():
        # `isinstance` would ask a weak reference for its class, and fail if what it led to is gone.
        if type(found) is _lru_cache_wrapper and found.__module__.startswith("tilescore.scoring"):
            found.cache_clear()
