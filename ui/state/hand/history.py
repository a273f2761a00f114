"""The states of the hand on the table: the present one, undo and redo."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from tilescore.ui.state.hand.work import Work

if TYPE_CHECKING:
    from tilescore.scoring.context import Context

_EMPTY: Final = Work()
_MOST_STEPS: Final = 200
_MOST_PICTURES: Final = 8
"""Most photos that undo keeps: each has a third of a megabyte, and an evening at a table has hundreds."""


@dataclass(frozen=True, slots=True)
class History:
    """The present state, the earlier ones, and those that were undone.

    >>> from tilescore.scoring.hand import Hand
    >>> history = History().then(Work(typed=Hand.parse("11m")))
    >>> str(history.undone().now.typed), str(history.undone().redone().now.typed)
    ('', '11m')
    """

    now: Work = _EMPTY
    past: tuple[Work, ...] = ()
    future: tuple[Work, ...] = ()

    def then(self, work: Work) -> History:
        """The history with this state as the present one; undone states are dropped."""
        if work == self.now:
            return self
        return History(work, _of_few_pictures((*self.past, self.now)[-_MOST_STEPS:]))

    def begun(self, work: Work) -> History:
        """The history in which another hand begins; undo leads to the hands before it, but to no sample."""
        before = tuple(one for one in (*self.past, self.now) if one.id or one.linked)
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
    """The state with the present circumstances if it is the same hand: undoing a tile does not undo them."""
    return replace(state, context=now.context) if state.id == now.id else state


def _of_few_pictures(states: tuple[Work, ...]) -> tuple[Work, ...]:
    """The latest states that together show at most `_MOST_PICTURES` photos."""
    shown: set[int] = set()
    for at in range(len(states) - 1, -1, -1):
        shown.add(id(states[at].picture))
        if len(shown) > _MOST_PICTURES:
            return states[at + 1 :]
    return states
