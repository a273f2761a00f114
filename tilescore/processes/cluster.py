"""The workers of a Dask cluster (extra `cluster`). The scheduler runs elsewhere; this process only sends it work.

Every worker needs this version of Tilescore and must see the pictures under the same paths as this machine.
"""

import asyncio
import logging
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from threading import Thread
from typing import Any, Final

from tilescore.errors import InputError

_TIMEOUT_S: Final = 10.0
"""A cluster must have its first worker within this many seconds."""
_ANSWER_S: Final = 4.0
"""A scheduler must answer within this many seconds."""
_CLOSE_S: Final = 2.0
"""A connection that does not close within this many seconds is left to the end of the process."""


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

    def check(self) -> None:
        """Raise InputError if the scheduler no longer answers."""
        if not _answers(self.address):
            raise _lost(self.address)

    def _threads(self) -> int:
        return sum(int(count) for count in self.client.nthreads().values())


@contextmanager
def cluster(address: str) -> Iterator[Cluster]:
    """The cluster of the scheduler at that address.

    Raises InputError if the extra is missing, no scheduler answers, the connection is lost, or one batch brings down
    several workers.
    """
    try:
        from distributed import CancelledError, Client, KilledWorker
        from distributed.comm.core import CommClosedError
    except ImportError:
        message = "--cluster needs the extra `cluster`: pip install 'tilescore[cluster]'."
        raise InputError("no_dask", message) from None
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)  # what the library logs is said in one sentence
    try:
        if not _answers(address):
            message = f"no Dask scheduler answers at '{address}': start one as docs/annotate.md shows, or check it."
            raise InputError("no_scheduler", message, address=address)
        client = Client(address, timeout=_ANSWER_S, set_as_default=False)
        try:
            yield Cluster(client, client.get_executor(pure=False), address)
        except KilledWorker:
            message = "the same picture brought down several workers (is there enough memory?): what is done is kept."
            raise InputError("worker_lost", message) from None
        except (CancelledError, CommClosedError, OSError) as error:
            if isinstance(error, OSError) and not isinstance(error, CommClosedError) and _answers(address):
                raise  # about a file of ours
            raise _lost(address) from None
        except (ModuleNotFoundError, RuntimeError) as error:
            if isinstance(error, RuntimeError) and "deserializ" not in str(error):
                raise
            message = f"the workers at '{address}' have another Tilescore, or none: install this version there too."
            raise InputError("not_installed", message, address=address) from None
        finally:
            _close(client)
    finally:
        logging.disable(before)


def _lost(address: str) -> InputError:
    message = f"the connection to the scheduler at '{address}' was lost: start again, what is done is kept."
    return InputError("scheduler_lost", message, address=address)


def _answers(address: str) -> bool:
    """Whether a scheduler speaks there. The client itself waits for minutes for one that accepts and stays mute."""
    from distributed.comm import connect
    from distributed.security import Security

    async def greet() -> None:
        settings = Security().get_connection_args("client")
        comm = await asyncio.wait_for(connect(address, timeout=_ANSWER_S, **settings), _ANSWER_S)
        await comm.close()

    try:
        asyncio.run(greet())
    except Exception:  # noqa: BLE001  # a malformed address or a stranger's answer: the library raises anything
        return False
    return True


def _close(client: Any) -> None:
    """Close the connection, for which the library may wait long when the scheduler is gone."""
    closing = Thread(target=partial(client.close, timeout=_CLOSE_S), daemon=True)
    closing.start()
    closing.join(2 * _CLOSE_S)
