"""The question which tile completed a hand."""

import streamlit as st

from tilescore.scoring.context import Context
from tilescore.scoring.game.waits import common_result, wins_of
from tilescore.scoring.ruleset import Ruleset
from tilescore.scoring.score import NotAWin, Score
from tilescore.scoring.tiles import Tile
from tilescore.ui.components.tiles.tile_row import tile_row
from tilescore.ui.state import session
from tilescore.ui.state.hand.work import Work
from tilescore.ui.words.text import words
from tilescore.vision.layout.layout import Role

Wins = tuple[tuple[Tile, Score | NotAWin], ...]


def possible_wins(rules: Ruleset, work: Work, context: Context) -> Wins:
    """Each tile that may have completed a hand, with the score; empty unless the score depends on it."""
    if context.win_by is None or not work.lacks_winning_tile(rules.traits.size):
        return ()
    try:
        wins = wins_of(rules, work.hand, context)
    except ValueError:  # no such hand can exist: the card says why
        return ()
    return wins if common_result(wins) is None else ()


def ask_winning_tile(work: Work) -> None:
    """Ask which tile completed a hand without a winning tile."""
    concealed = [at for at in work.order if work.role(at) is Role.CONCEALED]
    places = {work.tile(at): at for at in concealed}

    def chosen(tiles: tuple[Tile, ...]) -> None:
        if tiles and tiles[0] in places:
            session.edit({"do": "role", "at": places[tiles[0]], "role": str(Role.WINNING)})

    with st.container(key="which_won"):
        tile_row(words("score.which_won"), sorted(places), key="which_won_row", on_change=chosen, ask=True)
