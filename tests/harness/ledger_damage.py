"""A file of games with one bit flipped, and what a person sees of it."""

from __future__ import annotations

import random
import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tilescore.errors import InputError
from tilescore.scoring.context import Context, Seat, WinBy
from tilescore.scoring.deal import Deal
from tilescore.scoring.game.ledger import Game
from tilescore.scoring.hand import Hand
from tilescore.ui.storage.database import StoreError
from tilescore.ui.storage.ledger_store import LedgerStore

if TYPE_CHECKING:
    from collections.abc import Mapping

HAND: Final = Hand.parse("123m345678p99s567s +5s")
_GAMES: Final = 6
SAME: Final = "as before"
TOLD: Final = "told"
"""A game or photo is named as damaged, or the file as a whole; everything that is shown is as before."""
SILENT: Final = "changed without a word"
RAW: Final = "raw error"


def build(path: Path, *, seed: int) -> Mapping[str, Any]:
    """Fill the file with games; gives what it holds, by game."""
    draw, store = random.Random(seed), LedgerStore(path)
    for number in range(_GAMES):
        saved = store.begin(Game.new("riichi", (f"Ann{number}", "Ben", "Cleo", "Dan")))
        for _ in range(draw.randint(2, 9)):
            winner = draw.choice(tuple(Seat))
            won = Deal(winner=winner, hands={winner: (HAND, Context(win_by=WinBy.SELF_DRAW, seat=winner))})
            saved = store.save(saved, saved.game.play(won), kind="deal")
        store.save(saved, saved.game.undo(), kind="undo")
        store.attach(saved.id, str(HAND), b"\xff\xd8\xff" + draw.randbytes(3000))
    store.backups.forget(None)
    return {summary.id: _content(store, summary.id) for summary in store.games()}


def _content(store: LedgerStore, name: str) -> Any:
    saved = store.load(name)
    photos = {hand: store.photo(name, hand) for hand in sorted(store.photographed(name))}
    return str(saved.game), saved.game.past, saved.game.future, saved.log_damaged, photos


def outcome(path: Path, known: Mapping[str, Any]) -> str:
    """What a person sees of the file with these contents."""
    try:
        return _outcome(LedgerStore(path), known)
    except StoreError:
        return TOLD
    except Exception as error:  # noqa: BLE001  # what the measurement looks for
        return f"{RAW}: {error!r}"


def _outcome(store: LedgerStore, known: Mapping[str, Any]) -> str:
    listing = store.listing()
    shown = {summary.id for summary in listing.games}
    if shown - known.keys() or (listing.whole and known.keys() - shown - set(listing.damaged)):
        return SILENT
    found = [_compared(store, name, known[name]) for name in sorted(shown)]
    for name in listing.damaged:
        store.remains(name)
    told = TOLD in found or listing.damaged or not listing.whole
    return SILENT if SILENT in found else TOLD if told else SAME


def _compared(store: LedgerStore, name: str, known: Any) -> str:
    try:
        game, past, future, log_damaged, photos = _content(store, name)
    except InputError:
        return TOLD
    if (game, photos) != (known[0], known[4]) or (not log_damaged and (past, future) != known[1:3]):
        return SILENT
    return TOLD if log_damaged else SAME


def measure(flips: int, *, seed: int) -> Counter[str]:
    """The outcomes of that many flips, one bit each."""
    draw, outcomes = random.Random(seed), Counter[str]()
    with tempfile.TemporaryDirectory() as folder:
        known = build(Path(folder) / "whole" / "games.sqlite3", seed=seed)
        whole = (Path(folder) / "whole" / "games.sqlite3").read_bytes()
        for number in range(flips):
            path = Path(folder) / f"{number}" / "games.sqlite3"
            path.parent.mkdir()
            damaged, bit = bytearray(whole), draw.randrange(8 * len(whole))
            if draw.random() < 0.2:  # the head and the schema are small, and most depends on them
                bit = draw.randrange(8 * 4096)
            damaged[bit // 8] ^= 1 << bit % 8
            path.write_bytes(damaged)
            outcomes[outcome(path, known)] += 1
    return outcomes
