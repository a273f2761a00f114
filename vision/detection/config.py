"""Settings of the detection stage: proposals, box refiner, slant, second look, look along a row."""

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalConfig:
    """Which outputs of the detector become proposals. All values are chosen."""

    min_score: float = 0.05  # a proposal of a detector without a box refiner has at least this score
    refined_min_score: float = 0.02  # a proposal that a box refiner checks has at least this score
    nms_iou: float = 0.55  # of two outputs of one pass that overlap by more than this (IoU), the better one stays
    max_names: int = 5  # a proposal has at most this many names
    min_name_share: float = 0.01  # a name with less than this share of the best score is left out


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxRefinerConfig:
    """How the outputs of the box refiner change proposals. All values are chosen; log-odds are those of a tile."""

    # A proposal of a face with this score is clear and stays as it is: 95 of 100 have log-odds of 4.2 or more by the
    # box refiner (measured).
    clear_score: float = 0.9
    clear_support: float = 4.5  # a clear proposal has these log-odds (measured: the median)
    # A proposal of a back with a lower score is dropped: 95 of 100 have log-odds below -1.6 (measured).
    min_back_score: float = 0.05
    # A proposal with absolute log-odds below this is passed once more, mirrored; three in four proposals are clear
    # after one pass (measured).
    clear_log_odds: float = 4.0
    max_log_odds: float = 8.0  # the log-odds are clipped to this absolute value, because one crop never justifies more
    # A box moves by this share of the way to its refined place; collections of photos differ on whether the sides of a
    # tile belong to its box, and the detector has seen more of them.
    shift_share: float = 0.5
    # The box of a back moves by this share of the way, because the detector has seen too few walls at an angle.
    back_shift_share: float = 1.0
    min_iou: float = 0.3  # a refined place that overlaps the box by less than this (IoU) is ignored
    nms_iou: float = 0.5  # of two refined places that overlap by more than this (IoU), the likelier one stays
    # A proposal with lower log-odds than this, by detector and box refiner together, is dropped.
    min_joint_log_odds: float = -3.0


@dataclass(frozen=True, slots=True, kw_only=True)
class SlantConfig:
    """Which tiles say how a hand lies. All values are chosen."""

    min_confidence: float = 0.5  # a face counts from this confidence on
    min_faces: int = 4  # at least this many faces say how they lie
    # Their edges count if the steps between neighbours are aslant by this angle, in radians.
    min_step_angle: float = math.radians(10)
    # The mean of directions, each a unit vector, is at least this long; it is 1 where all lie alike.
    min_agreement: float = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class SecondLookConfig:
    """Which photos get a second look, and at what. The values are chosen; sizes of tiles are in pixels of the input."""

    large_tile_px: float = 40.0  # tiles of this size were seen well at the first look
    best_tile_px: float = 42.0  # the detector finds most tiles when they have this size
    min_tiles: int = 4  # a row has at least this many tiles; where there are fewer in all, the whole photo is looked at
    # There is no second look at more tiles than this: it would take half a second, and of 39 hands that second looks
    # brought one had more (measured).
    max_tiles: int = 80
    max_rows: int = 3  # the part shows at most this many rows
    margin_tiles: float = 1.6  # the part shows this much around them, in tile sizes
    min_gain: float = 1.5  # there is no second look unless its tiles are this many times as large as in the first
    # Rows are enlarged by this factor at most: of 504 hands, some in small photos, 11 more are read exactly so
    # (measured).
    max_growth: float = 2.0
    min_input_px: int = 256  # the long side of the input is at least this
    max_input_px: int = 1280  # the long side of the input is at most this
    # A proposal of the first look is replaced when at least this share of it lies in the part.
    max_covered_share: float = 0.7


@dataclass(frozen=True, slots=True, kw_only=True)
class AlongRowConfig:
    """Which rows get a look along them, and what of it counts. All values are chosen."""

    min_faces: int = 4  # a row has at least this many faces with a name
    min_confidence: float = 0.5  # a face has a name from this confidence on
    max_rows: int = 2  # at most this many rows of a photo are looked at, the longest first
    # Numbers of tiles that a row of a hand has when one or more are not seen.
    incomplete: tuple[int, ...] = (10, 11, 12, 15)
    sure: float = 0.9  # a tile at an end with less confidence than this is unsure
    narrow_end: float = 0.75  # an end is narrow if its tile is smaller than this many times that at the other end
    gap_steps: float = 1.6  # a gap is a step longer than this many of the steps beside it
    tile_wh: tuple[int, int] = (72, 96)  # size of a face in the strip, in pixels
    tile_px: float = 42.0  # width of a face in the input of the detector
    above_heights: float = 0.9  # a tile across above the row lies this far up, in heights of a box
    # What is blank beside a row differs from the faces by at most this tint (`blank_measures`).
    beside_tint: float = -2.2
    max_texture: float = -2.2  # it has at most this texture
    max_tint: float = -1.27  # a tile of another tint has a coloured back
    max_above: int = 3  # at most this many places above a row are tiles; more are the sides of standing tiles
    full_row: int = 14  # the strip has room for so many tiles
    most_missing: int = 4  # it has room for at most so many that are not seen, and for one at least
    margin_widths: float = 2.2  # it reaches this much farther beyond both ends, in tile widths
    margin_heights: float = 1.2  # the strip reaches this far above and below the row, in tile heights
    # The strip ends where tiles would be smaller or larger than the last one by this factor, and no tile takes the
    # place of a neighbour if it is larger by this factor, in area.
    max_growth: float = 2.0
    max_offset_heights: float = 0.5  # a tile of the row lies at most this far off its middle line
    # What is nearer to the upper or lower edge of the strip, in tile heights, is not seen whole.
    border_heights: float = 0.05
    # The log-odds of a blank white dragon in a strip start with this (fitted, `models/row_blank_fit.py`).
    blank_bias: float = -0.46
    # The log-odds of a blank white dragon in a strip grow by these for each of `ROW_MEASURES` (fitted).
    blank_weights: tuple[float, ...] = (0.55, 0.26, -0.86, -0.63, -6.47, -4.64)
    min_blank_odds: float = 1.0  # a white dragon needs these log-odds
    same_iou: float = 0.5  # two boxes that overlap by more than this (IoU) are one tile
    # A tile of another row in the strip is at most this many times as large as those of the row, or as small.
    max_size: float = 1.4
    max_covered_share: float = 0.5  # two boxes of which one has more than this share in the other cannot both be tiles
