"""The protocol of a ruleset, and the rulesets by name."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from importlib import import_module
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, Protocol

from tilescore.base.errors import ContextError, OptionError
from tilescore.scoring.context import SEATS
from tilescore.scoring.pasted import meant

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tilescore.scoring.context import Context, Seat
    from tilescore.scoring.hand import Hand
    from tilescore.scoring.payments import Payments
    from tilescore.scoring.score import NotAWin, Score
    from tilescore.scoring.shapes.winning import Shape

RULESET_NAMES: Final = ("mcr", "riichi", "classical", "simplified")
"""The rulesets that the app offers; `ALL_RULESETS` has further ones."""
_THREE_PLAYERS: Final = frozenset(("riichi3",))
"""The rulesets with three players; the others have four."""
_LARGEST: Final = 10**15
"""No number of an option is larger, so that sums of points stay exact (chosen)."""
MOST_NUMBER: Final = 1_000_000_000
"""No number of points given by a person is larger (chosen)."""
FALSE_MAHJONG: Final = "false_mahjong"
"""The foul that all rulesets have: a win that is none."""
EXHAUSTED: Final = "exhausted"
"""The draw that all rulesets have: nobody won."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleEntry:
    """One fan, yaku, doubling or point line as `tilescore rules` lists it.

    Attributes:
        key: the key its score lines carry.
        value: what it is worth, as text (`16`, `x2`, `limit`).
        names: language code to name; English always.
        text: one English sentence.
        number: the number of the line in its table, `57A` and `57B` for the two forms of MCR's 57; None without one.
    """

    key: str
    value: str
    names: Mapping[str, str]
    text: str = ""
    number: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionEntry:
    """One option of a ruleset.

    Attributes:
        name: what it is called.
        default, value: its default and present value.
        text: what it does, one English sentence.
        choices: the words or numbers it may have; empty for booleans, free text and any number in a range.
        overruled: whether a profile sets it, whatever else is given.
    """

    name: str
    default: Any
    value: Any
    text: str
    choices: tuple[str | int, ...] = ()
    overruled: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal:
    """How one deal ended.

    Attributes:
        winner: None for a draw or a foul.
        also_won: further winners on the same discard (riichi, hongkong, taiwan).
        discarder: who fed the winner; None for a self-draw.
        hands: hand and context of each seat whose hand is known.
        draw: kind of draw (`exhausted`, …), else None.
        ready: seats that were ready at a draw, or that had declared a ready hand before the win (classical).
        nagashi: seats that made nagashi mangan at a draw (riichi).
        liable: for a winner, the player who fed the last set of a big hand and pays for it (riichi, hongkong, taiwan).
        foul_by, foul_kind: who broke which rule, else None.
        pays_for_all: whether the discarder pays for all; None lets the classical penalties decide.
    """

    winner: Seat | None = None
    also_won: tuple[Seat, ...] = ()
    discarder: Seat | None = None
    hands: Mapping[Seat, tuple[Hand, Context]]
    draw: str | None = None
    ready: tuple[Seat, ...] = ()
    nagashi: tuple[Seat, ...] = ()
    liable: Mapping[Seat, Seat] = field(default_factory=dict)
    foul_by: Seat | None = None
    foul_kind: str | None = None
    pays_for_all: bool | None = None

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

    def check_draw(self, ruleset: str, further: tuple[str, ...] = ()) -> None:
        """Raise ContextError unless the draw is the exhausted one or of these further kinds."""
        known = (EXHAUSTED, *further)
        if self.draw not in known:
            raise ContextError("unknown_draw", _no_ending("draw", self.draw, ruleset, known), kind=self.draw)

    def check_foul(self, ruleset: str, known: tuple[str, ...] = (FALSE_MAHJONG,)) -> None:
        """Raise ContextError unless the foul is of one of these kinds."""
        if self.foul_kind not in known:
            raise ContextError("unknown_foul", _no_ending("foul", self.foul_kind, ruleset, known), kind=self.foul_kind)


def _no_ending(what: str, kind: str | None, ruleset: str, known: tuple[str, ...]) -> str:
    found = f"'{kind}' is no {what} in {ruleset}" if kind else f"a {what} needs its 'kind'"
    return f"{found}: {ruleset} knows {', '.join(known)}{meant(kind, known)}."


@dataclass(frozen=True, slots=True, kw_only=True)
class Settlement:
    """What a deal's hands are worth, and who pays whom."""

    values: Mapping[Seat, int]
    payments: Payments


class Ruleset(Hashable, Protocol):
    """Scores hands and settles deals; a frozen value whose fields are its options."""

    @property
    def name(self) -> str:
        """One of ALL_RULESETS."""
        ...

    @property
    def shapes(self) -> frozenset[Shape]:
        """The forms of a complete hand."""
        ...

    @property
    def has_indicators(self) -> bool:
        """Whether a tile turned up in the wall names the dora."""
        ...

    def score(self, hand: Hand, context: Context) -> Score | NotAWin:
        """What the hand is worth; raises InputError for an impossible hand or context."""
        ...

    def settle(self, deal: Deal) -> Settlement:
        """Values of the hands and payments of the four seats; raises InputError if something needed is missing."""
        ...

    def rules(self) -> tuple[RuleEntry, ...]:
        """Every line that can appear in a score, in rule-book order."""
        ...

    def options(self) -> tuple[OptionEntry, ...]:
        """Every option with its default."""
        ...


def seats_of(rules: Ruleset) -> tuple[Seat, ...]:
    """The seats of the players in turn order: E S W with three players, E S W N with four.

    >>> len(seats_of(ruleset("riichi3"))), len(seats_of(ruleset("riichi")))
    (3, 4)
    """
    return SEATS[:3] if rules.name in _THREE_PLAYERS else SEATS


def chosen(rules: Ruleset, option: str, otherwise: Any) -> Any:
    """The value of this option; `otherwise` if the ruleset has no such option.

    >>> chosen(ruleset("riichi"), "length", None), chosen(ruleset("mcr"), "length", "16 deals")
    ('hanchan', '16 deals')
    """
    return next((entry.value for entry in rules.options() if entry.name == option), otherwise)


_PLACES: Final = {
    "mcr": ("tilescore.scoring.mcr.ruleset", "Mcr"),
    "riichi": ("tilescore.scoring.riichi.ruleset", "Riichi.of"),
    "classical": ("tilescore.scoring.classical.classical", "Classical"),
    "simplified": ("tilescore.scoring.classical.simplified", "Simplified"),
    "hongkong": ("tilescore.scoring.faan.hongkong", "Hongkong"),
    "taiwan": ("tilescore.scoring.faan.taiwan", "Taiwan"),
    "riichi3": ("tilescore.scoring.riichi3.ruleset", "Riichi3.of"),
}
ALL_RULESETS: Final = tuple(_PLACES)
"""The names of the rulesets: those of the app, then those of the command line alone."""


def ruleset(name: str, options: Mapping[str, Any] | None = None) -> Ruleset:
    """The ruleset of that name, in capitals or not, with these options; raises OptionError naming what is unknown."""
    given, name = name, name.strip().lower()
    if name not in _PLACES:
        raise OptionError(
            "unknown_ruleset",
            f"'{given}' is no ruleset: choose one of {', '.join(ALL_RULESETS)}{meant(given, ALL_RULESETS)}.",
            ruleset=given,
        )
    module, path = _PLACES[name]
    factory: Callable[..., Ruleset] = attrgetter(path)(import_module(module))
    known = {entry.name: entry for entry in factory().options()}
    for key, value in (options or {}).items():
        if key not in known:
            raise OptionError(
                "unknown_option",
                f"'{key}' is no option of {name}: it has {', '.join(known) or 'none'}{meant(key, known)}.",
                option=key,
            )
        default = known[key].default
        if isinstance(value, int | float) and not abs(value) <= _LARGEST:  # smaller bounds are the options' own
            raise OptionError(
                "bad_option_value",
                f"option '{key}' of {name} must be below {_LARGEST}, not {value!r}.",
                option=key,
            )
        if not isinstance(value, type(default)) or isinstance(value, bool) != isinstance(default, bool):
            raise OptionError(
                "bad_option_value",
                f"option '{key}' of {name} must be like {default!r}, not {value!r}.",
                option=key,
            )
    return factory(**(options or {}))
