"""One hand scored by all rulesets of which it can be; for thirteen tiles the score of each wait by each ruleset."""

from collections.abc import Mapping
from html import escape

import streamlit as st

from tilescore.scoring.context import Context
from tilescore.scoring.game.waits import waits_of
from tilescore.scoring.ruleset import RULESETS, Ruleset
from tilescore.scoring.score import NotAWin
from tilescore.ui.components.assets import tile_pictures
from tilescore.ui.components.document.messages import show_notice
from tilescore.ui.components.game.button import button
from tilescore.ui.components.game.news import follow_bookings
from tilescore.ui.components.header import header
from tilescore.ui.components.lines.fan_list import circumstance_words
from tilescore.ui.components.lines.score_lines import worth
from tilescore.ui.components.score import booking
from tilescore.ui.components.score.result import notes_of, range_of, reason, result_of, title_of, worth_of
from tilescore.ui.components.score.winning_tile import possible_wins
from tilescore.ui.state import circumstances, session
from tilescore.ui.state.hand import in_game
from tilescore.ui.state.hand.work import Work
from tilescore.ui.state.kept import table_draft
from tilescore.ui.state.route import go_to
from tilescore.ui.words.text import grouped, sentence, total_unit, words


def page() -> None:
    """Draw the hand, and below it a card for each ruleset: two in a row on a phone, four elsewhere."""
    header(words("compare.tagline"))
    show_notice()
    booking.arrive()
    follow_bookings()
    booking.show_game()
    in_game.follow_game()
    work = session.history().now
    if not work.order:
        st.html(f'<div class="ts-card ts-none"><p>{words("compare.empty")}</p></div>')
        button("compare.begin", go_to, "hand", key="compare.change", type="primary")
        return
    games = _fitting(work)
    contexts = {name: circumstances.context_for(rules, work) for name, rules in games.items()}
    asked = circumstances.asked(circumstances.known(), in_game.rules(), work)
    known = escape(circumstance_words(asked, in_game.rules()))
    st.html(f'<div class="ts-compared">{_hand(work)}</div><p class="ts-quietly">{known}</p>')
    button("compare.change", go_to, "hand", icon="edit")
    with st.container(key="ts_compare"):
        for (name, rules), column in zip(games.items(), st.columns(len(games), wrap=False), strict=True):
            with column:
                st.html(_card(rules, contexts[name], work))
                about = words("compare.pick_help", name=words(f"ruleset.{name}"))
                button("compare.pick", _pick, name, key=f"compare.{name}", width="stretch", help=about)
    booking.offer_booking(work, booking.scored(work).result)
    table_draft.keep()
    table = _waits(work, games, contexts)
    if table:
        st.html(table)


def _pick(name: str) -> None:
    if name != in_game.rules().name:
        in_game.set_aside(session.history().now.id)  # other rules than those of the game
    session.choose_ruleset(name)
    go_to("hand")


def _hand(work: Work) -> str:
    return "".join(
        f'<span class="{group.role}">{tile_pictures(work.tile(at) for at in group.members)}</span>'
        for group in work.groups
    )


def _card(rules: Ruleset, context: Context, work: Work) -> str:
    result = result_of(rules, work, context)
    name = words(f"ruleset.{rules.name}")
    head = f'<h2 data-about="{name}">{name}</h2>'
    if isinstance(result, str):
        between = range_of([won for _, won in possible_wins(rules, work, context)])
        return f'<section class="ts-card ts-side">{head}{between}<p>{escape(sentence(result))}</p></section>'
    if isinstance(result, NotAWin):
        title, why = title_of(result, work, rules=rules), reason(result, work, rules=rules)
        house = f"<p>{escape(words('score.house'))}</p>" if result.house else ""
        body = f"<p><b>{escape(title)}</b></p><p>{escape(why)}</p>{house}"
    else:
        notes = " · ".join(notes_of(result))
        body = f'<p class="ts-total"><strong>{grouped(result.total)}</strong> {total_unit(result)}</p>' + (
            f"<p>{escape(notes)}</p>" if notes else ""
        )
    lines = "".join(
        f"<li><span>{escape(words(line.key))}</span><b>{escape(worth(line, result))}</b></li>" for line in result.lines
    )
    return f'<section class="ts-card ts-side">{head}{body}<ul>{lines}</ul></section>'


def _fitting(work: Work) -> Mapping[str, Ruleset]:
    """The games of which this hand can be one; all of them while it is not complete."""
    games = {name: in_game.rules_of(name) for name in RULESETS}
    try:
        hand = work.hand
    except ValueError:  # no such hand can exist: the cards say why
        return games
    return {name: rules for name, rules in games.items() if rules.traits.fits(hand)} or games


def _waits(work: Work, games: Mapping[str, Ruleset], contexts: Mapping[str, Context]) -> str:
    """A table with a row for each tile that completes thirteen tiles and a column for each ruleset."""
    try:
        found = {name: dict(waits_of(rules, work.hand, contexts[name])) for name, rules in games.items()}
    except ValueError:  # no such hand can exist: the cards show why
        return ""
    tiles = sorted({tile for waits in found.values() for tile in waits})
    if not tiles:
        return ""
    heads = "".join(f'<th scope="col">{words(f"ruleset.{name}")}</th>' for name in games)
    rows = []
    for tile in tiles:
        results = [found[name].get(tile) for name in games]
        cells = "".join(f"<td>{'<b>–</b>' if result is None else worth_of(result)}</td>" for result in results)
        rows.append(f'<tr><th scope="row">{tile_pictures((tile,))}</th>{cells}</tr>')
    return (
        f'<h2 class="ts-subtitle">{words("compare.waits")}</h2><table class="ts-waits-table">'
        f"<thead><tr><td></td>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
    )
