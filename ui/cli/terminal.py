"""All that the command line prints: lines and JSON in which no name from outside steers the terminal."""

from __future__ import annotations

import json

import typer

from tilescore.base.printable import printable, printable_json


def say(*lines: str, err: bool = False) -> None:
    """Print lines on stdout, or on stderr."""
    for line in lines:
        typer.echo(printable(line), err=err)


def complain(message: str) -> None:
    """Print a sentence about what is wrong on stderr."""
    say(f"tilescore: {message}", err=True)


def say_json(data: object) -> None:
    """Print one line of JSON on stdout."""
    typer.echo(printable_json(json.dumps(data, ensure_ascii=False)))
