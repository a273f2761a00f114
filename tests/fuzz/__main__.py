"""Feed spoilt input to everything that reads what people bring, and report what is answered by anything but a sentence.

    python -m tests.fuzz --photos 20000 --hands 200000 --ledgers 20000 --labels 20000

An input is taken or refused with an InputError. Anything else is a fault: another exception, more than 5 s of
processor time, more than 1 GB of memory on top of the idle process, or the end of the process. Each room runs in a
process of its own, which is begun again after what killed it. An input is made from the seed and its number alone: what
a fault's line shows, `--only ROOM:NUMBER` tries again. Inputs that were faults are kept in `runs/fuzz`.
"""

from __future__ import annotations

import argparse
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

from tilescore.base.errors import InputError

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

MOST_CPU_S: Final = 5.0
MOST_WALL_S: Final = 60.0
MOST_BYTES: Final = 1_000_000_000
ROOMS: Final = {
    "photos": ("tests.fuzz.photos", "Photos"),
    "hands": ("tests.fuzz.texts", "Hands"),
    "ledgers": ("tests.fuzz.texts", "Ledgers"),
    "labels": ("tests.fuzz.texts", "Labels"),
}
_KEPT: Final = Path("runs/fuzz")
_EVERY: Final = 50
"""Inputs between two signs of life."""
_SIGNALS: Final = {signal.SIGPROF: f"over {MOST_CPU_S:g} s of CPU", signal.SIGALRM: f"over {MOST_WALL_S:g} s"}


class Room(Protocol):
    """What makes input and feeds it."""

    def make(self, random: Random, number: int) -> bytes:
        """The input of that number."""
        ...

    def feed(self, data: bytes) -> bool:
        """Whether it was taken whole; raises InputError where it is refused, anything else is a fault."""
        ...


@dataclass(slots=True)
class Tally:
    """What a room's inputs came to.

    Attributes:
        room: its name.
        tried, taken: inputs, and those without a complaint.
        faults: what went wrong to the numbers of the inputs.
        slowest: seconds of CPU and the input's number.
        largest: bytes on top of the idle process and the input's number.
    """

    room: str
    tried: int = 0
    taken: int = 0
    faults: dict[str, list[int]] = field(default_factory=dict)
    slowest: tuple[float, int] = (0.0, 0)
    largest: tuple[int, int] = (0, 0)

    def fault(self, what: str, number: int) -> None:
        """Note one; the same thing at several inputs is one line of the table."""
        self.faults.setdefault(what, []).append(number)


def main() -> None:
    """Try everything, print the table; exit status 1 if there was a fault."""
    parser = argparse.ArgumentParser(description="Feed spoilt input to every reader.")
    for name in ROOMS:
        parser.add_argument(f"--{name}", type=int, default=0, metavar="COUNT")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", metavar="ROOM:NUMBER", help="one input, in this process, with its traceback")
    wanted = parser.parse_args()
    if wanted.only:
        name, number = wanted.only.split(":")
        room = room_of(name)
        print(room.feed(made(room, name, seed=wanted.seed, number=int(number))))
        return
    tallies = [_explored(name, getattr(wanted, name), seed=wanted.seed) for name in ROOMS if getattr(wanted, name)]
    _show(tallies)
    sys.exit(any(tally.faults for tally in tallies))


def made(room: Room, name: str, *, seed: int, number: int) -> bytes:
    """The input of that number: the same on every machine."""
    return room.make(Random(f"{seed}/{name}/{number}"), number)


def room_of(name: str) -> Room:
    """The room of that name, its samples made."""
    module, kind = ROOMS[name]
    room: Room = getattr(import_module(module), kind)()
    return room


def _explored(name: str, count: int, *, seed: int) -> Tally:
    """All inputs of a room, whatever becomes of the processes that try them."""
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
                said = ours.recv()
            except EOFError:
                break
            if isinstance(said, tuple):
                tally.fault(*said)
                continue
            _note(tally, said)
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


def _note(tally: Tally, said: dict[str, Any]) -> None:
    tally.tried += said["tried"]
    tally.taken += said["taken"]
    tally.slowest = max(tally.slowest, said["slowest"])
    tally.largest = max(tally.largest, said["largest"])


def _work(name: str, numbers: range, seed: int, pipe: Connection, at: Any) -> None:
    room = room_of(name)
    idle = _peak()
    try:
        for first in range(numbers.start, numbers.stop, _EVERY):
            some = range(first, min(first + _EVERY, numbers.stop))
            pipe.send(_tried(room, name, some, seed=seed, idle=idle, at=at, pipe=pipe))
    finally:
        getattr(room, "close", lambda: None)()


def _tried(room: Room, name: str, numbers: range, *, seed: int, idle: int, at: Any, pipe: Connection) -> dict[str, Any]:
    """The figures of these inputs; a fault is told at once, before the next input may end the process."""
    taken, slowest, largest = 0, (0.0, 0), (0, 0)
    for number in numbers:
        at.value = number
        data = made(room, name, seed=seed, number=number)
        _forget_peak()
        begun = time.process_time()
        signal.setitimer(signal.ITIMER_PROF, MOST_CPU_S)  # nobody listens to it: the process ends
        signal.setitimer(signal.ITIMER_REAL, MOST_WALL_S)
        what = ""
        try:
            taken += room.feed(data)
        except InputError:
            pass
        except Exception as error:  # noqa: BLE001  # that is what is looked for
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
    return {"tried": len(numbers), "taken": taken, "slowest": slowest, "largest": largest}


def _named(error: Exception) -> str:
    """The kind of exception and where in our rooms it came from."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "site-packages" not in frame.filename]
    place = f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else "?"
    return f"{type(error).__name__} at {place}: {json.dumps(str(error)[:90])}"


def _forget_peak() -> None:
    """Let Linux measure the peak of memory from now on."""
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")


def _peak() -> int:
    """Bytes of memory that this process had at most since `_forget_peak`."""
    for line in Path(f"/proc/{os.getpid()}/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    return 0


def _show(tallies: list[Tally]) -> None:
    print(f"{'room':8} {'inputs':>8} {'taken':>8} {'faults':>7} {'slowest':>17} {'most memory':>17}")
    for tally in tallies:
        seconds, slow = tally.slowest
        size, large = tally.largest
        print(
            f"{tally.room:8} {tally.tried:8} {tally.taken:8} {len(tally.faults):7} {seconds:7.2f} s #{slow:<7} "
            f"{size / 1e6:7.0f} MB #{large:<7}"
        )
    for tally in tallies:
        for what, numbers in sorted(tally.faults.items(), key=lambda item: -len(item[1])):
            print(f"{tally.room}: {what}: {len(numbers)} times, --only {tally.room}:{numbers[0]}")


if __name__ == "__main__":
    main()
