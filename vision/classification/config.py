"""Settings of the classification stage: cascade, fusion, rectification, red fives, set limits, neighbours."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class CascadeConfig:
    """Which tiles the high-resolution classifier names, and how much it counts. All values are chosen."""

    # A tile whose best face has less than this probability, given that there is a tile, is unclear.
    min_clear_probability: float = 0.8
    min_bonus_probability: float = 0.1  # a tile that is a flower or a season with at least this probability is unclear
    min_red_probability: float = 0.01  # a tile that is a red five with at least this probability is seen from all views
    min_presence: float = 0.1  # a crop with less than this presence is no tile and never unclear
    # The log-probabilities of the high-resolution classifier have this weight, those of the first classifier the rest.
    high_resolution_weight: float = 0.85
    # A tile takes the high-resolution classifier this many times as long as the first one (measured).
    high_resolution_cost: float = 6.0
    probability_floor: float = 1e-4  # every face has at least about this probability


@dataclass(frozen=True, slots=True, kw_only=True)
class FusionConfig:
    """The fixed settings of fusion; `Fusion` holds its fitted weights. All values are chosen."""

    detector_floor: float = 0.01  # the probability of each face by the detector is increased by this
    classifier_floor: float = 1e-4  # the probability of each face by the classifier is increased by this
    max_score: float = 0.99  # the sum of the scores of a proposal counts at most this
    min_no_tile: float = 0.001  # the probability of `no tile` counts at least this, and at most one less this
    max_names: int = 5  # a detection has at most this many names
    min_name_share: float = 0.01  # a name with less than this share of the best probability is left out


@dataclass(frozen=True, slots=True, kw_only=True)
class RectifyConfig:
    """Which corners are those of a face, and how its pixels are taken. All values are chosen."""

    min_face_share: float = 0.25  # a face has at least this share of the area of its box
    # A face has at most this share of the area of its box; it has more than all of it where another tile covers a part.
    max_face_share: float = 1.6
    # A face with more pixels a side than the crop needs, by this factor, is reduced before warping, which would pick
    # single pixels.
    max_oversampling: float = 1.3


@dataclass(frozen=True, slots=True, kw_only=True)
class RedFiveConfig:
    """How the colour of ink decides between red and plain fives. The biases and weights are fitted, the rest is chosen.

    The fit maximises the right red fives of rendered scenes whose artwork no training saw
    (`tilescore.datasets.artwork.artwork.FITTING`): 414 of 424 are right, and 2 other tiles are taken for one.
    """

    min_probability: float = 0.01  # a tile that is a red five with at least this probability is compared
    min_neighbours: int = 2  # the comparison needs at least this many other tiles of the suit, or one five
    min_suit_probability: float = 0.5  # a tile counts as one of the suit from this probability on
    # The log-odds of a red five by its ink start with this where there are tiles to compare.
    relative_bias: float = -3.5
    relative_weight: float = 6.0  # they grow by this for a redness one above the median of those tiles
    # The log-odds of a red five by its ink start with this where there are too few tiles to compare.
    alone_bias: float = -1.8
    alone_weight: float = 4.7  # they grow by this for a redness of one
    max_face_log_odds: float = 4.0  # the log-odds of a red five by the classifier are clipped to this absolute value
    probability_floor: float = 1e-3  # both probabilities are increased by this before their log-odds are taken
    face_width_share: float = 0.72  # this share of the width of a box surely shows the face
    face_height_share: float = 0.76  # this share of the height of a box surely shows the face
    face_size_wh: tuple[int, int] = (24, 32)  # the face is scaled to this width and height, in pixels
    min_side_px: int = 6  # a face with a shorter side than this in the picture shows no colour
    paper_quantile: float = 0.6  # the pixels of a face from this quantile of brightness on are paper
    min_ink: float = 0.15  # ink takes at least this share of some colour out of the light of the paper
    min_ink_share: float = 0.5  # ink takes at least this share of what the darkest pixels take
    dark_quantile: float = 0.97  # the darkest pixels are those at this quantile
    min_ink_px: int = 8  # a face with fewer pixels of ink than this shows no colour


@dataclass(frozen=True, slots=True, kw_only=True)
class BlankFaceConfig:
    """How the colour of the other faces decides whether a blank crop is a white dragon.

    The bias and the weights are fitted by logistic regression on real photos (`python -m tilescore.models.blank_fit`),
    the rest is chosen.
    """

    min_faces: int = 3  # the comparison needs at least this many clear faces in the picture
    max_faces: int = 9  # the colour of at most this many of them is measured, because each takes time
    min_face_probability: float = 0.9  # a crop is a clear face from this probability on
    # A crop may be blank if `white dragon`, `back` and `no tile` have together at least this probability.
    min_unclear_probability: float = 0.7
    min_probability: float = 0.02  # a crop may be a white dragon from this probability by the classifier on
    is_clear: float = 0.9  # a crop that is a white dragon with at least this probability stays as it is
    bias: float = -10.34  # the log-odds of a white dragon by the pixels start with this
    # The log-odds of a white dragon by the pixels grow by these for each of the measures of `blank_measures`.
    weights: tuple[float, ...] = (-2.55, -2.35, -13.64, 2.95, -1.97)
    faint_blank: float = 0.3  # a crop may be a faint white dragon if the three have together at least this probability
    # A faint white dragon is larger or smaller than the clear faces by at most this, as a logarithm of the side.
    faint_size: float = 0.4
    faint_bias: float = -6.1  # the log-odds of a faint white dragon start with this (fitted, `models/row_blank_fit.py`)
    # The log-odds of a faint white dragon grow by these for each of `FAINT_MEASURES` (fitted).
    faint_weights: tuple[float, ...] = (0.34, 0.57, -1.34, -1.5)
    faint_presence: float = 0.8  # a faint white dragon needs this presence: at less, sides of tiles pass as one
    # The probability of a white dragon by the classifier counts as at least so far from 0 and 1.
    probability_floor: float = 1e-3
    max_tint: float = 0.25  # a crop whose colour differs by more than this, as a logarithm, has a coloured back
    colour_floor: float = 0.03  # differences of colour below this have no meaning, as a logarithm
    face_share: float = 0.6  # this share of the width and height of a box surely shows the face
    face_size_wh: tuple[int, int] = (16, 20)  # the face is scaled to this width and height, in pixels
    min_side_px: int = 6  # a face with a shorter side than this in the picture shows no colour
    paper_quantile: float = 0.6  # the pixels of a clear face from this quantile of brightness on are paper
    near_sides: float = 0.43  # a neighbour is nearer than this, in sides of a square as large as a clear face
    same_iou: float = 0.4  # two boxes that overlap by more than this (IoU) are one crop
    burnt_level: int = 250  # a pixel is burnt out if no channel is darker than this
    # A reflection hides a face if this share of its pixels is burnt out; of 746 white dragons in photos none has more
    # than 0.6.
    burnt_share: float = 0.9
    burnt_usual: float = 0.2  # it hides none where the clear faces have this share, too: the whole photo is too bright
    hidden_probability: float = 0.5  # a white dragon behind a reflection is one with this probability


@dataclass(frozen=True, slots=True, kw_only=True)
class SetLimitConfig:
    """How the copies in a set limit the names. All values are chosen."""

    max_rounds: int = 4  # the mean-field update runs at most this many times
    min_probability: float = 0.01  # a tile takes no copy of a face that it shows with a lower probability
    # A tile takes a copy of a face with at most this probability, so that two clear tiles of one face keep it whatever
    # a set holds.
    max_probability: float = 0.999


@dataclass(frozen=True, slots=True, kw_only=True)
class NeighbourConfig:
    """Which boxes are neighbours. All values are chosen."""

    size_deviation: float = 0.25  # the log sizes of two tiles near each other differ by this standard deviation
    reach_tiles: float = 3.0  # at a distance of this many tile sizes a neighbour counts 1/e of one close by
    max_iou: float = 0.3  # two boxes that overlap by more than this (IoU) are boxes of one place, not neighbours
    alike_floor: float = 0.05  # the number of alike neighbours is increased by this before its logarithm is taken
    # Two adjacent tiles have centers less far apart than this, in sizes of the larger one; this includes tiles end to
    # end.
    max_distance_tiles: float = 1.6
    max_size_ratio: float = 2.0  # two adjacent tiles differ in the root of their areas by less than this factor
