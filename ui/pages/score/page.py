"""The main page: from a photo to its score."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import streamlit as st

from tilescore.base.errors import InputError
from tilescore.scoring.score import NOT_A_WIN, NotAWin
from tilescore.ui.components.header import header
from tilescore.ui.components.tiles.tile_canvas import tile_canvas
from tilescore.ui.components.tiles.tile_choices import tile_choices
from tilescore.ui.components.tiles.tile_row import tile_row
from tilescore.ui.pages.score import share
from tilescore.ui.pages.score.circumstances import ask_circumstances, ask_ruleset
from tilescore.ui.pages.score.result import result_of, show_result
from tilescore.ui.pages.score.source import choose_source
from tilescore.ui.pages.score.training_photo import offer_training_photo
from tilescore.ui.state import session, visit
from tilescore.ui.state.hand.highlight import tiles_of
from tilescore.ui.state.hand.one_tile_off import changes
from tilescore.ui.state.photo_reading import look
from tilescore.ui.state.route import leave_fragment
from tilescore.ui.words.doubts import hint
from tilescore.ui.words.text import explained, plain, sentence, words
from tilescore.vision.layout.layout import Role

_LOOKED: Final = "looked"
"""Key of what the networks see in the box that the visitor drew last."""

if TYPE_CHECKING:
    from tilescore.scoring.context import Context
    from tilescore.scoring.score import Score
    from tilescore.scoring.tiles import Tile
    from tilescore.ui.state.hand.one_tile_off import TileChange
    from tilescore.ui.state.hand.work import Work


def page() -> None:
    """Draw the page: on a phone one column, the hand first; elsewhere the score beside it."""
    header(words("app.tagline"), words("app.private"))
    _show()


@st.fragment
def _show() -> None:
    """Hand and score; a fragment, because the browser draws an edit a third faster without the frame around it."""
    leave_fragment()
    left, right = st.columns([12, 9], gap="medium")
    with left:
        choose_source()
        canvas = st.container()
    work = session.history().now
    with right:
        name = ask_ruleset()
        context = ask_circumstances(name, work)
        result = result_of(name, work, context)
        asks = context.win_by is not None and work.lacks_winning_tile
        offered = st.container()
        show_result(words("score.when_known") if asks else result, context, work)
        share.offer(work, name, context, result)
        offer_training_photo(work)
    with canvas:
        _show_hand(work, result, asks=asks)
    with offered:  # last, because it takes longest
        _offer_changes(name, work, context, result)
    visit.keep()


def edit_or_look(event: object) -> None:
    """Apply an event of the canvas, or answer its question about a place of the photo."""
    if not isinstance(event, dict) or event.get("do") != "look":
        session.edit(event)
        return
    try:
        st.session_state[_LOOKED] = look(session.history().now, event.get("box"))
    except InputError as error:
        session.notify(explained(error))


def ask_winning_tile(work: Work) -> None:
    """Ask which tile completed a hand without a winning tile."""
    concealed = [at for at in work.order if work.role(at) is Role.CONCEALED]
    places = {work.tile(at): at for at in concealed}

    def chosen(tiles: tuple[Tile, ...]) -> None:
        if tiles and tiles[0] in places:
            session.edit({"do": "role", "at": places[tiles[0]], "role": str(Role.WINNING)})

    with st.container(key="which_won"):
        tile_row(words("score.which_won"), sorted(places), key="which_won_row", on_change=chosen, ask=True)


def _offer_changes(name: str, work: Work, context: Context, result: Score | NotAWin | str) -> None:
    """Offer to exchange one tile where that makes the hand a win."""
    if not isinstance(result, NotAWin) or result.code != NOT_A_WIN:
        return
    near = changes(name, work, context)

    def accept(change: TileChange) -> None:
        session.edit({"do": "tile", "at": change.at, "tile": str(change.new)})

    if near:
        tile_choices(words("score.did_you_mean"), near, key="did_you_mean", on_choose=accept)


def _show_hand(work: Work, result: Score | NotAWin | str, *, asks: bool) -> None:
    notice = session.notice()
    if notice:
        st.warning(plain(sentence(notice)))
    lines = () if isinstance(result, str) else result.lines
    chosen = next((line for line in lines if line.key == session.chosen_line()), None)
    lit = frozenset[int]() if chosen is None else tiles_of(work, chosen)
    tile_canvas(
        session.history(), lit=lit, hint=hint(work.reading, work.size), on_edit=edit_or_look,
        looked=st.session_state.get(_LOOKED),
    )  # fmt: skip
    if asks:
        ask_winning_tile(work)
    st.text_input(
        words("notation"), work.notation, key=session.notation_key(), on_change=session.type_notation,
        help=words("notation.help"), placeholder="123m456p77z (789s) +3m &1f", autocomplete="off",
    )  # fmt: skip
    wrong = session.notation_error()
    if wrong:
        st.error(plain(sentence(wrong)))
