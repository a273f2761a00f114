"""Blocks, augmentation and ONNX export that the small networks share (extra `train`)."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from tilescore.models.training.export import fill_blocks
from tilescore.vision.arrays import Pixels
from tilescore.vision.inference.session import load_onnxruntime


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
