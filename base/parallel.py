"""One function on many things: on all cores of this machine, or on a Dask cluster; results as they are done.

A few things a worker are under way at a time. Who takes the results keeps each at once: a kill loses only what was
under way. On a cluster, what a lost worker had under way is done again by another.
"""

from __future__ import annotations

from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import islice
from multiprocessing import get_context
from typing import TYPE_CHECKING, Final, Protocol, TypeVar

from tilescore.base.errors import InputError
from tilescore.base.threads import compute_with_one_thread, cores

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

_AHEAD: Final = 3
"""Things (or batches of them) under way a worker: enough to keep it busy while results are taken."""
_LOOK_UP_S: Final = 20.0
"""So long nothing is heard of before it is asked whether anybody is still at work."""

Thing = TypeVar("Thing")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Pool:
    """Who does the work.

    Attributes:
        workers: processes of this machine; 0 for one a core, 1 to work in this process.
        cluster: address of a Dask scheduler whose workers do it instead, e.g. `tcp://10.0.0.5:8786`.
    """

    workers: int = 0
    cluster: str = ""

    def for_few(self, count: int, few: int) -> Pool:
        """This process alone for up to `few` things: starting others would take longer. A cluster is there already."""
        return THIS_PROCESS if count <= few and not self.cluster else self


ALL_CORES: Final = Pool()
THIS_PROCESS: Final = Pool(1)
"""This process, without others."""


class WorkerPool(Protocol):
    """Where a pool works."""

    @property
    def executor(self) -> Executor:
        """What takes the work."""
        ...

    def slots(self) -> int:
        """How many things can be worked on at a time, now; raises InputError when nobody is left."""
        ...


def work_through(
    work: Callable[[Thing], Result], things: Iterable[Thing], pool: Pool = ALL_CORES, *, at_once: int = 1
) -> Iterator[tuple[Thing, Result]]:
    """Each thing with what `work` makes of it, in the order in which they are done.

    Args:
        work: a function that other processes can import.
        things: taken as they are needed.
        pool: who works.
        at_once: how many things a worker gets at a time; more than one where each takes only milliseconds.

    Raises:
        InputError: a worker was killed, or the cluster cannot be reached.
    """
    if pool.workers == 1 and not pool.cluster:
        for thing in things:
            yield thing, work(thing)
        return
    waiting = iter(things)
    batches = iter(lambda: tuple(islice(waiting, at_once)), ())
    with _workplace(pool) as place:
        under_way: dict[Future[list[Result]], tuple[Thing, ...]] = {}
        while True:
            for batch in islice(batches, max(0, _AHEAD * place.slots() - len(under_way))):
                under_way[place.executor.submit(_each, work, batch)] = batch
            if not under_way:
                return
            for done in wait(under_way, timeout=_LOOK_UP_S, return_when=FIRST_COMPLETED).done:
                yield from zip(under_way.pop(done), done.result(), strict=True)


def work_in_order(
    work: Callable[[Thing], Result], things: Iterable[Thing], pool: Pool = ALL_CORES, *, at_once: int = 1
) -> Iterator[tuple[Thing, Result]]:
    """The same in the order of the things; arguments and errors as for `work_through`."""
    early: dict[int, tuple[Thing, Result]] = {}
    given = 0
    for (place, thing), result in work_through(partial(_numbered, work), enumerate(things), pool, at_once=at_once):
        early[place] = (thing, result)
        while given in early:
            yield early.pop(given)
            given += 1


def _numbered(work: Callable[[Thing], Result], numbered: tuple[int, Thing]) -> Result:
    return work(numbered[1])


def _each(work: Callable[[Thing], Result], things: tuple[Thing, ...]) -> list[Result]:
    return [work(thing) for thing in things]


@contextmanager
def _workplace(pool: Pool) -> Iterator[WorkerPool]:
    if pool.cluster:
        from tilescore.base.cluster import cluster  # noqa: PLC0415  # extra `cluster`

        with cluster(pool.cluster) as place:
            yield place
        return
    workers = pool.workers or cores()
    # Fresh processes: a fork of one whose networks have threads at work may wait for them for ever.
    with ProcessPoolExecutor(workers, get_context("spawn"), _as_one_of, (workers,)) as processes:
        try:
            yield _Processes(processes, workers)
        except BrokenProcessPool:
            message = "a worker process was killed (is there enough memory?): start again, what is done is kept."
            raise InputError("worker_lost", message) from None
        finally:
            processes.shutdown(cancel_futures=True)


def _as_one_of(workers: int) -> None:
    """What a process does first: beside others it keeps to one core, else their threads would wait for each other."""
    if workers > 1:
        compute_with_one_thread()


@dataclass(frozen=True, slots=True)
class _Processes:
    """Processes of this machine."""

    executor: ProcessPoolExecutor
    workers: int

    def slots(self) -> int:
        """As many as there are processes."""
        return self.workers
