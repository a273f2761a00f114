"""All reference cases as text lines; the test compares everything that a case expects."""

from __future__ import annotations

import gzip
import json
from math import prod
from typing import TYPE_CHECKING, Any

import pytest

from tests.scoring.known_values import payments_of_values
from tilescore.errors import InputError
from tilescore.scoring.context import Seat
from tilescore.scoring.game.stream import score_lines, settle_lines
from tilescore.scoring.hand import Hand
from tilescore.scoring.names import names_of
from tilescore.scoring.ruleset import ruleset
from tilescore.scoring.traits import KnownValue

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Case = dict[str, Any]
    Answer = dict[str, Any]

REFUSED = "refused.jsonl"
"""Hands, deals and bookings that no game holds."""
COUNTS = {
    "riichi_tenhou.jsonl.gz": 4000,
    "mcr_reference.jsonl": 170,
    "classical_seed.jsonl": 63,
    "settlement_seed.jsonl": 15,
    "hongkong.jsonl": 66,
    "taiwan.jsonl": 75,
    "sanma.jsonl": 84,
    "settle_efg.jsonl": 15,
    REFUSED: 25,
}
AS_THEY_ARE = {"win", "unit", "han", "fu", "limit", "total", "payments", "values"}
OUR_YAKU = {"tsumo": "menzen_tsumo"} | {
    f"{kind}_{wind}": f"{kind}_wind" for kind in ("seat", "round") for wind in ("east", "south", "west", "north")
}

OUR_FANS = {"Concealed and Melded Kong": "Melded and Concealed Kong"}


@pytest.mark.shared
@pytest.mark.parametrize("name", [name for name in COUNTS if name != REFUSED])
def test_everything_expected(shared: Path, name: str) -> None:
    cases = [json.loads(line) for line in _text(shared / "cases" / name).splitlines()]
    assert len(cases) == COUNTS[name]
    for case, answer in zip(cases, _answers(cases), strict=True):
        assert ("error" in answer) == ("error" in case["expected"]), (case["id"], answer)
        assert case["expected"].keys() <= AS_THEY_ARE | _DERIVED.keys(), case["id"]
        assert {key: _found(key, answer) for key in case["expected"]} == _wanted(case), case["id"]
        if case["ruleset"] == "riichi" and "hand" in case:
            _check_sums(answer, case["hand"])
    print(f"{name}: {len(cases)} of {len(cases)} cases as expected")  # noqa: T201  # the promise, with `pytest -s`


@pytest.mark.shared
def test_no_file_of_cases_is_left_out(shared: Path) -> None:
    found = {path.name for path in (shared / "cases").glob("*.jsonl*")}
    assert found == COUNTS.keys()


@pytest.mark.shared
def test_everything_refused(shared: Path) -> None:
    cases = [json.loads(line) for line in _text(shared / "cases" / REFUSED).splitlines()]
    assert len(cases) == COUNTS[REFUSED]
    for case in cases:
        code, message = _refusal(case)
        assert case["expected"]["error"] in (None, code), (case["id"], message)
        assert message[-1] == "."
        assert "\n" not in message


def _refusal(case: Case) -> tuple[str, str]:
    """Code and message of the error that a case ends in."""
    if "value" in case:
        value = KnownValue(han=case["value"]["han"], fu=case["value"]["fu"])
        discarder = Seat.WEST if case["value"]["win_by"] == "discard" else None
        with pytest.raises(InputError) as raised:
            payments_of_values(ruleset(case["ruleset"]), {Seat.SOUTH: value}, discarder)
        return raised.value.code, str(raised.value)
    stream = score_lines if "hand" in case else settle_lines
    error = json.loads(next(stream(case["ruleset"], [json.dumps(_given(case))])))["error"]
    return error["code"], error["message"]


def _text(path: Path) -> str:
    packed = path.read_bytes()
    return (gzip.decompress(packed) if path.suffix == ".gz" else packed).decode()


def _answers(cases: list[Case]) -> list[Answer]:
    """The answers in the order of the cases; each ruleset has one stream."""
    found: dict[str, Answer] = {}
    for name in sorted({case["ruleset"] for case in cases}):
        mine = [case for case in cases if case["ruleset"] == name]
        stream = score_lines if "hand" in mine[0] else settle_lines
        sent = (json.dumps({**_given(case), "id": case["id"]}) for case in mine)
        for case, line in zip(mine, stream(name, sent), strict=True):
            found[case["id"]] = json.loads(line)
            assert found[case["id"]]["id"] == case["id"]
    return [found[case["id"]] for case in cases]


def _given(case: Case) -> dict[str, Any]:
    return next(case[key] for key in ("hand", "input", "settle") if key in case)


def _wanted(case: Case) -> dict[str, Any]:
    """The expected values, with our names of yaku and fans in a fixed order."""
    wanted: dict[str, Any] = dict(case["expected"])
    if "yaku" in wanted:
        wanted["yaku"] = sorted((OUR_YAKU.get(key, key), han) for key, han in wanted["yaku"])
    if "fans" in wanted:
        wanted["fans"] = sorted((number, OUR_FANS.get(name, name), *rest) for number, name, *rest in wanted["fans"])
    for key in ("reason", "error"):
        if isinstance(wanted.get(key), str):
            wanted[key] = {"code": wanted[key]}
    if "items" in wanted:
        wanted["items"] = sorted(value for _, value in wanted["items"])
    return wanted


def _found(key: str, answer: Answer) -> Any:
    """The value of the answer that `_wanted` names."""
    return _DERIVED[key](answer) if key in _DERIVED else answer.get(key)


def _fans(answer: Answer) -> list[tuple[str, str, int, int]]:
    return sorted((_number(line), _english(line), line["count"], line["value"]) for line in answer["lines"])


def _yaku(answer: Answer) -> list[tuple[str, int]]:
    return sorted((line["key"].removeprefix("riichi."), line["value"]) for line in answer["lines"])


def _without_flowers(answer: Answer) -> int:
    return sum(line["count"] * line["value"] for line in answer["lines"] if line["key"] != "mcr.flower_tiles")


def _multiplier(answer: Answer) -> int:
    return prod(line.get("factor", 2 ** line.get("doubles", 0)) for line in answer["lines"])


def _items(answer: Answer) -> list[int]:
    return sorted(line["count"] * line["value"] for line in answer["lines"] if line["value"])


_DERIVED: dict[str, Callable[[Answer], Any]] = {
    "yaku": _yaku,
    "fans": _fans,
    "without_flowers": _without_flowers,
    "multiplier": _multiplier,
    "items": _items,
    "lines": lambda answer: [[line["number"], line["count"], line["value"]] for line in answer["lines"]],
    "points": lambda answer: sum(_items(answer)),
    "reason": lambda answer: {"code": answer["reason"]["code"]},
    "error": lambda answer: {"code": answer["error"]["code"]},
}
"""Expected values that are derived from the answer; it has all others under the same key."""


def _number(line: dict[str, Any]) -> str:
    """The number of a fan in the form of the cases."""
    form = {"mcr.two_melded_kongs": "A", "mcr.melded_and_concealed_kong": "B"}
    return f"{line['number']}{form.get(line['key'], '')}"


def _english(line: dict[str, Any]) -> str:
    return names_of("mcr")[line["key"]]["en"]


def _check_sums(answer: Answer, hand: dict[str, Any]) -> None:
    """Check the sums: lines make han and fu, payments make the deposits, groups make the tiles."""
    assert sum(line["value"] for line in answer["lines"]) == answer["han"]
    fu = sum(line["value"] for line in answer["fu_lines"])
    assert (fu if fu == 25 else -(-fu // 10) * 10) == answer["fu"]
    assert sum(answer["payments"].values()) == 1000 * hand["riichi_deposits"]
    tiles = Hand.from_json(hand).tiles
    assert sorted(Hand.parse(" ".join(answer["groups"])).tiles) == sorted(tiles)
