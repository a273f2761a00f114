"""The options that a visitor's house plays with, for each ruleset; a ruleset without any has its defaults."""

from collections.abc import Mapping
from typing import Any, Final

import streamlit as st

from tilescore.errors import OptionError
from tilescore.scoring.house import HOUSE
from tilescore.scoring.ruleset import Ruleset, ruleset

_KEPT: Final = "house_rules"


def chosen() -> Mapping[str, Mapping[str, Any]]:
    """The options by ruleset that differ from the defaults."""
    kept: Mapping[str, Mapping[str, Any]] = st.session_state.get(_KEPT, {})
    return kept


def options(name: str) -> Mapping[str, Any]:
    """The options of that ruleset that differ from the defaults."""
    return chosen().get(name, {})


def choose(name: str, changed: Mapping[str, Any]) -> None:
    """Play that ruleset with these options from now on."""
    others = {key: value for key, value in chosen().items() if key != name}
    st.session_state[_KEPT] = {**others, name: dict(changed)} if changed else others


def rules(name: str, *, table: bool = True) -> Ruleset:
    """The ruleset as this house plays it, with its table of values or without."""
    return ruleset(name, {key: value for key, value in options(name).items() if table or key != HOUSE})


def restore(kept: Mapping[str, Mapping[str, Any]]) -> None:
    """Bring back what `chosen` gave, perhaps in an earlier version: an option that is impossible by now is dropped."""
    st.session_state[_KEPT] = {name: sound for name, values in kept.items() if (sound := _sound(name, values))}


def _sound(name: str, values: Mapping[str, Any]) -> Mapping[str, Any]:
    """Those of the options that are possible, each alone and all together."""
    single = {key: value for key, value in values.items() if _is_possible(name, {key: value})}
    return single if _is_possible(name, single) else {}


def _is_possible(name: str, values: Mapping[str, Any]) -> bool:
    try:
        ruleset(name, values)
    except OptionError:
        return False
    return True
