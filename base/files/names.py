"""File names as text: a name is bytes to the system, and not every name is UTF-8."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

_MARK: Final = "\u201b"
"""The escape: a byte that is no UTF-8 becomes this character and two hex digits, as in rclone; it doubles itself."""
_BYTE: Final = re.compile("[\udc80-\udcff]")
"""A byte of a name that is no UTF-8, as Python holds it."""
_ESCAPE: Final = re.compile(f"{_MARK}({_MARK}|[0-9A-F]{{2}})")


def text_of(path: Path | str) -> str:
    r"""The path as text that every encoding of Unicode can hold; `path_of` finds the file again.

    >>> text_of("a\udcff.jpg"), text_of("‛.jpg"), text_of("紅中.jpg")
    ('a‛FF.jpg', '‛‛.jpg', '紅中.jpg')
    """
    return without_bytes(str(path).replace(_MARK, 2 * _MARK))


def path_of(text: str) -> Path:
    r"""The path of which `text_of` made this text.

    >>> path_of("a‛FF.jpg") == Path("a\udcff.jpg"), path_of("‛‛.jpg").name
    (True, '‛.jpg')
    """
    return Path(_ESCAPE.sub(lambda found: _MARK if found[1] == _MARK else chr(0xDC00 + int(found[1], 16)), text))


def without_bytes(text: str) -> str:
    """A sentence that quotes a path, with the same escape for each byte that is no UTF-8."""
    return _BYTE.sub(lambda found: f"{_MARK}{ord(found[0]) - 0xDC00:02X}", text)
