"""What names say for a choice of groups: most photos are of complete hands, and most people sort theirs."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from tilescore.scoring.hand import Hand
from tilescore.scoring.shapes.winning import ALL_SHAPES, is_win, pack
from tilescore.vision.hand_prior.complete_hands import complete_readings
from tilescore.vision.hand_prior.melds import free_cost
from tilescore.vision.hand_prior.order import order_odds
from tilescore.vision.layout.segments import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tilescore.vision.detections import Detection
    from tilescore.vision.layout.segments import Piece

_COMPLETE: Final = 9.0
"""So much more likely is a choice of tiles that make a complete hand, in nats: by chance hardly any do."""
_MOST_SOLVED: Final = 10
"""So many choices are looked at for other names that complete them."""


class Names:
    """Weighs choices of the tiles of one picture."""

    most: Final = _COMPLETE

    def __init__(self, detections: Sequence[Detection]) -> None:
        self._detections = detections
        self._known: dict[tuple[tuple[int, ...], int], float] = {}
        self._order: dict[tuple[int, ...], float] = {}
        self._solved = 0

    def weigh(self, groups: Sequence[Sequence[Piece]], least: float = -math.inf) -> float:
        """How much likelier the names make these groups, in reading order, in nats; if less than that, at most so."""
        pieces = [piece for group in groups for piece in group]
        melds = sum(piece.kind is Kind.MELD for piece in pieces)
        loose = tuple(piece.members[0] for piece in pieces if piece.kind in (Kind.TILE, Kind.WINNING))
        complete = self._completeness(loose, melds)
        if complete < least:
            return complete
        if loose not in self._order:
            odds = order_odds([self._detections[index].names for index in loose])
            self._order |= {loose: min(0.0, odds), loose[::-1]: min(0.0, -odds)}
        return complete + self._order[loose]

    def _completeness(self, loose: tuple[int, ...], melds: int) -> float:
        if len(loose) + 3 * melds != Hand.SIZE:
            return 0.0
        key = tuple(sorted(loose)), melds
        if key not in self._known:
            self._known[key] = max(0.0, _COMPLETE - self._missing(key[0], melds))
        return self._known[key]

    def _missing(self, loose: tuple[int, ...], melds: int) -> float:
        """What it costs to name the tiles so that they are complete, in nats."""
        if is_win(pack(self._detections[index].tile for index in loose), melds):
            return 0.0
        candidates = [self._detections[index].names for index in loose]
        if self._solved >= _MOST_SOLVED or all(len(names) == 1 for names in candidates):
            return math.inf
        self._solved += 1
        best = next(complete_readings(candidates, melds, ALL_SHAPES), None)
        return math.inf if best is None else best[0] - free_cost(candidates)
