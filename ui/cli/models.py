"""Commands about models."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from tilescore.base.errors import InputError


def train(
    *,
    start: Annotated[
        str, typer.Option("--from", help="A model (tiles46) to teach your set; or weights of a detector, .pt or .onnx.")
    ] = "tiles46",
    data: Annotated[
        Path | None,
        typer.Option(
            help="Your labelled photos; without it, those kept on the Hand page. For weights: with manifest.csv."
        ),
    ] = None,
    name: Annotated[str, typer.Option(help="What the new model, or the run, shall be called.")] = "",
    minutes: Annotated[float, typer.Option(min=0.1, help="A model: the longest that training may take.")] = 10,
    val: Annotated[
        Path | None, typer.Option(help="A model: data.yaml of photos that must not be read worse; else rendered ones.")
    ] = None,
    scenes: Annotated[list[Path] | None, typer.Option(help="Weights: folders written by dataset synth.")] = None,
    epochs: Annotated[int, typer.Option(min=1, help="Weights: passes over the pictures.")] = 10,
    rate: Annotated[float, typer.Option(help="Weights: first learning rate.")] = 6e-4,
    repeats: Annotated[int, typer.Option(help="Weights: how often each photo stands beside the scenes.")] = 1,
    backs: Annotated[bool, typer.Option("--backs", help="Weights: train only the layers that see backs.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="A model: its card as one JSON object on stdout.")] = False,
) -> None:
    """Teach a model your tile set in minutes, or train a detector for hours (extra `train`).

    The new model is measured before and after, on photos held out and on others, and can be chosen in the app and with
    --model. A detector's training goes on where it stopped when it is run again with the same name.
    """
    if data is not None and (data / "manifest.csv").is_file():
        _train_detector(
            Path(start), data, scenes or [],
            name=name or "tiles46", epochs=epochs, rate=rate, repeats=repeats, backs=backs,
        )  # fmt: skip
        return
    if start.endswith(".pt"):
        raise InputError("no_manifest", f"'{start}' are weights: --data names a folder with manifest.csv for them.")
    _fine_tune(start, data, name, minutes=minutes, val=val, as_json=as_json)


def _fine_tune(start: str, data: Path | None, name: str, *, minutes: float, val: Path | None, as_json: bool) -> None:
    from dataclasses import asdict  # noqa: PLC0415

    from tilescore.datasets.synthesis.synth import default_folders  # noqa: PLC0415  # OpenCV
    from tilescore.models.registry import free_name  # noqa: PLC0415
    from tilescore.ui.storage.kept_photos import queue  # noqa: PLC0415

    place = queue() if data is None else data
    if not place.exists():
        message = "no photo was kept on the Hand page yet: name your labelled photos, tilescore train --data FOLDER."
        raise InputError("no_data", message if data is None else f"'{data}' does not exist: name a folder of photos.")
    if find_spec("torch") is None or find_spec("onnx") is None:
        raise InputError("no_torch", "training needs the extra `train`: pip install torch 'tilescore[train]'.")
    from tilescore.models.finetuning.tile_set import FineTuning, learn  # noqa: PLC0415  # after the question whether it can

    photos = default_folders().photos
    known = photos / "data.yaml" if photos is not None and (photos / "data.yaml").is_file() else None
    config = FineTuning(
        start=start, data=place, name=name or free_name(place.resolve().name), others=val or known, minutes=minutes
    )
    card = learn(config, lambda text: typer.echo(text, err=True))
    typer.echo(json.dumps(asdict(card)) if as_json else card.to_text())
    typer.echo(f"say --model {card.name}, or choose it in the app", err=True)


def _train_detector(
    start: Path, data: Path, scenes: list[Path], *, name: str, epochs: int, rate: float, repeats: int, backs: bool
) -> None:
    from tilescore.datasets.mix import build_mix  # noqa: PLC0415
    from tilescore.models.training.detector import RUNS, Recipe  # noqa: PLC0415
    from tilescore.models.training.detector import train as run_training  # noqa: PLC0415

    mix = build_mix(RUNS / f"{name}-data", photos=data, scenes=scenes, real_repeats=repeats)
    best = run_training(Recipe(start=start, data=mix, name=name, epochs=epochs, rate=rate, backs=backs))
    typer.echo(f"trained: {best}", err=True)


def train_classifier(
    out: Annotated[Path, typer.Argument(help="The .onnx file to write; its checkpoint lies beside it.")],
    *,
    data: Annotated[Path, typer.Option(help="Labelled photos: a folder with manifest.csv.")],
    scenes: Annotated[list[Path] | None, typer.Option(help="Folders written by dataset synth.")] = None,
    singles: Annotated[Path | None, typer.Option(help="Pictures of single tiles, a folder a class.")] = None,
    minutes: Annotated[float, typer.Option(min=0.1, help="How long to train.")] = 40,
    start: Annotated[Path | None, typer.Option("--from", help="A shipped classifier (.onnx) to begin with.")] = None,
    detector: Annotated[Path | None, typer.Option(help="A detector (.onnx) whose mistakes shall be unlearned.")] = None,
    closer: Annotated[bool, typer.Option(help="The network that looks closer, not the one that looks first.")] = False,
    first: Annotated[
        Path | None, typer.Option(help="With --closer: the .onnx file that looks first; its doubts are learned most.")
    ] = None,
    corners: Annotated[
        Path | None, typer.Option(help="With --closer: the .onnx file that finds the corners of faces.")
    ] = None,
) -> None:
    """Train the classifier of single tiles (extra `train`); run again, it goes on from its checkpoint."""
    from tilescore.datasets.mix import build_mix  # noqa: PLC0415
    from tilescore.models.training import classifier as training  # noqa: PLC0415
    from tilescore.models.training.detector import RUNS  # noqa: PLC0415
    from tilescore.vision.classification.cascade import HIGH_RESOLUTION_SIDE  # noqa: PLC0415
    from tilescore.vision.classification.classifier import OnnxClassifier  # noqa: PLC0415
    from tilescore.vision.classification.rectify import OnnxCorners  # noqa: PLC0415
    from tilescore.vision.detection.detector import OnnxDetector  # noqa: PLC0415
    from tilescore.vision.image.crops import SIDE, crop_boxes  # noqa: PLC0415

    mix = build_mix(RUNS / "classifier-data", photos=data, scenes=[]).parent
    finder = OnnxDetector(detector, detector.stem) if detector else None
    cut = OnnxCorners(corners).crop if corners else crop_boxes
    if closer:
        thumbnail = OnnxClassifier(first) if first else None
        crops, side = training.gather_closer(mix, scenes=scenes or [], first=thumbnail, cut=cut), HIGH_RESOLUTION_SIDE
    else:
        crops, side = training.gather(mix, scenes=scenes or [], singles=singles, detector=finder), SIDE
    check = training.checker(mix, side=side, cut=cut)
    weights = training.train_classifier(
        crops, out.with_suffix(".pt"), minutes=minutes, closer=closer, check=check, start=start
    )
    difference = training.export_classifier(weights, out, closer=closer)
    typer.echo(f"wrote {out}; largest difference to torch {difference:.1e}", err=True)


def train_corners(
    out: Annotated[Path, typer.Argument(help="The .onnx file to write; its checkpoint lies beside it.")],
    *,
    scenes: Annotated[list[Path], typer.Option(help="Folders written by dataset synth.")],
    minutes: Annotated[float, typer.Option(min=0.1, help="How long to train.")] = 20,
) -> None:
    """Train the network that finds the corners of faces (extra `train`); run again, it goes on from its checkpoint."""
    from tilescore.models.training import corners as training  # noqa: PLC0415

    weights = training.train_corners(training.gather_faces(scenes), out.with_suffix(".pt"), minutes=minutes)
    difference = training.export_corners(weights, out)
    typer.echo(f"wrote {out}; largest difference to torch {difference:.1e}", err=True)


def train_refiner(
    out: Annotated[Path, typer.Argument(help="The .onnx file to write; its checkpoint lies beside it.")],
    *,
    detector: Annotated[Path, typer.Option(help="The detector (.onnx) whose proposals shall be judged.")],
    data: Annotated[Path, typer.Option(help="Labelled photos: a folder with manifest.csv.")],
    scenes: Annotated[
        list[Path], typer.Option(help="Folders written by dataset synth or tilescore.datasets.synthesis.clutter.")
    ],
    minutes: Annotated[float, typer.Option(min=0.1, help="How long to train.")] = 60,
    start: Annotated[Path | None, typer.Option("--from", help="A shipped refiner (.onnx) to begin with.")] = None,
    backs: Annotated[bool, typer.Option("--backs", help="The network of backs, which sees more around them.")] = False,
) -> None:
    """Train the network that judges what a detector proposes (extra `train`); it goes on from its checkpoint."""
    from tilescore.datasets.mix import build_mix  # noqa: PLC0415
    from tilescore.models.training import box_refiner as training  # noqa: PLC0415
    from tilescore.models.training.detector import RUNS  # noqa: PLC0415
    from tilescore.vision.detection.detector import OnnxDetector  # noqa: PLC0415

    mix = build_mix(RUNS / "refiner-data", photos=data, scenes=[]).parent
    photos = sorted((mix / "images" / "train").glob("*.jpg"))
    rendered = [path for folder in scenes for path in sorted((folder / "images").glob("*.jpg"))]
    finder = OnnxDetector(detector, detector.stem, refined=True)
    given = training.gather_proposals(photos, rendered, finder, backs=backs)
    weights = training.train_refiner(given, out.with_suffix(".pt"), minutes=minutes, backs=backs, start=start)
    difference = training.export_refiner(weights, out, backs=backs)
    typer.echo(f"wrote {out}; largest difference to torch {difference:.1e}", err=True)


def export(
    weights: Annotated[Path, typer.Argument(help="Trained weights (.pt).")],
    out: Annotated[Path, typer.Argument(help="The .onnx file to write.")],
) -> None:
    """Turn trained weights into an ONNX file and check that it computes the same (extra `train`)."""
    from tilescore.models.training.export import export as run_export  # noqa: PLC0415

    difference = run_export(weights, out)
    typer.echo(f"wrote {out}; largest difference to torch {difference:.1e}", err=True)


def evaluate(
    *,
    data: Annotated[Path, typer.Option(help="data.yaml of a labelled set.")],
    hands: Annotated[Path | None, typer.Option(help="hands.json: the hands of some of its photos.")] = None,
    split: Annotated[str, typer.Option(help="Which split of the data: val or test.")] = "val",
    model: Annotated[str, typer.Option(help="Name of a shipped network, or an .onnx file.")] = "tiles46",
    sheet: Annotated[Path | None, typer.Option(help="Write the worst mistakes as one picture there.")] = None,
    curve: Annotated[Path | None, typer.Option(help="Write the reliability diagram there.")] = None,
    turn: Annotated[int, typer.Option(min=0, max=3, help="Turn each photo by so many quarters to the left.")] = 0,
    fast: Annotated[bool, typer.Option("--fast", help="Look once only, as live video does.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")] = False,
) -> None:
    """Measure a network on labelled photos."""
    from tilescore.models.evaluation.metrics import evaluate as run_evaluation  # noqa: PLC0415
    from tilescore.models.evaluation.metrics import evaluation_report  # noqa: PLC0415

    result = run_evaluation(
        data, hands=hands, split=split, model=model, sheet=sheet, curve=curve, quarters=turn, fast=fast
    )
    typer.echo(json.dumps(result) if as_json else evaluation_report(result))
