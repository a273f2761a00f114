"""Whether others in the network use this app too."""

from __future__ import annotations

import os
from typing import Final

SHARED: Final = "TILESCORE_SHARED_AT"
"""The variable with the address of the app in the network; the server sets it when it shares the app."""


def shared_at() -> str | None:
    """The address for others in the network; None if the app serves this machine alone."""
    return os.environ.get(SHARED)
