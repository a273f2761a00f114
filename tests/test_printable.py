"""Names from outside are text: one function for a terminal, one for a page, one for a spreadsheet."""

import ast
import csv
import io
import json
import re
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from tilescore.printable import STEERING, printable, printable_json, spreadsheet_cell
from tilescore.scoring.game.ledger import Game
from tilescore.ui.cli.main import app
from tilescore.ui.pages.table.export import to_csv
from tilescore.ui.words.text import plain
from tilescore.vision.video.source import VideoSource

COMMAND = (sys.executable, "-m", "tilescore.ui.cli.main")
ROOT = Path(__file__).resolve().parents[1]
STEERS = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


def test_every_steering_character_is_known() -> None:
    """A newer Unicode in Python may have more of them."""
    characters = [*map(chr, range(sys.maxunicode + 1))]
    known = {character for character in characters if unicodedata.category(character) in STEERS}
    found = {character for character in characters if STEERING.fullmatch(character)}
    assert known - found == set()


@given(st.text())
def test_a_terminal_gets_one_line_in_its_own_order(text: str) -> None:
    shown = printable(text)
    assert not [character for character in shown if unicodedata.category(character) in STEERS]


@given(st.recursive(st.text() | st.integers(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))
def test_json_means_the_same(data: object) -> None:
    text = json.dumps(data, ensure_ascii=False)
    assert json.loads(printable_json(text)) == data
    assert not STEERING.search(printable_json(text))


CELLS = [
    "=1+1", "+1", "-1", "@SUM(1)", "\t=1", "\r=1", "\n=1", " =1", "\xa0=1", "\u200b=1", "\ufeff=1", "\u2060 \n=1",
    "＝1", "＋1", "－1", "＠SUM", " \u3000＝1", "\x00=1", "\u202e=1", "\x1b[0m=1",
]  # fmt: skip


@pytest.mark.parametrize("name", CELLS, ids=ascii)
def test_a_spreadsheet_calculates_no_name(name: str) -> None:
    rows = [*csv.reader(io.StringIO(to_csv(Game.new("mcr", (name, "Ben", "Cleo", "Dan"))).decode("utf-8-sig")))]
    assert len(rows) == 1
    for cell in rows[0]:
        assert not re.match(r"\W*[=+@＝＋－＠-]", cell.lstrip("'")) or cell.startswith("'")
        assert not re.search(r"[\n\r\t]", cell)


@pytest.mark.parametrize("name", ["Ann", "Åse-Marie", "王 小明", "O'Neil", "-", "a=b"])
def test_ordinary_names_stay_in_a_spreadsheet(name: str) -> None:
    assert spreadsheet_cell(name).removeprefix("'") == name


@pytest.mark.parametrize("folder", ["ui/cli"])
def test_the_command_line_prints_by_one_function(folder: str) -> None:
    for path in sorted((ROOT / folder).glob("*.py")):
        calls = [ast.unparse(node) for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)]
        printing = [call for call in calls if call.startswith(("print(", "typer.echo(", "typer.secho(", "click.echo("))]
        assert not printing or path.name == "terminal.py", printing
        assert path.name == "terminal.py" or not any("sys.stdout.write(" in call for call in calls)


HOSTILE = "a\x1b[2J\u202egpj.\x9b\u2028b.jpg"


def test_a_hostile_file_name_does_not_reach_the_terminal(tmp_path: Path) -> None:
    (tmp_path / HOSTILE).write_bytes((ROOT / "datasets" / "sample" / "riichi_closed.jpg").read_bytes())
    (tmp_path / f"x{HOSTILE}").write_bytes(b"no picture")
    for words in (("read",), ("read", "--json")):
        done = CliRunner().invoke(app, [*words, *map(str, sorted(tmp_path.iterdir()))])
        assert done.output, words
        assert not STEERING.search(done.output.replace("\n", "")), words


def test_a_hostile_class_name_does_not_reach_the_terminal(tmp_path: Path) -> None:
    (tmp_path / "images").mkdir()
    (tmp_path / "labels").mkdir()
    (tmp_path / "images" / "a.jpg").write_bytes((ROOT / "datasets" / "sample" / "riichi_closed.jpg").read_bytes())
    (tmp_path / "labels" / "a.txt").write_text("0 0.5 0.5 0.1 0.1\n")
    (tmp_path / "classes.txt").write_text("tile\x1b[2J\u202e\n")
    for words in (("check",), ("check", "--json"), ("convert", "--to", "coco")):
        more = [str(tmp_path / "out")] if "convert" in words else []
        command = [*COMMAND, "dataset", words[0], str(tmp_path), *more, *words[1:]]
        done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603  # our own command
        output = done.stdout + done.stderr
        assert "tile\\x1b[2J" in output or "tile\\u001b[2J" in output, words
        assert not STEERING.search(output.replace("\n", ""))


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("rtsp://ann:secret@door/stream", "rtsp://ann:***@door/stream"),
        ("rtsp://ann:se:c@ret@door:554/stream", "rtsp://ann:***@door:554/stream"),
        ("rtsp://ann:se/cret@door/stream", "rtsp://ann:***@door/stream"),
        ("rtsp://door:554/stream", "rtsp://door:554/stream"),
        ("http://door/a@b", "http://door/a@b"),
        ("game.mp4", "game.mp4"),
    ],
)
def test_no_password_is_shown(address: str, shown: str) -> None:
    assert VideoSource(address).shown == shown


LINKS = [
    "www.evil.example", "http://evil.example", "HTTPS://evil.example", "ann@evil.example", "![x](http://evil.example)",
    "[x](javascript:alert)", "<http://evil.example>", "mailto:ann@evil.example", "ftp://evil.example",
    "[x]: http://evil.example", "a\n# b", "xmpp:ann@evil.example",
]  # fmt: skip


@pytest.mark.parametrize("text", LINKS)
def test_an_address_is_split_where_markdown_would_link_it(text: str) -> None:
    seen = re.sub(r"\\(.)", r"\1", plain(text))  # as Markdown shows it
    assert not re.search(r"www\.|(https?|ftp|mailto|xmpp):[^\u2060]|@\w|\n", seen, re.IGNORECASE)
