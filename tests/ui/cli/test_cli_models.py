"""What `tilescore train` does: it fine-tunes a model, or trains the network of a recipe."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from tilescore.errors import InputError
from tilescore.models.finetuning.report import Card, Figures
from tilescore.models.finetuning.tile_set import STEPS, FineTuning
from tilescore.processes.stopping import Stopped
from tilescore.ui.cli import models as cli_models
from tilescore.ui.cli.main import app

if TYPE_CHECKING:
    from collections.abc import Callable

RECIPES = Path(__file__).resolve().parents[3] / "models" / "recipes"


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILESCORE_DATA", str(tmp_path / "own"))
    monkeypatch.chdir(tmp_path)


def train(*words: str) -> str:
    done = CliRunner().invoke(app, ["train", *words], catch_exceptions=False)
    assert done.exit_code == 0
    return done.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "no photo was kept on the Hand page yet"),
        (("--data", "nowhere"), "'nowhere' does not exist"),
        (("--from", "x.pt", "--data", "."), "'x.pt' is a checkpoint, not a model"),
        (("x.toml",), "the recipe 'x.toml' cannot be read"),
        (("x.toml", "--forecast"), "the options belong to fine-tuning: change 'x.toml'"),
        (("x.toml", "--steps", "3"), "the options belong to fine-tuning: change 'x.toml'"),
        ((str(RECIPES / "corners.toml"),), "'corners' names scenes 'runs/rare', which does not exist"),
    ],
)
def test_what_cannot_be_trained_on(words: tuple[str, ...], said: str) -> None:
    with pytest.raises(InputError, match=said):
        train(*words)


def test_without_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cli_models, "find_spec", lambda _: None)
    for folder in ("rare", "scenes"):
        (tmp_path / "runs" / folder).mkdir(parents=True)
    with pytest.raises(InputError, match="training needs the extra `train`"):
        train(str(RECIPES / "corners.toml"))
    with pytest.raises(InputError, match="training needs the extra `train`"):
        train("--data", str(tmp_path))
    with pytest.raises(InputError, match="training needs the extra `train`"):
        CliRunner().invoke(app, ["export", "best.pt", "out.onnx"], catch_exceptions=False)


@pytest.mark.parametrize("name", ["notes.md", "damaged.pt", "missing.pt"])
def test_what_is_no_checkpoint_is_not_exported(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cli_models, "find_spec", lambda _: True)
    if name != "missing.pt":
        (tmp_path / name).write_text("no weights")
    said = "does not exist" if name == "missing.pt" else "is no checkpoint of PyTorch, or it is damaged"
    with pytest.raises(InputError, match=f"{name}' {said}"):
        CliRunner().invoke(app, ["export", name, "out.onnx"], catch_exceptions=False)


def test_a_training_that_is_stopped_says_that_it_can_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def learn(_config: FineTuning, _say: object, *, progress: Callable[[int, int], None]) -> Card:
        progress(1, 3)
        raise Stopped(130)

    monkeypatch.setattr(cli_models, "find_spec", lambda _: True)
    monkeypatch.setattr("tilescore.models.finetuning.tile_set.learn", learn)
    stopped = CliRunner().invoke(app, ["train", "--data", str(tmp_path)])
    assert stopped.exit_code == 130
    assert "the same command goes on" in stopped.stderr
    assert "nothing is kept" not in stopped.stderr


def test_a_set_is_fine_tuned_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[FineTuning] = []
    before, after = Figures(5, 0.5, 0.2, 0.0, None), Figures(5, 0.9, 0.6, 0.1, 0.6)

    def learn(config: FineTuning, _say: object, *, progress: Callable[[int, int], None]) -> Card:
        asked.append(config)
        for step in range(1, 4):
            progress(step, 3)
        return Card(
            name=config.name, start="tiles46@1", made="now", data="mine", data_hash="ab", learned_photos=20,
            learned_tiles={"1m": 2, "2m": 0, "3m": 9}, before=before, after=after, kept_before=before,
            kept_after=before, kept_what="rendered scenes", steps=7, share=0.7, minutes=3.0,
        )  # fmt: skip

    monkeypatch.setattr(cli_models, "find_spec", lambda _: True)
    monkeypatch.setattr("tilescore.models.finetuning.tile_set.learn", learn)
    monkeypatch.setenv("TILESCORE_PHOTOS", str(tmp_path / "none"))
    (tmp_path / "our set").mkdir()
    said = train("--data", "our set", "--steps", "30")
    assert asked == [FineTuning(start="tiles46", data=Path("our set"), name="our-set", steps=30)]
    assert "| photos with every tile right, 5 held-out photos of mine | 0.200 | 0.600 |" in said
    assert "Not in the training photos: 2m. Once or twice: 1m." in said
    assert "exact" not in said, "there was no figure of it before"
    assert json.loads(train("--data", "our set", "--name", "x", "--json"))["after"]["whole"] == 0.6
    (tmp_path / "own" / "teach").mkdir(parents=True)
    train()
    assert not asked[-1].anyway
    train("--anyway")
    assert asked[-1].anyway
    assert (asked[-1].data, asked[-1].name, asked[-1].steps) == (tmp_path / "own" / "teach", "teach", STEPS)
