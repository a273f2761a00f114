"""Progress bars on stderr, and reading long inputs line by line in constant memory."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tilescore.base.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import BinaryIO

_EVERY_S = 0.1
"""Seconds between two looks at the bar."""


@contextmanager
def lines_of(source: str) -> Iterator[Iterator[str]]:
    """The lines of a file, or of standard input for `-`; shows how far it is when stderr is a terminal."""
    if source == "-":
        with progress_bar("scoring") as show:
            yield _counted(sys.stdin.buffer, None, show)
        return
    path = Path(source)
    if not path.is_file():
        raise InputError("no_such_file", f"'{source}' is no file: check the name, or write - for standard input.")
    with path.open("rb") as file, progress_bar("scoring") as show:
        yield _counted(file, path.stat().st_size, show)


def _counted(file: BinaryIO, size: int | None, show: Callable[[int, int | None], None]) -> Iterator[str]:
    """The lines as text; tells now and then how many bytes have been read."""
    done, shown = 0, 0.0
    for raw in file:
        yield raw.decode("utf-8", "replace")
        done += len(raw)
        if time.monotonic() - shown > _EVERY_S:
            show(done, size)
            shown = time.monotonic()
    show(done, done)


@contextmanager
def progress_bar(description: str) -> Iterator[Callable[[int, int | None], None]]:
    """A function to call with how much is done, and of how much if that is known.

    The bar shows when stderr is a terminal. What is printed meanwhile goes where it belongs: rich would send it to
    the bar's own stream, so it may do that only when stdout is the same terminal.
    """
    from rich.console import Console  # noqa: PLC0415  # comes with typer; slow to load
    from rich.progress import Progress  # noqa: PLC0415

    console = Console(stderr=True, soft_wrap=True, highlight=False)
    with Progress(
        console=console,
        disable=not console.is_terminal,
        transient=True,
        redirect_stdout=sys.stdout.isatty(),
        redirect_stderr=False,
    ) as progress:
        task = progress.add_task(description, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)
