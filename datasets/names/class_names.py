"""What a class name means, and the file in which a person says so.

>>> settle((ClassName("sya-", None, False, 812),), {"sya-": "3z"})[0].tile
'3z'
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tilescore.base.errors import InputError
from tilescore.base.json_text import parsed
from tilescore.datasets.labels import CLASS_NAMES, ClassName

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

OURS: Final = "ours"
"""Says that the numbers of a set without a list of names follow CLASS_NAMES."""
_MAX_BYTES: Final = 4_000_000
"""A file of names is at most so large."""

Settled = dict[str, str | None]
"""The tile of each name; None for a name that is no tile."""


def settle(proposed: Iterable[ClassName], settled: Mapping[str, str | None]) -> tuple[ClassName, ...]:
    """The names with what a person says about them."""
    return tuple(
        replace(each, tile=settled[each.name], sure=True, candidates=()) if each.name in settled else each
        for each in proposed
    )


def load_names(file: str) -> Settled:
    """What a person says: a file with a JSON object from names to tiles, or a JSON list of tiles by class number.

    Args:
        file: its path, or `ours` for the numbers of CLASS_NAMES.

    Raises:
        InputError: it cannot be read, or names something that is no tile.
    """
    if file == OURS:
        return {str(number): name for number, name in enumerate(CLASS_NAMES)}
    try:
        path = Path(file)
        content = path.read_bytes() if path.stat().st_size <= _MAX_BYTES else None
        data = None if content is None else parsed(content)
    except InputError as error:
        raise InputError(error.code, f"--names '{file}': {error}", path=file) from None
    except (OSError, ValueError, RecursionError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        message = f'--names \'{file}\' cannot be read ({reason}): write JSON such as {{"sya-": "3z", "tile": null}}.'
        raise InputError("bad_names", message, path=file) from None
    if content is None:
        raise InputError("bad_names", f"--names '{file}' is too large for a list of names.")
    return names_in(data, where=f"--names '{file}'")


def names_in(data: object, *, where: str) -> Settled:
    """The names in a JSON value; raises InputError."""
    if isinstance(data, list):
        data = {str(number): tile for number, tile in enumerate(data)}
    if not isinstance(data, dict):
        raise InputError("bad_names", f'{where} is no JSON object such as {{"sya-": "3z", "tile": null}}.')
    for name, tile in data.items():
        if tile is not None and tile not in CLASS_NAMES:
            message = f"{where} says that '{name}' is {tile!r}: write 1m-9m, 1z-7z, 0m, 1f-4f, 1q-4q, back or null."
            raise InputError("bad_names", message)
    return data


def names_text(names: Mapping[str, str | None]) -> str:
    """The text of a file of names as `load_names` reads it."""
    return json.dumps(dict(names), ensure_ascii=False, indent=1) + "\n"
