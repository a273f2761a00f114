"""The payments of the draft before it is booked, or what the draft still lacks."""

import logging
from html import escape
from typing import Final

import streamlit as st

from tilescore.errors import InputError
from tilescore.scoring.context import Context, Seat
from tilescore.scoring.game.ledger import Entry, Game
from tilescore.scoring.hand import Hand
from tilescore.scoring.score import NotAWin, Score
from tilescore.ui.components.deletion import offer_deletion
from tilescore.ui.components.drawing import drawing
from tilescore.ui.components.game.button import button
from tilescore.ui.components.game.news import ask_which_deal
from tilescore.ui.components.lines.score_lines import worth
from tilescore.ui.components.score.booking import ask_to_keep_photos
from tilescore.ui.components.score.result import parts_of, reason
from tilescore.ui.pages.table.view import payments_in_words, payments_markup, steps_markup
from tilescore.ui.state import table_game, table_state
from tilescore.ui.state.deal_draft import WIN
from tilescore.ui.state.hand.work import Work
from tilescore.ui.words.game import joined, known_value, name_at, name_of, where
from tilescore.ui.words.text import explained, grouped, labelled, listed, plain, sentence, telling, words

_LOG: Final = logging.getLogger(__name__)


def preview(game: Game) -> None:
    """Draw the payments and the buttons that book them."""
    now = table_state.state()
    number = now.correcting
    after = _played(game, number)
    if isinstance(after, str):
        st.html(f'<div class="ts-card ts-none ts-says"><p>{escape(sentence(after))}</p></div>')
    else:
        place = len(after.records) if number is None else number
        _show(after, place)
    if any(text in now.pictures for text in now.draft.hands.values()):
        ask_to_keep_photos()
    if ask_which_deal(game):
        return
    with st.container(horizontal=True, key="ts_book"):
        button(
            "deal.book" if number is None else "deal.save", table_game.book, key="deal.book", of_game=True,
            type="primary", width="stretch", disabled=isinstance(after, str),
        )  # fmt: skip
        if number is not None:
            button("deal.remove", _remove, game, number, of_game=True)
            button("deal.cancel", table_state.fresh_draft)
            press = table_state.changing("deal.delete", table_game.delete_deal, number)
            offer_deletion(words("deal.delete"), words("deal.delete_text", n=number), **press)


def _played(game: Game, number: int | None) -> Game | str:
    """The game with this deal, or one sentence about why it cannot be booked yet."""
    draft = table_state.state().draft
    try:
        gap = draft.gap(game)
        if gap is None:
            return draft.played(game, number)
    except InputError as error:
        return _wrong_hand(game) or explained(error)
    except Exception:  # noqa: BLE001  # a fault of ours must not take the game off the table
        _LOG.exception("settling %s in %s failed", draft, game)
        return words("store.fault")
    names = joined(name_of(game, player) for player in gap.players)
    return words(f"missing.{gap.key}", name=names, names=names, n=grouped(gap.number, signed=True))


def _wrong_hand(game: Game) -> str:
    """The first player whose hand cannot be or does not win, and why; empty if each hand alone is right."""
    draft, position = table_state.state().draft, table_state.position(game)
    counted = position.players if game.rules.traits.losers_count else draft.winners
    for player in filter(draft.hands.get, counted):
        lost = Context(seat=position.seat(player), round=position.round)
        try:
            hand = Hand.parse(draft.hands[player])
            won = draft.context(player, position) if player in draft.winners else lost
            result = game.rules.score(hand, won)
        except InputError as error:
            return labelled(name_of(game, player), explained(error))
        if isinstance(result, NotAWin) and player in draft.winners:
            return labelled(name_of(game, player), reason(result, Work.of(hand), rules=game.rules))
    return ""


def _show(after: Game, number: int) -> None:
    entry, draft = after.entries[number - 1], table_state.state().draft
    sticks = draft.sticks if after.rules.traits.stick and entry.deal.foul_by is None else ()
    says = escape(payments_in_words(after, entry, sticks))
    st.html(f'<p class="ts-label ts-says" data-says="{says}">{words("deal.pays")}</p>')
    if draft.ending == WIN:
        st.html(_values(after, entry))
    if entry.payments.steps or any(entry.changes):
        drawing(payments_markup(after, entry, sticks), key="deal_payments")
        with st.expander(words("deal.steps")):
            drawing(steps_markup(after, entry, sticks), key="deal_steps")
    else:
        st.html(
            f'<div class="ts-card ts-none"><p>{words("deal.nothing_paid")}</p>{_off_the_result(after, entry)}</div>'
        )
    if number == len(after.records):
        ahead = words("deal.next_over")
        if not after.over:
            dealer = plain(name_at(after, after.position, Seat.EAST))
            ahead = words("deal.next", where=where(after.position), name=dealer)
        st.caption(ahead)


def _off_the_result(game: Game, entry: Entry) -> str:
    """What a false mah-jong takes off the result of a player, where nobody is paid for it."""
    points, seat = game.rules.traits.end.penalty, entry.deal.foul_by
    if seat is None or not points:
        return ""
    off = words("standings.uma", n=grouped(-points, signed=True))
    return f"<p>{escape(labelled(name_at(game, entry.position, seat), off))} ({words('why.chombo')})</p>"


def _values(game: Game, entry: Entry) -> str:
    rows = []
    for seat, value in entry.values.items():
        score = game.rules.score(*entry.deal.hands[seat]) if seat in entry.deal.hands else None
        lines, notes = "", [grouped(value)]
        if isinstance(score, Score):
            parts = [f"{words(line.key)} {worth(line, score)}" for line in score.lines]
            lines = f"<small>{escape(listed(parts))}</small>" if parts else ""
            notes += [*parts_of(score), *([words("score.house")] if score.house else [])]
        elif seat in entry.known and entry.known[seat].han:
            notes.append(known_value(game, entry, seat))
        name = escape(name_at(game, entry.position, seat))
        rows.append(f'<li><span dir="auto">{name}</span><b>{escape(" · ".join(notes))}</b>{lines}</li>')
    return f'<ul class="ts-values">{"".join(rows)}</ul>'


def _remove(game: Game, number: int) -> None:
    with telling(table_state.show_trouble):
        if table_game.save(game.without(number), kind="remove", done=words("deal.removed", n=number)):
            table_state.fresh_draft()
