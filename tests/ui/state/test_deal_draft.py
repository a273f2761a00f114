"""A booked deal as a draft: saved unchanged it is the same deal, whatever its kind."""

import json
from typing import Any

import pytest

from tilescore.scoring.context import SEATS
from tilescore.scoring.deal import EXHAUSTED
from tilescore.scoring.game.ledger import Game
from tilescore.scoring.game.record import Record
from tilescore.scoring.hand import Hand
from tilescore.scoring.ruleset import RULESETS, ruleset
from tilescore.scoring.traits import HARMED, Foul
from tilescore.ui.state.deal_draft import Draft
from tilescore.ui.state.kept.table_draft import from_json, to_json

NAMES = ("Ann", "Ben", "Cleo", "Dan")
FED, OTHER = "22s678p (555z) (666z) (777z) +6p", "234567s99s345678p +6p"
"""The hands of two winners; another player may have fed the first one."""


def worth(name: str) -> dict[str, int]:
    return {"han": 13} if ruleset(name).traits.with_fu else {"points": 100}


def wins(name: str) -> list[dict[str, Any]]:
    """Wins by value and, where another player may be liable for one of two hands, by tiles as well."""
    traits, seats = ruleset(name).traits, ("S", "E")
    found: list[dict[str, Any]] = [{"deal": {"winner": "S"}, "values": {"S": worth(name)}}]
    for who in (True, False) if traits.pays_for_all else ():
        found += [{"deal": {"winner": "S", "discarder": "W", "pays_for_all": who}, "values": {"S": worth(name)}}]
    more = "123m" if traits.size > Hand.SIZE else ""
    for fed, other, payer in ("SEW", "ESW", "SEE", "ESS") if "liable" in traits.at_win else ():
        deal = {"winners": seats, "discarder": "W", "liable": {fed: payer}}
        hands = {fed: Hand.parse(more + FED).to_json(), other: Hand.parse(more + OTHER).to_json()}
        found += [{"deal": {**deal, "hands": hands}}, {"deal": deal, "values": dict.fromkeys(seats, worth(name))}]
    return found


def named(foul: Foul) -> str:
    """The foul as a deal names it."""
    return f"{foul.kind}{HARMED}W_{foul.harms[2]}" if foul.harms else f"{foul.kind}_2" if foul.most else foul.kind


def recorded(name: str) -> list[dict[str, Any]]:
    traits = ruleset(name).traits
    ready = {"ready": ["S"]} if traits.ready_paid else {}
    endings: list[dict[str, Any]] = [
        *({"draw": {"kind": kind, **(ready if kind == EXHAUSTED else {})}} for kind in traits.draws),
        *({"foul": {"by": "S", "kind": named(foul)}} for foul in traits.fouls),
    ]
    won = [{"winner": "S"}, {"winner": "S", "discarder": "W"}]
    agreed = {"S": 10 * traits.step, "W": -10 * traits.step}
    judged = {"agreed": agreed, "riichi": ["E"] if traits.stick else []}
    return [
        *wins(name),
        *({"deal": deal} for deal in endings),
        *({"deal": deal, **judged} for deal in (*endings, *won)),
    ]


@pytest.mark.parametrize(("name", "record"), [(name, record) for name in RULESETS for record in recorded(name)])
def test_a_deal_that_is_saved_unchanged_is_the_same(name: str, record: dict[str, Any]) -> None:
    players = len(ruleset(name).traits.seats)
    options = {"minimum": 0} if name == "hongkong" else {}
    given = Record.from_json({"seating": "ABCD"[:players], **json.loads(json.dumps(record))})
    agreed = None if given.agreed is None else dict(zip(SEATS[:players], given.agreed.points, strict=False))
    game = Game.new(name, NAMES[:players], options=options)
    game = game.play(given.deal, riichi=given.riichi, agreed=agreed, values=given.values)
    draft = from_json(json.loads(json.dumps(to_json(Draft.of(game.records[0])))))
    again = draft.played(game, 1)
    assert (again.totals, again.position, again.records) == (game.totals, game.position, game.records)
