"""The game table: the list of games, or the open game with its seats, the form of a deal and the ledger."""

from functools import partial
from html import escape
from operator import methodcaller

import streamlit as st

from tilescore.ui.components.board.board import board
from tilescore.ui.components.deletion import offer_deletion, show_owed
from tilescore.ui.components.document.messages import show_error, show_notice
from tilescore.ui.components.game.button import button, offer_more, shown
from tilescore.ui.components.game.news import follow_bookings, show_messages
from tilescore.ui.components.header import header
from tilescore.ui.components.invitation import invitation
from tilescore.ui.pages.table.deal import ask_deal
from tilescore.ui.pages.table.ledger import show_ledger, show_standings
from tilescore.ui.pages.table.new_game import ask_game
from tilescore.ui.pages.table.seats import show_seats
from tilescore.ui.state import table_game, table_state
from tilescore.ui.state.kept import table_draft, visit
from tilescore.ui.state.route import go_to
from tilescore.ui.storage.ledger_store import LedgerStore, Saved
from tilescore.ui.storage.summary import GameListing, Summary
from tilescore.ui.words.game import deals, joined, rules_of
from tilescore.ui.words.text import grouped, telling, words


def page() -> None:
    """Draw the page: on a phone one column, the table first; elsewhere the ledger beside it."""
    header(words("table.tagline"), words("table.private"))
    table_game.arrive()
    table_draft.restore()
    trouble = table_state.state().trouble
    show_notice(unless=trouble)
    show_messages()
    show_owed()
    saved = table_state.state().saved
    if saved is None:
        with telling(partial(show_error, unless=trouble)):
            _show_games()
    else:
        _show_game(saved)
        follow_bookings()
    table_draft.keep()
    visit.keep()  # the rules of the last game are those of the next hand


def _show_game(saved: Saved) -> None:
    left, right = st.columns([12, 10], gap="medium")
    game = saved.game
    with left:
        with st.container(horizontal=True, vertical_alignment="center", key="ts_game"):
            button("games.all", table_game.leave, icon="arrow_back", type="tertiary")
            st.html(f'<p class="ts-quietly">{rules_of(game)}</p>', width="content")
            board(game)
            invitation(f"/table?game={saved.id}")
        with st.container():  # in one place of the page, so that what stands below is not drawn anew when it changes
            show_seats(game)
        if game.over and table_state.state().correcting is None:
            show_standings(game)
        else:
            ask_deal(game)
    with right:
        show_ledger(saved)


def _show_games() -> None:
    listing = LedgerStore().listing()
    _show_damage(listing)
    hidden = table_state.state().hidden
    if hidden in [summary.id for summary in listing.removed]:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(words("games.hidden"), width="content")
            button("games.back", _hide, hidden, False, type="tertiary")
    with st.container(horizontal=True):
        players = partial(go_to, "history", tab="players")
        button("history.players", players, key="history_open", icon="leaderboard")
        invitation("/table")
    with st.container(key="ts_games"):
        _show_list(listing)


def _show_list(listing: GameListing) -> None:
    """Draw the games, or the form of a new one; below them those that were removed from the list, folded away."""
    beginning = table_state.state().beginning
    if beginning or not listing.games:
        ask_game(listing.games)
    else:
        st.html(f'<div class="ts-section"><h2>{words("games")}</h2></div>')
        button("games.new", partial(table_state.keep, beginning=True), icon="add", type="primary")
        for summary in listing.games[: shown("games")]:
            _show_summary(summary)
        offer_more("games", len(listing.games))
    if beginning or not (listing.games or listing.removed):
        return
    if listing.removed:
        with st.expander(words("games.removed", n=len(listing.removed)), key="ts_removed"):
            for summary in listing.removed[: shown("removed")]:
                _show_summary(summary, removed=True)
            offer_more("removed", len(listing.removed))
    offer_deletion(
        words("games.delete_all"), words("games.delete_all_text"), key="games.delete_all",
        on_click=partial(table_game.delete, LedgerStore.delete_all),
    )  # fmt: skip


def _show_damage(listing: GameListing) -> None:
    """Name the games that are damaged, each with buttons that export and delete what is left of it."""
    if not listing.whole:
        st.warning(words("games.partly"))
    for name in listing.damaged:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.warning(words("games.damaged", name=name))
            st.download_button(
                words("games.remains"), partial(LedgerStore().remains, name), f"tilescore-{name}.json",
                "application/json", key=f"games.remains.{name}", icon=":material/download:", on_click="ignore",
            )  # fmt: skip
            offer_deletion(
                words("games.delete"), words("games.delete_damaged", name=name), key=f"games.delete.{name}",
                on_click=partial(table_game.delete, methodcaller("delete", name)),
            )  # fmt: skip


def _show_summary(summary: Summary, *, removed: bool = False) -> None:
    """Draw the card of a game: players, standing, buttons; one that was removed from the list can be put back."""
    where = words("table.where", round=words(f"seat.{summary.round}"), number=summary.number)
    standing = words("games.over") if summary.over else where
    day = f"{summary.changed_at.astimezone():%Y-%m-%d}"
    known = (day, summary.tag, words(f"ruleset.{summary.ruleset}"), standing, deals(summary.deals))
    about = " · ".join(filter(None, known))
    best = max(summary.totals)
    players = "".join(
        f'<li class="{"ts-gets" if total == best and summary.deals else ""}"><span dir="auto">{escape(name)}</span>'
        f"<b>{grouped(total)}</b></li>"
        for name, total in zip(summary.players, summary.totals, strict=True)
    )
    with st.container(key=f"ts_card_{summary.id}"):
        about_it = f"{joined(summary.players)} · {about}"
        st.html(f'<ul class="ts-payments" data-about="{escape(about_it)}">{players}</ul>')
        with st.container(horizontal=True, vertical_alignment="center"):
            st.html(f'<p class="ts-quietly">{escape(about)}</p>', width="stretch")
            _offer_listing(summary, removed=removed)
            offer_deletion(
                words("games.delete"), words("games.delete_text", names=joined(summary.players)),
                key=f"games.delete.{summary.id}",
                on_click=partial(table_game.delete, methodcaller("delete", summary.id)),
            )  # fmt: skip


def _offer_listing(summary: Summary, *, removed: bool) -> None:
    """Draw the buttons that open the game and remove it from the list, or the one that puts it back."""
    if removed:
        button("games.back", _hide, summary.id, False, key=f"games.back.{summary.id}", icon="playlist_add")
        return
    name, key = "games.open" if summary.over else "games.resume", f"games.hide.{summary.id}"
    button(name, table_game.enter, summary.id, key=f"games.open.{summary.id}")
    button("games.hide", _hide, summary.id, True, key=key, icon="playlist_remove", type="tertiary")


def _hide(name: str, hidden: bool) -> None:  # noqa: FBT001  # a callback's arguments have no names
    with telling(table_state.show_trouble):
        LedgerStore().hide(name, hidden=hidden)
        table_state.keep(hidden=name if hidden else None)
