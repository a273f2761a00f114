"""What can be wrong with input: a small ValueError family.

Each error carries a stable `code` and the `params` of its message, so that a face to a person can put it into
words of its own; `str(error)` is one English sentence that quotes the input and says the remedy.
"""

from __future__ import annotations


class InputError(ValueError):
    """Input that cannot be used as it stands.

    Attributes:
        code: stable machine-readable name, e.g. `unknown_tile`.
        params: the values that the message quotes.
    """

    def __init__(self, code: str, message: str, /, **params: object) -> None:
        super().__init__(message)
        self.code = code
        self.params = params


class TileError(InputError):
    """A text that names no tile."""


class HandError(InputError):
    """Tiles that no hand can hold: five of a kind, a wrong count, a meld that is none."""


class ContextError(InputError):
    """Circumstances that are unknown or contradict one another."""


class OptionError(InputError):
    """A ruleset, or an option of one, that does not exist or has an impossible value."""
