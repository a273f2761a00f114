"""How players did over many games, and with which win each player of one game overtakes the one before."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from tilescore.errors import InputError
from tilescore.scoring.deal import Deal
from tilescore.scoring.game.by_value import settled_by_value
from tilescore.scoring.game.ledger import Game
from tilescore.scoring.game.standings import order_of
from tilescore.scoring.payments import exact
from tilescore.scoring.progression import PLAYERS, Player
from tilescore.scoring.traits import KnownValue


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerStatistics:
    """One player over games of one ruleset."""

    name: str  # the name, which is the same person wherever it appears
    games: int
    deals: int
    wins: int
    deal_ins: int  # deals in which this player discarded a winning tile
    riichi: int  # deals in which this player laid a stick
    places: tuple[int, ...]  # how often the player ended a finished game in each place, from the first on
    result: float  # sum of the results of the finished games: points won, uma and penalties
    average: float | None  # average value of the won hands whose value is known; None without one
    # The most valuable won hand and its value; None without one. The hand is empty if its tiles are unknown.
    best: tuple[int, str] | None
    points: float  # sum of all changes
    course: tuple[float, ...] = ()  # the sum of the changes after each deal, over all games in their order

    @property
    def win_rate(self) -> float:
        """Part of the deals that were won (0-1)."""
        return self.wins / self.deals if self.deals else 0.0

    @property
    def riichi_rate(self) -> float:
        """Part of the deals in which the player laid a stick (0-1)."""
        return self.riichi / self.deals if self.deals else 0.0

    @property
    def average_place(self) -> float | None:
        """The average place in the finished games; None without one."""
        finished = sum(self.places)
        return sum(place * count for place, count in enumerate(self.places, 1)) / finished if finished else None

    @property
    def deal_in_rate(self) -> float:
        """Part of the deals in which the player dealt in (0-1)."""
        return self.deal_ins / self.deals if self.deals else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerTally:
    """What one player did in one game."""

    name: str
    # wins, deal_ins, riichi: as in `PlayerStatistics`
    wins: int = 0
    deal_ins: int = 0
    riichi: int = 0
    place: int | None = None  # the place at the end; None before the end
    result: float = 0  # points won, uma and penalties at the end; 0 before the end
    changes: tuple[float, ...] = ()  # points won and lost in each deal
    # value and notation of each won hand whose value is known; the notation is empty without its tiles
    hands: tuple[tuple[int, str], ...] = ()


def tallies_of(game: Game) -> tuple[PlayerTally, ...]:
    """What each player did in that game, from A on."""
    return tuple(_tally(game, name, place) for place, name in enumerate(game.players))


def player_statistics(games: Iterable[Iterable[PlayerTally]]) -> tuple[PlayerStatistics, ...]:
    """The players of these games, the best result first, then who won most often.

    Games of several rulesets do not compare.

    >>> from tilescore.scoring.game.ledger import Game
    >>> game = Game.new("mcr", ("Ann", "Ben", "Cleo", "Dan"))
    >>> [player.name for player in player_statistics([tallies_of(game)])]
    ['Ann', 'Ben', 'Cleo', 'Dan']
    """
    tallies: defaultdict[str, list[PlayerTally]] = defaultdict(list)
    seats = 0
    for game in map(tuple, games):
        seats = max(seats, len(game))
        for tally in game:
            tallies[tally.name].append(tally)
    players = (_statistics(name, played, seats) for name, played in tallies.items())
    return tuple(sorted(players, key=lambda player: (-player.result, -player.win_rate, player.name)))


def _statistics(name: str, played: Sequence[PlayerTally], seats: int) -> PlayerStatistics:
    """One player over these games of so many seats."""
    course = tuple(map(exact, accumulate(change for tally in played for change in tally.changes)))
    hands = [hand for tally in played for hand in tally.hands]
    return PlayerStatistics(
        name=name,
        games=len(played),
        deals=len(course),
        wins=sum(tally.wins for tally in played),
        deal_ins=sum(tally.deal_ins for tally in played),
        riichi=sum(tally.riichi for tally in played),
        places=tuple(sum(tally.place == place for tally in played) for place in range(1, seats + 1)),
        result=exact(sum(tally.result for tally in played)),
        average=sum(value for value, _ in hands) / len(hands) if hands else None,
        best=max(hands, default=None),
        points=course[-1] if course else 0,
        course=course,
    )


def _tally(game: Game, name: str, place: int) -> PlayerTally:
    wins = deal_ins = riichi = 0
    hands = []
    for entry in game.entries:
        seat, deal = entry.position.seat(PLAYERS[place]), entry.deal
        riichi += seat in entry.sticks
        deal_ins += bool(entry.winners) and deal.discarder is seat
        if seat in entry.winners:
            wins += 1
            if seat in entry.values:
                hands.append((entry.values[seat], str(deal.hands[seat][0]) if seat in deal.hands else ""))
    line = next((line for line in game.standings if line.player is PLAYERS[place]), None) if game.over else None
    return PlayerTally(
        name=name,
        wins=wins,
        deal_ins=deal_ins,
        riichi=riichi,
        place=None if line is None else line.rank,
        result=0 if line is None else line.result - (0 if line.counted_from else game.start),
        changes=tuple(entry.changes[place] for entry in game.entries),
        hands=tuple(hands),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Chase:
    """What a player needs."""

    player: Player
    ahead: Player  # the player to overtake, who is the next one before
    points: float  # how many points lie between them
    # from_ahead, from_other, self_drawn: the least value of a hand that is enough, won on the tile of the player
    # before, on that of another one, or by self-draw; None where none of the values is enough.
    from_ahead: KnownValue | None
    from_other: KnownValue | None
    self_drawn: KnownValue | None


def chases(game: Game, values: Callable[[bool], Iterable[KnownValue]]) -> tuple[Chase, ...]:
    """What each player but the first needs in the next deal, from the second on; nothing after the end.

    Nothing either in games where losers are paid for their hands.

    `values` gives the values that a hand can have, the least first; its argument says whether by self-draw.
    """
    if game.over or game.rules.traits.losers_count:
        return ()
    order = [player for player in order_of(game.totals) if player in game.position.players]
    return tuple(_chase(game, player, ahead, values) for ahead, player in pairwise(order))


def _chase(game: Game, player: Player, ahead: Player, values: Callable[[bool], Iterable[KnownValue]]) -> Chase:
    other = next(third for third in game.position.players if third not in (player, ahead))
    return Chase(
        player=player,
        ahead=ahead,
        points=exact(game.totals[PLAYERS.index(ahead)] - game.totals[PLAYERS.index(player)]),
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
    end = game.rules.traits.end
    wins_ties = not end.shared and player < ahead  # as `order_of` ranks equal points
    for value in values:
        try:
            paid = settled_by_value(game.rules, deal, {winner: value}, place).payments
        except InputError:  # no hand is worth that
            continue
        lead = before[0] + paid[winner] - before[1] - paid[other]
        if lead > 0 or (lead == 0 and wins_ties):
            return value
    return None
