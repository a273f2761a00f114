"""Whatever ends a command is one sentence and an exit status; a fault of ours leaves its traceback in a file."""

from __future__ import annotations

import json
import os
import pwd
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import typer

from tilescore.errors import InputError
from tilescore.files.paths import data_folder, private_folder
from tilescore.models import registry
from tilescore.models.registry import find, load_reader
from tilescore.ui.cli.guard import run_guarded
from tilescore.ui.cli.terminal import name_as_given, say

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[3]
MAIN = f"{sys.executable} -m tilescore.ui.cli.main"


def raising(error: BaseException) -> Callable[[], None]:
    def command() -> None:
        raise error

    return command


@pytest.mark.parametrize(
    ("error", "status", "sentence"),
    [
        pytest.param(InputError("x", "'a' is no b: say c."), 2, "'a' is no b: say c.", id="bad input"),
        pytest.param(MemoryError(), 2, "there is not enough memory", id="Python has no memory"),
        pytest.param(RuntimeError("std::bad_alloc"), 2, "there is not enough memory", id="C++ has no memory"),
        pytest.param(RuntimeError("can't start new thread"), 2, "there is not enough memory", id="no thread"),
        pytest.param(ImportError("failed to map segment"), 2, "there is not enough memory", id="no library"),
        pytest.param(
            ImportError("libxcb.so.1: cannot open shared object file: No such file or directory"),
            2,
            "libxcb.so.1 is missing on this machine: install it. Debian and Ubuntu bring what OpenCV needs with "
            "'apt install libgl1 libglib2.0-0 libxcb1'.",
            id="a server without a screen",
        ),
        pytest.param(PermissionError(13, "Not allowed", "a"), 2, "'a' cannot be used (Not", id="a file of others"),
        pytest.param(OSError(28, "No space left on device"), 2, "a file cannot be used (No space", id="a full disk"),
        pytest.param(typer.BadParameter("no!"), 2, "Invalid value: no!: see tilescore --help", id="an option"),
        pytest.param(KeyError("x"), 1, "this is a fault of ours (KeyError: 'x'): please report it with", id="a fault"),
        pytest.param(RecursionError("deep"), 1, "this is a fault of ours (RecursionError", id="a circle of calls"),
        pytest.param(BrokenPipeError(32, "Broken pipe"), 0, "", id="nobody reads any more"),
        pytest.param(KeyboardInterrupt(), 130, "", id="Ctrl-C before signals are heard"),
    ],
)
def test_one_sentence(error: BaseException, status: int, sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    if status:
        with pytest.raises(SystemExit) as ended:
            run_guarded(raising(error))
        assert ended.value.code == status
    else:
        run_guarded(raising(error))
    said = capsys.readouterr().err
    assert said.startswith(f"tilescore: {sentence}" if sentence else "")
    assert said.count("\n") == bool(sentence)
    assert "Traceback" not in said


def test_a_fault_leaves_its_traceback(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        run_guarded(raising(ZeroDivisionError("a \ud800 b")))
    path = Path(capsys.readouterr().err.split("'")[-2])
    assert path.parent == data_folder() / "faults"
    assert "ZeroDivisionError: a \\ud800 b" in path.read_text(encoding="utf-8")
    assert path.stat().st_mode & 0o77 == 0, "others may not read it"


def test_a_fault_stays_though_the_clock_was_set_back(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("TILESCORE_DATA", str(tmp_path))
    folder = private_folder(data_folder() / "faults")
    for number in range(60):
        (folder / f"2999-01-01T0000{number}.log").touch()
    with pytest.raises(SystemExit):
        run_guarded(raising(ZeroDivisionError("x")))
    assert Path(capsys.readouterr().err.split("'")[-2]).is_file()
    assert len([*folder.iterdir()]) == 50


@pytest.mark.parametrize(
    ("shell", "status", "expected"),
    [
        pytest.param("{main} rules -r mcr > /dev/full", 2, "'standard output' cannot be used (No space", id="full"),
        pytest.param("{main} rules -r mcr >&-", 2, "'standard output' cannot be used (Bad file", id="closed"),
        pytest.param("{main} rules -r mcr | head -1 >&2; exit ${{PIPESTATUS[0]}}", 0, "key ", id="a pipe that closes"),
        pytest.param("{main} score-hands - -r mcr <&-", 0, "", id="closed input"),
        pytest.param("{main} rules --zz >&2", 2, "No such option: --zz: see tilescore rules --help.", id="an option"),
        pytest.param("{main} app --port 99999 >&2", 2, "--port", id="a port that does not exist"),
    ],
)
def test_streams(shell: str, status: int, expected: str) -> None:
    done = subprocess.run(  # noqa: S603
        ["/bin/bash", "-c", shell.format(main=MAIN)], cwd=ROOT, stderr=subprocess.PIPE, check=False
    )
    said = done.stderr.decode()
    assert (done.returncode, expected in said, said.count("\n") <= 1) == (status, True, True), said


def test_what_a_command_has_unpacked_is_none_of_the_next_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / "somewhere" / "set.zip"

    def command() -> None:
        name_as_given(place, Path("set.zip"))
        say(f"in '{place}'")

    run_guarded(command)
    run_guarded(lambda: say(f"in '{place}'"))
    assert capsys.readouterr().out.splitlines() == ["in 'set.zip'", f"in '{place}'"]


def test_a_terminal_without_tile_glyphs_gets_their_names() -> None:
    script = "from tilescore.ui.cli.guard import run_guarded; from tilescore.ui.cli.terminal import say, say_json\n"
    script += "run_guarded(lambda: (say('🀇🀀🀋 紅 é'), say_json(['🀇 紅'])) and None)"
    environment = os.environ | {"PYTHONIOENCODING": "cp1252"}
    done = subprocess.run([sys.executable, "-c", script], env=environment, cwd=ROOT, capture_output=True, check=True)  # noqa: S603
    text, data = done.stdout.decode("cp1252").splitlines()
    assert text == "1m 1z 5m  \\u7d05 é"
    assert json.loads(data) == ["🀇 紅"]


def no_entry(_number: int) -> None:
    raise KeyError


@pytest.mark.parametrize(("named", "said"), [("", "the environment names"), ("~nosuchuser", "'~nosuchuser' names")])
def test_a_user_without_a_home(named: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TILESCORE_DATA", named)
    monkeypatch.setattr(pwd, "getpwuid", no_entry)
    with pytest.raises(InputError, match=f"{said} no home that exists: set TILESCORE_DATA"):
        data_folder()


@pytest.mark.parametrize("content", [None, "", "{}", "[null]", "[]", '[{"name": 1}]', "\x00", "folder"])
def test_a_list_of_models_that_is_none(content: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "models.json"
    if content == "folder":
        path.mkdir()
    elif content is not None:
        path.write_text(content)
    monkeypatch.setattr(registry, "_LIST", path)
    with pytest.raises(InputError, match="install Tilescore again"):
        find("tiles46")


@pytest.mark.parametrize("part", ["faces", "corners", "refiner", "backs"])
def test_another_part_is_no_detector(part: str) -> None:
    with pytest.raises(InputError, match="is no detector of 46 faces: name a network that tilescore export"):
        load_reader(str(registry.WEIGHTS_FOLDER / f"tiles46_{part}.onnx"))


def test_a_detector_whose_classes_stand_in_another_order(tmp_path: Path) -> None:
    network = (registry.WEIGHTS_FOLDER / "tiles46.onnx").read_bytes()
    swapped = network.replace(b"{0: '1m', 1: '2m',", b"{0: '2m', 1: '1m',")
    assert swapped != network
    (tmp_path / "own.onnx").write_bytes(swapped)
    with pytest.raises(InputError, match=r"own\.onnx' has other classes, or ours in another order: name a network"):
        load_reader(str(tmp_path / "own.onnx"))


@pytest.mark.parametrize("value", ["x", " ", "-1", "1.5", "٣", "1" * 50])
def test_a_number_of_threads_that_is_none(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from tilescore.processes.threads import thread_limit

    monkeypatch.setenv("TILESCORE_THREADS", value)
    with pytest.raises(InputError, match="is no number of threads"):
        thread_limit()


def test_little_memory_is_no_fault_of_ours(tmp_path: Path) -> None:
    """With 300 MB, no library of pictures can be loaded; with more, some library may end the process itself."""
    photo = ROOT / "datasets" / "sample" / "winning_hand.jpg"
    done = subprocess.run(  # noqa: S602  # our own command
        f"ulimit -v 300000; exec {MAIN} read {photo}", shell=True, check=False, capture_output=True, text=True,
        env=os.environ | {"TILESCORE_DATA": str(tmp_path)},
    )  # fmt: skip
    assert done.returncode == 0 or (done.returncode == 2 and "memory" in done.stderr), done.stderr
