"""The command that reads the hands in photos."""

from __future__ import annotations

from functools import partial
from pathlib import Path  # typer reads the annotations
from typing import TYPE_CHECKING, Annotated

import typer

from tilescore.errors import InputError
from tilescore.ui.cli.options import (  # typer reads the annotations
    AsJson,
    BudgetMs,
    Cluster,
    InsecureCluster,
    Model,
    Workers,
    budget_of,
    place_of,
    pool_of,
)
from tilescore.ui.cli.progress import progress_bar
from tilescore.ui.cli.report import reading_report
from tilescore.ui.cli.results_file import ReadingSource, check_results, results_file, source_of
from tilescore.ui.cli.terminal import complain, say, say_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tilescore.datasets.pictures.picture_files import Listing
    from tilescore.vision.decoding.reading import Reading

    Work = Callable[[Sequence[Path]], Iterator[tuple[Path, Reading | InputError]]]


Photos = Annotated[
    list[Path] | None,
    typer.Argument(
        parser=place_of,
        help="Photos (JPEG, PNG, HEIC and others), folders of them, or - for stdin.",
        show_default=False,
    ),
]
Detections = Annotated[
    str | None, typer.Option(help="A file of JSON Lines, or -: boxes and names of another detector instead of photos.")
]
Out = Annotated[
    Path | None, typer.Option(help="Write JSON Lines there; started again, photos that it has are not read again.")
]


def read(
    photos: Photos = None,
    *,
    detections: Detections = None,
    win: Annotated[bool, typer.Option("--win", help="The hands are finished: prefer a complete one.")] = False,
    as_json: AsJson = False,
    out: Out = None,
    model: Model = "",
    budget_ms: BudgetMs = None,
    workers: Workers = 0,
    cluster: Cluster = "",
    insecure_cluster: InsecureCluster = False,
) -> None:
    """Say what hand each photo shows."""
    from tilescore.models.registry import find
    from tilescore.ui.cli.reading_files import photos_of, readings  # loads the networks

    if bool(photos) == (detections is not None):
        raise InputError("photos_or_detections", "name photos to read, or --detections with a file of boxes.")
    budget = budget_of(budget_ms)
    if detections is not None:
        failed = _print_detections(detections, as_json=as_json, win=win)
    else:
        listing = photos_of(photos or [])
        pool = pool_of(workers, cluster, insecure=insecure_cluster)
        work = partial(readings, model=model, pool=pool, is_win=win, budget_ms=budget)
        if out is None:
            failed = _print(listing, work, as_json=as_json)
        else:
            failed = _write(
                listing, out, work, partial(source_of, model=find(model).digest, is_win=win, budget_ms=budget)
            )
    if failed:
        raise typer.Exit(2)


def _print_detections(source: str, *, as_json: bool, win: bool) -> int:
    """Print the reading of each line of boxes; return how many lines could not be used."""
    from tilescore.ui.cli.detection_lines import read_lines

    failed = 0
    for number, outcome in read_lines(source, is_win=win):
        if isinstance(outcome, InputError):
            failed += 1
            complain(f"line {number}: {outcome}")
            if as_json:
                say_json({"line": number, "error": {"code": outcome.code, "message": str(outcome)}})
        elif as_json:
            say_json(outcome.to_json())
        else:
            say(*reading_report(outcome).split("\n"))
    return failed


def _print(listing: Listing, work: Work, *, as_json: bool) -> int:
    """Print every reading; return how many photos could not be read."""
    from tilescore.ui.cli.reading_files import json_of

    files, failed = listing.pictures, 0
    with progress_bar("reading") as progress:
        for done, (path, outcome) in enumerate(work(files), start=1):
            if isinstance(outcome, InputError):
                failed += 1
                complain(str(outcome))
            if as_json and not (isinstance(outcome, InputError) and len(files) == 1):
                say_json(json_of(path, outcome))
            elif not isinstance(outcome, InputError):
                say(*reading_report(outcome).split("\n"))
            if len(files) > 1:
                progress(done, len(files))
    if listing.passed_over:
        say(_tally(len(files) - failed, failed, listing), err=True)
    return failed


def _write(listing: Listing, out: Path, work: Work, source: Callable[[Path], ReadingSource]) -> int:
    """Add the missing readings to a file; return how many photos could not be read."""
    from tilescore.ui.cli.reading_files import json_of

    check_results(out, listing.pictures)
    failed = 0
    with progress_bar("reading", kept_in=out) as progress, results_file(out) as results:
        sources = [source(path) for path in listing.pictures]
        todo = results.missing(sources)
        for done, (path, outcome) in enumerate(work([listing.pictures[index] for index in todo])):
            if isinstance(outcome, InputError):
                failed += 1
                complain(str(outcome))
            results.add(json_of(path, outcome), sources[todo[done]])
            progress(done + 1, len(todo))
    kept = len({source["path"] for source in sources}) - len(todo)
    say(f"wrote {out}: {_tally(len(todo) - failed, failed, listing, kept=kept)}", err=True)
    return failed


def _tally(read: int, failed: int, listing: Listing, *, kept: int | None = None) -> str:
    """The last line: every photo is counted once, and what is no photo is counted by kind."""
    from tilescore.ui.cli.reading_files import counted

    before = "" if kept is None else f"{kept} kept from before, "
    kinds = f" ({counted(listing.passed_over)})" if listing.passed_over else ""
    return f"{read} read, {before}{failed} failed, {listing.passed_over.total()} passed over{kinds}"
