"""A JSON object of any size, read member by member and its lists entry by entry, in the memory of one entry.

>>> import io
>>> list(entries(io.BytesIO(b'{"version": 1, "games": [{"a": 1}, 2], "hands": []}'), lists=("games", "hands")))
[('version', None, 1), ('games', 0, {'a': 1}), ('games', 1, 2)]
"""

from __future__ import annotations

import codecs
import json
from collections.abc import Collection, Iterator
from typing import Any, BinaryIO, Final

from tilescore.ui.storage.copies.fields import trouble

MOST_MEGABYTES: Final = 64
"""Most megabytes of an entry: a hand with its photo has half a megabyte, a game without photos less (chosen)."""
_CHUNK: Final = 1 << 20
_SPACE: Final = " \t\r\n"


def entries(file: BinaryIO, *, lists: Collection[str]) -> Iterator[tuple[str, int | None, Any]]:
    """Key, index and value: of each entry of the lists under these keys, and of every other member, without an index.

    Raises:
        ValueError: the file is no JSON object.
        BackupError: an entry is too large.
    """
    text = _Text(file)
    text.take("{")
    more = text.next() != "}"
    while more:
        key = text.value()
        if not isinstance(key, str):
            raise ValueError("a key is no text")  # noqa: TRY004  # as of other broken JSON
        text.take(":")
        if key in lists and text.next() == "[":
            for index, value in enumerate(_items(text)):
                yield key, index, value
        else:
            yield key, None, text.value()
        more = _goes_on(text, "}")
    text.take("}")
    if text.next():
        raise ValueError("there is more after the end")


def _items(text: _Text) -> Iterator[Any]:
    text.take("[")
    more = text.next() != "]"
    while more:
        yield text.value()
        more = _goes_on(text, "]")
    text.take("]")


def _goes_on(text: _Text, end: str) -> bool:
    if text.next() == end:
        return False
    text.take(",")
    return True


class _Text:
    """The text of a file from the present place on: a window of it that grows until it holds a whole value."""

    def __init__(self, file: BinaryIO) -> None:
        head = file.read(_CHUNK)
        self._file = file
        self._decoder = codecs.getincrementaldecoder(json.detect_encoding(head))()
        self._window = self._decoder.decode(head, final=not head)
        self._at = 0
        self._ended = not head

    def next(self) -> str:
        """The next character that is no space; empty at the end."""
        while True:
            while self._at < len(self._window):
                if self._window[self._at] not in _SPACE:
                    return self._window[self._at]
                self._at += 1
            if not self._grow():
                return ""

    def take(self, sign: str) -> None:
        """Go on behind this sign."""
        if self.next() != sign:
            raise ValueError(f"'{sign}' is missing")
        self._at += 1

    def value(self) -> Any:
        """The value that begins here, and go on behind it."""
        self.next()
        while True:
            try:
                value, end = _DECODER.raw_decode(self._window, self._at)
            except RecursionError:
                raise ValueError("the value is too deep") from None
            except ValueError:  # not a value, or not all of it
                if not self._grow():
                    raise
                continue
            if end < len(self._window) or not self._grow():  # the digits of a number may go on
                self._at = end
                return value

    def _grow(self) -> bool:
        """Drop what was read and read on, as much again; whether there was more."""
        if self._ended:
            return False
        left = self._window[self._at :]
        if len(left) > MOST_MEGABYTES * 1_000_000:
            raise trouble("backup_too_large", most=MOST_MEGABYTES)
        data = self._file.read(max(_CHUNK, len(left)))
        self._ended = not data
        self._window = ""  # the memory of one window, not of two
        self._window, self._at = left + self._decoder.decode(data, final=not data), 0
        return True


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no number")


_DECODER: Final = json.JSONDecoder(parse_constant=_refuse)
