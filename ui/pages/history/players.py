"""The league: the players over the games of a ruleset, a tag and some days, with places, results, rates, best hands."""

from html import escape
from typing import Final

import streamlit as st

from tilescore.scoring.game.statistics import PlayerStatistics, player_statistics
from tilescore.scoring.hand import Hand
from tilescore.scoring.ruleset import RULESETS
from tilescore.ui.components.assets import tile_pictures
from tilescore.ui.components.drawing import drawing
from tilescore.ui.components.game.button import offer_more, shown
from tilescore.ui.components.game.chart import course_markup
from tilescore.ui.components.ruleset_choice import ask_for_ruleset
from tilescore.ui.storage.ledger_store import LedgerStore
from tilescore.ui.storage.summary import Summary
from tilescore.ui.words.game import deals
from tilescore.ui.words.text import grouped, percent, plain, words

_LINES: Final = 8
"""Players in the chart: two for each colour."""
_DAYS: Final = "league.days"
_TAG: Final = "league.tag"
_MOST_POINTS: Final = 200
"""Points of a line; a phone has 390 pixels for it."""


def show_players() -> None:
    """Draw a card for each player, for the ruleset that is chosen; raises StoreError."""
    store = LedgerStore()
    summaries = sorted((summary for summary in store.games() if summary.deals), key=lambda summary: summary.begun_at)
    names = [name for name in RULESETS if any(summary.ruleset == name for summary in summaries)]
    if not names:
        st.html(f'<div class="ts-card ts-none"><p>{escape(words("history.no_games"))}</p></div>')
        return
    chosen = ask_for_ruleset(names, key="history.ruleset", default=names[0])
    played = _of_days(_of_tag([summary for summary in summaries if summary.ruleset == chosen]))
    counted = {summary.id: summary.tallies for summary in played if summary.tallies is not None}
    if len(counted) < len(played):
        with st.spinner(words("history.counting")):
            counted |= store.summarise()
    players = player_statistics(counted[summary.id] for summary in played if summary.id in counted)
    cards = "".join(_card(player) for player in players[: shown("players")])
    st.html(f'<div class="ts-players">{cards}</div>')
    offer_more("players", len(players))
    drawn = players[:_LINES]
    if drawn:
        st.html(f'<div class="ts-section"><h2>{escape(words("history.course"))}</h2></div>')
        drawing(course_markup({player.name: _course(player) for player in drawn}, 0), key="league.course")


def _of_tag(played: list[Summary]) -> list[Summary]:
    """Ask for a tag, where games have one; gives the games with it, all as long as none is chosen."""
    tags = sorted({summary.tag for summary in played} - {""})
    if not tags:
        return played
    chosen = st.pills(words("league.tag"), tags, format_func=plain, key=f"{_TAG}.{len(tags)}")
    return [summary for summary in played if chosen in (None, summary.tag)]


def _of_days(played: list[Summary]) -> list[Summary]:
    """Ask from which day to which day, where there are games of several days; gives the games of those days."""
    days = sorted({_day(summary) for summary in played})
    if len(days) < 2:
        return played
    first, last = st.select_slider(words("league.days"), days, (days[0], days[-1]), key=f"{_DAYS}.{len(days)}")
    return [summary for summary in played if first <= _day(summary) <= last]


def _day(summary: Summary) -> str:
    return f"{summary.begun_at.astimezone():%Y-%m-%d}"


def _course(player: PlayerStatistics) -> list[tuple[int, float]]:
    """The points after each deal; of a long course, after as many deals as a screen shows."""
    shown = sorted({round(part * player.deals / _MOST_POINTS) for part in range(_MOST_POINTS + 1)})
    return [(number, (0, *player.course)[number]) for number in shown]


def _card(player: PlayerStatistics) -> str:
    rows = [*_ends(player), (words("history.win_rate"), _rate(player.win_rate))]
    if player.riichi:
        rows.append((words("league.riichi_rate"), _rate(player.riichi_rate)))
    rows += [
        (words("history.deal_in_rate"), _rate(player.deal_in_rate, kind=" loss")),
        (words("history.average"), "–" if player.average is None else grouped(round(player.average))),
        (words("history.best"), "–" if player.best is None else _best(*player.best)),
        (words("history.points"), grouped(player.points, signed=bool(player.points))),
    ]
    items = "".join(f"<dt>{escape(name)}</dt><dd>{value}</dd>" for name, value in rows)
    about = f"<bdi>{escape(player.name)}</bdi> <small>{escape(deals(player.deals))}</small>"
    return f'<section class="ts-player"><h2>{about}</h2><dl>{items}</dl></section>'


def _ends(player: PlayerStatistics) -> list[tuple[str, str]]:
    """How the finished games ended for a player; nothing before the first end."""
    if player.average_place is None:
        return []
    result = player.result
    kind = "gets" if result > 0 else "pays" if result < 0 else ""
    places = "".join(f"<li><small>{place}</small><b>{count}</b></li>" for place, count in enumerate(player.places, 1))
    return [
        (words("league.result"), f'<b class="{kind}">{grouped(result, signed=bool(result))}</b>'),
        (words("league.places"), f'<ol class="places">{places}</ol>'),
        (words("league.average_place"), grouped(player.average_place, places=2)),
    ]


def _rate(part: float, kind: str = "") -> str:
    """The part as a number and as a bar."""
    return f'{percent(part)}<span class="bar{kind}" aria-hidden="true"><i style="width:{part:.0%}"></i></span>'


def _best(value: int, notation: str) -> str:
    return f"{grouped(value)} <span>{tile_pictures(Hand.parse(notation).tiles if notation else ())}</span>"
