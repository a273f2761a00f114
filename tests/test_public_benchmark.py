"""The benchmark of public photos, on a small repository of drawn pictures."""

from __future__ import annotations

import json
import shutil
import subprocess
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest

from tests.harness.public import figures_of, found_in, public_photos, readings_in
from tilescore.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

HANDS: dict[str, tuple[str, dict[str, Any] | None]] = {
    "one.png": ("hand", {"concealed": "123m456p1122z", "melds": [{"tiles": "555z"}], "winning_tile": "2z"}),
    "two.png": ("hand", {"concealed": "0m46m99s", "melds": [{"tiles": "111p"}, {"tiles": "7777z"}, {"tiles": "234s"}]}),
    "three.png": ("hand", {"concealed": "123m456p789s11222z333p", "bonus": "1f"}),
    "heap.png": ("no_hand", None),
}


def git(folder: Path, *words: str) -> str:
    return subprocess.run(  # noqa: S603  # fixed words
        [shutil.which("git") or "git", *words], cwd=folder, check=True, capture_output=True, text=True
    ).stdout.strip()


@pytest.fixture
def clones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with one clone, and the list of hands that names its photos."""
    repository = tmp_path / "clones" / "somebody" / "tables"
    repository.mkdir(parents=True)
    git(repository, "init", "--quiet")
    rng, rows = np.random.default_rng(1), []
    for name, (kind, hand) in HANDS.items():
        cv2.imwrite(str(repository / name), rng.integers(0, 255, (20, 30, 3), np.uint8))
        blob = git(repository, "hash-object", name)
        source = "second" if name == "two.png" else "first"
        rows.append({"id": name, "source": source, "repo": "somebody/tables", "commit": "0" * 40, "path": name,
                     "blob": blob, "kind": kind, "hand": hand})  # fmt: skip
    hands = tmp_path / "hands.jsonl"
    hands.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    monkeypatch.setattr("tests.harness.public.HANDS", hands)
    return tmp_path / "clones"


def readings(clones: Path, said: dict[str, Any]) -> Path:
    file = clones.parent / "readings.jsonl"
    lines = [json.dumps({"photo": f"somebody/tables/{name}", "hand": hand}) for name, hand in said.items()]
    file.write_text("\n".join(lines), encoding="utf-8")
    return file


def measured(clones: Path, said: dict[str, Any]) -> dict[str, float]:
    photos = public_photos()
    found = readings_in(clones, readings(clones, said), photos)
    return {one.name.partition(",")[0]: one.value for one in figures_of(photos, found)}


def test_the_truth_itself_is_exact(clones: Path) -> None:
    figures = measured(clones, {name: hand for name, (_, hand) in HANDS.items()})
    assert (figures["hands exact"], figures["hands with all parts right"], figures["photos read"]) == (1, 1, 4)
    assert figures["left empty without a hand"] == 1
    assert not [name for name in figures if name.startswith("fault")]


def test_each_source_counts_alike_and_each_fault_has_its_kind(clones: Path) -> None:
    said: dict[str, dict[str, Any]] = {name: dict(hand or {}) for name, (_, hand) in HANDS.items()}
    said["one.png"]["concealed"] += "9p"
    said["two.png"] = {"concealed": "46m5m99s234s", "melds": [{"tiles": "111p"}, {"tiles": "7777z"}]}
    said["heap.png"] = {"concealed": "123m"}
    figures = measured(clones, said)
    assert figures["hands exact"] == pytest.approx((1 / 2 + 1) / 2)
    assert figures["of these 16 or 17 tiles"] == 1
    assert figures["hands with all parts right"] == pytest.approx(1 / 4)
    faults = {name: count for name, count in figures.items() if name.startswith("fault")}
    assert faults == {"fault: other tiles": 1, "fault: declared sets": 1, "fault: a hand where there is none": 1}


def test_a_photo_that_nobody_reads_is_no_hit(clones: Path) -> None:
    figures = measured(clones, {"one.png": HANDS["one.png"][1]})
    assert (figures["photos read"], figures["fault: not read"]) == (1, 3)


def test_photos_are_found_by_content_wherever_they_lie(clones: Path) -> None:
    (clones / "somebody" / "tables" / "one.png").rename(clones / "moved.png")
    found = found_in(clones, public_photos())
    assert {path.name for path in found} == {"moved.png", "two.png", "three.png", "heap.png"}


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("{", "bad_reading"),
        ('{"photo": "somebody/tables/one.png"}', "bad_reading"),
        ('{"photo": "somebody/tables/one.png", "hand": {"concealed": "1x"}}', "bad_reading"),
        ('{"photo": "somebody/tables/none.png", "hand": {}}', "no_photo"),
    ],
)
def test_a_bad_line_says_what_is_wrong(clones: Path, line: str, code: str) -> None:
    file = clones.parent / "readings.jsonl"
    file.write_text(f"{line}\n", encoding="utf-8")
    with pytest.raises(InputError, match="line 1") as error:
        readings_in(clones, file, public_photos())
    assert error.value.code == code


def test_the_list_names_each_photo_once() -> None:
    photos = public_photos()
    assert len(photos) == 113
    hands = [photo for photo in photos.values() if photo.kind == "hand"]
    assert len(hands) == 84
    assert all(12 <= photo.hand.size <= 17 for photo in hands)


def test_a_copy_counts_by_its_name(clones: Path) -> None:
    (clones / "somebody" / "tables" / "one.png").write_bytes(b"the same picture in another file format")
    hands = clones.parent / "hands.jsonl"
    hands.write_text(hands.read_text(encoding="utf-8").replace('"id": "one.png"', '"id": "one"'), encoding="utf-8")
    assert measured(clones, {"one.png": HANDS["one.png"][1]})["photos read"] == 1
