"""Progress bars on stderr, and long inputs line by line in constant memory."""

import codecs
import io
import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Any, BinaryIO

from tilescore.errors import InputError
from tilescore.files.json_text import MARKED
from tilescore.processes.stopping import Stopped
from tilescore.ui.cli.terminal import complain, flush, say_json_line

_PART = 500
"""Lines that a process gets at a time: some 60 ms of work (chosen)."""
_EVERY_S = 0.1
"""Seconds between two updates of the bar."""


@contextmanager
def lines_of(source: str, doing: str = "scoring") -> Iterator[Iterator[str]]:
    """The lines of a file, or of standard input for `-`; a bar shows the progress if stderr is a terminal.

    What has been printed is sent on before each wait for more of the input: a program may wait for each answer.
    """
    if source == "-":
        with progress_bar(doing) as show:
            yield _counted(io.BufferedReader(_AfterFlush(sys.stdin.buffer)), None, show)
        return
    path = Path(source)
    if path.is_dir() or not path.exists():
        raise InputError("no_such_file", f"'{source}' is no file: check the name, or write - for standard input.")
    with path.open("rb") as file, progress_bar(doing) as show:
        yield _counted(io.BufferedReader(_AfterFlush(file)), path.stat().st_size or None, show)


def stream(source: str, work: Callable[[Iterable[str]], Iterator[str]], jobs: int) -> None:
    """Print what `work` makes of the lines, in their order; several processes each take a part of them at a time.

    `source` is a file, or `-`. `work` yields a line of JSON for each line that is not blank; other processes must be
    able to import it. With 0 jobs there is one process for each core.
    """
    work(())  # raises for a ruleset that is unknown before anything is read
    with lines_of(source) as lines:
        for answer in work(lines) if jobs == 1 else _spread(work, lines, jobs):
            say_json_line(answer)


def _spread(work: Callable[[Iterable[str]], Iterator[str]], lines: Iterator[str], jobs: int) -> Iterator[str]:
    """The answers of several processes, in the order of the lines."""
    from tilescore.processes.parallel import Pool, work_in_order  # loads more than one process needs

    parts = iter(lambda: tuple(islice(lines, _PART)), ())
    for _, answers in work_in_order(partial(_answered, work), parts, Pool(jobs)):
        yield from answers


def _answered(work: Callable[[Iterable[str]], Iterator[str]], lines: Iterable[str]) -> list[str]:
    return list(work(lines))


class _AfterFlush(io.RawIOBase):
    """A file or pipe of which each part is read after the answers to the parts before it have been sent on."""

    def __init__(self, file: Any) -> None:  # buffered; BinaryIO lacks `readinto1`, which waits for one part only
        self._file = file

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> Any:
        flush()
        return self._file.readinto1(buffer)


def _counted(file: BinaryIO, size: int | None, show: Callable[[int, int | None], None]) -> Iterator[str]:
    """The lines as text, in the encoding that the first one is in; `show` gets the count of bytes from time to time."""
    done, shown, begun = 0, 0.0, ""
    first = file.readline()
    decoder = codecs.getincrementaldecoder(json.detect_encoding(first))(MARKED)
    for raw in chain((first,), file):
        *lines, begun = (begun + decoder.decode(raw)).split("\n")
        yield from lines
        done += len(raw)
        if time.monotonic() - shown > _EVERY_S:
            show(done, size)
            shown = time.monotonic()
    yield begun + decoder.decode(b"", final=True)
    show(done, done)


@contextmanager
def progress_bar(
    description: str, *, kept_in: Path | None = None, stopped: str = ""
) -> Iterator[Callable[[int, int | None], None]]:
    """A function that takes how much is done, and of how much if that is known.

    A command that a signal stops says the sentence `stopped`; without one, how much was done, and that it is kept in
    `kept_in`, or that nothing is kept.

    The bar appears if stderr is a terminal. Rich sends what the program prints meanwhile to the stream of the bar, so
    it may do that only if stdout is a terminal too.
    """
    from rich.console import Console  # comes with typer; slow to load
    from rich.progress import Progress

    console = Console(stderr=True, soft_wrap=True, highlight=False)
    with Progress(
        console=console,
        disable=not console.is_terminal,
        transient=True,
        redirect_stdout=sys.stdout.isatty(),
        redirect_stderr=False,
    ) as progress:
        task = progress.add_task(description, total=None)
        reached: tuple[int, int | None] = (0, None)

        def show(done: int, total: int | None) -> None:
            nonlocal reached
            reached = done, total
            progress.update(task, completed=done, total=total)

        try:
            yield show
        except Stopped:
            progress.stop()
            complain(stopped or _stopped(description, *reached, kept_in))
            raise


def _stopped(description: str, done: int, total: int | None, kept_in: Path | None) -> str:
    """What a stopped command leaves behind.

    >>> _stopped("reading", 3, 9, Path("out.jsonl")), _stopped("writing", 3, None, None)
    ("stopped: 3 of 9 kept in 'out.jsonl'; start again to go on.", 'stopped while writing: nothing is kept.')
    """
    if kept_in is None:
        return f"stopped while {description}: nothing is kept."
    count = f"{done} of {total}" if total is not None else f"{done}"
    return f"stopped: {count} kept in '{kept_in}'; start again to go on."
