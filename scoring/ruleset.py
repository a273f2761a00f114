"""What a ruleset is, and the rulesets by name."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Hashable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from operator import attrgetter
from typing import Any, ClassVar, Final, NamedTuple

from tilescore.errors import ContextError, HandError, OptionError
from tilescore.scoring.context import Context, Seat
from tilescore.scoring.deal import Deal, Settlement
from tilescore.scoring.hand import Hand
from tilescore.scoring.pasted import meant
from tilescore.scoring.payments import Step
from tilescore.scoring.progression import Ending, Position, east_stays
from tilescore.scoring.score import NotAWin, Score
from tilescore.scoring.shapes.winning import Shape
from tilescore.scoring.traits import KnownValue, KnownWin, Share, Traits

YAKUMAN: Final = "yakuman"
LIMIT: Final = "limit"
FU: Final = "fu"
POINTS: Final = "points"
"""The groups of lines."""
_KINDS: Final = {bool: "true or false", str: "text", int: "a whole number", float: "a number"}
_NO_DOCSTRING: Final = "Python with -OO has no texts of rules: start it without -OO."
_LARGEST: Final = 10**15
"""No number of an option is larger, so that sums of points stay exact (chosen)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleEntry:
    """One fan, yaku, doubling or point line as `tilescore rules` lists it."""

    key: str  # the key its score lines carry
    value: str  # what it is worth, as text (`16`, `x2`, `limit`)
    names: Mapping[str, str]  # language code to name; English always
    text: str = ""  # one English sentence
    # the number of the line in its table, `57A` and `57B` for the two forms of MCR's 57; None without one
    number: str | None = None
    excludes: tuple[str, ...] = ()  # keys of the lines that do not count beside it
    # the group in which a list shows it, if not that of its value: `points`, `fu`, `yakuman` or `limit`
    group: str = ""
    # the number that a house table can change: points, a factor, faan, tai; None where it can change none
    worth: int | None = None

    @property
    def kind(self) -> str:
        """The group in which a list shows it: its points or han, `x2`, or one of those above."""
        return self.group or self.value.partition("/")[0]

    @property
    def alone(self) -> bool:
        """Whether no other line counts beside it."""
        return self.group in (YAKUMAN, LIMIT)


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionEntry:
    """One option of a ruleset."""

    name: str  # what it is called
    # default, value: what it is by default, and now
    default: Any
    value: Any
    text: str  # what it does, one English sentence
    # the words or numbers it may have; empty for booleans, free text and any number in a range
    choices: tuple[str | int, ...] = ()
    # least, most: the range of an option that takes any number
    least: float = 0
    most: float = 0
    overruled: bool = False  # whether a profile sets it, whatever else is given


def text_of(rule: Callable[..., object]) -> str:
    """The sentence of a rule: the first paragraph of the docstring of the function that finds it."""
    return " ".join((rule.__doc__ or _NO_DOCSTRING).partition("\n\n")[0].split())


class Ruleset(ABC):
    """Scores hands and settles deals; a frozen value whose fields are its options.

    Most rulesets have no dora, no fu and no options, and East stays after a draw or an own win.
    """

    __slots__ = ()
    has_indicators: ClassVar[bool] = False
    """Whether a tile turned up in the wall names the dora."""

    @property
    @abstractmethod
    def name(self) -> str:
        """One of RULESETS."""

    @property
    @abstractmethod
    def traits(self) -> Traits:
        """What the game is like under these options."""

    @property
    @abstractmethod
    def shapes(self) -> frozenset[Shape]:
        """The forms of a complete hand."""

    def score(self, hand: Hand, context: Context) -> Score | NotAWin:
        """What the hand is worth; raises InputError for an impossible hand or context."""
        if not isinstance(hand, Hand):
            raise HandError("not_a_hand", f"'hand' must be a Hand, not {hand!r}: Hand.parse makes one of a text.")
        if not isinstance(context, Context):
            raise ContextError("not_a_context", f"'context' must be a Context, not {context!r}.")
        return self.evaluate(hand, context)

    @abstractmethod
    def evaluate(self, hand: Hand, context: Context) -> Score | NotAWin:
        """What `score` says of a hand and a context."""

    def settle(self, deal: Deal) -> Settlement:
        """Values of the hands and payments of the four seats; raises InputError if something needed is missing."""
        if not isinstance(deal, Deal):
            raise ContextError("not_a_deal", f"'deal' must be a Deal, not {deal!r}.")
        return self.settled(deal)

    @abstractmethod
    def settled(self, deal: Deal) -> Settlement:
        """What `settle` says of a deal."""

    @abstractmethod
    def payments_of(self, win: KnownWin) -> tuple[Step, ...]:
        """Payments of a win of which only the value is known; raises ContextError for a value that no hand has."""

    @abstractmethod
    def rules(self) -> tuple[RuleEntry, ...]:
        """Every line that can appear in a score, in rule-book order."""

    def options(self) -> tuple[OptionEntry, ...]:
        """Every option with its default."""
        return ()

    def shares_of(self, deal: Deal, *, deposits: int, ready: Collection[Seat]) -> Mapping[Seat, Share]:  # noqa: ARG002  (for the heirs)
        """The winners who are paid, in turn after the discarder, with counters and sticks: the first takes them all.

        Somebody won the deal. The seats in `ready` laid a stick in it. Raises ContextError for more than can win.
        """
        first, *others = deal.winners_in_turn
        if others and self.traits.most_winners == 1:
            seats = " and ".join((first, *others))
            raise ContextError("one_winner", f"only one player wins in {self.name}, not {seats}: name that one.")
        alone = Share(takes_honba=True, sticks=deposits)
        return {first: alone, **dict.fromkeys(others, Share(takes_honba=False, sticks=0))}

    def fu_of(self, han: int, *, self_drawn: bool) -> tuple[int, ...]:  # noqa: ARG002  (for the heirs)
        """The fu that a hand of so many han can have; none where they change nothing."""
        return ()

    def may_be_fed(self, won: Hand | KnownValue) -> bool:  # noqa: ARG002  (for the heirs)
        """Whether the sets or the value of a winning hand are such that another player may have to pay for it."""
        return False

    def asks_ready(self, hand: Hand) -> bool:  # noqa: ARG002  (for the heirs)
        """Whether the payments of a win depend on whether the discarder had declared a ready hand."""
        return False

    def sticks_of(self, deal: Deal, laid: tuple[Seat, ...]) -> tuple[Seat, ...]:  # noqa: ARG002  (for the heirs)
        """The seats that laid a stick: those named and those whose hand says so.

        Raises ContextError if a named seat has a hand that cannot lay one.
        """
        return laid

    def next_position(self, position: Position, ending: Ending) -> Position:
        """The position of a game after that deal, and whether the game is over."""
        return east_stays(position, ending)


def own_options(rules: Ruleset) -> dict[str, Any]:
    """The options that differ from the defaults, those left out that a profile sets.

    >>> own_options(ruleset("hongkong", {"limit": 13, "minimum": 3}))
    {'limit': 13}
    """
    return {
        entry.name: entry.value for entry in rules.options() if entry.value != entry.default and not entry.overruled
    }


class Entry(NamedTuple):
    """Where a ruleset is, and what else people call it."""

    place: str  # its module, and what makes the ruleset from its options
    also: str = ""  # other names, with spaces between them


RULESETS: Final[dict[str, Entry]] = {
    "mcr": Entry("tilescore.scoring.mcr.ruleset:Mcr", "guobiao gb official chinese 国标 國標"),
    "riichi": Entry("tilescore.scoring.han.riichi:Riichi.of", "japanese 日麻 立直"),
    "classical": Entry("tilescore.scoring.classical.classical:Classical", "classic chineseclassical"),
    "simplified": Entry("tilescore.scoring.classical.classical:Simplified"),
    "hongkong": Entry("tilescore.scoring.faan.hongkong:Hongkong", "hk hkos cantonese 香港"),
    "taiwan": Entry("tilescore.scoring.faan.taiwan:Taiwan", "taiwanese tw 台湾 台灣"),
    "riichi3": Entry("tilescore.scoring.riichi3.ruleset:Riichi3.of", "sanma 三麻"),
}
"""The rulesets by name, in the order of all lists; a line here adds a ruleset everywhere."""


def first_ruleset() -> str:
    """The name of the ruleset that a person has who chose none."""
    return next(iter(RULESETS))


def ruleset(name: str, options: Mapping[str, Any] | None = None) -> Ruleset:
    """The ruleset of that name, in capitals or not, with these options; raises OptionError naming what is unknown."""
    if not isinstance(name, str):
        message = f"a ruleset is named by text, not by {name!r}: choose one of {', '.join(RULESETS)}."
        raise OptionError("unknown_ruleset", message)
    if not isinstance(options or {}, Mapping):
        raise OptionError("options_not_mapping", f"options must be a dict of names and values, not {options!r}.")
    given, name = name, name.strip().lower()
    if name not in RULESETS:
        also = {word: key for key, entry in RULESETS.items() for word in entry.also.split()}
        raise OptionError(
            "unknown_ruleset",
            f"'{given}' is no ruleset: choose one of {', '.join(RULESETS)}{meant(given, RULESETS, also)}.",
            ruleset=given,
        )
    chosen = {str(key): value for key, value in (options or {}).items()}
    known = all(isinstance(value, Hashable) for value in chosen.values())
    return (_made if known else _made.__wrapped__)(RULESETS[name].place, name, **chosen)


@lru_cache(maxsize=256, typed=True)  # a page asks for the rules of its game again and again
def _made(place: str, name: str, /, **options: Any) -> Ruleset:
    """The ruleset that lies there; raises OptionError naming what is unknown."""
    module, _, path = place.partition(":")
    factory: Callable[..., Ruleset] = attrgetter(path)(import_module(module))
    entries = {entry.name: entry for entry in factory().options()}
    for key, value in options.items():
        if key not in entries:
            raise OptionError(
                "unknown_option",
                f"'{key}' is no option of {name}: it has {', '.join(entries) or 'none'}{meant(key, entries)}.",
                option=key,
            )
        default = entries[key].default
        if isinstance(value, int | float) and not abs(value) <= _LARGEST:  # smaller bounds are the options' own
            raise OptionError(
                "bad_option_value", f"option '{key}' of {name} must be below {_LARGEST}, not {value!r}.", option=key
            )
        whole = isinstance(default, float) and isinstance(value, int)  # a number that may have a fraction
        if not (isinstance(value, type(default)) or whole) or isinstance(value, bool) != isinstance(default, bool):
            raise OptionError(
                "bad_option_value",
                f"option '{key}' of {name} must be {_KINDS[type(default)]}, not {value!r}: {entries[key].text}",
                option=key,
            )
    return factory(**options)
