"""Errors about input: a small family of ValueError.

Each error has a stable `code` and the `params` of its message, from which a user interface can build its own words.
`str(error)` is one English sentence that quotes the input and names the remedy.
"""

from functools import partial
from typing import Any, Final

_MOST: Final = 600
"""A message has at most so many characters, however long the input is that it quotes."""


class InputError(ValueError):
    """Input that cannot be used.

    Attributes:
        code: stable machine-readable name, e.g. `unknown_tile`.
        params: the values that the message quotes.
    """

    def __init__(self, code: str, message: str, /, **params: object) -> None:
        super().__init__(in_brief(message))
        self.code = code
        self.params = params

    def __reduce__(self) -> tuple[Any, ...]:
        """Let a worker process send the error to its parent."""
        return partial(type(self), self.code, str(self), **self.params), ()


class TileError(InputError):
    """A text that is not the name of a tile."""


class HandError(InputError):
    """Tiles that cannot form a hand: five of a kind, a wrong count, an impossible meld."""


class ContextError(InputError):
    """Circumstances of a win that are unknown or contradict one another."""


class OptionError(InputError):
    """A ruleset or option that does not exist, or an option with an impossible value."""


def in_brief(message: str) -> str:
    """The message; of a very long one, its beginning and its end.

    >>> len(in_brief("x" * 100_000)), in_brief("'5x' is no tile")
    (599, "'5x' is no tile")
    """
    half = _MOST // 2 - 1
    return message if len(message) <= _MOST else f"{message[:half]}…{message[-half:]}"
