"""The states of the hand on the table: the present one, undo and redo."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from tilescore.scoring.context import Context
from tilescore.scoring.tiles import Tile
from tilescore.ui.state.hand.work import Work
from tilescore.vision.layout.layout import Role

_EMPTY: Final = Work()
_MOST_STEPS: Final = 200
_MOST_PICTURES: Final = 8
"""Most photos that undo keeps: each has a third of a megabyte, and an evening at a table has hundreds."""


@dataclass(frozen=True, slots=True)
class History:
    """The present state, the earlier ones, and those that were undone.

    >>> from tilescore.scoring.hand import Hand
    >>> history = History().then(Work.of(Hand.parse("11m")))
    >>> history.undone().now.notation, history.undone().redone().now.notation
    ('', '11m')
    """

    now: Work = _EMPTY
    past: tuple[Work, ...] = ()
    future: tuple[Work, ...] = ()

    def then(self, work: Work) -> History:
        """The history with this state as the present one; undone states are dropped."""
        work = _won_alike(work, self.now)
        if work == self.now:
            return self
        return History(work, _of_few_pictures((*self.past, self.now)[-_MOST_STEPS:]))

    def begun(self, work: Work) -> History:
        """The history in which another hand begins; undo leads to the hands before it, but to no sample."""
        before = tuple(state for state in (*self.past, self.now) if state.id or state.linked)
        return History(work, _of_few_pictures(before[-_MOST_STEPS:]))

    def undone(self) -> History:
        """The history one step back, if there is an earlier state."""
        if not self.past:
            return self
        return History(_won_alike(self.past[-1], self.now), self.past[:-1], (self.now, *self.future))

    def redone(self) -> History:
        """The history one step forward again, if a state was undone."""
        if not self.future:
            return self
        return History(_won_alike(self.future[0], self.now), (*self.past, self.now), self.future[1:])

    def won(self, context: Context) -> History:
        """The history in which the present hand was won like this; that is no step of its own."""
        return replace(self, now=replace(self.now, context=context))


def _won_alike(state: Work, now: Work) -> Work:
    """The state with the present circumstances if it is the same hand: undoing a tile does not undo them.

    What is marked as an indicator on the photo in one of the two alone is taken off them, or added.
    """
    if state.id != now.id or state.linked is not now.linked:
        return state
    dora, ura = (
        with_changes(getattr(now.context, name), now.indicators(role), state.indicators(role))
        for name, role in (("dora_indicators", Role.DORA_INDICATOR), ("ura_dora_indicators", Role.URA_INDICATOR))
    )
    return replace(state, context=replace(now.context, dora_indicators=dora, ura_dora_indicators=ura))


def with_changes(tiles: Iterable[Tile], before: Iterable[Tile], after: Iterable[Tile]) -> tuple[Tile, ...]:
    """The tiles without those that went from `before` to `after`, and with those that came."""
    old, new = Counter(before), Counter(after)
    return tuple((Counter(tiles) - (old - new) + (new - old)).elements())


def _of_few_pictures(states: tuple[Work, ...]) -> tuple[Work, ...]:
    """The latest states that together show at most `_MOST_PICTURES` photos."""
    shown: set[int] = set()
    for at in range(len(states) - 1, -1, -1):
        shown.add(id(states[at].picture))
        if len(shown) > _MOST_PICTURES:
            return states[at + 1 :]
    return states
