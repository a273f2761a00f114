"""Results: a Score with its lines and exclusions, or the reason why a hand has none. JSON: `scoring/sources.md`."""

from dataclasses import dataclass
from typing import Any, ClassVar, Final, Literal

from tilescore.scoring.payments import Payments
from tilescore.scoring.tiles import Tile, format_tiles

NOT_A_WIN: Final = "not_a_win"
BELOW_MINIMUM: Final = "below_minimum"
NO_YAKU: Final = "no_yaku"
FURITEN: Final = "furiten"


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreLine:
    """One fan, yaku, doubling or item of points that counted.

    Attributes:
        key: stable name, e.g. `mcr.pure_straight`, `classical.pung_terminal_open`.
        value: points (riichi: han) of one; 0 on a line that doubles.
        count: how many times.
        tiles: the tiles that make it, which a photo can highlight; empty for a line about the win itself.
        number: the number of the line in its table, in MCR that of document 002; None without one.
        doubles: how often the line doubles the score (classical, simplified).
        factor: multiplier of a line that multiplies without doubling (simplified's x3), else None.
    """

    key: str
    value: int = 0
    count: int = 1
    tiles: tuple[Tile, ...] = ()
    number: int | None = None
    doubles: int = 0
    factor: int | None = None

    def to_json(self) -> dict[str, Any]:
        """The line as a JSON object; keys that do not apply are absent."""
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
    """Something that the tiles show but that did not count, and the key of the reason."""

    key: str
    because: str
    number: int | None = None

    def to_json(self) -> dict[str, Any]:
        """The exclusion as a JSON object."""
        number = {} if self.number is None else {"number": self.number}
        return {"key": self.key, **number, "because": self.because}


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """What a hand is worth.

    Attributes:
        win: whether the hand won (classical and simplified value losing hands too).
        total: mcr, classical, simplified: the hand's value; riichi: what the winner receives without honba and
            deposits.
        unit: `points`; `han` in riichi, `faan` in hongkong, `tai` in taiwan.
        lines: what counted, in the order of the rule book.
        excluded: what did not count, and why.
        han, fu: riichi only.
        yakuman: riichi only: how many yakuman the hand has; 0 for ordinary yaku, however many han they have.
        fu_lines: riichi only: the fu item by item, before rounding up.
        limit: name of the limit that applied (`mangan`, `classical.four_blessings`), else None.
        payments: who pays whom; None where the rules need something that was not given.
        groups: the decomposition that was scored, one tuple of tiles for each group.
        warnings: names of what was given but has no meaning in this ruleset (S-ALL-5).
        waits: the tiles that would complete a hand that did not win, its winning tile left out.
        reason: one English sentence that says why a valued hand did not win; empty for a win.
        house: whether a house table changed the values.
    """

    ruleset: str
    total: int
    lines: tuple[ScoreLine, ...]
    win: bool = True
    unit: str = "points"
    excluded: tuple[Excluded, ...] = ()
    han: int | None = None
    fu: int | None = None
    yakuman: int = 0
    limit: str | None = None
    payments: Payments | None = None
    groups: tuple[tuple[Tile, ...], ...] = ()
    warnings: tuple[str, ...] = ()
    waits: tuple[Tile, ...] = ()
    fu_lines: tuple[ScoreLine, ...] = ()
    reason: str = ""
    house: bool = False

    def to_json(self) -> dict[str, Any]:
        """The result as a JSON object; `reason` and `waits` only without a win, `fu_lines` only beside han.

        `house` is there only if a house table changed the values.
        """
        return _to_json(self, reason=None if self.win else (NOT_A_WIN, self.reason))


@dataclass(frozen=True, slots=True, kw_only=True)
class NotAWin:
    """Why a hand is worth nothing: a value, not an error.

    Attributes:
        code: `not_a_win`, `below_minimum`, `no_yaku`, `furiten`.
        message: one English sentence.
        waits: tiles that would complete the hand, its winning tile left out.
        total, lines, excluded, groups: the count of a complete hand that does not win.
        warnings: names of what was given but has no meaning in this ruleset (S-ALL-5).
        house: whether a house table changed the values.
        win, han, fu, limit, payments: false and None, so that both results have them.
    """

    win: ClassVar[Literal[False]] = False
    han: ClassVar[None] = None
    fu: ClassVar[None] = None
    limit: ClassVar[None] = None
    payments: ClassVar[None] = None

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
    house: bool = False

    def to_json(self) -> dict[str, Any]:
        """The result as a JSON object."""
        return _to_json(self, reason=(self.code, self.message))


def _to_json(result: Score | NotAWin, *, reason: tuple[str, str] | None) -> dict[str, Any]:
    """The JSON object of a result; `reason` is why a hand did not win."""
    lost = {}
    if reason is not None:
        code, message = reason
        lost = {"reason": {"code": code, "message": message}, "waits": [str(tile) for tile in result.waits]}
    fu_lines = {} if result.han is None else {"fu_lines": [line.to_json() for line in result.fu_lines]}
    return {
        "ruleset": result.ruleset,
        "win": reason is None,
        **lost,
        "total": result.total,
        "unit": result.unit,
        "han": result.han,
        "fu": result.fu,
        "limit": result.limit,
        "lines": [line.to_json() for line in result.lines],
        **fu_lines,
        "excluded": [entry.to_json() for entry in result.excluded],
        "payments": result.payments and result.payments.to_json(),
        "groups": [format_tiles(group) for group in result.groups],
        "warnings": list(result.warnings),
        **({"house": True} if result.house else {}),
    }
