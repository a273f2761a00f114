"""Text from outside made harmless for a terminal and a log: one line, in reading order, without control characters."""

from __future__ import annotations

import unicodedata
from typing import Final

_NOT_PRINTED: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Unicode categories of characters that steer a terminal, change the direction of a line, end it, or are invisible."""


def printable(text: object) -> str:
    r"""The text with every character that steers a terminal, turns a line round or is invisible written as an escape.

    >>> printable("a\x1b[2Jb\n\u202e.gpj"), printable("紅中 5m")
    ('a\\x1b[2Jb\\n\\u202e.gpj', '紅中 5m')
    """
    return "".join(
        ascii(character)[1:-1] if unicodedata.category(character) in _NOT_PRINTED else character
        for character in str(text)
    )
