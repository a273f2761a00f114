"""One function on many things, on all cores: results as they are done, in whatever order, a few under way at a time.

Who takes the results keeps each at once: a kill loses only what was under way.
"""

from __future__ import annotations

import os
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from typing import TYPE_CHECKING, Final, TypeVar

from scoring.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

_AHEAD: Final = 3
"""Things under way a worker: enough to keep it busy while results are taken."""

Thing = TypeVar("Thing")
Result = TypeVar("Result")


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def work_through(
    work: Callable[[Thing], Result], things: Iterable[Thing], *, workers: int = 0
) -> Iterator[tuple[Thing, Result]]:
    """Each thing with what `work` makes of it.

    Args:
        work: a function that other processes can import.
        things: taken as they are needed.
        workers: processes; 0 for one a core, 1 to work here.

    Raises:
        InputError: a worker was killed.
    """
    workers = workers or cores()
    if workers == 1:
        for thing in things:
            yield thing, work(thing)
        return
    waiting = iter(things)
    with ProcessPoolExecutor(workers) as pool:
        under_way: dict[Future[Result], Thing] = {}
        try:
            while True:
                for thing in islice(waiting, _AHEAD * workers - len(under_way)):
                    under_way[pool.submit(work, thing)] = thing
                if not under_way:
                    return
                for done in wait(under_way, return_when=FIRST_COMPLETED).done:
                    yield under_way.pop(done), done.result()
        except BrokenProcessPool:
            message = "a worker process was killed (is there enough memory?): start again, what is done is kept."
            raise InputError("worker_lost", message) from None
        finally:
            pool.shutdown(cancel_futures=True)
