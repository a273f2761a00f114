"""Pictures that the tests of training share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tilescore.datasets.artwork.artwork import Folders
from tilescore.datasets.synthesis.synth import generate

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="package", name="room")
def _room(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Eight rendered scenes, and the same pictures as photos with a manifest."""
    room = tmp_path_factory.mktemp("training")
    scenes = room / "scenes"
    generate(scenes, count=8, seed=3, size_px=256, folders=Folders(), include=("procedural",))
    for kind in ("images", "labels"):
        (room / "photos" / kind / "train").mkdir(parents=True)
        (room / "photos" / kind / "val").mkdir()
    rows = ["file,split,source,tile_set,partial,safe_crop,variant"]
    for number, picture in enumerate(sorted((scenes / "images").glob("*.jpg"))):
        split = "val" if number < 2 else "train"
        for path in (picture, scenes / "labels" / f"{picture.stem}.txt"):
            (room / "photos" / path.parent.name / split / path.name).write_bytes(path.read_bytes())
        rows.append(f"images/{split}/{picture.name},{split},own,drawn,0,,0")
    (room / "photos" / "manifest.csv").write_text("\n".join(rows) + "\n")
    return room
