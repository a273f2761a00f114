"""All that the command line prints: lines and JSON in which no name from outside steers the terminal."""

import codecs
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from pathlib import Path
from typing import Final

import typer

from tilescore.errors import InputError
from tilescore.files.outputs import write_whole
from tilescore.printable import ascii_json, printable, printable_json

_GIVEN: Final[ContextVar[tuple[tuple[str, str], ...]]] = ContextVar("given", default=())
"""Where this command has unpacked archives, and the folders that hold them; all end like a folder."""


def name_as_given(unpacked: Path, archive: Path) -> None:
    """Let each further line of this command name the archive in place of the folder into which it was unpacked."""
    place = os.path.join(unpacked.parent, "")  # noqa: PTH118  # Path drops the end
    _GIVEN.set((*_GIVEN.get(), (place, str(archive)[: -len(archive.name)])))


def is_unpacked(folder: Path) -> bool:
    """Whether the folder is the content of an archive that a person gave."""
    return any(str(folder).startswith(place) for place, _ in _GIVEN.get())


def _as_given(text: str, quoted: Callable[[str], str] = str) -> str:
    for place, given in _GIVEN.get():
        text = text.replace(quoted(place), quoted(given))
    return text


def say(*lines: str, err: bool = False) -> None:
    """Print lines on stdout, or on stderr."""
    for line in lines:
        with nullcontext() if err else _naming_stdout():
            typer.echo(printable(_as_given(line)), err=err)


def complain(message: str) -> None:
    """Print a sentence about what is wrong on stderr."""
    say(f"tilescore: {message}", err=True)


def say_json(data: object) -> None:
    """Print one line of JSON on stdout."""
    say_json_line(_as_given(_in_json(data), lambda name: _in_json(name)[1:-1]))
    flush()


def _in_json(data: object) -> str:
    return json.dumps(data, ensure_ascii=False)


def say_json_line(text: str) -> None:
    """Print a line that is JSON already on stdout: in UTF-8, or in ASCII where stdout has another encoding.

    It may wait in a buffer, because thousands of hands a second are scored.
    """
    is_utf8 = sys.stdout.encoding is None or codecs.lookup(sys.stdout.encoding).name == "utf-8"
    shown = printable_json(text) if is_utf8 else ascii_json(text)
    with _naming_stdout():
        sys.stdout.write(f"{shown}\n")


def flush() -> None:
    """Send on what has been printed; raises OSError."""
    with _naming_stdout():
        sys.stdout.flush()


@contextmanager
def _naming_stdout() -> Iterator[None]:
    """Say which file an error is about."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, "standard output") from None


def write_lines(lines: Iterable[str], out: Path | None) -> None:
    """Write lines of JSON to a new file, or to standard output without one; raises InputError if the file exists."""
    if out is None:
        for line in lines:
            say_json_line(line)
        flush()
        return
    if out.exists():
        raise InputError("file_exists", f"--out '{out}' exists already: name a new file.")
    write_whole(out, (f"{line}\n".encode() for line in lines))
