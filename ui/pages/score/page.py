"""The main page: from a photo to its score."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from tilescore.scoring.score import NOT_A_WIN, NotAWin
from tilescore.ui.components.header import header
from tilescore.ui.components.tiles.tile_canvas import tile_canvas
from tilescore.ui.components.tiles.tile_choices import TileChoice, tile_choices
from tilescore.ui.components.tiles.tile_row import tile_row
from tilescore.ui.pages.score import share
from tilescore.ui.pages.score.circumstances import ask_circumstances, ask_ruleset
from tilescore.ui.pages.score.result import result_of, show_result, worth_parts
from tilescore.ui.pages.score.source import choose_source
from tilescore.ui.pages.score.training_photo import offer_training_photo
from tilescore.ui.state import house_rules, session
from tilescore.ui.state.fields import drawing
from tilescore.ui.state.hand.highlight import tiles_of
from tilescore.ui.state.hand.one_tile_off import changes, waits_of
from tilescore.ui.state.kept import past_hands, visit
from tilescore.ui.state.route import go_to, leave_fragment
from tilescore.ui.words.audience import is_guest
from tilescore.ui.words.doubts import hint
from tilescore.ui.words.text import plain, sentence, words
from tilescore.vision.layout.layout import Role

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

    from tilescore.scoring.context import Context
    from tilescore.scoring.ruleset import Ruleset
    from tilescore.scoring.score import Score
    from tilescore.scoring.tiles import Tile
    from tilescore.ui.state.hand.work import Work


def page() -> None:
    """Draw the page: on a phone one column, the hand first; elsewhere the score beside it."""
    header(words("app.tagline"), words("app.private"))
    _show()


@st.fragment
@drawing()
def _show() -> None:
    """Hand and score; a fragment, because the browser draws an edit a third faster without the frame around it."""
    leave_fragment()
    left, right = st.columns([12, 9], gap="medium")
    with left:
        choose_source()
        share.ask_to_take_over()
        canvas = st.container()
    work = session.history().now
    with right:
        name = ask_ruleset()
        rules = house_rules.rules(name)
        context = ask_circumstances(rules, work)
        result = result_of(rules, work, context)
        asks = context.win_by is not None and work.lacks_winning_tile and isinstance(result, str)
        offered = st.container()
        show_result(result, context, work)
        share.offer(work, name, context, result)
        offer_training_photo(work)
        if not is_guest():
            st.button(
                words("page.history"), icon=":material/history:", key="history_open", width="stretch", type="tertiary",
                on_click=go_to, args=("history",),
            )  # fmt: skip
    with canvas:
        finishing = _show_hand(work, rules=rules, result=result, asks=asks)
    with finishing:
        offer_waits(rules, work, context)
    with offered:  # last, because it takes longest
        _offer_changes(rules, work, context, result)
    visit.keep()
    past_hands.keep(work, name, result)


def ask_winning_tile(work: Work) -> None:
    """Ask which tile completed a hand without a winning tile."""
    concealed = [at for at in work.order if work.role(at) is Role.CONCEALED]
    places = {work.tile(at): at for at in concealed}

    def chosen(tiles: tuple[Tile, ...]) -> None:
        if tiles and tiles[0] in places:
            session.edit({"do": "role", "at": places[tiles[0]], "role": str(Role.WINNING)})

    with st.container(key="which_won"):
        tile_row(words("score.which_won"), sorted(places), key="which_won_row", on_change=chosen, ask=True)


def offer_waits(rules: Ruleset, work: Work, context: Context) -> None:
    """Offer each tile that completes thirteen tiles, with its score."""
    try:
        waits = waits_of(rules, work.hand, context)
    except ValueError:  # no such hand can exist: the card says why
        return
    if waits:
        parts = [(tile, *worth_parts(result)) for tile, result in waits]
        choices = [TileChoice(new=tile, worth=worth, note=note) for tile, worth, note in parts]

        def accept(at: int) -> None:
            session.edit({"do": "add", "tile": str(choices[at].new), "role": str(Role.WINNING)})

        tile_choices(words("score.choose_wait"), choices, key="waits", on_choose=accept)


def _offer_changes(rules: Ruleset, work: Work, context: Context, result: Score | NotAWin | str) -> None:
    """Offer to exchange one tile where that makes the hand a win."""
    if not isinstance(result, NotAWin) or result.code != NOT_A_WIN:
        return
    near = changes(rules, work, context)

    def accept(at: int) -> None:
        session.edit({"do": "tile", "at": near[at].at, "tile": str(near[at].new)})

    if near:
        choices = [TileChoice(new=change.new, old=change.old) for change in near]
        tile_choices(words("score.did_you_mean"), choices, key="did_you_mean", on_choose=accept)


def _show_hand(work: Work, *, rules: Ruleset, result: Score | NotAWin | str, asks: bool) -> DeltaGenerator:
    """Draw the hand; returns the place below it for the tiles that finish it."""
    notice = session.notice()
    if notice:
        st.warning(plain(sentence(notice)))
    lines = () if isinstance(result, str) else result.lines
    chosen = next((line for line in lines if line.key == session.chosen_line()), None)
    lit = frozenset[int]() if chosen is None else tiles_of(work, chosen)
    tile_canvas(session.history(), lit=lit, hint=hint(work.reading, work.size, rules.traits.size), on_edit=session.edit)
    if asks:
        ask_winning_tile(work)
    finishing = st.container()
    key = session.notation_key()
    st.text_input(
        words("notation"), work.notation, key=key, on_change=session.type_notation, args=(key,),
        help=words("notation.help"), placeholder="123m456p77z (789s) +3m &1f", autocomplete="off",
    )  # fmt: skip
    wrong = session.notation_error()
    if wrong:
        st.error(plain(sentence(wrong)))
    return finishing
