"""The workers of a Dask cluster (extra `cluster`). The scheduler runs elsewhere; this process only sends it work.

Every worker needs this version of Tilescore and must see the pictures under the same paths as this machine.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from tilescore.base.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Executor

_TIMEOUT_S: Final = 10.0
"""A scheduler must answer, and a cluster must have its first worker, within this many seconds."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """The workers of one scheduler."""

    client: Any
    executor: Executor
    address: str

    def slots(self) -> int:
        """Number of threads of all workers; waits for a first worker, and raises InputError if none appears."""
        if not self._threads():
            try:
                self.client.wait_for_workers(1, timeout=_TIMEOUT_S)
            except TimeoutError:
                message = (
                    f"the cluster at '{self.address}' has no workers: start some with dask worker {self.address}, "
                    "then this again; what is done is kept."
                )
                raise InputError("no_workers", message, address=self.address) from None
        return max(1, self._threads())

    def _threads(self) -> int:
        return sum(int(count) for count in self.client.nthreads().values())


@contextmanager
def cluster(address: str) -> Iterator[Cluster]:
    """The cluster of the scheduler at that address.

    Raises:
        InputError: the extra is missing, no scheduler answers, the connection is lost, or one batch brings down
            several workers.
    """
    try:
        from distributed import CancelledError, Client, KilledWorker
        from distributed.comm.core import CommClosedError
    except ImportError:
        message = "--cluster needs the extra `cluster`: pip install 'tilescore[cluster]'."
        raise InputError("no_dask", message) from None
    try:
        client = Client(address, timeout=_TIMEOUT_S, set_as_default=False)
    except (OSError, ValueError, TypeError, KeyError):
        message = f"no Dask scheduler answers at '{address}': start one as docs/annotate.md shows, or check it."
        raise InputError("no_scheduler", message, address=address) from None
    try:
        with client:
            yield Cluster(client, client.get_executor(pure=False), address)
    except KilledWorker:
        message = "the same picture brought down several workers (is there enough memory?): what is done is kept."
        raise InputError("worker_lost", message) from None
    except (CancelledError, CommClosedError):
        message = f"the connection to the scheduler at '{address}' was lost: start again, what is done is kept."
        raise InputError("scheduler_lost", message, address=address) from None
    except ModuleNotFoundError as error:
        message = f"the workers at '{address}' have no module {error.name}: install Tilescore there too, this version."
        raise InputError("not_installed", message, address=address) from None
