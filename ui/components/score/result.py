"""The score: the total, every line, the lines that do not count and why, who pays whom."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from html import escape
from typing import Final

import streamlit as st

from tilescore.errors import InputError
from tilescore.scoring.context import Context, Seat
from tilescore.scoring.game.waits import common_result, wins_of
from tilescore.scoring.payments import Payments
from tilescore.scoring.ruleset import LIMIT, Ruleset
from tilescore.scoring.score import BELOW_MINIMUM, NO_YAKU, NotAWin, Score
from tilescore.scoring.traits import KnownValue, KnownWin
from tilescore.ui.components.assets import tile_pictures
from tilescore.ui.components.lines.score_lines import score_lines, yakuman_words
from tilescore.ui.state import session
from tilescore.ui.state.hand.work import Work
from tilescore.ui.state.route import go_to
from tilescore.ui.words.game import han_and_fu
from tilescore.ui.words.text import beside, explained, grouped, labelled, plain, sentence, total_unit, unit_of, words
from tilescore.vision.layout.layout import Role

_LOG: Final = logging.getLogger(__name__)


def result_of(rules: Ruleset, work: Work, context: Context) -> Score | NotAWin | str:
    """The score of the hand, or one sentence about why there is none."""
    name = rules.name
    if not work.order:
        return words("score.when_there")
    try:
        hand = work.hand
        if work.lacks_winning_tile(rules.traits.size) and context.win_by is not None:
            wins = wins_of(rules, hand, context)
            if wins:
                return common_result(wins) or words("score.when_known")
            hand = replace(hand, winning_tile=hand.concealed[-1])  # whichever it is, the answer is the same
        return rules.score(hand, context)
    except InputError as error:
        return explained(error)
    except Exception:  # noqa: BLE001  # a fault of ours must not take the hand off the table
        _LOG.exception("scoring %s by %s failed", work.notation, name)
        return words("score.fault", name=words(f"ruleset.{name}"))


def show_total(
    result: Score | NotAWin | str,
    context: Context,
    *,
    work: Work,
    rules: Ruleset,
    possible: Sequence[Score | NotAWin] = (),
    names: Mapping[Seat, str] | None = None,
    paid: Mapping[Seat, float] | None = None,
) -> None:
    """Draw the total, or the sentence about why there is none.

    `possible` is what the hand may be worth while something is unknown. Without `names` the winds name the seats.
    `paid` is what each seat gets or pays in the deal of the hand; without it, the hand alone decides.
    """
    between = range_of(possible)
    if isinstance(result, str):
        st.html(f'<div class="ts-card ts-none ts-says" id="score">{between}<p>{escape(sentence(result))}</p></div>')
        return
    st.html(_card(result, context, work=work, rules=rules, between=between, names=names, paid=paid))
    for key in result.warnings:
        st.caption(plain(words("score.warning", name=words(key))))


def range_of(possible: Sequence[Score | NotAWin]) -> str:
    """The range of what the hand may be worth, as markup; empty if nothing is known of it."""
    scores = [score for score in possible if isinstance(score, Score)]
    if not scores:
        return ""
    totals = [score.total for score in scores]
    least, most = min(totals), max(totals)
    text, up_to = words("score.range", least=least, most=most), True
    if len(scores) < len(possible):
        text = words("score.up_to", most=most)
    elif least == most:
        text, up_to = grouped(most), False
    return f'<p class="ts-range"><b>{escape(text)}</b> {escape(unit_of(scores[0].unit, most, up_to=up_to))}</p>'


def show_lines(result: Score | NotAWin | str) -> None:
    """Draw every line of a result, the items of the fu, and what does not count and why."""
    if isinstance(result, str):
        return
    if result.lines:
        chosen = next((at for at, line in enumerate(result.lines) if line.key == session.mine().chosen_line), None)

        def choose(at: int | None) -> None:
            session.mine().chosen_line = None if at is None else result.lines[at].key

        def explain(at: int) -> None:
            go_to("fans", fan=result.lines[at].key)

        score_lines(result, chosen=chosen, on_choose=choose, on_about=explain)
    if isinstance(result, Score) and result.fu_lines and not result.yakuman:
        with st.expander(labelled(words("score.fu"), result.fu)):
            st.html(_fu(result))
    if result.excluded:
        with st.expander(words("score.excluded")):
            st.html(_excluded(result))


def _card(
    result: Score | NotAWin,
    context: Context,
    *,
    work: Work,
    rules: Ruleset,
    between: str,
    names: Mapping[Seat, str] | None,
    paid: Mapping[Seat, float] | None,
) -> str:
    if isinstance(result, NotAWin):
        title = title_of(result, work, rules=rules)
        waits = f'<div class="ts-waits"><span>{words("score.waits")}</span>{tile_pictures(result.waits)}</div>'
        shown = result.waits and not _waits(rules, work)
        house = f'<p class="ts-notes">{escape(words("score.house"))}</p>' if result.house else ""
        why = between or f"<p>{escape(reason(result, work, rules=rules))}</p>"
        return (
            f'<div class="ts-card ts-none ts-says" id="score"><h2>{escape(title)}</h2>{why}'
            f"{waits if shown else ''}{house}</div>{_bar(title, '')}"
        )
    number = grouped(result.total)
    unit = total_unit(result)
    notes = notes_of(result)
    below = f'<p class="ts-notes">{escape(" · ".join(notes))}</p>' if notes else ""
    payments = _payments(result, context, rules=rules, names=names, paid=paid)
    return (
        f'<div class="ts-card ts-says" id="score" data-of="{escape(session.hand_key("score"))}">'
        f'<h2 class="ts-total"><strong>{number}</strong> {unit}</h2>'
        f"{below}{payments}</div>{_bar(number, unit)}"
    )


def _waits(rules: Ruleset, work: Work) -> bool:
    """Whether the hand has one tile less than a complete one."""
    return work.size == rules.traits.size - 1


def title_of(result: NotAWin, work: Work, *, rules: Ruleset) -> str:
    """A title for a hand that is no win or that waits for one tile."""
    return words("score.ready", n=work.size) if _waits(rules, work) and result.waits else words(f"score.{result.code}")


def reason(result: NotAWin, work: Work, *, rules: Ruleset) -> str:
    """One sentence about why a hand is worth nothing."""
    if result.code == BELOW_MINIMUM:
        traits = rules.traits
        key = "reason.below_without_flowers" if traits.least_without_flowers else "reason.below_minimum"
        return words(key, n=result.total, unit=unit_of(result.unit, result.total), least=traits.least)
    if result.code == NO_YAKU:
        opened = any(group.role is Role.MELD and not group.hidden for group in work.groups)
        return words("reason.no_yaku_open" if opened else "reason.no_yaku_closed")
    if _waits(rules, work):
        return words("reason.ready" if result.waits else "reason.not_ready", n=work.size)
    return words("reason.not_a_win")


def worth_of(result: Score | NotAWin) -> str:
    """The worth of a hand as a number with a note, as markup."""
    number, note = worth_parts(result)
    return f"<b>{number}</b><small>{escape(note)}</small>"


def worth_parts(result: Score | NotAWin) -> tuple[str, str]:
    """The worth of a hand as a number, and a note about it."""
    if isinstance(result, NotAWin):
        return "–", words(f"score.{result.code}")
    note = limit_words(result, result.limit) if result.limit else beside(*han_and_fu(result.han, None))
    return grouped(result.total), note or total_unit(result)


def notes_of(result: Score) -> list[str]:
    """The parts of a total, a house table, and a note if the hand did not win."""
    notes = [*parts_of(result), words("score.house")] if result.house else parts_of(result)
    return notes if result.win else [*notes, words("score.not_winner")]


def parts_of(result: Score) -> list[str]:
    """The parts of a total: han, fu, the limit; of yakuman their number alone."""
    if result.yakuman:
        return [yakuman_words(result, result.yakuman)]
    parts = han_and_fu(result.han, result.fu)
    return [*parts, limit_words(result, result.limit)] if result.limit else parts


def limit_words(result: Score, limit: str) -> str:
    """The name of a limit: a level in riichi, a hand in the classical rules, elsewhere the limit itself."""
    if limit == LIMIT:
        return words("fans.limit")
    return words(limit if "." in limit else f"{result.ruleset}.limit.{limit}")


def _payments(
    result: Score,
    context: Context,
    *,
    rules: Ruleset,
    names: Mapping[Seat, str] | None,
    paid: Mapping[Seat, float] | None,
) -> str:
    """What each seat gets or pays, in the order of the winds; empty if the hand alone does not decide it."""
    payments, note = paid or result.payments, ""
    traits = rules.traits
    if payments is None and result.win and traits.losers_count:
        alone = KnownWin(winner=context.seat, value=KnownValue(points=result.total))
        payments = Payments.of(rules.payments_of(alone))
        note = f'<p class="ts-small">{escape(words("score.winner_only"))}</p>'
    if payments is None:
        return ""
    cells = []
    for seat in traits.seats:
        points = payments[seat]
        kind = "gets" if points > 0 else "pays" if points < 0 else "even"
        text = grouped(points, signed=bool(points))
        mine = " ts-winner" if seat is context.seat else ""
        name = f"<span>{words(f'seat.{seat}')}</span>"
        if names is not None:
            name = f'<span dir="auto">{escape(names[seat])}</span>'
        cells.append(f'<li class="ts-{kind}{mine}">{name}<b>{text}</b></li>')
    return f'<ul class="ts-payments" aria-label="{words("score.pays")}">{"".join(cells)}</ul>{note}'


def _fu(result: Score) -> str:
    """The items of the fu, their sum, and the fu after rounding."""
    items = [(words(line.key), f"{line.count} × {line.value}" if line.count > 1 else str(line.value), line.tiles)
             for line in result.fu_lines]  # fmt: skip
    total = sum(line.count * line.value for line in result.fu_lines)
    items += [(words("score.fu_rounded"), f"{total} → {result.fu}", ())]
    rows = "".join(
        f"<li><span>{escape(name)} {tile_pictures(tiles)}</span><b>{escape(value)}</b></li>"
        for name, value, tiles in items
    )
    return f'<ul class="ts-items">{rows}</ul>'


def _excluded(result: Score | NotAWin) -> str:
    rows = "".join(
        f"<li><b>{escape(words(entry.key))}</b> {escape(words('score.because', why=words(entry.because)))}</li>"
        for entry in result.excluded
    )
    return f'<ul class="ts-excluded">{rows}</ul>'


def _bar(number: str, unit: str) -> str:
    """The total at the lower edge of a phone's screen, wherever the page is scrolled to."""
    inner = f"<b>{escape(number)}</b> {escape(unit)}"
    kind = "" if unit else " ts-quiet"
    return f'<a class="ts-bar{kind}" href="#score" aria-hidden="true" tabindex="-1">{inner}</a>'
