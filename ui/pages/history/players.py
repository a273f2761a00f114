"""The players over all games of a ruleset: how often they won and dealt in, and what their hands were worth."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

import streamlit as st

from tilescore.scoring.game.statistics import player_statistics
from tilescore.scoring.hand import Hand
from tilescore.scoring.ruleset import RULESETS
from tilescore.ui.components.assets import deck
from tilescore.ui.components.ruleset_choice import ask_for_ruleset
from tilescore.ui.state import table_state
from tilescore.ui.storage.database import StoreError
from tilescore.ui.words.game import deals
from tilescore.ui.words.text import grouped, words

if TYPE_CHECKING:
    from tilescore.scoring.game.ledger import Game
    from tilescore.scoring.game.statistics import PlayerStatistics
    from tilescore.ui.storage.ledger_store import LedgerStore

_HEIGHT: Final = 320
"""Height of the chart, pixels."""


def show_players() -> None:
    """Draw a card for each player, for the ruleset that is chosen; raises StoreError."""
    store = table_state.store()
    summaries = [summary for summary in store.games() if summary.deals]
    names = [name for name in RULESETS if any(summary.ruleset == name for summary in summaries)]
    if not names:
        st.html(f'<div class="ts-card ts-none"><p>{escape(words("history.no_games"))}</p></div>')
        return
    chosen = ask_for_ruleset(names, key="history.ruleset", default=names[0])
    games = [_game(store, summary.id) for summary in reversed(summaries) if summary.ruleset == chosen]
    players = player_statistics(game for game in games if game is not None)
    cards = "".join(_card(player) for player in players)
    st.html(f'<div class="ts-players">{cards}</div>')
    _show_course(players)


def _game(store: LedgerStore, name: str) -> Game | None:
    """The game; None if it is damaged, which the Table page says."""
    try:
        return store.load(name).game
    except StoreError:
        return None


def _show_course(players: tuple[PlayerStatistics, ...]) -> None:
    """Draw the points of each player after each deal as a line."""
    deal, points, name = (words(f"history.course_{column}") for column in ("deal", "points", "player"))
    rows = [
        {deal: number, points: value, name: player.name}
        for player in players
        for number, value in enumerate((0, *player.course))
    ]
    st.html(f'<div class="ts-section"><h2>{escape(words("history.course"))}</h2></div>')
    st.line_chart(rows, x=deal, y=points, color=name, height=_HEIGHT)


def _card(player: PlayerStatistics) -> str:
    rows = [
        (words("history.win_rate"), _rate(player.win_rate)),
        (words("history.deal_in_rate"), _rate(player.deal_in_rate, kind=" loss")),
        (words("history.average"), "–" if player.average is None else grouped(round(player.average))),
        (words("history.best"), "–" if player.best is None else _best(*player.best)),
        (words("history.points"), grouped(player.points, signed=bool(player.points))),
    ]
    items = "".join(f"<dt>{escape(name)}</dt><dd>{value}</dd>" for name, value in rows)
    about = f"{escape(player.name)} <small>{escape(deals(player.deals))}</small>"
    return f'<section class="ts-player"><h3>{about}</h3><dl>{items}</dl></section>'


def _rate(part: float, kind: str = "") -> str:
    """The part as a number and as a bar."""
    percent = round(100 * part)
    return f'{percent} %<span class="bar{kind}" aria-hidden="true"><i style="width:{percent}%"></i></span>'


def _best(value: int, notation: str) -> str:
    faces, names = deck()["faces"], deck()["names"]
    tiles = Hand.parse(notation).tiles if notation else ()
    pictures = "".join(f'<img src="{faces[str(tile)]}" alt="{escape(names[str(tile)])}">' for tile in tiles)
    return f"{grouped(value)} <span>{pictures}</span>"
