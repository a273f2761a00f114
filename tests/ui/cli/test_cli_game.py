"""`tilescore game`: a whole game from lines, as text, as JSON and as a table."""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from tilescore.errors import InputError
from tilescore.scoring.context import Context, WinBy
from tilescore.scoring.hand import Hand
from tilescore.scoring.ruleset import ruleset
from tilescore.ui.cli.main import app
from tilescore.ui.cli.report import score_report

if TYPE_CHECKING:
    from pathlib import Path

WON = "222m77p888m33p (333s) +3p"
DRAWN = Context(win_by=WinBy.SELF_DRAW)
LINES = (
    '{"id": "first", "draw": {"kind": "exhausted", "ready": ["S"]}, "riichi": ["S"]}',
    "",
    '{"penalty": {"player": 0, "points": 300, "to": "others", "reason": "=late"}}',
    '{"penalty": {"player": 0, "points": 1}}',
)


@pytest.fixture
def deals(tmp_path: Path) -> str:
    file = tmp_path / "deals.jsonl"
    file.write_text("\n".join(LINES), encoding="utf-8")
    return str(file)


def run(*arguments: str) -> str:
    result = CliRunner().invoke(app, ["game", *arguments])
    if result.exception:
        raise result.exception
    return result.stdout


def test_json(deals: str) -> None:
    first, *penalties, final = map(json.loads, run(deals, "-r", "riichi", "--json").splitlines())
    assert (first["id"], first["deal"], first["standing"]) == ("first", 1, [24000, 27000, 24000, 24000])
    assert [penalty["standing"][0] for penalty in penalties] == [23700, 23699]
    assert final["final"]["points"] == [23699, 28100, 24100, 24100]


def test_a_table(deals: str) -> None:
    head, *rows = csv.reader(run(deals, "-r", "riichi", "--csv", "--players", "Ann, Ben,=1+1,Dan").splitlines())
    assert head[-4:] == ["Ann", "Ben", "'=1+1", "Dan"]
    assert rows[0] == ["1", "E", "1", "Ann", "0", "0", "standing", "24000", "27000", "24000", "24000"]
    assert rows[1][6] == "penalty: '=late"
    assert rows[2][6] == "penalty"
    assert [row[6] for row in rows[3:]] == ["points", "places", "result"]


def test_text(deals: str) -> None:
    said = run(deals, "-r", "riichi", "--players", "Ann,Ben,Cleo,Dan")
    assert "1. E1, Ann deals: E -1000, S +3000, W -1000, N -1000" in said
    assert "Penalty of 300 to Ann for =late" in said
    assert said.splitlines()[-2] == "Places: Ann 4, Ben 1, Cleo 2, Dan 3"


def test_a_table_of_taiwan_says_how_often_the_dealer_stayed(tmp_path: Path) -> None:
    lines = tmp_path / "lines.jsonl"
    lines.write_text('{"draw": {"kind": "exhausted"}}\n{"penalty": {"player": 0, "points": 1}}\n' * 2, "utf-8")
    head, *rows = csv.reader(run(str(lines), "-r", "taiwan", "--csv").splitlines())
    table = [dict(zip(head, row, strict=True)) for row in rows]
    assert [row["repeats"] for row in table[:4]] == ["0", "", "1", ""]
    assert [row["what"] for row in table[:4]] == ["standing", "penalty"] * 2


def test_what_changes_nothing_is_named_on_stderr() -> None:
    line = '{"draw": {"kind": "exhausted", "ready": ["S"]}}'
    assert "line 1: ready changes nothing in mcr" in CliRunner().invoke(app, ["game", "-r", "mcr"], input=line).stderr


def test_three_players_have_three_names(deals: str) -> None:
    assert json.loads(run(deals, "-r", "riichi3", "--json").splitlines()[-1])["final"]["places"] == [3, 1, 2]


def test_what_is_wrong_is_told_with_its_line(deals: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="keep one of the two"):
        run(deals, "-r", "mcr", "--json", "--csv")
    for names in ("Ann,Ben", "Ann,Ben,Ann,Dan", "Ann,Ben,,Dan"):
        with pytest.raises(InputError, match="four names, all different"):
            run(deals, "-r", "mcr", "--players", names)
    wrong = tmp_path / "wrong.jsonl"
    for line, said in (('{"draw": 5}', "'draw' must be a JSON object"), ('{"id": 1e400}', "'id' must be text")):
        wrong.write_text('{"draw": {"kind": "exhausted"}}\n' + line, encoding="utf-8")
        with pytest.raises(InputError, match=f"line 2: {said}"):
            run(str(wrong), "-r", "mcr")


def test_a_house_table_counts_in_every_command(tmp_path: Path) -> None:
    table, hands, deals = (tmp_path / name for name in ("ours.csv", "hands.jsonl", "deals.jsonl"))
    table.write_text("line,value\nall_pungs,6\n", encoding="utf-16")
    hand = {"concealed": "222m77p555s888m333p", "winning_tile": "2m"}
    hands.write_text(json.dumps({**hand, "win_by": "self_draw"}))
    deals.write_text(json.dumps({"winner": "S", "discarder": "W", "hands": {"S": hand}}))
    ours = ("-r", "hongkong", "--house", str(table))
    scored = json.loads(CliRunner().invoke(app, ["score-hands", str(hands), *ours]).stdout)
    settled = json.loads(CliRunner().invoke(app, ["settle", str(deals), *ours]).stdout)
    listed = CliRunner().invoke(app, ["rules", *ours, "--json"]).stdout
    assert scored["house"] is True
    assert settled["values"] == {"S": 8}
    assert settled["house"] is True
    assert json.loads(run(str(deals), *ours, "--json").splitlines()[-1])["final"]["house"] is True
    assert "House table" in run(str(deals), *ours)
    assert ",,,,,,house table" in run(str(deals), *ours, "--csv")
    assert json.loads(run(str(deals), *ours, "--json").splitlines()[0])["payments"] == settled["payments"]
    assert '"hongkong.all_pungs"' in listed
    assert json.loads(listed)["house"] is True
    assert "house table" in CliRunner().invoke(app, ["rules", *ours]).stdout
    lost = ruleset("hongkong", {"minimum": 10, "house": "all_pungs,6"}).score(Hand.parse(WON), DRAWN)
    for result in (ruleset("hongkong", {"house": "all_pungs,6"}).score(Hand.parse(WON), DRAWN), lost):
        assert result.to_json()["house"] is True
        assert "house table" in score_report(result)


def test_a_house_table_that_is_none_is_told(tmp_path: Path) -> None:
    table = tmp_path / "ours.csv"
    for arguments, said in (
        (("hongkong", "no such file"), "cannot be read"),
        (("mcr", str(table)), "not mcr"),
        (("hongkong", str(table)), "at most 100000 letters"),
    ):
        table.write_bytes(b"a" * 10_000_000)
        name, file = arguments
        with pytest.raises(InputError, match=said):
            run("-", "-r", name, "--house", file)
