"""What `tilescore train` takes its words for: a model to teach, or the weights of a detector."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tilescore.base.errors import InputError
from tilescore.models.finetuning.report import Card, Figures
from tilescore.models.finetuning.tile_set import FineTuning
from tilescore.ui.cli import models as cli_models
from tilescore.ui.cli.main import app


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
        (("--from", "x.pt", "--data", "."), "names a folder with manifest.csv"),
    ],
)
def test_what_cannot_be_trained_on(words: tuple[str, ...], said: str) -> None:
    with pytest.raises(InputError, match=said):
        train(*words)


def test_without_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cli_models, "find_spec", lambda _: None)
    with pytest.raises(InputError, match="training needs the extra `train`"):
        train("--data", str(tmp_path))


def test_a_set_with_a_manifest_trains_a_detector(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[Path, str]] = []
    monkeypatch.setattr(cli_models, "_train_detector", lambda start, *_, name, **__: asked.append((start, name)))
    (tmp_path / "manifest.csv").write_text("file\n")
    train("--from", "weights.pt", "--data", str(tmp_path))
    assert asked == [(Path("weights.pt"), "tiles46")]


def test_any_other_set_is_taught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lessons: list[FineTuning] = []
    before, after = Figures(5, 0.5, 0.2, 0.0, None), Figures(5, 0.9, 0.6, 0.1, 0.6)

    def learn(lesson: FineTuning, _say: object) -> Card:
        lessons.append(lesson)
        return Card(
            name=lesson.name, start="tiles46@1", made="now", data="mine", data_hash="ab", learned_photos=20,
            learned_tiles={"1m": 2, "2m": 0, "3m": 9}, before=before, after=after, kept_before=before,
            kept_after=before, kept_what="rendered scenes", steps=7, share=0.7, minutes=3.0,
        )  # fmt: skip

    monkeypatch.setattr(cli_models, "find_spec", lambda _: True)
    monkeypatch.setattr("tilescore.models.finetuning.tile_set.learn", learn)
    monkeypatch.setenv("TILESCORE_PHOTOS", str(tmp_path / "none"))
    (tmp_path / "our set").mkdir()
    said = train("--data", "our set", "--minutes", "3")
    assert lessons == [FineTuning(start="tiles46", data=Path("our set"), name="our-set", minutes=3)]
    assert "| photos with every tile right, 5 held-out photos of mine | 0.200 | 0.600 |" in said
    assert "Not in those photos: 2m. Once or twice: 1m." in said
    assert "exact" not in said, "there was no figure of it before"
    assert json.loads(train("--data", "our set", "--name", "x", "--json"))["after"]["whole"] == 0.6
    (tmp_path / "own" / "teach").mkdir(parents=True)
    train()
    assert (lessons[-1].data, lessons[-1].name) == (tmp_path / "own" / "teach", "teach")
