"""Pictures as poor photos show them, and the loss of a network that keeps what it says of clear ones (extra `train`).

A network of before, the teacher, sees the clear picture. The network in training sees half of the pictures as clearly
and keeps what the teacher says, and sees the other half poorly (Li and Hoiem, "Learning without Forgetting", 2016).
What no picture shows can still be forgotten: the classifiers of E281 lost flowers of designs that training lacks.
"""

from typing import Any, Final

import cv2
import numpy as np

from tilescore.vision.arrays import Floats

_GAMMA: Final = 2.2
_LIT: Final = 0.25
"""Share of the poor pictures in poor light."""
_BLURS: Final = (0.1, 0.1, 0.4, 0.4)
"""Shares of the poor pictures that are sharp, have few pixels, are out of focus, are moved."""
_FOCUS: Final = 0.056
"""Largest deviation of a picture out of focus, as a share of its side."""
_MOVED: Final = 0.2
"""Longest way of a moved picture, as a share of its side."""


def seen_poorly(x: Any, rng: np.random.Generator) -> Any:
    """Pictures (N, 3, S, S), 0-1, as poor photos show them: out of focus, moved, in glare or shadow, flat, noisy.

    The blur goes up to what a person at a table can still read.
    """
    import torch

    rows = [_kept_badly(_blurred(_lit(picture, rng), rng), rng) for picture in x.permute(0, 2, 3, 1).numpy()]
    poor = torch.from_numpy(np.stack(rows).clip(0, 1).astype(np.float32))
    return poor.permute(0, 3, 1, 2).contiguous(memory_format=torch.channels_last)


def as_before(logits: Any, before: Any) -> Any:
    """The loss (a number, in nats) of names (N, K) that are no longer those of before: distillation."""
    from torch.nn import functional

    return functional.kl_div(logits.log_softmax(1), before.log_softmax(1), log_target=True, reduction="batchmean")


def _lit(picture: Floats, rng: np.random.Generator) -> Floats:
    """A quarter of the pictures (S, S, 3) overexposed, with a reflection of a lamp, or with an edge of shadow."""
    if rng.random() >= _LIT:
        return picture
    side = len(picture)
    light = picture.clip(0, 1) ** _GAMMA
    down, across = np.indices((side, side)) / side - rng.uniform(0, 1, (2, 1, 1))
    if rng.random() < 0.5:
        light = light * rng.uniform(1, 2.5)
    if rng.random() < 0.6:
        lamp = np.exp(-(down**2 + across**2) / (2 * rng.uniform(0.15, 1) ** 2))
        light = light + rng.uniform(0.1, 0.8) * lamp[..., None]
    if rng.random() < 0.3:
        turn = rng.uniform(0, 2 * np.pi)
        beyond = (down * np.sin(turn) + across * np.cos(turn)) / rng.uniform(0.01, 0.06)
        light = light * (1 - rng.uniform(0.3, 0.9) / (1 + np.exp(-beyond.clip(-50, 50))))[..., None]
    return np.asarray(light.clip(0, 1) ** (1 / _GAMMA))


def _blurred(picture: Floats, rng: np.random.Generator) -> Floats:
    """Nine of ten pictures (S, S, 3) out of focus, moved along a line, or with few pixels."""
    side, kind = len(picture), rng.choice(4, p=_BLURS)
    if kind == 0:
        return picture
    if kind == 1:
        small = [max(4, int(side * rng.uniform(0.2, 0.6)))] * 2
        few = cv2.resize(picture, small, interpolation=cv2.INTER_AREA)
        return np.asarray(cv2.resize(few, (side, side), interpolation=cv2.INTER_LINEAR))
    if kind == 2:
        return _out_of_focus(picture, rng.uniform(0, _FOCUS))
    # A hand shakes upright or level more often than aslant.
    turn = rng.uniform(0, np.pi) if rng.random() < 0.4 else rng.integers(2) * np.pi / 2
    reach = side * rng.uniform(0.03, _MOVED) / 2
    steps = np.linspace(-reach, reach, 2 * int(2 * reach) + 3)
    size = 2 * int(np.ceil(reach)) + 3
    # Each step falls on the four pixels around it, by its distance from them.
    kernel = np.zeros((size, size))
    places = np.stack([steps * np.sin(turn), steps * np.cos(turn)]) + size // 2
    for corner in np.ndindex(2, 2):
        at = np.floor(places).astype(int) + np.array(corner)[:, None]
        np.add.at(kernel, tuple(at), np.prod(1 - np.abs(places - at), axis=0))
    kernel /= kernel.sum()
    moved = np.asarray(cv2.filter2D(picture, -1, kernel, borderType=cv2.BORDER_REPLICATE), np.float64)
    return _out_of_focus(moved, rng.uniform(0, _FOCUS / 2)) if rng.random() < 0.3 else moved


def _out_of_focus(picture: Floats, deviation: float) -> Floats:
    """The picture (S, S, 3) blurred with that deviation, a share of its side."""
    pixels = max(0.3, len(picture) * deviation)
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), pixels, borderType=cv2.BORDER_REPLICATE))


def _kept_badly(picture: Floats, rng: np.random.Generator) -> Floats:
    """Some pictures (S, S, 3) flat, noisy, or as a strong JPEG."""
    if rng.random() < 0.2:
        picture = picture.mean() + (picture - picture.mean()) * rng.uniform(0.2, 0.7) + rng.uniform(-0.1, 0.2)
    if rng.random() < 0.3:
        picture = picture + rng.normal(0, rng.uniform(0, 0.06), picture.shape)
    if rng.random() >= 0.2:
        return picture
    levels = (255 * picture.clip(0, 1)).astype(np.uint8)
    data = cv2.imencode(".jpg", levels, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(10, 60))])[1]
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.float64) / 255
