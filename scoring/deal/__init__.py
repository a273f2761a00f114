"""How one deal ended, and what follows from it: values and payments."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from tilescore.errors import ContextError
from tilescore.scoring.context import Context, Seat
from tilescore.scoring.hand import Hand
from tilescore.scoring.pasted import meant
from tilescore.scoring.payments import Payments

MOST_NUMBER: Final = 1_000_000_000
"""No number of points given by a person is larger (chosen)."""
FALSE_MAHJONG: Final = "false_mahjong"
"""The foul that all rulesets have: a win that is none."""
EXHAUSTED: Final = "exhausted"
"""The draw that all rulesets have: nobody won."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal:
    """How one deal ended."""

    winner: Seat | None = None  # None for a draw or a foul
    also_won: tuple[Seat, ...] = ()  # further winners on the same discard (riichi, hongkong, taiwan)
    discarder: Seat | None = None  # who fed the winner; None for a self-draw
    hands: Mapping[Seat, tuple[Hand, Context]]  # hand and context of each seat whose hand is known
    draw: str | None = None  # kind of draw (`exhausted`, …), else None
    # seats that were ready at a draw, or that had declared a ready hand before the win (classical)
    ready: tuple[Seat, ...] = ()
    nagashi: tuple[Seat, ...] = ()  # seats that made nagashi mangan at a draw (riichi)
    # for a winner, the player who fed the last set of a big hand and pays for it (riichi, hongkong, taiwan)
    liable: Mapping[Seat, Seat] = field(default_factory=dict)
    # foul_by, foul_kind: who broke which rule, else None
    foul_by: Seat | None = None
    foul_kind: str | None = None
    pays_for_all: bool | None = None  # whether the discarder pays for all; None lets the classical penalties decide

    @property
    def winners(self) -> tuple[Seat, ...]:
        """The winners as given; none after a draw or a foul."""
        return () if self.winner is None else (self.winner, *self.also_won)

    @property
    def seats(self) -> frozenset[Seat]:
        """Every seat that the deal names."""
        others = (*self.liable.items(), (self.discarder, self.foul_by))
        named = (*self.winners, *self.hands, *self.ready, *self.nagashi, *(seat for pair in others for seat in pair))
        return frozenset(seat for seat in named if seat is not None)

    @property
    def winners_in_turn(self) -> tuple[Seat, ...]:
        """The winners in turn order after the discarder."""
        first = self.discarder
        return self.winners if first is None else tuple(sorted(self.winners, key=first.steps_to))

    def without_meaning(self, at_win: tuple[str, ...], at_draw: tuple[str, ...]) -> tuple[str, ...]:
        """Keys that the deal gives and that change nothing: a win reads `at_win`, an exhaustive draw `at_draw`.

        >>> Deal(hands={}, draw="exhausted", pays_for_all=True).without_meaning(at_win=("pays_for_all",), at_draw=())
        ('pays_for_all',)
        """
        at_end = at_draw if self.draw == EXHAUSTED else ()
        meant = ("discarder", *at_win) if self.winners else at_end
        given = {
            "discarder": self.discarder is not None,
            "ready": bool(self.ready),
            "nagashi_mangan": bool(self.nagashi),
            "liable": bool(self.liable),
            "pays_for_all": self.pays_for_all is not None,
        }
        stray = {"liable"} if self.liable.keys() - {*self.winners} else set[str]()
        if self.discarder is None:
            stray.add("pays_for_all")
        return tuple(key for key, stands in given.items() if stands and (key not in meant or key in stray))

    def check_draw(self, ruleset: str, further: tuple[str, ...] = ()) -> None:
        """Raise ContextError unless the draw is the exhausted one or of these further kinds."""
        kinds = (EXHAUSTED, *further)
        if self.draw not in kinds:
            raise ContextError("unknown_draw", _no_ending("draw", self.draw, ruleset, kinds), kind=self.draw)

    def check_foul(self, ruleset: str) -> None:
        """Raise ContextError unless the foul is a false mah-jong."""
        if self.foul_kind != FALSE_MAHJONG:
            message = _no_ending("foul", self.foul_kind, ruleset, (FALSE_MAHJONG,))
            raise ContextError("unknown_foul", message, kind=self.foul_kind)


def _no_ending(what: str, kind: str | None, ruleset: str, kinds: tuple[str, ...]) -> str:
    problem = f"'{kind}' is no {what} in {ruleset}" if kind else f"a {what} needs its 'kind'"
    return f"{problem}: {ruleset} knows {', '.join(kinds)}{meant(kind, kinds)}."


@dataclass(frozen=True, slots=True, kw_only=True)
class Settlement:
    """What a deal's hands are worth, and who pays whom."""

    values: Mapping[Seat, int]
    payments: Payments
