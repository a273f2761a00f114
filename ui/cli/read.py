"""The command that reads the hands in photos."""

from __future__ import annotations

from pathlib import Path  # noqa: TC003  # noqa: TC001  # typer reads the annotations
from typing import TYPE_CHECKING, Annotated

import typer

from tilescore.base.errors import InputError
from tilescore.ui.cli.options import Cluster, InsecureCluster, Workers, pool_of  # typer reads the annotations
from tilescore.ui.cli.terminal import complain, say, say_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tilescore.base.parallel import Pool


def read(
    photos: Annotated[
        list[Path], typer.Argument(help="JPEG, PNG, WebP or HEIC files, or folders of them.", show_default=False)
    ],
    *,
    as_json: Annotated[bool, typer.Option("--json", help="JSON Lines on stdout.")] = False,
    out: Annotated[
        Path | None,
        typer.Option(help="Write JSON Lines there; started again, photos that it has are not read again."),
    ] = None,
    model: Annotated[str, typer.Option("--model", help="Name of a shipped network, or an .onnx file.")] = "tiles46",
    workers: Workers = 0,
    cluster: Cluster = "",
    insecure_cluster: InsecureCluster = False,
) -> None:
    """Say what hand each photo shows."""
    from tilescore.ui.cli.reading_files import photos_of  # loads the networks

    files = photos_of(photos)
    pool = pool_of(workers, cluster, insecure=insecure_cluster)
    failed = _print(files, as_json, model, pool) if out is None else _write(files, out, model, pool)
    if failed:
        raise typer.Exit(2)


def _print(files: Sequence[Path], as_json: bool, model: str, pool: Pool) -> int:  # noqa: FBT001  # from `read` alone
    """Print every reading; return how many photos could not be read."""
    from tilescore.ui.cli.progress import progress_bar
    from tilescore.ui.cli.reading_files import Unread, json_of, readings
    from tilescore.ui.cli.report import reading_report

    failed = 0
    with progress_bar("reading") as progress:
        for done, (path, found) in enumerate(readings(files, model=model, pool=pool), start=1):
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


def _write(files: Sequence[Path], out: Path, model: str, pool: Pool) -> int:
    """Add the missing readings to a file; return how many of its photos could not be read."""
    from tilescore.ui.cli.progress import progress_bar
    from tilescore.ui.cli.reading_files import ResultsFile, Unread, json_of, readings

    try:
        with out.open("a+b") as file, progress_bar("reading") as progress:
            results = ResultsFile(file)
            todo = [path for path in files if str(path) not in results.done]
            for done, (path, found) in enumerate(readings(todo, model=model, pool=pool), start=1):
                if isinstance(found, Unread):
                    complain(found.message)
                results.add(json_of(path, found))
                progress(done, len(todo))
    except OSError as error:
        message = f"'{out}' cannot be written ({error.strerror}): what was read so far is in it."
        raise InputError("cannot_write", message, path=str(out)) from None
    say(f"wrote {out}: {len(todo)} read now, {len(files) - len(todo)} before", err=True)
    return results.failed
