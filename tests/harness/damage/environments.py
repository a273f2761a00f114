"""Every command in 25 surroundings: other locales and encodings, no home, odd variables, strict and bare Python."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from tests.harness.damage.commands import PATIENCE_S, Ended, fill, run
from tests.harness.figures import Figure, at_most

if TYPE_CHECKING:
    from collections.abc import Sequence

ENVIRONMENTS: Final[dict[str, dict[str, str]]] = {
    "C locale": {"LC_ALL": "C", "LANG": "C"},
    "C locale, no coercion": {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
    "POSIX locale": {"LC_ALL": "POSIX"},
    "a locale that is not there": {"LC_ALL": "xx_YY.UTF-8"},
    "cp1252": {"PYTHONIOENCODING": "cp1252"},
    "ASCII": {"PYTHONIOENCODING": "ascii"},
    "UTF-16": {"PYTHONIOENCODING": "utf-16"},
    "GBK": {"PYTHONIOENCODING": "gbk"},
    "Turkish": {"LC_ALL": "tr_TR.UTF-8", "LANGUAGE": "tr"},
    "far east time": {"TZ": "Pacific/Kiritimati"},
    "a time zone that is not there": {"TZ": "Nowhere/None"},
    "20 columns": {"COLUMNS": "20", "LINES": "5"},
    "0 columns": {"COLUMNS": "0"},
    "columns that are no number": {"COLUMNS": "x"},
    "a dumb terminal": {"TERM": "dumb"},
    "colours forced": {"FORCE_COLOR": "1", "TERM": "xterm-256color"},
    "no colours": {"NO_COLOR": "1"},
    "warnings are errors": {"PYTHONWARNINGS": "error"},
    "-OO": {"PYTHONOPTIMIZE": "2"},
    "development mode": {"PYTHONDEVMODE": "1"},
    "unbuffered": {"PYTHONUNBUFFERED": "1"},
    "no home": {"HOME": "", "XDG_DATA_HOME": "", "TILESCORE_DATA": ""},
    "a home of nobody": {"TILESCORE_DATA": "~nosuchuser"},
    "a data folder that is a file": {"TILESCORE_DATA": "diary.txt"},
    "threads that are no number": {"TILESCORE_THREADS": "x"},
}
COMMANDS: Final[dict[str, tuple[str, ...]]] = {
    "help": ("--help",),
    "no command": (),
    "read": ("read", "photos/0.jpg", "photos/1.jpg"),
    "read --json": ("read", "photos/0.jpg", "--json"),
    "read --out": ("read", "photos", "--out", "r.jsonl"),
    "score": ("score", "photos/0.jpg", "-r", "riichi"),
    "score-hands": ("score-hands", "hands.jsonl", "-r", "mcr", "--json"),
    "settle": ("settle", "hands.jsonl", "-r", "mcr", "--json"),
    "rules": ("rules", "-r", "mcr"),
    "rules --json": ("rules", "-r", "riichi", "--json"),
    "live": ("live", "diary.txt"),
    "check": ("dataset", "check", "set", "--no-look"),
    "convert": ("dataset", "convert", "set", "out", "--to", "coco", "--no-look"),
    "split": ("dataset", "split", "set", "sets", "--no-look"),
    "names": ("dataset", "names", "set", "--no-look"),
    "prelabel": ("dataset", "prelabel", "set"),
    "frames": ("dataset", "frames", "diary.txt", "frames"),
    "follow": ("dataset", "follow", "set"),
    "synth": ("dataset", "synth", "scenes", "--count", "1", "--size", "160", "--workers", "1"),
    "train": ("train", "nowhere.toml"),
    "export": ("export", "nowhere.pt", "out.onnx"),
    "evaluate": ("evaluate", "--data", "nowhere.yaml"),
    "app": ("app", "--port", "99999"),
    "annotate": ("annotate", "nowhere"),
}


def figures(
    environments: Sequence[str] = tuple(ENVIRONMENTS), commands: Sequence[str] = tuple(COMMANDS)
) -> list[Figure]:
    """The figures of these commands in these surroundings."""
    traced = faults = hung = runs = 0
    with TemporaryDirectory() as temporary:
        for environment in environments:
            root = Path(temporary, environment.replace("/", " "))
            fill(root, photos=2)
            usual = {"TILESCORE_DATA": str(root / "data")}
            for command in commands:
                ended = run(COMMANDS[command], cwd=root, env=usual | ENVIRONMENTS[environment])
                runs += 1
                is_traced = "Traceback" in ended.err or b"Traceback" in ended.out
                traced += is_traced
                faults += ended.status not in (0, 2)
                hung += ended.seconds > PATIENCE_S
                if is_traced or ended.status not in (0, 2):
                    print(f"{environment}, {command}: status {ended.status}: {_shown(ended)}")
                    sys.stdout.flush()
    return [
        Figure(f"runs: {len(commands)} commands in {len(environments)} surroundings", runs),
        at_most("tracebacks", traced, 0),
        at_most("faults of ours (an exit status other than 0 and 2)", faults, 0),
        at_most("commands that hang", hung, 0),
    ]


def _shown(ended: Ended) -> str:
    return ended.err.strip()[-400:].replace(os.linesep, " | ")
