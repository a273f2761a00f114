"""Random hands, counted by the rulesets and by a plain second implementation."""

from __future__ import annotations

import os
from random import Random
from typing import TYPE_CHECKING

import pytest

from tests.scoring.mcr.naive_counting import naive_total, waits_of
from tests.scoring.random_hands import random_hand
from tilescore.scoring.game.deals import HandInput
from tilescore.scoring.ruleset import ruleset
from tilescore.scoring.score import Score
from tilescore.scoring.tiles import PLAYING_TILES

if TYPE_CHECKING:
    from typing import Any

COUNT = 6_000 if os.environ.get("TILESCORE_LONG") == "1" else 600


@pytest.mark.random
@pytest.mark.parametrize("name", ["classical", "simplified"])
@pytest.mark.parametrize("won", [True, False])
def test_random_hands_are_counted_as_by_the_second_implementation(name: str, *, won: bool) -> None:
    random = Random(f"{name} {won}")
    seen: dict[str, int] = {}
    for _ in range(COUNT):
        given = random_hand(random, won=won)
        result = _score(name, given)
        expected = naive_total(given, name)
        assert (result.total if isinstance(result, Score) else None) == expected, given
        for line in result.lines:
            seen[line.key] = seen.get(line.key, 0) + 1
    assert len(seen) > (30 if won else 20)


@pytest.mark.random
def test_random_hands_wait_for_the_same_tiles() -> None:
    random = Random("waits")
    for _ in range(COUNT // 3):
        given = random_hand(random, won=False)
        result = _score("classical", given)
        assert isinstance(result, Score)
        assert {PLAYING_TILES.index(tile) for tile in result.waits} == waits_of(given), given


def _score(name: str, given: dict[str, Any]) -> Any:
    read = HandInput.from_json(given)
    return ruleset(name).score(read.hand, read.context)
