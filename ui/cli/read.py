"""The command that reads the hands in photos."""

from __future__ import annotations

from functools import partial
from pathlib import Path  # noqa: TC003  # noqa: TC001  # typer reads the annotations
from typing import TYPE_CHECKING, Annotated

import typer

from tilescore.base.errors import InputError
from tilescore.ui.cli.options import (  # typer reads the annotations
    DEFAULT_BUDGET_MS,
    BudgetMs,
    Cluster,
    InsecureCluster,
    Workers,
    budget_of,
    pool_of,
)
from tilescore.ui.cli.terminal import complain, say, say_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tilescore.ui.cli.reading_files import Unread
    from tilescore.vision.decoding.reading import Reading

    Work = Callable[[Sequence[Path]], Iterator[tuple[Path, Reading | Unread]]]


def read(
    photos: Annotated[
        list[Path] | None,
        typer.Argument(help="JPEG, PNG, WebP, HEIC, AVIF or TIFF files, or folders of them.", show_default=False),
    ] = None,
    *,
    detections: Annotated[
        str | None,
        typer.Option(help="A file of JSON Lines, or -: boxes and names of another detector instead of photos."),
    ] = None,
    win: Annotated[bool, typer.Option("--win", help="The hands are finished: prefer a complete one.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="JSON Lines on stdout.")] = False,
    out: Annotated[
        Path | None,
        typer.Option(help="Write JSON Lines there; started again, photos that it has are not read again."),
    ] = None,
    model: Annotated[str, typer.Option("--model", help="Name of a shipped network, or an .onnx file.")] = "tiles46",
    budget_ms: BudgetMs = DEFAULT_BUDGET_MS,
    workers: Workers = 0,
    cluster: Cluster = "",
    insecure_cluster: InsecureCluster = False,
) -> None:
    """Say what hand each photo shows."""
    from tilescore.ui.cli.reading_files import photos_of, readings  # loads the networks

    if bool(photos) == (detections is not None):
        raise InputError("photos_or_detections", "name photos to read, or --detections with a file of boxes.")
    budget = budget_of(budget_ms)
    if detections is not None:
        failed = _print_detections(detections, as_json=as_json, win=win)
    else:
        files = photos_of(photos or [])
        pool = pool_of(workers, cluster, insecure=insecure_cluster)
        work = partial(readings, model=model, pool=pool, is_win=win, budget_ms=budget)
        failed = _print(files, work, as_json=as_json) if out is None else _write(files, out, work)
    if failed:
        raise typer.Exit(2)


def _print_detections(source: str, *, as_json: bool, win: bool) -> int:
    """Print the reading of each line of boxes; return how many lines could not be used."""
    from tilescore.ui.cli.detection_lines import read_lines
    from tilescore.ui.cli.report import reading_report

    failed = 0
    for number, found in read_lines(source, is_win=win):
        if isinstance(found, InputError):
            failed += 1
            complain(f"line {number}: {found}")
            if as_json:
                say_json({"line": number, "error": {"code": found.code, "message": str(found)}})
        elif as_json:
            say_json(found.to_json())
        else:
            say(*reading_report(found).split("\n"))
    return failed


def _print(files: Sequence[Path], work: Work, *, as_json: bool) -> int:
    """Print every reading; return how many photos could not be read."""
    from tilescore.ui.cli.progress import progress_bar
    from tilescore.ui.cli.reading_files import Unread, json_of
    from tilescore.ui.cli.report import reading_report

    failed = 0
    with progress_bar("reading") as progress:
        for done, (path, found) in enumerate(work(files), start=1):
            if isinstance(found, Unread):
                failed += 1
                complain(found.message)
            if as_json and not (isinstance(found, Unread) and len(files) == 1):
                say_json(json_of(path, found))
            elif not isinstance(found, Unread):
                say(*reading_report(found).split("\n"))
            if len(files) > 1:
                progress(done, len(files))
    return failed


def _write(files: Sequence[Path], out: Path, work: Work) -> int:
    """Add the missing readings to a file; return how many of its photos could not be read."""
    from tilescore.ui.cli.progress import progress_bar
    from tilescore.ui.cli.reading_files import ResultsFile, Unread, json_of

    try:
        with out.open("a+b") as file, progress_bar("reading") as progress:
            results = ResultsFile(file)
            todo = [path for path in files if str(path) not in results.done]
            for done, (path, found) in enumerate(work(todo), start=1):
                if isinstance(found, Unread):
                    complain(found.message)
                results.add(json_of(path, found))
                progress(done, len(todo))
    except OSError as error:
        message = f"'{out}' cannot be written ({error.strerror}): what was read so far is in it."
        raise InputError("cannot_write", message, path=str(out)) from None
    say(f"wrote {out}: {len(todo)} read now, {len(files) - len(todo)} before", err=True)
    return results.failed
