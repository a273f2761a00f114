"""`tests.campaigns.same` reports every key in which two outputs differ, except the allowed keys."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.campaigns.same import differences, main

if TYPE_CHECKING:
    from pathlib import Path

DETECTION = {"tile": "5m", "box": [0, 0, 30, 40], "confidence": 0.9}
PHOTO: dict[str, Any] = {"photo": "a/1.jpg", "model": "x", "timings_ms": {}, "hand": "5m", "detections": [DETECTION]}


def written(path: Path, *photos: dict[str, Any]) -> str:
    path.write_text("".join(f"{json.dumps(photo)}\n" for photo in photos), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({}, []),
        ({"model": "y", "timings_ms": {"total": 1.0}, "photo": "b/1.jpg"}, []),
        ({"hand": "6m"}, ["hand"]),
        ({"doubts": []}, ["doubts"]),
        ({"detections": [DETECTION, DETECTION]}, ["detections"]),
        ({"detections": [DETECTION | {"tile": "6m"}]}, ["detections.tile"]),
        ({"detections": [DETECTION | {"confidence": 0.8}]}, ["detections.confidence"]),
    ],
)
def test_differences(change: dict[str, Any], found: list[str]) -> None:
    assert differences(PHOTO, PHOTO | change) == found


def test_an_allowed_key_may_differ() -> None:
    changed = PHOTO | {"detections": [DETECTION | {"tile": "6m", "confidence": 0.8}]}
    assert differences(PHOTO, changed, but=("confidence",)) == ["detections.tile"]


@pytest.fixture
def before(tmp_path: Path) -> str:
    return written(tmp_path / "before.jsonl", *(PHOTO | {"photo": f"old/{name}"} for name in ("1.jpg", "2.jpg")))


@pytest.fixture
def after(tmp_path: Path) -> str:
    """The second photo has another confidence."""
    changed = PHOTO | {"photo": "new/2.jpg", "detections": [DETECTION | {"confidence": 0.8}]}
    return written(tmp_path / "after.jsonl", PHOTO | {"photo": "new/1.jpg"}, changed)


def status(*arguments: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr("sys.argv", ["same", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    return ended.value.code


def test_files_with_one_differing_key(
    before: str, after: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status(before, after, monkeypatch=monkeypatch) == 1
    assert capsys.readouterr().out == "2.jpg: detections.confidence\n2 photos: 1 differ, 0 are in one file only\n"


def test_files_with_one_allowed_key(before: str, after: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert status(before, after, "--but", "confidence", monkeypatch=monkeypatch) == 0


def test_a_missing_photo_is_a_difference(before: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shorter = written(tmp_path / "shorter.jsonl", PHOTO | {"photo": "new/1.jpg"})
    assert status(before, shorter, monkeypatch=monkeypatch) == 1
