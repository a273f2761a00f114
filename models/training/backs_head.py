"""The head of the detector with separate layers for backs, and the trainer that keeps them (extra `train`).

A back shows no symbol, so the detector must recognise it by the wall around it. The layers for the 45 faces miss whole
walls in a colour they do not know. Separate layers see the same feature maps and give the score of backs alone. They
can be trained alone, and then all other outputs of the detector stay the same.

This module loads torch and ultralytics when it is imported: checkpoints of ultralytics are pickles that name the
classes below, so the classes must stand at module level. Import this module inside a training function only.
"""

from copy import deepcopy
from pathlib import Path
from typing import Any, Final

from torch import cat, nn, save

from tilescore.models.training.yolo import YOLO, DetectionTrainer

FACES: Final = "faces"
BACKS: Final = "backs"
"""Names of the two groups of layers in the names of weights."""
_SCORES: Final = "cv3"
"""Name that ultralytics gives to the score layers in the head of YOLO11."""
_BOXES: Final = "cv2"
"""Name of the box layers."""


class BesideFaces(nn.Module):  # type: ignore[misc]  # torch is not installed where types are checked
    """Score layers (N, 46, H, W) of one feature map; the last score, of backs, comes from separate layers.

    Both groups start as copies of `plain`, layers for all 46 scores, so that the output stays the same.
    """

    def __init__(self, plain: nn.Sequential) -> None:
        super().__init__()
        self.faces, self.backs = plain, deepcopy(plain)
        last = plain[-1]
        self.faces[-1], self.backs[-1] = _rows(last, slice(0, -1)), _rows(last, slice(-1, None))

    def forward(self, seen: Any) -> Any:
        """The log-odds of the scores."""
        return cat([self.faces(seen), self.backs(seen)], 1)


def _rows(last: Any, which: slice) -> Any:
    """The part of a 1x1 convolution that makes the given output channels."""
    part = nn.Conv2d(last.in_channels, len(last.bias[which]), 1)
    part.weight.data, part.bias.data = last.weight.data[which].clone(), last.bias.data[which].clone()
    return part


def with_own_layers(network: Any) -> Any:
    """Give a YOLO11 detector separate layers for backs, in place, unless it has them."""
    levels = getattr(network.model[-1], _SCORES)
    for number, plain in enumerate(levels):
        if not isinstance(plain, BesideFaces):
            levels[number] = BesideFaces(plain)
    return network


def all_but_backs(network: Any) -> list[str]:
    """The layers to freeze, in the notation of ultralytics, so that the layers for backs alone are trained."""
    head = len(network.model) - 1
    levels = range(len(getattr(network.model[-1], _SCORES)))
    return [
        *(str(layer) for layer in range(head)),
        f"{head}.{_BOXES}",
        *(f"{head}.{_SCORES}.{level}.{FACES}" for level in levels),
    ]


class Trainer(DetectionTrainer):  # type: ignore[misc]
    """The trainer of ultralytics, for a detector with separate layers for backs."""

    def get_model(self, cfg: Any = None, weights: Any = None, verbose: bool = True) -> Any:  # noqa: FBT001, FBT002
        """Build the network and load the weights, which may come from a plain detector."""
        network = with_own_layers(super().get_model(cfg, None, verbose))
        if weights is not None:
            network.load_state_dict(with_own_layers(deepcopy(weights)).float().state_dict())
        return network


def keep_only_backs(trained: Path, start: Path) -> None:
    """Replace `trained` by the checkpoint `start` with the layers for backs of `trained`.

    ultralytics saves 16-bit numbers. The rounding would change the outputs of the frozen layers too.
    """
    network, learned = (with_own_layers(YOLO(str(path)).model) for path in (start, trained))
    own = {name: value for name, value in learned.state_dict().items() if f".{BACKS}." in name}
    network.load_state_dict(own, strict=False)
    save({"model": network, "epoch": -1, "train_args": {}}, trained)
