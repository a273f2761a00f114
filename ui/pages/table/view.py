"""The table from above as markup: the seats with their points, and who pays whom."""

from collections.abc import Collection, Iterable
from html import escape
from itertools import product
from typing import Final

from tilescore.scoring.context import SEATS, Seat
from tilescore.scoring.game.ledger import Entry, Game
from tilescore.scoring.payments import Step
from tilescore.scoring.progression import PLAYERS, Player, Position
from tilescore.ui.components.assets import deck
from tilescore.ui.state.deal_draft import WIN, Draft
from tilescore.ui.words.game import counters, name_at, name_of, reason, where
from tilescore.ui.words.text import grouped, listed, words

_PLACES: Final = ("south", "east", "north", "west")
"""Sides of the picture in turn order, anticlockwise from the first player's."""
_SIDE: Final = 360
_MIDDLE: Final = 180 + 180j
"""Places of the picture are complex numbers: to the right, and downwards."""
_CENTRES: Final = {"south": 180 + 322j, "east": 301 + 180j, "north": 180 + 38j, "west": 59 + 180j}
_HALF_WH: Final = (59, 36)
"""Half the size of a seat's card with the space around it."""
_NO_CARD_WH: Final = (24, 12)
_STICKS: Final = (
    '<g class="table-stick"><rect x="160" y="175" width="40" height="10" rx="3"/>'
    '<circle cx="180" cy="180" r="2.6"/></g>'
)
"""A riichi stick in the middle of the table."""
_ALONG_ACROSS: Final = 0.3
"""Place of the sum on an arrow across the table, as a part of its length from the payer."""
_ABOVE, _ASIDE = 18, 12
"""Distance of the sum above a short level arrow, and its distance from the card."""
_STICK: Final = 1000
_BOW, _BOW_WITH_STICKS = 22, 40
"""Bend of the arrow between opposite seats, which keeps two of them and the sticks apart."""


def table_markup(game: Game, draft: Draft) -> str:
    """The seats with their points, and the position in the middle; a press on a seat says who won and on whose tile."""
    position, faces, seats = game.position, deck()["faces"], []
    for player in position.players:
        name, wind = name_of(game, player), position.seat(player)
        laid = player in draft.sticks and bool(game.rules.traits.stick)
        points = game.totals[PLAYERS.index(player)] - (game.rules.traits.stick if laid else 0)
        dealer = wind is Seat.EAST and not game.over
        label = words("table.seat_dealer" if dealer else "table.seat", name=name, wind=words(f"seat.{wind}"), n=points)
        tag = f'<span class="tag">{words("table.dealer")}</span>' if dealer else ""
        role = "" if game.over else _role(player, draft)
        shown = f'<span class="role">{escape(words(f"table.{role}"))}</span>' if role else ""
        seats.append(
            f'<div class="seat {side(player, position)}{" dealer" if dealer else ""} {role}" role="group" '
            f'aria-label="{escape(label)}">{tag}<img src="{faces[str(wind.wind)]}" alt="{words(f"seat.{wind}")}">'
            f'<span class="name" dir="auto">{escape(name)}</span><b>{grouped(points)}</b>{shown}'
            f"{'' if game.over else _buttons(game, draft, player, name)}</div>"
        )
    return f'<div class="table">{_middle(game, draft)}{"".join(seats)}</div>'


def _role(player: Player, draft: Draft) -> str:
    """What the draft says of a player: the end of a key `table.…`."""
    if draft.ending != WIN:
        return ""
    if player in draft.winners:
        return "won" if draft.discarder is not None or len(draft.winners) > 1 else "drew"
    return "paid" if player is draft.discarder else ""


def _buttons(game: Game, draft: Draft, player: Player, name: str) -> str:
    """The button that covers the seat, and the one for a riichi stick."""
    if not draft.winners or draft.ending != WIN:
        says, does = "table.tap_winner", "winner"
    elif player in draft.winners:
        says, does = "table.tap_self_draw", "self_draw"
    else:
        says, does = "table.tap_discarder", "discarder"
    sit = (
        f'<button type="button" class="sit" data-at="{player}" data-press="{does}:{player}" '
        f'aria-label="{escape(words(says, name=name))}"></button>'
    )
    if not game.rules.traits.stick:
        return sit
    laid = player in draft.sticks
    does = "take" if laid else "lay"
    return sit + (
        f'<button type="button" class="stick" data-at="stick {player}" data-press="{does}:{player}" '
        f'aria-pressed="{str(laid).lower()}" aria-label="{escape(words("table.stick", name=name))}"><i></i></button>'
    )


def payments_markup(game: Game, entry: Entry, sticks: Collection[Player]) -> str:
    """The payments of a deal of that game: arrows between the seats, and the sum of each player."""
    seats = []
    for player, change in zip(PLAYERS, entry.changes, strict=False):
        kind = "gets" if change > 0 else "pays" if change < 0 else "even"
        wind = words(f"seat.{entry.position.seat(player)}")
        seats.append(
            f'<div class="seat {side(player, entry.position)} {kind}"><span class="name" dir="auto">'
            f"{escape(name_of(game, player))}</span><b>{grouped(change, signed=bool(change))}</b>"
            f'<span class="wind">{wind}</span></div>'
        )
    return f'<div class="table pays">{_arrows(game, entry, sticks)}{"".join(seats)}</div>'


def steps_markup(game: Game, entry: Entry, sticks: Iterable[Player]) -> str:
    """Every payment with its reason."""
    lines: list[tuple[str, str, float, str]] = [
        (name_of(game, player), _called(game, entry, None), _STICK, words("why.riichi")) for player in sticks
    ]
    for step in _steps(entry):
        payer, receiver = (_called(game, entry, seat) for seat in (step.source, step.target))
        lines.append((payer, receiver, step.points, reason(game.rules.traits, step.why)))
    return lines_between(lines)


def lines_between(lines: Iterable[tuple[str, str, float, str]]) -> str:
    """Lines from one name to another, each with points and with words below."""
    rows = [
        f"<li><span><bdi>{escape(here)}</bdi> → <bdi>{escape(there)}</bdi></span><b>{grouped(points)}</b>"
        f"<small>{escape(why)}</small></li>"
        for here, there, points, why in lines
    ]
    return f'<ul class="steps">{"".join(rows)}</ul>'


def side(player: Player, position: Position) -> str:
    """The side of the picture where that player sits; the first player is always nearest."""
    turns = SEATS.index(position.seat(player)) - SEATS.index(position.seat(PLAYERS[0]))
    return _PLACES[turns % 4]


def _middle(game: Game, draft: Draft) -> str:
    position = game.position
    if game.over:
        return f'<div class="middle"><strong>{words("table.over")}</strong></div>'
    lines = [words("table.deal", n=len(game.records) + 1), *counters(game, laid=len(draft.sticks))]
    below = "".join(f"<span>{line}</span>" for line in lines)
    return f'<div class="middle"><strong>{where(position)}</strong>{below}</div>'


def payments_in_words(game: Game, entry: Entry, sticks: Collection[Player]) -> str:
    """Who pays whom how much, as a screen reader says it."""
    labels = [
        words("table.arrow", payer=_called(game, entry, here), receiver=_called(game, entry, there), points=grouped(n))
        for (here, there), n in _sums(entry, sticks).items()
    ]
    return listed(labels) or words("deal.nothing_paid")


def _sums(entry: Entry, sticks: Collection[Player]) -> dict[tuple[Seat | None, Seat | None], float]:
    """The sum of the steps for each payer and receiver; a winner's own stick needs none."""
    sums: dict[tuple[Seat | None, Seat | None], float] = {}
    for step in _steps(entry):
        sums[step.source, step.target] = sums.get((step.source, step.target), 0) + step.points
    for seat in map(entry.position.seat, sticks):
        if (None, seat) in sums:
            sums[None, seat] -= _STICK
        else:
            sums[seat, None] = _STICK
    return {pair: points for pair, points in sums.items() if points}


def _arrows(game: Game, entry: Entry, sticks: Collection[Player]) -> str:
    """One arrow for each payer and receiver with the sum of their steps."""
    sums, label = _sums(entry, sticks), escape(payments_in_words(game, entry, sticks))
    to_table = any(None in pair for pair in sums)
    lines, pills = [_STICKS if to_table else ""], []
    for (source, target), points in sums.items():
        start, end = (
            _CENTRES[side(entry.position.player(seat), entry.position)] if seat else _MIDDLE
            for seat in (source, target)
        )
        line, pill = _arrow(start, end, grouped(points), bow=_BOW_WITH_STICKS if to_table else _BOW)
        lines.append(line)
        pills.append(pill)
    drawn = "".join(lines + pills)
    return f'<svg class="arrows" viewBox="0 0 {_SIDE} {_SIDE}" role="img" aria-label="{label}">{drawn}</svg>'


def _called(game: Game, entry: Entry, seat: Seat | None) -> str:
    """The player who had that seat in the deal, or the table."""
    return words("table.from_table") if seat is None else name_at(game, entry.position, seat)


def _steps(entry: Entry) -> tuple[Step, ...]:
    """The steps of a deal; where the table agreed on sums, the losers pay the winners in turn."""
    steps = [*entry.payments.steps]
    left = dict(zip(SEATS, entry.payments.by_seat, strict=True))
    for step in steps:
        left[step.target] -= step.points
        if step.source is not None:
            left[step.source] += step.points
    for payer, receiver in product(SEATS, SEATS):
        points = min(-left[payer], left[receiver])
        if points > 0:
            steps.append(Step(payer, receiver, points, "agreed"))
            left[payer] += points
            left[receiver] -= points
    return tuple(steps)


def _arrow(start: complex, end: complex, text: str, *, bow: float) -> tuple[str, str]:
    """An arrow between the edges of two cards, and the sum on a pill; `bow` bends an arrow across the table."""
    way, across = end - start, start + end == 2 * _MIDDLE
    bend = (start + end) / 2 - (2j * bow * way / abs(way) if across else 0)
    first, last = _edge(start, bend), _edge(end, bend)
    level = _MIDDLE in (start, end) and start.imag == end.imag
    along = 0.5 if level else {start: 0.62, end: 0.38}.get(_MIDDLE, _ALONG_ACROSS if across else 0.5)
    pill = (1 - along) ** 2 * first + 2 * along * (1 - along) * bend + along**2 * last
    if level:
        pill += complex(_ASIDE if pill.real < _MIDDLE.real else -_ASIDE, -_ABOVE)
    width = 15 + 8 * len(text)
    unit = (last - bend) / (abs(last - bend) or 1)
    tip, left, right = (_at(last + unit * corner) for corner in (3, -9 + 6j, -9 - 6j))
    line = f'<path d="M{_at(first)} Q{_at(bend)} {_at(last)}"/><path class="head" d="M{tip} L{left} L{right} Z"/>'
    return line, (
        f'<rect x="{pill.real - width / 2:.1f}" y="{pill.imag - 11:.1f}" width="{width}" height="22" rx="11"/>'
        f'<text x="{pill.real:.1f}" y="{pill.imag:.1f}">{text}</text>'
    )


def _edge(centre: complex, towards: complex) -> complex:
    """Where the way from that centre leaves its card."""
    way = towards - centre
    half_w, half_h = _NO_CARD_WH if centre == _MIDDLE else _HALF_WH
    return centre + way * min(half_w / (abs(way.real) or half_w), half_h / (abs(way.imag) or half_h), 1)


def _at(point: complex) -> str:
    return f"{point.real:.1f} {point.imag:.1f}"
