"""The progress bar: on stderr when that is a terminal, and results on stdout all the same."""

import io
import json
import os
import pty
import select
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import pytest

from tilescore.ui.cli.progress import _counted, lines_of

ROOT = Path(__file__).resolve().parents[3]
COUNT = 300
HAND = {"concealed": "123456789m234s55p", "winning_tile": "4s", "win_by": "self_draw"}
LINES = "".join(json.dumps({"id": number, **HAND}) + "\n" for number in range(COUNT))
SCORE = [
    sys.executable,
    "-c",
    "from tilescore.ui.cli.main import main; main()",
    "score-hands",
    "--ruleset",
    "mcr",
    "--json",
]


def on_terminal(command: list[str], given: str, out: Path | None) -> str:
    """What the terminal of stderr shows; stdout goes to that file, or without one to the same terminal."""
    ours, theirs = pty.openpty()
    with tempfile.TemporaryFile() as stdin, (out or Path(os.devnull)).open("wb") as stdout:
        stdin.write(given.encode())
        stdin.seek(0)
        process = subprocess.Popen(  # noqa: S603  # our own interpreter
            command, cwd=ROOT, stdin=stdin, stdout=stdout if out else theirs, stderr=theirs,
            env={**os.environ, "TERM": "xterm", "COLUMNS": "80"},
        )  # fmt: skip
        os.close(theirs)
        shown = b"".join(iter(lambda: _read(ours), b""))
        os.close(ours)
        assert process.wait(timeout=60) == 0
    return shown.decode()


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # how Linux says that nobody writes any more
        return b""


@pytest.mark.parametrize("source", ["file", "stdin"])
def test_the_bar_shows_on_stderr_and_results_go_to_stdout(tmp_path: Path, source: str) -> None:
    path = tmp_path / "hands.jsonl"
    path.write_text(LINES)
    out = tmp_path / "answers.jsonl"
    shown = on_terminal([*SCORE, "-" if source == "stdin" else str(path)], LINES, out)
    assert [json.loads(line)["id"] for line in out.read_text().splitlines()] == list(range(COUNT))
    assert "scoring" in shown
    assert "━" in shown
    assert '"id"' not in shown


def test_results_stay_whole_on_the_terminal_of_the_bar() -> None:
    shown = on_terminal([*SCORE, "-"], LINES, None)
    assert "━" in shown
    lines = [line[line.index("{") :] for line in shown.splitlines() if '{"id"' in line]
    assert [json.loads(line)["id"] for line in lines] == list(range(COUNT))


def test_no_bar_without_a_terminal() -> None:
    done = subprocess.run(  # noqa: S603  # our own interpreter
        [*SCORE, "-"], cwd=ROOT, input=LINES, capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    assert len(done.stdout.splitlines()) == COUNT


def test_bytes_that_are_no_text_spoil_their_line_only() -> None:
    given = b'{"id": "M\xfcller"}\n' + LINES.encode()
    done = subprocess.run([*SCORE, "-"], cwd=ROOT, input=given, capture_output=True, check=True)  # noqa: S603
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert (answers[0]["id"], answers[0]["error"]["code"]) == (None, "bad_json"), "no answer bears another id"
    assert """'{"id": "M?ller"}'""" in answers[0]["error"]["message"]
    assert len(answers) == COUNT + 1


def test_a_missing_file_is_one_sentence() -> None:
    done = subprocess.run([*SCORE, "nowhere.jsonl"], cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603
    assert done.returncode == 2
    assert "'nowhere.jsonl' is no file" in done.stderr
    assert len(done.stderr.splitlines()) == 1


ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32")


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("source", ["file", "stdin"])
def test_lines_are_read_in_every_unicode_encoding(
    tmp_path: Path, encoding: str, source: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first line is not lost, whatever editor or shell wrote the file."""
    written = ['{"id": "\u674e\u5bb6 \u2028 \U0001f004"}', "", '{"id": 2}']
    path = tmp_path / "hands.jsonl"
    path.write_bytes("\r\n".join(written).encode(encoding))
    with path.open("rb") as file:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(file))
        with lines_of(str(path) if source == "file" else "-") as lines:
            assert [line.rstrip("\r") for line in lines] == written


def test_a_line_is_answered_before_the_next_one_comes() -> None:
    """A program may wait for each answer."""
    reader, writer = os.pipe()
    with os.fdopen(writer, "wb", buffering=0) as given, os.fdopen(reader, "rb") as file:
        lines = _counted(file, None, lambda *_: None)
        for number in range(3):
            given.write(b"%d\n" % number)
            assert next(lines) == str(number)


BOXES = {"size_wh": [900, 700], "detections": [{"tile": "1m", "box_xyxy": [0, 0, 50, 70]}]}


@pytest.mark.parametrize(
    ("command", "line"),
    [
        (("score-hands", "-r", "mcr"), HAND),
        (("settle", "-r", "mcr"), {"draw": {"kind": "exhausted"}}),
        (("read", "--detections", "-", "--json"), BOXES),
    ],
)
def test_a_program_may_wait_for_each_answer(command: tuple[str, ...], line: dict[str, object]) -> None:
    with (
        subprocess.Popen(  # noqa: S603  # our own interpreter
            [*SCORE[:3], *command], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as process
    ):
        assert process.stdin
        assert process.stdout
        for _ in range(2):
            process.stdin.write(json.dumps(line) + "\n")
            process.stdin.flush()
            assert select.select([process.stdout], [], [], 60)[0], "an answer"
            assert json.loads(process.stdout.readline())


def test_a_pipe_with_a_name_is_a_file(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=("1\n2\n",))
    writer.start()
    with lines_of(str(pipe)) as lines:
        assert list(lines) == ["1", "2", ""]
    writer.join()
