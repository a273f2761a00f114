"""`tilescore ledger`: list, check, back up, restore, export and import the games that the app keeps."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from tilescore.errors import InputError
from tilescore.files.paths import private_file
from tilescore.printable import counted
from tilescore.ui.cli.options import AsJson, Out
from tilescore.ui.cli.terminal import complain, say, say_json, write_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime

    from tilescore.ui.storage.ledger_store import LedgerStore, Saved
    from tilescore.ui.storage.summary import Summary

ledger_app = typer.Typer(name="ledger", help="The games that are kept on this machine.", no_args_is_help=True)
Game = Annotated[str | None, typer.Argument(help="A game of `tilescore ledger list`; all games without it.")]
Backup = Annotated[Path | None, typer.Argument(help="A backup; without it, the latest one.")]
OneGame = Annotated[str | None, typer.Option("--game", help="Bring back this game alone; the others stay.")]
Yes = Annotated[bool, typer.Option("--yes", help="Go back also where newer games or deals are lost.")]
Source = Annotated[Path, typer.Argument(help="The JSON of a game, or an export of everything.")]
_NOT_NOW: Final = ("busy", "cannot_write", "disk_full", "games_busy", "games_unwritable")
"""Why no backup can be read just now, whatever it holds."""
_NO_GAMES: Final = "'{}' does not exist: the app makes it with the first game."


@ledger_app.command("list")
def list_games(*, as_json: AsJson = False) -> None:
    """List the games, the last changed first, and the names of those that are damaged."""
    from tilescore.ui.storage.ledger_store import LedgerStore

    if not LedgerStore().path.exists():
        complain(_NO_GAMES.format(LedgerStore().path))
        return
    store = _store()
    listing = store.listing()
    for summary in (*listing.games, *listing.removed):
        hidden = summary in listing.removed
        if as_json:
            say_json(_json(summary) | {"hidden": hidden, "damaged": False})
        else:
            say(_line(summary, hidden=hidden))
    for name in listing.damaged:
        if as_json:
            say_json({"id": name, "damaged": True})
        else:
            say(f"{name}  damaged: `tilescore ledger export {name}` gives what is left of it")
    if not listing.whole:
        complain(f"a part of '{store.path}' is damaged: these are all games that can be read.")


@ledger_app.command()
def check() -> None:
    """Check every game, log and photo against its checksum; exit status 2 if something is damaged.

    Names the games that an earlier version booked by other rules, too.
    """
    store = _store()
    damage = store.check(_say_other_rules)
    for sentence in damage:
        say(sentence)
    if damage:
        message = (
            f"'{store.path}' is damaged: bring back a damaged game with `tilescore ledger restore --game NAME`, "
            "or the whole file with `tilescore ledger restore`."
        )
        raise InputError("ledger_damaged", message)
    listing = store.listing()
    say(f"{counted(len(listing.games) + len(listing.removed), 'game')} in '{store.path}', all whole.")


@ledger_app.command()
def backup() -> None:
    """Make the backup of today now; the app makes one a day by itself and keeps the last seven."""
    store = _store()
    if store.check():
        message = f"'{store.path}' is damaged and is not copied over a backup: see `tilescore ledger check`."
        raise InputError("ledger_damaged", message)
    say(f"Backup: {store.backups.make(store.file)}")


@ledger_app.command()
def restore(source: Backup = None, *, game: OneGame = None, yes: Yes = False) -> None:
    """Bring back a backup, or one game of it; the file before it is moved aside, not deleted."""
    from tilescore.ui.storage.database import trouble
    from tilescore.ui.storage.ledger_schema import TABLES
    from tilescore.ui.storage.ledger_store import BROKEN, LedgerStore

    store = LedgerStore()
    _settle(store)
    backups = store.backups.paths()
    if source is None and not backups:
        raise InputError("no_backup", f"there is no backup in '{store.backups.folder}': name a file.")
    chosen = source or backups[0]
    if not chosen.is_file():
        raise InputError("no_backup", f"'{chosen}' is no file: name one of '{store.backups.folder}'.")
    if game is not None:
        _restore_game(store, game, (source,) if source else backups, yes=yes)
        return
    for path in () if source else filter(store.backups.is_ahead, backups[1:]):
        complain(f"'{path}' is dated after today and passed over: name it if you want it.")
    with _copied(store, chosen) as copy:
        damage = copy.check()
        if BROKEN in damage:
            raise trouble("games_damaged", copy.path)
        if not yes:
            _refuse_losses(store, copy, chosen)
        copy.file.leave_out(store.file.owed.names, TABLES)
        copy.file.fold()
        listing = copy.listing()
        aside = store.backups.put_in_place(copy.path)
    before = f" The file before it is '{aside}', until somebody deletes a game." if aside else ""
    say(f"{counted(len(listing.games) + len(listing.removed), 'game')} from '{chosen}'.{before}")
    for sentence in damage:
        complain(sentence)


def _restore_game(store: LedgerStore, game: str, backups: Iterable[Path], *, yes: bool) -> None:
    """Bring back a game out of the first of these backups in which it is whole."""
    from tilescore.ui.storage.copies.one_game import bring_back, rows_of

    if not yes and store.path.exists() and game in _whole(store):
        raise InputError("game_whole", f"game {game} is whole: say --yes to bring back an earlier state of it.")
    for chosen in backups:
        try:
            with _copied(store, chosen) as copy:
                rows = rows_of(copy, game)
            break
        except InputError as error:
            if error.code in _NOT_NOW:
                raise
    else:
        raise InputError(
            "no_backup", f"no backup has game {game} whole: `tilescore ledger export {game}` takes the rest."
        )
    bring_back(store, game, rows)
    say(f"Game {game} from '{chosen}'; the other games stay as they are.")


def _refuse_losses(store: LedgerStore, copy: LedgerStore, chosen: Path) -> None:
    """Raise InputError if the file has whole games that the backup lacks, or holds in another state.

    A file of a newer version may have such games, too.
    """
    from tilescore.ui.storage.database import StoreError

    try:
        lost = len(_whole(store).items() - _whole(copy).items()) if store.path.exists() else 0
    except StoreError as error:
        if error.code != "games_newer":
            return  # nothing can be lost of a file that is damaged
        raise InputError(
            "newer_games",
            f"'{store.path}' was written by a newer version of Tilescore, and '{chosen}' may lack its last games: "
            "update Tilescore to keep them, or say --yes to go back.",
        ) from error
    if lost:
        raise InputError(
            "newer_games",
            f"'{chosen}' lacks {counted(lost, 'whole game')} of '{store.path}', or their last changes: bring "
            "back a damaged game alone with `tilescore ledger restore --game NAME`, or say --yes to go back.",
        )


def _whole(store: LedgerStore) -> dict[str, datetime]:
    """When each whole game was changed last."""
    listing = store.listing()
    return {summary.id: summary.changed_at for summary in (*listing.games, *listing.removed)}


@ledger_app.command("export")
def export_games(game: Game = None, *, out: Out = None) -> None:
    """Write one game, or all of them with their photos, as JSON; of a damaged game, what is left of it."""
    from tilescore.ui.storage.copies.backup import exported
    from tilescore.ui.storage.database import StoreError

    store = _store()
    lines: Iterable[str]
    if game is None:
        lines = exported(None)
        for name in store.listing().damaged:
            complain(f"game {name} is damaged and left out: `tilescore ledger export {name}` gives what is left of it.")
    else:
        try:
            lines = (str(store.load(game).game),)
        except StoreError as error:
            if error.code != "game_damaged":
                raise
            complain(str(error))
            lines = store.remains(game).split("\n")
    write_lines(lines, out)


@ledger_app.command("import")
def import_games(source: Source) -> None:
    """Take the games of a file in; games that are here already stay as they are."""
    from tilescore.ui.storage.copies.backup import imported

    try:
        with source.open("rb") as file:
            result = imported(file, None)
    except OSError as error:
        reason = error.strerror or "it failed"
        raise InputError(
            "cannot_read", f"'{source}' cannot be read ({reason}): name an export of Tilescore."
        ) from error
    hands = f" Of a browser, to import on its page History, Copies: {counted(result.left_out, 'past hand')}."
    say(f"{counted(result.games, 'game')} imported, {result.known} here already.{hands if result.left_out else ''}")


@contextmanager
def _copied(store: LedgerStore, chosen: Path) -> Iterator[LedgerStore]:
    """A copy of a backup, to read and to put in place of the file; what is wrong with it is said of the backup."""
    from tilescore.ui.storage.database import StoreError, trouble, wording
    from tilescore.ui.storage.ledger_schema import is_ours
    from tilescore.ui.storage.ledger_store import LedgerStore

    with store.backups.alone():
        copy = LedgerStore(store.backups.unfinished())
        try:
            for ending in ("", "-wal"):  # the log holds what was written last
                if (part := chosen.with_name(chosen.name + ending)).exists():
                    held = part.read_bytes()
                    with wording(store.backups.folder):
                        private_file(copy.path.with_name(copy.path.name + ending)).write_bytes(held)
            with wording(copy.path):
                if not is_ours(copy.path):
                    raise trouble("games_damaged", copy.path)
            yield copy
        except StoreError as error:
            if error.code == "disk_full":
                message = f"the disk is full: make room for two copies of '{chosen}' and try again; no game is changed."
                raise InputError(error.code, message) from error
            if error.code == "games_newer":
                raise trouble(error.code, chosen) from error
            if error.code != "games_damaged":
                raise
            backups = store.backups.paths()
            others = backups[backups.index(chosen) + 1 :] if chosen in backups else backups
            such = f", such as '{others[0]}'" if others else ""
            message = f"'{chosen}' is damaged or no backup: name another one{such}."
            raise InputError("ledger_damaged", f"{message} `tilescore ledger import` takes an export.") from error
        finally:
            for path in store.backups.folder.glob(f"{copy.path.name}*"):
                path.unlink()


def _store() -> LedgerStore:
    from tilescore.ui.storage.ledger_store import LedgerStore

    store = LedgerStore()
    if not store.path.exists():
        raise InputError("no_games", _NO_GAMES.format(store.path))
    _settle(store)
    return store


def _settle(store: LedgerStore) -> None:
    """Delete what is left of deleted games, or say that something is left."""
    if not store.settle():
        complain(
            f"something that was deleted is still in '{store.path.parent}': a file is in use, or the disk is full. "
            "It goes with the next deletion, or with the next command."
        )


def _line(summary: Summary, *, hidden: bool) -> str:
    who = _points(summary.players, summary.totals)
    state = "over" if summary.over else f"{summary.round} {summary.number}"
    mark = ", hidden" if hidden else ""
    when = f"{summary.changed_at.astimezone():%Y-%m-%d %H:%M}"
    return f"{summary.id}  {when}  {summary.ruleset}  {counted(summary.deals, 'deal')}, {state}{mark}: {who}"


def _say_other_rules(saved: Saved) -> None:
    if saved.booked:
        booked, now = (_points(saved.game.players, totals) for totals in (saved.booked, saved.game.totals))
        say(f"Game {saved.id} was booked by other rules, as {booked}; the rules of today give {now}.")


def _points(players: tuple[str, ...], totals: tuple[float, ...]) -> str:
    return ", ".join(f"{name} {total}" for name, total in zip(players, totals, strict=True))


def _json(summary: Summary) -> dict[str, object]:
    return {
        "id": summary.id, "ruleset": summary.ruleset, "players": list(summary.players), "totals": list(summary.totals),
        "deals": summary.deals, "over": summary.over, "changed_at": summary.changed_at.isoformat(),
    }  # fmt: skip
