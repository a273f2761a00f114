"""The command line as other programs drive it: exit status, stdout, stderr."""

import io
import itertools
import json
import subprocess
import sys
import time
from contextlib import ExitStack, chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

import pytest
from PIL import Image

import tilescore
from tilescore.scoring.context import Context, Occasion, Seat, WinBy
from tilescore.scoring.hand import Hand
from tilescore.scoring.ruleset import RULESETS, ruleset
from tilescore.scoring.tiles import parse_tiles
from tilescore.ui.cli.main import main
from tilescore.ui.cli.report import score_report
from tilescore.vision.decoding.reading import Reading
from tilescore.vision.detections import Candidate, Detection
from tilescore.vision.image import photo
from tilescore.vision.image.boxes import Box

ROOT = Path(__file__).resolve().parents[3]
SAMPLE = ROOT / "datasets" / "sample" / "winning_hand.jpg"
TRUTH = json.loads(SAMPLE.with_suffix(".json").read_text())
HAND = {"id": "a", "concealed": "123456789m234s55p", "winning_tile": "4s", "win_by": "self_draw", "seat": "S"}


@dataclass(frozen=True)
class Ended:
    """What a command left behind."""

    returncode: int
    stdout: str
    stderr: str


def run_apart(*arguments: object) -> Ended:
    """The command in a process of its own, as other programs start it."""
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", "from tilescore.ui.cli.main import main; main()", *map(str, arguments)],
        cwd=ROOT, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    return Ended(done.returncode, done.stdout, done.stderr)


def run(*arguments: object, stdin: str = "") -> Ended:
    """The command in this process, whose networks are loaded once for all tests."""
    out, err, given = (
        io.TextIOWrapper(io.BytesIO(text.encode()), "utf-8", write_through=True) for text in ("", "", stdin)
    )
    status: object = 0
    with ExitStack() as stack:
        stack.enter_context(chdir(ROOT))
        stack.enter_context(redirect_stdout(out))
        stack.enter_context(redirect_stderr(err))
        for name, value in (("argv", ["tilescore", *map(str, arguments)]), ("stdin", given)):
            stack.enter_context(mock.patch.object(sys, name, value))
        try:
            main()
        except SystemExit as end:
            status = end.code or 0
    assert isinstance(status, int)
    return Ended(status, *(stream.buffer.getvalue().decode() for stream in (out, err)))


@pytest.mark.parametrize("budget", ["0", "-5", "soon", "nan", "inf", ""])
@pytest.mark.parametrize("command", [("read", SAMPLE), ("score", SAMPLE, "--ruleset", "mcr"), ("live", "clip.avi")])
def test_a_budget_is_a_number_of_milliseconds(command: tuple[object, ...], budget: str) -> None:
    done = run(*command, "--budget-ms", budget)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert f"'{budget}'" in done.stderr
    assert "--budget-ms 400" in done.stderr
    assert not done.stdout


def test_what_the_budget_left_out_is_told() -> None:
    small, large = (json.loads(run("read", SAMPLE, "--json", "--budget-ms", ms).stdout) for ms in ("1", "60000"))
    assert large["timings_ms"]["left_out"] == []
    assert small["hand"]["concealed"]
    assert set(small["timings_ms"]["left_out"]) == {"high_resolution"}
    assert [doubt["code"] for doubt in small["doubts"]].count("left_out") == 1
    assert "left_out" not in [doubt["code"] for doubt in large["doubts"]]


@pytest.mark.parametrize("command", [("read",), ("score", "--ruleset", "mcr")])
def test_the_clock_changes_no_reading(command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    idle = json.loads(run(*command, SAMPLE, "--json").stdout)
    monkeypatch.setattr(time, "perf_counter", itertools.count().__next__)  # a second between any two looks
    busy = json.loads(run(*command, SAMPLE, "--json").stdout)
    assert busy.pop("timings_ms")["total"] > idle.pop("timings_ms")["total"]
    assert busy == idle
    hurried = json.loads(run(*command, SAMPLE, "--json", "--budget-ms", "400").stdout)
    assert hurried["timings_ms"]["left_out"] == ["high_resolution"]


@pytest.mark.parametrize("option", ["--version", "-V"])
def test_the_version_is_shown_alone(option: str) -> None:
    assert run(option) == Ended(0, f"tilescore {tilescore.__version__}\n", "")


def test_read_gives_one_object_a_photo() -> None:
    done = run_apart("read", SAMPLE, SAMPLE, "--json")
    assert done.returncode == 0, done.stderr
    objects = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(objects) == 2
    assert objects[0]["size_wh"] == [2000, 1500]
    hand = objects[0]["hand"]
    assert sorted(parse_tiles(hand["concealed"])) == sorted(parse_tiles(TRUTH["concealed"]))
    assert hand["melds"] == TRUTH["melds"]
    assert hand["winning_tile"] == TRUTH["winning_tile"]


def test_score_gives_both_objects_in_one(tmp_path: Path) -> None:
    saved = tmp_path / "out.jpg"
    with mock.patch.object(photo, "decode_photo", wraps=photo.decode_photo) as decode:
        done = run("score", SAMPLE, "--ruleset", "riichi", "--seat", "S", "--json", "--save", saved)
    assert done.returncode == 0, done.stderr
    assert decode.call_count == 1
    data = json.loads(done.stdout)
    assert data["tiles_in_order"]
    assert data["ruleset"] == "riichi"
    assert data["win"] is True
    assert Image.open(saved).size[0] >= 1000


def test_a_guessed_winning_tile_is_noted_beside_the_json() -> None:
    """No tile lies apart in the row: the last one counts as the winning tile, and stderr says so."""
    row = [
        Detection(Box(50 + 44 * place, 100, 90 + 44 * place, 155), 1.0, (Candidate(tile, 0.9),))
        for place, tile in enumerate(parse_tiles("123456789m234s55p"))
    ]
    with mock.patch("tilescore.ui.cli.reading_files.read_photo", return_value=Reading.of(row, size_wh=(800, 400))):
        done = run("score", SAMPLE, "--ruleset", "mcr", "--json")
    assert json.loads(done.stdout)["hand"]["winning_tile"] == "5p"
    assert "5p at the end is taken as the winning tile" in done.stderr


@pytest.mark.parametrize("ruleset", ["mcr", "riichi", "classical", "simplified"])
def test_every_ruleset_scores_a_photo_for_people(ruleset: str) -> None:
    done = run("score", SAMPLE, "--ruleset", ruleset)
    assert done.returncode == 0, done.stderr
    assert "234m45633p678s (555z<5z) +8s" in done.stdout
    assert "Traceback" not in done.stderr


def test_score_hands_streams_and_goes_on_after_bad_lines() -> None:
    lines = [
        HAND,
        HAND | {"id": "b", "concealed": "11111m"},
        HAND | {"id": "c", "colour": 1},
        HAND | {"id": "d", "occasions": ["robbing_kong"]},
        HAND | {"id": "e"},
    ]
    text = "\n".join(json.dumps(line) for line in lines) + "\nnot json\n"
    done = run("score-hands", "--ruleset", "mcr", "-", "--json", stdin=text)
    assert done.returncode == 0, done.stderr
    results = [json.loads(line) for line in done.stdout.splitlines()]
    assert [result.get("id") for result in results] == ["a", "b", "c", "d", "e", None]
    assert results[0]["total"] == results[4]["total"] == 22
    assert results[0]["payments"] == {"E": -30, "S": 90, "W": -30, "N": -30}
    assert "1m" in results[1]["error"]["message"]
    assert "colour" in results[2]["error"]["message"]
    assert "robbing_kong" in results[3]["error"]["message"]
    assert results[5]["error"]["code"]


@pytest.mark.parametrize("command", ["score-hands", "settle"])
def test_several_processes_answer_as_one(tmp_path: Path, command: str) -> None:
    hand = HAND if command == "score-hands" else {"winner": "S", "hands": {"S": HAND}}
    lines = [json.dumps({**hand, "id": number}) for number in range(1200)]
    lines[700:700] = ["", "no json", json.dumps({"id": "x", "colour": 1})]
    file = tmp_path / "hands.jsonl"
    file.write_text("\n".join(lines), encoding="utf-16")
    alone = run(command, "--ruleset", "mcr", file)
    assert run_apart(command, "--ruleset", "mcr", file, "--jobs", 2) == alone
    assert len(alone.stdout.splitlines()) == 1202
    unknown = run_apart(command, "--ruleset", "bridge", "-", "--jobs", 2)
    assert (unknown.returncode, "'bridge' is no ruleset" in unknown.stderr) == (2, True)


def bad_files(folder: Path) -> dict[str, tuple[Path, str]]:
    def write(name: str, data: bytes) -> Path:
        path = folder / name
        path.write_bytes(data)
        return path

    buffer = io.BytesIO()
    Image.new("RGB", (800, 600), (30, 120, 60)).save(buffer, "JPEG")
    return {
        "not an image": (write("a.jpg", b"hello"), "not a picture"),
        "empty": (write("b.jpg", b""), "empty"),
        "truncated": (write("c.jpg", SAMPLE.read_bytes()[:50_000]), "cut short"),
        "no tiles": (write("d.jpg", buffer.getvalue()), "no tiles found"),
        "missing": (folder / "e.jpg", "does not exist"),
    }


@pytest.mark.parametrize("command", [("read",), ("score", "--ruleset", "mcr")])
@pytest.mark.parametrize("case", ["not an image", "empty", "truncated", "no tiles", "missing"])
def test_bad_photos_are_one_sentence_and_status_2(tmp_path: Path, command: tuple[str, ...], case: str) -> None:
    path, words = bad_files(tmp_path)[case]
    done = run(*command, path)
    assert done.returncode == 2
    assert words in done.stderr
    assert str(path) in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert done.stdout == ""


def test_one_bad_photo_never_stops_the_others(tmp_path: Path) -> None:
    bad = tmp_path / "bad.jpg"
    bad.write_bytes(b"")
    done = run("read", bad, SAMPLE, "--json")
    assert done.returncode == 2
    objects = [json.loads(line) for line in done.stdout.splitlines()]
    assert objects[0]["error"]["code"] == "empty_file"
    assert objects[1]["hand"]["concealed"]


def test_thirteen_tiles_are_told(tmp_path: Path) -> None:
    photo = Image.open(SAMPLE)
    photo.crop((0, 0, 1620, 1500)).save(tmp_path / "short.jpg")
    done = run("score", tmp_path / "short.jpg", "--ruleset", "mcr")
    assert done.returncode == 2
    assert "tiles seen" in done.stderr
    assert "14" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("score", SAMPLE, "--ruleset", "bridge"), "'bridge' is no ruleset"),
        (("score-hands", "--ruleset", "bridge", "-"), "'bridge' is no ruleset"),
        (
            ("score", SAMPLE, "--ruleset", "classical", "--option", "limit=" + "9" * 5000),
            "'limit' of classical must be",
        ),
        (
            ("score", SAMPLE, "--ruleset", "classical", "--option", "limit=" + "[" * 99_000),
            "'limit' of classical must be",
        ),
        (
            ("score", SAMPLE, "--ruleset", "classical", "--option", "limit=9", "--option", "limit=8"),
            "limit stands twice",
        ),
        (("score", SAMPLE, "--ruleset", "mcr", "--winning-tile", "8x"), "'8x' is no tile"),
        (("score", SAMPLE, "--ruleset", "mcr", "--winning-tile", "9s"), "9s"),
        (("score", SAMPLE, "--ruleset", "mcr", "--seat", "Q"), "'Q' is no seat"),
        (("score", SAMPLE, "--ruleset", "mcr", "--occasion", "rain"), "'rain' is no occasion"),
        (("score", SAMPLE, "--ruleset", "mcr", "--save", "/nowhere/x.jpg"), "/nowhere/x.jpg"),
        (("read", SAMPLE, "--model", "none.onnx"), "none.onnx"),
        (("score-hands", "--ruleset", "mcr", "nofile.jsonl"), "nofile.jsonl"),
        (("annotate", "nowhere"), "'nowhere' is no folder"),
    ],
)
def test_bad_arguments_are_one_sentence_and_status_2(arguments: tuple[object, ...], words: str) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert words in done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_the_name_of_a_ruleset_may_be_in_capitals() -> None:
    for name in ("MCR", "Riichi"):
        done = run("score-hands", "--ruleset", name, "-", stdin=json.dumps(HAND))
        assert json.loads(done.stdout)["ruleset"] == name.lower()
    unknown = run("score-hands", "--ruleset", "Bridge", "-", stdin="{}")
    assert f"'Bridge' is no ruleset: choose one of {', '.join(RULESETS)}." in unknown.stderr


def test_a_total_without_fu_names_none() -> None:
    rules = ruleset("riichi", {"renhou": "mangan"})
    first = Context(win_by=WinBy.DISCARD, seat=Seat.SOUTH, occasions=Occasion.FIRST_TURN)
    assert "8000 (5 han, mangan)" in score_report(rules.score(Hand.parse("123m345678p99s567s +9s"), first))


def test_rules_lists_lines_and_options() -> None:
    data = json.loads(run("rules", "--ruleset", "classical", "--json").stdout)
    assert {option["name"] for option in data["options"]} >= {"limit", "bouquet_adds", "losers_composition"}
    assert all(entry["key"].startswith("classical.") for entry in data["rules"])


@pytest.mark.parametrize(("name", "count", "unit"), [("hongkong", 34, "faan"), ("taiwan", 39, "tai")])
def test_games_of_the_command_line_alone(name: str, count: int, unit: str) -> None:
    data = json.loads(run("rules", "--ruleset", name, "--json").stdout)
    assert [entry["number"] for entry in data["rules"]] == [str(number + 1) for number in range(count)]
    tiles = "123m456m234p678p345s99s" if name == "taiwan" else "123m456m789p234s55p"
    hand = {"concealed": tiles, "winning_tile": "3m", "win_by": "self_draw"}
    answer = json.loads(run("score-hands", "--ruleset", name, "-", stdin=json.dumps(hand)).stdout)
    assert (answer["win"], answer["unit"], answer["limit"]) == (True, unit, None)
    report = score_report(ruleset(name).score(Hand.parse(f"{tiles} +3m"), Context(win_by=WinBy.SELF_DRAW)))
    assert f"{answer['total']} {unit}" in report
    deal = {"winner": "E", "hands": {"E": hand}}
    paid = json.loads(run("settle", "--ruleset", name, "-", stdin=json.dumps(deal)).stdout)["payments"]
    assert paid == answer["payments"]
