"""Names from outside as text: harmless for a terminal and a log, for JSON that a terminal shows, and for a spreadsheet.

`tilescore.ui.words.text.plain` does the same for the pages of the app.
"""

import re
import shlex
import sys
from typing import Final

from tilescore.files.names import without_bytes

STEERING: Final = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b-\u200f\u2028-\u202e"
    "\u2060-\u2064\u2066-\u206f\ud800-\udfff\ufeff\ufff9-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0001\U000e0020-\U000e007f]"
)
"""Characters that steer a terminal, turn a line round, end it, or are invisible.

They are the Unicode categories Cc, Cf, Cs, Zl and Zp.
"""
_BEYOND_ASCII: Final = re.compile("[^\x00-\x7f]")
_FORMULA: Final = frozenset("=+-@\uff1d\uff0b\uff0d\uff20")
"""Characters, half and full width, with which a cell begins that a spreadsheet calculates."""


def printable(text: object) -> str:
    r"""The text in one line, every steering or invisible character and every byte that is no UTF-8 as an escape.

    >>> printable("a\x1b[2Jb\n\u202e.gpj"), printable("紅中 5m"), printable("a\udcff")
    ('a\\x1b[2Jb\\n\\u202e.gpj', '紅中 5m', 'a‛FF')
    """
    return STEERING.sub(lambda match: ascii(match[0])[1:-1], without_bytes(str(text)))


def counted(number: int, noun: str) -> str:
    """A number with its noun.

    >>> counted(1, "box"), counted(2, "box"), counted(0, "photo")
    ('1 box', '2 boxes', '0 photos')
    """
    ending = "" if number == 1 else "es" if noun.endswith("x") else "s"
    return f"{number} {noun}{ending}"


def as_argument(path: object) -> str:
    """The path as one word of a command that a person copies, whatever its characters mean to a shell.

    >>> as_argument("my $(set)"), as_argument("set")
    ("'my $(set)'", 'set')
    """
    return f'"{path}"' if sys.platform == "win32" else shlex.quote(str(path))


def printable_json(text: str) -> str:
    r"""The JSON text with the same characters as escapes of JSON; it means the same.

    >>> printable_json('["a\u202eb"]')
    '["a\\u202eb"]'
    """
    if text.isascii() and text.isprintable():  # nearly every line; the search takes a tenth of the time of a score
        return text
    return STEERING.sub(lambda match: _in_json(match[0]), text)


def ascii_json(text: str) -> str:
    r"""The JSON text with every character beyond ASCII as an escape of JSON; it means the same.

    >>> ascii_json('["中"]')
    '["\\u4e2d"]'
    """
    return _BEYOND_ASCII.sub(lambda match: _in_json(match[0]), printable_json(text))


def spreadsheet_cell(text: str) -> str:
    r"""The text as a cell that no spreadsheet calculates: in one line, without invisible characters.

    >>> spreadsheet_cell("=1+1"), spreadsheet_cell(" \u200b\n＝1"), spreadsheet_cell("Ann")
    ("'=1+1", "'＝1", 'Ann')
    """
    shown = " ".join(STEERING.sub(" ", text).split())
    return f"'{shown}" if shown[:1] in _FORMULA else shown


def _in_json(character: str) -> str:
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))
