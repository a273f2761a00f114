"""A deletion that another program, a full disk or a kill keeps from being complete is remembered and completed."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import pytest

from tests.ui.storage.traces import (
    HAND,
    JPEG,
    LOCKS,
    OTHER,
    READS,
    WRITES,
    another_program,
    holding,
    keep_hand,
    played,
    win,
)
from tilescore.errors import InputError
from tilescore.files.paths import data_folder
from tilescore.ui.storage import deletions
from tilescore.ui.storage.database import StoreError
from tilescore.ui.storage.hand_store import HandStore
from tilescore.ui.storage.ledger_store import LedgerStore

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tilescore.ui.storage.ledger_store import Saved

GONE: dict[str, tuple[Callable[[LedgerStore, Saved], object], bytes]] = {
    "game": (lambda store, saved: store.delete(saved.id), b"Zacharias"),
    "all games": (lambda store, _: store.delete_all(), b"Zacharias"),
    "deal": (lambda store, saved: store.delete_deal(saved, 1), str(HAND).encode()),
    "photo": (lambda store, saved: store.delete_photo(saved.id, str(HAND)), JPEG[100:400]),
}
"""What is deleted for good, and what a search of the disk must not find afterwards."""
each_deletion = pytest.mark.parametrize("kind", GONE)


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LedgerStore]:
    """The games in memory, where the system has a place for that: a disk takes nine tenths of the time."""
    memory = Path("/dev/shm")  # noqa: S108  # the folder in it has a name of its own
    monkeypatch.setattr("tilescore.ui.storage.database._PATIENCE_S", 0.2)
    with TemporaryDirectory(dir=memory if memory.is_dir() else tmp_path) as folder:
        monkeypatch.setenv("TILESCORE_DATA", str(Path(folder) / "data"))
        yield LedgerStore()


def backed_up(store: LedgerStore, *days: str) -> Saved:
    """A game that all backups hold."""
    saved = played(store, "Zacharias")
    today = store.backups.make(store.file)
    for day in days:
        shutil.copyfile(today, today.with_name(f"games-{day}.sqlite3"))
    return saved


@each_deletion
def test_who_reads_the_ledger_delays_a_deletion_and_prevents_none(kind: str, store: LedgerStore) -> None:
    saved = backed_up(store, "2026-01-01", "2026-01-02")
    delete, trace = GONE[kind]
    with another_program(store.path, *READS):
        delete(store, saved)
        assert deletions.are_owed()
        assert {name for name in holding(trace) if name.startswith("backups")} == set()
        assert not deletions.settle()
    assert deletions.settle()
    assert not deletions.are_owed()
    assert not holding(trace)


def test_the_next_deletion_completes_the_one_before(store: LedgerStore) -> None:
    gone, other = backed_up(store), played(store, "Yolanda")
    with another_program(store.path, *READS):
        store.delete(gone.id)
    assert holding(b"Zacharias")
    store.delete_photo(other.id, str(OTHER))
    assert not holding(b"Zacharias")
    assert not deletions.are_owed()


@each_deletion
def test_a_locked_backup_delays_a_deletion(kind: str, store: LedgerStore) -> None:
    saved = backed_up(store, "2026-01-01", "2026-01-02")
    delete, trace = GONE[kind]
    locked = store.backups.folder / "games-2026-01-01.sqlite3"
    with another_program(locked, *LOCKS):
        delete(store, saved)
        if kind == "all games":  # a file can go while another program has it open
            assert not holding(trace)
            return
        assert holding(trace) == {"backups/games-2026-01-01.sqlite3"}
        assert deletions.are_owed()
    assert deletions.settle()
    assert not holding(trace)
    assert len(store.backups.paths()) == 3


@each_deletion
def test_who_writes_to_the_ledger_prevents_a_deletion_as_a_whole(kind: str, store: LedgerStore) -> None:
    saved = backed_up(store)
    with another_program(store.path, *WRITES), pytest.raises(StoreError, match="try again in a moment, nothing was"):
        GONE[kind][0](store, saved)
    assert not deletions.are_owed()
    assert store.load(saved.id) == saved
    assert store.photographed(saved.id) == {str(HAND), str(OTHER)}


@pytest.mark.parametrize("everything", [False, True], ids=["one", "all"])
def test_who_reads_the_hands_delays_a_deletion(*, everything: bool) -> None:
    keep_hand("Zacharias")
    hands = HandStore()
    with another_program(hands.path, *READS):
        hands.forget_all("ann") if everything else hands.forget("ann", ["Zacharias"])
        hands.file.settle()
        assert hands.hands("ann").hands == ()
        assert deletions.are_owed()
    assert deletions.settle()
    assert not holding(b"Zacharias")
    assert not holding(JPEG[100:400])


def test_a_restored_backup_does_not_bring_a_deleted_game_back(store: LedgerStore) -> None:
    from tilescore.ui.cli.games.ledger import restore

    gone, kept = played(store, "Zacharias"), played(store, "Yolanda")
    backup = store.backups.make(store.file)
    copy = backup.with_name("copy")
    shutil.copyfile(backup, copy)
    with another_program(store.path, *READS):
        store.delete(gone.id)
        restore(copy)
    assert [game.id for game in store.games()] == [kept.id]
    assert store.load(kept.id).game == kept.game
    copy.unlink()
    assert deletions.settle()
    assert not holding(b"Zacharias")


def test_a_damaged_backup_goes_and_a_damaged_ledger_replaces_no_backup(store: LedgerStore) -> None:
    gone, damaged = played(store, "Zacharias"), played(store, "Yolanda")
    today = store.backups.make(store.file)
    today.with_name("games-2026-01-01.sqlite3").write_bytes(b"Zacharias" * 1000)
    with store.file.writing() as file:
        file.execute("UPDATE games SET document = 'x' WHERE id = ?", (damaged.id,))
    store.delete(gone.id)
    assert store.backups.paths() == (today,)
    assert not holding(b"Zacharias")
    assert LedgerStore(today).load(damaged.id).game == damaged.game, "the backup still has what the ledger has lost"


def test_a_killed_backup_leaves_no_game_behind(store: LedgerStore) -> None:
    gone = backed_up(store)
    for name in ("games-2026-01-01.sqlite3.1a2b3c4d", "games-2026-01-01.sqlite3-journal"):
        (store.backups.folder / name).write_bytes(b"Zacharias")
    store.delete(gone.id)
    assert not holding(b"Zacharias")


# Ends and failures at every step


def forked(work: Callable[[], object]) -> int:
    """Do it in a child of this process: 0 after success, 3 after one sentence, 4 after a raw error, or the signal."""
    child = os.fork()
    if not child:
        code = 4
        try:
            work()
            code = 0
        except InputError:
            code = 3
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def at_step(number: int, act: Callable[[], None]) -> list[int]:
    """Act at that step of the disk's work in this process, which must be a child; the list counts the steps."""
    count = [0]

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event not in ("open", "os.rename", "os.remove", "sqlite3.connect", "os.mkdir", "os.chmod"):
            return
        if str(data_folder()) in str(arguments[0]):
            count[0] += 1
            if count[0] == number:
                act()

    sys.addaudithook(hook)
    return count


def kill() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def fail() -> None:
    raise OSError(28, "No space left on device")


def check_after(store: LedgerStore, kind: str, saved: Saved, *, told: bool) -> None:
    """Either all of it is there, or it is gone and nothing is left once deletions are settled."""
    listed = {game.id for game in store.games()}
    trace = GONE[kind][1]
    gone = {
        "game": saved.id not in listed,
        "all games": not listed,
        "deal": saved.id in listed and len(store.load(saved.id).game.records) == 1,
        "photo": saved.id in listed and str(HAND) not in store.photographed(saved.id),
    }[kind]
    assert gone or not told, "success was told"
    if gone and told and not deletions.are_owed():
        assert not holding(trace), "nothing was told about what is left"
    assert deletions.settle()
    if gone:
        assert not holding(trace)
    else:
        assert store.load(saved.id) == saved
    assert not store.check()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows cannot fork")
@pytest.mark.parametrize("act", [kill, fail])
@pytest.mark.parametrize("kind", ["game", "all games", "deal"])
def test_every_step_may_be_the_last_and_every_step_may_fail(
    kind: str, act: Callable[[], None], store: LedgerStore, tmp_path: Path
) -> None:
    saved = backed_up(store, "2026-01-01")
    whole = tmp_path / "whole"
    shutil.copytree(data_folder(), whole)
    codes = []
    for number in range(1, 200):
        shutil.rmtree(data_folder())
        shutil.copytree(whole, data_folder())

        def work(number: int = number) -> None:
            count = at_step(number, act)
            GONE[kind][0](store, saved)
            if count[0] < number:
                os._exit(9)

        code = forked(work)
        if code == 9:
            break
        codes.append(code)
        check_after(store, kind, saved, told=code == 0)
    assert len(codes) > 5
    assert set(codes) <= ({-signal.SIGKILL} if act is kill else {0, 3})


@pytest.mark.skipif(sys.platform == "win32", reason="Windows cannot fork")
def test_a_kill_at_any_moment(store: LedgerStore, tmp_path: Path) -> None:
    saved = backed_up(store, "2026-01-01")
    whole = tmp_path / "whole"
    shutil.copytree(data_folder(), whole)
    for number in range(12):
        shutil.rmtree(data_folder())
        shutil.copytree(whole, data_folder())
        child = os.fork()
        if not child:
            store.delete(saved.id)
            os._exit(0)
        time.sleep(number * 0.005)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        check_after(store, "game", saved, told=False)


# A full disk


@contextmanager
def full_disk(
    place: Path, *, megabytes: int, fill: Callable[[], object], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Path]:
    """A small disk that is full after `fill` has used it; gives the file that takes the rest of it."""
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(place)]
    try:
        subprocess.run(mount, check=True, capture_output=True)  # noqa: S603
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("only a superuser can mount a small disk")
    try:
        monkeypatch.setenv("TILESCORE_DATA", str(place / "data"))
        fill()
        rest = place / "rest"
        with suppress(OSError), rest.open("wb", buffering=0) as file:
            while file.write(bytes(4096)):
                pass
        assert shutil.disk_usage(place).free == 0
        yield rest
    finally:
        subprocess.run(["umount", str(place)], check=True)  # noqa: S603, S607


@each_deletion
def test_a_full_disk_prevents_no_deletion(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    delete, trace = GONE[kind]
    found: dict[str, Saved] = {}

    def fill() -> None:
        found["gone"] = backed_up(LedgerStore(), "2026-01-01", "2026-01-02")
        found["kept"] = played(LedgerStore(), "Yolanda")

    with full_disk(tmp_path / "disk", megabytes=3, fill=fill, monkeypatch=monkeypatch):
        store = LedgerStore()
        delete(store, found["gone"])
        kept = found["kept"].id
        assert kind == "all games" or store.load(kept).game == found["kept"].game
        if kind == "game":
            assert not holding(trace)
            assert not deletions.are_owed()
            store.delete(kept)
            assert not holding(b"Yolanda")


def test_a_full_disk_prevents_no_deletion_of_hands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fill() -> None:
        for name in ("Zacharias", "Yolanda"):
            keep_hand(name)

    with full_disk(tmp_path / "disk", megabytes=3, fill=fill, monkeypatch=monkeypatch):
        HandStore().forget("ann", ["Zacharias"])
        HandStore().file.settle()
        assert not holding(b"Zacharias")
        assert [hand.id for hand in HandStore().hands("ann").hands] == ["Yolanda"]
        HandStore().forget_all("ann")
        HandStore().file.settle()
        assert not holding(JPEG[100:400])


def test_what_a_full_disk_keeps_goes_once_there_is_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rest of a large file cannot be written anew in the room that a reserve gives."""
    found: dict[str, Saved] = {}

    def fill() -> None:
        store = LedgerStore()
        found["gone"], found["kept"] = played(store, "Zacharias"), played(store, "Yolanda")
        for number in range(9):
            store.attach(found["kept"].id, f"{number}", os.urandom(300_000))
        store.backups.forget(None)

    with full_disk(tmp_path / "disk", megabytes=6, fill=fill, monkeypatch=monkeypatch) as rest:
        store = LedgerStore()
        store.delete(found["gone"].id)
        assert [game.id for game in store.games()] == [found["kept"].id]
        assert deletions.are_owed()
        again = store.save(found["kept"], win(found["kept"].game, HAND), kind="deal")
        rest.unlink()
        assert deletions.settle()
        assert not holding(b"Zacharias")
        assert store.load(again.id) == again
        assert store.check() == ()
