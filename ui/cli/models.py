"""Commands that train, export and evaluate models."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from pathlib import Path  # typer reads the annotations
from typing import Annotated

import typer

from tilescore.errors import InputError
from tilescore.files.outputs import check_output
from tilescore.processes.progress import Progress
from tilescore.ui.cli.options import place_of
from tilescore.ui.cli.progress import progress_bar
from tilescore.ui.cli.sets.reading import Names, settled
from tilescore.ui.cli.sets.unpacking import unpacked
from tilescore.ui.cli.terminal import say, say_json

_TILES46 = "tiles46"
_UNSET = (_TILES46, None, "", None, "", None, False, False, False, False)
"""The options of a fine-tuning when none is given."""
_ZIP = b"PK\x03\x04"
"""How a zip archive begins."""
_GOES_ON = "stopped: the same command goes on with the training from its last checkpoint, within two weeks."


def train(
    recipe: Annotated[
        Path | None, typer.Argument(help="A recipe (.toml) of one network; without it, a model is fine-tuned.")
    ] = None,
    *,
    start: Annotated[str, typer.Option("--from", help="The model to fine-tune.")] = _TILES46,
    data: Annotated[
        Path | None,
        typer.Option(
            parser=place_of,
            help="Your labelled photos, perhaps a .zip; without it, those kept on the Hand page.",
            callback=unpacked,
        ),
    ] = None,
    name: Annotated[str, typer.Option(help="Name of the new model.")] = "",
    steps: Annotated[
        int | None, typer.Option(min=1, help="Training steps of the first classifier.", show_default="400")
    ] = None,
    names: Names = "",
    val: Annotated[
        Path | None,
        typer.Option(
            parser=place_of, help="data.yaml of photos of other sets, to measure forgetting; else rendered ones."
        ),
    ] = None,
    forecast: Annotated[
        bool, typer.Option("--forecast", help="Say what the model reads today and what training takes; train nothing.")
    ] = False,
    anyway: Annotated[
        bool, typer.Option("--anyway", help="Train where it cannot help, and keep a model that reads no better.")
    ] = False,
    detector: Annotated[
        bool, typer.Option("--detector", help="Tune the detector too; it is kept only if it finds more tiles.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the card as one JSON object on stdout.")] = False,
) -> None:
    """Fine-tune a model on your tile set, or train the network of a recipe (extra `train`).

    First it says what the model reads today, and what training takes. The new model is evaluated before and after, on
    held-out photos and on photos of other sets, and kept only if it helps. The app and --model offer it. If a training
    is stopped, the same command goes on with it. The training of a recipe takes hours; its checkpoint lies in the
    folder `runs`.
    """
    if recipe is not None:
        if (start, data, name, steps, names, val, forecast, anyway, detector, as_json) != _UNSET:
            message = f"the options belong to fine-tuning: change '{recipe}' instead, or leave the recipe out."
            raise InputError("recipe_with_options", message, recipe=str(recipe))
        _train_recipe(recipe)
        return
    if start.endswith(".pt"):
        message = f"'{start}' is a checkpoint, not a model: name it as start in a recipe, tilescore train RECIPE.toml."
        raise InputError("no_model", message, start=start)
    _fine_tune(
        start, data, name, steps=steps, names=names, val=val, forecast=forecast, anyway=anyway, detector=detector,
        as_json=as_json,
    )  # fmt: skip


def _train_recipe(path: Path) -> None:
    from tilescore.models.recipe import load_recipe

    recipe = load_recipe(path)
    recipe.require_inputs()
    _require_torch()
    from tilescore.models.training.run import train as run_training

    difference = run_training(recipe)
    say(f"wrote {recipe.out}; largest difference to torch {difference:.1e}", err=True)


def _fine_tune(
    start: str, data: Path | None, name: str, *, steps: int | None, names: str, val: Path | None, forecast: bool,
    anyway: bool, detector: bool, as_json: bool,
) -> None:  # fmt: skip
    from dataclasses import asdict

    from tilescore.datasets.synthesis.synth import default_folders  # OpenCV
    from tilescore.models.registry import free_name
    from tilescore.ui.storage.kept_photos import queue

    place = queue() if data is None else data
    if not place.exists():
        message = "no photo was kept on the Hand page yet: name your labelled photos, tilescore train --data FOLDER."
        raise InputError("no_data", message if data is None else f"'{data}' does not exist: name a folder of photos.")
    _require_torch()
    if detector and find_spec("ultralytics") is None:
        raise InputError("no_torch", "tuning the detector needs the extra `train`: pip install 'tilescore[train]'.")
    from tilescore.models.finetuning import tile_set  # after the checks
    from tilescore.models.finetuning.tile_set import STEPS, FineTuning

    photos = default_folders().photos
    shipped = photos / "data.yaml" if photos is not None and (photos / "data.yaml").is_file() else None
    config = FineTuning(
        start=start, data=place, name=name or free_name(place.resolve().name), others=val or shipped,
        steps=steps or STEPS, names=settled(names), anyway=anyway, detector=detector,
    )  # fmt: skip
    if forecast:
        tile_set.forecast(config, lambda text: say(text, err=True))
        return
    with _late_bar() as progress:
        card = tile_set.learn(config, lambda text: say(text, err=True), progress=progress)
    if as_json:
        say_json(asdict(card))
    else:
        say(*card.to_text().split("\n"))
    say(f"use --model {card.name}, or choose the model in the app", err=True)


@contextmanager
def _late_bar() -> Iterator[Progress]:
    """A bar with the time left, from the first training step to the last: lines are printed before and after."""
    with ExitStack() as stack:
        bars: list[Callable[[int, int | None], None]] = []

        def show(done: int, total: int) -> None:
            if not bars:
                bars.append(stack.enter_context(progress_bar("training", stopped=_GOES_ON)))
            bars[0](done, total)
            if done == total:
                stack.close()
                bars.clear()

        yield show


def _require_torch() -> None:
    if find_spec("torch") is None or find_spec("onnx") is None:
        message = "training needs the extra `train`: make .venv/train, or pip install torch 'tilescore[train]'."
        raise InputError("no_torch", message)


def export(
    weights: Annotated[Path, typer.Argument(help="Weights of a detector (.pt).")],
    out: Annotated[Path, typer.Argument(help="The .onnx file to write.")],
) -> None:
    """Export the weights of a detector to an ONNX file and compare the outputs (extra `train`)."""
    check_output(out, option="OUT", is_ours=lambda _: False, inputs=[weights])
    _require_torch()
    if not weights.exists():
        raise InputError("no_such_file", f"'{weights}' does not exist: give the .pt file of a detector.")
    if weights.suffix != ".pt" or not weights.is_file() or _head(weights) != _ZIP:  # PyTorch writes archives
        message = f"'{weights}' is no checkpoint of PyTorch, or it is damaged: give the .pt file of a detector."
        raise InputError("bad_checkpoint", message, path=str(weights))
    from tilescore.models.training.export import export as run_export

    difference = run_export(weights, out)
    say(f"wrote {out}; largest difference to torch {difference:.1e}", err=True)


def _head(file: Path) -> bytes:
    with file.open("rb") as stream:
        return stream.read(len(_ZIP))


def evaluate(
    *,
    data: Annotated[Path, typer.Option(help="data.yaml of a labelled set.")],
    hands: Annotated[Path | None, typer.Option(help="hands.json: the hands of some photos.")] = None,
    split: Annotated[str, typer.Option(help="The split to evaluate: val or test.")] = "val",
    model: Annotated[str, typer.Option(help="Name of a model, or an .onnx file.")] = "tiles46",
    curve: Annotated[Path | None, typer.Option(help="Write the reliability diagram to this file.")] = None,
    names: Names = "",
    turn: Annotated[int, typer.Option(min=0, max=3, help="Turn each photo left by this number of quarter turns.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object on stdout.")] = False,
) -> None:
    """Evaluate a model on labelled photos (extra `train`)."""
    if find_spec("faster_coco_eval") is None:
        raise InputError("no_extra", "evaluate needs the extra `train` (mAP): pip install 'tilescore[train]'.")
    from tilescore.models.evaluation.metrics import evaluate as run_evaluation
    from tilescore.models.evaluation.metrics import evaluation_report
    from tilescore.vision.image.marked import check_picture_output

    if curve is not None:
        check_picture_output(curve, option="--curve")
    result = run_evaluation(
        data, hands=hands, split=split, model=model, curve=curve, quarters=turn, names=settled(names)
    )
    if as_json:
        say_json(result)
    else:
        say(*evaluation_report(result).split("\n"))
