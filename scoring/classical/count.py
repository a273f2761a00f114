"""The count of a hand in the classical and the simplified rules: points, times doublings, cut to the limit.

Source: document 000, sections IV, V, VII and VIII; document 001, counting; see scoring/sources.md. A `Book` holds the
tables and options of one of the two rulesets.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from math import prod
from typing import Final

from tilescore.scoring.classical.counted_hand import SHAPES, WONDERS, Tiles, View, losing, shown_groups, waits, winning
from tilescore.scoring.classical.doublings import MISERE, Doubling, Found, misere
from tilescore.scoring.classical.limit_hands import LimitHand
from tilescore.scoring.classical.points import POINT_ROWS, POINTS_OF, counts_as_only, point_lines
from tilescore.scoring.context import Context, Occasion
from tilescore.scoring.hand import Hand
from tilescore.scoring.house import shown
from tilescore.scoring.names import names_of
from tilescore.scoring.plausibility import Play, check_losing_size, check_plausible
from tilescore.scoring.ruleset import LIMIT, POINTS, RuleEntry
from tilescore.scoring.score import NOT_A_WIN, Excluded, NotAWin, Score, ScoreLine
from tilescore.scoring.shapes.winning import Shape

LOSING_HAND: Final = "losing_hand"
OTHER_WAITS: Final = "other_waits"
BY_DISCARD: Final = "by_discard"
_LIMIT_OF: Final = {WONDERS: "thirteen_wonders", Shape.SEVEN_PAIRS: "heavenly_twins"}
"""The limit hands that have a form of their own."""
_FIRST_TURN_HANDS: Final = ("heavenly_bliss", "earthly_bliss")


@dataclass(frozen=True, slots=True, kw_only=True)
class Book:
    """The tables of one ruleset under its options."""

    ruleset: str  # its name, the prefix of its keys
    doublings: tuple[Doubling, ...]  # its doublings, in the order of the document
    limit_hands: tuple[LimitHand, ...]  # its limit hands, in the order of the document
    occasions: Occasion  # occasions that have a meaning in it
    limit: int  # what a limit hand is worth
    cap: bool  # whether the limit also caps every other hand (S-CLA-12, S-SIM-6)
    limit_text: str = "What a limit hand is worth, and the most that any other hand is."  # one sentence about the limit
    points: Mapping[str, int] = field(default_factory=lambda: POINTS_OF)  # points, for each line of points that counts
    limits: Mapping[str, int] = field(default_factory=dict)  # what each limit hand is worth that counts
    shapes: frozenset[Shape] = SHAPES  # the forms of a complete hand

    @property
    def play(self) -> Play:
        """What can be true of a hand under these rules."""
        return Play(meant=self.occasions, bonus_replaced=True, waits=partial(waits, shapes=self.shapes))

    def key(self, name: str) -> str:
        """The full key of a line."""
        return f"{self.ruleset}.{name}"

    def with_house(self, ours: Mapping[str, int | None]) -> Book:
        """The tables with the values of a house, by full keys."""

        def worth(name: str, printed: int) -> int | None:
            return ours.get(self.key(name), printed)

        points = {name: value for name, row in POINTS_OF.items() if (value := worth(name, row)) is not None}
        unspoiled = misere([name for name, value in points.items() if value])
        doublings = [
            replace(unspoiled if doubling.key == MISERE else doubling, factor=factor)
            for doubling in self.doublings
            if (factor := worth(doubling.key, doubling.factor)) is not None
        ]
        limits = {hand.key: worth(hand.key, self.limit) for hand in self.limit_hands}
        return replace(
            self,
            points=points,
            doublings=tuple(doublings),
            limit_hands=tuple(hand for hand in self.limit_hands if limits[hand.key] is not None),
            limits={self.key(name): value for name, value in limits.items() if value is not None},
            shapes=frozenset(shape for shape in SHAPES if limits.get(_LIMIT_OF.get(shape, ""), 0) is not None),
        )

    def worth(self, limit: str) -> int:
        """What a hand is worth at this limit, given by its full key."""
        return self.limits.get(limit, self.limit)


@dataclass(frozen=True, slots=True)
class _Tally:
    book: Book
    view: View
    points: tuple[ScoreLine, ...]
    doublings: tuple[ScoreLine, ...]
    excluded: tuple[Excluded, ...]
    limit_hands: tuple[str, ...]

    @property
    def uncut(self) -> int:
        return sum(line.value * line.count for line in self.points) * prod(map(_factor, self.doublings))

    @property
    def limit(self) -> str | None:
        """Key of the limit hand, or of the limit that cut the hand; None without either."""
        if self.limit_hands:
            return self.limit_hands[0]
        return self.book.key("limit") if self.book.cap and self.uncut > self.book.limit else None

    @property
    def rank(self) -> tuple[int, bool, int]:
        """Order among the views of a hand: the total, then limit hands first, then the total before the cut."""
        total = self.uncut if self.limit is None else self.book.worth(self.limit)
        return total, bool(self.limit_hands), self.uncut

    def score(self, hand: Hand) -> Score:
        """The tally as a score; a limit hand replaces every other line (S-CLA-13)."""
        lines, excluded = (*self.points, *self.doublings), self.excluded
        if self.limit_hands:
            swallowed = (*self.limit_hands[1:], *(line.key for line in lines))
            excluded += tuple(Excluded(key=key, because=self.limit_hands[0]) for key in swallowed)
            lines = ()
        if self.limit is not None:
            lines = (*lines, ScoreLine(key=self.limit, value=self.book.worth(self.limit)))
        won = self.view.shape is not None
        return Score(
            ruleset=self.book.ruleset,
            total=self.rank[0],
            lines=lines,
            win=won,
            excluded=tuple(dict.fromkeys(excluded)),
            limit=self.limit,
            groups=shown_groups(self.view),
            warnings=_warnings(self.view.context, self.book, self.limit_hands),
            waits=() if won else waits(hand, self.book.shapes),
            reason="" if won else f"'{hand}' did not win: its win_by is null.",
        )


def score_hand(hand: Hand, context: Context, book: Book) -> Score | NotAWin:
    """The score of the most valuable view of a hand (S-ALL-1); raises HandError for an impossible hand."""
    hand.check_size()
    check_plausible(hand, context, book.play)
    if context.win_by is None:
        check_losing_size(hand, context)
        return _tally(losing(hand, context), book).score(hand)
    ways = winning(hand, context, book.shapes)
    if not ways:
        return _not_a_win(
            hand, context, book, "one tile is missing" if hand.size < Hand.SIZE else "its tiles make no win"
        )
    if context.has(Occasion.ROBBING_CONCEALED_KONG) and ways[0].shape is not WONDERS:
        return _not_a_win(hand, context, book, "a concealed kong may be robbed for Thirteen Wonders only")
    return max((_tally(way, book) for way in ways), key=lambda tally: tally.rank).score(hand)


def _not_a_win(hand: Hand, context: Context, book: Book, why: str) -> NotAWin:
    return NotAWin(
        ruleset=book.ruleset,
        code=NOT_A_WIN,
        message=f"'{hand}' is no mah-jong: {why}.",
        waits=waits(hand, book.shapes),
        warnings=_warnings(context, book),
    )


def _tally(view: View, book: Book) -> _Tally:
    doublings, excluded = _doublings(view, book)
    return _Tally(
        book,
        view,
        tuple(
            replace(line, key=book.key(line.key), value=book.points[line.key])
            for line in point_lines(view)
            if line.key in book.points
        ),
        doublings,
        (*excluded, *_missed(view, book)),
        _limit_hands(view, book),
    )


def _limit_hands(view: View, book: Book) -> tuple[str, ...]:
    """The full keys of the limit hands that a hand is, the dearest first."""
    if view.shape is None:
        return ()
    keys = [book.key(hand.key) for hand in book.limit_hands if hand.fits(view)]
    return tuple(sorted(keys, key=book.worth, reverse=True))


def _doublings(view: View, book: Book) -> tuple[tuple[ScoreLine, ...], tuple[Excluded, ...]]:
    """The doublings that count, and those that do not, each with its reason."""
    instances = {doubling.key: doubling.find(view) for doubling in book.doublings}
    lines: list[ScoreLine] = []
    excluded: list[Excluded] = []
    for doubling in book.doublings:
        for tiles in instances[doubling.key]:
            because = _stronger(doubling, tiles, instances)
            if doubling.winner_only and view.shape is None:
                because = LOSING_HAND
            if because is not None:
                excluded.append(Excluded(key=book.key(doubling.key), because=book.key(because)))
            else:
                lines.append(_multiplying(book.key(doubling.key), doubling.factor, tiles))
    return tuple(lines), tuple(excluded)


def _stronger(doubling: Doubling, tiles: Tiles, instances: Mapping[str, Found]) -> str | None:
    """Key of a doubling on the same tiles to which this one yields."""
    for key in doubling.yields_to:
        if any(set(tiles) <= set(other) for other in instances.get(key, ())):
            return key
    return None


def _multiplying(key: str, factor: int, tiles: Tiles) -> ScoreLine:
    doubles = factor.bit_length() - 1
    if doubles and factor == 2**doubles:
        return ScoreLine(key=key, doubles=doubles, tiles=tiles)
    return ScoreLine(key=key, factor=factor, tiles=tiles)


def _factor(line: ScoreLine) -> int:
    return line.factor if line.factor is not None else 2**line.doubles


def _missed(view: View, book: Book) -> Iterator[Excluded]:
    """Points, doublings and limit hands that the hand missed by one circumstance."""
    if view.shape is None:
        if view.context.has(Occasion.ONLY_POSSIBLE_TILE):
            yield Excluded(key=book.key("only_possible"), because=book.key(LOSING_HAND))
        return
    if view.wait and not counts_as_only(view):
        yield Excluded(key=book.key("only_possible"), because=book.key(OTHER_WAITS))
    for doubling in book.doublings:
        spoiled = None if doubling.spoiled is None else doubling.spoiled(view)
        if spoiled is not None:
            yield Excluded(key=book.key(doubling.key), because=book.key(spoiled))
    for hand in book.limit_hands:
        if hand.thrown is not None and hand.thrown(view) and not hand.fits(view):
            yield Excluded(key=book.key(hand.key), because=book.key(BY_DISCARD))


def _warnings(context: Context, book: Book, limit_hands: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Names of the given occasions and counters without a meaning in this ruleset (S-ALL-5)."""
    meant = book.occasions
    if not {book.key(name) for name in _FIRST_TURN_HANDS} & set(limit_hands):
        meant &= ~Occasion.FIRST_TURN
    return context.without_meaning(meant)


def rule_entries(book: Book, ours: Mapping[str, int | None]) -> tuple[RuleEntry, ...]:
    """Every line of this book, with the values of the house, in the order of its document."""
    lines: list[tuple[str, str, int, str, str]] = [(row.key, "{}", row.value, row.text, POINTS) for row in POINT_ROWS]
    lines += [(doubling.key, "x{}", doubling.factor, doubling.text, "") for doubling in book.doublings]
    lines += [(hand.key, LIMIT, book.limit, hand.text, LIMIT) for hand in book.limit_hands]
    names = names_of(book.ruleset)
    entries = [
        RuleEntry(
            key=book.key(key),
            value=_shown(form, printed, ours.get(book.key(key), printed)),
            names=names[book.key(key)],
            text=text,
            excludes=tuple(book.key(weak.key) for weak in book.doublings if key in weak.yields_to),
            group=group,
            worth=ours.get(book.key(key), printed),
        )
        for key, form, printed, text, group in lines
    ]
    key = book.key(LIMIT)
    return (*entries, RuleEntry(key=key, value=str(book.limit), names=names[key], text=book.limit_text, group=POINTS))


def _shown(form: str, printed: int, worth: int | None) -> str:
    """A value as a list shows it: a limit under its name, unless the house gives it another value."""
    return shown(worth) if worth is None or (form == LIMIT and worth != printed) else form.format(worth)
