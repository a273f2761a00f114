"""The question which tiles a player has: as text, as a photo, or as the hand of the Hand page."""

from html import escape

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from tilescore.errors import InputError
from tilescore.scoring.context import Context
from tilescore.scoring.game.ledger import Game
from tilescore.scoring.game.waits import wins_of
from tilescore.scoring.hand import Hand
from tilescore.scoring.progression import Player
from tilescore.scoring.tiles import Tile
from tilescore.ui.components.assets import tile_pictures
from tilescore.ui.components.document.messages import show_error
from tilescore.ui.components.game.button import button
from tilescore.ui.components.tiles.photo_questions import ask_about_photo, say_what_indicators_lack
from tilescore.ui.components.tiles.tile_canvas import tile_canvas
from tilescore.ui.components.tiles.tile_row import tile_row
from tilescore.ui.services.photo_reading import TYPES, read_photo
from tilescore.ui.state import arrivals, table_state
from tilescore.ui.state.deal_draft import Draft
from tilescore.ui.state.hand import at_table
from tilescore.ui.state.hand.work import Work
from tilescore.ui.state.undisturbed import undisturbed
from tilescore.ui.words.game import name_of
from tilescore.ui.words.text import beside, explained, labelled, plain, words
from tilescore.vision.image.config import PHOTO_LIMITS


def ask_hand(game: Game, draft: Draft, player: Player) -> None:
    """Ask for a hand as text, as the hand of the Hand page or as a photo; draw its tiles below."""
    drawn = draft.hands.get(player, "")

    def typed(text: str) -> None:
        if text.strip() != drawn:
            at_table.type_hand(player, text.strip())

    field = table_state.follow(f"hand.{player}.{table_state.state().revision}", drawn, typed, typed=True)
    alone = draft.winners == (player,)
    if alone:
        _ask_photo(player, name_of(game, player), alone=True)

    with st.container(horizontal=True, wrap=False, vertical_alignment="bottom", gap="small"):
        st.text_input(
            words("deal.hand", name=plain(name_of(game, player))), autocomplete="off",
            placeholder="123m456p77z (789s) +3m &1f", **field.value,
        )  # fmt: skip
        if at_table.has_hand():
            about = words("deal.take_help")
            button("deal.take", at_table.take_hand, player, key=f"deal.take.{player}", help=about, width=110)
        if not alone:
            _ask_photo(player, name_of(game, player), alone=False)
    hand = parsed(draft.hands.get(player, ""))
    won = player in draft.winners
    context = draft.context(player, table_state.position(game)) if won else Context(win_by=None)
    if player in table_state.state().on_photo:
        _show_photo(game, player, context)
    elif hand is not None and hand.tiles:
        st.html(_tiles(hand))
    if won and hand is not None:
        _ask_about_win(game, player, hand, context)


def _show_photo(game: Game, player: Player, context: Context) -> None:
    """Ask what the photo of that hand leaves open, and draw it with its tiles."""
    seen = table_state.state().on_photo[player]

    def edit(event: object) -> None:
        at_table.edit_on_photo(player, event)

    ask_about_photo(seen.now, game.rules, context, key=f"deal.asked.{player}", on_edit=edit)
    tile_canvas(seen, key=f"deal.canvas.{player}", rules=game.rules, on_edit=edit)


def _ask_about_win(game: Game, player: Player, hand: Hand, context: Context) -> None:
    """Ask what the hand of a winner lacks before it has a score."""
    say_what_indicators_lack(hand, context, game.rules)
    if hand.size == game.rules.traits.size and hand.winning_tile is None:
        if wins_of(game.rules, hand, context):
            _ask_winning_tile(player, hand)
        else:
            st.html(f'<p class="ts-quietly ts-says">{escape(words("reason.not_a_win"))}</p>')


def _ask_photo(player: Player, name: str, *, alone: bool) -> None:
    """Ask for a photo of that hand, at once if it is the only one that is asked for; it is kept with the deal."""
    key = f"deal.photo.{player}.{table_state.state().revision}"
    label = plain(labelled(words("source.upload"), name))  # for screen readers; the page shows a camera
    most = PHOTO_LIMITS.max_bytes // 1_000_000
    if alone:
        with st.container(key="ts_deal_photo"):
            file = st.file_uploader(label, TYPES, key=key, max_upload_size=most, label_visibility="collapsed")
            _take_photo(player, file, key=f"{key}.failed")
    else:
        with st.popover(label, icon=":material/photo_camera:", help=words("deal.photo"), key=f"{key}.open", width=64):
            file = st.file_uploader(words("source.file"), TYPES, key=key, max_upload_size=most)
            _take_photo(player, file, key=f"{key}.failed")


def _take_photo(player: Player, file: UploadedFile | None, *, key: str) -> None:
    """Take over the hand in the photo; of a bad photo say why it is one, as long as the hand stays what it was.

    Under `key` the session remembers the last bad photo, the hand at that time, and what is wrong with the photo.
    """
    if file is None:
        return
    hand = table_state.state().draft.hands.get(player, "")
    if st.session_state.get(key, ("",))[0] != file.file_id:
        try:
            work = read_photo(file.getvalue(), file.name, rules=at_table.rules_of_next())
        except InputError as error:
            st.session_state[key] = (file.file_id, hand, explained(error))
        else:
            with undisturbed():
                at_table.take_photo(player, work, chosen_s=arrivals.chosen_s(file.file_id))
            st.rerun()
    _, before, why = st.session_state[key]
    if hand == before:
        with st.container(key=f"ts_failed.{player}"):
            show_error(beside(why, words("source.kept") if hand else ""))


def _ask_winning_tile(player: Player, hand: Hand) -> None:
    def chosen(tiles: tuple[Tile, ...]) -> None:
        if tiles:
            table_state.keep(revision=table_state.state().revision + 1)
            at_table.type_hand(player, f"{hand} +{tiles[0]}")

    with st.container(key=f"ts_ask_{player}"):
        tile_row(
            words("score.which_won"), sorted(set(hand.concealed)), key=f"deal.won.{player}", on_change=chosen, ask=True
        )


def parsed(text: str) -> Hand | None:
    """The hand in that text; None if there is none."""
    try:
        return Hand.parse(text)
    except InputError:
        return None


def _tiles(hand: Hand) -> str:
    """The hand in pictures: concealed tiles, the winning tile, melds, bonus tiles."""
    work = Work.of(hand)
    groups = [tile_pictures(work.tile(at) for at in group.members) for group in work.groups]
    return f'<div class="ts-hand"><span>{"</span><span>".join(groups)}</span></div>'
