"""The games of this machine in one SQLite file: each as its document, with a log of its changes.

What `begin` and `save` return is on the disk: a process killed at any moment loses nothing that was acknowledged.
Each game has a version: of two windows that change it, the second one gets an error, and nothing is overwritten.

>>> import tempfile
>>> with tempfile.TemporaryDirectory() as folder:
...     store = LedgerStore(Path(folder) / "games.sqlite3")
...     saved = store.begin(Game.new("mcr", ("Ann", "Ben", "Cleo", "Dan")))
...     store.load(saved.id) == saved, store.games()[0].players[0]
(True, 'Ann')
"""

import json
import logging
import sqlite3
import uuid
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path  # the example above makes one
from typing import Final

from tilescore.errors import InputError
from tilescore.files.paths import data_folder
from tilescore.scoring.game.ledger import Game
from tilescore.scoring.game.statistics import PlayerTally, tallies_of
from tilescore.ui.storage.daily_backup import Backups
from tilescore.ui.storage.database import UNREADABLE, Database, StoreError, row_sum, trouble
from tilescore.ui.storage.game_log import BEGIN, COPY, GameChange, change_to_log, log_of, logged, with_history
from tilescore.ui.storage.hand_store import HandStore
from tilescore.ui.storage.ledger_schema import MIGRATIONS, TABLES, attach_photo, delete_game, seal
from tilescore.ui.storage.salvage import game_rows, is_whole, lost_games, photo_digests, remains, row_of
from tilescore.ui.storage.summary import GameCopy, GameListing, Summary, summarised, summary_of

_LOGGER: Final = logging.getLogger(__name__)
EVERY_GAME: Final = "*"
"""What is owed once all games were deleted."""
BROKEN: Final = "The structure of the file is damaged."
"""What `check` says where more than single games is damaged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved:
    """A game as it is on the disk."""

    id: str  # its name on the disk and in the address of the page
    version: int  # the number of changes since it began
    game: Game  # the game with its undo and redo
    log_damaged: bool = False  # whether the log of its changes is damaged, so that earlier changes cannot be undone
    booked: tuple[float, ...] = ()  # the totals that an earlier version counted by other rules; empty for the same ones
    # begun_at, changed_at: when it began and was changed last, as the file keeps it
    begun_at: str = ""
    changed_at: str = ""


@dataclass(frozen=True, slots=True)
class LedgerStore:
    """The file of the games: every operation opens and closes it, so any thread may use it; all raise StoreError."""

    path: Path = field(default_factory=lambda: data_folder() / "games.sqlite3")

    @property
    def file(self) -> Database:
        """The database."""
        return Database(self.path, MIGRATIONS)

    @property
    def backups(self) -> Backups:
        """The copies of the file, one a day."""
        return Backups(self.path)

    def games(self, *, hidden: bool = False) -> tuple[Summary, ...]:
        """The whole games of the list, or those removed from it, as in `listing`."""
        listing = self.listing()
        return listing.removed if hidden else listing.games

    def listing(self) -> GameListing:
        """All games that are whole, whatever lies beside them, and what is damaged.

        The last changed comes first, whatever the clock says.
        """
        with self.file.reading() as file:
            rows, complete = game_rows(file)
            lost = lost_games(file, frozenset(row.id for row in rows))
            last: dict[str, int] = {}
            with suppress(*UNREADABLE):
                last = dict(file.execute("SELECT game, MAX(number) FROM events GROUP BY game"))
            complete = complete and is_whole(file, "games")
        rows.sort(key=lambda row: (last.get(row.id, 0), row.changed_at), reverse=True)
        summaries = [(row, summary_of(row)) for row in rows]
        return GameListing(
            games=tuple(summary for row, summary in summaries if summary and not row.hidden),
            removed=tuple(summary for row, summary in summaries if summary and row.hidden),
            damaged=(*(row.id for row, summary in summaries if summary is None), *lost),
            whole=complete,
        )

    def summarise(self) -> Mapping[str, tuple[PlayerTally, ...]]:
        """What each player did in the games whose summaries an earlier version wrote, by game.

        Writes these summaries anew, with the totals as they were booked, unless the disk takes nothing. A damaged game
        keeps its own.
        """
        listing = self.listing()
        old = [summary.id for summary in (*listing.games, *listing.removed) if summary.tallies is None]
        whole = []
        for name in old:
            with suppress(StoreError):
                whole.append(self.load(name))
        if whole:
            with suppress(StoreError), self._writing() as file:
                for saved in whole:
                    question = "UPDATE games SET summary = ? WHERE id = ? AND version = ?"
                    file.execute(question, (summarised(saved.game, saved.booked), saved.id, saved.version))
                    seal(file, saved.id)
        return {saved.id: tallies_of(saved.game) for saved in whole}

    def remains(self, name: str) -> str:
        """What can still be read of a damaged game, as a JSON text for people and programs."""
        with self.file.reading() as file:
            return remains(file, name)

    def check(self, each: Callable[[Saved], object] = lambda _: None) -> tuple[str, ...]:
        """The damage of the file: for each one an English sentence; `each` receives the games that can be counted."""
        damage = []
        listing = self.listing()
        damage += [f"Game {name} is damaged." for name in listing.damaged]
        for summary in (*listing.games, *listing.removed):
            with suppress(StoreError):
                each(saved := self.load(summary.id))
                if saved.log_damaged:
                    damage.append(f"The log of game {summary.id} is damaged: its earlier changes cannot be undone.")
                for hand in sorted(self.photographed(summary.id)):
                    self.photo(summary.id, hand)
                continue
            damage.append(f"Game {summary.id} or one of its photos is damaged.")
        with self.file.reading() as file:
            if not listing.whole or not all(is_whole(file, table) for table in ("games", "events", "photos")):
                damage.append(BROKEN)
        return tuple(damage)

    def begin(self, game: Game) -> Saved:
        """Keep a new game."""
        with self._writing() as file:
            return _begin(file, GameCopy(game=game))

    @contextmanager
    def taking(self) -> Iterator[Callable[[GameCopy, str, Saved | None], str]]:
        """One transaction for games that come in: the function keeps a new game with its photos, and names it.

        With the name of a game, the function adds the photos to that one; with a game before, the copy follows it.
        """
        with self._writing() as file:

            def take(copy: GameCopy, name: str, before: Saved | None) -> str:
                if before is not None:
                    name = self._saved(file, before, copy.game, COPY, copy.changed_at).id
                name = name or _begin(file, copy).id
                for hand, jpeg in copy.photos.items():
                    attach_photo(file, name, hand, jpeg)
                seal(file, name)
                return name

            yield take

    def load(self, name: str) -> Saved:
        """The game as it is now."""
        with self.file.reading() as file:
            file.execute("BEGIN")
            row = row_of(file, name)
            if row is None:
                raise trouble("game_damaged" if name in lost_games(file, frozenset()) else "no_such_game", self.path)
            changes = logged(file, row)
        try:
            game = Game.restored(row.document) if row.intact else None
        except InputError:
            game = None
        if game is None:
            raise trouble("game_damaged", self.path)
        if changes is not None:
            game = with_history(game, changes)
        kept = summary_of(row)
        return Saved(
            id=name, version=row.version, game=game, log_damaged=changes is None, begun_at=row.begun_at,
            changed_at=row.changed_at, booked=kept.totals if kept and kept.totals != game.totals else (),
        )  # fmt: skip

    def version(self, name: str) -> int:
        """The version of that game: a cheap way to see whether another window changed it."""
        with self.file.reading() as file:
            row = file.execute("SELECT version FROM games WHERE id = ?", (name,)).fetchone()
        if row is None:
            raise trouble("no_such_game", self.path)
        return int(row[0])

    def save(self, before: Saved, game: Game, *, kind: str) -> Saved:
        """Keep the game that follows `before`; raises StoreError `game_changed` if the disk no longer holds `before`.

        `kind` names the change: deal, correct, remove, undo, redo, close, open, tag, names.
        """
        with self._writing() as file:
            return self._saved(file, before, game, kind, _now())

    def _saved(self, file: sqlite3.Connection, before: Saved, game: Game, kind: str, now: str) -> Saved:
        after = replace(before, version=before.version + 1, game=game, log_damaged=False, booked=(), changed_at=now)
        done = file.execute(
            "UPDATE games SET version = ?, document = ?, summary = ?, changed_at = ? "
            "WHERE id = ? AND version = ? AND changed_at = ?",  # after a restore, a version has come twice
            (after.version, str(game), summarised(game), now, before.id, before.version, before.changed_at),
        )
        if done.rowcount != 1:
            raise trouble("game_changed", self.path)
        seal(file, before.id)
        _log(file, after, change_to_log(before.game, game, kind=kind), now)
        return after

    def only_copied(self, name: str) -> bool:
        """Whether nothing but copies has changed that game here; a deleted deal takes the log before it along."""
        with self.file.reading() as file:
            row = row_of(file, name)
            changes = (row and logged(file, row)) or ()
        return row is not None and len(changes) == row.version and {change.kind for change in changes} <= {BEGIN, COPY}

    def hide(self, name: str, *, hidden: bool = True) -> None:
        """Remove a game from the list, or put it back; nothing is deleted."""
        with self._writing() as file:
            file.execute("UPDATE games SET hidden = ? WHERE id = ?", (int(hidden), name))
            seal(file, name)

    def delete(self, name: str) -> None:
        """Delete a game with its deals, its photos and its log; afterwards the file holds nothing of it."""
        with self._erasing(name) as file:
            delete_game(file, name)

    def delete_all(self) -> None:
        """Delete all games, those removed from the list too."""
        with self._erasing(EVERY_GAME) as file:
            for table in TABLES:
                file.execute(f"DELETE FROM {table}")  # noqa: S608  # names of our own

    def delete_deal(self, before: Saved, number: int) -> Saved:
        """Delete deal `number` (from 1) with its photos; nothing that came before can be undone any more.

        Raises:
            StoreError: `game_changed` if the disk no longer holds `before`.
            ContextError: there is no such deal.
        """
        without = before.game.without(number)
        game = replace(without, past=(), future=())
        after = replace(before, version=before.version + 1, game=game, log_damaged=False, booked=(), changed_at=_now())
        hands = {str(hand) for record in game.records for hand, _ in record.deal.hands.values()}
        with self._erasing(before.id) as file:
            question = "SELECT begun_at, hidden FROM games WHERE id = ? AND version = ? AND changed_at = ?"
            row = file.execute(question, (before.id, before.version, before.changed_at)).fetchone()
            if row is None:
                raise trouble("game_changed", self.path)
            begun_at, hidden = row
            photos = file.execute("SELECT hand, jpeg FROM photos WHERE game = ?", (before.id,)).fetchall()
            delete_game(file, before.id)
            after = replace(after, begun_at=begun_at)
            _insert(file, after, hidden=hidden)
            for hand, jpeg in photos:
                if hand in hands:
                    attach_photo(file, after.id, hand, bytes(jpeg))
            seal(file, after.id)
        return after

    def delete_photo(self, name: str, hand: str) -> None:
        """Delete the photo of that hand; the deal stays."""
        with self._erasing(name) as file:
            file.execute("DELETE FROM photos WHERE game = ? AND hand = ?", (name, hand))
            seal(file, name)

    def attach(self, name: str, hand: str, jpeg: bytes) -> None:
        """Keep the photo of a hand that is booked in this game; the notation of the hand is its key."""
        with self._writing() as file:
            attach_photo(file, name, hand, jpeg)
            seal(file, name)

    def photographed(self, name: str) -> frozenset[str]:
        """The notations of the hands of that game that have a photo; raises StoreError `photo_damaged`, too."""
        with self.file.reading() as file:
            hands = frozenset(hand for (hand,) in file.execute("SELECT hand FROM photos WHERE game = ?", (name,)))
            kept = file.execute("SELECT photos FROM games WHERE id = ?", (name,)).fetchone()
        if kept is not None and kept[0] != len(hands):
            raise trouble("photo_damaged", self.path)
        return hands

    def photo(self, name: str, hand: str) -> bytes | None:
        """The photo of that hand; None if there is none. Raises StoreError `photo_damaged`, too."""
        with self.file.reading() as file:
            question = "SELECT jpeg, checksum FROM photos WHERE game = ? AND hand = ?"
            row = file.execute(question, (name, hand)).fetchone()
        if row is not None and row[1] != row_sum(name, hand, row[0]):
            raise trouble("photo_damaged", self.path)
        return None if row is None else bytes(row[0])

    def back_up(self, *, anew: bool = False) -> None:
        """Make the backup of today if there is none, of a damaged file, too; damage and failures are logged.

        A damaged file takes the place of no backup, and the latest backup without damage stays.
        """
        if not self.path.exists() or (self.backups.has_today() and not anew):
            return
        try:
            if self.is_whole():
                self.backups.make(self.file)
                return
            _LOGGER.warning("%s is damaged: `tilescore ledger check` names what is", self.path)
            if not self.backups.has_today():
                whole = (path for path in self.backups.paths() if LedgerStore(path).is_whole())
                self.backups.make(self.file, spare=next(whole, None))
        except InputError:
            _LOGGER.exception("no backup was made")

    def is_whole(self) -> bool:
        """Whether the file is as it was written, by its checksums; `check` counts every deal again and takes longer."""
        with suppress(StoreError), self.file.reading() as file:
            rows, complete = game_rows(file)
            photos = Counter[str]()
            for game, hand, jpeg, checksum in file.execute("SELECT game, hand, jpeg, checksum FROM photos"):
                photos[game] += row_sum(game, hand, jpeg) == checksum
            return (
                complete
                and all(summary_of(row) and photos[row.id] == row.photos and log_of(file, row) for row in rows)
                and not lost_games(file, frozenset(row.id for row in rows))
                and all(is_whole(file, table) for table in ("games", "events", "photos"))
            )
        return False

    def settle(self) -> bool:
        """Delete what is still left of deleted games, deals and photos; whether nothing is left.

        It may lie in the backups, which lose the whole game, and in the file, which is written anew. What another
        program uses or a full disk keeps from being written stays, and `file.owed` names it.
        """
        names = self.file.owed.names
        forget = partial(self.backups.forget, None if EVERY_GAME in names else names)
        done = self.file.settle(forget)
        if names and EVERY_GAME not in names:
            self.back_up(anew=not self.backups.is_of_earlier_schema())
        return done

    @contextmanager
    def _erasing(self, name: str) -> Iterator[sqlite3.Connection]:
        """One transaction that deletes something of that game for good, its photos among the hands as well."""
        game = None if name == EVERY_GAME else name
        names = None if game is None else (game,)
        hands = HandStore(self.path.with_name("hands.sqlite3"))
        with self.file.erasing(name, make_room=partial(self.backups.forget, names)) as file:
            before = photo_digests(file, game)
            yield file
            if gone := hands.path.exists() and before - photo_digests(file, game):
                hands.forget_photos(gone)
        self.settle()
        if gone:
            hands.file.settle()

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction, after the backup of the day."""
        self.back_up()
        with self.file.writing() as file:
            yield file


def _begin(file: sqlite3.Connection, copy: GameCopy) -> Saved:
    """Write the rows of a new game."""
    now = _now()
    begun, changed = copy.begun_at or now, copy.changed_at or now
    saved = Saved(id=uuid.uuid4().hex[:12], version=1, game=copy.game, begun_at=begun, changed_at=changed)
    _insert(file, saved, hidden=int(copy.hidden))
    seal(file, saved.id)
    return saved


def _insert(file: sqlite3.Connection, saved: Saved, *, hidden: int = 0) -> None:
    """Write the row of a game, and a log that begins with it."""
    file.execute(
        "INSERT INTO games (id, version, document, summary, begun_at, changed_at, hidden) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (saved.id, saved.version, str(saved.game), summarised(saved.game), saved.begun_at, saved.changed_at, hidden),
    )
    _log(file, saved, GameChange(kind=BEGIN, put=saved.game.records), saved.changed_at)


def _log(file: sqlite3.Connection, saved: Saved, change: GameChange, now: str) -> None:
    row = (saved.id, saved.version, json.dumps(change.to_json(), ensure_ascii=False), now)
    file.execute(
        "INSERT INTO events (game, version, change, at, checksum) VALUES (?, ?, ?, ?, ?)", (*row, row_sum(*row))
    )


def _now() -> str:
    return datetime.now(UTC).isoformat()
