"""One function applied to many items: on the cores of this machine or on a Dask cluster.

A `Pool` names the workers. `work_through` and `work_in_order` start them, hand them batches of items and yield each
result as soon as it is there. A caller that saves each result at once loses only the batches in progress when it is
killed, and the processes end with it. If a worker of a cluster is lost, another worker repeats its batches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import islice
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Final, Protocol, TypeVar

from tilescore.errors import InputError
from tilescore.processes.lifeline import Lifeline, deaf_children, hold
from tilescore.processes.threads import compute_with_one_thread, cores

_BATCHES_PER_SLOT: Final = 3
"""Each slot has this many batches in progress, so that it stays busy while the caller handles results."""
_POLL_S: Final = 4.0
"""After this many seconds without a result the pool is asked whether it still works."""

Item = TypeVar("Item")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Pool:
    """The specification of the workers; it starts none."""

    workers: int = 0  # number of processes on this machine; 0 starts one for each core, 1 works in this process
    # Address of a Dask scheduler whose workers replace the processes, e.g. `tcp://10.0.0.5:8786`.
    cluster: str = ""

    def for_items(self, count: int, serial_limit: int) -> Pool:
        """The pool for `count` items: up to `serial_limit` of them, this process is faster than new ones.

        A cluster is running already, so it always gets the work.
        """
        return THIS_PROCESS if count <= serial_limit and not self.cluster else self


ALL_CORES: Final = Pool()
"""One process for each core of this machine."""
THIS_PROCESS: Final = Pool(1)
"""This process alone."""


class WorkerPool(Protocol):
    """Workers that are running."""

    @property
    def executor(self) -> Executor:
        """The executor that takes batches."""

    def slots(self) -> int:
        """Number of batches that can run at the same time now; raises InputError when no worker is left."""

    def check(self) -> None:
        """Raise InputError when nothing more will come; a process that is killed breaks its executor itself."""


def work_through(
    work: Callable[[Item], Result], items: Iterable[Item], pool: Pool = ALL_CORES, *, batch_size: int = 1
) -> Iterator[tuple[Item, Result]]:
    """Yield each item with its result, in the order in which the results arrive.

    Other processes must be able to import `work`. Items are read as slots become free; more than one in a batch pays
    where an item takes only milliseconds. Raises InputError if a worker was killed, or the cluster cannot be reached.
    """
    if pool.workers == 1 and not pool.cluster:
        for item in items:
            yield item, work(item)
        return
    waiting = iter(items)
    batches = iter(lambda: tuple(islice(waiting, batch_size)), ())
    with _started(pool) as workers:
        running: dict[Future[list[Result]], tuple[Item, ...]] = {}
        while True:
            for batch in islice(batches, max(0, _BATCHES_PER_SLOT * workers.slots() - len(running))):
                with deaf_children():
                    future = workers.executor.submit(_results, work, batch)
                running[future] = batch
            if not running:
                return
            finished = wait(running, timeout=_POLL_S, return_when=FIRST_COMPLETED).done
            if not finished:
                workers.check()
            for done in finished:
                yield from zip(running.pop(done), done.result(), strict=True)


def work_in_order(
    work: Callable[[Item], Result], items: Iterable[Item], pool: Pool = ALL_CORES, *, batch_size: int = 1
) -> Iterator[tuple[Item, Result]]:
    """Yield each item with its result, in the order of the items; see `work_through` for arguments and errors."""
    early: dict[int, tuple[Item, Result]] = {}
    next_index = 0
    for (index, item), result in work_through(partial(_numbered, work), enumerate(items), pool, batch_size=batch_size):
        early[index] = (item, result)
        while next_index in early:
            yield early.pop(next_index)
            next_index += 1


def _numbered(work: Callable[[Item], Result], numbered: tuple[int, Item]) -> Result:
    return work(numbered[1])


def _results(work: Callable[[Item], Result], items: tuple[Item, ...]) -> list[Result]:
    return [work(item) for item in items]


@contextmanager
def _started(pool: Pool) -> Iterator[WorkerPool]:
    """The workers of the pool, which stop when the context ends."""
    if pool.cluster:
        from tilescore.processes.cluster import cluster  # extra `cluster`

        with cluster(pool.cluster) as workers_elsewhere:
            yield workers_elsewhere
        return
    workers, lifeline = pool.workers or cores(), Lifeline()
    # Spawned processes, because a fork of a process with running network threads can deadlock.
    with deaf_children():  # the process that watches over semaphores starts here
        executor = ProcessPoolExecutor(workers, get_context("spawn"), _begin, (workers, lifeline.end))
    try:
        yield _ProcessPool(executor, workers)
    except BrokenProcessPool:
        message = "a worker process was killed (is there enough memory?): start again, what is done is kept."
        raise InputError("worker_lost", message) from None
    except BaseException:
        lifeline.cut()  # nobody waits for the batches in progress
        raise
    finally:
        executor.shutdown(cancel_futures=True)
        lifeline.close()


def _begin(workers: int, end: Connection) -> None:
    """Bind a new process to its parent; restrict it to one thread if there are several, which compete for the cores."""
    hold(end)
    if workers > 1:
        compute_with_one_thread()


@dataclass(frozen=True, slots=True)
class _ProcessPool:
    executor: ProcessPoolExecutor
    workers: int

    def slots(self) -> int:
        return self.workers

    def check(self) -> None:
        """Nothing to ask: the executor reports the loss of a process."""
