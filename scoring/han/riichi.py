"""The riichi ruleset (リーチ麻雀): document 004, decisions S-RII (scoring/sources.md)."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, ClassVar, Final

from tilescore.errors import ContextError, HandError
from tilescore.scoring.context import Context, Seat, WinBy
from tilescore.scoring.deal import Deal, Settlement
from tilescore.scoring.han.rules import HanRules
from tilescore.scoring.han.settlement import settle
from tilescore.scoring.hand import Hand
from tilescore.scoring.names import names_of
from tilescore.scoring.options import option, option_entries
from tilescore.scoring.payments import Payments, deposit_steps
from tilescore.scoring.plausibility import Play, check_plausible
from tilescore.scoring.riichi.count import YAKU, Counted, best_count, check_set
from tilescore.scoring.riichi.exclusions import exclusions_of
from tilescore.scoring.riichi.fu import FU_TEXTS, fu_entries, fu_lines
from tilescore.scoring.riichi.not_won import furiten, no_nagashi, no_yaku, not_complete, not_robbed, not_won, waits_of
from tilescore.scoring.riichi.options import PROFILES, Counting, Endings, MatchOptions
from tilescore.scoring.riichi.options import profile as profile_options
from tilescore.scoring.riichi.points import MANGAN, MANGAN_HAN, STICK, YAKUMAN_HAN, Price, Table, win_steps
from tilescore.scoring.riichi.situation import (
    MEANT,
    MEANT_BY_THREE,
    PREFIX,
    RIICHI,
    Situation,
    excluded,
    row_under,
    situation_of,
    warnings_of,
)
from tilescore.scoring.riichi.view import SHAPES, View, views_of
from tilescore.scoring.ruleset import YAKUMAN, OptionEntry, RuleEntry
from tilescore.scoring.score import NotAWin, Score, ScoreLine
from tilescore.scoring.shapes.winning import Shape

_PLAYS: Final = {
    (three_players, nagashi_open): Play(
        meant=MEANT | MEANT_BY_THREE if three_players else MEANT,
        indicators=True,
        nagashi_open=nagashi_open,
        norths_aside=three_players,
        ura_alone=three_players,
        waits=waits_of,
    )
    for three_players in (False, True)
    for nagashi_open in (False, True)
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Riichi(HanRules):
    """Yaku and fu, limits, dora, four seats.

    >>> from tilescore.scoring.context import Context, Seat, WinBy
    >>> from tilescore.scoring.hand import Hand
    >>> won = Context(win_by=WinBy.DISCARD, discarder=Seat.WEST, seat=Seat.SOUTH)
    >>> score = Riichi().score(Hand.parse("234m345678p66s678s +8s"), won)
    >>> [line.key for line in score.lines], score.fu, score.total
    (['riichi.pinfu', 'riichi.tanyao'], 30, 2000)
    """

    name: ClassVar[str] = RIICHI
    shapes: ClassVar[frozenset[Shape]] = SHAPES
    """Four sets and a pair, seven different pairs, thirteen orphans."""
    # counting, endings, match: its options; `of` takes them by name
    counting: Counting = field(default_factory=Counting)
    endings: Endings = field(default_factory=Endings)
    match: MatchOptions = field(default_factory=MatchOptions)
    # `document`, or one of those that overrule other options (S-RII-28)
    profile: str = option(
        PROFILES[0],
        "A set of the other options that overrules them: document (none), ema, wrc, mleague, tenhou, mahjong_soul.",
        among=PROFILES,
    )

    @staticmethod
    def of(**options: Any) -> Riichi:
        """The ruleset with these options, as far as its profile does not overrule them; raises OptionError.

        >>> Riichi.of(kiriage=True, profile="ema").counting.red_fives
        False
        """
        profile = options.get("profile", PROFILES[0])
        chosen = {**options, **profile_options(profile)}
        return Riichi(
            counting=Counting.of(chosen), endings=Endings.of(chosen), match=MatchOptions.of(chosen), profile=profile
        )

    def evaluate(self, hand: Hand, context: Context) -> Score | NotAWin:
        """Yaku, han, fu, points and payments; raises InputError for an impossible hand or context."""
        check_plausible(hand, context, _PLAYS[self.counting.three_players, self.endings.nagashi_open])
        situation = situation_of(hand, context, self.counting)
        if situation.nagashi:
            return self._nagashi(hand, context)
        hand.check_size()
        if context.win_by is None or hand.winning_tile is None or hand.size < Hand.SIZE:
            return self._not_won(hand, context, situation)
        counted = best_count(hand, context, situation)
        if counted is None and not (situation.renhou_mangan and views_of(hand, situation)):
            return self._not_won(hand, context, situation)
        if context.discards:
            check_set(hand, context)
            barred = furiten(hand, context)
            if barred is not None:
                return barred
        if counted is None:
            return self._renhou(context, situation)
        return self._won(counted)

    def settled(self, deal: Deal) -> Settlement:
        """Who pays whom after a win, several rons, a draw or a chombo; raises InputError."""
        return settle(self, deal)

    def rules(self) -> tuple[RuleEntry, ...]:
        """Every yaku, then the dora, then the fu items, in the order of document 004."""
        names, counted = names_of(RIICHI), [row_under(self.counting, row) for row in YAKU.values()]
        yaku = [
            RuleEntry(
                key=PREFIX + row.key,
                value=row.value,
                names=names[PREFIX + row.key],
                text=row.text,
                excludes=tuple(PREFIX + key for key in row.replaces),
                group=YAKUMAN if row.is_yakuman else "",
            )
            for row in counted
        ]
        return (*yaku, *fu_entries(PREFIX, FU_TEXTS, self.counting))

    def options(self) -> tuple[OptionEntry, ...]:
        """Every option with its default."""
        return option_entries(self, self.counting, self.endings, self.match, overruled=profile_options(self.profile))

    def _not_won(self, hand: Hand, context: Context, situation: Situation) -> NotAWin:
        check_set(hand, context)
        views = views_of(hand, situation, pair_last=True)
        if not views:
            return not_complete(hand, context)
        if context.win_by is None:
            return not_won(hand, context)
        if hand.winning_tile is None:
            raise HandError(
                "winning_tile_unknown", "riichi needs the winning tile: fu and yaku depend on it; say which it was."
            )
        return no_yaku(hand, context, situation, views)

    def _won(self, counted: Counted) -> Score | NotAWin:
        context, view, price = counted.context, counted.view, counted.price
        situation = view.context
        if situation.robbed_concealed and not self._may_rob(view):
            return not_robbed(view.hand, context, agreed=self.endings.kokushi_robs_concealed_kong)
        if situation.renhou_mangan and price.base < MANGAN.base:
            return self._renhou(context, situation, counted)
        dearer = (excluded("renhou", "because.dearer"),) if situation.renhou_mangan else ()
        groups, table = view.tiles, self.endings.table
        return Score(
            ruleset=RIICHI,
            total=table.total(price, context.seat, self_drawn=situation.self_drawn),
            unit="han",
            lines=counted.lines(groups),
            fu_lines=fu_lines(counted.items, groups, situation),
            excluded=exclusions_of(counted) + dearer,
            han=counted.han,
            fu=counted.fu,
            yakuman=counted.han // YAKUMAN_HAN if counted.yakuman else 0,
            limit=price.limit,
            payments=payments_of(price, context, table),
            groups=groups,
            warnings=situation.warnings,
        )

    def _may_rob(self, view: View) -> bool:
        """Whether a hand may rob a concealed kong (S-RII-25)."""
        return self.endings.kokushi_robs_concealed_kong and view.shape is Shape.THIRTEEN_ORPHANS

    def _renhou(self, context: Context, situation: Situation, cheaper: Counted | None = None) -> Score:
        """A mangan for renhou in place of a hand that is cheaper or has no other yaku (S-RII-8)."""
        lost = () if cheaper is None else tuple(excluded(key, "renhou") for key in cheaper.keys)
        return Score(
            ruleset=RIICHI,
            total=MANGAN.total(dealer=False, self_drawn=False),
            unit="han",
            lines=(ScoreLine(key=PREFIX + "renhou", value=MANGAN_HAN),),
            excluded=(*situation.excluded, *lost),
            han=MANGAN_HAN,
            limit=MANGAN.limit,
            payments=payments_of(MANGAN, context, self.endings.table),
            warnings=situation.warnings,
        )

    def _nagashi(self, hand: Hand, context: Context) -> Score | NotAWin:
        """The payment of a self-drawn mangan for any hand; honba and deposits stay on the table (S-RII-9)."""
        if context.win_by is WinBy.DISCARD:
            raise ContextError(
                "occasion_contradicts_win", "nagashi_mangan counts as a self-draw: set win_by to self_draw or null."
            )
        if not self.endings.nagashi_mangan:
            return no_nagashi(hand, context)
        table = self.endings.table
        return Score(
            ruleset=RIICHI,
            total=table.total(MANGAN, context.seat, self_drawn=True),
            unit="han",
            lines=(ScoreLine(key=PREFIX + "nagashi_mangan", value=MANGAN_HAN),),
            han=MANGAN_HAN,
            limit=MANGAN.limit,
            payments=Payments.of(win_steps(MANGAN, context.seat, None, 0, table=table)),
            warnings=warnings_of(hand, context),
        )


def payments_of(price: Price, context: Context, table: Table) -> Payments | None:
    """Payments of a win, honba and deposits included; None for a win on a discard by an unknown player."""
    if context.win_by is WinBy.DISCARD and context.discarder is None:
        return None
    return _payments(price, table, context.seat, context.discarder, (context.honba, context.riichi_deposits))


@lru_cache(maxsize=4096)
def _payments(price: Price, table: Table, winner: Seat, discarder: Seat | None, counters: tuple[int, int]) -> Payments:
    honba, deposits = counters
    return Payments.of(
        (*win_steps(price, winner, discarder, honba, table=table), *deposit_steps(winner, STICK * deposits))
    )
