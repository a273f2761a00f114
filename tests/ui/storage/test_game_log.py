"""The history of a game from its log: every change is one step, and an earlier version logged fewer of them."""

from dataclasses import replace

import pytest

from tilescore.scoring.deal import Deal
from tilescore.scoring.game.ledger import Game
from tilescore.ui.storage.game_log import BEGIN, UNDO, GameChange, change_to_log, with_history

BEGUN = Game.new("mcr", ("Ann", "Ben", "Cleo", "Dan"))
PLAYED = BEGUN.play(Deal(hands={}, draw="exhausted")).play(Deal(hands={}, draw="exhausted"))
RENAMED = PLAYED.then(players=("Eve", *PLAYED.players[1:]))
OF_DEALS = (GameChange(kind=BEGIN), *(GameChange(kind="deal", at=at, put=PLAYED.records[at : at + 1]) for at in (0, 1)))
NAMES, CLOSE, OPEN = (GameChange(kind=kind) for kind in ("names", "close", "open"))
"""As an earlier version logged them."""
UNDONE = GameChange(kind=UNDO)


def steps_back(game: Game, *changes: GameChange) -> list[Game]:
    """The games that undo gives, one after the other, after these changes."""
    game, found = with_history(replace(game, past=(), future=()), (*OF_DEALS, *changes)), []
    while game.past:
        game = game.undo()
        found.append(game)
    return found


def test_an_early_end_of_an_earlier_version_is_a_step_and_its_names_are_none() -> None:
    assert steps_back(RENAMED.close(), NAMES, CLOSE) == [
        RENAMED,
        *(RENAMED.then(records=PLAYED.records[:count]) for count in (1, 0)),
    ]


@pytest.mark.parametrize(
    ("game", "changes"),
    [
        (PLAYED, (CLOSE, OPEN)),
        (PLAYED.undo(), (CLOSE, GameChange(kind="remove", at=0, cut=1), OPEN, UNDONE, UNDONE)),
    ],
)
def test_an_end_that_an_earlier_version_took_back_is_no_step(game: Game, changes: tuple[GameChange, ...]) -> None:
    assert steps_back(game, *changes) == [game.undo(), BEGUN][-len(game.records) :]


def test_what_is_changed_after_an_early_end_of_an_earlier_version_is_taken_back_first() -> None:
    closed = PLAYED.close()
    removed = closed.without(1)
    changes = (CLOSE, change_to_log(closed, removed, kind="remove"))
    assert steps_back(removed, *changes)[:2] == [closed, PLAYED]
