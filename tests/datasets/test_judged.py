"""Judged photos: what a person says of a hand, beside what the networks detect of it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from tilescore.datasets.layouts.judged import judged_photos
from tilescore.scoring.tiles import Tile, parse_tiles
from tilescore.vision.decoding.reading import Reading
from tilescore.vision.detections import Detection
from tilescore.vision.image.boxes import Box
from tilescore.vision.reader import TileReader

if TYPE_CHECKING:
    from pathlib import Path

    from tilescore.vision.image.photo import Photo

SIZE_WH = (800, 200)
LOOSE, KONG = parse_tiles("123456m99p789s"), parse_tiles("5555z")


def laid(tiles: tuple[Tile, ...], start: int) -> list[dict[str, object]]:
    """Judged tiles beside each other."""
    places = enumerate(tiles, start=start)
    return [{"tile": str(tile), "box_xyxy": [40 * at, 50, 40 * at + 30, 90]} for at, tile in places]


@pytest.mark.parametrize(("unseen", "missing"), [((), 0), ((12,), 1), ((0, 12), 2)])
def test_a_kong_counts_three_even_if_a_tile_is_not_seen(
    unseen: tuple[int, ...], missing: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cv2.imwrite(str(tmp_path / "kong.png"), np.zeros((SIZE_WH[1], SIZE_WH[0], 3), np.uint8))
    concealed, kong = laid(LOOSE, 0), laid(KONG, len(LOOSE))
    known = {"photo": "kong.png", "source": "ours", "scene": "kong", "kind": "hand"}
    roles = tmp_path / "roles.jsonl"
    roles.write_text(json.dumps({**known, "concealed": concealed, "melds": [{"tiles": kong}]}), encoding="utf-8")
    seen = [
        Detection.of(Box(40 * at, 50, 40 * at + 30, 90), tile, 0.99)
        for at, tile in enumerate((*LOOSE, *KONG))
        if at not in unseen
    ]

    def read(_: TileReader, photo: Photo) -> Reading:
        return Reading.of(seen, photo_name=photo.name, size_wh=SIZE_WH)

    monkeypatch.setattr(TileReader, "read", read)
    (judged,) = judged_photos(tmp_path, TileReader.__new__(TileReader), roles)
    assert (judged.size, judged.missing) == (14, missing)
