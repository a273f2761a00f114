"""Try the inputs of a target in separate processes and collect its faults.

This module is apart from the command, because a spawned process cannot import functions of a `__main__` module.
"""

from __future__ import annotations

import json
import multiprocessing as mp
import os
import signal
import sys
import time
import traceback
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final, Protocol

from tilescore.errors import InputError

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

MOST_CPU_S: Final = 5.0
MOST_WALL_S: Final = 60.0
MOST_BYTES: Final = 1_000_000_000
TARGETS: Final = {
    "photos": ("tests.fuzz.photos", "Photos"),
    "hands": ("tests.fuzz.texts", "Hands"),
    "ledgers": ("tests.fuzz.texts", "Ledgers"),
    "labels": ("tests.fuzz.texts", "Labels"),
}
_KEPT: Final = Path("runs/fuzz")
_EVERY: Final = 50
"""The number of inputs between two progress messages."""
_SIGNALS: Final = {signal.SIGPROF: f"over {MOST_CPU_S:g} s of CPU", signal.SIGALRM: f"over {MOST_WALL_S:g} s"}


class FuzzTarget(Protocol):
    """A reader of user input, and the source of its inputs."""

    def make(self, random: Random, number: int) -> bytes:
        """Make the input of that number."""
        ...

    def feed(self, data: bytes) -> bool:
        """Feed the input; gives whether the reader accepts it without an error.

        Raises:
            InputError: the reader rejects the input. Every other exception is a fault.
        """
        ...


@dataclass(slots=True)
class Tally:
    """The results of all inputs of a target."""

    target: str  # the name of the target
    tried: int = 0  # the number of inputs
    accepted: int = 0  # the number of accepted inputs
    # the description of each fault, with the numbers of its inputs
    faults: dict[str, list[int]] = field(default_factory=dict)
    slowest: tuple[float, int] = (0.0, 0)  # the most CPU time, in seconds, and the number of its input
    largest: tuple[int, int] = (0, 0)  # the most memory above the idle process, in bytes, and the number of its input

    def fault(self, what: str, number: int) -> None:
        """Record a fault; one line of the table covers equal faults of several inputs."""
        self.faults.setdefault(what, []).append(number)


def made(target: FuzzTarget, name: str, *, seed: int, number: int) -> bytes:
    """The input of that number; it is the same on every machine."""
    return target.make(Random(f"{seed}/{name}/{number}"), number)


def target_of(name: str) -> FuzzTarget:
    """The target of that name, with its samples."""
    module, kind = TARGETS[name]
    target: FuzzTarget = getattr(import_module(module), kind)()
    return target


def explored(name: str, count: int, *, seed: int) -> Tally:
    """Try all inputs of a target, even if some of them end their process."""
    tally, start, begun = Tally(name), 0, time.monotonic()
    context = mp.get_context("spawn")
    while start < count:
        ours, theirs = context.Pipe(duplex=False)
        at = context.Value("q", start)
        worker = context.Process(target=_work, args=(name, range(start, count), seed, theirs, at))
        worker.start()
        theirs.close()
        while True:
            try:
                message = ours.recv()
            except EOFError:
                break
            if isinstance(message, tuple):
                tally.fault(*message)
                continue
            _add(tally, message)
            rate = tally.tried / (time.monotonic() - begun)
            print(
                f"\r{name}: {tally.tried}/{count}, {rate:.0f}/s, {len(tally.faults)} faults ", end="", file=sys.stderr
            )
        worker.join()
        start = count
        if worker.exitcode:
            start = int(at.value) + 1
            died = signal.Signals(-worker.exitcode) if worker.exitcode < 0 else None
            what = _SIGNALS.get(died, died.name) if died else f"exit {worker.exitcode}"
            tally.fault(what, start - 1)
    print(file=sys.stderr)
    tally.tried = count
    return tally


def _add(tally: Tally, figures: dict[str, Any]) -> None:
    tally.tried += figures["tried"]
    tally.accepted += figures["accepted"]
    tally.slowest = max(tally.slowest, figures["slowest"])
    tally.largest = max(tally.largest, figures["largest"])


def _work(name: str, numbers: range, seed: int, pipe: Connection, at: Any) -> None:
    target = target_of(name)
    idle = _peak()
    try:
        for first in range(numbers.start, numbers.stop, _EVERY):
            some = range(first, min(first + _EVERY, numbers.stop))
            pipe.send(_tried(target, name, some, seed=seed, idle=idle, at=at, pipe=pipe))
    finally:
        getattr(target, "close", lambda: None)()


def _tried(
    target: FuzzTarget, name: str, numbers: range, *, seed: int, idle: int, at: Any, pipe: Connection
) -> dict[str, Any]:
    """The figures of these inputs; sends a fault at once, before the next input may end the process."""
    accepted, slowest, largest = 0, (0.0, 0), (0, 0)
    for number in numbers:
        at.value = number
        data = made(target, name, seed=seed, number=number)
        _forget_peak()
        begun = time.process_time()
        signal.setitimer(signal.ITIMER_PROF, MOST_CPU_S)  # no handler: the signal ends the process
        signal.setitimer(signal.ITIMER_REAL, MOST_WALL_S)
        what = ""
        try:
            accepted += target.feed(data)
        except InputError:
            pass
        except Exception as error:  # noqa: BLE001  # such an exception is a fault
            what = _named(error)
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
        slowest = max(slowest, (time.process_time() - begun, number))
        grown = _peak() - idle
        largest = max(largest, (grown, number))
        if not what and grown > MOST_BYTES:
            what = "over 1 GB of memory"
        if what:
            pipe.send((what, number))
            _KEPT.mkdir(parents=True, exist_ok=True)
            (_KEPT / f"{name}-{seed}-{number}").write_bytes(data)
    return {"tried": len(numbers), "accepted": accepted, "slowest": slowest, "largest": largest}


def _named(error: Exception) -> str:
    """The type of the exception and its line in our code."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "site-packages" not in frame.filename]
    place = f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else "?"
    return f"{type(error).__name__} at {place}: {json.dumps(str(error)[:90])}"


def _forget_peak() -> None:
    """Reset the peak memory that Linux records for this process."""
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")


def _peak() -> int:
    """The peak memory of this process, in bytes, since `_forget_peak`."""
    for line in Path(f"/proc/{os.getpid()}/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    return 0
