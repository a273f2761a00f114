"""The least win with which a player overtakes the one before: on that one's tile, on another tile, by self-draw."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from tilescore.base.errors import InputError
from tilescore.scoring.deal import Deal
from tilescore.scoring.game.by_value import settled_by_value
from tilescore.scoring.game.progression import PLAYERS
from tilescore.scoring.game.standings import order_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tilescore.scoring.game.ledger import Game
    from tilescore.scoring.game.progression import Player
    from tilescore.scoring.traits import KnownValue


@dataclass(frozen=True, slots=True, kw_only=True)
class Chase:
    """What a player needs.

    Attributes:
        player: who.
        ahead: the player to overtake, who is the next one before.
        points: how many points lie between them.
        from_ahead, from_other, self_drawn: the least value of a hand that is enough, won on the tile of the player
            before, on that of another one, or by self-draw; None where none of the values is enough.
    """

    player: Player
    ahead: Player
    points: float
    from_ahead: KnownValue | None
    from_other: KnownValue | None
    self_drawn: KnownValue | None


def chases(game: Game, values: Callable[[bool], Iterable[KnownValue]]) -> tuple[Chase, ...]:
    """What each player but the first needs in the next deal, from the second on; nothing after the end.

    Nothing either in games where losers are paid for their hands.

    Args:
        game: the game.
        values: gives the values that a hand can have, the least first; its argument says whether by self-draw.
    """
    if game.over or game.rules.traits.losers_count:
        return ()
    order = [player for player in order_of(game.totals) if player in game.position.players]
    return tuple(_chase(game, player, ahead, values) for ahead, player in pairwise(order))


def _chase(game: Game, player: Player, ahead: Player, values: Callable[[bool], Iterable[KnownValue]]) -> Chase:
    other = next(one for one in game.position.players if one not in (player, ahead))
    return Chase(
        player=player,
        ahead=ahead,
        points=game.totals[PLAYERS.index(ahead)] - game.totals[PLAYERS.index(player)],
        from_ahead=_least(game, player, ahead, discarder=ahead, values=values(False)),
        from_other=_least(game, player, ahead, discarder=other, values=values(False)),
        self_drawn=_least(game, player, ahead, discarder=None, values=values(True)),
    )


def _least(
    game: Game, player: Player, ahead: Player, *, discarder: Player | None, values: Iterable[KnownValue]
) -> KnownValue | None:
    """The first of the values with which the player comes before the other one."""
    place = game.position
    winner, other = place.seat(player), place.seat(ahead)
    deal = Deal(winner=winner, discarder=None if discarder is None else place.seat(discarder), hands={})
    before = (game.totals[PLAYERS.index(player)], game.totals[PLAYERS.index(ahead)])
    for value in values:
        try:
            paid = settled_by_value(
                game.rules, deal, {winner: value}, honba=place.honba, repeats=place.repeats, deposits=place.deposits
            ).payments
        except InputError:  # no hand is worth that
            continue
        if before[0] + paid[winner] > before[1] + paid[other]:
            return value
    return None
