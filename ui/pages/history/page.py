"""What was before: past hands with a search, players over many games, and copies of everything."""

from functools import partial
from html import escape
from typing import Final

import streamlit as st

from tilescore.errors import InputError
from tilescore.scoring.hand import Hand
from tilescore.ui.components.assets import media_url, tile_pictures
from tilescore.ui.components.copies.copies import copies
from tilescore.ui.components.deletion import offer_deletion, show_owed
from tilescore.ui.components.document.messages import show_error, show_notice
from tilescore.ui.components.game.button import button, offer_more, shown
from tilescore.ui.components.header import header
from tilescore.ui.pages.history.players import show_players
from tilescore.ui.state import exchange
from tilescore.ui.state.kept import past_hands
from tilescore.ui.state.route import go_to
from tilescore.ui.storage.hand_store import HandStore, PastHand, PastHands
from tilescore.ui.storage.ledger_store import LedgerStore
from tilescore.ui.words.audience import is_guest
from tilescore.ui.words.search import folded, found_by
from tilescore.ui.words.text import explained, grouped, listed, plain, telling, unit_of, words

_SEARCH: Final = "history.search"
_SURE: Final = "history.sure"
_DONE: Final = "copies.done"
"""Key of what became of the file that came in last."""
_TAB: Final = "tab"
"""The part of the address that names the tab to begin with."""
_TABS: Final = ("hands", "players", "copies")


def page() -> None:
    """Draw the page."""
    header(words("history.tagline"), words("history.private"))
    show_owed()
    show_notice()
    if is_guest():  # guests keep nothing here, and take no copy of everything
        with telling(show_error):
            show_players()
        return
    tabs = [words(f"history.{name}") for name in _TABS]
    wanted = st.query_params.get(_TAB)
    hands, players, copies = st.tabs(tabs, default=words(f"history.{wanted}") if wanted in _TABS else None)
    with hands, telling(show_error):
        _show_hands(past_hands.all_hands())
        _offer_others()
    with players, telling(show_error):
        show_players()
    with copies, telling(show_error):
        _show_copies()


def _show_hands(kept: PastHands) -> None:
    hands = kept.hands
    if kept.damaged:
        _offer_damaged(kept.damaged)
    elif not kept.is_whole:
        st.warning(words("history.damaged"))
    if not hands:
        if kept.is_whole:
            st.html(f'<div class="ts-card ts-none"><p>{escape(words("history.none"))}</p></div>')
        else:
            _offer_forgetting(hands)
        return
    wanted = st.text_input(
        words("history.search"), key=_SEARCH, placeholder=words("history.search_for"), icon=":material/search:",
        autocomplete="off",
    )  # fmt: skip
    parts = folded(wanted).split()
    found = [hand for hand in hands if _is_found(hand, parts)] if parts else hands
    if not found:
        st.caption(words("history.not_found"))
    for hand in found[: shown("history")]:
        _show(hand)
    offer_more("history", len(found))
    _offer_forgetting(hands)


def _show(hand: PastHand) -> None:
    """A card: the photo, the tiles, the score, when; it opens the hand or deletes it."""
    with st.container(key=f"ts_past_{hand.id}"):
        jpeg = past_hands.photo(hand)
        picture = "" if jpeg is None else f'<img class="photo" src="{media_url(jpeg, "image/jpeg", hand.id)}" alt="">'
        worth = f"<b>{grouped(hand.total)}</b> {escape(unit_of(hand.unit, hand.total))}"
        house = f" · {words('score.house')}" if past_hands.by_house(hand) else ""
        about = f"{words(f'ruleset.{hand.ruleset}')}{house} · {_when(hand)}"
        lines = listed(words(key) for key in hand.lines[:4])
        st.html(
            f'<div class="ts-past" data-about="{escape(about)}">{picture}<div>'
            f'<p>{worth}</p><p class="ts-quietly">{escape(about)}</p>'
            f'<p class="tiles">{_tiles(hand.notation)}</p><p class="ts-quietly">{escape(lines)}</p></div></div>'
        )
        with st.container(horizontal=True):
            button("history.open", _open, hand, key=f"history.open.{hand.id}")
            offer_deletion(
                words("history.forget"), words("history.forget_what", n=1), key=f"history.forget.{hand.id}",
                on_click=partial(past_hands.delete, lambda store, me: store.forget(me, [hand.id])),
            )  # fmt: skip


def _offer_others() -> None:
    """Offer the hands of other browsers of this machine, such as of this one before its cookies were cleared."""
    others = past_hands.others()
    if not others:
        return
    with st.expander(words("history.others"), key="ts_others"):
        st.caption(words("history.others_what"))
        for owner in others:
            first, last = owner.days
            label = plain(words("history.mine", n=owner.hands, first=first, last=last))
            button(f"history.mine.{owner.name}", past_hands.take_from, owner, label=label)


def _offer_damaged(count: int) -> None:
    """Say how many hands are damaged; what is left of them can be saved, and deleted."""
    st.warning(words("history.odd", n=count))
    with st.container(horizontal=True):
        st.download_button(
            words("games.remains"), past_hands.remains, "hands-remains.json", "application/json",
            key="history.remains", on_click="ignore",
        )  # fmt: skip
        button("history.forget_odd", past_hands.delete, HandStore.forget_damaged)


def _offer_forgetting(hands: tuple[PastHand, ...]) -> None:
    """Delete all hands, after a second tap that says what goes."""
    if st.toggle(words("history.forget_all"), key=_SURE):
        st.warning(words("history.forget_what", n=len(hands)))
        button("history.forget_now", _forget_all, type="primary")


def _forget_all() -> None:
    past_hands.delete(HandStore.forget_all)
    st.session_state[_SURE] = False


def _open(hand: PastHand) -> None:
    if past_hands.reopen(hand):
        go_to("hand")


def _when(hand: PastHand) -> str:
    return f"{hand.at.astimezone():%Y-%m-%d %H:%M}"


def _is_found(hand: PastHand, parts: list[str]) -> bool:
    about = folded(f"{hand.notation} {words(f'ruleset.{hand.ruleset}')} {_when(hand)} {hand.total}")
    text = " ".join([about, *map(found_by, hand.lines)])
    return all(part in text for part in parts)


def _tiles(notation: str) -> str:
    try:
        hand = Hand.parse(notation)
    except ValueError:
        return escape(notation)
    return tile_pictures((*hand.tiles, *hand.bonus))


def _show_copies() -> None:
    """Draw the link that gives a copy, and the field that takes one; raises StoreError where neither would work."""
    for store in (LedgerStore(), HandStore()):
        with store.file.reading():
            pass
    st.caption(words("copies.what"))
    copies(key=exchange.key(), on_done=_note_copies)
    done = st.session_state.get(_DONE)
    if isinstance(done, InputError):
        show_error(explained(done))
    elif done is not None:
        st.success(plain(words("copies.imported", games=done.games, hands=done.hands, known=done.known)))


def _note_copies() -> None:
    st.session_state[_DONE] = exchange.outcome()
