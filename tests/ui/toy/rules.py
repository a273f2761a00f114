"""A toy ruleset in one module: a complete hand is worth a point, or two for each pung; each loser pays that."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tilescore.errors import ContextError, HandError
from tilescore.scoring.context import SEATS, Occasion, Seat
from tilescore.scoring.deal import FALSE_MAHJONG, Settlement
from tilescore.scoring.deal.completion import completed
from tilescore.scoring.hand import Hand
from tilescore.scoring.payments import NOTHING, Payments, Step
from tilescore.scoring.plausibility import Play, check_plausible
from tilescore.scoring.ruleset import RuleEntry, Ruleset
from tilescore.scoring.score import NOT_A_WIN, Excluded, NotAWin, Score, ScoreLine
from tilescore.scoring.shapes.view import views
from tilescore.scoring.shapes.waiting import waits
from tilescore.scoring.shapes.winning import Shape
from tilescore.scoring.traits import KnownWin, Traits

if TYPE_CHECKING:
    from tilescore.scoring.context import Context
    from tilescore.scoring.deal import Deal

_SHAPES = frozenset({Shape.STANDARD})


def _waits(hand: Hand) -> tuple[object, ...]:
    return waits(hand, _SHAPES)


@dataclass(frozen=True, slots=True, kw_only=True)
class Toy(Ruleset):
    """One point for a complete hand, two for each pung in its place."""

    name = "toy"
    shapes = _SHAPES
    traits = Traits(occasions=(Occasion.LAST_TILE,), least=1, common=tuple(range(1, 11)))

    def evaluate(self, hand: Hand, context: Context) -> Score | NotAWin:
        """The points of the hand."""
        hand.check_size()
        check_plausible(hand, context, Play(meant=Occasion.LAST_TILE, waits=_waits))  # type: ignore[arg-type]
        ways = views(hand, context, by_discard=not context.self_drawn, shapes=_SHAPES)
        if hand.size < Hand.SIZE or context.win_by is None or not ways:
            why, unread = f"'{hand}' is no win.", context.without_meaning(Occasion.LAST_TILE)
            return NotAWin(ruleset="toy", code=NOT_A_WIN, message=why, waits=waits(hand, _SHAPES), warnings=unread)
        if hand.winning_tile is None:
            raise HandError("winning_tile_unknown", "say which tile completed the hand.")
        groups = ways[0].tiles
        pungs = [tiles for tiles in groups if len(tiles) > 2 and len({tile.plain for tile in tiles}) == 1]
        lines = tuple(ScoreLine(key="toy.pung", value=2, tiles=tiles) for tiles in pungs)
        instead = (Excluded(key="toy.complete", because="toy.pung"),) if pungs else ()
        lines = lines or (ScoreLine(key="toy.complete", value=1),)
        total = sum(line.value for line in lines)
        known = context.self_drawn or context.discarder is not None
        return Score(
            ruleset="toy",
            total=total,
            lines=lines,
            excluded=instead,
            payments=_payments(context.seat, total) if known else None,
            groups=groups,
            warnings=context.without_meaning(Occasion.LAST_TILE),
        )

    def settled(self, deal: Deal) -> Settlement:
        """The others pay the winner, or who made a foul pays them."""
        if deal.foul_by is not None:
            deal.check_foul("toy")
            steps = [Step(deal.foul_by, seat, 1, FALSE_MAHJONG) for seat in SEATS if seat is not deal.foul_by]
            return Settlement(values={}, payments=Payments.of(steps))
        if deal.winner is None:
            deal.check_draw("toy")
            return Settlement(values={}, payments=NOTHING)
        self.shares_of(deal, deposits=0, ready=())  # refuses a second winner
        score = self.score(*completed(deal).hands[deal.winner])
        if not isinstance(score, Score):
            raise ContextError(score.code, score.message)
        return Settlement(values={deal.winner: score.total}, payments=_payments(deal.winner, score.total))

    def payments_of(self, win: KnownWin) -> tuple[Step, ...]:
        """The others pay the winner."""
        if win.value.points < 1:
            raise ContextError("below_minimum", "a hand wins with 1 or more.")
        return _payments(win.winner, win.value.points).steps

    def rules(self) -> tuple[RuleEntry, ...]:
        """Both lines."""
        complete = RuleEntry(key="toy.complete", value="1", names={"en": "Complete"}, text="A hand without a pung.")
        pung = RuleEntry(
            key="toy.pung", value="2", names={"en": "Any Pung"}, text="A pung.", excludes=("toy.complete",)
        )
        return complete, pung


def _payments(winner: Seat, points: int) -> Payments:
    return Payments.of([Step(seat, winner, points, "hand_value") for seat in SEATS if seat is not winner])
