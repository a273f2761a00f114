"""The page about a whole set: what a model sees in its labels, sizes, samples."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from tests.datasets.labelled import photo_set
from tilescore.datasets import formats
from tilescore.datasets.checks.agreement import SAMPLE_PX, agreement
from tilescore.datasets.checks.dataset_check import check
from tilescore.datasets.checks.report_files import save_report, sections
from tilescore.datasets.labels import CLASS_NAMES

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import pytest
    from numpy.typing import NDArray

    from tilescore.vision.image.boxes import Box

LINES = "".join(f"{number} 0.{number + 2} 0.5 0.05 0.1\n" for number in range(3))
"""1m, 2m and 3m from the left to the right."""


class Model:
    """Sees 1m everywhere, except that there is no tile in the last box of a picture."""

    def classify(self, rgb: NDArray[np.uint8], boxes: Sequence[Box]) -> NDArray[np.float32]:
        """The same for every photo."""
        assert rgb.shape[2] == 3
        rows = np.zeros((len(boxes), len(CLASS_NAMES) + 1), np.float32)
        rows[:, 0], rows[:, 1] = 0.9, 0.1
        if len(boxes):
            rows[-1] = np.eye(len(CLASS_NAMES) + 1, dtype=np.float32)[-1]
        return rows


def test_a_model_agrees_or_not_with_every_label(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = photo_set(tmp_path / "set", {"a": (1, 0), "b": (2, 0), "c": (3, 0)}, dict.fromkeys("abc", LINES))
    (root / "images" / "c.jpg").write_bytes((root / "images" / "c.jpg").read_bytes()[:900])
    pictures = formats.read(root).pictures
    steps: list[tuple[int, int]] = []
    found = agreement(pictures, Model(), progress=lambda done, total: steps.append((done, total)))
    assert found.compared == {"1m": 2, "2m": 2, "3m": 2}, "a damaged picture is passed over"
    assert found.alike == {"1m": 2}
    assert found.share == 1 / 3
    assert [(each.labelled, each.seen, round(each.own, 2)) for each in found.suspects] == [
        ("3m", "no tile", 0.0), ("3m", "no tile", 0.0), ("2m", "1m", 0.1), ("2m", "1m", 0.1),
    ]  # fmt: skip
    assert {name: len(crops) for name, crops in found.samples.items()} == {"1m": 2, "2m": 2, "3m": 2}
    assert found.samples["1m"][0].shape == (SAMPLE_PX, SAMPLE_PX, 3)
    assert steps[-1] == (2, 3)
    for limit in ("_MOST_PICTURES", "_SUSPECTS", "_SAMPLES"):
        monkeypatch.setattr(f"tilescore.datasets.checks.agreement.{limit}", 1)
    few = agreement(pictures[:2], Model())
    assert (few.pictures, len(few.suspects), len(few.samples["1m"])) == (1, 1, 1)


def test_a_page_tells_what_the_model_sees(tmp_path: Path) -> None:
    root = photo_set(tmp_path / "set", {"train/<b>": (1, 0), "val/c": (3, 0)}, dict.fromkeys(("train/<b>",), LINES))
    pictures = formats.read(root).pictures
    found = agreement(pictures, Model())
    save_report(
        check(formats.read(root)), tmp_path / "set.html", sections=sections(pictures, found), alike={"1m": "50%"}
    )
    text = (tmp_path / "set.html").read_text()
    for said in (
        "0 of 2 pictures are checked", "16 to 32 pixels</td><td>3", "The model names 25.0% of 4 labels alike",
        "labelled 2m (10%), the model sees 1m (90%)", "Samples of each class", "Findings", "<td>50%</td>",
    ):  # fmt: skip
        assert said in text
    assert "<b>.jpg" not in text


def test_without_a_model_the_page_shows_sizes_and_samples(tmp_path: Path) -> None:
    pictures = formats.read(photo_set(tmp_path, {"a": (1, 0)})).pictures
    page = sections(pictures, agreement(pictures, None))
    assert "Agreement" not in page
    assert "Samples of each class" in page
    assert "Agreement" not in sections((), agreement((), Model()))
    rejected = replace(pictures[0], rejected="glare")
    assert "0 of 1 pictures are checked by a person; 1 are rejected." in sections((rejected,), agreement((), None))
