"""Everything that a browser has here in one file, and games in a file of their own: out of it and in again.

Both ways go entry by entry, so that a file may be larger than the memory. What is here already comes in once only: a
game that equals one of the store, a hand of a known name.
"""

import base64
import binascii
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace
from typing import Any, BinaryIO, Final

from tilescore.errors import InputError
from tilescore.printable import printable
from tilescore.scoring.game.ledger import GAME_KEYS, Game
from tilescore.ui.storage.copies.entries import entries
from tilescore.ui.storage.copies.fields import BackupError, FileField, trouble
from tilescore.ui.storage.database import StoreError
from tilescore.ui.storage.hand_store import HandStore, PastHand
from tilescore.ui.storage.ledger_store import LedgerStore, Saved
from tilescore.ui.storage.summary import GameCopy, Summary
from tilescore.vision.image.config import PHOTO_LIMITS
from tilescore.vision.image.photo import PhotoError, open_photo

VERSION: Final = 2
"""Version 1 had all photos of a game in one entry."""
_MARK: Final = "tilescore_backup"
_LISTS: Final = ("games", "hands")
_MOST_PHOTOS: Final = 1000
_PHOTO_BYTES: Final = 20_000_000
"""Most photos of an entry, and most bytes of a photo (chosen)."""
_TOGETHER: Final = 8_000_000
"""An entry gets no further photo after this many bytes of photos: the memory holds an entry (chosen)."""
_MOST_MEMBERS: Final = 100
_QUOTED: Final = 300
"""Most letters of a sentence about a game (chosen)."""


@dataclass(frozen=True, slots=True)
class Imported:
    """What became of a file."""

    # games, hands: how many came in
    games: int
    hands: int
    known: int  # how many games and hands were here already
    left_out: int = 0  # hands that were left out, because a past hand belongs to a browser


@dataclass(frozen=True, slots=True)
class _Hand:
    hand: PastHand
    photo: bytes | None


def exported(visitor: str | None, *, games: bool = True) -> Iterator[str]:
    """The lines of a file with the whole games of this machine, and the past hands of that browser unless it is None.

    Raises StoreError.
    """
    yield f'{{"{_MARK}": {VERSION}, "games": ['
    yield from _separated(_game_entries(LedgerStore()) if games else ())
    yield '], "hands": ['
    yield from _separated(_hand_entries(HandStore(), visitor) if visitor is not None else ())
    yield "]}"


def imported(file: BinaryIO, visitor: str | None) -> Imported:
    """Take a game or a backup in, without a visitor its games alone; the file is read twice.

    Everything is checked before anything is written, and then comes in as a whole.

    Raises:
        BackupError: the file cannot come in.
        StoreError: it cannot be kept.
        OSError: the file cannot be read.
    """
    games = hands = known = 0
    has_hands = sum(isinstance(entry, _Hand) for entry in _contents(file))
    here: dict[bytes, str] = {}
    begun: dict[tuple[str, str], Summary] = {}  # names may have been corrected, the moment and the rules stay
    for summary, game, _ in _whole_games(LedgerStore()):
        here[_digest(game)] = summary.id
        begun[summary.begun_at.isoformat(), game.ruleset_name] = summary
    taking_hands = HandStore().taking(visitor) if visitor is not None and has_hands else nullcontext(None)
    file.seek(0)
    seen: set[bytes] = set()
    with LedgerStore().taking() as take_game, taking_hands as take_hand:
        for entry in _contents(file):
            if isinstance(entry, _Hand):
                if take_hand is not None:
                    is_new = take_hand(entry.hand, entry.photo)
                    hands, known = hands + is_new, known + (not is_new)
                continue
            digest = _digest(entry.game)
            before = None
            same = entry.begun_at, entry.game.ruleset_name
            if digest not in here and same in begun:
                before, was = _before(entry, begun[same])
                here |= {digest: ""} if was else {}
            is_new = digest not in here
            lacking = entry.photos if is_new else _lacking(entry, here[digest])
            if is_new or lacking:
                here[digest] = take_game(replace(entry, photos=lacking), here.get(digest, ""), before)
            games, known = games + is_new, known + (not is_new and digest not in seen)
            seen.add(digest)
    return Imported(games, hands, known, left_out=0 if visitor is not None else has_hands)


def _lacking(entry: GameCopy, name: str) -> Mapping[str, bytes]:
    """The photos of the entry that the game of that name lacks, be it one of an earlier entry of the file."""
    ledger = LedgerStore()
    if name:
        with suppress(StoreError):
            kept = ledger.photographed(name)
            return {hand: jpeg for hand, jpeg in entry.photos.items() if hand not in kept}
    return {}


def _before(entry: GameCopy, summary: Summary) -> tuple[Saved | None, bool]:
    """The game here that the entry goes on with, if only copies have changed it; whether it was as the entry is."""
    ledger = LedgerStore()
    saved = ledger.load(summary.id)
    if entry.changed_at > summary.changed_at.isoformat() and ledger.only_copied(summary.id):
        return saved, False
    return None, entry.game.records in (saved.game.records, *(moment.records for moment in saved.game.past))


# Out


def _separated(parts: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    before = ""
    for part in parts:
        if before:
            yield f"{before},"
        before = json.dumps(part, ensure_ascii=False)
    if before:
        yield before


def _game_entries(ledger: LedgerStore) -> Iterator[Mapping[str, Any]]:
    """Each whole game with its photos, several times if they are many; the last changed comes last, as it comes in."""
    for summary, game, hidden in _whole_games(ledger):
        about = {
            "game": game.to_json(), "begun_at": summary.begun_at.isoformat(),
            "changed_at": summary.changed_at.isoformat(), "hidden": hidden,
        }  # fmt: skip
        photos: dict[str, str] = {}
        for hand, text in _photos_of(ledger, summary.id):
            photos[hand] = text
            if sum(map(len, photos.values())) >= _TOGETHER:
                yield {**about, "photos": photos}
                photos = {}
        yield {**about, "photos": photos}


def _whole_games(ledger: LedgerStore) -> Iterator[tuple[Summary, Game, bool]]:
    for hidden in (True, False):
        for summary in reversed(ledger.games(hidden=hidden)):
            with suppress(StoreError):
                yield summary, ledger.load(summary.id).game, hidden


def _photos_of(ledger: LedgerStore, name: str) -> Iterator[tuple[str, str]]:
    """The hands of that game that have a whole photo, with it."""
    with suppress(StoreError):
        for hand in sorted(ledger.photographed(name)):
            with suppress(StoreError):
                jpeg = ledger.photo(name, hand)
                if jpeg is not None:
                    yield hand, _text(jpeg)


def _hand_entries(hands: HandStore, visitor: str) -> Iterator[Mapping[str, Any]]:
    for hand, photo in hands.each(visitor):
        yield {**hand.to_json(), "photo": None if photo is None else _text(photo)}


def _text(jpeg: bytes) -> str:
    return base64.b64encode(jpeg).decode()


# In


def _contents(file: BinaryIO) -> Iterator[GameCopy | _Hand]:
    """The entries of the file, each checked; raises BackupError, at the end if another program may have written it."""
    loose: dict[str, Any] = {}
    faults: list[BackupError] = []
    try:
        yield from _listed(file, loose, faults)
    except BackupError:
        raise
    except ValueError:
        raise trouble("backup_damaged" if _looks_ours(file) else "backup_foreign") from None
    if _MARK not in loose and not {"ruleset", "players"} <= loose.keys():
        raise trouble("backup_foreign")
    if faults:
        raise faults[0]
    if _MARK not in loose:
        yield GameCopy(game=_game(FileField(loose, "game")))


def _listed(file: BinaryIO, loose: dict[str, Any], faults: list[BackupError]) -> Iterator[GameCopy | _Hand]:
    """The entries of the lists up to the first fault; the members beside the lists go to `loose`."""
    for key, index, value in entries(file, lists=_LISTS):
        if index is None:
            loose[key] = value if key in (_MARK, *GAME_KEYS) else None
            if len(loose) > _MOST_MEMBERS:
                raise ValueError("no file of ours has so many members")
            faults += _version_faults(loose)
        elif not faults:
            try:
                entry = _checked(key, FileField(value, f"{key}[{index}]"))
            except BackupError as error:
                faults.append(error)
            else:
                yield entry


def _looks_ours(file: BinaryIO) -> bool:
    file.seek(0)
    head = file.read(2000)
    return _MARK.encode() in head[:200] or b'"ruleset"' in head


def _version_faults(loose: Mapping[str, Any]) -> list[BackupError]:
    """What is wrong with the members beside the lists of a backup."""
    version = loose.get(_MARK, 1)
    if isinstance(version, int) and not isinstance(version, bool) and version > VERSION:
        return [trouble("backup_newer")]
    try:
        FileField(version, _MARK).whole(1, VERSION)
    except BackupError as error:
        return [error]
    unknown = [key for key in loose if key != _MARK] if _MARK in loose else []
    return [FileField(loose[key], printable(key)).refused("–") for key in unknown]


def _checked(key: str, entry: FileField) -> GameCopy | _Hand:
    if key == "games":
        photos = entry.member("photos").members(most=_MOST_PHOTOS)
        return GameCopy(
            game=_game(entry.member("game")), photos={hand: _jpeg(photo) for hand, photo in photos.items()},
            begun_at=_time(entry, "begun_at"), changed_at=_time(entry, "changed_at"),
            hidden="hidden" in entry.value and entry.member("hidden").flag(),
        )  # fmt: skip
    photo = entry.member("photo")
    return _Hand(PastHand.of(entry), None if photo.value is None else _jpeg(photo))


def _time(entry: FileField, key: str) -> str:
    """The time under that key; empty if there is none, as in files of earlier versions."""
    return entry.member(key).time().isoformat() if key in entry.value else ""


def _game(field: FileField) -> Game:
    if not isinstance(field.value, dict):
        raise field.refused("{…}")
    try:
        return Game.restored(json.dumps(field.value))
    except InputError as error:
        raise trouble("backup_game", field=field.place, reason=_brief(error)) from None


def _brief(error: InputError) -> InputError:
    """The same error, which quotes no more of the file than fits in a sentence."""
    params = {name: printable(value)[:_QUOTED] for name, value in error.params.items()}
    text = printable(error)
    return InputError(error.code, text if len(text) <= _QUOTED else f"{text[:_QUOTED]}…", **params)


def _jpeg(field: FileField) -> bytes:
    try:
        data = base64.b64decode(field.value, validate=True)
    except (TypeError, ValueError, binascii.Error):
        data = b""
    try:
        fits = data.startswith(b"\xff\xd8") and len(data) <= _PHOTO_BYTES and open_photo(data)
    except PhotoError:
        fits = False
    if not fits:
        most = f"{_PHOTO_BYTES // 1_000_000} MB, 0 … {PHOTO_LIMITS.max_pixels // 1_000_000} MP"
        raise field.refused(f"JPEG, base64 (0 … {most})")
    return data


def _digest(game: Game) -> bytes:
    """Equal for games that are equal."""
    deals = [{**deal, "as_booked": None} for deal in game.to_json()["deals"]]
    return hashlib.sha256(json.dumps({**game.to_json(), "deals": deals}, sort_keys=True).encode()).digest()
