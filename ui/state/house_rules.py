"""The options that a visitor's house plays with, for each ruleset; a ruleset without any has its defaults."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import streamlit as st

from tilescore.errors import OptionError
from tilescore.scoring.ruleset import RULESETS, ruleset

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tilescore.scoring.ruleset import Ruleset

_KEPT: Final = "house_rules"
_OF_LINK: Final = "house_rules.link"
"""Key of the name and the options of the ruleset that the last link brought."""


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


def rules(name: str) -> Ruleset:
    """The ruleset as this house plays it; as the document has it where an option is not known any more."""
    try:
        return ruleset(name, options(name))
    except OptionError:
        return ruleset(name)


def bring(name: str, options: Mapping[str, Any]) -> None:
    """Keep the options of a link apart from those of the visitor."""
    st.session_state[_OF_LINK] = (name, dict(options))


def of_link(name: str) -> Mapping[str, Any]:
    """The options of that ruleset that the last link brought."""
    brought, options = st.session_state.get(_OF_LINK, ("", {}))
    return options if brought == name else {}


def restore(kept: Mapping[str, Mapping[str, Any]]) -> None:
    """Bring back what `chosen` gave."""
    st.session_state[_KEPT] = {name: dict(values) for name, values in kept.items() if name in RULESETS}
