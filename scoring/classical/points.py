"""The points of the classical and the simplified rules, which share one table.

Source: document 000, sections V and VIII; document 001, counting (S-SIM-1); see scoring/sources.md.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from tilescore.scoring.classical.counted_hand import Tiles, View, pairs
from tilescore.scoring.context import Occasion
from tilescore.scoring.score import ScoreLine
from tilescore.scoring.shapes.decompose import Group, GroupKind
from tilescore.scoring.tiles import Tile

MAH_JONG: Final = "mah_jong"
"""The line of every winning hand."""


@dataclass(frozen=True, slots=True)
class PointRow:
    """One row of the table of points: key without the ruleset, points, one English sentence."""

    key: str
    value: int
    text: str


_OPEN_SETS: Final = {
    (GroupKind.PUNG, "simple"): 2,
    (GroupKind.PUNG, "terminal"): 4,
    (GroupKind.PUNG, "wind"): 4,
    (GroupKind.PUNG, "dragon"): 4,
    (GroupKind.KONG, "simple"): 8,
    (GroupKind.KONG, "terminal"): 16,
    (GroupKind.KONG, "wind"): 16,
    (GroupKind.KONG, "dragon"): 16,
}
_FAMILY_TEXT: Final = {"simple": "2 to 8", "terminal": "ones or nines", "wind": "winds", "dragon": "dragons"}
_CONCEALED_TEXT: Final = "all its tiles drawn from the wall"
_OPEN_TEXT: Final = {
    GroupKind.PUNG: "completed with a claimed tile or the winning discard",
    GroupKind.KONG: "claimed, or added to a claimed pung",
}


def _set_rows() -> Iterator[PointRow]:
    for how, times in (("open", 1), ("concealed", 2)):
        for (kind, family), value in _OPEN_SETS.items():
            how_text = _OPEN_TEXT[kind] if how == "open" else _CONCEALED_TEXT
            text = f"A {kind} of {_FAMILY_TEXT[family]}, {how_text}."
            yield PointRow(f"{kind}_{family}_{how}", value * times, text)


POINT_ROWS: Final = (
    *_set_rows(),
    PointRow("pair_own_wind", 2, "A pair of the player's own wind; 2 more if it is the round wind too."),
    PointRow("pair_round_wind", 2, "A pair of the wind of the round; 2 more if it is the player's own too."),
    PointRow("pair_dragon", 2, "A pair of dragons."),
    PointRow(MAH_JONG, 20, "For going mah-jong."),
    PointRow("self_draw", 2, "The winner drew the last tile from the wall."),
    PointRow(
        "only_possible",
        2,
        "Nothing else would have completed the hand, and it ended a pair, the middle of a chow or its one open end.",
    ),
    PointRow("bonus_tile", 4, "Each flower and each season, winner or not."),
)
POINTS_OF: Final = {row.key: row.value for row in POINT_ROWS}
"""Points by key."""


def family_of(tile: Tile) -> str:
    """The family of a tile, which selects the row of its sets.

    >>> from tilescore.scoring.tiles import Tile
    >>> family_of(Tile.parse("9m")), family_of(Tile.parse("5z"))
    ('terminal', 'dragon')
    """
    if tile.is_honor:
        return "wind" if tile.is_wind else "dragon"
    return "terminal" if tile.is_terminal else "simple"


def set_key(group: Group, *, concealed: bool) -> str:
    """Key of the point row of a pung or kong."""
    return f"{group.kind}_{family_of(group.tile)}_{'concealed' if concealed else 'open'}"


def pair_keys(tile: Tile, view: View) -> tuple[str, ...]:
    """Keys of the point rows of a pair of this tile; the wind that is both own and round has two (S-CLA-4)."""
    context = view.context
    keys = {
        "pair_own_wind": tile == context.seat.wind,
        "pair_round_wind": tile == context.round.wind,
        "pair_dragon": tile.is_dragon,
    }
    return tuple(key for key, counts in keys.items() if counts)


def counts_as_only(view: View) -> bool:
    """Whether the last tile counts as the only possible one, by the hand or by the occasion (S-CLA-6)."""
    said = view.context.has(Occasion.ONLY_POSSIBLE_TILE)
    return said or (view.one_wait and view.wait != "")


def point_lines(view: View) -> Iterator[ScoreLine]:
    """The lines of points with keys without the ruleset: sets, pairs, winner's points, flowers."""
    for place in view.pung_at:
        group = view.groups[place]
        yield _line(set_key(group, concealed=place in view.concealed_at), group.tiles)
    for pair in pairs(view):
        for key in pair_keys(pair[0], view):
            yield _line(key, pair)
    if view.shape is not None:
        yield _line(MAH_JONG)
        last = () if view.hand.winning_tile is None else (view.hand.winning_tile,)
        if view.context.self_drawn:
            yield _line("self_draw", last)
        if counts_as_only(view):
            yield _line("only_possible", last)
    if view.hand.bonus:
        yield _line("bonus_tile", tuple(sorted(view.hand.bonus)), len(view.hand.bonus))


def _line(key: str, tiles: Tiles = (), count: int = 1) -> ScoreLine:
    return ScoreLine(key=key, value=POINTS_OF[key], count=count, tiles=tiles)
