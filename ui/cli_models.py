"""Commands about models."""

from __future__ import annotations

import json
from pathlib import Path  # noqa: TC003  # typer reads the annotations
from typing import Annotated

import typer


def train(
    *,
    start: Annotated[Path, typer.Option("--from", help="Weights to start from: .pt, or a shipped .onnx.")],
    data: Annotated[Path, typer.Option(help="Labelled photos: a folder with manifest.csv.")],
    scenes: Annotated[list[Path] | None, typer.Option(help="Folders written by dataset synth.")] = None,
    name: Annotated[str, typer.Option(help="Name of the run.")] = "tiles46",
    epochs: Annotated[int, typer.Option(min=1, help="Passes over the pictures.")] = 10,
    rate: Annotated[float, typer.Option(help="First learning rate.")] = 6e-4,
    repeats: Annotated[int, typer.Option(help="How often each photo stands beside the scenes.")] = 1,
) -> None:
    """Train the detector (extra `train`); run again with the same name, it goes on where it stopped."""
    from datasets.mix import build_mix  # noqa: PLC0415
    from models.train import RUNS, Recipe  # noqa: PLC0415
    from models.train import train as run_training  # noqa: PLC0415

    mix = build_mix(RUNS / f"{name}-data", photos=data, scenes=scenes or [], real_repeats=repeats)
    best = run_training(Recipe(start=start, data=mix, name=name, epochs=epochs, rate=rate))
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
) -> None:
    """Train the classifier of single tiles (extra `train`); run again, it goes on from its checkpoint."""
    from datasets.mix import build_mix  # noqa: PLC0415
    from models import train_classifier as training  # noqa: PLC0415
    from models.train import RUNS  # noqa: PLC0415
    from vision.detector import OnnxDetector  # noqa: PLC0415

    mix = build_mix(RUNS / "classifier-data", photos=data, scenes=[]).parent
    finder = OnnxDetector(detector, detector.stem) if detector else None
    crops = training.gather(mix, scenes=scenes or [], singles=singles, detector=finder)
    weights = training.train_classifier(
        crops, out.with_suffix(".pt"), minutes=minutes, check=training.checker(mix), start=start
    )
    typer.echo(f"wrote {out}; largest difference to torch {training.export_classifier(weights, out):.1e}", err=True)


def export(
    weights: Annotated[Path, typer.Argument(help="Trained weights (.pt).")],
    out: Annotated[Path, typer.Argument(help="The .onnx file to write.")],
) -> None:
    """Turn trained weights into an ONNX file and check that it computes the same (extra `train`)."""
    from models.export import export as run_export  # noqa: PLC0415

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
    from models.evaluate import evaluate as run_evaluation  # noqa: PLC0415
    from models.evaluate import evaluation_report  # noqa: PLC0415

    result = run_evaluation(
        data, hands=hands, split=split, model=model, sheet=sheet, curve=curve, quarters=turn, fast=fast
    )
    typer.echo(json.dumps(result) if as_json else evaluation_report(result))
