"""The riichi ruleset (リーチ麻雀): document 004, SPEC D."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from scoring.context import Occasion, WinBy
from scoring.decompose import Shape, decompositions
from scoring.errors import ContextError, HandError, OptionError
from scoring.names import names_of
from scoring.payments import Payments
from scoring.riichi.counted import Counted
from scoring.riichi.engine import Switches, check_set, estimate
from scoring.riichi.exclusions import exclusions_of
from scoring.riichi.fu import FU_TEXTS
from scoring.riichi.lines import lines_of, split_of, yaku_table
from scoring.riichi.not_won import SHAPES, no_nagashi, no_yaku, not_complete, not_robbed, not_won
from scoring.riichi.points import (
    DEALER,
    MANGAN,
    YAKUMAN_HAN,
    deposit_steps,
    price_of,
    price_of_yakuman,
    win_steps,
)
from scoring.riichi.settlement import settle
from scoring.riichi.situation import PREFIX, RIICHI, situation_of, warnings_of
from scoring.ruleset import Deal, OptionEntry, RuleEntry, Settlement
from scoring.score import NotAWin, Score, ScoreLine

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scoring.context import Context, Seat
    from scoring.decompose import Decomposition
    from scoring.hand import Hand
    from scoring.riichi.engine import Estimate
    from scoring.riichi.points import Price
    from scoring.riichi.situation import Situation

_CHOICES: Final = {
    "kazoe": ("yakuman", "sanbaiman"),
    "renhou": ("mangan", "yakuman", "none"),
    "multiple_ron": ("all", "three_abort", "head_bump"),
    "chombo": ("mangan", "none"),
    "profile": ("document", "ema", "tenhou"),
    "length": ("hanchan", "east"),
}
_PROFILES: Final[Mapping[str, Mapping[str, object]]] = {
    "document": {},
    "ema": {"nagashi_mangan": False, "red_fives": False, "abortive_draws": False},
    "tenhou": {"renhou": "none", "multiple_ron": "three_abort"},
}
_OPTION_TEXTS: Final = {
    "open_tanyao": "Tanyao counts in open hands.",
    "red_fives": "Red fives are worth 1 han each.",
    "kiriage": "4 han 30 fu and 3 han 60 fu are rounded up to a mangan.",
    "kazoe": "What 13 and more han of ordinary yaku are: yakuman or sanbaiman.",
    "double_yakuman": "Daisuushii, suuankou on the pair, kokushi musou and chuuren poutou on all waits: two yakuman.",
    "renhou": "What renhou is worth: mangan (5 han), yakuman, or none.",
    "nagashi_mangan": "Nagashi mangan is paid.",
    "multiple_ron": "Several rons on one discard: all win, three abort (three_abort), or the nearest wins (head_bump).",
    "abortive_draws": "A deal may be broken off: nine terminals and honours, four winds, four riichi, four kongs.",
    "chombo": "What a false mah-jong pays: a mangan the other way round, or none.",
    "profile": "A set of the options above that overrules them: document (none), ema, tenhou.",
    "length": "A game of East and South rounds (hanchan) or of the East round only.",
    "bankruptcy_ends": "The game ends when somebody is below 0.",
    "uma": "Thousands added to the final standings from first to last, such as '15,5,-5,-15'; empty for none.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Riichi:
    """Yaku and fu, limits, dora, four seats; its options are those that SPEC D names.

    >>> from scoring.context import Context, Seat, WinBy
    >>> from scoring.hand import Hand
    >>> won = Context(win_by=WinBy.DISCARD, discarder=Seat.WEST, seat=Seat.SOUTH)
    >>> score = Riichi().score(Hand.parse("234m345678p66s678s +8s"), won)
    >>> [line.key for line in score.lines], score.fu, score.total
    (['riichi.pinfu', 'riichi.tanyao'], 30, 2000)

    Attributes:
        open_tanyao, red_fives, kiriage, kazoe, double_yakuman, renhou, nagashi_mangan: what counts.
        multiple_ron, abortive_draws, chombo: how a deal may end.
        profile: `document`, or `ema` or `tenhou`, which overrule some of the above.
        length, bankruptcy_ends, uma: of a game (`scoring.ledger`).
    """

    open_tanyao: bool = True
    red_fives: bool = True
    kiriage: bool = False
    kazoe: str = "yakuman"
    double_yakuman: bool = False
    renhou: str = "mangan"
    nagashi_mangan: bool = True
    multiple_ron: str = "all"
    abortive_draws: bool = True
    chombo: str = "mangan"
    profile: str = "document"
    length: str = "hanchan"
    bankruptcy_ends: bool = True
    uma: str = ""

    def __post_init__(self) -> None:
        for name, choices in _CHOICES.items():
            if getattr(self, name) not in choices:
                raise OptionError(
                    "bad_option_value",
                    f"option '{name}' of riichi must be one of {', '.join(choices)}, not '{getattr(self, name)}'.",
                    option=name,
                )
        for name, value in _PROFILES[self.profile].items():
            object.__setattr__(self, name, value)
        _ = self.uma_points

    @property
    def name(self) -> str:
        """`riichi`."""
        return RIICHI

    @property
    def uma_points(self) -> tuple[int, ...]:
        """Points by rank, first to last, of the option `uma`; raises OptionError."""
        try:
            points: tuple[int, ...] = (
                tuple(1000 * int(part) for part in self.uma.split(",")) if self.uma else (0, 0, 0, 0)
            )
        except ValueError:
            points = ()
        if len(points) != 4 or sum(points) != 0:
            raise OptionError(
                "bad_option_value",
                f"option 'uma' must be four numbers that add up to 0, such as '15,5,-5,-15', not '{self.uma}'.",
                option="uma",
            )
        return points

    def score(self, hand: Hand, context: Context) -> Score | NotAWin:
        """Yaku, han, fu, points and payments; raises InputError for a hand or context that cannot be."""
        if Occasion.NAGASHI_MANGAN in context.occasions:
            return self._nagashi(hand, context)
        hand.check_size()
        situation = situation_of(hand, context, renhou=self.renhou != "none")
        tile = hand.winning_tile
        if context.win_by is None or tile is None or hand.size == 13:
            return self._not_won(hand, context, situation)
        found = estimate(hand, tile, context, situation, _switches_of(self))
        if found is None:
            return self._not_won(hand, context, situation)
        splits = found.splits or _splits(hand, context)
        if Occasion.ROBBING_CONCEALED_KONG in context.occasions and splits[0].shape is not Shape.THIRTEEN_ORPHANS:
            return not_robbed(hand, context)
        split, fu_lines = split_of(found, splits, tile, situation)
        counted = Counted(
            hand=hand,
            context=context,
            situation=situation,
            split=split,
            keys=frozenset([key for key, _ in found.yaku]),
            fu_lines=fu_lines,
            yakuman=found.yakuman,
            switches=_switches_of(self),
        )
        return self._score(counted, found)

    def settle(self, deal: Deal) -> Settlement:
        """Who pays whom after a win, several rons, a draw or a chombo; raises InputError."""
        return settle(self, deal)

    def rules(self) -> tuple[RuleEntry, ...]:
        """Every yaku, then the dora, then the fu items, in the order of the document."""
        names = names_of(RIICHI)
        yaku = [
            RuleEntry(key=PREFIX + row.key, value=row.value, names=names[PREFIX + row.key], text=row.text)
            for row in yaku_table().values()
        ]
        fu = [
            RuleEntry(key=f"{PREFIX}fu.{key}", value=f"{value} fu", names=names[f"{PREFIX}fu.{key}"], text=text)
            for key, (value, text) in FU_TEXTS.items()
        ]
        return (*yaku, *fu)

    def options(self) -> tuple[OptionEntry, ...]:
        """Every switch with its default."""
        return tuple(
            OptionEntry(
                name=entry.name,
                default=entry.default,
                text=_OPTION_TEXTS[entry.name],
                choices=_CHOICES.get(entry.name, ()),
            )
            for entry in fields(Riichi)
        )

    def _not_won(self, hand: Hand, context: Context, situation: Situation) -> NotAWin:
        check_set(hand, context)
        splits = _splits(hand, context)
        if not splits:
            return not_complete(hand, context)
        if context.win_by is None:
            return not_won(hand, context)
        if hand.winning_tile is None:
            raise HandError(
                "winning_tile_unknown", "riichi needs the winning tile: fu and yaku depend on it; say which it was."
            )
        return no_yaku(hand, hand.winning_tile, context, situation, splits, switches=_switches_of(self))

    def _score(self, counted: Counted, found: Estimate) -> Score:
        context = counted.context
        if found.yakuman:
            price = price_of_yakuman(found.han // YAKUMAN_HAN)
        else:
            price = price_of(found.han, found.fu, kiriage=self.kiriage, kazoe=self.kazoe)
        return Score(
            ruleset=RIICHI,
            total=price.total(dealer=context.seat is DEALER, self_drawn=context.self_drawn),
            unit="han",
            lines=lines_of(found, counted),
            fu_lines=counted.fu_lines,
            excluded=exclusions_of(counted),
            han=found.han,
            fu=found.fu,
            limit=price.limit,
            payments=payments_of(price, context),
            groups=tuple([group.tiles for group in counted.split.groups]),
            warnings=counted.situation.warnings,
        )

    def _nagashi(self, hand: Hand, context: Context) -> Score | NotAWin:
        """A mangan as by self-draw, whatever the hand; being a draw, it leaves honba and deposits on the table."""
        if context.win_by is WinBy.DISCARD:
            raise ContextError(
                "occasion_contradicts_win", "nagashi_mangan counts as a self-draw: set win_by to self_draw or null."
            )
        if not self.nagashi_mangan:
            return no_nagashi(hand, context)
        return Score(
            ruleset=RIICHI,
            total=MANGAN.total(dealer=context.seat is DEALER, self_drawn=True),
            unit="han",
            lines=(ScoreLine(key=PREFIX + "nagashi_mangan", value=5),),
            han=5,
            limit=MANGAN.limit,
            payments=Payments.of(win_steps(MANGAN, context.seat, None, 0)),
            warnings=warnings_of(hand, context),
        )


def payments_of(price: Price, context: Context) -> Payments | None:
    """Who pays a win, honba and deposits included; None if a discard won and the discarder is unknown."""
    if context.win_by is WinBy.DISCARD and context.discarder is None:
        return None
    return _payments(price, context.seat, context.discarder, context.honba, context.riichi_deposits)


@lru_cache(maxsize=4096)
def _payments(price: Price, winner: Seat, discarder: Seat | None, honba: int, deposits: int) -> Payments:
    return Payments.of((*win_steps(price, winner, discarder, honba), *deposit_steps(winner, deposits)))


def _splits(hand: Hand, context: Context) -> tuple[Decomposition, ...]:
    return decompositions(hand, by_discard=context.win_by is WinBy.DISCARD, shapes=SHAPES)


@lru_cache(maxsize=64)
def _switches_of(rules: Riichi) -> Switches:
    return Switches(
        open_tanyao=rules.open_tanyao,
        red_fives=rules.red_fives,
        double_yakuman=rules.double_yakuman,
        kiriage=rules.kiriage,
        kazoe=rules.kazoe,
        renhou=rules.renhou,
    )
