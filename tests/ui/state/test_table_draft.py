"""The draft of a deal as JSON: what is written is read again, and a malformed one is refused."""

import json

import pytest

from tilescore.scoring.context import Occasion
from tilescore.scoring.progression import Player
from tilescore.scoring.tiles import parse_tiles
from tilescore.scoring.traits import KnownValue
from tilescore.ui.state.deal_draft import Draft
from tilescore.ui.state.kept.table_draft import from_json, to_json

A, B = Player("A"), Player("B")
FULL = Draft(
    winners=(A,), discarder=B, hands={A: "123m"}, occasions={A: Occasion.LAST_TILE}, dora=parse_tiles("1p"),
    riichi=(A, B), liable={A: B}, by_value=True, values={A: KnownValue(han=3, fu=40)},
)  # fmt: skip


def written() -> dict[str, object]:
    """The full draft as a browser's memory has it."""
    data: dict[str, object] = json.loads(json.dumps(to_json(FULL)))
    return data


@pytest.mark.parametrize("draft", [Draft(), FULL])
def test_a_draft_comes_back(draft: Draft) -> None:
    assert from_json(json.loads(json.dumps(to_json(draft)))) == draft


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("values", {"A": [0, 3]}),  # a number of the value is missing
        ("values", {"A": [0, 3, 40, 1]}),  # one is too many
        ("values", {"X": [0, 3, 40]}),  # nobody has that name
        ("winners", ["X"]),  # nobody has that name
        ("liable", {"A": "X"}),  # nobody has that name
        ("agreed", [1, 2, 3]),  # one player is missing
        ("occasions", {"A": ["nothing"]}),  # no such occasion
    ],
)
def test_a_malformed_draft_is_refused(name: str, value: object) -> None:
    with pytest.raises((KeyError, TypeError, ValueError)):
        from_json(written() | {name: value})


@pytest.mark.parametrize(("liable", "meant"), [(None, {}), ("B", {A: B})])
def test_a_draft_of_a_version_with_one_liable_player_is_read(liable: str | None, meant: dict[Player, Player]) -> None:
    assert from_json(written() | {"liable": liable}).liable == meant


def test_a_draft_of_a_version_that_kept_nothing_under_agreed_points_is_read() -> None:
    data = written()
    del data["under"]
    assert from_json(data) == FULL


def test_a_draft_of_another_version_is_refused() -> None:
    data = written()
    del data["draw"]
    with pytest.raises(KeyError):
        from_json(data)
