"""`tilescore models`: learned models are files that one can list, show, give away, take in, put aside and use."""

from __future__ import annotations

from pathlib import Path  # typer reads the annotations
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tilescore.printable import as_argument
from tilescore.ui.cli.terminal import say, say_json

if TYPE_CHECKING:
    from tilescore.models.registry import Model

models_app = typer.Typer(help="List, give away, take in and choose models.", no_args_is_help=True)
Name = Annotated[str, typer.Argument(help="Name of a model.", show_default=False)]
AsJson = Annotated[bool, typer.Option("--json", help="JSON on stdout.")]


@models_app.command("list")
def list_models(*, as_json: AsJson = False) -> None:
    """List the models, and say which are damaged; a star marks the one that is used where none is named."""
    from tilescore.models.exchange import damage
    from tilescore.models.registry import ModelError, models, used

    for model in models():
        row = _row(model)
        if as_json:
            say_json(row)
        else:
            f1 = f"  tile F1 on its own set {row['tile_f1']:.3f}" if row["tile_f1"] is not None else ""
            kind = "learned" if model.learned else "shipped"
            say(f"{'*' if row['used'] else ' '} {model.name:<24} {kind}  {row['mib']:.0f} MiB  {model.label}{f1}")
    for error in damage():
        say(str(error), err=True)
    try:
        used()
    except ModelError as error:
        say(str(error), err=True)


@models_app.command("show")
def show(name: Name, *, as_json: AsJson = False) -> None:
    """Show a model: its networks, their hashes, and its evaluation card."""
    from tilescore.models.exchange import card_of
    from tilescore.models.registry import PARTS, find, shipped

    model = find(name)
    parts = {part: file for part in PARTS if (file := getattr(model, part)) is not None}
    networks = {part: {"file": file.path.name, "sha256": file.sha256} for part, file in parts.items()}
    if as_json:
        say_json(_row(model) | {"networks": networks, "card": card_of(model) or None})
        return
    kind = "shipped with Tilescore" if model in shipped() else "learned" if model.learned else "one file"
    say(f"{model.label}: {kind}")
    for part, entry in networks.items():
        say(f"  {part:<12} {entry['file']:<28} {entry['sha256'][:16]}")
    card = model.detector.path.parent / "card.md"
    if model.learned and card.is_file():
        say(*card.read_text(encoding="utf-8", errors="replace").splitlines())


@models_app.command("export")
def export_file(
    name: Name, out: Annotated[Path, typer.Argument(help="A new .zip to write.", show_default=False)]
) -> None:
    """Pack a learned model with its card into one file that one can give away."""
    from tilescore.models.exchange import export_model

    model = export_model(name, out)
    remedy = f"tilescore models import {as_argument(out.name)}"
    say(f"wrote {out}: {model.label}; take it in elsewhere with {remedy}", err=True)


@models_app.command("import")
def import_file(
    source: Annotated[Path, typer.Argument(help="A .zip of models export, or a model's folder.", show_default=False)],
    *,
    name: Annotated[str, typer.Option(help="Name of the model here.", show_default="the name of the file")] = "",
) -> None:
    """Take in a model, once its hashes are right and its networks run."""
    from tilescore.models.exchange import import_model
    from tilescore.models.registry import free_name

    model = import_model(source, name or free_name(source.name.partition(".")[0]))
    say(f"took in {model.label}: say --model {model.name}, or tilescore models use {model.name}", err=True)


@models_app.command("remove")
def remove(name: Name) -> None:
    """Put a learned model aside; nothing is deleted."""
    from tilescore.models.exchange import remove_model
    from tilescore.models.registry import DEFAULT, chosen

    before, place = chosen(), remove_model(name)
    say(f"'{name}' lies in '{place}' now; tilescore models import brings it back, or delete that folder", err=True)
    if chosen() != before:
        say(f"{DEFAULT} is used from now on", err=True)


@models_app.command("use")
def use(name: Name) -> None:
    """Use a model in the app, and in every command that reads photos without --model."""
    from tilescore.models.exchange import use_model

    say(f"{use_model(name).label} is used from now on", err=True)


def _row(model: Model) -> dict[str, Any]:
    from tilescore.models.exchange import card_of
    from tilescore.models.registry import chosen

    after = card_of(model).get("after")
    tile_f1 = after.get("tile_f1") if isinstance(after, dict) else None
    return {
        "name": model.name, "label": model.label, "learned": model.learned, "used": model.name == chosen(),
        "mib": round(sum(file.path.stat().st_size for file in model.files if file.path.is_file()) / 2**20, 1),
        "tile_f1": tile_f1 if isinstance(tile_f1, int | float) else None,
    }  # fmt: skip
