"""Settings of the image stage: limits of photo files, light and noise, rows of boxes, sharpness of tiles."""

import math
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class PhotoLimits:
    """Limits of photo files, checked before anything large is allocated. All are chosen."""

    # Formats that are read, by Pillow's names.
    formats: tuple[str, ...] = ("JPEG", "PNG", "WEBP", "HEIF", "AVIF", "JXL", "TIFF", "BMP", "GIF")
    max_bytes: int = 60_000_000  # a file with more bytes than this is refused
    max_pixels: int = 120_000_000  # a picture with more pixels than this is refused
    # Formats whose decoders keep several copies of all pixels.
    copied_formats: frozenset[str] = frozenset({"WEBP", "AVIF", "JXL", "GIF"})
    max_pixels_copied: int = 50_000_000  # a picture of these formats with more pixels than this is refused
    min_side_px: int = 32  # a picture with a shorter side than this is refused
    # A picture longer than this many times its width is refused, because at working size no tile of it can be seen.
    max_aspect_ratio: int = 30
    max_scans: int = 16  # a progressive JPEG with up to this many scans is always decoded; a usual one has about ten
    # A JPEG with more scans is refused when its scans together have more pixels than this, because each scan costs a
    # walk over the picture.
    max_scan_pixels: int = 1_500_000_000
    # A JPEG that holds more bytes than this share behind its last pixel declares another size than it holds; a bad byte
    # leaves fewer.
    max_extraneous_share: float = 0.01
    # A large picture is decoded at about this long side, which shows every tile of a hand sharply.
    working_long_side_px: int = 1920
    # The decoder converts this many rows of the reduced picture at a time, so that only one band has four bytes a
    # pixel.
    band_rows: int = 256


PHOTO_LIMITS: Final = PhotoLimits()
"""Those of a photo."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewConfig:
    """Which photos are changed before they are looked at."""

    # The brightest of a photo is this quantile of each colour, because the faces of small tiles may cover little of it
    # (chosen).
    white_quantile: float = 0.998
    # Light is weak or has a colour if the weakest colour of the brightest has less than this share of white. Of 1,329
    # photos only two have less, both underexposed (chosen).
    min_white: float = 0.6
    white_side_px: int = 128  # about so many pixels of the long side are looked at for that (chosen)
    # Noise is the deviation in this share of the blocks of the middle, the quietest of those that are neither black nor
    # white; blocks have this side (chosen).
    quiet_share: float = 0.2
    block_px: int = 16
    grey_levels: tuple[int, int] = (30, 235)
    # A photo with noise of this deviation, in grey levels, is made smooth. Of 1,329 real photos three have more, by the
    # weave of a cloth and in strips of 71 pixels (measured).
    min_noise: float = 10.0
    # The deviation of the Gaussian that takes out noise is this share of the long side; that of one which takes out the
    # grid of a screen, too (chosen).
    noise_share: float = 1 / 700
    grid_share: float = 1 / 500


@dataclass(frozen=True, slots=True, kw_only=True)
class RowConfig:
    """Which boxes form a row. All values are chosen; lengths are in the unit that the name ends with."""

    # The next tile of a row lies at most this far off the line, in extents of the smaller tile across the line; a
    # sideways tile always lies off it a little.
    max_offset_extents: float = 0.6
    max_step_tiles: float = 3.2  # the next tile lies at most this far ahead, in tile sizes
    # The next tile lies at least this far ahead, in short sides of the last tile; a closer box is the same tile twice.
    min_step_tiles: float = 0.3
    # Two neighbours in a row differ in size by less than this factor, even a lying and a standing tile.
    max_size_ratio: float = 2.0
    # The cosine of the largest turn of a row between neighbours (28 degrees).
    min_bend_cosine: float = math.cos(math.radians(28))
    # The cosine of the smallest angle between rows that lie across each other (35 degrees).
    max_across_cosine: float = math.cos(math.radians(35))
    # A row counts as straight when the way along it is longer by at most this share than the way from end to end.
    max_straight_excess: float = 0.01
    # A tile hides the tiles behind it whose direction differs by less than the angle with this cosine (18 degrees).
    shadow_cosine: float = math.cos(math.radians(18))
    offset_cost: float = 2.5  # a tile width off the line costs as much as this many tile widths ahead
    memory_tiles: int = 4  # the direction of the line ahead comes from this many last tiles
    # The score of a row falls by at most this much, in tiles, for the distance of its neighbours.
    max_looseness: float = 0.5
    # The score of a row falls by this many tiles times the share that bending adds to its length.
    bend_cost_tiles: float = 4.0
    # A line whose longer component exceeds the shorter by this factor counts as upright or level; between, a box tells
    # little about the extent of its tile.
    min_steepness: float = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class StraightConfig:
    """How a row is made straight. All values are chosen."""

    # A corner that lies within this many tile heights of its place belongs to the straight row.
    max_offset: float = 0.15
    min_inside: float = 0.6  # at least this share of the corners belongs to it, or there is none


@dataclass(frozen=True, slots=True, kw_only=True)
class SharpnessConfig:
    """How the sharpness of a tile is measured. Both values are chosen."""

    side_px: int = 32  # every tile is scaled to a square of this side, so that near and far ones compare
    # A face with less contrast than this, in grey levels, has no edges that could be sharp, such as a white dragon or a
    # back.
    min_contrast_levels: float = 8.0
