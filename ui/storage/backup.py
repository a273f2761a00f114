"""Everything that a browser has here in one file, and games in a file of their own: out of it and in again.

What is here already comes in once only: a game that equals one of the store, a hand of a known name.
"""

from __future__ import annotations

import base64
import binascii
import json
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from tilescore.base.errors import InputError
from tilescore.scoring.game.ledger import Game
from tilescore.ui.storage.database import StoreError
from tilescore.ui.storage.hand_store import HandStore, PastHand
from tilescore.ui.storage.ledger_store import LedgerStore

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

VERSION: Final = 1
MOST_MEGABYTES: Final = 150
"""Most megabytes of a file that comes in."""
_MARK: Final = "tilescore_backup"


class BackupError(InputError):
    """A file that cannot come in; the keys of `MESSAGES` are its codes."""


MESSAGES: Final = {
    "backup_damaged": "This file is damaged or incomplete: export it again. Nothing of it was imported.",
    "backup_foreign": "This file is not from Tilescore: choose a game or a backup that Tilescore exported. "
    "Nothing was imported.",
    "backup_newer": "This file is from a newer version of Tilescore: update Tilescore to import it. "
    "Nothing was imported.",
    "backup_too_large": "This file is larger than {most} MB, more than a backup may have. Nothing was imported.",
}
"""English sentences by code; the catalogues have them in other languages as `error.CODE`."""


@dataclass(frozen=True, slots=True)
class Imported:
    """How much came in, and how much of the file was here already."""

    games: int
    hands: int
    known: int


@dataclass(frozen=True, slots=True)
class _Content:
    games: tuple[tuple[Game, Mapping[str, bytes]], ...]
    hands: tuple[tuple[PastHand, bytes | None], ...] = ()


def exported(visitor: str | None) -> bytes:
    """The whole games of this machine and the past hands of that browser, with their photos; None for games alone."""
    ledger, hands = LedgerStore(), HandStore()
    games = []
    for name, game in _whole_games(ledger):
        games.append({"game": game.to_json(), "photos": _photos_of(ledger, name)})
    past = [
        {
            "id": hand.id, "at": hand.at.isoformat(), "ruleset": hand.ruleset, "notation": hand.notation,
            "total": hand.total, "unit": hand.unit, "lines": list(hand.lines), "state": dict(hand.state),
            "photo": _text(hands.photo(visitor or "", hand.id)),
        }
        for hand in (hands.hands(visitor).hands if visitor is not None else ())
    ]  # fmt: skip
    return json.dumps({_MARK: VERSION, "games": games, "hands": past}, ensure_ascii=False).encode()


def imported(data: bytes, visitor: str | None) -> Imported:
    """Take a game or a backup in, without a visitor its games alone.

    Raises BackupError or StoreError; a file with an error changes nothing.
    """
    content = _content(data)
    ledger, hands = LedgerStore(), HandStore()
    known_games = [game for _, game in _whole_games(ledger)]
    known_hands = {hand.id for hand in hands.hands(visitor).hands} if visitor is not None else set()
    fresh_games = [(game, photos) for game, photos in content.games if game not in known_games]
    fresh_hands = [(hand, photo) for hand, photo in content.hands if visitor and hand.id not in known_hands]
    for game, photos in fresh_games:
        saved = ledger.begin(game)
        for hand, jpeg in photos.items():
            ledger.attach(saved.id, hand, jpeg)
    for past, photo in fresh_hands:
        hands.put_hand(visitor or "", past, photo=photo)
    total = len(content.games) + len(content.hands)
    return Imported(len(fresh_games), len(fresh_hands), total - len(fresh_games) - len(fresh_hands))


def _whole_games(ledger: LedgerStore) -> Iterator[tuple[str, Game]]:
    for summary in (*ledger.games(), *ledger.games(hidden=True)):
        with suppress(StoreError):
            yield summary.id, ledger.load(summary.id).game


def _photos_of(ledger: LedgerStore, name: str) -> dict[str, str | None]:
    """The whole photos of that game by hand."""
    photos = {}
    with suppress(StoreError):
        for hand in sorted(ledger.photographed(name)):
            photos[hand] = _text(ledger.photo(name, hand))
    return photos


def _content(data: bytes) -> _Content:
    if len(data) > MOST_MEGABYTES * 1_000_000:
        raise _trouble("backup_too_large", most=MOST_MEGABYTES)
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        looks_like_ours = _MARK.encode() in data[:200] or b'"ruleset"' in data[:2000]
        raise _trouble("backup_damaged" if looks_like_ours else "backup_foreign") from None
    if not isinstance(document, dict) or not ({_MARK, "ruleset"} & document.keys()):
        raise _trouble("backup_foreign")
    version = document.get(_MARK, VERSION)
    if not isinstance(version, int) or version > VERSION:
        raise _trouble("backup_newer")
    try:
        if _MARK not in document:
            return _Content(games=((Game.from_json(document), {}),))
        games = tuple((Game.from_json(one["game"]), _photos(one["photos"])) for one in document["games"])
        return _Content(games, tuple(_hand(one) for one in document["hands"]))
    except (KeyError, TypeError, AttributeError, ValueError):  # InputError is a ValueError
        raise _trouble("backup_damaged") from None


def _hand(data: Mapping[str, Any]) -> tuple[PastHand, bytes | None]:
    hand = PastHand(
        id=str(data["id"]), at=datetime.fromisoformat(data["at"]), ruleset=str(data["ruleset"]),
        notation=str(data["notation"]), total=int(data["total"]), unit=str(data["unit"]),
        lines=tuple(map(str, data["lines"])), state=dict(data["state"]),
    )  # fmt: skip
    return hand, None if data["photo"] is None else _bytes(data["photo"])


def _photos(data: Mapping[str, str]) -> dict[str, bytes]:
    return {str(hand): _bytes(text) for hand, text in data.items()}


def _text(jpeg: bytes | None) -> str | None:
    return None if jpeg is None else base64.b64encode(jpeg).decode()


def _bytes(text: str) -> bytes:
    try:
        data = base64.b64decode(text, validate=True)
    except binascii.Error:
        raise _trouble("backup_damaged") from None
    if not data.startswith(b"\xff\xd8"):
        raise _trouble("backup_damaged")
    return data


def _trouble(code: str, **params: object) -> BackupError:
    return BackupError(code, MESSAGES[code].format(**params), **params)
