"""The news of the open game: bookings of other pages, messages, and what the last change did."""

from collections.abc import Callable
from html import escape
from typing import Final
from urllib.parse import urlencode

import streamlit as st

from tilescore.scoring.game.ledger import Game
from tilescore.ui.components.assets import draw
from tilescore.ui.components.document.messages import show_warning
from tilescore.ui.components.game.button import button
from tilescore.ui.state import table_game, table_state
from tilescore.ui.words.game import booked_deal
from tilescore.ui.words.text import plain, words

PATH: Final = "/game"
"""Where the server gives the version of a game; the parameter `GAME` names it."""
GAME: Final = "id"


def follow_bookings() -> None:
    """Let the page be drawn again as soon as another page has changed the open game."""
    saved = table_state.state().saved
    if saved is None:
        return
    if table_game.is_stale():
        st.rerun()  # of the whole page, if this is a fragment
    data = {"address": f"{PATH[1:]}?{urlencode({GAME: saved.id})}", "version": saved.version}
    draw("news", key="news", data=data, news=lambda _: None)


def show_messages() -> None:
    """Show the notice and the trouble of the table, once."""
    now = table_state.state()
    if now.trouble:
        show_warning(now.trouble)
    if now.notice:
        st.toast(plain(now.notice), duration="long")  # ten seconds: nobody waits for this message
    if now.trouble or now.notice:
        table_state.keep(trouble=None, notice=None)


def ask_which_deal(
    game: Game,
    meant: int | None = None,
    *,
    drop: Callable[[], None] = table_state.fresh_draft,
    take_for: Callable[[int], None] = table_state.begun_for,
) -> bool:
    """Ask whether an entry is a deal that another page has booked meanwhile; return whether there is a question.

    The entry is the draft; on the Hand page it is also a hand that was taken for deal `meant`. One answer drops the
    entry by `drop`, the other one takes it for the next deal by `take_for`.
    """
    meant, following = table_state.state().meant or meant, len(game.records) + 1
    if meant is None:
        return False
    with st.container(key="ts_which"):
        st.html(f'<p class="ts-quietly ts-says">{words("deal.meant", n=meant, next=following)}</p>')
        if meant < following:
            st.html(f'<p class="ts-quietly">{escape(booked_deal(game, meant))}</p>')
        with st.container(horizontal=True, gap="small"):
            button("deal.drop", drop, label=words("deal.meant_drop", n=meant), of_game=True)
            button("deal.next", take_for, following, label=words("deal.meant_next", n=following), of_game=True)
    return True


def show_done(game: Game) -> bool:
    """Draw what this visitor's last change did, with a button that undoes it; return whether there is such a change."""
    now = table_state.state()
    note, version = now.done or ("", 0)
    if now.saved is None or now.saved.version != version or not game.past:
        return False
    with st.container(
        horizontal=True, wrap=False, vertical_alignment="center", width="content", key=f"ts_done_{version}"
    ):
        st.html(f'<p class="ts-says">{escape(note)}</p>', width="content")
        button("deal.undo", table_game.step, game, "undo", of_game=True, icon="undo", type="tertiary")
    return True
