"""The one trainer of the small networks: it counts steps and resumes from its checkpoint (extra `train`).

A step depends on the seed and on its own number alone. So a training that was stopped and resumed ends with the same
weights as a training that ran in one go, and the load of the machine changes nothing but the duration.
"""

import ctypes
import hashlib
import os
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tilescore.errors import InputError
from tilescore.processes.progress import Progress
from tilescore.processes.threads import thread_count

_MMAP_MAX, _TRIM_THRESHOLD, _TOP_PAD = -4, -1, -2
"""Parameters of `mallopt`, as malloc.h of the GNU C library numbers them."""
_LOWEST_RATE: Final = 1e-6
"""The learning rate that the cosine ends with."""
_HELD_BACK: Final = 40
"""One of so many examples is held out for the check."""
_STATE: Final = frozenset(
    {"weights", "average", "averaged", "optimizer", "scheduler", "step", "loss", "schedule", "data_hash", "start_hash"}
)
"""Keys of a checkpoint."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """How long and how fast a network is trained.

    The learning rate rises for `warmup` steps to `rate`, and falls along a cosine over all steps.
    """

    steps: int  # number of steps of the optimizer (AdamW)
    rate: float  # highest learning rate
    batch: int  # pictures a step
    seed: int = 0  # seed of the initial weights and of the random choices of every step, 0 or more
    warmup: int = 100  # steps until the learning rate is at its highest
    decay: float = 0.02  # weight decay
    save_every: int = 250  # steps between two checkpoints

    def factor(self, step: int) -> float:
        """The learning rate of a step, as a multiple of `rate`."""
        rise = min(1.0, (step + 1) / self.warmup)
        return rise * (0.5 + 0.5 * float(np.cos(np.pi * step / self.steps))) + _LOWEST_RATE / self.rate


class Training:
    """A network in training: weights, averaged weights, optimizer, scheduler, number of finished steps.

    `begin` builds the network as it is before the first step, after the seed is set. `data_hash` identifies the
    training data (`hash_of`). The first weights come from the file `start`, or are random.

    Attributes:
        network: the network with its latest weights.
    """

    def __init__(
        self, begin: Callable[[], Any], schedule: Schedule, *, data_hash: str, start: Path | None = None
    ) -> None:
        import torch  # gigabytes that only training needs

        torch.set_num_threads(thread_count())
        _keep_memory()
        torch.manual_seed(schedule.seed)
        self.network = begin()
        self.step = 0
        self._schedule, self._loss = schedule, 0.0
        self._identity = {
            "schedule": asdict(schedule),
            "data_hash": data_hash,
            "start_hash": "" if start is None else hashlib.sha256(start.read_bytes()).hexdigest()[:12],
        }
        # The average forgets fast at first. Otherwise it would keep the random initial weights for long.
        self._average = torch.optim.swa_utils.AveragedModel(
            self.network,
            avg_fn=lambda old, new, count: old + (new - old) * max(0.002, 9 / (10 + int(count))),
            use_buffers=True,
        )
        self._optimizer = torch.optim.AdamW(self.network.parameters(), schedule.rate, weight_decay=schedule.decay)
        self._scheduler = torch.optim.lr_scheduler.LambdaLR(self._optimizer, schedule.factor)

    def run(
        self,
        loss_of: Callable[[Any, np.random.Generator], Any],
        *,
        checkpoint: Path | None = None,
        check: Callable[[Any], str] | None = None,
        progress: Progress | None = None,
    ) -> None:
        """Train until the last step of the schedule.

        Args:
            loss_of: the loss of one step, from the network and the generator of that step. It must take all random
                choices from the generator, or from the default generator of torch.
            checkpoint: file (.pt) to resume from, if it exists, and to write; None to keep the training in memory.
            check: evaluates the averaged network at each checkpoint; its result is printed.
            progress: receives the number of finished steps and of all steps, after each step; then nothing is printed.

        Raises InputError if the checkpoint is damaged, or belongs to another training.
        """
        if checkpoint is not None and checkpoint.exists():
            self._resume(checkpoint)
        steps = self._schedule.steps
        while self.step < steps:
            self._take_step(loss_of)
            if progress is not None:
                progress(self.step, steps)
            if checkpoint is not None and (self.step % self._schedule.save_every == 0 or self.step == steps):
                if progress is None:
                    result = self._checked(check) if check else ""
                    print(f"step {self.step} of {steps}, loss {self._loss:.4f} {result}", flush=True)  # noqa: T201
                self._save(checkpoint)

    def _take_step(self, loss_of: Callable[[Any, np.random.Generator], Any]) -> None:
        import torch

        rng = np.random.default_rng((self._schedule.seed, self.step))
        torch.manual_seed(int(rng.integers(2**62)))  # for dropout
        loss = loss_of(self.network, rng)
        self._optimizer.zero_grad()
        loss.backward()
        self._optimizer.step()
        self._scheduler.step()
        self._average.update_parameters(self.network)
        self._loss += (loss.item() - self._loss) * (0.02 if self.step else 1)
        self.step += 1

    def _checked(self, check: Callable[[Any], str]) -> str:
        averaged = self._average.module
        mode = averaged.training
        result = check(averaged.eval())
        averaged.train(mode)
        return result

    def _save(self, path: Path) -> None:
        """Write the checkpoint; a crash meanwhile leaves the checkpoint before it whole."""
        import torch

        state = self._identity | {
            "weights": self.network.state_dict(),
            "average": self._average.module.state_dict(),
            "averaged": int(self._average.n_averaged),
            "optimizer": self._optimizer.state_dict(),
            "scheduler": self._scheduler.state_dict(),
            "step": self.step,
            "loss": self._loss,
        }
        part = path.with_name(f".{path.name}.part")
        with part.open("wb") as file:
            torch.save(state, file)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)

    def _resume(self, path: Path) -> None:
        state = _checkpoint(path)
        for key, ours in self._identity.items():
            if state[key] != ours:
                message = (
                    f"'{path}' is the checkpoint of another training: its {key} is {state[key]}, not {ours}. "
                    "Delete it, or write to another file."
                )
                raise InputError("other_training", message, path=str(path), key=key)
        self.network.load_state_dict(state["weights"])
        self._average.module.load_state_dict(state["average"])
        self._average.n_averaged.fill_(state["averaged"])
        self._optimizer.load_state_dict(state["optimizer"])
        self._scheduler.load_state_dict(state["scheduler"])
        self.step, self._loss = state["step"], state["loss"]


def split_for_check(count: int, *, seed: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The numbers of the examples that are held out for the check, and of those that are learned from."""
    order = np.random.default_rng(seed).permutation(count)
    held_back, learned = np.split(order, [max(1, count // _HELD_BACK)])
    return held_back, learned


def averaged(network: Any, checkpoint: Path) -> Any:
    """The network with the averaged weights of its checkpoint; raises InputError if the checkpoint is damaged."""
    network.load_state_dict(_checkpoint(checkpoint)["average"])
    return network


def hash_of(*arrays: NDArray[Any]) -> str:
    """Twelve digits that identify training data: the hash of the arrays, with their types and shapes."""
    total = hashlib.sha256()
    for array in arrays:
        total.update(f"{array.dtype} {array.shape}\n".encode())
        total.update(np.ascontiguousarray(array).data)
    return total.hexdigest()[:12]


def _checkpoint(path: Path) -> dict[str, Any]:
    import torch

    message = f"'{path}' is not a checkpoint of this trainer, or it is damaged: delete it to train from the start."
    try:
        state = torch.load(path, weights_only=True)
    except MemoryError:
        raise
    except Exception as error:  # a damaged file raises errors of many modules, among them one that is not imported here
        raise InputError("bad_checkpoint", message, path=str(path)) from error
    if not isinstance(state, dict) or state.keys() != _STATE:
        raise InputError("bad_checkpoint", message, path=str(path))
    return state


def _keep_memory() -> None:
    """Let the process keep the memory of a step for the next step: to request it anew can take most of the time."""
    libc = ctypes.CDLL(None)
    if hasattr(libc, "mallopt"):
        for setting, value in ((_MMAP_MAX, 0), (_TRIM_THRESHOLD, 2**31 - 1), (_TOP_PAD, 2**28)):
            libc.mallopt(setting, value)
