"""The options of a ruleset as a form: the profile that sets several of them first, then one by one."""

from functools import partial
from typing import Any, Final

import streamlit as st

from tilescore.errors import OptionError
from tilescore.scoring.house import HOUSE, has_house
from tilescore.scoring.ruleset import OptionEntry, ruleset
from tilescore.ui.components.house_table import offer_house_table
from tilescore.ui.state import house_rules
from tilescore.ui.state.fields import follow
from tilescore.ui.words.options import choice_words, option_words
from tilescore.ui.words.text import explained, plain, sentence, words

_PROFILE: Final = "profile"
"""The option that names a set of the others, where a ruleset has one."""
_WRONG: Final = "house_rules.wrong"
"""Key of the sentence about a value that an option cannot have: it is said once and changes nothing."""


def ask_house_rules(name: str, *, key: str) -> None:
    """Draw the form; what is chosen holds for this visitor's hands and new games from now on."""
    _ask_preset(name, key=f"{key}.{name}.preset")
    profile = {key: value for key, value in house_rules.options(name).items() if key == _PROFILE}
    open_ones = [entry for entry in ruleset(name, profile).options() if not entry.overruled and entry.name != HOUSE]
    for entry in sorted(open_ones, key=lambda entry: entry.name != _PROFILE):
        _ask(name, entry, f"{key}.{name}.{entry.name}")
    if wrong := st.session_state.pop(_WRONG, ""):
        st.error(plain(sentence(wrong)))
    if has_house(ruleset(name)):
        offer_house_table(name, key=key)
    if house_rules.options(name):
        st.button(
            words("house.reset"), key=f"{key}.{name}.reset", icon=":material/restart_alt:", type="tertiary",
            on_click=house_rules.choose, args=(name, {}),
        )  # fmt: skip


def _ask_preset(name: str, *, key: str) -> None:
    """Draw the choice of a published table, which sets all options."""
    presets = {entry.name: entry for entry in ruleset(name).traits.presets}
    if not presets:
        return
    now = next((entry.name for entry in presets.values() if dict(entry.options) == dict(house_rules.options(name))), "")

    def play(chosen: str, _before: str) -> None:
        house_rules.choose(name, presets[chosen].options if chosen else {})

    names = ["", *presets]
    st.selectbox(
        words("house.preset"), **follow(key, now, play, among=names).among(names),
        format_func=lambda chosen: words(f"preset.{name}.{chosen}") if chosen else words("house.preset_none"),
    )  # fmt: skip
    if now:
        st.caption(plain(words("house.source", source=presets[now].source)))


def _ask(name: str, entry: OptionEntry, key: str) -> None:
    shown = house_rules.options(name).get(entry.name, entry.default)
    choose, among = partial(_choose, name, entry), entry.choices or None
    field = follow(key, shown, choose, typed=not among, among=among)
    label = plain(option_words(name, entry))
    if isinstance(entry.default, bool):
        st.toggle(label, **field.value)
    elif entry.choices:
        st.selectbox(label, **field.among(entry.choices), format_func=lambda choice: choice_words(name, entry, choice))
    elif isinstance(entry.default, float):
        st.number_input(label, step=0.25, format="%g", **field.within(float(entry.least), float(entry.most)))
    elif isinstance(entry.default, int):
        st.number_input(label, step=1, **field.within(int(entry.least), int(entry.most)))
    else:
        st.text_input(label, autocomplete="off", **field.value)


def _choose(name: str, entry: OptionEntry, value: Any, _before: Any) -> None:
    others = {other: kept for other, kept in house_rules.options(name).items() if other != entry.name}
    changed = others if value == entry.default else {**others, entry.name: value}
    try:
        ruleset(name, changed)
    except OptionError as error:
        st.session_state[_WRONG] = explained(error)
        return
    house_rules.choose(name, changed)
