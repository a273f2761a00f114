"""What looks odd in a labelled picture, in the language of the reader."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tilescore.datasets.annotation.annotation_checks import check_annotation
from tilescore.datasets.annotation.folder import PictureFile
from tilescore.datasets.annotation.predictions import PredictedTile, Prediction
from tilescore.datasets.marks import Annotation, LabelSource, Mark
from tilescore.ui.locale import ENGLISH, LANGUAGES
from tilescore.ui.locale.update import english_words
from tilescore.ui.pages.annotate.review import worded
from tilescore.ui.words import text
from tilescore.ui.words.text import speak
from tilescore.vision.image.boxes import Box

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tilescore.datasets.checks.finding import Finding

PICTURE = PictureFile("a.jpg", Path("a.jpg"), Path("a.txt"))


def mark(name: str, x0: float, y0: float, x1: float, y1: float) -> Mark:
    return Mark(name, Box(x0, y0, x1, y1), source=LabelSource.FILE)


def sees(name: str, share: float) -> Prediction:
    """A model that sees one tile, in the place of ONE."""
    return Prediction("net@1", (PredictedTile(ONE.box, ((name, share),)),))


ONE = mark("1m", 20, 20, 50, 60)
ROW = [mark("1m", x, 20, x + 30, 60) for x in range(20, 220, 50)]
COLUMN = [mark(f"{rank}m", 610, 60 * rank, 642, 60 * rank + 40) for rank in range(1, 5)]
ODD = [
    # the labels in the file, what the model sees, and what is said of them
    ([ONE], Prediction("net@1"), "Labelled 1 of characters, the model sees no tile there."),
    ([mark("?ace", 20, 20, 50, 60)], sees("1f", 0.99), "Labelled unknown name: ace, the model sees plum (99%)."),
    ([], sees("5z", 0.97), "No box where the model sees white dragon (97%)."),
    ([ONE, mark("1f", *ONE.box.xyxy)], None, "2 boxes in one place: plum, 1 of characters."),
    ([mark("1f", 20, 20, 50, 60), mark("1f", 80, 20, 110, 60)], None, "Plum: 2 are labelled, a set has 1."),
    ([mark("1m", 20, 20, 320, 60)], None, "1 of characters: the box is 300 × 40 pixels, too long for a tile."),
    ([mark("1m", 20, 20, 24, 25)], None, "1 of characters: the box is 4 × 5 pixels, too small to see a face."),
    ([*ROW, mark("2m", 400, 20, 460, 120)], None, "2 of characters: the box has 500% of the area of the others."),
    ([mark("1m", 610, 20, 645, 60)], None, "1 of characters: the box reaches 5 pixels out of the picture."),
    (COLUMN, None, "3 of characters: the box reaches 2 pixels out of the picture. And 1 more."),
]  # fmt: skip


@pytest.fixture(autouse=True)
def english_afterwards() -> Iterator[None]:
    yield
    speak(lambda: ENGLISH)


def found(marks: Sequence[Mark], prediction: Prediction | None) -> list[Finding]:
    return [*check_annotation(PICTURE, (640, 480), Annotation(tuple(marks)), prediction)]


@pytest.mark.parametrize(("marks", "prediction", "said"), ODD, ids=[said for _, _, said in ODD])
def test_a_finding_names_tiles_as_people_do(marks: list[Mark], prediction: Prediction | None, said: str) -> None:
    assert any(said in worded(finding) for finding in found(marks, prediction))


def test_a_share_stands_as_the_language_writes_it() -> None:
    speak(lambda: "ru")
    said = [worded(finding) for marks, prediction, _ in ODD for finding in found(marks, prediction)]
    assert any("\N{NO-BREAK SPACE}%" in line for line in said)
    assert not any("%" in line.replace("\N{NO-BREAK SPACE}%", "") for line in said)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_finding_has_words(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text, "_readable", lambda key: pytest.fail(f"no words for {key}"))
    findings = [finding for marks, prediction, _ in ODD for finding in found(marks, prediction)]
    english = {*map(worded, findings)}
    speak(lambda: language)
    assert language == ENGLISH or not english & {*map(worded, findings)}
    keys = {f"suspect.{remark.key}" for finding in findings for remark in finding.remarks}
    assert keys == {key for key in english_words() if key.startswith("suspect.")}
