"""Learned models as files that one can give away: listed, packed, taken in, put aside, and chosen for every command."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tilescore.datasets.intake.archives import is_archive, pack, unpack
from tilescore.errors import InputError
from tilescore.files.outputs import cannot_write, check_output, write_whole
from tilescore.files.paths import data_folder, hand_over, private_folder
from tilescore.models.registry import (
    MODEL_ENTRY,
    USED,
    Model,
    ModelError,
    chosen,
    find,
    load_reader,
    model_in,
    models,
    place_for,
)
from tilescore.printable import as_argument

_CARDS = ("card.json", "card.md")
"""What a model says of itself, beside its networks."""


def card_of(model: Model) -> dict[str, Any]:
    """The evaluation card of a learned model; empty if it has none."""
    try:
        card = json.loads((model.detector.path.parent / _CARDS[0]).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return card if model.learned and isinstance(card, dict) else {}


def export_model(name: str, out: Path) -> Model:
    """Pack a learned model with its card into a new archive; raises InputError."""
    model = _learned(name)
    if not is_archive(out):
        raise InputError("bad_archive", f"'{out}' is no name for an archive: let it end in .zip.", path=str(out))
    check_output(out, option="the archive", is_ours=lambda _path: False)
    _require_whole(model)
    partial = out.with_name(f".{out.name}.partial")
    try:
        partial.unlink(missing_ok=True)
        pack(model.detector.path.parent, partial, like=out)
        partial.rename(out)
    except OSError as error:
        raise cannot_write(out, error) from None
    finally:
        partial.unlink(missing_ok=True)
    return model


def import_model(source: Path, name: str) -> Model:
    """Take in a model under a name, once its hashes are right and its networks run.

    The source is an archive that `export_model` wrote, or the folder of a learned model. Raises InputError if it is no
    such model, it is damaged, or the name is taken; nothing of it stays.
    """
    place = place_for(name)
    waiting = place.with_name(f".{place.name}.partial")
    shutil.rmtree(waiting, ignore_errors=True)
    try:
        private_folder(place.parent)
        folder = unpack(source, waiting) if is_archive(source) and source.is_file() else source
        model = model_in(folder)
        if model is None:
            fault = "holds no model" if source.exists() else "does not exist"
            raise ModelError("no_such_model", f"'{source}' {fault}: give a .zip of models export.", name=name)
        try:
            _require_whole(model)
        except ModelError as error:  # it names a file that goes away, and what to do about a model of one's own
            message = f"{error.params['name']} in '{source}' is missing or not the file that was learned: get it again."
            raise ModelError(error.code, message, **error.params) from None
        load_reader(str(folder))
        fresh = waiting / "model"
        fresh.mkdir(parents=True)
        for part in (folder / MODEL_ENTRY, *(file.path for file in model.files), *(folder / card for card in _CARDS)):
            if part.is_file():
                shutil.copyfile(part, fresh / part.name)
        hand_over(waiting)
        fresh.rename(place)
    except OSError as error:
        raise cannot_write(place, error) from None
    finally:
        shutil.rmtree(waiting, ignore_errors=True)
    return find(name)


def remove_model(name: str) -> Path:
    """Put a learned model aside, damaged or not; returns the folder where it lies now. Raises ModelError."""
    folder, in_use = data_folder() / "models" / name, name == chosen()
    if name not in {place.name for place in folder.parent.glob("*/")}:  # `find` finds no damaged model
        _learned(name)
        raise ModelError("unknown_model", f"'{name}' is not taken in: name one of tilescore models list.", name=name)
    aside = private_folder(data_folder() / "models-removed")
    target = next(p for n in range(1, 10_000) if not (p := aside / (name if n == 1 else f"{name}-{n}")).exists())
    folder.rename(target)
    if in_use:
        used_file().unlink()
    return target


def use_model(name: str) -> Model:
    """Choose the model of every command without `--model`, and of the app; raises ModelError."""
    model = find(name)
    if model not in models():
        remedy = (
            f"is not taken in yet: tilescore models import {name}"
            if model.learned
            else f"is one file: say --model {name}"
        )
        raise ModelError("unknown_model", f"'{name}' {remedy}.", name=name)
    _require_whole(model)
    private_folder(used_file().parent)
    write_whole(used_file(), f"{model.name}\n".encode())
    return model


def damage() -> Iterator[ModelError]:
    """What is wrong with each damaged model: one that can be chosen, or a folder whose entry cannot be read."""
    for model in models():
        try:
            _require_whole(model)
        except ModelError as error:
            yield error
    for entry in sorted((data_folder() / "models").glob(f"*/{MODEL_ENTRY}")):
        if model_in(entry.parent) is None:
            name = entry.parent.name
            message = f"the model '{name}' is damaged: put it aside, tilescore models remove {as_argument(name)}."
            yield ModelError("damaged_model", message, name=name)


def used_file() -> Path:
    """The file that names the chosen model."""
    return data_folder() / "models" / USED


def _learned(name: str) -> Model:
    model = find(name)
    if not model.learned:
        message = f"'{name}' is no learned model: name one that tilescore models list calls learned."
        raise ModelError("no_learned_model", message, name=name)
    return model


def _require_whole(model: Model) -> None:
    """Raise ModelError unless the files have the hashes that the model names."""
    for file in model.files:
        file.checked()
