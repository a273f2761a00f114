"""Settings of what hands are like before anything is seen: order, declared sets, complete hands. All are chosen."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderConfig:
    """How people sort their tiles."""

    # So many hands are sorted from their owner's left to right, or the other way.
    sorted_shares: tuple[float, float] = (0.75, 0.05)
    # How often the next tile of a sorted hand is of the same suit and so much higher in rank.
    rise: tuple[float, ...] = (0.36, 0.3, 0.06, 0.03, 0.015, 0.015, 0.01, 0.01, 0.01)
    other_suit: float = 0.2  # how often it is of another suit
    misplaced: float = 0.05  # how often it may be any
    drawn: float = 0.4  # how often the tile at the owner's right is the one drawn last
    clear: float = 0.95  # a name at least so probable is not doubted for the sake of order
    # A row is never taken for sorted with higher odds: tiles may be laid in order but for one.
    max_evidence: float = 500.0
    # Order tells no more than this, in nats, about the side a row is read from: some sort the other way.
    max_odds: float = 2.0
    min_tiles: int = 4  # fewer tiles tell no order


@dataclass(frozen=True, slots=True, kw_only=True)
class MeldConfig:
    """What is seldom about declared sets, in nats."""

    min_probability: float = 1e-9  # the probability of a name counts at least so much
    pung: float = 0.8  # a certain pung is less common than a certain chow
    from_one_of_three: float = 1.1  # a pung is claimed from the left no oftener than from others
    not_from_left: float = 3.0  # a chow is claimed from the left
    out_of_order: float = 2.0  # the other tiles of a chow lie in order


@dataclass(frozen=True, slots=True, kw_only=True)
class CompleteHandConfig:
    """Which complete hands are looked for, and what makes them likely."""

    # Hands this many nats less likely than the likeliest names are not looked for: one in ten million.
    window: float = 16.0
    # Hands of rare forms are looked for down to this many nats below the likeliest one of sets and a pair.
    rare_window: float = 3.0
    # A search for sets and a pair gives up after these steps; the hands worth reporting come within a few hundred.
    max_steps: int = 4000
    # A search for knitted tiles or different kinds gives up after these: they come at once or are not there.
    max_rare_steps: int = 500
    cost_digits: int = 9  # costs that differ in later digits are equal: the search then goes on where it is farthest
    # So much likelier a set is one certain chow than one certain pung, in nats. Judged complete hands give 0.0 to 1.6.
    chow: float = 0.4
    order: float = 0.5  # what order says counts for so much: hands that are complete are easily sorted by chance
