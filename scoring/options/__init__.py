"""Options as fields of a dataclass, each with its sentence and its possible values."""

from __future__ import annotations

from dataclasses import Field, fields
from dataclasses import field as dataclass_field
from typing import TYPE_CHECKING, Any, Final

from tilescore.base.errors import OptionError
from tilescore.scoring.house import HOUSE
from tilescore.scoring.ruleset import OptionEntry

if TYPE_CHECKING:
    from tilescore.scoring.ruleset import Ruleset

QUARTER: Final = 0.25
"""The smallest part of a stake; sums of quarters are exact."""
MOST: Final = 10**9
"""Upper bound of a number: more than any table agrees on."""


def option(default: Any, text: str, *, among: tuple[Any, ...] = (), least: float = 0, most: int = MOST) -> Any:
    """A field of that default.

    Args:
        default: the default value.
        text: one sentence that says what the option does.
        among: the values it may have; empty for true and false, and for any number.
        least: the least number it may be.
        most: the highest number it may be.
    """
    return dataclass_field(default=default, metadata={"text": text, "among": among, "least": least, "most": most})


def check_options(rules: Ruleset) -> None:
    """Raise OptionError for the first option with a value that it cannot have."""
    for entry in _options(rules):
        value, among, least = getattr(rules, entry.name), entry.metadata["among"], entry.metadata["least"]
        if isinstance(entry.default, float) and (value % QUARTER or not least <= value <= entry.metadata["most"]):
            allowed = f"a number from {least} to {entry.metadata['most']} in steps of {QUARTER}"
        elif among and value not in among:
            allowed = f"one of {', '.join(map(str, among))}"
        elif not among and not isinstance(value, bool | str) and not least <= value <= entry.metadata["most"]:
            allowed = f"a number between {least} and {entry.metadata['most']}"
        else:
            continue
        raise OptionError(
            "bad_option_value",
            f"option '{entry.name}' of {rules.name} must be {allowed}, not {value!r}.",
            option=entry.name,
        )


def option_entries(rules: Ruleset) -> tuple[OptionEntry, ...]:
    """Every option with its default, in the order of the fields."""
    return tuple(
        OptionEntry(
            name=entry.name,
            default=entry.default,
            value=getattr(rules, entry.name),
            text=entry.metadata["text"],
            choices=entry.metadata["among"],
        )
        for entry in _options(rules)
    )


def _options(rules: Ruleset) -> list[Field[Any]]:
    """The fields that are options, the house table last."""
    found = [entry for entry in fields(rules) if "text" in entry.metadata]  # type: ignore[arg-type]  # a dataclass
    return sorted(found, key=lambda entry: entry.name == HOUSE)
