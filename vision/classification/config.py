"""Settings of the classification stage: cascade, fusion, rectification, red fives, set limits, neighbours."""

from dataclasses import dataclass, field
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class CascadeConfig:
    """Which tiles the high-resolution classifier names, and how much it counts. All values are chosen.

    Attributes:
        min_clear_probability: A tile whose best face has less than this probability, given that there is a tile, is
            unclear.
        min_bonus_probability: A tile that is a flower or a season with at least this probability is unclear.
        min_red_probability: A tile that is a red five with at least this probability is seen from all views.
        min_presence: A crop with less than this presence is no tile and never unclear.
        high_resolution_weight: The log-probabilities of the high-resolution classifier have this weight, those of the
            first classifier the rest.
        high_resolution_cost: A tile takes the high-resolution classifier this many times as long as the first one
            (measured).
        probability_floor: Every face has at least about this probability.
    """

    min_clear_probability: float = 0.8
    min_bonus_probability: float = 0.1
    min_red_probability: float = 0.01
    min_presence: float = 0.1
    high_resolution_weight: float = 0.85
    high_resolution_cost: float = 6.0
    probability_floor: float = 1e-4


@dataclass(frozen=True, slots=True, kw_only=True)
class FusionConfig:
    """The fixed settings of fusion; `Fusion` holds its fitted weights. All values are chosen.

    Attributes:
        detector_floor: The probability of each face by the detector is increased by this.
        classifier_floor: The probability of each face by the classifier is increased by this.
        max_score: The sum of the scores of a proposal counts at most this.
        min_no_tile: The probability of `no tile` counts at least this, and at most one less this.
        max_names: A detection has at most this many names.
        min_name_share: A name with less than this share of the best probability is left out.
    """

    detector_floor: float = 0.01
    classifier_floor: float = 1e-4
    max_score: float = 0.99
    min_no_tile: float = 0.001
    max_names: int = 5
    min_name_share: float = 0.01


@dataclass(frozen=True, slots=True, kw_only=True)
class RectifyConfig:
    """Which corners are those of a face, and how its pixels are taken. All values are chosen.

    Attributes:
        min_face_share: A face has at least this share of the area of its box.
        max_face_share: A face has at most this share of the area of its box; it has more than all of it where another
            tile covers a part.
        max_oversampling: A face with more pixels a side than the crop needs, by this factor, is reduced before warping,
            which would pick single pixels.
    """

    min_face_share: float = 0.25
    max_face_share: float = 1.6
    max_oversampling: float = 1.3


@dataclass(frozen=True, slots=True, kw_only=True)
class RedFiveConfig:
    """How the colour of ink decides between red and plain fives. The biases and weights are fitted, the rest is chosen.

    The fit maximises the right red fives of rendered scenes whose artwork no training saw
    (`tilescore.datasets.artwork.artwork.FITTING`): 414 of 424 are right, and 2 other tiles are taken for one.

    Attributes:
        min_probability: A tile that is a red five with at least this probability is compared.
        min_neighbours: The comparison needs at least this many other tiles of the suit, or one five.
        min_suit_probability: A tile counts as one of the suit from this probability on.
        relative_bias: The log-odds of a red five by its ink start with this where there are tiles to compare.
        relative_weight: They grow by this for a redness one above the median of those tiles.
        alone_bias: The log-odds of a red five by its ink start with this where there are too few tiles to compare.
        alone_weight: They grow by this for a redness of one.
        max_face_log_odds: The log-odds of a red five by the classifier are clipped to this absolute value.
        probability_floor: Both probabilities are increased by this before their log-odds are taken.
        face_width_share: This share of the width of a box surely shows the face.
        face_height_share: This share of the height of a box surely shows the face.
        face_size_wh: The face is scaled to this width and height, in pixels.
        min_side_px: A face with a shorter side than this in the picture shows no colour.
        paper_quantile: The pixels of a face from this quantile of brightness on are paper.
        min_ink: Ink takes at least this share of some colour out of the light of the paper.
        min_ink_share: Ink takes at least this share of what the darkest pixels take.
        dark_quantile: The darkest pixels are those at this quantile.
        min_ink_px: A face with fewer pixels of ink than this shows no colour.
    """

    min_probability: float = 0.01
    min_neighbours: int = 2
    min_suit_probability: float = 0.5
    relative_bias: float = -3.5
    relative_weight: float = 6.0
    alone_bias: float = -1.8
    alone_weight: float = 4.7
    max_face_log_odds: float = 4.0
    probability_floor: float = 1e-3
    face_width_share: float = 0.72
    face_height_share: float = 0.76
    face_size_wh: tuple[int, int] = (24, 32)
    min_side_px: int = 6
    paper_quantile: float = 0.6
    min_ink: float = 0.15
    min_ink_share: float = 0.5
    dark_quantile: float = 0.97
    min_ink_px: int = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class BlankFaceConfig:
    """How the colour of the other faces decides whether a blank crop is a white dragon.

    The bias and the weights are fitted by logistic regression on real photos (`python -m tilescore.models.blank_fit`),
    the rest is chosen.

    Attributes:
        min_faces: The comparison needs at least this many clear faces in the picture.
        max_faces: The colour of at most this many of them is measured, because each takes time.
        min_face_probability: A crop is a clear face from this probability on.
        min_unclear_probability: A crop may be blank if `white dragon`, `back` and `no tile` have together at least this
            probability.
        min_probability: It may be a white dragon from this probability by the classifier on.
        is_clear: A crop that is a white dragon with at least this probability stays as it is.
        bias: The log-odds of a white dragon by the pixels start with this.
        weights: They grow by these for each of the measures of `blank_measures`.
        faint_blank: A crop may be a faint white dragon if the three have together at least this probability.
        faint_size: It is larger or smaller than the clear faces by at most this, as a logarithm of the side.
        faint_bias: The log-odds of a faint white dragon start with this (fitted, `models/row_blank_fit.py`).
        faint_weights: They grow by these for each of `FAINT_MEASURES` (fitted).
        faint_presence: A faint white dragon needs this presence: at less, sides of tiles pass as one.
        probability_floor: The probability of a white dragon by the classifier counts as at least so far from 0 and 1.
        max_tint: A crop whose colour differs by more than this, as a logarithm, has a coloured back.
        colour_floor: Differences of colour below this have no meaning, as a logarithm.
        face_share: This share of the width and height of a box surely shows the face.
        face_size_wh: The face is scaled to this width and height, in pixels.
        min_side_px: A face with a shorter side than this in the picture shows no colour.
        paper_quantile: The pixels of a clear face from this quantile of brightness on are paper.
        near_sides: A neighbour is nearer than this, in sides of a square as large as a clear face.
        same_iou: Two boxes that overlap by more than this (IoU) are one crop.
        burnt_level: A pixel is burnt out if no channel is darker than this.
        burnt_share: A reflection hides a face if this share of its pixels is burnt out; of 746 white dragons in photos
            none has more than 0.6.
        burnt_usual: It hides none where the clear faces have this share, too: the whole photo is too bright.
        hidden_probability: A white dragon behind a reflection is one with this probability.
    """

    min_faces: int = 3
    max_faces: int = 9
    min_face_probability: float = 0.9
    min_unclear_probability: float = 0.7
    min_probability: float = 0.02
    is_clear: float = 0.9
    bias: float = -10.34
    weights: tuple[float, ...] = (-2.55, -2.35, -13.64, 2.95, -1.97)
    faint_blank: float = 0.3
    faint_size: float = 0.4
    faint_bias: float = -6.1
    faint_weights: tuple[float, ...] = (0.34, 0.57, -1.34, -1.5)
    faint_presence: float = 0.8
    probability_floor: float = 1e-3
    max_tint: float = 0.25
    colour_floor: float = 0.03
    face_share: float = 0.6
    face_size_wh: tuple[int, int] = (16, 20)
    min_side_px: int = 6
    paper_quantile: float = 0.6
    near_sides: float = 0.43
    same_iou: float = 0.4
    burnt_level: int = 250
    burnt_share: float = 0.9
    burnt_usual: float = 0.2
    hidden_probability: float = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class SetLimitConfig:
    """How the copies in a set limit the names. All values are chosen.

    Attributes:
        max_rounds: The mean-field update runs at most this many times.
        min_probability: A tile takes no copy of a face that it shows with a lower probability.
        max_probability: A tile takes a copy of a face with at most this probability, so that two clear tiles of one
            face keep it whatever a set holds.
    """

    max_rounds: int = 4
    min_probability: float = 0.01
    max_probability: float = 0.999


@dataclass(frozen=True, slots=True, kw_only=True)
class NeighbourConfig:
    """Which boxes are neighbours. All values are chosen.

    Attributes:
        size_deviation: The log sizes of two tiles near each other differ by this standard deviation.
        reach_tiles: At a distance of this many tile sizes a neighbour counts 1/e of one close by.
        max_iou: Two boxes that overlap by more than this (IoU) are boxes of one place, not neighbours.
        alike_floor: The number of alike neighbours is increased by this before its logarithm is taken.
        max_distance_tiles: Two adjacent tiles have centers less far apart than this, in sizes of the larger one; this
            includes tiles end to end.
        max_size_ratio: Two adjacent tiles differ in the root of their areas by less than this factor.
    """

    size_deviation: float = 0.25
    reach_tiles: float = 3.0
    max_iou: float = 0.3
    alike_floor: float = 0.05
    max_distance_tiles: float = 1.6
    max_size_ratio: float = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassificationConfig:
    """Settings of the classification stage."""

    cascade: CascadeConfig = field(default_factory=CascadeConfig)
    fusion: FusionConfig = field(default_factory=FusionConfig)
    rectify: RectifyConfig = field(default_factory=RectifyConfig)
    red_fives: RedFiveConfig = field(default_factory=RedFiveConfig)
    blank_faces: BlankFaceConfig = field(default_factory=BlankFaceConfig)
    set_limits: SetLimitConfig = field(default_factory=SetLimitConfig)
    neighbours: NeighbourConfig = field(default_factory=NeighbourConfig)


CLASSIFICATION: Final = ClassificationConfig()
"""The defaults."""
