"""Settings of what hands are like before anything is seen: order, declared sets, complete hands. All are chosen."""

from dataclasses import dataclass, field
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderConfig:
    """How people sort their tiles.

    Attributes:
        sorted_shares: So many hands are sorted from their owner's left to right, or the other way.
        rise: How often the next tile of a sorted hand is of the same suit and so much higher in rank.
        other_suit: How often it is of another suit.
        misplaced: How often it may be any.
        drawn: How often the tile at the owner's right is the one drawn last.
        clear: A name at least so probable is not doubted for the sake of order.
        max_evidence: A row is never taken for sorted with higher odds: tiles may be laid in order but for one.
        max_odds: Order tells no more than this, in nats, about the side a row is read from: some sort the other way.
        min_tiles: Fewer tiles tell no order.
    """

    sorted_shares: tuple[float, float] = (0.75, 0.05)
    rise: tuple[float, ...] = (0.36, 0.3, 0.06, 0.03, 0.015, 0.015, 0.01, 0.01, 0.01)
    other_suit: float = 0.2
    misplaced: float = 0.05
    drawn: float = 0.4
    clear: float = 0.95
    max_evidence: float = 500.0
    max_odds: float = 2.0
    min_tiles: int = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class MeldConfig:
    """What is seldom about declared sets, in nats.

    Attributes:
        min_probability: The probability of a name counts at least so much.
        pung: A certain pung is less common than a certain chow.
        from_one_of_three: A pung is claimed from the left no oftener than from others.
        not_from_left: A chow is claimed from the left.
        out_of_order: The other tiles of a chow lie in order.
    """

    min_probability: float = 1e-9
    pung: float = 0.8
    from_one_of_three: float = 1.1
    not_from_left: float = 3.0
    out_of_order: float = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class CompleteHandConfig:
    """Which complete hands are looked for, and what makes them likely.

    Attributes:
        window: Hands this many nats less likely than the likeliest names are not looked for: one in ten million.
        rare_window: Hands of rare forms are looked for down to this many nats below the likeliest one of sets and a
            pair.
        max_steps: A search for sets and a pair gives up after these steps; the hands worth reporting come within a few
            hundred.
        max_rare_steps: A search for knitted tiles or different kinds gives up after these: they come at once or are not
            there.
        cost_digits: Costs that differ in later digits are equal: the search then goes on where it is farthest.
        chow: So much likelier a set is one certain chow than one certain pung, in nats. Judged complete hands give 0.0
            to 1.6.
        order: What order says counts for so much: hands that are complete are easily sorted by chance.
    """

    window: float = 16.0
    rare_window: float = 3.0
    max_steps: int = 4000
    max_rare_steps: int = 500
    cost_digits: int = 9
    chow: float = 0.4
    order: float = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class HandPriorConfig:
    """Settings of the hand prior."""

    order: OrderConfig = field(default_factory=OrderConfig)
    melds: MeldConfig = field(default_factory=MeldConfig)
    complete: CompleteHandConfig = field(default_factory=CompleteHandConfig)


HAND_PRIOR: Final = HandPriorConfig()
"""The defaults."""
