"""Everything out of the program in one file and in again: nothing lost, nothing doubled, bad files one sentence."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.ui.storage.test_hand_store import JPEG, past
from tilescore.base.errors import InputError
from tilescore.scoring.game.ledger import Game
from tilescore.scoring.ruleset import Deal
from tilescore.ui.storage import backup
from tilescore.ui.storage.backup import exported, imported
from tilescore.ui.storage.hand_store import HandStore
from tilescore.ui.storage.ledger_store import LedgerStore

if TYPE_CHECKING:
    from pathlib import Path

GAME = Game.new("mcr", ("Ann", "Ben", "Cleo", "Dan")).play(Deal(hands={}, draw="exhausted"))


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TILESCORE_DATA", str(tmp_path / "one"))
    return tmp_path


def filled() -> bytes:
    saved = LedgerStore().begin(GAME)
    LedgerStore().attach(saved.id, "11m", JPEG)
    HandStore().put_hand("ann", past("hand1"), photo=JPEG)
    HandStore().put_hand("ann", past("hand2"), photo=None)
    return exported("ann")


def test_everything_comes_back_on_another_machine_and_once_only(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = filled()
    monkeypatch.setenv("TILESCORE_DATA", str(folder / "two"))
    found = imported(data, "ann on her phone")
    assert (found.games, found.hands, found.known) == (1, 2, 0)
    (summary,) = LedgerStore().games()
    assert LedgerStore().load(summary.id).game == GAME
    assert LedgerStore().photo(summary.id, "11m") == JPEG
    assert HandStore().photo("ann on her phone", "hand1") == JPEG
    again = imported(data, "ann on her phone")
    assert (again.games, again.hands, again.known) == (0, 0, 3)
    assert len(LedgerStore().games()) == 1


def test_the_json_of_one_game_comes_in() -> None:
    assert imported(json.dumps(GAME.to_json()).encode(), "ann").games == 1
    assert imported(json.dumps(GAME.to_json()).encode(), "ann").known == 1


def changed(**fields: Any) -> bytes:
    return json.dumps({**json.loads(filled()), **fields}).encode()


BAD = [
    # what, the file, code
    ("of a newer version", lambda: changed(tilescore_backup=2), "backup_newer"),
    ("cut off", lambda: filled()[:-40], "backup_damaged"),
    ("a hand without its time", lambda: changed(hands=[{"id": "x"}]), "backup_damaged"),
    ("a game that is none", lambda: changed(games=[{"game": {"ruleset": "go"}, "photos": {}}]), "backup_damaged"),
    ("a photo that is none", lambda: changed(games=[{"game": GAME.to_json(), "photos": {"11m": "AAAA"}}]),
     "backup_damaged"),
    ("of another program", lambda: b'{"fruit": "apple"}', "backup_foreign"),
    ("a list", lambda: b"[1, 2]", "backup_foreign"),
    ("a picture", lambda: JPEG, "backup_foreign"),
    ("empty", lambda: b"", "backup_foreign"),
    ("nested without end", lambda: b"[" * 100_000, "backup_foreign"),
]  # fmt: skip


@pytest.mark.parametrize(("what", "file", "code"), BAD)
def test_a_bad_file_is_one_sentence_and_changes_nothing(what: str, file: Any, code: str) -> None:
    data = file()
    before = LedgerStore().games(), HandStore().hands("ann")
    with pytest.raises(InputError) as caught:
        imported(data, "ann")
    assert caught.value.code == code, what
    assert (LedgerStore().games(), HandStore().hands("ann")) == before, what


def test_a_file_of_two_hundred_megabytes_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backup, "MOST_MEGABYTES", 0)
    with pytest.raises(InputError, match="larger than 0 MB"):
        imported(filled(), "ann")
