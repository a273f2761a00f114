"""What a class name means, and the file in which a person says so.

>>> settle((ClassName("sya-", None, False, 812),), {"sya-": "3z"})[0].tile
'3z'
"""

import json
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from tilescore.datasets.labels import CLASS_NAMES, ClassName
from tilescore.datasets.names.others import parted
from tilescore.errors import InputError
from tilescore.files.json_text import decoded, parsed

OURS: Final = "ours"
"""Says that the numbers of a set without a list of names follow CLASS_NAMES."""
SUIT_LETTERS: Final = ("m", "p", "s", "z", "f", "q")
"""What a person may say of a word that stands for a suit."""
OPEN: Final = "?"
"""What a person may say of a name that stays open."""
_MAX_BYTES: Final = 4_000_000
"""A file of names is at most so large."""

Settled = dict[str, str | None]
"""The tile of each name; None for a name that is no tile."""


def settle(proposed: Iterable[ClassName], settled: Mapping[str, str | None]) -> tuple[ClassName, ...]:
    """The names with what a person says about them.

    A word such as `van` (`m`) stands for its suit in every open name with a number. The tile of one name with a number
    fills the open names with the same words and other numbers.

    >>> [each.tile for each in settle([ClassName(f"{n}_van", None, False) for n in (1, 2)], {"1_van": "1m"})]
    ['1m', '2m']
    """
    implied = _implied({name: tile for name, tile in settled.items() if tile is not None})
    classes: list[ClassName] = []
    for entry in proposed:
        name, tile = entry.name, settled.get(entry.name)
        if name not in settled and not entry.sure and not name.isdigit():
            words, rank = parted(name)
            suit = implied.get(words) or next((implied[(word,)] for word in words if (word,) in implied), "")
            tile = f"{rank}{suit}" if suit and f"{rank}{suit}" in CLASS_NAMES and _is_counted(rank, suit) else None
        is_said = name in settled or tile is not None
        classes.append(replace(entry, tile=tile, sure=True, candidates=()) if is_said else entry)
    return tuple(classes)


def _implied(said: Mapping[str, str]) -> dict[tuple[str, ...], str]:
    """The suit of each word, and of the words of each name with a number, that a person has explained."""
    tiles: dict[tuple[str, ...], str] = {}
    for name, tile in said.items():
        words, rank = parted(name)
        if tile in SUIT_LETTERS:
            tiles[words] = tile
        elif words and tile == f"{rank}{tile[-1]}":
            tiles[words] = tile[-1]
    return tiles


def _is_counted(rank: int, suit: str) -> bool:
    """Whether every list counts these tiles alike: numbers, winds, flowers or seasons, but not dragons."""
    return 1 <= rank <= (9 if suit in "mps" else 4)


def load_names(file: str) -> Settled:
    """What a person says about class names.

    Args:
        file: the path of a JSON object from names to tiles, of a JSON list of tiles by class number, or of a text with
            lines such as `1_van = 1m`; or such JSON or such lines themselves, with commas between them; or `ours` for
            the numbers of CLASS_NAMES. In place of a tile, `m p s z f q` is the suit of a word, and `?` leaves a name
            open.

    Raises InputError if it cannot be read, or names something that is no tile.
    """
    if file == OURS:
        return {str(number): name for number, name in enumerate(CLASS_NAMES)}
    path = Path(file)
    try:
        if ("=" in file or file.startswith(("{", "["))) and not os.path.exists(file):  # noqa: PTH110  # a text may be long
            return names_in(_in_lines(file.replace(",", "\n")) or parsed(file.encode()), where="--names")
        content = path.read_bytes() if path.stat().st_size <= _MAX_BYTES else None
        lines = None if content is None else _in_lines(decoded(content))
        data = lines or (None if content is None else parsed(content))
    except InputError as error:
        raise InputError(error.code, f"--names '{file}': {error}", path=file) from None
    except (OSError, ValueError, RecursionError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        message = f"--names '{file}' cannot be read ({reason}): write lines such as sya- = 3z, or JSON."
        raise InputError("bad_names", message, path=file) from None
    if content is None:
        raise InputError("bad_names", f"--names '{file}' is too large for a list of names: name another file.")
    return names_in(data, where=f"--names '{file}'")


def _in_lines(text: str) -> Settled:
    """The names in lines such as `sya- = 3z  # 812 labels`; nothing if the text has no such line, as in JSON."""
    names: Settled = {}
    for line in text.removeprefix("\ufeff").splitlines():
        plain = re.sub(r"(^|\s)#.*", "", line).strip()
        name, sign, tile = (part.strip() for part in plain.rpartition("="))
        if plain and (not sign or not name or plain[0] in "{["):
            return {}
        if name in names and names[name] != _tile(tile):
            raise InputError("bad_names", f"'{name}' stands twice, with two tiles: keep one of the two.")
        if plain:
            names[name] = _tile(tile)
    return names


def _tile(text: str) -> str | None:
    return None if text.lower() in ("null", "none", "-") else text


def names_in(data: object, *, where: str) -> Settled:
    """The names in a JSON value; raises InputError."""
    if isinstance(data, list):
        data = {str(number): tile for number, tile in enumerate(data)}
    if not isinstance(data, dict):
        raise InputError("bad_names", f'{where} is no JSON object such as {{"sya-": "3z", "tile": null}}.')
    for name, tile in data.items():
        if tile is not None and tile not in (*CLASS_NAMES, *SUIT_LETTERS, OPEN):
            message = f"{where} says that '{name}' is {tile!r}: write 1m-9m, 1z-7z, 0m, 1f-4f, 1q-4q, back or null."
            raise InputError("bad_names", message)
    return {name: tile for name, tile in data.items() if tile != OPEN}


def template(classes: Iterable[ClassName]) -> str:
    """The text of a file of names that a person completes: the open names first, each with what it may be."""
    lines = ["# Tiles: 1m-9m 1p-9p 1s-9s 0m 0p 0s 1z-7z 1f-4f 1q-4q back; null is no tile, ? leaves a name open."]
    for entry in sorted(classes, key=lambda entry: entry.sure):
        maybe = f", perhaps {' or '.join(entry.candidates[:3])}" if entry.candidates else ""
        tile = (entry.tile or "null") if entry.sure else OPEN
        lines.append(f"{' '.join(entry.name.split())} = {tile}  # {entry.count} labels{maybe}")
    return "\n".join(lines) + "\n"


def names_text(names: Mapping[str, str | None]) -> str:
    """The text of a file of names as `load_names` reads it."""
    return json.dumps(dict(names), ensure_ascii=False, indent=1) + "\n"
