"""Fine-tune a classifier of single tiles on a new tile set in minutes, without forgetting others (extra `train`).

The fine-tuner learns the tiles of the new set from their labels. On tiles of many other designs, a distillation loss
keeps the outputs close to the outputs before (Li and Hoiem, "Learning without Forgetting", 2016), so no photos of other
sets are needed. The statistics of the normalisation stay. A share of the weight change can be taken back (Wortsman et
al., "Robust fine-tuning of zero-shot models", 2022).
"""

from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tilescore.processes.progress import Progress
from tilescore.vision.arrays import Pixels

Crops = tuple[Pixels, NDArray[np.int64]]


_OWN: Final = 48
"""Crops of the new set in a step."""
_OTHERS: Final = 80
"""Crops of other sets in a step."""
_DISTILLATION: Final = 2.0
"""Weight of the distillation loss."""
_RATE: Final = 1e-3
"""Highest learning rate."""
_WARMUP: Final = 20
_SMOOTHING: Final = 0.05


class FineTuner:
    """A classifier before and after fine-tuning.

    Args:
        start: the ONNX file of the classifier.
        own: crops (N, S, S, 3) of the new set and their classes (N,); S is a quarter more than the input side.
        others: crops and classes of other sets and of places without a tile.
        high_resolution: whether it is the high-resolution classifier.
    """

    def __init__(self, start: Path, own: Crops, others: Crops, *, high_resolution: bool = False) -> None:
        self._start, self._own, self._others = start, own, others
        self._high_resolution = high_resolution
        self._before = {key: value.clone() for key, value in self._begun().state_dict().items()}
        self._after = self._before

    def learn(self, *, steps: int, checkpoint: Path | None = None, progress: Progress | None = None) -> None:
        """Train for a number of steps.

        A checkpoint (.pt) is gone on from, if it exists, and written ten times. `progress` receives the number of
        finished steps and of all steps, after each step.
        """
        import torch  # gigabytes that only training needs
        from torch.nn import functional

        from tilescore.models.training.poor_photos import as_before
        from tilescore.models.training.trainer import Schedule, Training, hash_of

        schedule = Schedule(
            steps=steps, rate=_RATE, batch=_OWN + _OTHERS, warmup=_WARMUP, decay=0, save_every=max(1, steps // 10)
        )
        training = Training(self._restored, schedule, data_hash=hash_of(*self._own, *self._others), start=self._start)
        teacher = self._restored()
        classes = self._own[1]
        odds = 1 / np.sqrt(np.bincount(classes)[classes])
        odds /= odds.sum()

        def loss_of(network: Any, rng: np.random.Generator) -> Any:
            own = rng.choice(len(odds), _OWN, p=odds)
            others = rng.choice(len(self._others[1]), _OTHERS)
            pictures = torch.cat([_augmented(self._own[0][own], rng), _augmented(self._others[0][others], rng)])
            with torch.no_grad():
                before = teacher(pictures[_OWN:])
            logits = network(pictures)
            named = functional.cross_entropy(logits[:_OWN], torch.from_numpy(classes[own]), label_smoothing=_SMOOTHING)
            return named + _DISTILLATION * as_before(logits[_OWN:], before)

        training.run(loss_of, checkpoint=checkpoint, progress=progress)
        self._after = {key: value.clone() for key, value in training.network.state_dict().items()}

    def write(self, out: Path, share: float = 1.0) -> None:
        """Write the ONNX file with this share of the weight change: 0 gives the weights before, 1 those after."""
        import torch

        from tilescore.models.training.classifier import write_classifier

        network = self._built()
        network.load_state_dict(
            {
                key: torch.lerp(old, self._after[key], share) if old.is_floating_point() else old
                for key, old in self._before.items()
            }
        )
        write_classifier(network, out, high_resolution=self._high_resolution)

    def _built(self) -> Any:
        from tilescore.models.training.classifier import build_high_resolution, build_network

        return build_high_resolution() if self._high_resolution else build_network()

    def _begun(self) -> Any:
        """The network with the weights of its file; crops of other sets give the statistics of the normalisation."""
        from tilescore.models.training.classifier import plain
        from tilescore.models.training.initial_weights import network_from

        network, count = self._built(), len(self._others[1])
        some = np.random.default_rng(0).choice(count, min(count, 256), replace=False)
        network_from(self._start, network, pictures=plain(self._others[0][some]))
        return network

    def _restored(self) -> Any:
        """The network before fine-tuning. In evaluation mode, the statistics of the normalisation stay."""
        import torch

        network = self._built()
        network.load_state_dict(self._before)
        return network.eval().to(memory_format=torch.channels_last)


def _augmented(pixels: Pixels, rng: np.random.Generator) -> Any:
    import torch

    from tilescore.models.training.classifier import augment

    return augment(torch.from_numpy(pixels), torch.Generator().manual_seed(int(rng.integers(2**62))))
