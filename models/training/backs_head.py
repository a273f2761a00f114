"""The detector's head with layers of their own for backs, and a training that keeps them (extra `train`).

A back shows nothing: what tells it is the wall around it. The layers that learned to name 45 faces pass over whole
walls of a colour they do not know; layers beside them that see the same maps and answer this one question find these.
They can be trained alone, and then nothing changes of what else the detector says.
"""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any, Final

from torch import cat, nn, save

from tilescore.models.training.yolo import YOLO, DetectionTrainer

if TYPE_CHECKING:
    from pathlib import Path

FACES: Final = "faces"
BACKS: Final = "backs"
"""Names of the two groups of layers, as they stand in the names of weights."""
_SCORES: Final = "cv3"
"""What ultralytics calls the layers of YOLO11's head that give scores,"""
_BOXES: Final = "cv2"
"""and those that give boxes."""


class BesideFaces(nn.Module):  # type: ignore[misc]  # torch is not installed where types are checked
    """Layers that give scores (N, 46, H, W) of one map, the last of which, that of backs, by layers of its own.

    Args:
        plain: layers that give all 46; both groups begin as these, so that the same is computed.
    """

    def __init__(self, plain: nn.Sequential) -> None:
        super().__init__()
        self.faces, self.backs = plain, deepcopy(plain)
        last = plain[-1]
        self.faces[-1], self.backs[-1] = _rows(last, slice(0, -1)), _rows(last, slice(-1, None))

    def forward(self, seen: Any) -> Any:
        """The scores' log-odds."""
        return cat([self.faces(seen), self.backs(seen)], 1)


def _rows(last: Any, which: slice) -> Any:
    """Of a convolution of single places the part that makes these channels."""
    part = nn.Conv2d(last.in_channels, len(last.bias[which]), 1)
    part.weight.data, part.bias.data = last.weight.data[which].clone(), last.bias.data[which].clone()
    return part


def with_own_layers(network: Any) -> Any:
    """The YOLO11 detector, in place, with layers for backs; unchanged where it has them."""
    levels = getattr(network.model[-1], _SCORES)
    for number, plain in enumerate(levels):
        if not isinstance(plain, BesideFaces):
            levels[number] = BesideFaces(plain)
    return network


def all_but_backs(network: Any) -> list[str]:
    """What to freeze so that nothing but the layers of backs learns, as ultralytics counts layers."""
    head = len(network.model) - 1
    levels = range(len(getattr(network.model[-1], _SCORES)))
    return [
        *(str(layer) for layer in range(head)),
        f"{head}.{_BOXES}",
        *(f"{head}.{_SCORES}.{level}.{FACES}" for level in levels),
    ]


class Trainer(DetectionTrainer):  # type: ignore[misc]
    """ultralytics' training of a detector whose backs have layers of their own."""

    def get_model(self, cfg: Any = None, weights: Any = None, verbose: bool = True) -> Any:  # noqa: FBT001, FBT002
        """A network of that form with these weights, which may be those of a plain detector."""
        network = with_own_layers(super().get_model(cfg, None, verbose))
        if weights is not None:
            network.load_state_dict(with_own_layers(deepcopy(weights)).float().state_dict())
        return network


def keep_only_backs(trained: Path, start: Path) -> None:
    """Write the checkpoint `start`, its layers of backs as `trained` has them, in place of `trained`.

    ultralytics saves numbers of sixteen bits: rounded so, what did not learn would say something else all the same.
    """
    network, learned = (with_own_layers(YOLO(str(path)).model) for path in (start, trained))
    own = {name: value for name, value in learned.state_dict().items() if f".{BACKS}." in name}
    network.load_state_dict(own, strict=False)
    save({"model": network, "epoch": -1, "train_args": {}}, trained)
