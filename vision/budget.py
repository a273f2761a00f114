"""The time that reading a picture may take, where a person limits it.

Each optional stage asks first, and the budget lists what it refuses. No other part of a reading looks at a clock: the
same photo is read alike on a busy and on an idle machine.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field
from typing import Final


@dataclass(slots=True)
class Budget:
    """The time left for one picture."""

    # time of `time.perf_counter` at which the reading ends, in seconds; infinite without a limit
    ends_at: float = math.inf
    # names of the stages that would have ended later, each once, in the order in which they asked
    left_out: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, limit_ms: float | None, *, spent_s: float = 0.0) -> Budget:
        """The budget of a picture that work begins on now.

        A limit of None is none; `spent_s` of the time is spent already, such as for decoding.
        """
        return cls() if limit_ms is None else cls(time.perf_counter() - spent_s + limit_ms / 1000)

    def allows(self, stage: str, seconds: float) -> bool:
        """Whether a stage that takes about so many seconds ends in time; if not, it counts as left out."""
        if time.perf_counter() + seconds <= self.ends_at:
            return True
        if stage not in self.left_out:
            self.left_out.append(stage)
        return False


NO_LIMIT: Final = Budget()
"""The budget of a picture that takes as long as it takes; every stage is allowed."""
