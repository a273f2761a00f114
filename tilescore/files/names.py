"""File names as text: a name is bytes to the system, and not every name is UTF-8."""

import re
from pathlib import Path
from typing import Final

_MARK: Final = "\u201b"
"""The escape: a byte that is no UTF-8 becomes this character and two hex digits, as in rclone; it doubles itself."""
_BYTE: Final = re.compile("[\udc80-\udcff]")
"""A byte of a name that is no UTF-8, as Python holds it."""


def text_of(path: Path | str) -> str:
    r"""The path as text that every encoding of Unicode can hold; no two paths have the same.

    >>> text_of("a\udcff.jpg"), text_of("‛.jpg"), text_of("紅中.jpg")
    ('a‛FF.jpg', '‛‛.jpg', '紅中.jpg')
    """
    return without_bytes(str(path).replace(_MARK, 2 * _MARK))


def without_bytes(text: str) -> str:
    """A sentence that quotes a path, with the same escape for each byte that is no UTF-8."""
    return _BYTE.sub(lambda match: f"{_MARK}{ord(match[0]) - 0xDC00:02X}", text)
