"""What our small networks have in common: their blocks, a training that takes so many minutes, their ONNX file."""

from __future__ import annotations

import ctypes
import time
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from tilescore.base.threads import thread_count
from tilescore.models.training.export import fill_blocks
from tilescore.vision.inference.session import load_onnxruntime

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray


_MMAP_MAX, _TRIM_THRESHOLD, _TOP_PAD = -4, -1, -2
"""As malloc.h of the GNU C library numbers what `mallopt` sets."""


def conv(c_in: int, c_out: int, stride: int = 1, size: int = 3, *, slight: float = 1e-5) -> list[Any]:
    """A convolution and its batch normalisation, which takes no variance for less than `slight`."""
    from torch import nn  # noqa: PLC0415

    return [nn.Conv2d(c_in, c_out, size, stride, size // 2, bias=False), nn.BatchNorm2d(c_out, eps=slight)]


def trunk(widths: Sequence[int]) -> list[Any]:
    """Layers that halve a picture (N, 3, S, S) again and again: so many channels each time, the last come out."""
    from torch import nn  # noqa: PLC0415

    class Block(nn.Module):  # type: ignore[misc]  # torch is not installed where types are checked
        """Two convolutions, the first halving the picture, and a short cut around both."""

        def __init__(self, c_in: int, c_out: int) -> None:
            super().__init__()
            self.path = nn.Sequential(*conv(c_in, c_out, 2), nn.SiLU(), *conv(c_out, c_out))
            self.short = nn.Sequential(nn.AvgPool2d(2), *conv(c_in, c_out, size=1))
            self.out = nn.SiLU()

        def forward(self, x: Any) -> Any:
            return self.out(self.path(x) + self.short(x))

    return [*conv(3, widths[0], 2), nn.SiLU(), *(Block(c_in, c_out) for c_in, c_out in pairwise(widths))]


def middle_of(pixels: NDArray[np.uint8], *, share: float, side: int) -> Any:
    """The middle of stored cut-outs (N, S, S, C), such a share of each side, as networks see it: (N, C, side, side)."""
    import torch  # noqa: PLC0415
    from torch.nn import functional  # noqa: PLC0415

    stored = pixels.shape[1]
    keep = round(stored * share)
    edge = (stored - keep) // 2
    middle = torch.from_numpy(pixels[:, edge : edge + keep, edge : edge + keep]).permute(0, 3, 1, 2).float() / 255
    return functional.interpolate(middle, size=side, mode="bilinear", align_corners=False, antialias=True)


def seen_worse(x: Any, generator: Any) -> Any:
    """Pictures (N, 3, S, S) as another camera sees them in other light: dimmed, tinted, greyer, softer, with noise."""
    import torch  # noqa: PLC0415
    from torch.nn import functional  # noqa: PLC0415

    def uniform(low: float, high: float, *shape: int) -> Any:
        return torch.rand(len(x), *shape, generator=generator) * (high - low) + low

    x = (x - 0.5) * uniform(0.65, 1.3, 1, 1, 1) + 0.5 + uniform(-0.15, 0.15, 1, 1, 1)
    x = x * uniform(0.85, 1.15, 3, 1, 1)
    grey = x.mean(1, keepdim=True)
    x = grey + (x - grey) * uniform(0.3, 1.4, 1, 1, 1)
    # A third of them at a lower resolution.
    small = functional.interpolate(x, size=int(torch.randint(22, 48, (1,), generator=generator)), mode="area")
    soft = functional.interpolate(small, size=x.shape[-1], mode="bilinear", align_corners=False)
    x = torch.where(uniform(0, 1, 1, 1, 1) < 0.35, soft, x)
    x = x + torch.randn(x.shape, generator=generator) * uniform(0, 0.05, 1, 1, 1)
    return x.clamp(0, 1).to(memory_format=torch.channels_last)


def train_for(
    network: Any,
    loss_of: Callable[[int], Any],
    out: Path,
    *,
    minutes: float,
    rate: float,
    check: Callable[[Any], str] | None = None,
) -> Path:
    """Train for so many minutes; the checkpoint, written as it goes, holds the average of the weights.

    Args:
        network: what is trained.
        loss_of: the loss of step number so and so.
        out: checkpoint file (.pt).
        minutes: how long; the learning rate falls along a cosine to nothing at the end.
        rate: highest learning rate of AdamW.
        check: called every few hundred steps with the averaged network; what it returns is printed.
    """
    import torch  # noqa: PLC0415

    torch.set_num_threads(thread_count())
    _keep_memory()
    # The average forgets fast at first, else it would long hold on to the random start.
    average = torch.optim.swa_utils.AveragedModel(
        network, avg_fn=lambda old, new, count: old + (new - old) * max(0.002, 9 / (10 + int(count))), use_buffers=True
    )
    optimizer = torch.optim.AdamW(network.parameters(), rate, weight_decay=0.02)
    began, step, running = time.monotonic(), 0, 0.0
    while (spent := (time.monotonic() - began) / (60 * minutes)) < 1:
        warm = min(1.0, (step + 1) / 100)
        optimizer.param_groups[0]["lr"] = rate * warm * (0.5 + 0.5 * float(np.cos(np.pi * spent))) + 1e-6
        loss = loss_of(step)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        average.update_parameters(network)
        running += (loss.item() - running) * (0.02 if step else 1)
        step += 1
        if step % 250 == 0:
            said = check(average.module.eval()) if check else ""
            average.module.train()
            print(f"step {step} {spent:.0%} loss {running:.4f} {said}", flush=True)  # noqa: T201
            torch.save(average.module.state_dict(), out)
    torch.save(average.module.state_dict(), out)
    return out


def _keep_memory() -> None:
    """Let the process keep what memory a step frees, for the next one: asking for it anew may take most of the time."""
    libc = ctypes.CDLL(None)
    if hasattr(libc, "mallopt"):
        for setting, value in ((_MMAP_MAX, 0), (_TRIM_THRESHOLD, 2**31 - 1), (_TOP_PAD, 2**28)):
            libc.mallopt(setting, value)


def write_onnx(network: Any, weights: Path, out: Path, *, side: int, output: str, channels: int = 3) -> float:
    """Write the ONNX file of a network that sees (N, channels, side, side); returns its largest difference to torch.

    Args:
        network: of the kind that was trained.
        weights: its checkpoint.
        out: the file to write.
        side: pixels a side of what it sees.
        output: what its output is called.
        channels: three a cut-out.
    """
    import torch  # noqa: PLC0415

    network.load_state_dict(torch.load(weights, weights_only=True))
    network.eval()
    sample = torch.rand(4, channels, side, side)
    torch.onnx.export(
        network, (sample,), str(out), input_names=["crops"], output_names=[output],
        dynamic_axes={"crops": {0: "n"}, output: {0: "n"}}, opset_version=17, dynamo=False,
    )  # fmt: skip
    fill_blocks(out)
    session = load_onnxruntime().InferenceSession(str(out), providers=["CPUExecutionProvider"])
    got = session.run(None, {"crops": sample.numpy()})[0]
    return float(np.abs(got - network(sample).detach().numpy()).max())
