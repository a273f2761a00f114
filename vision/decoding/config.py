"""Settings of the decoding stage: names of a complete hand, search, doubts."""

from dataclasses import dataclass
from typing import Final

from tilescore.vision.layout.model import LayoutModel


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchConfig:
    """Limits of the search for the likeliest legal names. All values are chosen."""

    max_solutions: int = 10  # at most this many of the likeliest solutions are compared
    # The search stops after this many steps and then repairs one tile at a time; a photo of a hand needs a few dozen.
    max_steps: int = 1500
    max_log_odds: float = 50.0  # log-odds are clipped to this absolute value, where the probabilities no longer change
    # At most this many complete hands are tried; more are needed only when the tiles around the hand forbid all of
    # these.
    max_complete_hands: int = 20
    max_costed_hands: int = 40  # at most this many complete hands are tried when a cost function weighs them


@dataclass(frozen=True, slots=True, kw_only=True)
class DoubtConfig:
    """When a person is asked. All values are chosen."""

    # A tile whose name has less than this probability, times its presence, is asked about.
    min_probability: float = 0.86
    # The probability by the reader alone has this weight in that of the name, and the probability under all rules has
    # the rest, because rules and order may agree on a wrong name by chance.
    reader_weight: float = 0.3
    min_alternative_probability: float = 0.03  # an alternative with less than this probability is not offered
    # Another set of tiles is offered as the hand if its probability is this share or more of that of the first one.
    min_rival_share: float = 0.25
    min_complete_probability: float = 0.002  # a complete hand beside the first one is offered from this probability on
    min_hand_tiles: int = 13  # fewer faces than this are too few for a hand


@dataclass(frozen=True, slots=True, kw_only=True)
class DecodingConfig:
    """Settings of the decoding stage. Values are chosen unless they say otherwise; nats are logarithms of odds."""

    # The names of a complete hand may cost this much more than the likeliest names, because most photos are of wins.
    assumed_win_nats: float = 1.0
    declared_win_nats: float = 12.0  # they may cost this much more when a person declares a win
    # The layout is found at most this many times, each time with the names that the last layout gave.
    max_layouts: int = 4
    clear_name_probability: float = 0.97  # a name with at least this probability is not given up for a complete hand
    layout: LayoutModel | None = None  # the weights of the layout; None for the fitted ones (fitted)


DECODING: Final = DecodingConfig()
"""The defaults."""
