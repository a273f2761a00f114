r"""A house table: what lines of a game that adds up lines are worth at one table, or that they do not count there.

The table is CSV with the columns `line` and `value`, with commas or, as spreadsheets in many countries write it, with
semicolons. A line is named by its key, with the name of the ruleset or without; no value, or a dash, takes the line out
of the game.

A ruleset that has house tables takes one as the text of its option `house`.

>>> from tilescore.scoring.ruleset import ruleset
>>> house_of("line,value\nall_pungs,4\nhongkong.no_flowers,", ruleset("hongkong"))
(('hongkong.all_pungs', 4), ('hongkong.no_flowers', None))
>>> house_text(house_of("no_flowers,\nall_pungs,4", ruleset("hongkong")))
'no_flowers,\nall_pungs,4'
"""

import csv
from collections.abc import Collection
from typing import Final

from tilescore.errors import OptionError
from tilescore.scoring.pasted import meant
from tilescore.scoring.ruleset import Ruleset
from tilescore.scoring.traits import House

HOUSE: Final = "house"
"""The name of the option."""
HOUSE_OPTION: Final = "What lines are worth at this table: rows of a line and its value, without one for no value."
"""What the option does."""
MOST_LETTERS: Final = 100_000
"""A longer table is none (chosen)."""
_MOST: Final = 10_000
"""No line is worth more (chosen)."""
_HEAD: Final = ["line", "value"]
_NO_VALUE: Final = ("", "-", "–")


def house_of(text: str, rules: Ruleset) -> House:
    """The table in that text, in its order; raises OptionError that names the row."""
    if len(text) > MOST_LETTERS:
        raise OptionError("bad_house", f"a house table has at most {MOST_LETTERS} letters, not {len(text)}.")
    changeable = {entry.key for entry in rules.rules() if entry.worth is not None}
    values: dict[str, int | None] = {}
    rows = text.removeprefix("\ufeff").replace("\0", "?").splitlines()
    begun = False
    for number, cells in enumerate(csv.reader(rows, delimiter="," if "," in text else ";"), start=1):
        row = [cell.strip() for cell in cells]
        is_head = not begun and [cell.lower() for cell in row] == _HEAD
        begun = begun or any(row)
        if is_head or not any(row):
            continue
        if len(row) != len(_HEAD):
            raise OptionError("bad_house", f"row {number}: write a line and its value, not '{','.join(row)}'.")
        key = _key(row[0], rules.name, changeable, number)
        if key in values:
            raise OptionError("line_twice", f"row {number}: '{row[0]}' stands twice: keep one of the two.", line=key)
        values[key] = _value(row[1], row[0], number)
    return tuple(values.items())


def house_text(house: House) -> str:
    """The table as the text that `house_of` reads, lines without the name of their game."""
    return "\n".join(f"{key.partition('.')[2]},{'' if value is None else value}" for key, value in house)


def shown(worth: int | None) -> str:
    """The value of a line as a list shows it: a dash for a line that does not count."""
    return _NO_VALUE[-1] if worth is None else str(worth)


def has_house(rules: Ruleset) -> bool:
    """Whether the ruleset takes a house table."""
    return any(entry.name == HOUSE for entry in rules.options())


def plays_house(rules: Ruleset) -> bool:
    """Whether a house table changes the values of the lines."""
    return any(entry.name == HOUSE and entry.value for entry in rules.options())


def named(rules: Ruleset) -> dict[str, bool]:
    """What a JSON object of a result says of a house table: `{"house": true}`, nothing without one."""
    return {"house": True} if plays_house(rules) else {}


def check_house(rules: Ruleset) -> None:
    """Raise OptionError for a ruleset without house tables."""
    if not has_house(rules):
        message = f"a house table changes games that add up lines, such as hongkong and taiwan, not {rules.name}."
        raise OptionError("no_house", message)


def _key(given: str, name: str, changeable: Collection[str], number: int) -> str:
    game, dot, _ = given.partition(".")
    key = given if dot else f"{name}.{given}"
    if key in changeable:
        return key
    if dot and game != name:
        message = f"row {number}: '{given}' is no line of {name}: a house table is for one game."
        raise OptionError("other_game", message, line=given)
    short = [line.partition(".")[2] for line in changeable]
    raise OptionError(
        "unknown_line", f"row {number}: '{given}' is no line of {name}{meant(given, short)}; `rules` lists them.",
        line=given,
    )  # fmt: skip


def _value(text: str, line: str, number: int) -> int | None:
    if text in _NO_VALUE:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 6 and int(text) <= _MOST):
        message = f"row {number}: '{line}' must be worth 0 to {_MOST}, or nothing for a line that does not count, not"
        raise OptionError("bad_line_value", f"{message} '{text}'.", line=line)
    return int(text)
