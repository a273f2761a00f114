"""Options as fields of a dataclass, each with its sentence and its possible values."""

from collections.abc import Collection, Mapping
from dataclasses import Field, dataclass, fields, replace
from dataclasses import field as dataclass_field
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final, Protocol

from tilescore.errors import OptionError
from tilescore.scoring.house import HOUSE, HOUSE_OPTION, house_of
from tilescore.scoring.ruleset import OptionEntry, Ruleset

QUARTER: Final = 0.25
"""The smallest part of a stake; sums of quarters are exact."""
MOST: Final = 10**9
"""Upper bound of a number: more than any table agrees on."""


class Named(Protocol):
    """Options of a ruleset, which has a name."""

    @property
    def name(self) -> str:
        """The name of the ruleset."""


def option(
    default: Any,
    text: str,
    *,
    name: str = "",
    among: tuple[Any, ...] = (),
    least: float = 0,
    most: int = MOST,
    stake: bool = False,
) -> Any:
    """A field of that default.

    It is called `name`, if not like the field. `text` says what it does. It may have the values `among`; without them,
    it is true or false, or any number from `least` to `most`. A `stake` is paid, and may have quarters.
    """
    said = {"text": text, "name": name, "among": among, "least": least, "most": most, "stake": stake}
    return dataclass_field(default=default, metadata=said)


def changed(kind: type, field: str, **changes: Any) -> Any:
    """The option that this field of a dataclass is, with other arguments of `option`."""
    (entry,) = [entry for entry in _options(kind) if entry.name == field]
    return option(**{"default": entry.default, **entry.metadata, **changes})


def name_of(entry: Field[Any]) -> str:
    """What the option of this field is called."""
    return entry.metadata["name"] or entry.name


def check_options(group: Named) -> None:
    """Raise OptionError for the first option of a dataclass with a value that it cannot have."""
    for entry in _options(group):
        value, among = getattr(group, entry.name), entry.metadata["among"]
        least, most = entry.metadata["least"], entry.metadata["most"]
        if among:
            check_choice(group.name, name_of(entry), value, among)
        elif isinstance(value, bool | str):
            continue
        elif not least <= value <= most or (entry.metadata["stake"] and value % QUARTER):
            steps = f" in steps of {QUARTER}" if entry.metadata["stake"] else ""
            raise _refused(group.name, name_of(entry), f"lie between {least} and {most}{steps}", value)


def check_choice(ruleset: str, name: str, value: object, among: Collection[object]) -> None:
    """Raise OptionError unless the value of this option is one of those."""
    if value not in among:
        raise _refused(ruleset, name, f"be one of {', '.join(map(str, among))}", value)


def _refused(ruleset: str, name: str, must: str, value: object) -> OptionError:
    return OptionError("bad_option_value", f"option '{name}' of {ruleset} must {must}, not {value!r}.", option=name)


def option_entries(*groups: object, overruled: Collection[str] = ()) -> tuple[OptionEntry, ...]:
    """Every option of these dataclasses with its default, in the order of the fields."""
    return tuple(
        OptionEntry(
            name=name_of(entry),
            default=entry.default,
            value=getattr(group, entry.name),
            text=entry.metadata["text"],
            choices=entry.metadata["among"],
            least=entry.metadata["least"],
            most=entry.metadata["most"],
            overruled=name_of(entry) in overruled,
        )
        for group in groups
        for entry in _options(group)
    )


@lru_cache(maxsize=64)
def least_payment(group: object) -> float:
    """The least amount that is paid: a quarter where a stake of these options has quarters."""
    stakes = [getattr(group, entry.name) for entry in _options(group) if entry.metadata["stake"]]
    return QUARTER if any(stake % 1 for stake in stakes) else 1


def _options(group: object) -> list[Field[Any]]:
    entries = [entry for entry in fields(group) if "text" in entry.metadata]  # type: ignore[arg-type]  # a dataclass
    return sorted(entries, key=lambda entry: entry.name == HOUSE)


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseRules(Ruleset):
    """A ruleset with house tables; its fields are its options."""

    house: str = option("", HOUSE_OPTION)

    def __post_init__(self) -> None:
        check_options(self)
        self.ours()

    def ours(self) -> Mapping[str, int | None]:
        """The values of the house by key; raises OptionError that names the row."""
        return _ours(self) if self.house else {}

    def options(self) -> tuple[OptionEntry, ...]:
        """Every option with its default."""
        return option_entries(self)


@lru_cache(maxsize=64)
def _ours(rules: HouseRules) -> Mapping[str, int | None]:
    return MappingProxyType(dict(house_of(rules.house, replace(rules, house=""))))
