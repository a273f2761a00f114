"""The players over all games of a ruleset: how often they won and dealt in, and what their hands were worth."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any, Final

import streamlit as st

from tilescore.scoring.game.statistics import player_statistics
from tilescore.scoring.hand import Hand
from tilescore.scoring.ruleset import RULESETS
from tilescore.ui.components.assets import deck
from tilescore.ui.components.ruleset_choice import ask_for_ruleset
from tilescore.ui.state import table_state
from tilescore.ui.words.game import deals
from tilescore.ui.words.text import grouped, words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tilescore.scoring.game.statistics import PlayerStatistics

_HEIGHT: Final = 320
"""Height of the chart, pixels."""
_PAGE: Final = 20
"""Players that are shown before one asks for more."""
_SHOWN: Final = "players.shown"
_MOST_POINTS: Final = 200
"""Points of a line; a phone has 390 pixels for it."""


def show_players() -> None:
    """Draw a card for each player, for the ruleset that is chosen; raises StoreError."""
    store = table_state.store()
    summaries = [summary for summary in store.games() if summary.deals]
    names = [name for name in RULESETS if any(summary.ruleset == name for summary in summaries)]
    if not names:
        st.html(f'<div class="ts-card ts-none"><p>{escape(words("history.no_games"))}</p></div>')
        return
    chosen = ask_for_ruleset(names, key="history.ruleset", default=names[0])
    played = [summary for summary in reversed(summaries) if summary.ruleset == chosen]
    if any(summary.tallies is None for summary in played):
        with st.spinner(words("history.counting")):
            store.summarise()
        now = {summary.id: summary for summary in store.games()}
        played = [now.get(summary.id, summary) for summary in played]
    players = player_statistics(summary.tallies for summary in played if summary.tallies is not None)
    shown = players[: st.session_state.get(_SHOWN, _PAGE)]
    tiles = deck()
    cards = "".join(_card(player, tiles) for player in shown)
    st.html(f'<div class="ts-players">{cards}</div>')
    if len(shown) < len(players):
        st.button(words("history.more"), key="players.more", on_click=_more, width="stretch")
    _show_course(shown)


def _more() -> None:
    st.session_state[_SHOWN] = st.session_state.get(_SHOWN, _PAGE) + _PAGE


def _show_course(players: tuple[PlayerStatistics, ...]) -> None:
    """Draw the points of each player over the deals as a line; of a long course, as many deals as a screen shows."""
    deal, points, name = (words(f"history.course_{column}") for column in ("deal", "points", "player"))
    columns: dict[str, list[float | str]] = {deal: [], points: [], name: []}
    for player in players:
        shown = sorted({round(part * player.deals / _MOST_POINTS) for part in range(_MOST_POINTS + 1)})
        columns[deal] += shown
        columns[points] += [(0, *player.course)[number] for number in shown]
        columns[name] += [player.name] * len(shown)
    st.html(f'<div class="ts-section"><h2>{escape(words("history.course"))}</h2></div>')
    st.line_chart(columns, x=deal, y=points, color=name, height=_HEIGHT)


def _card(player: PlayerStatistics, tiles: Mapping[str, Any]) -> str:
    rows = [
        (words("history.win_rate"), _rate(player.win_rate)),
        (words("history.deal_in_rate"), _rate(player.deal_in_rate, kind=" loss")),
        (words("history.average"), "–" if player.average is None else grouped(round(player.average))),
        (words("history.best"), "–" if player.best is None else _best(*player.best, tiles)),
        (words("history.points"), grouped(player.points, signed=bool(player.points))),
    ]
    items = "".join(f"<dt>{escape(name)}</dt><dd>{value}</dd>" for name, value in rows)
    about = f"{escape(player.name)} <small>{escape(deals(player.deals))}</small>"
    return f'<section class="ts-player"><h3>{about}</h3><dl>{items}</dl></section>'


def _rate(part: float, kind: str = "") -> str:
    """The part as a number and as a bar."""
    percent = round(100 * part)
    return f'{percent} %<span class="bar{kind}" aria-hidden="true"><i style="width:{percent}%"></i></span>'


def _best(value: int, notation: str, deck: Mapping[str, Any]) -> str:
    tiles = map(str, Hand.parse(notation).tiles if notation else ())
    pictures = "".join(f'<img src="{deck["faces"][tile]}" alt="{escape(deck["names"][tile])}">' for tile in tiles)
    return f"{grouped(value)} <span>{pictures}</span>"
