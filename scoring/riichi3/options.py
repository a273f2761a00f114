"""The options of three-player riichi: those of riichi, some with other defaults, and five more.

Decisions: S-SAN in scoring/sources.md.
"""

from dataclasses import dataclass
from functools import cache
from typing import ClassVar, Final

from tilescore.scoring.context import SEATS
from tilescore.scoring.options import changed, option
from tilescore.scoring.riichi.options import Counting, Endings, MatchOptions
from tilescore.scoring.riichi.points import Table
from tilescore.scoring.riichi.table import Yaku
from tilescore.scoring.riichi3.table import RIICHI3
from tilescore.scoring.riichi3.yaku import NORTH_YAKU
from tilescore.scoring.traits import Preset

PLAYERS: Final = SEATS[:3]
"""East, South, West; nobody sits north."""
PRESETS: Final = (
    Preset(
        name="mahjong_soul",
        source="Mahjong Soul 3P (riichi.wiki)",
        options={"uma": "15,0,-15", "return_points": 35_000, "target_points": 40_000},
    ),
    Preset(
        name="tenhou",
        source="Sanma (riichi.wiki)",
        options={"uma": "20,0,-20", "return_points": 40_000, "target_points": 40_000},
    ),
)
"""Published tables, as far as they differ (S-SAN-10)."""
_HONBA: Final = {200: 100, 300: 100, 1000: 500}
"""Points of a counter from each payer of a self-draw, by those from a discarder (S-SAN-5)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Counting3(Counting):
    """What counts in a hand, and how much."""

    name: ClassVar[str] = RIICHI3
    three_players: ClassVar[bool] = True
    renhou: str = changed(Counting, "renhou", default="none")
    north: str = option(
        "nuki",
        "Norths are set aside as dora (nuki), are tiles of value for every player (yakuhai), or both (nuki_yakuhai).",
        among=("nuki", "yakuhai", "nuki_yakuhai"),
    )
    kita_rinshan: bool = option(default=True, text="The tile drawn for a north set aside counts as a replacement tile.")

    @property
    def north_counts(self) -> bool:
        """Whether norths are tiles of value for every player."""
        return self.north != "nuki"

    @property
    def further_yaku(self) -> tuple[Yaku, ...]:
        """The triplet of norths, if it has a value."""
        return (NORTH_YAKU,) if self.north_counts else ()

    @property
    def replaces_norths(self) -> bool:
        """Whether the tile drawn for a north set aside is a replacement tile like that of a quad."""
        return self.kita_rinshan


@dataclass(frozen=True, slots=True, kw_only=True)
class Endings3(Endings):
    """How a deal may end, and what that pays."""

    name: ClassVar[str] = RIICHI3
    abortive: ClassVar[tuple[str, ...]] = ("nine_terminals", "four_kongs")
    fed_sets_declared: ClassVar[bool] = False
    multiple_ron: str = changed(
        Endings,
        "multiple_ron",
        text="Of two rons on one discard both win (all, and three_abort, as there are never three), or the nearest "
        "wins (head_bump).",
    )
    abortive_draws: bool = changed(
        Endings, "abortive_draws", text="A deal may be broken off: nine terminals and honours, four kongs."
    )
    tsumo: str = option(
        "loss",
        "What becomes of North's part of a self-draw: nobody pays it (loss), the two others share it in halves "
        "(bisect) or as they pay themselves (proportion), or each of them adds 1000 in its place (plus_1000).",
        among=("loss", "bisect", "proportion", "plus_1000"),
    )
    honba_ron: int = option(
        200,
        "Points of a counter (honba) that a discarder pays: 200 or 300, with 100 from each on a self-draw, or 1000, "
        "with 500 from each.",
        among=tuple(_HONBA),
    )
    noten_pool: int = option(2000, "Points that change hands at an exhaustive draw: 2000 or 3000.", among=(2000, 3000))

    @property
    def table(self) -> Table:
        """Who sits at the table, and what they pay."""
        return _table(self.tsumo, self.honba_ron, self.noten_pool)


@dataclass(frozen=True, slots=True, kw_only=True)
class Match3(MatchOptions):
    """How long a game lasts, and what `tilescore.scoring.game` adds at its end."""

    name: ClassVar[str] = RIICHI3
    players: ClassVar[int] = len(PLAYERS)
    start_points: int = changed(MatchOptions, "start_points", default=35_000, name="start")
    return_points: int = changed(
        MatchOptions,
        "return_points",
        text="Points that the result of each player is counted from. If they are more than the start, the first "
        "player gets the difference of all three (oka). 0: results are the points themselves.",
    )
    uma: str = changed(
        MatchOptions,
        "uma",
        text="Uma: thousands added to the results at the end, from first to last, such as '15,0,-15'; empty for none.",
    )


@cache
def _table(tsumo: str, honba_ron: int, noten_pool: int) -> Table:
    return Table(
        seats=PLAYERS,
        honba_ron=honba_ron,
        honba_each=_HONBA[honba_ron],
        not_ready=noten_pool,
        tsumo=tsumo,
        liable_pays_ron=True,
    )
