"""What is deleted is gone from every byte on the disk, and what is kept is for its owner alone."""

from __future__ import annotations

import os
import sqlite3
import stat
import sys
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from tests.ui.storage.traces import HAND, JPEG, OTHER, OTHER_JPEG, keep_hand, on_disk, played, win
from tilescore.datasets.annotation.folder import AnnotationFolder
from tilescore.datasets.annotation.index import Index
from tilescore.datasets.sample import SAMPLES
from tilescore.files.paths import data_folder, private_folder
from tilescore.models.registry import load_reader
from tilescore.ui.storage import ledger_store
from tilescore.ui.storage.database import Database, StoreError
from tilescore.ui.storage.hand_store import MIGRATIONS as MIGRATIONS_OF_HANDS
from tilescore.ui.storage.hand_store import HandStore
from tilescore.ui.storage.kept_photos import forget, keep, queue
from tilescore.ui.storage.ledger_schema import MIGRATIONS
from tilescore.ui.storage.ledger_store import LedgerStore
from tilescore.vision.image.photo import decode_photo

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tilescore.ui.storage.ledger_store import Saved
    from tilescore.vision.decoding.reading import Reading


def reading_of(jpeg: bytes) -> Reading:
    return load_reader().read(decode_photo(jpeg))


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> LedgerStore:
    monkeypatch.setenv("TILESCORE_DATA", str(tmp_path / "data"))
    return LedgerStore()


def test_a_deleted_game_is_gone_from_every_byte(store: LedgerStore) -> None:
    gone, kept = played(store, "Zacharias"), played(store, "Yolanda")
    assert b"Zacharias" in on_disk()
    assert JPEG[100:400] in on_disk()
    store.delete(gone.id)
    assert b"Zacharias" not in on_disk()
    assert on_disk().count(JPEG[100:400]) == 2, "file and backup: the photo of the other game stays"
    assert store.load(kept.id).game == kept.game
    with pytest.raises(StoreError, match="no such game"):
        store.load(gone.id)


def test_a_deletion_after_an_update_keeps_the_backup_that_the_earlier_program_opens(
    store: LedgerStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as earlier:
        earlier.setattr(ledger_store, "MIGRATIONS", MIGRATIONS[:-1])
        gone, kept = played(store, "Zacharias"), played(store, "Yolanda")
        store.back_up(anew=True)
    store.delete(gone.id)
    assert b"Zacharias" not in on_disk()
    monkeypatch.setattr(ledger_store, "MIGRATIONS", MIGRATIONS[:-1])
    assert LedgerStore(store.backups.paths()[0]).load(kept.id).game == kept.game


def test_all_games_are_gone_from_every_byte(store: LedgerStore) -> None:
    store.hide(played(store, "Zacharias").id)
    played(store, "Yolanda")
    store.delete_all()
    for trace in (b"Zacharias", b"Yolanda", JPEG[100:400], OTHER_JPEG[100:400], str(HAND).encode()):
        assert trace not in on_disk()
    assert store.games() == store.games(hidden=True) == ()


@pytest.mark.parametrize("everything", [False, True], ids=["one", "all"])
def test_what_a_restored_backup_replaced_goes_with_the_game(*, everything: bool, store: LedgerStore) -> None:
    gone = played(store, "Zacharias")
    (store.path.parent / "games.sqlite3.before-20261125-120000").write_bytes(b"Zacharias")
    if everything:
        store.delete_all()
    else:
        store.delete(gone.id)
    assert b"Zacharias" not in on_disk()


def test_a_deleted_photo_is_gone_and_its_deal_stays(store: LedgerStore) -> None:
    saved = played(store, "Ann")
    store.delete_photo(saved.id, str(HAND))
    assert JPEG[100:400] not in on_disk()
    assert OTHER_JPEG[100:400] in on_disk()
    assert store.load(saved.id).game.records == saved.game.records


def test_a_deleted_deal_is_gone_with_its_photo_and_its_steps(store: LedgerStore) -> None:
    saved = played(store, "Ann")
    after = store.delete_deal(saved, 1)
    assert str(HAND).encode() not in on_disk()
    assert JPEG[100:400] not in on_disk()
    assert store.load(saved.id) == after
    assert (len(after.game.records), after.game.past, after.game.future) == (1, (), ())
    assert store.photographed(saved.id) == {str(OTHER)}
    again = store.save(after, win(after.game, HAND), kind="deal")
    assert len(store.load(again.id).game.records) == 2
    with pytest.raises(StoreError, match="another window"):
        store.delete_deal(saved, 1)


DELETIONS: tuple[Callable[[LedgerStore, Saved], object], ...] = (
    lambda store, saved: store.delete_photo(saved.id, str(HAND)),
    lambda store, saved: store.delete_deal(saved, 1),
    lambda store, saved: store.delete(saved.id),
    lambda store, _: store.delete_all(),
)


@pytest.mark.parametrize("delete", DELETIONS, ids=["photo", "deal", "game", "all games"])
def test_a_deleted_photo_is_gone_from_the_hands_which_stay(
    delete: Callable[[LedgerStore, Saved], object], store: LedgerStore
) -> None:
    saved, hands = played(store, "Ann"), HandStore()
    keep_hand("damaged")
    with Database(hands.path, MIGRATIONS_OF_HANDS).writing() as file:
        file.execute("UPDATE hands SET total = 9")
    keep_hand("whole")
    hands.put_visit("ann", {"work": {"id": "whole"}}, photo=JPEG)
    hands.put_visit("ben", {}, photo=b"another photo")
    delete(store, saved)
    assert JPEG[100:400] not in on_disk()
    assert [(hand.id, hand.has_photo) for hand in hands.hands("ann").hands] == [("whole", False)]
    assert hands.hands("ann").damaged == 1
    assert hands.visit("ann") == ({"work": {"id": "whole"}}, None)
    assert hands.visit("ben") == ({}, b"another photo")


def test_games_of_an_older_version_are_gone_as_well(store: LedgerStore) -> None:
    """Versions before the third wrote without secure deletion."""
    old = Database(store.path, MIGRATIONS[:2])
    with old.writing() as file:
        file.execute("INSERT INTO games VALUES ('a', 1, ?, '{}', '', '', 0)", ("Zacharias" * 3000,))
    with closing(sqlite3.connect(store.path)) as file:
        file.execute("PRAGMA secure_delete = OFF")
        file.execute("UPDATE games SET document = 'short'")
        file.commit()
    assert b"Zacharias" in on_disk()
    store.delete("a")
    assert b"Zacharias" not in on_disk()


def test_a_deleted_training_photo_is_gone_with_all_traces() -> None:
    jpegs = [(SAMPLES / f"{name}.jpg").read_bytes() for name in ("riichi_closed", "winning_hand")]
    for jpeg in jpegs:
        keep(reading_of(jpeg), jpeg, queue())
    folder = AnnotationFolder(queue())
    index = Index(folder)
    index.refresh()
    pictures = folder.pictures()[0]
    for picture in pictures:
        index.keep_small(picture, "whole", picture.path.read_bytes()[-5000:])
    gone, kept = pictures
    trace, other = gone.path.read_bytes()[-4000:-3000], kept.path.read_bytes()[-4000:-3000]
    forget([gone.key], queue())
    assert trace not in on_disk()
    assert gone.path.stem.encode() not in on_disk()
    assert other in on_disk()
    assert not [path for path in data_folder().rglob("*") if gone.path.stem in path.name]
    forget([kept.key], queue())
    assert other not in on_disk()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such modes")
@pytest.mark.parametrize("first", ["games", "photo", "index", "folder"])
def test_what_is_kept_is_for_its_owner_alone(first: str, store: LedgerStore) -> None:
    before = os.umask(0o002)
    try:
        jpeg = (SAMPLES / "riichi_closed.jpg").read_bytes()
        if first == "folder":
            data_folder().mkdir(parents=True, exist_ok=True)
            data_folder().chmod(0o755)
        if first in ("photo", "index"):
            keep(reading_of(jpeg), jpeg, queue())
        if first == "index":
            Index(AnnotationFolder(queue())).refresh()
        played(store, "Ann")
        keep(reading_of(jpeg), jpeg, queue())
    finally:
        os.umask(before)
    modes = {path: stat.S_IMODE(path.stat().st_mode) for path in (data_folder(), *data_folder().rglob("*"))}
    assert {path: oct(mode) for path, mode in modes.items() if mode != (0o700 if path.is_dir() else 0o600)} == {}


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such modes")
def test_folders_of_others_keep_their_modes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILESCORE_DATA", str(tmp_path / "home" / "data"))
    (tmp_path / "home").mkdir(mode=0o755)
    private_folder(data_folder() / "deep" / "er")
    assert stat.S_IMODE((tmp_path / "home").stat().st_mode) == 0o755
    assert stat.S_IMODE((data_folder() / "deep").stat().st_mode) == 0o700
