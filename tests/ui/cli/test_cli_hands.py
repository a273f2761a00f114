"""`tilescore hands`: the past hands of every browser of this machine, also of one that lost its cookie."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.ui.cli.test_cli_names import run
from tests.ui.storage.test_hand_store import JPEG, past
from tilescore.ui.storage.copies.backup import Imported, imported
from tilescore.ui.storage.database import Database
from tilescore.ui.storage.hand_owners import give, owner_of, owners
from tilescore.ui.storage.hand_store import MIGRATIONS, HandStore

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILESCORE_DATA", str(tmp_path / "data"))


@pytest.fixture
def ann() -> str:
    """What people call the browser of ann, who has two hands, one with a photo."""
    HandStore().put_hand("ann", past("one", day=1), photo=JPEG)
    HandStore().put_hand("ann", past("two", day=3), photo=None)
    HandStore().put_hand("ben", past("one", day=2), photo=None)
    return next(owner.name for owner in owners(HandStore()) if owner.visitor == "ann")


def test_list_gives_no_cookie_away(ann: str) -> None:
    code, out, _ = run("hands", "list")
    assert (code, len(out.splitlines()), "ann" in out) == (0, 2, False)
    assert f"{ann}  2 hands, 1 with a photo, 2026-11-01 to 2026-11-03" in out
    assert json.loads(run("hands", "list", "--json")[1].splitlines()[1])["photos"] == 1


def test_an_export_comes_in_on_any_browser(ann: str, tmp_path: Path) -> None:
    file = tmp_path / "hands.json"
    assert run("hands", "export", ann, "--out", str(file))[0] == 0
    code, _, err = run("hands", "export", ann, "--out", str(file))
    assert (code, "exists already" in err) == (2, True)
    assert run("hands", "export", ann)[1].strip() == file.read_text(encoding="utf-8").strip()
    with file.open("rb") as stream:
        assert imported(stream, "cleo") == Imported(games=0, hands=2, known=0)
    assert HandStore().photo("cleo", "one") == JPEG


def test_delete_asks_first_and_leaves_the_others(ann: str) -> None:
    code, _, err = run("hands", "delete", ann)  # nobody answers
    assert (code, "say --yes" in err) == (2, True)
    assert len(HandStore().hands("ann").hands) == 2
    assert "2 hands deleted" in run("hands", "delete", ann, "--yes")[1]
    assert [owner.visitor for owner in owners(HandStore())] == ["ben"]


def test_an_unknown_browser_and_no_hands(ann: str) -> None:
    code, _, err = run("hands", "export", "nobody")
    assert (code, "tilescore hands list" in err) == (2, True)
    HandStore().path.unlink()
    for command, expected in (("list", 0), ("list --json", 0), (f"export {ann}", 2)):
        code, out, err = run("hands", *command.split())
        assert (code, out, "does not exist" in err, ann in err) == (expected, "", True, False)


def test_hands_move_to_their_person_once() -> None:
    """A hand that both have stays with both, and a damaged row stays damaged."""
    for name in ("one", "two", "three"):
        HandStore().put_hand("ann", past(name), photo=JPEG)
    HandStore().put_hand("ben", past("one"), photo=None)
    with Database(HandStore().path, MIGRATIONS).writing() as file:
        file.execute("UPDATE hands SET total = 9 WHERE id = 'three'")
    (before,) = [owner for owner in owners(HandStore()) if owner.visitor == "ann"]
    assert give(HandStore(), owner_of(HandStore(), before.name), to="ben") == 1
    assert {hand.id for hand in HandStore().hands("ben").hands} == {"one", "two"}
    assert HandStore().photo("ben", "two") == JPEG
    assert HandStore().hands("ann").damaged == 1
