"""The one place where a command starts: whatever ends it becomes one sentence on stderr and an exit status.

Exit status: 0 done; 2 bad input, or a place that cannot be read or written; 1 a fault of ours, whose traceback lies in
a file; 128 and its number for a signal.
"""

import codecs
import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from typing import Any, Final, TextIO

import typer

from tilescore.errors import InputError
from tilescore.faults import fault_sentence, out_of_memory
from tilescore.processes.stopping import Stopped, stoppable
from tilescore.scoring.tiles import ALL_FACES
from tilescore.ui.cli.terminal import complain, flush

_FAULT, _BAD_INPUT = 1, 2
_NO_LIBRARY: Final = ": cannot open shared object file"
"""What the loader of libraries says after the name of one that is missing."""
_TILES: Final = {tile.symbol: f"{tile} " for tile in reversed(ALL_FACES)}
"""The name of each tile glyph, for a terminal that cannot show it; a red five, which comes last, shares one."""
_UsageError: Final = typer.BadParameter.__base__
"""What typer raises for options that do not exist or do not fit."""


def run_guarded(command: Callable[[], object]) -> None:
    """Run a command and leave the program with its exit status.

    The command returns it, or None for 0.
    """
    _open_streams()
    status = copy_context().run(_status, command)  # what one command notes is none of the next one's
    if status:
        sys.exit(status)


def _status(command: Callable[[], object]) -> int:
    try:
        with stoppable():
            status = command()
            flush()
    except Stopped as stopped:
        _leave_stdout()
        return int(stopped.code or 0)
    except KeyboardInterrupt:  # Ctrl-C before `stoppable` hears it
        _leave_stdout()
        return 128 + signal.SIGINT
    except SystemExit as ended:
        if isinstance(ended.__context__, BrokenPipeError):  # typer has caught it: nobody reads our output any more
            _leave_stdout()
            return 0
        raise
    except BaseException as error:  # noqa: BLE001  # this is the place where all of them end
        status, sentence = _told(error)
        if sentence:
            with suppress(OSError):
                complain(sentence)
        _leave_stdout()
    return status if isinstance(status, int) else 0


def _told(error: BaseException) -> tuple[int, str]:
    if isinstance(error, BrokenPipeError):
        return 0, ""
    if _UsageError is not None and isinstance(error, _UsageError):
        return _BAD_INPUT, _of_the_options(error)
    sentence = str(error) if isinstance(error, InputError) else _of_the_surroundings(error)
    return (_BAD_INPUT, sentence) if sentence else (_FAULT, fault_sentence(error))


def _of_the_options(error: Any) -> str:
    """The sentence about options; empty where the help was printed instead."""
    text = " ".join(error.format_message().split()).rstrip(".")
    command = "tilescore" if error.ctx is None else error.ctx.command_path
    return f"{text}: see {command} --help." if text else ""


def _of_the_surroundings(error: BaseException) -> str:
    """What to say of memory, a library, or a file that no command expects to fail; empty for any other error."""
    if out_of_memory(error):
        return "there is not enough memory: close other programs, or use fewer --workers."
    library, missing, _ = str(error).partition(_NO_LIBRARY)
    if isinstance(error, ImportError) and missing:
        needed = "Debian and Ubuntu bring what OpenCV needs with 'apt install libgl1 libglib2.0-0 libxcb1'."
        return f"{library} is missing on this machine: install it. {needed}"
    if not isinstance(error, OSError) or not error.strerror:
        return ""
    where = f"'{os.fsdecode(error.filename)}'" if isinstance(error.filename, str | bytes) else "a file"
    return f"{where} cannot be used ({error.strerror}): see that it is there, yours, and has room."


def _open_streams() -> None:
    """Give every stream an open file, and make every text printable in its encoding."""
    for number, flags in ((0, os.O_RDONLY), (1, os.O_RDONLY), (2, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:  # a file that is opened later would get this number; a write to stdout has to fail
            os.open(os.devnull, flags)
    for name, number, mode in (("stdin", 0, "r"), ("stdout", 1, "w"), ("stderr", 2, "w")):
        if getattr(sys, name) is None:
            stream = os.fdopen(number, mode, encoding="utf-8", closefd=False)
            setattr(sys, name, stream)
            setattr(sys, f"__{name}__", stream)
    codecs.register_error("tilescore", _fallback)
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="tilescore")


def _fallback(error: UnicodeError) -> tuple[str, int]:
    """Tile glyphs as text and other characters as escapes, where the encoding of a stream lacks them."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking = error.object[error.start : error.end]
    shown = (_TILES.get(character) or character.encode("ascii", "backslashreplace").decode() for character in lacking)
    return "".join(shown), error.end


def _leave_stdout() -> None:
    """Nothing more goes to stdout, so that the interpreter does not fail to write what is left in its buffer."""
    stream: TextIO | None = sys.__stdout__
    if sys.stdout is not stream or stream is None:
        return
    with suppress(OSError):
        stream.flush()
    with suppress(OSError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
