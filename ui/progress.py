"""Progress bars on stderr, and reading long inputs line by line in constant memory."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from scoring.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TextIO


@contextmanager
def lines_of(source: str) -> Iterator[TextIO]:
    """The lines of a file, or of standard input for `-`; shows how far it is when stderr is a terminal."""
    from rich.console import Console  # noqa: PLC0415  # comes with typer; slow to load
    from rich.progress import open as open_with_progress  # noqa: PLC0415
    from rich.progress import wrap_file  # noqa: PLC0415

    console = Console(stderr=True)
    hidden = not console.is_terminal
    if source == "-":
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")  # type: ignore[union-attr]  # a real stdin is text
        if hidden:
            yield sys.stdin
            return
        with wrap_file(sys.stdin.buffer, total=0, console=console, description="scoring") as wrapped:
            yield (line.decode("utf-8", "replace") for line in wrapped)  # type: ignore[misc]  # only iterated over
        return
    if not Path(source).is_file():
        raise InputError("no_such_file", f"'{source}' is no file: check the name, or write - for standard input.")
    with open_with_progress(
        source, "r", encoding="utf-8", errors="replace", console=console, description="scoring", disable=hidden
    ) as file:
        yield file


@contextmanager
def progress_bar(description: str) -> Iterator[Callable[[int, int], None]]:
    """A function to call with how much is done, and of how much; shows a bar when stderr is a terminal."""
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import Progress  # noqa: PLC0415

    console = Console(stderr=True)
    with Progress(console=console, disable=not console.is_terminal, transient=True) as progress:
        task = progress.add_task(description, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)
