"""The detector is tuned too: it says how long, goes on where it was stopped, and is kept only if it helps."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import pytest

from tilescore.datasets import formats
from tilescore.datasets.sample import SAMPLES
from tilescore.models.finetuning.detector import DetectorRecipe, tune_detector, with_detector, worth
from tilescore.models.finetuning.report import Figures
from tilescore.models.registry import load_reader, shipped
from tilescore.vision.image.photo import load_photo

if TYPE_CHECKING:
    from pathlib import Path

    from tilescore.datasets.labels import LabelledPicture
    from tilescore.models.finetuning.measure import Evaluation
    from tilescore.vision.reader import TileReader

BEFORE = Figures(5, 0.3, 0.0, 0.1, None, 0.31)
OTHERS = Figures(40, 0.9, 0.5, 0.1, None, 0.95)


class Measured:
    """Photos on which the tuned detector has the given figures."""

    kept_what = "rendered scenes of other sets"

    def __init__(self, own: Figures, others: Figures) -> None:
        self._own, self._others = own, others

    def own(self, _reader: object) -> Figures:
        """Those of the set."""
        return self._own

    def others(self, _reader: object) -> Figures:
        """Those of other sets."""
        return self._others


@pytest.mark.parametrize(
    ("found", "others", "helps", "said"),
    [
        (0.8, 0.895, True, "finds 80.0% of the tiles, 31.0% before; tile F1 on rendered scenes of other sets 0.895"),
        (0.31, 0.9, False, "it is not kept, because it finds no more"),
        (0.8, 0.88, False, "it is not kept, because it reads other sets worse"),
    ],
)
def test_a_detector_is_kept_if_it_helps(found: float, others: float, helps: bool, said: str) -> None:  # noqa: FBT001
    measured = cast("Evaluation", Measured(replace(BEFORE, found=found), replace(OTHERS, tile_f1=others)))
    kept, told = worth(BEFORE, OTHERS, measured, cast("TileReader", None), forgotten=0.01)
    assert kept == helps
    assert said in told


def test_the_offer_names_recipe_and_minutes() -> None:
    recipe = DetectorRecipe.of(shipped()[0], photos=20, scenes=160, epochs=10)
    assert 0 < recipe.minutes < 1000
    assert (
        str(replace(recipe, minutes=12.4)) == "10 passes over 20 photos, 4 times each, and 160 scenes, about 12 minutes"
    )


def test_a_model_with_another_detector_reads() -> None:
    start = shipped()[0]
    reader = load_reader()
    model, changed = with_detector(start, reader, start.detector.path)
    assert model.detector.sha256 == start.detector.sha256
    photo = load_photo(SAMPLES / "riichi_closed.jpg")
    assert str(changed.read(photo).hand) == str(reader.read(photo).hand)


def labelled_samples(root: Path) -> list[LabelledPicture]:
    """Two photos with the labels that the model gives them, as a set."""
    from tests.models.finetuning.test_tile_set import labelled

    return list(formats.read(labelled(root, 2)).pictures)


def test_a_detector_is_tuned_and_goes_on_where_it_was_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("ultralytics", reason="the extra `train` is not installed")
    monkeypatch.setenv("TILESCORE_DATA", str(tmp_path / "own"))
    for name, value in (("_SIDE", 160), ("_REPEATS", 2), ("_BATCH", 2)):
        monkeypatch.setattr(f"tilescore.models.finetuning.detector.{name}", value)
    start, mine, place = shipped()[0], labelled_samples(tmp_path / "photos"), tmp_path / "tuning"
    place.mkdir()
    steps: list[tuple[int, int]] = []

    def stop(done: int, total: int) -> None:
        steps.append((done, total))
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tune_detector(start, mine, [], place, epochs=2, progress=stop)
    steps.clear()
    file = tune_detector(start, mine, [], place, epochs=2, progress=lambda *step: steps.append(cast("Any", step)))
    assert steps == [(3, 4), (4, 4)], "the first pass is not done again"
    assert tune_detector(start, mine, [], place, epochs=2, progress=lambda *_step: pytest.fail("done already")) == file
    model, reader = with_detector(start, load_reader(), file)
    assert model.detector.sha256 != start.detector.sha256
    reader.read(load_photo(SAMPLES / "riichi_closed.jpg"))  # it runs
    assert capfd.readouterr().out == ""
