"""Settings of the decoding stage: names of a complete hand, search, doubts."""

from dataclasses import dataclass, field
from typing import Final

from tilescore.vision.layout.model import LayoutModel


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchConfig:
    """Limits of the search for the likeliest legal names. All values are chosen.

    Attributes:
        max_solutions: At most this many of the likeliest solutions are compared.
        max_steps: The search stops after this many steps and then repairs one tile at a time; a photo of a hand needs a
            few dozen.
        max_log_odds: Log-odds are clipped to this absolute value, where the probabilities no longer change.
        max_complete_hands: At most this many complete hands are tried; more are needed only when the tiles around the
            hand forbid all of these.
        max_costed_hands: At most this many complete hands are tried when a cost function weighs them.
    """

    max_solutions: int = 10
    max_steps: int = 1500
    max_log_odds: float = 50.0
    max_complete_hands: int = 20
    max_costed_hands: int = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class DoubtConfig:
    """When a person is asked. All values are chosen.

    Attributes:
        min_probability: A tile whose name has less than this probability, times its presence, is asked about.
        reader_weight: The probability by the reader alone has this weight in that of the name, and the probability
            under all rules has the rest, because rules and order may agree on a wrong name by chance.
        min_alternative_probability: An alternative with less than this probability is not offered.
        min_rival_share: Another set of tiles is offered as the hand if its probability is this share or more of that of
            the first one.
        min_complete_probability: A complete hand beside the first one is offered from this probability on.
        min_hand_tiles: Fewer faces than this are too few for a hand.
    """

    min_probability: float = 0.86
    reader_weight: float = 0.3
    min_alternative_probability: float = 0.03
    min_rival_share: float = 0.25
    min_complete_probability: float = 0.002
    min_hand_tiles: int = 13


@dataclass(frozen=True, slots=True, kw_only=True)
class DecodingConfig:
    """Settings of the decoding stage. Values are chosen unless they say otherwise; nats are natural logarithms of odds.

    Attributes:
        assumed_win_nats: The names of a complete hand may cost this much more than the likeliest names, because most
            photos are of wins.
        declared_win_nats: They may cost this much more when a person declares a win.
        max_layouts: The layout is found at most this many times, each time with the names that the last layout gave.
        clear_name_probability: A name with at least this probability is not given up for a complete hand.
        layout: The weights of the layout; None for the fitted ones (fitted).
    """

    assumed_win_nats: float = 1.0
    declared_win_nats: float = 12.0
    max_layouts: int = 4
    clear_name_probability: float = 0.97
    layout: LayoutModel | None = None
    search: SearchConfig = field(default_factory=SearchConfig)
    doubts: DoubtConfig = field(default_factory=DoubtConfig)


DECODING: Final = DecodingConfig()
"""The defaults."""
