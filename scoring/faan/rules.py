"""The common part of Hong Kong and Taiwan: the score of a hand, the settlement of a deal, the lists.

Decisions: scoring/sources.md.
"""

from abc import abstractmethod
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import ClassVar, Final

from tilescore.errors import ContextError, HandError, InputError
from tilescore.scoring.context import SEATS, Context, Occasion, Seat, WinBy
from tilescore.scoring.deal import FALSE_MAHJONG, Deal, Settlement
from tilescore.scoring.deal.completion import completed
from tilescore.scoring.faan.count import Book, Counted, cut, dearest, exclusions, lacking_to_minimum, score_lines
from tilescore.scoring.faan.lines import WITHOUT_SETS
from tilescore.scoring.faan.settlement import Win
from tilescore.scoring.faan.table import Line
from tilescore.scoring.faan.view import View
from tilescore.scoring.hand import Hand
from tilescore.scoring.house import shown
from tilescore.scoring.names import names_of
from tilescore.scoring.options import HouseRules, least_payment
from tilescore.scoring.payments import NOTHING, Payments, Step
from tilescore.scoring.plausibility import check_plausible
from tilescore.scoring.ruleset import RuleEntry, text_of
from tilescore.scoring.score import BELOW_MINIMUM, NOT_A_WIN, NotAWin, Score
from tilescore.scoring.shapes.view import views
from tilescore.scoring.shapes.waiting import waits
from tilescore.scoring.shapes.winning import Shape, hand_size
from tilescore.scoring.tiles import BONUS_TILES
from tilescore.scoring.traits import KnownValue, KnownWin, Preset, Traits

_FED: Final = 3
"""So many sets that others fed can make one of them liable."""
_OFFERED: Final = 41
"""The most values that a table of values offers (chosen)."""
_FLOWERS_DRAWN: Final = Context(win_by=WinBy.SELF_DRAW, seat=Seat.SOUTH, occasions=Occasion.FLOWER_WIN)
"""How most wins by flowers come about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SummedRules(HouseRules):
    """Scoring by the `book` of the ruleset."""

    usual_most: ClassVar[int]
    """The most that most hands are worth, where there is no limit."""
    presets: ClassVar[tuple[Preset, ...]]
    """Published tables that differ from the document, which takes the majority of its sources."""
    alternatives: ClassVar[frozenset[int]] = frozenset()
    """Numbers of the lines of which the dearest alone counts."""
    counts_repeats: ClassVar[bool] = False
    """Whether it matters how often the dealer has kept the deal."""

    @property
    @abstractmethod
    def table(self) -> tuple[Line, ...]:
        """All lines in the order of their numbers, those that an option takes out of play, too."""

    @property
    @abstractmethod
    def book(self) -> Book:
        """The lines in play, and what else the count needs."""

    @property
    @abstractmethod
    def false_mahjong(self) -> float:
        """What a false mah-jong pays each other player."""

    @abstractmethod
    def steps(self, win: Win) -> tuple[Step, ...]:
        """The payments to a winner."""

    @property
    def shapes(self) -> frozenset[Shape]:
        """The forms of a complete hand."""
        return _book(self).shapes

    @property
    def traits(self) -> Traits:
        """Several winners, and a player who may be liable."""
        book = _book(self)
        least = cut(book, book.minimum)
        return Traits(
            occasions=tuple(occasion for occasion in book.play.meant if self.asks(occasion)),
            size=book.play.size,
            bonus_replaced=book.play.bonus_replaced,
            most_winners=len(SEATS) - 1,
            unit=book.unit,
            least=least,
            least_without_flowers=bool(book.idle),
            repeats=self.counts_repeats,
            at_win=("liable",),
            step=least_payment(self),
            common=(
                *sorted(value for value in _by_flowers(self, _FLOWERS_DRAWN) if value < least),
                *range(least, max(least, book.limit or self.usual_most) + 1)[:_OFFERED],
            ),
            language="zh-Hant",
            presets=self.presets,
        )

    def keeps(self, key: str) -> bool:
        """Whether the house keeps the line of that key in the game."""
        return self.ours().get(f"{self.name}.{key}", 0) is not None

    def played(self, shapes: Mapping[Shape, str]) -> frozenset[Shape]:
        """The forms, each with the key of its line, of which the house keeps the line in the game."""
        return frozenset(shape for shape, key in shapes.items() if self.keeps(key))

    def asks(self, occasion: Occasion) -> bool:
        """Whether a winner may be asked about that occasion."""
        return bool(_book(self).robs_concealed) or occasion is not Occasion.ROBBING_CONCEALED_KONG

    def evaluate(self, hand: Hand, context: Context) -> Score | NotAWin:
        """Lines, what they take the place of, and payments; raises InputError for an impossible hand or context."""
        score = self._scored(hand, context)
        return replace(score, house=True) if self.house else score

    def _scored(self, hand: Hand, context: Context) -> Score | NotAWin:
        book = _book(self)
        given, hand = hand, hand if book.flowers else _without_bonus(hand)
        check_plausible(hand, context, book.play)
        ways = _ways(book, hand, context)
        if isinstance(ways, str):
            return _not_won(book, given, context, ways)
        counted = dearest(book, ways)
        lacking = lacking_to_minimum(book, counted)
        if lacking > 0:
            message = f"'{given}' is complete, but lacks {lacking} {book.unit} for a win."
            return _not_won(book, given, counted.view.context, message, counted)
        if counted.view.shape is None and not counted.wins_by_flowers(book):
            return _not_won(book, given, context, f"'{given}' wins by no line of this table.")
        total = cut(book, counted.total)
        win = Win.of(context, total)
        return Score(
            ruleset=book.ruleset,
            total=total,
            unit=book.unit,
            lines=score_lines(book, counted),
            excluded=exclusions(book, counted),
            limit="limit" if total < counted.total else None,
            payments=None if win is None else Payments.of(self.steps(win)),
            groups=counted.view.tiles,
            warnings=_warnings(book, given, context, counted),
        )

    def settled(self, deal: Deal) -> Settlement:
        """Who pays whom after a win, a draw or a foul; raises InputError if something needed is missing."""
        if deal.foul_by is not None:
            deal.check_foul(self.name)
            others = [seat for seat in SEATS if seat is not deal.foul_by]
            steps = [Step(deal.foul_by, seat, self.false_mahjong, FALSE_MAHJONG) for seat in others]
            return Settlement(values={}, payments=Payments.of(steps))
        if deal.winner is None:
            deal.check_draw(self.name)
            return Settlement(values={}, payments=NOTHING)
        deal = completed(deal, size=hand_size(self.shapes))
        wins = [self._win(deal, seat) for seat in deal.winners_in_turn]
        steps = [step for win in wins for step in self.steps(win)]
        return Settlement(values={win.winner: win.total for win in wins}, payments=Payments.of(steps))

    def _win(self, deal: Deal, seat: Seat) -> Win:
        if seat not in deal.hands:
            raise ContextError("winner_hand_missing", f"the hand of the winner {seat} is missing: add it to 'hands'.")
        score = self.score(*deal.hands[seat])
        if not isinstance(score, Score):
            raise ContextError(score.code, f"the hand of {seat} does not win: {score.message}")
        win = Win.of(deal.hands[seat][1], score.total, deal.liable.get(seat))
        if win is None:
            raise ContextError("discarder_needed", f"{seat} won on a discard: say who threw it.")
        return win

    def may_be_fed(self, won: Hand | KnownValue) -> bool:
        """Whether others have fed so many sets (S-HKG-17); a value does not say."""
        return isinstance(won, KnownValue) or len(won.exposed_melds) >= _FED

    def payments_of(self, win: KnownWin) -> tuple[Step, ...]:
        """Payments of a win of so many faan or tai; raises ContextError below the minimum, unless flowers win."""
        book, value = _book(self), win.value.points
        how = WinBy.SELF_DRAW if win.discarder is None else WinBy.DISCARD
        by_flowers = replace(
            _FLOWERS_DRAWN, win_by=how, discarder=win.discarder, seat=win.winner, dealer_repeats=win.repeats
        )
        if value < (least := cut(book, book.minimum)) and value not in _by_flowers(self, by_flowers):
            raise ContextError("below_minimum", f"{value}: a hand wins with {least} or more in {self.name}.")
        return self.steps(
            Win(
                winner=win.winner,
                total=cut(book, value),
                discarder=win.discarder,
                dealer=Seat.EAST,
                repeats=win.repeats,
                liable=win.liable,
            )
        )

    def rules(self) -> tuple[RuleEntry, ...]:
        """Every line of the table, in the order of its numbers; those that an option excludes, too."""
        names = names_of(self.name)
        keys = {line.number: f"{self.name}.{line.key}" for line in self.table}
        worth = _worth(self)
        return tuple(
            RuleEntry(
                key=keys[line.number],
                value=shown(worth[line.number]),
                names=names[keys[line.number]],
                text=text_of(line.find),
                number=str(line.number),
                excludes=tuple(keys[number] for number in sorted(in_place_of)),
                worth=worth[line.number],
            )
            for line, in_place_of in zip(self.table, _in_place_of(self), strict=True)
        )


@lru_cache(maxsize=64)
def _book(rules: SummedRules) -> Book:
    """The lines in play with the values of the house."""
    book = rules.book
    if not rules.house:
        return book
    worth = _worth(rules)
    instead = dict(zip((line.number for line in rules.table), _in_place_of(rules), strict=True))
    kept = [
        replace(line, value=value, in_place_of=instead[line.number])
        for line in book.lines
        if (value := worth[line.number]) is not None
    ]
    if all(line.key != "flower_set" for line in kept):
        kept = [replace(line, find=WITHOUT_SETS.get(line.key, line.find)) for line in kept]
    empty = next((line for line in kept if book.empty and line.number == book.empty.number), None)
    return replace(book, lines=tuple(kept), empty=empty)


@lru_cache(maxsize=256)
def _by_flowers(rules: SummedRules, context: Context) -> frozenset[int]:
    """What the wins by flowers are worth that the table plays; none under circumstances in which flowers do not win."""
    totals = set[int]()
    for number in _book(rules).play.flower_wins:
        flowers = BONUS_TILES[:number]
        with suppress(InputError):
            score = rules.score(Hand(concealed=(), bonus=flowers, winning_tile=flowers[-1]), context)
            totals |= {score.total} if isinstance(score, Score) else set()
    return frozenset(totals)


def _worth(rules: SummedRules) -> dict[int, int | None]:
    """What each line is worth by its number; None for one that the house takes out of the game."""
    ours = rules.ours()
    return {line.number: ours.get(f"{rules.name}.{line.key}", line.value) for line in rules.table}


def _in_place_of(rules: SummedRules) -> list[frozenset[int]]:
    """For each line the numbers of those that it stands in place of: of the `alternatives` the dearest counts.

    Of equal ones the lowest number counts (S-HKG-4).
    """
    worth, among = _worth(rules), rules.alternatives
    order = sorted(among, key=lambda number: (-(worth[number] or 0), number))
    return [
        line.in_place_of - among | frozenset(order[order.index(line.number) + 1 :] if line.number in among else ())
        for line in rules.table
    ]


def _ways(book: Book, hand: Hand, context: Context) -> list[View] | str:
    """Every way to read a won hand, or the sentence that says why it is no win; raises HandError."""
    by_flowers = context.has(Occasion.FLOWER_WIN) and Occasion.FLOWER_WIN in book.play.meant
    size = book.play.size
    if not by_flowers and (hand.size >= size - 1 or not book.short_is_no_win):
        hand.check_size(size)
    if not by_flowers and hand.size < size:
        return f"'{hand}' has {hand.size} tiles: a complete hand has {size}."
    if context.win_by is None:
        return f"'{hand}' has no win_by: set it to self_draw or discard if it won."
    if by_flowers:
        return [View(hand=hand, context=context)]
    ways = views(hand, context, by_discard=not context.self_drawn, shapes=book.shapes, one_wait=book.one_wait)
    if not ways:
        return f"'{hand}' is no mah-jong: its tiles make no winning hand."
    if hand.winning_tile is None:
        raise HandError("winning_tile_unknown", f"the hand '{hand}' is complete: say which tile it was won with.")
    if context.has(Occasion.ROBBING_CONCEALED_KONG) and ways[0].shape not in book.robs_concealed:
        return f"'{hand}' may not rob a concealed kong in {book.ruleset}."
    return ways


def _without_bonus(hand: Hand) -> Hand:
    """The hand where flowers are not played: a flower completes nothing."""
    won = hand.winning_tile
    return replace(hand, bonus=(), winning_tile=None if won is not None and won.is_bonus else won)


def _not_won(book: Book, hand: Hand, context: Context, message: str, counted: Counted | None = None) -> NotAWin:
    """A hand that is not complete, or with its count one that is worth too little."""
    result = NotAWin(
        ruleset=book.ruleset,
        code=NOT_A_WIN,
        message=message,
        unit=book.unit,
        waits=waits(hand, book.shapes),
        warnings=_warnings(book, hand, context, counted),
    )
    if counted is None:
        return result
    return replace(
        result,
        code=BELOW_MINIMUM,
        total=counted.total,
        lines=score_lines(book, counted),
        excluded=exclusions(book, counted),
        groups=counted.view.tiles,
    )


def _warnings(book: Book, hand: Hand, context: Context, counted: Counted | None = None) -> tuple[str, ...]:
    """Names of what was given and counts for nothing here (S-ALL-5)."""
    meant = book.play.meant
    for occasion, numbers in book.passes.items():
        if counted is not None and context.has(occasion) and numbers.isdisjoint(counted.found):
            meant &= ~occasion
    names = context.without_meaning(meant, book.ignored)
    return (*names, "bonus") if hand.bonus and not book.flowers else names
