"""JSON that people and other programs write: in any Unicode encoding, and refused where it is ambiguous."""

import codecs
import json
from typing import Any, Final

from tilescore.errors import InputError

MARKED: Final = "tilescore.marked"
"""How a stream of lines is decoded whose bytes may be no text: `parsed` refuses a line with such bytes."""
_NO_TEXT: Final = "\udcff"
"""What no encoding writes: it stands for bytes that are no text."""
codecs.register_error(MARKED, lambda error: (_NO_TEXT, error.end))  # type: ignore[attr-defined]


def parsed(text: str | bytes, *, finite: bool = False) -> Any:
    """The value of a JSON text; bytes may be UTF-8, UTF-16 or UTF-32, with a byte order mark or without.

    With `finite`, NaN and infinities are refused, which JSON does not have and Python reads.

    Raises:
        InputError: an object has a key twice (`key_twice`); of the two values nobody knows which one is meant.
        ValueError: it is no JSON, or no text.
        RecursionError: it is nested too deeply.

    >>> parsed('{"a": 1}'.encode("utf-16"))
    {'a': 1}
    """
    read = decoded(text) if isinstance(text, bytes) else text
    if _NO_TEXT in read:
        raise ValueError("some of its bytes are no text in the encoding of the first line")
    return (_FINITE if finite else _ANY).decode(read)


def decoded(data: bytes) -> str:
    """The text of JSON or of JSON Lines; raises UnicodeDecodeError."""
    return data.decode(json.detect_encoding(data))


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise InputError("key_twice", f"the key '{twice}' stands twice in one object: keep one of the two.", key=twice)
    return values


def _refused(constant: str) -> None:
    raise ValueError(f"{constant} is no number")


_ANY: Final = json.JSONDecoder(object_pairs_hook=_object)
_FINITE: Final = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_refused)
"""Built once: a line of a stream takes a third of the time."""
