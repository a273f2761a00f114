"""Teaching the classifier of single tiles a new set in minutes, without forgetting the old ones (extra `train`).

The tiles of the new set are learned from their labels. Beside them, on tiles of many other designs, the network is held
to what it said before (Li and Hoiem, "Learning without Forgetting", 2016): no photo of those is needed, and its
statistics of normalisation stay. How far it went may be taken back in part (Wortsman et al., "Robust fine-tuning of
zero-shot models", 2022).
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from numpy.typing import NDArray

    Cutouts = tuple[NDArray[np.uint8], NDArray[np.int64]]

_OWN: Final = 48
_OTHERS: Final = 80
"""Cut-outs a step, of the new set and of others."""
_HOLD: Final = 2.0
"""Weight of staying with what was said before."""
_WARM: Final = 20
_SMOOTHING: Final = 0.05


class FineTuner:
    """A classifier before and after it has learned.

    Args:
        start: its ONNX file.
        own: cut-outs (N, S, S, 3) of the new set and their classes (N,); S is a quarter more than what it sees.
        others: the same of other sets, and of places without a tile.
        closer: whether it is the one that looks closer, not the one that looks first.
    """

    def __init__(self, start: Path, own: Cutouts, others: Cutouts, *, closer: bool = False) -> None:
        import torch  # noqa: PLC0415  # gigabytes that only training needs

        from tilescore.models.training.classifier import plain  # noqa: PLC0415
        from tilescore.models.training.initial_weights import network_from  # noqa: PLC0415

        torch.set_num_threads(os.cpu_count() or 2)
        self._own, self._others = own, others
        self._closer = closer
        self._rng = np.random.default_rng(0)
        some = self._rng.choice(len(others[1]), min(len(others[1]), 256), replace=False)
        self._network = self._built()
        network_from(start, self._network, pictures=plain(others[0][some]))
        self._network = self._network.eval().to(memory_format=torch.channels_last)
        self._before = {key: value.clone() for key, value in self._network.state_dict().items()}
        self._after = self._before

    def learn(
        self, *, steps: int, minutes: float, rate: float = 1e-3, progress: Callable[[int, int], None] | None = None
    ) -> int:
        """Train for so many steps, or so many minutes if they are over first; returns the steps."""
        import torch  # noqa: PLC0415
        from torch.nn import functional  # noqa: PLC0415

        teacher = self._copy()
        optimizer = torch.optim.AdamW(self._network.parameters(), rate, weight_decay=0)
        classes = self._own[1]
        odds = 1 / np.sqrt(np.bincount(classes)[classes])
        odds /= odds.sum()
        began, step, spent = time.monotonic(), 0, 0.0
        while spent < 1:
            optimizer.param_groups[0]["lr"] = rate * min(1, (step + 1) / _WARM) * (0.5 + 0.5 * np.cos(np.pi * spent))
            own = self._rng.choice(len(odds), _OWN, p=odds)
            others = self._rng.choice(len(self._others[1]), _OTHERS)
            pictures = torch.cat([self._seen(self._own[0][own], step), self._seen(self._others[0][others], step)])
            with torch.no_grad():
                said = teacher(pictures[_OWN:]).softmax(1)
            says = self._network(pictures)
            named = functional.cross_entropy(says[:_OWN], torch.from_numpy(classes[own]), label_smoothing=_SMOOTHING)
            kept = functional.kl_div(says[_OWN:].log_softmax(1), said, reduction="batchmean")
            optimizer.zero_grad()
            (named + _HOLD * kept).backward()
            optimizer.step()
            step += 1
            spent = max(step / steps, (time.monotonic() - began) / (60 * minutes))
            if progress is not None:
                progress(min(steps, round(spent * steps)), steps)
        self._after = {key: value.clone() for key, value in self._network.state_dict().items()}
        return step

    def write(self, out: Path, share: float = 1.0) -> None:
        """Write the ONNX file of what lies at that share of the way from before to after."""
        import torch  # noqa: PLC0415

        from tilescore.models.training.classifier import export_classifier  # noqa: PLC0415

        weights = {
            key: torch.lerp(old, self._after[key], share) if old.is_floating_point() else old
            for key, old in self._before.items()
        }
        checkpoint = out.with_suffix(".pt")
        torch.save(weights, checkpoint)
        export_classifier(checkpoint, out, closer=self._closer)
        checkpoint.unlink()

    def _built(self) -> Any:
        from tilescore.models.training.classifier import build_closer, build_network  # noqa: PLC0415

        return build_closer() if self._closer else build_network()

    def _copy(self) -> Any:
        copy = self._built()
        copy.load_state_dict(self._before)
        return copy.eval()

    @staticmethod
    def _seen(pixels: NDArray[np.uint8], step: int) -> Any:
        import torch  # noqa: PLC0415

        from tilescore.models.training.classifier import augment  # noqa: PLC0415

        return augment(torch.from_numpy(pixels), torch.Generator().manual_seed(step))
