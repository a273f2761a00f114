"""The ruleset of three-player riichi (三人麻雀): riichi on a table of three (decisions S-SAN, scoring/sources.md)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Final

from tilescore.scoring.context import Context
from tilescore.scoring.deal import Deal, Settlement
from tilescore.scoring.han.riichi import Riichi
from tilescore.scoring.han.rules import HanRules
from tilescore.scoring.han.settlement import settle
from tilescore.scoring.hand import Hand
from tilescore.scoring.names import names_of
from tilescore.scoring.options import option_entries
from tilescore.scoring.riichi.fu import FU_TEXTS, NORTH_PAIR, fu_entries
from tilescore.scoring.riichi.situation import MEANT_BY_THREE, row_under
from tilescore.scoring.riichi3.checks import ABSENT, check_deal, check_hand
from tilescore.scoring.riichi3.options import PRESETS, Counting3, Endings3, Match3
from tilescore.scoring.riichi3.results import as_riichi3
from tilescore.scoring.riichi3.table import PREFIX, RIICHI3, rows
from tilescore.scoring.ruleset import YAKUMAN, OptionEntry, RuleEntry
from tilescore.scoring.score import NotAWin, Score
from tilescore.scoring.shapes.winning import Shape
from tilescore.scoring.tiles import NORTH
from tilescore.scoring.traits import EVERY_KIND, Traits

_OPEN_PINFU: Final = "open_pinfu"
"""The fu of an open hand without fu, which needs a claimed sequence: nobody claims one here."""
_OWN: Final = ("tsumo", "north", "kita_rinshan", "honba_ron", "noten_pool")
"""The options that riichi for four players does not have; they lead the list."""
_ERRORS: Final = {"not_a_bonus_tile": "bad_norths"}
"""The code for bonus tiles that are no norths."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Riichi3(HanRules):
    """Riichi with three seats, 108 tiles, and norths that are set aside.

    >>> from tilescore.scoring.context import Context, Seat, WinBy
    >>> from tilescore.scoring.hand import Hand
    >>> won = Context(win_by=WinBy.SELF_DRAW, seat=Seat.SOUTH)
    >>> score = Riichi3().score(Hand.parse("345p678p345s789s22p +9s &4z"), won)
    >>> [(line.number, line.key) for line in score.lines]
    [(4, 'riichi3.menzen_tsumo'), (5, 'riichi3.pinfu'), (35, 'riichi3.nuki_dora')]
    >>> score.payments.to_json()
    {'E': -1300, 'S': 2000, 'W': -700, 'N': 0}
    """

    name: ClassVar[str] = RIICHI3
    shapes: ClassVar[frozenset[Shape]] = Riichi.shapes
    """Those of riichi."""
    # counting, endings, match: its options; `of` takes them by name
    counting: Counting3 = field(default_factory=Counting3)
    endings: Endings3 = field(default_factory=Endings3)
    match: Match3 = field(default_factory=Match3)

    @staticmethod
    def of(**options: Any) -> Riichi3:
        """The ruleset with these options; raises OptionError."""
        return Riichi3(counting=Counting3.of(options), endings=Endings3.of(options), match=Match3.of(options))

    @property
    def traits(self) -> Traits:
        """Those of riichi with 108 tiles, norths set aside and what is asked about them."""
        common = self.common_traits()
        return replace(
            common,
            presets=PRESETS,
            occasions=(*common.occasions, *MEANT_BY_THREE),
            tiles=EVERY_KIND - ABSENT,
            bonus=() if self.counting.north == "yakuhai" else (NORTH,),
            errors=_ERRORS,
        )

    def evaluate(self, hand: Hand, context: Context) -> Score | NotAWin:
        """Yaku, han, fu, points and payments; raises InputError for an impossible hand or context."""
        check_hand(hand, context, self.counting)
        return as_riichi3(self._riichi.score(hand, context), hand, context, self.counting)

    def settled(self, deal: Deal) -> Settlement:
        """Who pays whom after a win, two rons, a draw or a chombo; raises InputError."""
        check_deal(deal, self.counting)
        return settle(self._riichi, deal)

    def rules(self) -> tuple[RuleEntry, ...]:
        """Every yaku and dora by number, nagashi mangan, then the fu items."""
        names, known = names_of(RIICHI3), rows()
        counted = {key: row_under(self.counting, row.yaku) for key, row in known.items()}
        yaku = [
            RuleEntry(
                key=PREFIX + row.key,
                value=row.value or counted[key].value,
                names=names[PREFIX + row.key],
                text=row.text,
                number=None if row.number is None else str(row.number),
                excludes=tuple(PREFIX + known[junior].key for junior in row.yaku.replaces if junior in known),
                group=YAKUMAN if counted[key].is_yakuman else "",
            )
            for key, row in known.items()
        ]
        fu = {key: entry for key, entry in (FU_TEXTS | NORTH_PAIR).items() if key != _OPEN_PINFU}
        return (*yaku, *fu_entries(PREFIX, fu, self.counting))

    def options(self) -> tuple[OptionEntry, ...]:
        """Every option with its default."""
        entries = option_entries(self.counting, self.endings, self.match)
        return tuple(sorted(entries, key=lambda entry: _OWN.index(entry.name) if entry.name in _OWN else len(_OWN)))

    @property
    def _riichi(self) -> Riichi:
        """The rules of four players with what three players change."""
        return Riichi(counting=self.counting, endings=self.endings, match=self.match)
