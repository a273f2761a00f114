"""Settings of the video stage: motion, finding tiles in frames, tracking, watching, sources and recordings."""

from dataclasses import dataclass
from typing import Final

from tilescore.vision.image.config import PhotoLimits


@dataclass(frozen=True, slots=True, kw_only=True)
class MotionConfig:
    """When a picture counts as still. All values are chosen; shares and shifts are relative to the picture."""

    long_side_px: int = 160  # the thumbnails have this long side
    # A point has changed when it differs by more than this many grey levels; noise and the flicker of a lamp stay
    # below.
    min_change_levels: int = 20
    min_response: float = 0.08  # a correlation peak below this means that two pictures have no common shift
    max_shift_share: float = 0.1  # a shift above this share of the width is no common shift
    # A still picture changes in less than this share; a tile laid down is larger, and what edges leave after a shake is
    # smaller.
    still_share: float = 0.0006
    still_shift: float = 0.01  # a still picture shifts by less than this share of its long side
    everything_share: float = 0.4  # a change in more than this share means that the camera moves, or somebody before it
    everything_shift: float = 0.04  # a shift by more than this share of the long side means the same
    # A picture with a lower mean grey level than this may show nothing, such as a covered lens.
    dark_level: float = 14.0
    dark_deviation_levels: float = 6.0  # a dark picture has a lower standard deviation than this, in grey levels


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameReaderConfig:
    """How tiles are found in a frame. All values are chosen."""

    # The passes of the whole frame take turns between these long sides of the input.
    full_inputs_px: tuple[int, ...] = (640, 576, 736)
    # The passes of the part with tiles take turns between these widths of a tile in the input.
    part_tiles_px: tuple[float, ...] = (42.0, 36.0, 50.0)
    max_names: int = 5  # a detection from its crop alone has at most this many names
    min_tiles: int = 4  # the part with tiles has at least this many tiles; with fewer the whole frame is passed
    margin_tiles: float = 1.6  # the part shows this much around its tiles, in tile widths
    min_input_px: int = 256  # the long side of the input of the part is at least this
    max_input_area_px: int = 736 * 416  # the input of the part has at most about this many pixels, the cost of a pass
    min_presence: float = 0.5  # a known tile is still there when its crop has at least this presence
    # A place whose center is closer than this to that of a tile, in sides of the larger box, is that tile's, so that no
    # third tile is found between two neighbours. The boxes of neighbours in a slanted row overlap, but less.
    max_taken_distance: float = 0.55


@dataclass(frozen=True, slots=True, kw_only=True)
class TrackerConfig:
    """How tiles are tracked over the frames. All values are chosen."""

    name_floor: float = 0.005  # the probability of each face in a pass is increased by this
    # The older evidence of a track keeps this share with each pass, so that a tile laid in the place of another is
    # named anew within a second.
    evidence_decay: float = 0.9
    # All passes together count as at most this many independent ones, because their errors are much alike.
    independent_passes: float = 2.5
    max_names: int = 5  # a detection has at most this many names
    min_name_share: float = 0.01  # a name with less than this share of the best probability is left out
    visibility_rate: float = 0.3  # the last pass has this weight in the visibility of a track
    sure_visibility: float = 0.5  # a track from this visibility on is surely there, after two passes in a row
    gone_visibility: float = 0.35  # a track up to this visibility is gone when nothing covers the scene
    forget_s: float = 6.0  # a track unseen for longer than this is removed; a hand that covers a tile is gone sooner
    max_offset_tiles: float = 0.6  # a detection belongs to a track at most this far from it, in tile widths
    other_face_tiles: float = 0.25  # another face counts as this many tile widths of distance
    max_camera_tiles: float = 5.0  # the camera moves the picture by less than this between two passes, in tile widths
    agreement_tiles: float = 0.4  # two tiles move alike when their moves differ by less than this, in tile widths
    move_cost_votes: float = 0.1  # a move loses this many votes for each tile width of its length
    # A turn and magnification that differs from none by more than this is an error of the fit.
    max_factor_change: float = 0.15
    double_iou: float = 0.45  # two tracks that overlap by at least this (IoU) are one tile
    part_size_ratio: float = 1.25  # a track may be a part of tracks whose area is larger by more than this factor
    # A track of which larger ones cover more than this share is a part of one, or of two side by side.
    part_cover: float = 0.8


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchConfig:
    """When frames are passed, and when a hand is certain. All values are chosen."""

    agreeing_passes: int = 3  # a hand is certain when this many passes in a row agree
    rest_s: float = 0.12  # they agree for at least this many seconds
    search_every: int = 3  # at rest one in this many passes searches for tiles; the others confirm the known ones
    thorough_passes: int = 9  # a certain scene is understood after this many passes, one for each kind of pass
    majority_passes: int = 11  # after this many passes a majority is enough
    majority_share: float = 0.7  # the majority has at least this share of the passes
    patience_passes: int = 14  # a scene at rest whose passes do not agree is left alone after this many
    retry_s: float = 3.0  # it is tried again after this many seconds, twice as many each time
    # It is tried again after at most this many seconds, which costs no more than an idle table.
    max_retry_s: float = 60.0
    max_tries: int = 10  # the number of tries stops counting here
    # While hands move, a frame is passed at most once in this many seconds, enough to keep the tiles.
    busy_interval_s: float = 0.4
    near_tiles: float = 2.5  # an uncertain tile closer than this to the hand makes it uncertain, in tile widths
    # A hand that keeps at least this share of its physical tiles is the same hand, changed.
    same_hand_share: float = 0.6


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceConfig:
    """How frames are taken from a source. All values are chosen."""

    # A camera that sends nothing for this long does not answer; a longer pause in a file that is played is cut.
    answer_s: float = 8.0
    retry_s: float = 2.0  # a camera that does not answer is asked again after this long
    lost_patience_s: float = 120.0  # a lost camera is asked again for this long
    # A network camera that does not answer at first is asked again for this long; it may just be starting.
    first_patience_s: float = 6.0
    interval_s: float = 0.08  # the frames of a camera are taken this far apart, because reading one takes longer anyway
    calm_interval_s: float = 0.2  # frames are taken this far apart while nothing happens
    buffered_s: float = 0.004  # a frame that arrives sooner than this was waiting, and a newer one is behind it
    max_buffered_frames: int = 30  # at most this many waiting frames are skipped at a time
    rate_frames: int = 20  # the rate of a camera is measured over this many frames
    slow_frames_per_s: float = 6.0  # a source with fewer frames a second than this gets a warning
    usual_frames_per_s: float = 25.0  # a file without a plausible rate is taken at this rate
    # Of a file with far more frames a second, as many are passed over as reach this rate. The watch counts passes, and
    # in very fast films nothing moves from one frame to the next.
    most_frames_per_s: float = 60.0
    camera_size_wh: tuple[int, int] = (1280, 720)  # a USB camera is asked for pictures of this width and height


@dataclass(frozen=True, slots=True, kw_only=True)
class RecorderConfig:
    """How a recording is written. All values are chosen."""

    frames_per_s: float = 12.5  # the video has this rate; no camera is watched faster
    max_gap_frames: int = 25  # a frame is repeated at most this often while none comes; a longer pause is cut
    # A recording ends while its disk still has this much room, because the codec does not report a full disk, and the
    # index at the end of the file needs room.
    min_free_bytes: int = 32_000_000


MESSAGE_LIMITS: Final = PhotoLimits(
    formats=("JPEG",), max_bytes=1_500_000, max_pixels=1280 * 1280, max_scans=10, max_scan_pixels=0
)
"""Limits of a frame that a browser sends. Our page sends JPEG files of at most 1280 x 1280 pixels with a few hundred
kilobytes. Ten scans take 50 ms."""
