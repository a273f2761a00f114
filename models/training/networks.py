"""Blocks, augmentation and ONNX export that the small networks share (extra `train`)."""

from __future__ import annotations

import warnings
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from tilescore.models.training.export import fill_blocks
from tilescore.vision.inference.session import load_onnxruntime

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray


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


def middle_of(pixels: NDArray[np.uint8], *, share: float, side: int) -> Any:
    """The middle of stored crops (N, S, S, C) as network input (N, C, side, side).

    Args:
        pixels: the stored crops.
        share: the share of each side that is kept.
        side: pixels a side of the result.
    """
    import torch
    from torch.nn import functional

    stored = pixels.shape[1]
    keep = round(stored * share)
    edge = (stored - keep) // 2
    middle = torch.from_numpy(pixels[:, edge : edge + keep, edge : edge + keep]).permute(0, 3, 1, 2).float() / 255
    return functional.interpolate(middle, size=side, mode="bilinear", align_corners=False, antialias=True)


def seen_worse(x: Any, generator: Any) -> Any:
    """Pictures (N, 3, S, S) as other cameras and other light show them: brightness, tint, saturation, blur, noise."""
    import torch
    from torch.nn import functional

    def uniform(low: float, high: float, *shape: int) -> Any:
        return torch.rand(len(x), *shape, generator=generator) * (high - low) + low

    x = (x - 0.5) * uniform(0.65, 1.3, 1, 1, 1) + 0.5 + uniform(-0.15, 0.15, 1, 1, 1)
    x = x * uniform(0.85, 1.15, 3, 1, 1)
    grey = x.mean(1, keepdim=True)
    x = grey + (x - grey) * uniform(0.3, 1.4, 1, 1, 1)
    # A third of the pictures loses resolution.
    small = functional.interpolate(x, size=int(torch.randint(22, 48, (1,), generator=generator)), mode="area")
    soft = functional.interpolate(small, size=x.shape[-1], mode="bilinear", align_corners=False)
    x = torch.where(uniform(0, 1, 1, 1, 1) < 0.35, soft, x)
    x = x + torch.randn(x.shape, generator=generator) * uniform(0, 0.05, 1, 1, 1)
    return x.clamp(0, 1).to(memory_format=torch.channels_last)


def write_onnx(network: Any, out: Path, *, side: int, output: str, channels: int = 3) -> float:
    """Write the ONNX file of a network with input (N, channels, side, side).

    Args:
        network: the trained network; it is put into evaluation mode.
        out: the file to write.
        side: pixels a side of the input.
        output: name of the output.
        channels: channels of the input.

    Returns:
        The largest difference between the outputs of the file and of torch.
    """
    import torch

    network.eval()
    sample = torch.rand(4, channels, side, side, generator=torch.Generator().manual_seed(0))
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore"
        )  # about the exporter itself; the comparison below tells whether the file is right
        torch.onnx.export(
            network, (sample,), str(out), input_names=["crops"], output_names=[output],
            dynamic_axes={"crops": {0: "n"}, output: {0: "n"}}, opset_version=17, dynamo=False,
        )  # fmt: skip
    fill_blocks(out)
    session = load_onnxruntime().InferenceSession(str(out), providers=["CPUExecutionProvider"])
    got = session.run(None, {"crops": sample.numpy()})[0]
    return float(np.abs(got - network(sample).detach().numpy()).max())
