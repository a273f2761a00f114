"""The browser's camera: its picture on the page, and its frames, each sent when the one before is answered."""

import base64
import binascii
import math
from collections.abc import Callable
from typing import Any, Final

from tilescore.ui.components.assets import draw, last_event
from tilescore.ui.words.text import words
from tilescore.vision.image.photo import PhotoError, decode_photo
from tilescore.vision.video.config import MESSAGE_LIMITS
from tilescore.vision.video.watch import WatchedFrame

_KEY: Final = "camera_tap"
_TEXTS: Final = (
    *("start", "stop", "camera", "picture", "hint", "none", "refused", "insecure", "busy", "unplugged", "slow"),
)


def camera_tap(*, state: str, line: str, idle: bool, on_frame: Callable[[WatchedFrame], None]) -> None:
    """Draw the camera; `on_frame` gets each frame before the page is drawn again.

    `state` is that of the table, for the border of the picture; `line` is one sentence below it. While the page is
    `idle`, it needs no frame.
    """

    def came(event: dict[str, Any]) -> None:
        frame = frame_of(event)
        if frame is not None:
            on_frame(frame)

    data = {
        "state": state,
        "line": line,
        "idle": idle,
        "ack": last_event(_KEY),
        "words": {name: words(f"live.{name}") for name in _TEXTS},
    }
    draw(_KEY, key=_KEY, data=data, frame=came)


def frame_of(event: dict[str, Any]) -> WatchedFrame | None:
    """The frame of an event; None if it holds no usable one, and the browser sends another."""
    text, at_s = event.get("jpeg"), event.get("at_s")
    if not isinstance(text, str) or not isinstance(at_s, int | float) or len(text) > 2 * MESSAGE_LIMITS.max_bytes:
        return None
    try:
        photo, time_s = decode_photo(base64.b64decode(text, validate=True), limits=MESSAGE_LIMITS), float(at_s)
    except (binascii.Error, ValueError, OverflowError, PhotoError):
        return None
    return WatchedFrame(photo.rgb, time_s) if math.isfinite(time_s) else None
