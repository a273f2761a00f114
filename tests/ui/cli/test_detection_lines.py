"""`tilescore read --detections`: boxes of another detector."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from tests.vision.table import lay, tiles
from tilescore.errors import InputError
from tilescore.ui.cli.detection_lines import reading_of
from tilescore.ui.cli.main import app

if TYPE_CHECKING:
    from pathlib import Path


def line(text: str, **changes: object) -> str:
    found = [{"tile": str(one.tile), "box_xyxy": list(one.box.xyxy), "confidence": 0.9} for one in lay(text)]
    return json.dumps({"size_wh": [900, 700], "detections": found} | changes)


HAND = line(tiles("123m456p789s11222z"))


def test_boxes_are_read_like_a_photo(tmp_path: Path) -> None:
    source = tmp_path / "boxes.jsonl"
    source.write_text(f"{HAND}\n\n{line(tiles('12m'))}\n", encoding="utf-8")
    result = CliRunner().invoke(app, ["read", "--detections", str(source), "--json"])
    assert result.exit_code == 0
    hand, few = map(json.loads, result.stdout.splitlines())
    assert hand["hand"]["concealed"] == "123m456p789s11222z"
    assert [role["role"] for role in few["detections"]] == ["other", "other"]
    assert [doubt["code"] for doubt in few["doubts"]] == ["no_hand"]


@pytest.mark.parametrize(
    ("text", "said"), [("5z", "  1 tile in the picture: 5z"), ("12m", "  2 tiles in the picture: 12m")]
)
def test_people_read_of_one_tile_and_of_several(text: str, said: str) -> None:
    result = CliRunner().invoke(app, ["read", "--detections", "-"], input=line(tiles(text)))
    assert said in result.stdout.splitlines()


def test_a_text_in_a_line_may_hold_other_ends_of_lines() -> None:
    named = json.dumps(json.loads(HAND) | {"photo": "a\u2028b"}, ensure_ascii=False)
    result = CliRunner().invoke(app, ["read", "--detections", "-", "--json"], input=f"{named}\n")
    assert (result.exit_code, json.loads(result.stdout)["photo"]) == (0, "a\u2028b")


def test_a_bad_line_is_named_and_the_rest_goes_on() -> None:
    result = CliRunner().invoke(app, ["read", "--detections", "-", "--json"], input=f"nonsense\n{HAND}\n")
    assert result.exit_code == 2
    bad, good = map(json.loads, result.stdout.splitlines())
    assert bad == {"line": 1, "error": {"code": "bad_detections", "message": "'nonsense' is no JSON object."}}
    assert good["hand"]["concealed"] == "123m456p789s11222z"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[1]", "is no JSON object"),
        ("[" * 100_000, "is no JSON object"),
        ("{}", "is no size_wh: 2 numbers"),
        (line("1m", size_wh=[0, 5]), "is no size of a photo"),
        (line("1m", detections=3), "is no list of detections"),
        (line("1m", detections=[]), "no tiles found: give a detection"),
        (line("1m", detections=["x"]), "'x' is no detection"),
        (line("1m", detections=[{"tile": "1m", "box_xyxy": [0, 0, 1]}]), "is no box_xyxy: 4 numbers"),
        (line("1m", detections=[{"tile": "1m", "box_xyxy": [0, 0, float("nan"), 1]}]), "must be finite"),
        (line("1m", detections=[{"tile": "1m", "box_xyxy": [9, 0, 5, 1]}]), "is no box: left, top"),
        (line("1m", detections=[{"tile": "xx", "box_xyxy": [0, 0, 5, 5]}]), "xx"),
        (line("1m", detections=[{"tile": 4, "box_xyxy": [0, 0, 5, 5]}]), "is no tile"),
        (line("1m", detections=[{"tile": "1m", "box_xyxy": [0, 0, 5, 5], "confidence": 2}]), "is no probability"),
        (line("1m", detections=[{"tile": "1m", "box_xyxy": [0, 0, 5, 5], "alternatives": ["2m"]}]), "no alternative"),
    ],
)
def test_bad_boxes_give_one_sentence(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as error:
        reading_of(text)
    assert len(str(error.value)) < 300


def test_photos_or_boxes() -> None:
    result = CliRunner().invoke(app, ["read"])
    assert isinstance(result.exception, InputError)
    assert "name photos to read, or --detections" in str(result.exception)


def test_boxes_that_cover_each_other_are_no_hand() -> None:
    same = [{"tile": "1m", "box_xyxy": [10, 10, 50, 60]} for _ in range(14)]
    reading = reading_of(json.dumps({"size_wh": [200, 200], "detections": same}))
    assert len(reading.detections) == 14
    assert any(doubt.detection is None for doubt in reading.doubts)
