"""The questions who made a foul and which, among the fouls that the ruleset charges for."""

import streamlit as st

from tilescore.scoring.game.ledger import Game
from tilescore.scoring.progression import Player
from tilescore.scoring.traits import HARMED, Foul
from tilescore.ui.components.game.players import ask_player
from tilescore.ui.state import table_state
from tilescore.ui.state.deal_draft import NOBODY, Draft
from tilescore.ui.words.game import foul_name, name_of
from tilescore.ui.words.text import plain, words


def ask_foul(game: Game, draft: Draft) -> None:
    """Draw the questions; the foul goes into the draft as the ruleset names it."""
    ask_player(game, "foul_by", game.position.players, draft.foul_by, label=words("deal.foul_by"))
    kinds = {foul.kind: foul for foul in game.rules.traits.fouls}
    if len(kinds) < 2:
        return
    chosen = kinds[foul_name(game.rules.traits, draft.foul)]
    kind = table_state.follow("foul", chosen.kind, lambda name: table_state.edit(foul=_first(kinds[name])), among=kinds)
    st.selectbox(words("deal.foul_kind"), **kind.among(list(kinds)), format_func=lambda key: words(f"foul.{key}"))
    if chosen.most:
        count = int(draft.foul.rpartition("_")[2])
        time = table_state.follow(
            "foul_time", count, lambda nth: table_state.edit(foul=f"{chosen.kind}_{nth}"), typed=True
        )
        st.number_input(words("deal.foul_time"), **time.within(2, chosen.most))
    if chosen.harms is not None:
        _ask_harmed(game, draft, chosen.harms)


def _ask_harmed(game: Game, draft: Draft, points: tuple[int, int, int]) -> None:
    whose, worth = draft.foul.rpartition(HARMED)[2].split("_")
    least, most, _ = points
    others = [player for player in game.position.players if player is not draft.foul_by]
    shown = Player(whose) if whose in others else None

    victim = table_state.follow("foul_victim", shown, lambda player: _edit_harmed(0, player or NOBODY))
    price = table_state.follow("foul_points", int(worth), lambda value: _edit_harmed(1, value), typed=True)
    st.pills(
        words("deal.foul_victim"), wrap=True, **victim.choice(others),
        format_func=lambda player: plain(name_of(game, player)),
    )  # fmt: skip
    st.number_input(words("deal.foul_points"), step=5, **price.within(least, most))


def _edit_harmed(place: int, value: object) -> None:
    """Change the player harmed or the points, unless the same message has chosen another foul."""
    kind, harmed, parts = table_state.state().draft.foul.rpartition(HARMED)
    if harmed:
        given = parts.split("_")
        given[place] = str(value)
        table_state.edit(foul=f"{kind}{HARMED}{'_'.join(given)}")


def _first(foul: Foul) -> str:
    """The foul as a deal names it when it has just been chosen."""
    if foul.harms is not None:
        return f"{foul.kind}{HARMED}{NOBODY}_{foul.harms[2]}"
    return f"{foul.kind}_2" if foul.most else foul.kind
