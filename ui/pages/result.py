"""The score: the total large, every line, what did not count and why, who pays whom."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import streamlit as st

from scoring.context import SEATS
from scoring.score import NotAWin, Score
from ui import session
from ui.components.assets import deck
from ui.components.score_lines import score_lines
from ui.text import grouped, plain, sentence, words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scoring.context import Context
    from scoring.payments import Payments
    from scoring.tiles import Tile


def show_result(result: Score | NotAWin | str, context: Context) -> None:
    """Draw a result, or the sentence that says why there is none."""
    if isinstance(result, str):
        st.html(f'<div class="ts-card ts-none" id="score"><p>{escape(sentence(result))}</p></div>')
        return
    st.html(_card(result, context))
    for key in result.warnings:
        st.caption(plain(words("score.warning", name=words(key))))
    if result.lines:
        chosen = next((at for at, line in enumerate(result.lines) if line.key == session.chosen_line()), None)

        def choose(at: int | None) -> None:
            session.choose_line(None if at is None else result.lines[at].key)

        score_lines(result.lines, unit=result.unit, chosen=chosen, on_choose=choose)
    if result.excluded:
        with st.expander(words("score.excluded")):
            st.html(_excluded(result))


def _card(result: Score | NotAWin, context: Context) -> str:
    """The total with what it is made of, and the payments."""
    if isinstance(result, NotAWin):
        title = words(f"score.{result.code}")
        waits = f'<div class="ts-waits"><span>{words("score.waits")}</span>{_pictures(result.waits)}</div>'
        return (
            f'<div class="ts-card ts-none" id="score"><h2>{escape(title)}</h2>'
            f"<p>{escape(sentence(result.message))}</p>{waits if result.waits else ''}</div>{_bar(title, '')}"
        )
    number = grouped(result.total)
    unit = words("unit.points")
    notes = [f"{result.han} {words('unit.han')}"] if result.han else []
    notes += [f"{result.fu} {words('unit.fu')}"] if result.fu else []
    notes += [words(result.limit)] if result.limit else []
    notes += [] if result.win else [words("score.not_winner")]
    below = f'<p class="ts-notes">{escape(" · ".join(notes))}</p>' if notes else ""
    payments = "" if result.payments is None else _payments(result.payments, context)
    return (
        f'<div class="ts-card" id="score" aria-live="polite"><p class="ts-total"><strong>{number}</strong> {unit}</p>'
        f"{below}{payments}</div>{_bar(number, unit)}"
    )


def _payments(payments: Payments, context: Context) -> str:
    """What each seat gets or pays, the winner first in reading order of the winds."""
    cells = []
    for seat in SEATS:
        points = payments[seat]
        kind = "gets" if points > 0 else "pays" if points < 0 else "even"
        text = grouped(points, signed=bool(points))
        mine = " ts-winner" if seat is context.seat else ""
        cells.append(f'<li class="ts-{kind}{mine}"><span>{words(f"seat.{seat}")}</span><b>{text}</b></li>')
    return f'<ul class="ts-payments" aria-label="{words("score.pays")}">{"".join(cells)}</ul>'


def _excluded(result: Score | NotAWin) -> str:
    rows = "".join(
        f"<li><b>{escape(words(entry.key))}</b> {words('score.because')} {escape(words(entry.because))}</li>"
        for entry in result.excluded
    )
    return f'<ul class="ts-excluded">{rows}</ul>'


def _pictures(tiles: Iterable[Tile]) -> str:
    faces, names = deck()["faces"], deck()["names"]
    return "".join(f'<img src="{faces[str(tile)]}" alt="{escape(names[str(tile)])}">' for tile in tiles)


def _bar(number: str, unit: str) -> str:
    """The total at the lower edge of a phone's screen, wherever the page is scrolled to."""
    inner = f"<b>{escape(number)}</b> {escape(unit)}"
    kind = "" if unit else " ts-quiet"
    return f'<a class="ts-bar{kind}" href="#score" aria-hidden="true" tabindex="-1">{inner}</a>'
