"""The trainer counts steps, and resumes from its checkpoint as if nothing had happened."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tilescore.errors import InputError
from tilescore.models.training import corners
from tilescore.models.training.trainer import Schedule, Training, averaged, hash_of

if TYPE_CHECKING:
    from pathlib import Path

torch = pytest.importorskip("torch", reason="the extra `train` is not installed")

SCHEDULE = Schedule(steps=8, rate=1e-2, batch=4, seed=5, warmup=2, save_every=4)


@pytest.fixture(autouse=True)
def one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILESCORE_THREADS", "1")


class StoppedError(Exception):
    """The process is stopped."""


def begin() -> Any:
    return torch.nn.Sequential(
        torch.nn.Linear(3, 8), torch.nn.BatchNorm1d(8), torch.nn.Dropout(0.3), torch.nn.Linear(8, 1)
    )


def train(path: Path, schedule: Schedule = SCHEDULE, *, stop_at: int = -1, data_hash: str = "data") -> list[int]:
    """Train on random numbers, and stop before a step; returns the steps that were finished."""
    done: list[int] = []

    def loss_of(network: Any, rng: np.random.Generator) -> Any:
        if training.step == stop_at:
            raise StoppedError
        x = torch.from_numpy(rng.random((schedule.batch, 3), np.float32))
        return (network(x) - x.sum(1, keepdim=True)).square().mean()

    training = Training(begin, schedule, data_hash=data_hash)
    training.run(loss_of, checkpoint=path, progress=lambda step, _: done.append(step))
    return done


def same(one: Any, other: Any) -> bool:
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(torch.equal(one, other)) if isinstance(one, torch.Tensor) else bool(one == other)


@pytest.mark.parametrize(("stop_at", "resumed"), [(4, 4), (6, 4), (7, 4), (2, 0)])
def test_a_stopped_training_ends_with_the_same_checkpoint(tmp_path: Path, stop_at: int, resumed: int) -> None:
    """The work since the last checkpoint is lost, and done again."""
    assert train(tmp_path / "whole.pt") == list(range(1, 9))
    with pytest.raises(StoppedError):
        train(tmp_path / "parts.pt", stop_at=stop_at)
    torch.manual_seed(1234)  # what else the process draws has no effect
    assert train(tmp_path / "parts.pt") == list(range(resumed + 1, 9))
    whole, parts = (torch.load(tmp_path / f"{name}.pt", weights_only=True) for name in ("whole", "parts"))
    assert same(whole, parts), "bit for bit: weights, averaged weights, optimizer, scheduler"
    assert train(tmp_path / "parts.pt") == [], "nothing is left to do"


def test_the_corner_network_resumes_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    faces = corners.Faces(
        rng.integers(0, 255, (8, 96, 96, 3)).astype(np.uint8), rng.random((8, 4, 2)).astype(np.float32)
    )
    schedule = replace(SCHEDULE, steps=4, rate=1e-3, save_every=2)
    corners.train_corners(faces, tmp_path / "whole.pt", schedule)
    augment, calls = corners.augment, [0]

    def stopping(*arguments: Any) -> Any:
        calls[0] += 1
        if calls[0] == 4:
            raise StoppedError
        return augment(*arguments)

    monkeypatch.setattr(corners, "augment", stopping)
    with pytest.raises(StoppedError):
        corners.train_corners(faces, tmp_path / "parts.pt", schedule)
    corners.train_corners(faces, tmp_path / "parts.pt", schedule)
    assert calls == [4 + 2], "two steps are in the checkpoint"
    whole, parts = (torch.load(tmp_path / f"{name}.pt", weights_only=True) for name in ("whole", "parts"))
    assert same(whole, parts)


def test_another_seed_gives_another_network(tmp_path: Path) -> None:
    train(tmp_path / "one.pt")
    train(tmp_path / "other.pt", replace(SCHEDULE, seed=6))
    one, other = (torch.load(tmp_path / f"{name}.pt", weights_only=True)["weights"] for name in ("one", "other"))
    assert not same(one, other)


def test_the_learning_rate_depends_on_the_step_alone() -> None:
    rates = [SCHEDULE.factor(step) for step in range(9)]
    assert rates[:2] == pytest.approx([0.5, 0.5 + 0.5 * np.cos(np.pi / 8)], abs=1e-3), "warm-up"
    assert rates[4] == pytest.approx(0.5, abs=1e-3)
    assert rates[8] == pytest.approx(1e-4, abs=1e-9), "the lowest rate is 1e-6"
    assert rates[1:] == sorted(rates[1:], reverse=True)


def test_a_checkpoint_of_another_training_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.pt"
    train(path)
    before = path.read_bytes()
    for schedule, data_hash, key in (
        (replace(SCHEDULE, steps=9), "data", "schedule"),
        (replace(SCHEDULE, seed=6), "data", "schedule"),
        (SCHEDULE, "other", "data_hash"),
    ):
        with pytest.raises(InputError, match=f"checkpoint of another training: its {key} is .* Delete it"):
            train(path, schedule, data_hash=data_hash)
    assert path.read_bytes() == before


def test_a_damaged_checkpoint_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.pt"
    train(path)
    whole = path.read_bytes()
    torch.save(begin().state_dict(), tmp_path / "weights.pt")
    for damaged in (b"", whole[: len(whole) // 2], b"nonsense", (tmp_path / "weights.pt").read_bytes()):
        path.write_bytes(damaged)
        with pytest.raises(InputError, match="is not a checkpoint of this trainer, or it is damaged"):
            train(path)
        with pytest.raises(InputError, match="delete it to train from the start"):
            averaged(begin(), path)


def test_a_crash_while_writing_leaves_the_checkpoint_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(_number: int) -> None:
        raise StoppedError

    path = tmp_path / "x.pt"
    with pytest.raises(StoppedError):
        train(path, stop_at=5)
    before = path.read_bytes()
    monkeypatch.setattr(os, "fsync", crash)
    with pytest.raises(StoppedError):
        train(path)
    assert path.read_bytes() == before
    monkeypatch.undo()
    assert train(path) == [5, 6, 7, 8]
    assert [entry.name for entry in tmp_path.iterdir()] == ["x.pt"]


def test_the_average_is_exported(tmp_path: Path) -> None:
    train(tmp_path / "x.pt")
    state = torch.load(tmp_path / "x.pt", weights_only=True)
    network = averaged(begin(), tmp_path / "x.pt")
    assert same(dict(network.state_dict()), dict(state["average"]))
    assert not same(dict(state["average"]), dict(state["weights"]))
    assert (state["averaged"], state["step"], state["schedule"]["seed"]) == (8, 8, 5)


def test_the_hash_of_the_data() -> None:
    numbers = np.arange(6)
    assert hash_of(numbers) == hash_of(numbers.copy())
    others = (numbers + 1, numbers.reshape(2, 3), numbers.astype(np.int32), numbers[::-1])
    assert len({hash_of(numbers), *(hash_of(other) for other in others)}) == 5
    assert hash_of(numbers[::2]) == hash_of(numbers[::2].copy()), "the layout in memory has no effect"
