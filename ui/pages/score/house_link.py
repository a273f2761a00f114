"""A house table that a link brings: nothing of it counts before the person says so."""

import streamlit as st

from tilescore.errors import InputError
from tilescore.scoring.house import HOUSE, house_of
from tilescore.scoring.ruleset import ruleset
from tilescore.ui.components.game.button import button
from tilescore.ui.components.house_table import take
from tilescore.ui.components.share.link import NAME
from tilescore.ui.state import session
from tilescore.ui.words.text import explained, words


def arrive() -> None:
    """Offer the table in the address, if there is one; a bad one changes nothing and shows a notice."""
    if HOUSE not in st.query_params or NAME in st.query_params:
        return
    name, text = st.query_params.get("rules", ""), st.query_params[HOUSE]
    try:
        lines = len(house_of(text, ruleset(name)))
    except InputError as error:
        st.query_params.clear()
        session.notify(explained(error))
        return
    st.info(words("house.link_shown", name=words(f"ruleset.{ruleset(name).name}"), n=lines), icon=":material/link:")
    with st.container(horizontal=True):
        button("house.link_take", _take, name, text, key="house_link_take", type="primary")
        button("house.link_leave", st.query_params.clear, key="house_link_leave")


def _take(name: str, text: str) -> None:
    st.query_params.clear()
    session.choose_ruleset(ruleset(name).name)
    take(ruleset(name).name, text)
