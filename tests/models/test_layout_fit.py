"""The fit of the layout learns what it is shown; simulated tables are what they say."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.vision.table import lay, tiles
from tilescore.datasets.layouts.judged import JudgedPhoto
from tilescore.datasets.layouts.tables import table_of
from tilescore.models import layout_fit
from tilescore.models.layout_fit import PARTS, Example, example_of, fit, is_right
from tilescore.vision.detections import Detection
from tilescore.vision.layout.model import Network
from tilescore.vision.layout.scene import Scene
from tilescore.vision.layout.structures import structures

SIZE_WH = (1000, 800)
DISCARDS = [*lay(tiles("5z"), x=80, y=120), *lay(tiles("9s"), x=500, y=200), *lay(tiles("4p"), x=800, y=90)]
FOURTEEN = frozenset(range(14))


def judged(found: list[Detection], hand: frozenset[int], name: str) -> JudgedPhoto:
    kind = "hand" if hand else "no_hand"
    return JudgedPhoto(name, "test", name, "train", kind, SIZE_WH, tuple(found), concealed=hand)


@pytest.mark.parametrize("text", [None, "{}\n", "no JSON\n"])
def test_a_file_that_nobody_judged_is_refused_before_any_photo_is_read(
    text: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def read(_name: str) -> None:
        pytest.fail("the networks are loaded")

    if text is not None:
        (tmp_path / "mine.jsonl").write_text(text)
    (tmp_path / "layouts").mkdir()
    (tmp_path / "layouts" / "layouts.jsonl").touch()
    monkeypatch.setattr(layout_fit, "load_reader", read)
    monkeypatch.setattr("sys.argv", ["fit", str(tmp_path), str(tmp_path / "mine.jsonl")])
    with pytest.raises(SystemExit, match="2"):
        layout_fit.main()
    assert "name what tilescore dataset layouts wrote" in capsys.readouterr().err


def picks(part: str, some: list[Example], network: Network) -> list[bool]:
    listed = [one for e in some for one in e.choices[part] if one.right.any()]
    return [bool(one.right[int(network.scores(one.rows).argmax())]) for one in listed]


def test_the_fit_learns_what_it_is_shown() -> None:
    heap = [
        tile for at in range(12) for tile in lay(tiles("5m"), x=80 + 70 * (at % 6), y=100 + 90 * (at // 6) + 9 * at)
    ]
    some = [
        example_of(judged([*lay(tiles("123456789m11223p"), y=600), *DISCARDS], FOURTEEN, "a")),
        example_of(judged([*lay(tiles("123456789s44455z"), y=620), *DISCARDS], FOURTEEN, "b")),
        example_of(judged(heap, frozenset(), "c")),
        example_of(judged(DISCARDS, frozenset(), "d")),
    ]
    fitted = fit("selection", some)
    assert all(picks("selection", some, fitted))
    nothing = Network(0 * fitted.weights, fitted.bias, 0 * fitted.output)
    assert not any(picks("selection", some, nothing)[:2]), "without weights the first is chosen"


def test_photos_to_measure_with_are_not_fitted() -> None:
    photo = replace(judged([*lay(tiles("123456789m11223p"), y=600)], FOURTEEN, "a"), split="val")
    fitted = fit("selection", [example_of(photo)])
    assert not fitted.weights.any()
    assert not fitted.output.any()


@pytest.fixture(scope="module")
def drawn() -> list[JudgedPhoto]:
    return [table_of(3, index) for index in range(60)]


def test_simulated_tables_are_fitted_better_than_by_chance(drawn: list[JudgedPhoto]) -> None:
    some = [example_of(photo) for photo in drawn]
    for part in PARTS:
        chosen = picks(part, some, fit(part, some))
        assert sum(chosen) > 0.95 * len(chosen)


def test_a_simulated_hand_has_a_right_structure(drawn: list[JudgedPhoto]) -> None:
    hands = [photo for photo in drawn if photo.hand]
    found = 0
    for photo in hands:
        scene = Scene.of(photo.detections, photo.size_wh)
        faces = frozenset(photo.hand & set(scene.faces.tolist()))
        found += any(is_right(one, photo) for one in structures(scene, faces))
    assert found >= 0.85 * len(hands)


def test_the_hand_is_sharper_than_the_rest_as_a_rule(drawn: list[JudgedPhoto]) -> None:
    sharper = []
    for photo in drawn:
        sharpness = np.array([seen.sharpness for seen in photo.detections])
        inside = np.array([at in photo.hand for at in range(len(sharpness))])
        if sharpness.any() and photo.hand and len(photo.hand) + len(photo.bonus) < len(sharpness):
            sharper.append(sharpness[inside].mean() > sharpness[~inside].mean())
    assert sum(sharper) > 0.75 * len(sharper)
