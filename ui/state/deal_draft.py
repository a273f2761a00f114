"""A deal that a person is entering, by players instead of winds, so that it fits any position of the game.

>>> from tilescore.scoring.game.ledger import Game
>>> game = Game.new("mcr", ("Ann", "Ben", "Cleo", "Dan"))
>>> draft = Draft(winners=(Player.B,), discarder=Player.D, hands={Player.B: "123456789m234s55p +4s"})
>>> draft.gap(game), draft.played(game).totals
(None, (-8, 44, -8, -28))
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from typing import Final

from tilescore.errors import ContextError, InputError
from tilescore.scoring.context import NO_OCCASION, SEATS, Context, Occasion, Seat, WinBy
from tilescore.scoring.deal import FALSE_MAHJONG, Deal
from tilescore.scoring.game.ledger import Game
from tilescore.scoring.game.record import Record
from tilescore.scoring.hand import Hand
from tilescore.scoring.progression import PLAYERS, Player, Position
from tilescore.scoring.tiles import Tile
from tilescore.scoring.traits import KnownValue, harmed_by, with_harmed

WIN: Final = "win"
DRAW: Final = "draw"
FOUL: Final = "foul"
AGREED: Final = "agreed"
ENDINGS: Final = (WIN, DRAW, FOUL, AGREED)
UNNAMED: Final = "?"
"""In the place of the player whom a foul harmed, as long as nobody is named."""
_STICK_LAID: Final = Occasion.RIICHI | Occasion.DOUBLE_RIICHI


@dataclass(frozen=True, slots=True)
class Gap:
    """What the deal still lacks: the end of a key `missing.KEY` of the catalogues, and the players it concerns."""

    key: str
    players: tuple[Player, ...] = ()
    number: float = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A deal as far as it is entered."""

    ending: str = WIN  # win, draw, foul, or points that the table agreed on
    winners: tuple[Player, ...] = ()  # usually one; several rons in riichi
    discarder: Player | None = None  # the player who discarded the winning tile; None for a self-draw
    hands: Mapping[Player, str] = field(default_factory=dict)  # notation by player
    occasions: Mapping[Player, Occasion] = field(default_factory=dict)  # of the winners, without riichi
    # dora, ura: indicators
    dora: tuple[Tile, ...] = ()
    ura: tuple[Tile, ...] = ()
    riichi: tuple[Player, ...] = ()  # the players who laid a stick
    liable: Mapping[Player, Player] = field(default_factory=dict)  # who fed and pays for a big hand, by winner
    pays_for_all: bool | None = None  # overrules the classical penalty
    # draw, nagashi: the kind of draw, the players with nagashi mangan
    draw: str = "exhausted"
    ready: tuple[Player, ...] = ()  # players ready at a draw, or with a declared ready hand before a win (classical)
    nagashi: tuple[Player, ...] = ()
    # foul_by, foul: the player with a foul, and the foul as the ruleset names it
    foul_by: Player | None = None
    foul: str = FALSE_MAHJONG
    agreed: tuple[float, float, float, float] = (0, 0, 0, 0)  # points of A, B, C, D
    under: str = ""  # the draw or foul of a booked deal on whose points the table agreed; empty for any other
    by_value: bool = False  # whether the table knows what the hands are worth and gives no tiles
    values: Mapping[Player, KnownValue] = field(default_factory=dict)  # what the hands are worth, by player

    @property
    def is_empty(self) -> bool:
        """Whether nothing is entered yet."""
        return replace(self, by_value=False) == Draft()

    @staticmethod
    def of(record: Record) -> Draft:
        """The draft that gives this record again."""
        deal = record.deal
        who = dict(zip(SEATS, record.seating, strict=False))
        names = [seat for seat in (deal.winner, *deal.also_won) if seat is not None]
        contexts = {who[seat]: deal.hands[seat][1] for seat in names if seat in deal.hands}
        first = next(iter(contexts.values()), Context())
        ending = FOUL if deal.foul_by is not None else DRAW if deal.draw is not None else WIN
        points = None if record.agreed is None else record.agreed.points
        return Draft(
            ending=ending if points is None else AGREED,
            winners=tuple(who[seat] for seat in names),
            discarder=None if deal.discarder is None else who[deal.discarder],
            hands={who[seat]: str(hand) for seat, (hand, _) in deal.hands.items()},
            occasions={player: held.occasions & ~Occasion.RIICHI for player, held in contexts.items()},
            dora=first.dora_indicators,
            ura=next((held.ura_dora_indicators for held in contexts.values() if held.ura_dora_indicators), ()),
            riichi=tuple(who[seat] for seat in record.riichi),
            liable={who[seat]: who[payer] for seat, payer in deal.liable.items()},
            pays_for_all=deal.pays_for_all,
            draw=deal.draw or "exhausted",
            ready=tuple(who[seat] for seat in deal.ready),
            nagashi=tuple(who[seat] for seat in deal.nagashi),
            foul_by=None if deal.foul_by is None else who[deal.foul_by],
            foul=with_harmed(deal.foul_kind or FALSE_MAHJONG, lambda seat: who[Seat(seat)]),
            agreed=(0, 0, 0, 0) if points is None else _by_player(points, record.seating),
            under="" if points is None or names else ending,
            by_value=bool(record.values),
            values={who[seat]: value for seat, value in record.values.items()},
        )

    @property
    def sticks(self) -> tuple[Player, ...]:
        """The players who laid a stick, for riichi or double riichi."""
        double = {player for player, flags in self.occasions.items() if Occasion.DOUBLE_RIICHI in flags}
        return tuple(player for player in PLAYERS if player in self.riichi or player in double & set(self.winners))

    @property
    def ready_at_draw(self) -> tuple[Player, ...]:
        """The players who are ready at a draw: those named, and those who laid a riichi stick, as long as it lies."""
        return tuple(player for player in PLAYERS if player in self.ready or player in self.riichi)

    def flags(self, player: Player) -> Occasion:
        """The occasions of a winner, riichi included."""
        flags = self.occasions.get(player, NO_OCCASION)
        if player in self.riichi and Occasion.DOUBLE_RIICHI not in flags:
            flags |= Occasion.RIICHI
        return flags if flags & _STICK_LAID else flags & ~Occasion.IPPATSU

    def fits(self, players: Sequence[Player]) -> bool:
        """Whether the draft speaks of these players alone: a game of three may come in the place of one of four."""
        several = (self.winners, self.riichi, self.ready, self.nagashi, self.hands, self.occasions, self.values)
        alone = (self.discarder, *chain(*self.liable.items()), self.foul_by, harmed_by(self.foul))
        agreed = [player for player, points in zip(PLAYERS, self.agreed, strict=True) if points]
        return {*chain(*several), *alone, *agreed} <= {*players, None, UNNAMED}

    def tidied(self, position: Position) -> Draft:
        """The draft without contradictions: no winner is the discarder, no occasion contradicts the others."""
        discarder = None if self.discarder in self.winners else self.discarder
        declared = {player for player, flags in self.occasions.items() if Occasion.RIICHI in flags}
        riichi = tuple(player for player in PLAYERS if player in self.riichi or player in declared)
        tidy = replace(self, discarder=discarder, occasions={}, riichi=riichi)
        for player in self.winners:
            for occasion in self.occasions.get(player, NO_OCCASION) & ~Occasion.RIICHI:
                flags = tidy.occasions.get(player, NO_OCCASION) | occasion
                fuller = replace(tidy, occasions={**tidy.occasions, player: flags})
                try:
                    fuller.context(player, position)
                except ContextError:
                    continue
                tidy = fuller
        liable = {who: payer for who, payer in self.liable.items() if who in self.winners and payer is not who}
        return replace(tidy, liable=liable)

    def context(self, player: Player, position: Position) -> Context:
        """The circumstances of the hand of a winner."""
        flags = self.flags(player)
        return Context(
            win_by=WinBy.SELF_DRAW if self.discarder is None else WinBy.DISCARD,
            discarder=None if self.discarder is None else position.seat(self.discarder),
            seat=position.seat(player),
            round=position.round,
            occasions=flags,
            dora_indicators=self.dora,
            ura_dora_indicators=self.ura if flags & _STICK_LAID else (),
        )

    def gap(self, game: Game) -> Gap | None:
        """What the deal lacks before it can be settled; None if nothing. A malformed hand raises InputError."""
        if self.ending == WIN:
            return self._win_gap(game)
        if self.ending == FOUL and self.foul_by is None:
            return Gap("foul_by")
        if self.ending == FOUL and harmed_by(self.foul) not in (None, *PLAYERS):
            return Gap("foul_victim")
        if self.ending == AGREED:
            total: float = sum(self.agreed)
            return Gap("agreed", number=total) if total else None if any(self.agreed) else Gap("nothing")
        return None

    def _win_gap(self, game: Game) -> Gap | None:
        if not self.winners:
            return Gap("winner")
        if self.by_value:
            lacking = tuple(player for player in self.winners if player not in self.values)
            return Gap("value", lacking) if lacking else None
        for player in self.winners:
            hand = Hand.parse(self.hands.get(player, ""))
            if not hand.size:
                return Gap("hand", (player,))
            if hand.size == game.rules.traits.size and hand.winning_tile is None:
                return Gap("winning_tile", (player,))
        others = [player for player in game.position.players if player not in self.winners]
        lacking = tuple(player for player in others if not self.hands.get(player, "").strip())
        return Gap("losers", lacking) if lacking and self._needs_losers(game) else None

    def _needs_losers(self, game: Game) -> bool:
        """Whether the rules need the hands of the losers: they do not if one player pays for all."""
        if not game.rules.traits.losers_count:
            return False
        try:
            game.rules.settle(self.deal(game, game.position))
        except InputError as error:
            return error.code == "hands_missing"
        return False

    def deal(self, game: Game, position: Position) -> Deal:
        """The deal by the seats of that position; raises InputError."""
        judged = self.ending == AGREED and not self.winners
        ending = self.under if judged else self.ending
        if ending == DRAW:
            readied = self.ready if judged else self.ready_at_draw
            ready, nagashi = (tuple(map(position.seat, players)) for players in (readied, self.nagashi))
            exhausted = self.draw == "exhausted"
            return Deal(
                hands={}, draw=self.draw, ready=ready if exhausted else (), nagashi=nagashi if exhausted else ()
            )
        if ending == FOUL and self.foul_by is not None:
            foul = with_harmed(self.foul, lambda player: position.seat(Player(player)))
            return Deal(hands={}, foul_by=position.seat(self.foul_by), foul_kind=foul)
        if judged:
            return Deal(hands={}, draw="exhausted")
        with_tiles = self.ending == WIN and not self.by_value
        winners = [position.seat(player) for player in self.winners]
        counted = game.rules.traits.losers_count and self.ending == WIN
        return Deal(
            winner=winners[0],
            also_won=tuple(winners[1:]),
            discarder=None if self.discarder is None else position.seat(self.discarder),
            hands=self._hands(position, losers=counted) if with_tiles else {},
            ready=tuple(map(position.seat, self.ready)) if counted and self.discarder is not None else (),
            liable={position.seat(winner): position.seat(payer) for winner, payer in self.liable.items()},
            pays_for_all=self.pays_for_all if counted and self.discarder is not None else None,
        )

    def played(self, game: Game, number: int | None = None) -> Game:
        """The game with this deal booked, or put in the place of deal `number`; raises InputError."""
        position = game.position if number is None else game.entries[number - 1].position
        deal = self.deal(game, position)
        riichi = tuple(position.seat(player) for player in self.sticks) if game.rules.traits.stick else ()
        points = zip(map(position.seat, position.players), self.agreed, strict=False)
        agreed = dict(points) if self.ending == AGREED else None
        counted = game.position.players if game.rules.traits.losers_count else self.winners
        known = self.values if self.ending == WIN and self.by_value else {}
        values = {position.seat(player): known[player] for player in counted if player in known}
        book = game.play if number is None else partial(game.correct, number)
        return book(deal, riichi=riichi, agreed=agreed, values=values)

    def _hands(self, position: Position, *, losers: bool) -> dict[Seat, tuple[Hand, Context]]:
        hands = {}
        for player in position.players:
            text, seat = self.hands.get(player, "").strip(), position.seat(player)
            if player in self.winners:
                hands[seat] = (Hand.parse(text), self.context(player, position))
            elif losers and text:
                hands[seat] = (Hand.parse(text), Context(seat=seat, round=position.round))
        return hands


def _by_player(
    points: tuple[float, float, float, float], seating: tuple[Player, ...]
) -> tuple[float, float, float, float]:
    a, b, c, d = (points[seating.index(player)] if player in seating else 0 for player in PLAYERS)
    return a, b, c, d
