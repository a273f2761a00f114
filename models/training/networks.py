"""Blocks, augmentation and ONNX export that the small networks share (extra `train`)."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from tilescore.models.training.export import fill_blocks
from tilescore.vision.arrays import Floats, Pixels
from tilescore.vision.inference.session import load_onnxruntime

_GAMMA: Final = 2.2
_LIT: Final = 0.25
"""Share of the poor pictures in poor light."""
_BLURS: Final = (0.1, 0.1, 0.4, 0.4)
"""Shares of the poor pictures that are sharp, have few pixels, are out of focus, are moved."""
_FOCUS: Final = 0.056
"""Largest deviation of a picture out of focus, as a share of its side."""
_MOVED: Final = 0.2
"""Longest way of a moved picture, as a share of its side."""


def conv(c_in: int, c_out: int, stride: int = 1, size: int = 3, *, eps: float = 1e-5) -> list[Any]:
    """A convolution and its batch normalisation, which adds `eps` to each variance."""
    from torch import nn

    return [nn.Conv2d(c_in, c_out, size, stride, size // 2, bias=False), nn.BatchNorm2d(c_out, eps=eps)]


def trunk(widths: Sequence[int]) -> list[Any]:
    """Layers for a picture (N, 3, S, S). Layer number i halves the picture and gives `widths[i]` channels."""
    from torch import nn

    class Block(nn.Module):  # type: ignore[misc]  # torch is not installed where types are checked
        """Two convolutions with a shortcut around them. The first convolution halves the picture."""

        def __init__(self, c_in: int, c_out: int) -> None:
            super().__init__()
            self.path = nn.Sequential(*conv(c_in, c_out, 2), nn.SiLU(), *conv(c_out, c_out))
            self.short = nn.Sequential(nn.AvgPool2d(2), *conv(c_in, c_out, size=1))
            self.out = nn.SiLU()

        def forward(self, x: Any) -> Any:
            return self.out(self.path(x) + self.short(x))

    return [*conv(3, widths[0], 2), nn.SiLU(), *(Block(c_in, c_out) for c_in, c_out in pairwise(widths))]


def as_input(pixels: Any) -> Any:
    """Crops (N, S, S, C) of bytes as numbers (N, C, S, S) from 0 to 1."""
    return pixels.permute(0, 3, 1, 2).float() / 255


def middle_of(pixels: Pixels, *, share: float, side: int) -> Any:
    """That share of each side of stored crops (N, S, S, C), around the middle, as network input (N, C, side, side)."""
    import torch
    from torch.nn import functional

    keep = round(pixels.shape[1] * share)
    edge = (pixels.shape[1] - keep) // 2
    middle = as_input(torch.from_numpy(pixels[:, edge : edge + keep, edge : edge + keep]))
    return functional.interpolate(middle, size=side, mode="bilinear", align_corners=False, antialias=True)


def uniform(generator: Any, low: float, high: float, *shape: int) -> Any:
    """Random numbers between two limits."""
    import torch

    return torch.rand(*shape, generator=generator) * (high - low) + low


@dataclass(frozen=True, slots=True, eq=False)
class Views:
    """Random views of N stored crops: quarter turns, half of them mirrored, zoomed, stretched and moved a little."""

    matrix: Any  # from the view to the stored crop (N, 2, 2), both from -1 to 1
    shift: Any  # the middle of the view in the crop (N, 2)
    mirror: Any  # -1 for a mirrored view, else 1 (N,)

    @staticmethod
    def random(
        count: int, generator: Any, *, share: float, shift: float, zoom: tuple[float, float] = (1.0, 1.0)
    ) -> Views:
        """Views of so many crops, of this share of their sides on average; zoom and shift vary within these limits."""
        import torch

        angle = torch.randint(0, 4, (count,), generator=generator) * torch.pi / 2
        mirror = torch.where(uniform(generator, 0, 1, count) < 0.5, 1.0, -1.0)
        size = share * uniform(generator, *zoom, count)
        across, along = (size * uniform(generator, 0.93, 1.07, count) for _ in range(2))
        cos, sin = torch.cos(angle).round(), torch.sin(angle).round()
        rows = ([cos * across * mirror, -sin * along], [sin * across * mirror, cos * along])
        matrix = torch.stack([torch.stack(row, 1) for row in rows], 1)
        return Views(matrix, uniform(generator, -shift, shift, count, 2), mirror)

    def of(self, crops: Any, *, side: int, far: float = 1.0) -> Any:
        """The views (N, 3, side, side) of crops (N, 3, S, S); a crop `far` times as wide moves less."""
        import torch
        from torch.nn import functional

        theta = torch.cat([self.matrix, self.shift[:, :, None] / far], 2)
        grid = functional.affine_grid(theta, [len(crops), 3, side, side], align_corners=False)
        return functional.grid_sample(crops, grid, padding_mode="border", align_corners=False)

    def points(self, points: Any) -> Any:
        """Where points (N, P, 2) of the stored crops lie in the views."""
        import torch

        return (points - self.shift[:, None]) @ torch.linalg.inv(self.matrix).transpose(1, 2)


def seen_worse(x: Any, generator: Any) -> Any:
    """Pictures (N, 3, S, S) as other cameras and other light show them: brightness, tint, saturation, blur, noise."""
    import torch
    from torch.nn import functional

    def vary(low: float, high: float, channels: int = 1) -> Any:
        return uniform(generator, low, high, len(x), channels, 1, 1)

    x = (x - 0.5) * vary(0.65, 1.3) + 0.5 + vary(-0.15, 0.15)
    x = x * vary(0.85, 1.15, 3)
    grey = x.mean(1, keepdim=True)
    x = grey + (x - grey) * vary(0.3, 1.4)
    # A third of the pictures loses resolution.
    small = functional.interpolate(x, size=int(torch.randint(22, 48, (1,), generator=generator)), mode="area")
    soft = functional.interpolate(small, size=x.shape[-1], mode="bilinear", align_corners=False)
    x = torch.where(vary(0, 1) < 0.35, soft, x)
    x = x + torch.randn(x.shape, generator=generator) * vary(0, 0.05)
    return x.clamp(0, 1).to(memory_format=torch.channels_last)


def seen_poorly(x: Any, rng: np.random.Generator) -> Any:
    """Pictures (N, 3, S, S), 0-1, as poor photos show them: out of focus, moved, in glare or shadow, flat, noisy.

    The blur goes up to what a person at a table can still read.
    """
    import torch

    rows = [_kept_badly(_blurred(_lit(picture, rng), rng), rng) for picture in x.permute(0, 2, 3, 1).numpy()]
    poor = torch.from_numpy(np.stack(rows).clip(0, 1).astype(np.float32))
    return poor.permute(0, 3, 1, 2).contiguous(memory_format=torch.channels_last)


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


def write_onnx(network: Any, out: Path, *, side: int, output: str, channels: int = 3) -> float:
    """Write the ONNX file of a network with input (N, channels, side, side) and an output of that name.

    The network is put into evaluation mode. Returns the largest difference between the outputs of file and torch.
    """
    import torch

    network.eval()
    sample = torch.rand(4, channels, side, side, generator=torch.Generator().manual_seed(0))
    with warnings.catch_warnings():
        # They are about the exporter itself; the comparison below tells whether the file is right.
        warnings.simplefilter("ignore")
        torch.onnx.export(
            network, (sample,), str(out), input_names=["crops"], output_names=[output],
            dynamic_axes={"crops": {0: "n"}, output: {0: "n"}}, opset_version=17, dynamo=False,
        )  # fmt: skip
    fill_blocks(out)
    session = load_onnxruntime().InferenceSession(str(out), providers=["CPUExecutionProvider"])
    got = session.run(None, {"crops": sample.numpy()})[0]
    return float(np.abs(got - network(sample).detach().numpy()).max())
