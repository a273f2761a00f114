"""The button that shares a hand, and what an address brings: a hand, or a house table."""

from typing import Final

import streamlit as st

from tilescore.errors import InputError
from tilescore.scoring.context import Context
from tilescore.scoring.house import HOUSE, house_of
from tilescore.scoring.ruleset import Ruleset, own_options, ruleset
from tilescore.scoring.score import NotAWin, Score
from tilescore.ui.components.game.button import button
from tilescore.ui.components.house_table import take
from tilescore.ui.components.share.link import NAME, Shared
from tilescore.ui.components.share.share import share
from tilescore.ui.state import house_rules, session, table_game
from tilescore.ui.state.hand.work import Link, Work
from tilescore.ui.state.kept import visit
from tilescore.ui.words.text import beside, explained, words

_TITLE: Final = "share"
_BUTTON: Final = "share_open"


def offer(work: Work, rules: Ruleset, *, context: Context, result: Score | NotAWin | str) -> None:
    """Draw the button if there is a hand to share."""
    if isinstance(result, str) or not work.order:
        return
    if st.button(words(_TITLE), icon=":material/ios_share:", key=_BUTTON, width="stretch"):
        shared = Shared(hand=work.hand, ruleset=rules.name, context=context, options=own_options(rules))
        st.dialog(words(_TITLE), icon=":material/ios_share:")(share)(work, result, shared)


def arrive() -> bool:
    """Show the hand in the address; return whether there is one. A bad link changes nothing and shows a notice."""
    if NAME not in st.query_params:
        return False
    try:
        shared = Shared.of(st.query_params.to_dict())
    except InputError as error:
        session.notify(explained(error))
        return False
    session.show_link(shared.hand, ruleset=shared.ruleset, context=shared.context, options=shared.options)
    return True


def _take_with_rules(link: Link) -> None:
    """Take the hand over, and play by the options of the link from now on."""
    house_rules.choose(link.ruleset, link.options)
    session.take_over()


def ask_to_take_over() -> None:
    """Say that the hand is that of a link, and offer to take it over, or to go back to the own hand."""
    now = session.history()
    link = now.now.linked
    if link is None:
        if NAME in st.query_params:
            visit.keep()  # before the address loses the hand, because a reload can come before the end of this drawing
            st.query_params.from_dict(table_game.address())  # a reload brings back the own hand, not that of the link
        return
    chosen = link.ruleset == session.ruleset_name()
    foreign = chosen and bool(link.options) and link.options != house_rules.options(link.ruleset)
    more = words("link.rules", n=len(link.options)) if foreign else ""
    st.info(beside(words("link.shown"), more), icon=":material/link:")
    with st.container(horizontal=True):
        button("link.take", session.take_over, key="link_take", type="primary")
        if foreign:
            button("link.take_rules", _take_with_rules, link, key="link_take_rules")
        if any(not work.linked for work in now.past):
            button("link.back", session.leave_link, key="link_back")


def offer_house_table() -> None:
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
        button("house.link_take", _take_table, name, text, key="house_link_take", type="primary")
        button("house.link_leave", st.query_params.clear, key="house_link_leave")


def _take_table(name: str, text: str) -> None:
    st.query_params.clear()
    session.choose_ruleset(ruleset(name).name)
    take(ruleset(name).name, text)
