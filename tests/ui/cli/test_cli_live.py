"""`tilescore live` on short videos made of a sample photo: what it tells, and what it says of a bad source."""

from __future__ import annotations

import json
import socket
import sys
import threading
import time
from collections import Counter
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import cv2
import numpy as np
import pytest

from tilescore.models.registry import load_reader
from tilescore.scoring.hand import Hand
from tilescore.scoring.tiles import parse_tiles
from tilescore.ui.cli.main import main
from tilescore.vision.image.photo import Photo, load_photo
from tilescore.vision.video import recorder, source
from tilescore.vision.video.config import RecorderConfig, SourceConfig
from tilescore.vision.video.recorder import Recording
from tilescore.vision.video.source import VideoSource

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

SAMPLE = Path(__file__).resolve().parents[3] / "datasets" / "sample" / "riichi_closed.jpg"
TRUTH = json.loads(SAMPLE.with_suffix(".json").read_text())
TRUTH_TILES = Counter(str(tile) for tile in parse_tiles(TRUTH["concealed"]))
RATE = 10


@pytest.fixture(scope="module")
def whole() -> np.ndarray:
    """The sample as a camera of 1280 x 720 sees it."""
    rgb = load_photo(SAMPLE).rgb
    height = round(rgb.shape[1] * 720 / 1280)
    top = (rgb.shape[0] - height) // 2
    return cv2.resize(rgb[top : top + height], (1280, 720), interpolation=cv2.INTER_AREA)


@pytest.fixture(scope="module")
def lacking(whole: np.ndarray) -> np.ndarray:
    """The whole photo with the table in the place of one tile."""
    reading = load_reader().read(Photo("whole", whole, (1280, 720)))
    x0, y0, x1, y1 = (int(value) for value in reading.detections[reading.layout.order[3]].box.xyxy)
    hole = whole.copy()
    hole[y0 - 6 : y1 + 6, x0 - 2 : x1 + 2] = np.median(whole[:60], axis=(0, 1))
    return hole


def waved(picture: np.ndarray, steps: int = 5) -> list[np.ndarray]:
    """A sleeve passes over it."""
    found = []
    for x in np.linspace(-200, 1280, steps).astype(int):
        covered = picture.copy()
        covered[100:, max(0, x) : max(0, x + 260)] = (120, 60, 50)
        found.append(covered)
    return found


def video(path: Path, pictures: Iterable[np.ndarray], rate: float = RATE) -> Path:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), rate, (1280, 720))
    for picture in pictures:
        writer.write(cv2.cvtColor(picture, cv2.COLOR_RGB2BGR))
    writer.release()
    return path


def live(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, list[dict[str, Any]], str]:
    """Exit status, the events, and what was said on stderr."""
    before, sys.argv = sys.argv, ["tilescore", "live", *map(str, arguments)]
    try:
        main()
        status = 0
    except SystemExit as done:
        status = int(done.code or 0)
    finally:
        sys.argv = before
    said = capsys.readouterr()
    return status, [json.loads(line) for line in said.out.splitlines() if line.startswith("{")], said.err


def test_a_hand_is_told_once_with_its_score(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, whole: np.ndarray, lacking: np.ndarray
) -> None:
    pictures: Sequence[np.ndarray] = [
        *[lacking] * 12, *waved(lacking), *waved(whole, 3), *[whole] * 12, *waved(whole), *[whole] * 12,
    ]  # fmt: skip
    path = video(tmp_path / "game.avi", pictures)
    status, events, said = live(capsys, path, "--ruleset", "riichi", "--json")
    assert status == 0, said
    assert len(events) == 1, "the same hand is no news when a sleeve has passed"
    event = events[0]
    assert (event["event"], event["number"], event["revision"], event["win"]) == ("hand", 1, 0, True)
    assert sorted(parse_tiles("".join(event["tiles_in_order"]))) == sorted(parse_tiles(TRUTH["concealed"]))
    assert "waiting: 13 tiles of 14." in said


def test_a_hand_that_a_budget_cut_short_is_in_doubt(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, whole: np.ndarray
) -> None:
    path = video(tmp_path / "game.avi", [whole] * 12)
    for options, is_asked in (((), False), (("--budget-ms", "0.001"), True)):
        _, (event,), _ = live(capsys, path, "--json", *options)
        assert ("left_out" in [doubt["code"] for doubt in event["doubts"]]) is is_asked
        assert bool(event["timings_ms"]["left_out"]) is is_asked


def test_words_for_people(capsys: pytest.CaptureFixture[str], tmp_path: Path, whole: np.ndarray) -> None:
    before, sys.argv = sys.argv, ["tilescore", "live", str(video(tmp_path / "game.avi", [whole] * 10)), "-r", "riichi"]
    try:
        main()
    except SystemExit as done:
        assert not done.code  # noqa: PT017
    finally:
        sys.argv = before
    said = capsys.readouterr().out
    assert "hand 1: 234m340678p" in said
    assert "\\n" not in said, "each line is printed as one"
    assert "payments" in said


def test_black_frames_and_four_a_second_are_said(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = video(tmp_path / "night.avi", [np.zeros((720, 1280, 3), np.uint8)] * 4, rate=4)
    status, events, said = live(capsys, path, "--json")
    assert (status, events) == (0, [])
    assert "the picture is black" in said
    assert "only 4 frames a second" in said
    assert said.endswith("tilescore: no complete hand lay still before the camera.\n")


def test_a_video_that_is_too_short_for_a_hand_is_not_silent(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, whole: np.ndarray
) -> None:
    said = live(capsys, video(tmp_path / "short.avi", [whole]), "--json")
    assert said == (0, [], "tilescore: no complete hand lay still before the camera.\n")


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("nothing.mp4", "'nothing.mp4' is no file"),
        ("97", "no camera number 97"),
        ("99999999999999999999", "no camera number 99999999999999999999"),
        (str(SAMPLE.with_suffix(".json")), "no video"),
    ],
)
def test_what_is_no_source_is_one_sentence(capsys: pytest.CaptureFixture[str], source: str, sentence: str) -> None:
    status, events, said = live(capsys, source, "--json")
    assert (status, events) == (2, [])
    assert sentence in said
    assert len(said.strip().splitlines()) == 1, said


def hurry(monkeypatch: pytest.MonkeyPatch, **seconds: Any) -> None:
    """Let the command open its source with other times."""
    monkeypatch.setattr(source, "VideoSource", partial(VideoSource, config=SourceConfig(**seconds)))


def test_a_source_that_does_not_answer(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    hurry(monkeypatch, answer_s=0.5, retry_s=0.1)
    with socket.create_server(("127.0.0.1", 0)) as mute:  # takes calls and never speaks
        status, _, said = live(capsys, f"rtsp://127.0.0.1:{mute.getsockname()[1]}/stream", "--patience", 3)
    assert status == 2
    assert said.count("does not answer: trying again") == 1, "said once, however often it is tried"
    assert "does not answer: check the address" in said


class Door(BaseHTTPRequestHandler):
    """A network camera that is busy at first, then sends pictures one after the other, and is gone."""

    # ruff: noqa: D102, N802

    pictures: ClassVar[list[bytes]] = []
    calls = 0

    def do_GET(self) -> None:
        type(self).calls += 1
        if type(self).calls != 2:
            self.send_error(503)
            return
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=next")
        self.end_headers()
        for jpeg in self.pictures:
            head = f"--next\r\nContent-Type: image/jpeg\r\nContent-Length: {len(jpeg)}\r\n\r\n"
            self.wfile.write(head.encode() + jpeg + b"\r\n")
            time.sleep(1 / RATE)

    def log_message(self, *_: object) -> None:
        pass


def test_a_network_camera_that_is_busy_at_first(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, whole: np.ndarray
) -> None:
    hurry(monkeypatch, retry_s=0.1)
    jpeg = cv2.imencode(".jpg", cv2.cvtColor(whole, cv2.COLOR_RGB2BGR))[1].tobytes()
    monkeypatch.setattr(Door, "pictures", [jpeg] * 30)
    with ThreadingHTTPServer(("127.0.0.1", 0), Door) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://ann:secret@127.0.0.1:{server.server_address[1]}/video.mjpg"
        status, events, said = live(capsys, address, "--json", "--patience", 1)
        server.shutdown()
    assert "trying again" in said
    assert [event["number"] for event in events][:1] == [1], said
    assert status == 2, "it stopped sending and did not come back"
    assert "ann:***@127.0.0.1" in said[: said.index("sends nothing any more")].splitlines()[-1]
    assert "secret" not in said


def test_thirteen_tiles_tell_what_they_wait_for(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, lacking: np.ndarray
) -> None:
    path = video(tmp_path / "ready.avi", [*[lacking] * 12, *[np.zeros_like(lacking)] * 6])
    status, events, said = live(capsys, path, "--ruleset", "riichi", "--waits", "--json")
    assert status == 0, said
    assert "the picture is black" in said
    assert [event["event"] for event in events] == ["waits"]
    waits = {wait["tile"]: wait for wait in events[0]["waits"]}
    gone = sorted(TRUTH_TILES - Counter(str(tile) for tile in Hand.parse(events[0]["hand"]).concealed))
    assert gone[0] in waits
    assert all(wait["ruleset"] == "riichi" and wait["total"] > 0 for wait in waits.values())
    status, _, said = live(capsys, path, "--waits", "--json")
    assert status == 2
    assert "--waits needs the rules" in said


def test_a_hand_that_the_game_does_not_have_ends_no_watch(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, whole: np.ndarray
) -> None:
    path = video(tmp_path / "game.avi", [whole] * 10)
    status, (event,), said = live(capsys, path, "--ruleset", "riichi3", "--json")
    assert status == 0, said
    assert (event["event"], event["error"]["code"]) == ("hand", "tile_not_in_game")
    assert "hand 1: 2m is not in three-player riichi" in said
    assert event["model"] == load_reader().detector.name


def test_a_recorded_session_is_replayed_as_a_test(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, whole: np.ndarray, lacking: np.ndarray
) -> None:
    path = video(tmp_path / "game.avi", [*[lacking] * 8, *waved(whole, 3), *[whole] * 10])
    kept, events_kept = tmp_path / "kept.avi", tmp_path / "kept.jsonl"
    status, events, said = live(capsys, path, "--json", "--record", kept)
    assert (status, len(events)) == (0, 1), said
    events_kept.write_text("".join(f"{json.dumps(event)}\n" for event in events))
    status, again, said = live(capsys, kept, "--json", "--expect", events_kept)
    assert (status, [event["tiles_in_order"] for event in again]) == (0, [events[0]["tiles_in_order"]]), said
    events[0]["tiles_in_order"][0] = "1z"
    events_kept.write_text(json.dumps(events[0]))
    status, _, said = live(capsys, kept, "--json", "--expect", events_kept)
    assert status == 1
    assert "other hands were told" in said
    status, _, said = live(capsys, path, "--record", kept)
    assert status == 2
    assert "is there already" in said


def test_a_full_disk_ends_the_recording_alone(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, whole: np.ndarray, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = video(tmp_path / "game.avi", [whole] * 12)
    monkeypatch.setattr(recorder, "Recording", partial(Recording, config=RecorderConfig(min_free_bytes=1 << 62)))
    status, events, said = live(capsys, path, "--json", "--record", tmp_path / "kept.avi")
    assert (status, len(events), said.count("almost full")) == (2, 1, 1)
    status, events, said = live(capsys, path, "--json", "--record", tmp_path / "nowhere" / "kept.avi")
    assert (status, events, "cannot be written" in said) == (2, [], True)


def test_nothing_is_recorded_unless_asked_for(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, whole: np.ndarray, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = video(tmp_path / "game.avi", [whole] * 6)
    monkeypatch.chdir(tmp_path)
    live(capsys, path, "--json")
    assert list(tmp_path.iterdir()) == [path]


class Unplugged:
    """A camera, as OpenCV has them, that gives some frames, is gone, and comes back."""

    # ruff: noqa: D102

    opened = 0

    def __init__(self, *_: object) -> None:
        type(self).opened += 1
        self.left = 0 if type(self).opened == 2 else 3

    def isOpened(self) -> bool:
        return self.left > 0

    def grab(self) -> bool:
        self.left -= 1
        return self.left >= 0

    def retrieve(self) -> tuple[bool, np.ndarray]:
        return True, np.zeros((72, 128, 3), np.uint8)

    def set(self, *_: object) -> bool:
        return True

    def release(self) -> None:
        pass


def test_a_camera_that_is_unplugged_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tilescore.vision.video.source.cv2.VideoCapture", Unplugged)
    said: list[str] = []
    stream = VideoSource("0", SourceConfig(retry_s=0.01, buffered_s=-1)).frames(warn=said.append)
    assert len([next(stream) for _ in range(6)]) == 6
    assert len(said) == 1
    assert "unplugged" in said[0]


def test_a_calm_table_is_shown_less_often(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr(Unplugged, "opened", 2)  # a camera that gives some frames
    monkeypatch.setattr("tilescore.vision.video.source.cv2.VideoCapture", Unplugged)
    monkeypatch.setattr("tilescore.vision.video.source.time.sleep", slept.append)
    calm = iter([False, True])
    stream = VideoSource("0", SourceConfig(buffered_s=-1)).frames(calm=lambda: next(calm))
    for _ in range(3):
        next(stream)
    assert slept[0] < 0.09
    assert 0.15 < slept[1] <= 0.2


class Slow(Unplugged):
    """A camera that gives a frame now and then."""

    def grab(self) -> bool:
        time.sleep(0.01)
        return True


def test_a_slow_camera_is_named_slow_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tilescore.vision.video.source.cv2.VideoCapture", Slow)
    said: list[str] = []
    config = SourceConfig(interval_s=0, rate_frames=2, slow_frames_per_s=1000)
    stream = VideoSource("0", config).frames(warn=said.append)
    for _ in range(10):
        next(stream)
    assert ["frames a second" in one for one in said] == [True]
