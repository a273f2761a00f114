"""Whether others in the network use this app too, and by what passphrase."""

import os
from collections.abc import Callable
from typing import Final

SHARED: Final = "TILESCORE_SHARED_AT"
"""The variable with the address of the app in the network; the server sets it when it shares the app."""
_PASSPHRASE: Final[list[Callable[[], str]]] = [str]


def shared_at() -> str | None:
    """The address for others in the network; None if the app serves this machine alone."""
    return os.environ.get(SHARED)


def share(address: str, passphrase: Callable[[], str]) -> None:
    """Tell the pages where others find this app; `passphrase` gives what lets them in, if the host may see it."""
    os.environ[SHARED] = address
    _PASSPHRASE[:] = [passphrase]


def passphrase() -> str:
    """The passphrase for the host's eyes; empty for one that the host chose, which no page shows."""
    return _PASSPHRASE[0]()
