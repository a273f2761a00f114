"""The players over all games of a ruleset: how often they won and dealt in, and what their hands were worth."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import streamlit as st

from tilescore.scoring.game.statistics import player_statistics
from tilescore.scoring.hand import Hand
from tilescore.scoring.ruleset import RULESET_NAMES
from tilescore.ui.components.assets import deck
from tilescore.ui.state import table_state
from tilescore.ui.words.game import deals
from tilescore.ui.words.text import grouped, words

if TYPE_CHECKING:
    from tilescore.scoring.game.statistics import PlayerStatistics


def show_players() -> None:
    """Draw a card for each player, for the ruleset that is chosen; raises StoreError."""
    store = table_state.store()
    summaries = [summary for summary in store.games() if summary.deals]
    names = [name for name in RULESET_NAMES if any(summary.ruleset == name for summary in summaries)]
    if not names:
        st.html(f'<div class="ts-card ts-none"><p>{escape(words("history.no_games"))}</p></div>')
        return
    chosen = st.segmented_control(
        words("ruleset"), names, default=names[0], required=True, key="history.ruleset", width="stretch",
        format_func=lambda name: words(f"ruleset.{name}"), label_visibility="collapsed",
    ) or names[0]  # fmt: skip
    games = (store.load(summary.id).game for summary in summaries if summary.ruleset == chosen)
    cards = "".join(_card(player) for player in player_statistics(games))
    st.html(f'<div class="ts-players">{cards}</div>')


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
