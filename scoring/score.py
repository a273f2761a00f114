"""Results: a Score with its lines and what was excluded, or the reason why there is none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from tilescore.scoring.tiles import Tile, format_tiles

if TYPE_CHECKING:
    from tilescore.scoring.payments import Payments


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreLine:
    """One thing that counted.

    Attributes:
        key: stable name, e.g. `mcr.pure_straight`, `classical.pung_terminal_open`.
        value: points (riichi: han) of one; 0 on a line that doubles.
        count: how many times.
        tiles: the tiles it is about, for lighting them up on the photo; empty when it is about the win itself.
        number: the fan's number in the MCR rule document, else None.
        doubles: how often the line doubles the score (classical, simplified).
        factor: what the line multiplies by when it does multiply but not by doubling (simplified's x3), else None.
    """

    key: str
    value: int = 0
    count: int = 1
    tiles: tuple[Tile, ...] = ()
    number: int | None = None
    doubles: int = 0
    factor: int | None = None

    def to_json(self) -> dict[str, Any]:
        """The contract's JSON object; keys that do not apply are absent."""
        data: dict[str, Any] = {"key": self.key}
        if self.number is not None:
            data["number"] = self.number
        data |= {"count": self.count, "value": self.value, "tiles": format_tiles(self.tiles)}
        if self.doubles:
            data["doubles"] = self.doubles
        if self.factor is not None:
            data["factor"] = self.factor
        return data


@dataclass(frozen=True, slots=True, kw_only=True)
class Excluded:
    """Something whose tiles are there but which did not count, and the line that stood in its way."""

    key: str
    because: str
    number: int | None = None

    def to_json(self) -> dict[str, Any]:
        """The contract's JSON object."""
        number = {} if self.number is None else {"number": self.number}
        return {"key": self.key, **number, "because": self.because}


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """What a hand is worth.

    Attributes:
        ruleset: its name.
        win: whether the hand won (classical and simplified value losing hands too).
        total: mcr, classical, simplified: the hand's value; riichi: what the winner receives without honba and
            deposits.
        unit: `points`, or `han` for riichi.
        lines: what counted, in the order of the rule book.
        excluded: what did not, and why.
        han, fu: riichi only.
        fu_lines: riichi only: the fu item by item, before rounding up.
        limit: name of the limit that applied (`mangan`, `classical.four_blessings`), else None.
        payments: who pays whom; None when something needed was not given.
        groups: the decomposition that was scored, one tuple of tiles a group.
        warnings: keys of what was accepted but has no meaning here.
        waits: for a hand valued without a win: the tiles that would complete it less its winning tile.
    """

    ruleset: str
    total: int
    lines: tuple[ScoreLine, ...]
    win: bool = True
    unit: str = "points"
    excluded: tuple[Excluded, ...] = ()
    han: int | None = None
    fu: int | None = None
    limit: str | None = None
    payments: Payments | None = None
    groups: tuple[tuple[Tile, ...], ...] = ()
    warnings: tuple[str, ...] = ()
    waits: tuple[Tile, ...] = ()
    fu_lines: tuple[ScoreLine, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The contract's result object without `id`; `waits` where the hand did not win, `fu_lines` with han only."""
        waits = {} if self.win else {"waits": [str(tile) for tile in self.waits]}
        fu_lines = {} if self.han is None else {"fu_lines": [line.to_json() for line in self.fu_lines]}
        return {
            "ruleset": self.ruleset,
            "win": self.win,
            **waits,
            "total": self.total,
            "unit": self.unit,
            "han": self.han,
            "fu": self.fu,
            "limit": self.limit,
            "lines": [line.to_json() for line in self.lines],
            **fu_lines,
            "excluded": [entry.to_json() for entry in self.excluded],
            "payments": None if self.payments is None else self.payments.to_json(),
            "groups": [format_tiles(group) for group in self.groups],
            "warnings": list(self.warnings),
        }


NOT_A_WIN: Final = "not_a_win"
BELOW_MINIMUM: Final = "below_minimum"
NO_YAKU: Final = "no_yaku"
FURITEN: Final = "furiten"


@dataclass(frozen=True, slots=True, kw_only=True)
class NotAWin:
    """Why a hand is worth nothing: a value, not an error.

    Attributes:
        ruleset: its name.
        code: `not_a_win`, `below_minimum`, `no_yaku`, `furiten`.
        message: one English sentence.
        waits: tiles that would complete the hand less its winning tile.
        total, lines, excluded, groups: what a complete hand below the minimum has.
        warnings: keys of what was accepted but has no meaning here.
    """

    ruleset: str
    code: str
    message: str
    waits: tuple[Tile, ...] = ()
    total: int = 0
    unit: str = "points"
    lines: tuple[ScoreLine, ...] = ()
    excluded: tuple[Excluded, ...] = ()
    groups: tuple[tuple[Tile, ...], ...] = ()
    warnings: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The contract's result object without `id`."""
        return {
            "ruleset": self.ruleset,
            "win": False,
            "reason": {"code": self.code, "message": self.message},
            "waits": [str(tile) for tile in self.waits],
            "total": self.total,
            "unit": self.unit,
            "han": None,
            "fu": None,
            "limit": None,
            "lines": [line.to_json() for line in self.lines],
            "excluded": [entry.to_json() for entry in self.excluded],
            "payments": None,
            "groups": [format_tiles(group) for group in self.groups],
            "warnings": list(self.warnings),
        }
