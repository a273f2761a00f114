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
"""Things (or handfuls of them) under way a worker: enough to keep it busy while results are taken."""
_LOOK_UP_S: Final = 20.0
"""So long nothing is heard of before it is asked whether anybody is still at work."""

Thing = TypeVar("Thing")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Crew:
    """Who does the work.

    Attributes:
        workers: processes of this machine; 0 for one a core, 1 to work in this process.
        cluster: address of a Dask scheduler whose workers do it instead, e.g. `tcp://10.0.0.5:8786`.
    """

    workers: int = 0
    cluster: str = ""

    def for_few(self, count: int, few: int) -> Crew:
        """This process alone for up to `few` things: starting others would take longer. A cluster is there already."""
        return ALONE if count <= few and not self.cluster else self


EVERY_CORE: Final = Crew()
ALONE: Final = Crew(1)
"""This process, without others."""


class Workplace(Protocol):
    """Where a crew works."""

    @property
    def executor(self) -> Executor:
        """What takes the work."""
        ...

    def places(self) -> int:
        """How many things can be worked on at a time, now; raises InputError when nobody is left."""
        ...


def work_through(
    work: Callable[[Thing], Result], things: Iterable[Thing], crew: Crew = EVERY_CORE, *, at_once: int = 1
) -> Iterator[tuple[Thing, Result]]:
    """Each thing with what `work` makes of it, in the order in which they are done.

    Args:
        work: a function that other processes can import.
        things: taken as they are needed.
        crew: who works.
        at_once: how many things a worker gets at a time; more than one where each takes only milliseconds.

    Raises:
        InputError: a worker was killed, or the cluster cannot be reached.
    """
    if crew.workers == 1 and not crew.cluster:
        for thing in things:
            yield thing, work(thing)
        return
    waiting = iter(things)
    handfuls = iter(lambda: tuple(islice(waiting, at_once)), ())
    with _workplace(crew) as place:
        under_way: dict[Future[list[Result]], tuple[Thing, ...]] = {}
        while True:
            for handful in islice(handfuls, max(0, _AHEAD * place.places() - len(under_way))):
                under_way[place.executor.submit(_each, work, handful)] = handful
            if not under_way:
                return
            for done in wait(under_way, timeout=_LOOK_UP_S, return_when=FIRST_COMPLETED).done:
                yield from zip(under_way.pop(done), done.result(), strict=True)


def work_in_order(
    work: Callable[[Thing], Result], things: Iterable[Thing], crew: Crew = EVERY_CORE, *, at_once: int = 1
) -> Iterator[tuple[Thing, Result]]:
    """The same in the order of the things; arguments and errors as for `work_through`."""
    early: dict[int, tuple[Thing, Result]] = {}
    given = 0
    for (place, thing), result in work_through(partial(_numbered, work), enumerate(things), crew, at_once=at_once):
        early[place] = (thing, result)
        while given in early:
            yield early.pop(given)
            given += 1


def _numbered(work: Callable[[Thing], Result], numbered: tuple[int, Thing]) -> Result:
    return work(numbered[1])


def _each(work: Callable[[Thing], Result], things: tuple[Thing, ...]) -> list[Result]:
    return [work(thing) for thing in things]


@contextmanager
def _workplace(crew: Crew) -> Iterator[Workplace]:
    if crew.cluster:
        from tilescore.base.cluster import cluster  # noqa: PLC0415  # extra `cluster`

        with cluster(crew.cluster) as place:
            yield place
        return
    workers = crew.workers or cores()
    # Fresh processes: a fork of one whose networks have threads at work may wait for them for ever.
    with ProcessPoolExecutor(workers, get_context("spawn"), _as_one_of, (workers,)) as pool:
        try:
            yield _Processes(pool, workers)
        except BrokenProcessPool:
            message = "a worker process was killed (is there enough memory?): start again, what is done is kept."
            raise InputError("worker_lost", message) from None
        finally:
            pool.shutdown(cancel_futures=True)


def _as_one_of(workers: int) -> None:
    """What a process does first: beside others it keeps to one core, else their threads would wait for each other."""
    if workers > 1:
        compute_with_one_thread()


@dataclass(frozen=True, slots=True)
class _Processes:
    """Processes of this machine."""

    executor: ProcessPoolExecutor
    workers: int

    def places(self) -> int:
        """As many as there are processes."""
        return self.workers
