"""Settings of the detection stage: proposals, box refiner, passes at several scales, neighbours."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalConfig:
    """Which outputs of the detector become proposals. All values are chosen.

    Attributes:
        min_score: A proposal of a detector without a box refiner has at least this score.
        refined_min_score: A proposal that a box refiner checks has at least this score.
        nms_iou: Of two outputs of one pass that overlap by more than this (IoU), the better one stays.
        merge_iou: Of two proposals of different passes that overlap by more than this (IoU), the likelier one stays.
        max_names: A proposal has at most this many names.
        min_name_share: A name with less than this share of the best score is left out.
    """

    min_score: float = 0.05
    refined_min_score: float = 0.02
    nms_iou: float = 0.55
    merge_iou: float = 0.5
    max_names: int = 5
    min_name_share: float = 0.01


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxRefinerConfig:
    """How the outputs of the box refiner change proposals. All values are chosen; log-odds are those of a tile.

    Attributes:
        clear_log_odds: A proposal with absolute log-odds below this is passed once more, mirrored; three in four
            proposals are clear after one pass (measured).
        max_log_odds: The log-odds are clipped to this absolute value, because one crop never justifies more.
        shift_share: A box moves by this share of the way to its refined place; collections of photos differ on whether
            the sides of a tile belong to its box, and the detector has seen more of them.
        back_shift_share: The box of a back moves by this share of the way, because the detector has seen too few walls
            at an angle.
        recheck_iou: A box whose refined place overlaps it by less than this (IoU), such as one across two tiles of a
            slanted row, is put there and refined once more.
        back_recheck_iou: The box of a back is refined once more when its refined place overlaps it by less than this.
        recheck_min_log_odds: A box is refined once more only with log-odds above this.
        min_iou: A refined place that overlaps the box by less than this (IoU) is ignored.
        nms_iou: Of two refined places that overlap by more than this (IoU), the likelier one stays.
        min_joint_log_odds: A proposal with lower log-odds than this, by detector and box refiner together, is dropped.
    """

    clear_log_odds: float = 4.0
    max_log_odds: float = 8.0
    shift_share: float = 0.5
    back_shift_share: float = 1.0
    recheck_iou: float = 0.65
    back_recheck_iou: float = 0.8
    recheck_min_log_odds: float = -2.0
    min_iou: float = 0.3
    nms_iou: float = 0.5
    min_joint_log_odds: float = -4.5


@dataclass(frozen=True, slots=True, kw_only=True)
class MultiscaleConfig:
    """When the detector makes further passes, and how large. All values but the best tile size are chosen.

    Attributes:
        best_tile_px: The detector names tiles best at this short side, in input pixels (measured).
        large_tile_px: With tiles of at least this short side, in input pixels, a larger pass adds nothing.
        small_tile_px: With tiles of a shorter side than this, in input pixels, the longest rows get a pass of their
            own.
        small_quantile: The size of the tiles that decide on a larger pass is this quantile of all.
        larger_scale: The larger pass has an input this many times as large.
        full_scale: A pass at this scale of the photo or more leaves nothing to enlarge.
        retry_max_scale: A photo with too few proposals gets a second pass only if the first had at most this scale.
        retry_larger_scale: The second pass of a photo with too few proposals has an input this many times as large.
        min_row_tiles: A row has at least this many tiles, and a photo with fewer proposals has too few.
        max_rows: The pass of the longest rows shows at most this many rows.
        margin_tiles: The pass of the longest rows shows this much around them, in tile sizes.
        max_enlargement: The part with the longest rows is enlarged at most by this factor.
        min_gain: The pass of the longest rows is left out unless it shows tiles this many times as large.
        max_input_px: The long side of the input of that pass is at most this.
        min_input_px: The long side of the input of that pass is at least this.
        max_covered_share: A proposal of the first pass is replaced when at least this share of it lies in that part.
    """

    best_tile_px: float = 42.0
    large_tile_px: float = 40.0
    small_tile_px: float = 30.0
    small_quantile: float = 0.1
    larger_scale: float = 1.5
    full_scale: float = 0.95
    retry_max_scale: float = 0.75
    retry_larger_scale: int = 2
    min_row_tiles: int = 4
    max_rows: int = 3
    margin_tiles: float = 1.6
    max_enlargement: float = 1.6
    min_gain: float = 1.15
    max_input_px: int = 1024
    min_input_px: int = 256
    max_covered_share: float = 0.7


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
class DetectionConfig:
    """Settings of the detection stage.

    Attributes:
        proposals: The settings of the detector.
        refiner: The settings of the box refiner.
        multiscale: The settings of further passes.
        neighbours: The settings of neighbourhoods.
    """

    proposals: ProposalConfig = field(default_factory=ProposalConfig)
    refiner: BoxRefinerConfig = field(default_factory=BoxRefinerConfig)
    multiscale: MultiscaleConfig = field(default_factory=MultiscaleConfig)
    neighbours: NeighbourConfig = field(default_factory=NeighbourConfig)


DETECTION: Final = DetectionConfig()
"""The defaults."""
