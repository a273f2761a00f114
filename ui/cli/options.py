"""Options that several commands share."""

import ipaddress
import json
import math
from pathlib import Path
from typing import Annotated, Final
from urllib.parse import urlsplit

import typer

from tilescore.errors import InputError
from tilescore.processes.parallel import Pool
from tilescore.scoring.house import HOUSE, MOST_LETTERS, check_house
from tilescore.scoring.ruleset import ruleset
from tilescore.ui.cli.terminal import complain

AsJson = Annotated[bool, typer.Option("--json", help="JSON Lines on stdout.")]
Out = Annotated[Path | None, typer.Option(help="Write there; without it, to standard output.")]
BudgetMs = Annotated[
    str | None,
    typer.Option(
        "--budget-ms",
        metavar="MS",
        help="Milliseconds for a picture: a stage that would take longer is left out, and the hand is in doubt.",
        show_default="no limit",
    ),
]
Model = Annotated[
    str,
    typer.Option(
        "--model",
        help="A model: its name, its folder, or an .onnx file.",
        show_default="tiles46, or the one chosen with tilescore models use",
    ),
]
Workers = Annotated[int, typer.Option(min=0, help="Processes; 0 = one a core.")]
Jobs = Annotated[
    int, typer.Option("--jobs", "-j", min=0, help="Processes that score; 0 = one a core. Several answer in batches.")
]
Cluster = Annotated[
    str,
    typer.Option(
        metavar="ADDRESS",
        help="A Dask scheduler, e.g. tls://10.0.0.5:8786: its workers do it, on the same files (extra `cluster`).",
        show_default=False,
    ),
]
InsecureCluster = Annotated[
    bool, typer.Option("--insecure-cluster", help="Use a Dask scheduler without TLS beyond this machine.")
]
HouseFile = Annotated[
    Path | None,
    typer.Option(
        "--house", help="What lines are worth at your table: CSV `line,value`, no value for one that does not count."
    ),
]
WinnersSeat = Annotated[str, typer.Option("--seat", help="The winner's wind: E, S, W or N.")]
RoundWind = Annotated[str, typer.Option("--round", help="The round's wind.")]
WinByOption = Annotated[str, typer.Option("--by", help="self_draw or discard.")]
Port = Annotated[int, typer.Option(min=1, max=65535, help="Where the app listens on this machine.")]
NoBrowser = Annotated[bool, typer.Option("--no-browser", help="Do not open a browser.")]
_ENCRYPTED: Final = frozenset({"tls", "wss"})
_THIS_PROCESS: Final = frozenset({"inproc"})


def place_of(text: str) -> Path:
    """The file or folder of that name; raises BadParameter for an empty text, which `Path` takes for this folder."""
    if not text:
        raise typer.BadParameter("'' names no file and no folder; write . for the folder that you are in")
    return Path(text)


def house_option(file: Path | None, name: str) -> dict[str, str]:
    """The option with the house table in that file, none without a file; raises InputError."""
    if file is None:
        return {}
    check_house(ruleset(name))  # before the file is read
    try:
        with file.open("rb") as opened:
            data = opened.read(4 * MOST_LETTERS + 1)
    except OSError as error:
        message = f"--house '{file}' cannot be read ({error.strerror}): name a CSV file."
        raise InputError("no_such_file", message) from None
    return {HOUSE: data.decode(json.detect_encoding(data), "replace").removeprefix("\ufeff")}


def budget_of(text: str | None) -> float | None:
    """The milliseconds of `--budget-ms`, None for no limit; raises InputError.

    >>> budget_of("250")
    250.0
    """
    if text is None:
        return None
    try:
        budget_ms = float(text)
    except ValueError:
        budget_ms = 0.0
    if 0 < budget_ms < math.inf:
        return budget_ms
    raise InputError("bad_budget", f"--budget-ms '{text}': give milliseconds above 0, such as --budget-ms 400.")


def pool_of(workers: int, cluster: str, *, insecure: bool) -> Pool:
    """The pool that the options ask for; warns of a cluster without TLS.

    Raises InputError if the cluster has no TLS, lies beyond this machine, and `--insecure-cluster` is missing.
    """
    if cluster and not is_safe(cluster):
        danger = (
            f"--cluster '{cluster}' has no TLS: whoever reaches that scheduler or the network between runs programs on "
            "its workers and on this machine"
        )
        if not insecure:
            message = f"{danger}; start it with TLS as docs/annotate.md shows, or say --insecure-cluster."
            raise InputError("insecure_cluster", message, address=cluster)
        complain(f"{danger}.")
    return Pool(workers, cluster)


def is_safe(address: str) -> bool:
    """Whether nobody else can reach the way to a scheduler: it is encrypted, or it stays on this machine.

    >>> is_safe("tls://10.0.0.5:8786"), is_safe("tcp://127.0.0.1:8786"), is_safe("[::1]:8786"), is_safe("10.0.0.5:8786")
    (True, True, True, False)
    """
    try:
        parts = urlsplit(address if "://" in address else f"tcp://{address}")
        if parts.scheme in _ENCRYPTED | _THIS_PROCESS:
            return True
        return parts.hostname == "localhost" or ipaddress.ip_address(parts.hostname or "").is_loopback
    except ValueError:
        return False
