"""The MCR ruleset (国标麻将): documents 002 and 003, decisions S-MCR (scoring/sources.md)."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import ClassVar, Final

from tilescore.errors import ContextError, HandError
from tilescore.scoring.context import Context, Occasion, Seat
from tilescore.scoring.deal import Deal, Settlement
from tilescore.scoring.hand import Hand
from tilescore.scoring.mcr.combine import FLOWER_TILES, CountedFans, best_count
from tilescore.scoring.mcr.fans import FANS
from tilescore.scoring.mcr.registry import ONCE, About, Fan, Matches
from tilescore.scoring.mcr.settlement import PAID_FOULS, next_position, settle, win_steps
from tilescore.scoring.mcr.view import fours
from tilescore.scoring.names import names_of
from tilescore.scoring.payments import Payments, Step
from tilescore.scoring.plausibility import Play, check_plausible
from tilescore.scoring.progression import Ending, Position
from tilescore.scoring.ruleset import RuleEntry, Ruleset
from tilescore.scoring.score import BELOW_MINIMUM, NOT_A_WIN, Excluded, NotAWin, Score, ScoreLine
from tilescore.scoring.shapes.waiting import waits
from tilescore.scoring.shapes.winning import ALL_SHAPES, Shape
from tilescore.scoring.tiles import ORDER, Tile
from tilescore.scoring.traits import KnownWin, Traits

MCR: Final = "mcr"
MINIMUM: Final = 8
"""Points that a win needs, flowers left out."""
_MEANT: Final = (
    Occasion.LAST_TILE
    | Occasion.KONG_REPLACEMENT
    | Occasion.ROBBING_KONG
    | Occasion.ROBBING_CONCEALED_KONG
    | Occasion.LAST_OF_ITS_KIND
)
_COMMON: Final = (*range(MINIMUM, 21), 22, 24, 26, 28, 30, 32, 36, 40, 48, 56, 64, 72, 88)
"""Points of most hands."""
_PLAY: Final = Play(meant=_MEANT, waits=waits)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mcr(Ruleset):
    """Mahjong Competition Rules: a sum of fans, 8 points to win; it has no options.

    >>> from tilescore.scoring.context import Context, Seat, WinBy
    >>> from tilescore.scoring.hand import Hand
    >>> won = Context(win_by=WinBy.DISCARD, discarder=Seat.WEST, seat=Seat.SOUTH)
    >>> score = Mcr().score(Hand.parse("123456789m234s55p +4s"), won)
    >>> score.total, [line.key for line in score.lines]
    (20, ['mcr.pure_straight', 'mcr.concealed_hand', 'mcr.all_chows'])
    >>> for entry in score.excluded:
    ...     print(entry.key, "because", entry.because)
    mcr.short_straight because mcr.pure_straight
    mcr.two_terminal_chows because mcr.pure_straight
    mcr.no_honors because mcr.all_chows
    """

    name: ClassVar[str] = MCR
    shapes: ClassVar[frozenset[Shape]] = ALL_SHAPES
    """All forms (rules of 1998)."""

    @property
    def traits(self) -> Traits:
        """Four seats, one winner, eight points, fouls of many kinds."""
        return Traits(
            occasions=tuple(_MEANT & ~Occasion.ROBBING_CONCEALED_KONG),
            least=MINIMUM,
            least_without_flowers=True,
            common=_COMMON,
            fouls=PAID_FOULS,
            table_points=(4, 2, 1, 0),
            language="zh",
        )

    def evaluate(self, hand: Hand, context: Context) -> Score | NotAWin:
        """Fans, what they exclude and payments; raises InputError for an impossible hand or context."""
        hand.check_size()
        check_plausible(hand, context, _PLAY)
        if hand.size < Hand.SIZE or context.win_by is None:
            return _not_won(hand, context)
        if hand.winning_tile is None:
            raise HandError("winning_tile_unknown", "mcr needs the winning tile: waits depend on it; say which it was.")
        counted = best_count(hand, context)
        if counted is None:
            return _not_a_win(hand, context, f"'{hand}' is no mah-jong: its tiles make no winning hand.")
        if context.has(Occasion.ROBBING_CONCEALED_KONG):
            return _not_a_win(hand, context, "A concealed kong cannot be robbed in mcr.")
        if counted.total - counted.flowers < MINIMUM:
            return _below_minimum(hand, context, counted)
        return Score(
            ruleset=MCR,
            total=counted.total,
            lines=_lines(counted),
            excluded=_excluded(counted),
            payments=_payments(context, counted.total),
            groups=counted.tiles,
            warnings=context.without_meaning(_MEANT),
        )

    def settled(self, deal: Deal) -> Settlement:
        """Who pays whom after a win, a draw or a foul; raises InputError."""
        return settle(self, deal)

    def payments_of(self, win: KnownWin) -> tuple[Step, ...]:
        """Payments of a win of so many points; raises ContextError below the minimum."""
        points = win.value.points
        if points < MINIMUM:
            raise ContextError("below_minimum", f"{points} points: a hand wins with {MINIMUM} or more.")
        return win_steps(win.winner, win.discarder, points)

    def next_position(self, position: Position, ending: Ending) -> Position:
        """The next position of the sixteen deals; a foul may make a hand dead (S-MCR-23)."""
        return next_position(position, ending)

    def rules(self) -> tuple[RuleEntry, ...]:
        """All fans in rule-book order."""
        names, keys = names_of(MCR), {fan.number: fan.key for fan in FANS}
        return tuple(
            RuleEntry(
                key=fan.key,
                value=str(fan.value),
                names=names[fan.key],
                text=fan.text,
                number=fan.number,
                excludes=tuple(keys[number] for number in (*fan.absorbs, *fan.bars)),
            )
            for fan in FANS
        )


def _payments(context: Context, points: int) -> Payments | None:
    """Payments of a win; None for a win on a discard by an unknown player."""
    known = context.self_drawn or context.discarder is not None
    return _payments_to(context.seat, context.discarder, points) if known else None


@lru_cache(maxsize=4096)
def _payments_to(winner: Seat, discarder: Seat | None, points: int) -> Payments:
    return Payments.of(win_steps(winner, discarder, points))


def _not_won(hand: Hand, context: Context) -> NotAWin:
    if hand.size < Hand.SIZE:
        return _not_a_win(hand, context, f"'{hand}' has {hand.size} tiles: one is missing to a complete hand.")
    return _not_a_win(hand, context, f"'{hand}' has no win_by: set it to self_draw or discard if it won.")


def _not_a_win(hand: Hand, context: Context, message: str) -> NotAWin:
    return NotAWin(
        ruleset=MCR, code=NOT_A_WIN, message=message, waits=waits(hand), warnings=context.without_meaning(_MEANT)
    )


def _below_minimum(hand: Hand, context: Context, counted: CountedFans) -> NotAWin:
    points = counted.total - counted.flowers
    return NotAWin(
        ruleset=MCR,
        code=BELOW_MINIMUM,
        message=f"'{hand}' is complete but worth {points} without flowers: a win needs {MINIMUM}.",
        waits=waits(hand),
        total=counted.total,
        lines=_lines(counted),
        excluded=_excluded(counted),
        groups=counted.tiles,
        warnings=context.without_meaning(_MEANT),
    )


def _lines(counted: CountedFans) -> tuple[ScoreLine, ...]:
    every = _sorted(counted.view.hand.tiles)
    return tuple(
        [
            _line(fan)
            if matches is ONCE and fan.about is About.WIN and fan is not FLOWER_TILES
            else ScoreLine(
                key=fan.key,
                value=fan.value,
                count=len(matches),
                tiles=_lit(counted, fan, matches, every),
                number=fan.line_number,
            )
            for fan, matches in counted.kept
        ]
    )


@cache
def _line(fan: Fan) -> ScoreLine:
    return ScoreLine(key=fan.key, value=fan.value, number=fan.line_number)


def _excluded(counted: CountedFans) -> tuple[Excluded, ...]:
    return tuple([_exclusion(*pair) for pair in counted.dropped])


@cache
def _exclusion(fan: Fan, because: Fan) -> Excluded:
    """An exclusion; there are not more than pairs of fans."""
    return Excluded(key=fan.key, because=because.key, number=fan.line_number)


def _lit(counted: CountedFans, fan: Fan, matches: Matches, every: tuple[Tile, ...]) -> tuple[Tile, ...]:
    """The tiles that a photo highlights for a line, of `every` tile of the hand."""
    if fan is FLOWER_TILES:
        return counted.view.hand.bonus
    if fan.key == "mcr.tile_hog":
        held = fours(counted.view)
        return tuple([tile for tile in every if tile.plain in held])
    if fan.about is About.HAND or fan.about is About.SPLIT:
        return every
    places = matches[0] if len(matches) == 1 else sorted({place for match in matches for place in match})
    return tuple([tile for place in places for tile in counted.tiles[place]])


def _sorted(tiles: Iterable[Tile]) -> tuple[Tile, ...]:
    return tuple(sorted(tiles, key=ORDER.__getitem__))
