"""The deals so far: the list, undo, corrections, the chart, photos, exports."""

from functools import partial
from html import escape
from operator import methodcaller

import streamlit as st

from tilescore.scoring.game.ledger import Game
from tilescore.scoring.game.statistics import chases
from tilescore.scoring.progression import PLAYERS
from tilescore.scoring.traits import KnownValue
from tilescore.ui.components.deletion import offer_deletion
from tilescore.ui.components.document.messages import show_warning
from tilescore.ui.components.drawing import drawing
from tilescore.ui.components.game.button import button
from tilescore.ui.components.game.chart import chart_markup
from tilescore.ui.components.share.standing import standing_picture
from tilescore.ui.pages.table.export import about, file_name, ledger_markup, standings_markup, to_csv, to_html, to_json
from tilescore.ui.pages.table.new_game import LONGEST_NAME, tag_of
from tilescore.ui.pages.table.seats import usual_values
from tilescore.ui.pages.table.view import lines_between
from tilescore.ui.state import table_game, table_state
from tilescore.ui.storage.ledger_store import LedgerStore, Saved
from tilescore.ui.words.game import booked_deal, day, name_at, name_of, value_in_words, where
from tilescore.ui.words.text import grouped, labelled, listed, plain, telling, words
from tilescore.vision.image.photo import decode_photo


def show_standings(game: Game) -> None:
    """Draw the final ranking; the table plays again, or reopens a game that was ended early."""
    places = listed(f"{line.rank}. {line.name} {grouped(line.result)}" for line in game.standings)
    says = escape(labelled(words("standings"), places))
    st.html(f'<div class="ts-section ts-says" data-says="{says}"><h2>{words("standings")}</h2></div>')
    drawing(standings_markup(game), key="standings")
    with st.container(horizontal=True):
        button("games.rematch", table_game.rematch, game, of_game=True, icon="replay", type="primary")
        if game.closed:
            button("table.reopen", partial(table_game.close, closed=False), game, of_game=True)


def show_ledger(saved: Saved) -> None:
    """Draw everything that is booked."""
    game = saved.game
    st.html(f'<div class="ts-section"><h2>{words("ledger")}</h2></div>')
    if game.records:
        st.html(f"<style>:root {{ --ts-deals: {len(game.records)} }}</style>")  # the place that the ledger takes
        drawing(ledger_markup(game, marked=table_state.state().correcting), key="ledger")
    else:
        st.html(f'<div class="ts-card ts-none"><p>{words("ledger.empty")}</p></div>')
    for number, record in enumerate(game.records, start=1):
        if record.as_booked:
            st.caption(words("ledger.as_booked", n=number))
    if saved.booked:
        points = (f"{plain(name)} {grouped(total)}" for name, total in zip(game.players, saved.booked, strict=True))
        st.caption(words("ledger.other_rules", points=listed(points)))
    if saved.log_damaged:
        st.warning(words("ledger.log_damaged"))
    _steps(game)
    _show_chases(game)
    if game.records:
        st.html(f'<div class="ts-section"><h2>{words("chart")}</h2></div>')
        drawing(chart_markup(game), key="chart")
        with telling(show_warning):
            _show_photos(saved)
    _ask_tag(saved)
    _ask_names(saved)
    _copies(saved)


def _ask_tag(saved: Saved) -> None:
    """Ask what the game is called together with others; the league is chosen by it."""
    tag = saved.game.tag
    key = f"tag.{saved.id}.{tag}"
    st.text_input(
        words("new.tag"), tag, key=key, max_chars=LONGEST_NAME, autocomplete="off", on_change=_tag,
        args=(saved.id, key), placeholder=words("new.tag_example"),
    )  # fmt: skip


def _tag(name: str, key: str) -> None:
    """Save the tag that was typed; it fits the game whatever another page has changed meanwhile."""
    table_game.arrive()
    saved = table_state.state().saved
    tag = tag_of(st.session_state.get(key))
    if saved is not None and saved.id == name and tag != saved.game.tag:
        table_game.save(saved.game.then(tag=tag), kind="tag")


def _ask_names(saved: Saved) -> None:
    """Ask for other names of the players: somebody began without names, or with a wrong one."""
    position = saved.game.position
    keys = [f"name.{saved.id}.{place}.{name}" for place, name in enumerate(saved.game.players)]
    with st.expander(words("players.names"), icon=":material/badge:", key="ts_names"):
        columns = [*st.columns(2, wrap=False), *st.columns(2, wrap=False)]
        for player, name, key, column in zip(PLAYERS, saved.game.players, keys, columns, strict=False):
            label = words(f"seat.{position.seat(player)}")
            column.text_input(label, name, key=key, max_chars=LONGEST_NAME, placeholder=name, autocomplete="off")
        button("players.save", _rename, saved.game, keys, of_game=True)


def _rename(game: Game, keys: list[str]) -> None:
    """Save the names that were typed; an empty field leaves the name as it is."""
    typed = (str(st.session_state.get(key) or "").strip() for key in keys)
    names = tuple(new or name for new, name in zip(typed, game.players, strict=True))
    if len(set(names)) < len(names):
        table_state.show_trouble(words("new.names_needed"))
    elif names != game.players:
        table_game.save(game.then(players=names), kind="names")


def _steps(game: Game) -> None:
    with st.container(horizontal=True, key="ts_steps", gap="small"):
        for kind, possible in (("undo", game.past), ("redo", game.future)):
            button(f"ledger.{kind}", table_game.step, game, kind, of_game=True, icon=kind, disabled=not possible)
        if game.records:
            # A new key for every draft closes the list once a deal is chosen.
            with st.popover(
                words("ledger.correct"), icon=":material/edit:", key=f"ledger.deals.{table_state.state().revision}"
            ):
                for number in range(len(game.records), 0, -1):
                    label = plain(booked_deal(game, number))
                    button(f"ledger.correct.{number}", table_state.correct, number, label=label, type="tertiary")
        if not game.over:
            button("table.close", partial(table_game.close, closed=True), game, of_game=True, type="tertiary")


def _show_photos(saved: Saved) -> None:
    """Draw the photos of one deal: of the hand of the winner and of every other photographed hand."""
    game, kept = saved.game, LedgerStore().photographed(saved.id)
    hands = {
        number: {seat: text for seat, (hand, _) in record.deal.hands.items() if (text := str(hand)) in kept}
        for number, record in enumerate(game.records, start=1)
    }
    shown = [number for number, photographed in hands.items() if photographed]
    if not shown:
        return
    number = st.pills(
        words("ledger.photos"), shown, key="ledger.photos", wrap=True,
        format_func=lambda number: f"{number}. {where(game.entries[number - 1].position)}",
    )  # fmt: skip
    if number is None:
        return
    for seat, text in hands[number].items():
        jpeg = LedgerStore().photo(saved.id, text)
        if jpeg is not None:
            name = labelled(words("ledger.photo", n=number), name_at(game, game.entries[number - 1].position, seat))
            with telling(show_warning):
                decode_photo(jpeg, name=name)  # Streamlit raises anything for a picture that it cannot draw
                st.image(jpeg, caption=plain(name))
            offer_deletion(
                words("ledger.delete_photo"), words("ledger.delete_photo_text"), key=f"ledger.delete_photo.{seat}",
                on_click=partial(table_game.delete, methodcaller("delete_photo", saved.id, text)),
            )  # fmt: skip


def _show_chases(game: Game) -> None:
    """Say with which win each player overtakes the one before."""
    found = chases(game, lambda self_drawn: usual_values(game, self_drawn=self_drawn)) if game.records else ()
    if not found:
        return
    lines = []
    for chase in found:
        ahead = name_of(game, chase.ahead)
        ways = (
            words("overtake.from_ahead", name=ahead, worth=_worth(game, chase.from_ahead)),
            words("overtake.from_other", worth=_worth(game, chase.from_other)),
            words("overtake.self_drawn", worth=_worth(game, chase.self_drawn)),
        )
        lines.append((name_of(game, chase.player), ahead, chase.points, " · ".join(ways)))
    with st.expander(words("overtake"), icon=":material/trending_up:", key="ts_overtake"):
        drawing(lines_between(lines), key="overtake")


def _worth(game: Game, value: KnownValue | None) -> str:
    return words("overtake.none") if value is None else value_in_words(game, value)


def _copies(saved: Saved) -> None:
    game, begun = saved.game, day(saved.begun_at)
    st.html(f'<p class="ts-label">{words("export")}</p>')
    with st.container(horizontal=True, gap="small"):
        for name, copy, ending, kind in (
            ("csv", to_csv(game), "csv", "text/csv"),
            ("json", to_json(game), "json", "application/json"),
            ("print", to_html(game, begun), "html", "text/html"),
        ):
            key = f"export.{name}"
            st.download_button(words(key), copy, file_name(game, ending), kind, key=key, on_click="ignore")
        standing_picture(
            title=words("standings"), about=about(game, begun), file=file_name(game, "png"),
            lines=[(line.rank, line.name, grouped(line.result)) for line in game.standings],
        )  # fmt: skip
