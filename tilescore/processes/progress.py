"""How far a long work is."""

from collections.abc import Callable

Progress = Callable[[int, int], None]
"""Gets how many things are done, and how many there are."""


def unseen(_done: int, _total: int) -> None:
    """Nobody watches the progress."""
