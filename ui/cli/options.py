"""Options that several commands share."""

from __future__ import annotations

from typing import Annotated

import typer

Workers = Annotated[int, typer.Option(min=0, help="Processes; 0 = one a core.")]
Cluster = Annotated[
    str,
    typer.Option(
        metavar="ADDRESS",
        help="A Dask scheduler, e.g. tcp://10.0.0.5:8786: its workers do it, on the same files (extra `cluster`).",
        show_default=False,
    ),
]
