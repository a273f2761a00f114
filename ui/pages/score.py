"""The main page: from a photo to its score."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING, Final

import streamlit as st

from scoring.errors import InputError
from scoring.ruleset import RULESET_NAMES, ruleset
from ui import session
from ui.components.tile_canvas import tile_canvas
from ui.components.tile_row import tile_row
from ui.highlight import tiles_of
from ui.pages import circumstances
from ui.pages.result import show_result
from ui.pages.source import choose_source
from ui.text import plain, sentence, words
from vision.layout import Role

if TYPE_CHECKING:
    from scoring.context import Context
    from scoring.score import NotAWin, Score
    from scoring.tiles import Tile
    from ui.work import Work

_LOG: Final = logging.getLogger(__name__)
_STYLE: Final = Path(__file__).with_name("style.css")


def page() -> None:
    """Draw the page: on a phone one column, the hand first; elsewhere the score beside it."""
    st.html(_STYLE)
    promise = f"<p>{words('app.tagline')} <span>{words('app.private')}</span></p>"
    st.html(f'<header class="ts-head"><h1>Tilescore</h1>{promise}</header>')
    _show()


@st.fragment
def _show() -> None:
    """Hand and score; a fragment, because the browser draws an edit a third faster without the frame around it."""
    left, right = st.columns([12, 9], gap="medium")
    with left:
        choose_source()
        canvas = st.container()
    work = session.history().now
    with right:
        name = st.segmented_control(
            words("ruleset"), RULESET_NAMES, default=RULESET_NAMES[0], required=True, key="ruleset", width="stretch",
            format_func=lambda choice: words(f"ruleset.{choice}"), label_visibility="collapsed",
            persist_state="session",
        ) or RULESET_NAMES[0]  # fmt: skip
        context = circumstances.ask(name, work)
        result = _score(name, work, context)
        asks = context.win_by is not None and work.lacks_winning_tile
        show_result(words("score.when_known") if asks else result, context)
    with canvas:
        _show_hand(work, result, asks=asks)


def _ask_winning_tile(work: Work) -> None:
    """One tap says which tile completed a hand of which none is set apart."""
    concealed = [at for at in work.order if work.role(at) is Role.CONCEALED]
    places = {work.tile(at): at for at in concealed}

    def chosen(tiles: tuple[Tile, ...]) -> None:
        if tiles and tiles[0] in places:
            session.edit({"do": "role", "at": places[tiles[0]], "role": str(Role.WINNING)})

    with st.container(key="which_won"):
        tile_row(words("score.which_won"), sorted(places), key="which_won_row", on_change=chosen, ask=True)


def _show_hand(work: Work, result: Score | NotAWin | str, *, asks: bool) -> None:
    said = session.notice()
    if said:
        st.warning(plain(sentence(said)))
    lines = () if isinstance(result, str) else result.lines
    chosen = next((line for line in lines if line.key == session.chosen_line()), None)
    lit = frozenset[int]() if chosen is None else tiles_of(work, chosen)
    tile_canvas(session.history(), lit=lit, hint=session.hint(work), on_edit=session.edit)
    if asks:
        _ask_winning_tile(work)
    st.text_input(
        words("notation"), work.notation, key=session.notation_key(), on_change=session.type_notation,
        help=words("notation.help"), placeholder="123m456p77z (789s) +3m &1f", autocomplete="off",
    )  # fmt: skip
    wrong = session.notation_error()
    if wrong:
        st.error(plain(sentence(wrong)))


def _score(name: str, work: Work, context: Context) -> Score | NotAWin | str:
    """What the hand is worth, or one sentence that says why nobody can know."""
    try:
        return ruleset(name).score(work.hand, context)
    except InputError as error:
        return str(error)
    except ImportError:
        return words("score.not_there", name=words(f"ruleset.{name}"))
    except Exception:  # noqa: BLE001  # a fault of ours must not take the hand off the table
        _LOG.exception("scoring %s by %s failed", work.notation, name)
        return words("score.fault", name=words(f"ruleset.{name}"))
