"""A game in words: its position, how a deal ended, why somebody pays."""

from collections.abc import Iterable
from datetime import datetime

from tilescore.scoring.context import Seat
from tilescore.scoring.deal import FALSE_MAHJONG
from tilescore.scoring.game.ledger import Entry, Game
from tilescore.scoring.house import plays_house
from tilescore.scoring.progression import PLAYERS, Player, Position
from tilescore.scoring.traits import KnownValue, Traits
from tilescore.ui.words.text import amount, apart, beside, grouped, labelled, listed, unit_of, with_unit, words


def where(position: Position) -> str:
    """Round and deal of the round: `East 2`."""
    return words("table.where", round=words(f"seat.{position.round}"), number=position.number)


def counters(game: Game, *, laid: int = 0) -> list[str]:
    """What is counted besides points, in the words of these rules: honba and sticks, or the deals that were kept.

    `laid` are sticks of the deal that is being entered.
    """
    traits, position = game.rules.traits, game.position
    lines = []
    if traits.stick:
        lines += [words("table.honba", n=position.honba), words("table.deposits", n=position.deposits + laid)]
    if traits.repeats:
        lines += [words("table.repeats", n=position.repeats)]
    return lines


def rules_of(game: Game) -> str:
    """The game's ruleset, and whether it is played by a house table."""
    house = f" · {words('score.house')}" if plays_house(game.rules) else ""
    return words(f"ruleset.{game.ruleset_name}") + house


def name_of(game: Game, player: Player) -> str:
    """The name of that player."""
    return game.players[PLAYERS.index(player)]


def name_at(game: Game, position: Position, seat: Seat) -> str:
    """The name of the player in that seat."""
    return name_of(game, position.player(seat))


def joined(names: Iterable[str]) -> str:
    """The names as one list in words: `Ann, Ben and Cleo`."""
    return listed(map(apart, names), "ledger.and")


def deals(number: int) -> str:
    """The number of deals in words."""
    return words("games.deals", n=number) if number else words("games.deals_none")


def day(moment: str) -> str:
    """The day of a moment that a file keeps, in the time of this machine; empty for no moment.

    >>> day("x"), len(day("2026-11-28T02:00:00+00:00"))
    ('', 10)
    """
    try:
        return f"{datetime.fromisoformat(moment).astimezone():%Y-%m-%d}"
    except (ValueError, OverflowError):
        return ""


def ended(game: Game, number: int) -> str:
    """How deal `number` (from 1) ended, in half a line."""
    entry, record = game.entries[number - 1], game.records[number - 1]
    deal = entry.deal

    def name(seat: Seat) -> str:
        return name_at(game, entry.position, seat)

    if deal.foul_by is not None:
        kind = words(f"foul.{foul_name(game.rules.traits, deal.foul_kind or '')}")
        return labelled(kind, name(deal.foul_by))
    won = (deal.winner, *deal.also_won)
    agreed = record.agreed is not None
    parts = [(_won if deal.winner is not None else _drawn)(game, entry, agreed=agreed)]
    for seat, value in entry.values.items():
        if seat in won:
            total = with_unit(grouped(value), unit_of(game.rules.traits.unit, value))
            worth = " · ".join(filter(None, (known_value(game, entry, seat), total)))
            parts.append(labelled(name(seat), worth) if deal.also_won else worth)
    parts += [words("ledger.agreed")] if agreed else []
    return " · ".join(filter(None, parts))


def booked_deal(game: Game, number: int) -> str:
    """Deal `number` (from 1) in one line: `3. East 2: Ann from Dan`."""
    return labelled(f"{number}. {where(game.entries[number - 1].position)}", ended(game, number))


def known_value(game: Game, entry: Entry, seat: Seat) -> str:
    """The han and fu that the table said of a hand without tiles; empty in games without them."""
    value = entry.known.get(seat)
    return "" if value is None or not value.han else value_in_words(game, value)


def value_in_words(game: Game, value: KnownValue) -> str:
    """A value with its unit, as the grid of values calls it."""
    traits = game.rules.traits
    if not value.han:
        return amount(value.points, traits.unit)
    named = {han: name for name, han in traits.limits}
    if value.han in named:
        return words(f"{game.ruleset_name}.limit.{named[value.han]}")
    return beside(*han_and_fu(value.han, value.fu if value.han < min(named) else None))


def han_and_fu(han: int | None, fu: int | None) -> list[str]:
    """The han and the fu with their units, as far as there are any.

    >>> han_and_fu(4, 30), han_and_fu(4, None)
    (['4 han', '30 fu'], ['4 han'])
    """
    return [amount(n, unit) for n, unit in ((han, "han"), (fu, "fu")) if n]


def _won(game: Game, entry: Entry, *, agreed: bool) -> str:
    deal = entry.deal
    winners = joined(name_at(game, entry.position, seat) for seat in (deal.winner, *deal.also_won) if seat is not None)
    if deal.discarder is not None:
        aborted = "" if entry.winners else words("ledger.draw_kind", kind=words("draw.triple_ron"))
        won = words("ledger.from", winner=winners, discarder=name_at(game, entry.position, deal.discarder))
        return " · ".join(filter(None, (aborted, won)))
    return winners if agreed else words("ledger.self_draw", winner=winners)  # of agreed points nobody is asked


def _drawn(game: Game, entry: Entry, *, agreed: bool) -> str:
    deal = entry.deal
    if agreed:
        return ""
    kind = (
        words("ledger.draw_kind", kind=words(f"draw.{deal.draw}")) if deal.draw != "exhausted" else words("ledger.draw")
    )
    ready = joined(name_at(game, entry.position, seat) for seat in deal.ready)
    nagashi = joined(name_at(game, entry.position, seat) for seat in deal.nagashi)
    parts = [kind, words("ledger.ready", names=ready) if ready else ""]
    parts += [labelled(words("deal.nagashi"), nagashi)] if nagashi else []
    return " · ".join(filter(None, parts))


def reason(traits: Traits, why: str) -> str:
    """The reason of a payment in words; a foul other than a false mah-jong is a reason by its own name."""
    own = any(foul.is_of(why) and foul.kind != FALSE_MAHJONG for foul in traits.fouls)
    return words(f"foul.{foul_name(traits, why)}") if own else words(f"why.{why}")


def foul_name(traits: Traits, name: str) -> str:
    """A foul without its count, victim and points: `late_claim_3` is `late_claim`."""
    return next((foul.kind for foul in traits.fouls if foul.is_of(name)), name)
