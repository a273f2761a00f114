"""`tilescore train RECIPE.toml` trains the network that the recipe names, and resumes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from tilescore.models.registry import shipped
from tilescore.ui.cli.main import app
from tilescore.vision.inference.batches import SmallNetwork

if TYPE_CHECKING:
    from pathlib import Path

pytest.importorskip(
    "tilescore.models.training.yolo", reason="the extra `train` is not installed: training is not tried here"
)


@pytest.mark.parametrize(
    ("network", "keys", "side", "channels"),
    [
        ("corners", "", 64, 3),
        ("backs_box_refiner", 'data = "photos"\ndetector = "{detector}"\nstart = "{backs}"', 64, 6),
        ("classifier", 'data = "photos"\ndetector = "{detector}"\nstart = "{classifier}"', 64, 3),
        ("high_resolution_classifier", 'data = "photos"\nfirst = "{classifier}"\ncorners = "{corners}"', 96, 3),
    ],
    ids=["corners", "backs_box_refiner", "classifier", "high_resolution_classifier"],
)
def test_a_recipe_is_trained(
    room: Path, monkeypatch: pytest.MonkeyPatch, *, network: str, keys: str, side: int, channels: int
) -> None:
    monkeypatch.chdir(room)
    (model,) = shipped()
    parts = ("detector", "backs", "classifier", "corners")
    given = keys.format(**{part: getattr(model, part).path for part in parts})
    (room / f"try_{network}.toml").write_text(
        f'network = "{network}"\nout = "made/{network}.onnx"\nscenes = ["scenes"]\nseed = 0\nsteps = 1\nrate = 1e-6\n'
        f"batch = 4\n{given}\n"
    )
    out = room / "made" / f"{network}.onnx"
    files: list[bytes] = []
    for _ in range(2 if network == "corners" else 1):
        done = CliRunner().invoke(app, ["train", f"try_{network}.toml"], catch_exceptions=False)
        wrote, difference = done.stderr.splitlines()[-1].split("; largest difference to torch ")
        assert wrote == f"wrote made/{network}.onnx"
        assert float(difference) < 1e-3
        assert ("step 1 of 1" in done.stdout) == (not files), "the second run finds a finished checkpoint"
        files.append(out.read_bytes())
    assert files[0] == files[-1], "a network that starts from this file can resume too"
    assert (room / "runs" / f"try_{network}.pt").is_file()
    made = SmallNetwork(out)
    assert (made.side, made.channels) == (side, channels)
