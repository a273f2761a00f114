"""Pages over many hands and games: `python -m benchmarks.pages --hands 5000 --games 1000`.

A data folder is filled as by `benchmarks.copies`. The promise: a draw of History, a search in it, and Players need at
most 0.3 s of the processor, and so do the first booking of a day and the deletion of a hand. The wire and the browser
are not in these figures, nor is the time in which other programs have the processor.
"""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

from streamlit.testing.v1 import AppTest

from benchmarks.copies import VISITOR, fill
from tests.harness.figures import Figure, at_most, command
from tilescore.scoring.game.ledger import Game
from tilescore.ui.storage.hand_store import HandStore
from tilescore.ui.storage.ledger_store import LedgerStore

if TYPE_CHECKING:
    from collections.abc import Callable

_MOST_S: Final = 0.3
_PATIENCE_S: Final = 120
_DRAWS: Final = 5


def pages(hands: int = 5000, games: int = 1000) -> list[Figure]:
    """The figures of a folder with so many past hands and games of eight deals each."""
    with tempfile.TemporaryDirectory() as name:
        os.environ["TILESCORE_DATA"] = name
        fill(Path(name), hands, games, photos=min(hands, 500))
        return _figures()


def _figures() -> list[Figure]:
    app = AppTest.from_function(_history, default_timeout=_PATIENCE_S)
    drawn = [_seconds(app.run) for _ in range(_DRAWS)]
    search = app.text_input(key="history.search")
    found = [_seconds(search.set_value(word).run) for word in ("straight", "mcr 22", "nowhere")]
    begun = _seconds(lambda: LedgerStore().begin(Game.new("mcr", ("Ann", "Ben", "Cleo", "Dan"))))
    newest = HandStore().hands(VISITOR).hands[0]
    forgotten = _seconds(lambda: HandStore().forget(VISITOR, [newest.id]))
    settled = _seconds(HandStore().file.settle)
    return [
        Figure("History and Players drawn together, the first time in a process, s", drawn[0]),
        at_most("History and Players drawn together, slowest later, s", max(drawn[1:]), 2 * _MOST_S),
        at_most("the same with a search, slowest, s", max(found), 2 * _MOST_S),
        at_most("first booking of a day, s", begun, _MOST_S),
        at_most("a hand forgotten, s", forgotten, _MOST_S),
        Figure("its last traces deleted, while the page goes on, s", settled),
        at_most("traces left", len(HandStore().file.owed.notes), 0),
    ]


def _history() -> None:
    import streamlit as st  # AppTest takes the body of this function only

    from benchmarks.copies import VISITOR
    from tilescore.ui.pages.history.page import page

    st.session_state["visitor"] = VISITOR
    page()


def _seconds(act: Callable[[], object]) -> float:
    begun = time.process_time()
    act()
    return time.process_time() - begun


if __name__ == "__main__":
    command(pages)
