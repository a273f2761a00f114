"""The list of every fan, yaku, doubling and limit hand; `?fan=mcr.pure_straight` opens one."""

from typing import Final

import streamlit as st

from tilescore.scoring.ruleset import RULESETS, own_options
from tilescore.ui.components.header import header
from tilescore.ui.components.lines.fan_list import fan_list
from tilescore.ui.components.ruleset_choice import ask_for_ruleset
from tilescore.ui.state import session
from tilescore.ui.state.hand import in_game
from tilescore.ui.state.route import go_to
from tilescore.ui.words.fans import example, fan_of
from tilescore.ui.words.text import words

ADDRESS: Final = "fan"
"""The part of the address that names the open line."""
_RULESET: Final = "fans_ruleset"
_FOLLOWED: Final = "fans_followed"


def page() -> None:
    """Draw the page: rulesets above, their lines below."""
    header(words("fans.tagline"))
    asked = fan_of(st.query_params.get(ADDRESS))
    if asked is not None and st.session_state.get(_FOLLOWED) != asked.key:
        st.session_state[_FOLLOWED] = asked.key
        st.session_state[_RULESET] = asked.key.partition(".")[0]
    name = ask_for_ruleset(RULESETS, key=_RULESET, default=session.ruleset_name(), persists=True)
    shown = asked.key if asked is not None and asked.key.startswith(f"{name}.") else None
    fan_list(in_game.rules_of(name), shown=shown, on_open=_open, on_score=_score)


def _open(key: str) -> None:
    st.query_params[ADDRESS] = key
    st.session_state[_FOLLOWED] = key


def _score(key: str) -> None:
    """Show the example on the Hand page by the rules that this page shows; it is no hand of the person."""
    name = key.partition(".")[0]
    shown = example(key, tuple(own_options(in_game.rules_of(name)).items()))
    if shown is not None:
        session.show_link(shown.hand, ruleset=name, context=shown.context, options=shown.options)
        session.mine().chosen_line = key
        go_to("hand")
