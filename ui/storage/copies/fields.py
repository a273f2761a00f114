"""The fields of a file from outside, each checked by its type and its range before anything uses it.

>>> FileField({"total": 8}, "hand").member("total").whole(0, 100)
8
>>> FileField(True, "total").whole(0, 9)
Traceback (most recent call last):
    ...
tilescore.ui.storage.copies.fields.BackupError: 'total' of this file is true, but should be 0 … 9. Nothing was imported.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from tilescore.errors import InputError
from tilescore.printable import STEERING, printable

HALVES: Final = re.compile("[\ud800-\udfff]")
"""Halves of characters, which UTF-8 cannot write."""
_FIRST, _LAST = datetime(1970, 1, 1, tzinfo=UTC), datetime(3000, 1, 1, tzinfo=UTC)
"""Times that a clock may show (chosen)."""
_QUOTED: Final = 60
"""Most letters of a value that a message quotes."""


class BackupError(InputError):
    """A file that cannot come in; the keys of `MESSAGES` are its codes."""


MESSAGES: Final = {
    "backup_damaged": "This file is damaged or incomplete: export it again. Nothing of it was imported.",
    "backup_field": "'{field}' of this file is {value}, but should be {expected}. Nothing was imported.",
    "backup_foreign": "This file is not from Tilescore: choose a game or a copy that Tilescore exported. "
    "Nothing was imported.",
    "backup_game": "'{field}' cannot come in: {reason} Nothing was imported.",
    "backup_newer": "This file is from a newer version of Tilescore: update Tilescore to import it. "
    "Nothing was imported.",
    "backup_too_large": "An entry of this file is larger than {most} MB, more than a game or a hand may have. "
    "Nothing was imported.",
}
"""English sentences by code; the catalogues have them in other languages as `error.CODE`."""


def trouble(code: str, **params: object) -> BackupError:
    """The error with that code."""
    return BackupError(code, MESSAGES[code].format(**params), **params)


@dataclass(frozen=True, slots=True)
class FileField:
    """A value of a file and its place there, such as `hands[3].at`; all methods raise BackupError."""

    value: Any
    place: str

    def member(self, key: str) -> FileField:
        """The value under a key of this object."""
        if not isinstance(self.value, dict):
            raise self.refused("{…}")
        if key not in self.value:
            raise FileField(None, self._below(key)).refused("…")
        return FileField(self.value[key], self._below(key))

    def members(self, *, most: int) -> Mapping[str, FileField]:
        """All values of this object by their keys."""
        if not isinstance(self.value, dict) or len(self.value) > most:
            raise self.refused(f"{{…}} (0 … {most})")
        return {
            FileField(key, self.place).text(most=400): FileField(value, self._below(key))
            for key, value in self.value.items()
        }

    def items(self, *, most: int) -> tuple[FileField, ...]:
        """The values of this list."""
        if not isinstance(self.value, list) or len(self.value) > most:
            raise self.refused(f"[…] (0 … {most})")
        return tuple(FileField(value, f"{self.place}[{index}]") for index, value in enumerate(self.value))

    def text(self, *, most: int, least: int = 0, barred: re.Pattern[str] = STEERING) -> str:
        """The text without these characters, by default in one line and without invisible ones."""
        if not isinstance(self.value, str) or not least <= len(self.value) <= most or barred.search(self.value):
            raise self.refused(f'"…" ({least} … {most})')
        return self.value

    def one_of(self, known: Collection[str]) -> str:
        """The text, which is one of these."""
        if not isinstance(self.value, str) or self.value not in known:
            raise self.refused(" / ".join(known))
        return self.value

    def whole(self, least: int, most: int) -> int:
        """The whole number, from `least` to `most`."""
        if not isinstance(self.value, int) or isinstance(self.value, bool) or not least <= self.value <= most:
            raise self.refused(f"{least} … {most}")
        return self.value

    def number(self, least: float, most: float) -> float:
        """The number, from `least` to `most`."""
        if not isinstance(self.value, int | float) or isinstance(self.value, bool) or not least <= self.value <= most:
            raise self.refused(f"{least:g} … {most:g}")
        return float(self.value)

    def flag(self) -> bool:
        """The truth value."""
        if not isinstance(self.value, bool):
            raise self.refused("true / false")
        return self.value

    def time(self) -> datetime:
        """The time with its zone, as one of Greenwich."""
        try:
            at = datetime.fromisoformat(self.value)
            fits = at.tzinfo is not None and _FIRST <= at < _LAST
        except (TypeError, ValueError, OverflowError):
            fits = False
        if not fits:
            raise self.refused("2026-11-27T12:00:00+00:00 (1970 … 2999)")
        return at.astimezone(UTC)

    def json_object(self, *, most: int) -> Mapping[str, Any]:
        """The object, whatever it holds, as long as JSON and UTF-8 can write it in `most` bytes."""
        try:
            size = len(json.dumps(self.value, allow_nan=False, ensure_ascii=False).encode())
        except (ValueError, RecursionError):  # no number, half a character
            size = most + 1
        if not isinstance(self.value, dict) or size > most:
            raise self.refused(f"{{…}} (0 … {most // 1_000_000} MB)")
        return self.value

    def refused(self, expected: str) -> BackupError:
        """The error of this value; `expected` needs no translation."""
        try:
            text = json.dumps(self.value, ensure_ascii=False)
        except (TypeError, ValueError, RecursionError):
            text = str(self.value)
        value = printable(text if len(text) <= _QUOTED else f"{text[:_QUOTED]}…")
        return trouble("backup_field", field=self.place, value=value, expected=expected)

    def _below(self, key: object) -> str:
        name = printable(key)[:_QUOTED]
        return f"{self.place}.{name}" if self.place else name
