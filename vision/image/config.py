"""Settings of the image stage: limits of photo files, rows of boxes, sharpness of tiles."""

import math
from dataclasses import dataclass, field
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class PhotoLimits:
    """Limits of photo files, checked before anything large is allocated. All are chosen.

    Attributes:
        formats: Formats that are read, by Pillow's names.
        max_bytes: A file with more bytes than this is refused.
        max_pixels: A picture with more pixels than this is refused.
        copied_formats: Formats whose decoders keep several copies of all pixels.
        max_pixels_copied: A picture of these formats with more pixels than this is refused.
        min_side_px: A picture with a shorter side than this is refused.
        max_aspect_ratio: A picture longer than this many times its width is refused, because at working size no tile of
            it can be seen.
        max_scans: A progressive JPEG with up to this many scans is always decoded; a usual one has about ten.
        max_scan_pixels: A JPEG with more scans is refused when its scans together have more pixels than this, because
            each scan costs a walk over the picture.
        max_extraneous_share: A JPEG that holds more bytes than this share behind its last pixel declares another size
            than it holds; a bad byte leaves fewer.
        working_long_side_px: A large picture is decoded at about this long side, which shows every tile of a hand
            sharply.
        band_rows: The decoder converts this many rows of the reduced picture at a time, so that only one band has four
            bytes a pixel.
    """

    formats: tuple[str, ...] = ("JPEG", "PNG", "WEBP", "HEIF", "AVIF", "JXL", "TIFF", "BMP", "GIF")
    max_bytes: int = 60_000_000
    max_pixels: int = 120_000_000
    copied_formats: frozenset[str] = frozenset({"WEBP", "AVIF", "JXL", "GIF"})
    max_pixels_copied: int = 50_000_000
    min_side_px: int = 32
    max_aspect_ratio: int = 30
    max_scans: int = 16
    max_scan_pixels: int = 1_500_000_000
    max_extraneous_share: float = 0.01
    working_long_side_px: int = 1920
    band_rows: int = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class RowConfig:
    """Which boxes form a row. All values are chosen; lengths are in the unit that the name ends with.

    Attributes:
        max_offset_extents: The next tile of a row lies at most this far off the line, in extents of the smaller tile
            across the line; a sideways tile always lies off it a little.
        max_step_tiles: The next tile lies at most this far ahead, in tile sizes.
        min_step_tiles: The next tile lies at least this far ahead, in short sides of the last tile; a closer box is the
            same tile twice.
        max_size_ratio: Two neighbours in a row differ in size by less than this factor, even a lying and a standing
            tile.
        min_bend_cosine: The cosine of the largest turn of a row between neighbours (28 degrees).
        max_across_cosine: The cosine of the smallest angle between rows that lie across each other (35 degrees).
        max_straight_excess: A row counts as straight when the way along it is longer by at most this share than the
            way from end to end.
        shadow_cosine: A tile hides the tiles behind it whose direction differs by less than the angle with this cosine
            (18 degrees).
        offset_cost: A tile width off the line costs as much as this many tile widths ahead.
        memory_tiles: The direction of the line ahead comes from this many last tiles.
        max_looseness: The score of a row falls by at most this much, in tiles, for the distance of its neighbours.
        bend_cost_tiles: The score of a row falls by this many tiles times the share that bending adds to its length.
        min_steepness: A line whose longer component exceeds the shorter by this factor counts as upright or level;
            between, a box tells little about the extent of its tile.
    """

    max_offset_extents: float = 0.6
    max_step_tiles: float = 3.2
    min_step_tiles: float = 0.3
    max_size_ratio: float = 2.0
    min_bend_cosine: float = math.cos(math.radians(28))
    max_across_cosine: float = math.cos(math.radians(35))
    max_straight_excess: float = 0.01
    shadow_cosine: float = math.cos(math.radians(18))
    offset_cost: float = 2.5
    memory_tiles: int = 4
    max_looseness: float = 0.5
    bend_cost_tiles: float = 4.0
    min_steepness: float = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class StraightConfig:
    """How a row is made straight. All values are chosen.

    Attributes:
        max_offset: A corner that lies within this many tile heights of its place belongs to the straight row.
        min_inside: At least this share of the corners belongs to it, or there is none.
    """

    max_offset: float = 0.15
    min_inside: float = 0.6


@dataclass(frozen=True, slots=True, kw_only=True)
class SharpnessConfig:
    """How the sharpness of a tile is measured. Both values are chosen.

    Attributes:
        side_px: Every tile is scaled to a square of this side, so that near and far ones compare.
        min_contrast_levels: A face with less contrast than this, in grey levels, has no edges that could be sharp, such
            as a white dragon or a back.
    """

    side_px: int = 32
    min_contrast_levels: float = 8.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageConfig:
    """Settings of the image stage."""

    photo: PhotoLimits = field(default_factory=PhotoLimits)
    rows: RowConfig = field(default_factory=RowConfig)
    straight: StraightConfig = field(default_factory=StraightConfig)
    sharpness: SharpnessConfig = field(default_factory=SharpnessConfig)


IMAGE: Final = ImageConfig()
"""The defaults."""
