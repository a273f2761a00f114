"""Hostile and odd files: each one sentence and no change, or all of it; and no page is lost afterwards."""

from __future__ import annotations

import base64
import gzip
import io
import json
import zipfile
from typing import TYPE_CHECKING, Any

import pytest

from tests.ui.storage.test_hand_store import JPEG, past
from tilescore.errors import InputError
from tilescore.scoring.deal import Deal
from tilescore.scoring.game.ledger import Game
from tilescore.ui.storage.copies import entries
from tilescore.ui.storage.copies.backup import exported, imported
from tilescore.ui.storage.hand_store import HandStore
from tilescore.ui.storage.ledger_store import LedgerStore

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PHOTO = base64.b64encode(JPEG).decode()
GAME = Game.new("riichi", ("Ann", "Ben", "Cleo", "Dan")).play(Deal(hands={}, draw="exhausted")).to_json()
DRAW = GAME["deals"][0]["deal"]
HAND = {**past("odd").to_json(), "photo": PHOTO}
GOOD_GAME = Game.new("mcr", ("Eve", "Fay", "Gil", "Hal")).to_json()
"""Comes before the odd entry in each file, and must not come in alone."""


def document(**fields: Any) -> dict[str, Any]:
    good = {"game": GOOD_GAME, "photos": {}}
    return {"tilescore_backup": 2, "games": [good], "hands": [{**HAND, "id": "good"}], **fields}


def text(data: object) -> bytes:
    return json.dumps(data).encode()


def with_hand(**fields: Any) -> bytes:
    """A backup whose second hand has these fields."""
    whole = document()
    return text({**whole, "hands": [*whole["hands"], {**HAND, **fields}]})


def with_game(photos: Any = None, **fields: Any) -> bytes:
    """A backup whose second game has these fields."""
    whole = document()
    return text({**whole, "games": [*whole["games"], {"game": {**GAME, **fields}, "photos": photos or {}}]})


def with_deal(**fields: Any) -> bytes:
    return with_game(deals=[{**GAME["deals"][0], **fields}])


def without(data: bytes, place: str, key: str) -> bytes:
    whole = json.loads(data)
    entry = whole[place][1]
    (entry["game"] if place == "games" and key in entry["game"] else entry).pop(key)
    return text(whole)


def huge() -> str:
    """A JPEG whose header says that it has 20,000 x 20,000 pixels."""
    frame = JPEG.index(b"\xff\xc0") + 5
    return base64.b64encode(JPEG[:frame] + (20_000).to_bytes(2) * 2 + JPEG[frame + 4 :]).decode()


def zipped(name: str, data: bytes, *, cut: int = 0) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, data)
    return file.getvalue()[: len(file.getvalue()) - cut]


def many(count: int) -> bytes:
    return text(document(games=[{"game": {**GAME, "deals": GAME["deals"] * count}, "photos": {}}]))


REFUSED: list[tuple[str, Callable[[], bytes], str, str]] = [
    # what, the file, code, what the sentence names
    ("time without a zone", lambda: with_hand(at="2026-11-27T10:00:00"), "backup_field", "hands[1].at"),
    ("time after the last year", lambda: with_hand(at="9999-12-31T23:59:59-12:00"), "backup_field", "hands[1].at"),
    ("time before the first year", lambda: with_hand(at="0001-01-01T00:00:00+14:00"), "backup_field", "hands[1].at"),
    ("a day of 25 hours", lambda: with_hand(at="2026-11-27T25:00:00+00:00"), "backup_field", "hands[1].at"),
    ("time as a number", lambda: with_hand(at=1795000000), "backup_field", "hands[1].at"),
    ("no time", lambda: without(with_hand(), "hands", "at"), "backup_field", "hands[1].at"),
    ("total 10**30", lambda: with_hand(total=10**30), "backup_field", "hands[1].total"),
    ("total 1e400", lambda: with_hand(total=7).replace(b'"total": 7', b'"total": 1e400'), "backup_field", "total"),
    ("total with 5,000 digits", lambda: with_hand(total=7).replace(b"7,", b"9" * 5000 + b","), "backup_damaged", ""),
    ("total NaN", lambda: with_hand(total=float("nan")), "backup_damaged", ""),
    ("total true", lambda: with_hand(total=True), "backup_field", "hands[1].total"),
    ("total 8.5", lambda: with_hand(total=8.5), "backup_field", "8.5"),
    ("total as text", lambda: with_hand(total="8"), "backup_field", "hands[1].total"),
    ("unknown ruleset", lambda: with_hand(ruleset="hk"), "backup_field", "mcr / riichi"),
    ("ruleset as a list", lambda: with_hand(ruleset=["mcr"]), "backup_field", "hands[1].ruleset"),
    ("half a character", lambda: with_hand(notation="\ud800"), "backup_field", r"\ud800"),
    ("a nul character", lambda: with_hand(unit="a\0"), "backup_field", "hands[1].unit"),
    ("text turned round", lambda: with_hand(id="\u202egpj"), "backup_field", r"\u202e"),
    ("an empty name", lambda: with_hand(id=""), "backup_field", "hands[1].id"),
    ("a name as a number", lambda: with_hand(id=7), "backup_field", "hands[1].id"),
    ("a notation of a megabyte", lambda: with_hand(notation="1" * 1_000_000), "backup_field", "hands[1].notation"),
    ("lines as text", lambda: with_hand(lines="mcr"), "backup_field", "hands[1].lines"),
    ("a line that is none", lambda: with_hand(lines=["a", None]), "backup_field", "hands[1].lines[1]"),
    ("a million lines", lambda: with_hand(lines=["a"] * 1_000_000), "backup_field", "hands[1].lines"),
    ("state as a list", lambda: with_hand(state=[]), "backup_field", "hands[1].state"),
    ("state with half a character", lambda: with_hand(state={"id": "\udfff"}), "backup_field", "hands[1].state"),
    ("state with 1e400", lambda: with_hand(state={"a": 7}).replace(b'"a": 7', b'"a": 1e400'), "backup_field", "state"),
    ("state of three megabytes", lambda: with_hand(state={"a": "x" * 3_000_000}), "backup_field", "hands[1].state"),
    ("no photo key", lambda: without(with_hand(), "hands", "photo"), "backup_field", "hands[1].photo"),
    ("photo that is no base64", lambda: with_hand(photo="%%%"), "backup_field", "hands[1].photo"),
    ("photo beyond ASCII", lambda: with_hand(photo="ÿØ中"), "backup_field", "hands[1].photo"),
    ("photo that is a PNG", lambda: with_hand(photo="iVBORw0KGgo="), "backup_field", "JPEG"),
    ("photo that only begins as a JPEG", lambda: with_hand(photo="/9gA"), "backup_field", "JPEG"),
    ("photo of 400 million pixels", lambda: with_game(photos={"11m": huge()}), "backup_field", "120 MP"),
    ("photo as a number", lambda: with_hand(photo=7), "backup_field", "hands[1].photo"),
    ("photo of 21 megabytes", lambda: with_hand(photo="/9g=" * 7_000_000), "backup_field", "hands[1].photo"),
    ("hand that is none", lambda: text(document(hands=[7])), "backup_field", "hands[0]"),
    ("hands that are no list", lambda: text(document(hands={})), "backup_field", "hands"),
    ("game that is none", lambda: text(document(games=[[]])), "backup_field", "games[0]"),
    ("game without photos", lambda: text(document(games=[{"game": GAME}])), "backup_field", "games[0].photos"),
    ("unknown ruleset of a game", lambda: with_game(ruleset="hk"), "backup_game", "'hk' is no ruleset"),
    ("ruleset with half a character", lambda: with_game(ruleset="\ud800"), "backup_game", "no ruleset"),
    ("three players", lambda: with_game(players=["A", "B", "C"]), "backup_game", "four names"),
    ("a player as a number", lambda: with_game(players=["A", "B", "C", 4]), "backup_game", "four names"),
    ("a player with half a character", lambda: with_game(players=["\ud800", "B", "C", "D"]), "backup_game", "names"),
    ("a player of a megabyte", lambda: with_game(players=["A" * 1_000_000, "B", "C", "D"]), "backup_game", "names"),
    ("start 10**30", lambda: with_game(start=10**30), "backup_game", "'start'"),
    ("start 0.5", lambda: with_game(start=0.5), "backup_game", "'start'"),
    ("closed yes", lambda: with_game(closed="yes"), "backup_game", "'closed'"),
    ("unknown key of a game", lambda: with_game(colour="red"), "backup_game", "'colour'"),
    ("unknown option", lambda: with_game(options={"speed": 1}), "backup_game", "'speed'"),
    ("option 10**30", lambda: with_game(options={"start_points": 10**30}), "backup_game", "'start_points'"),
    ("options as a list", lambda: with_game(options=[]), "backup_game", "'options'"),
    ("deals as an object", lambda: with_game(deals={}), "backup_game", "'deals'"),
    ("a deal that is none", lambda: with_game(deals=[7]), "backup_game", "deal"),
    ("a deal that ends twice", lambda: with_deal(deal={**DRAW, "winner": "E"}), "backup_game", "ends in one way"),
    ("unknown seating", lambda: with_deal(seating="AAAA"), "backup_game", "'seating'"),
    ("agreed 10**30", lambda: with_deal(agreed={"E": 10**30, "S": -(10**30)}), "backup_game", "'agreed'"),
    ("a million deals", lambda: many(20_000), "backup_game", "1000"),
    ("photos as a list", lambda: with_game(photos=["11m"]), "backup_field", "games[1].photos"),
    ("photo of a game that is none", lambda: with_game(photos={"11m": "AAAA"}), "backup_field", "games[1].photos.11m"),
    ("photo named with half a character", lambda: with_game(photos={"\ud800": PHOTO}), "backup_field", "photos"),
    ("of a newer version", lambda: text(document(tilescore_backup=3)), "backup_newer", ""),
    ("of version 10**30", lambda: text(document(tilescore_backup=10**30)), "backup_newer", ""),
    ("of version 0", lambda: text(document(tilescore_backup=0)), "backup_field", "tilescore_backup"),
    ("of version true", lambda: text(document(tilescore_backup=True)), "backup_field", "tilescore_backup"),
    ("of version two", lambda: text(document(tilescore_backup="2")), "backup_field", "tilescore_backup"),
    ("of a newer version with other entries", lambda: text({"tilescore_backup": 9, "games": [1]}), "backup_newer", ""),
    ("an unknown key beside the lists", lambda: text(document(colour="red")), "backup_field", "colour"),
    ("cut off", lambda: text(document())[:-40], "backup_damaged", ""),
    ("cut off within a letter", lambda: '{"tilescore_backup": 2, "games": ["中'.encode()[:-1], "backup_damaged", ""),
    ("a second document behind it", lambda: text(document()) * 2, "backup_damaged", ""),
    ("zeros behind it", lambda: text(document()) + bytes(100), "backup_damaged", ""),
    ("a comma too many", lambda: text(document())[:-2] + b",]}", "backup_damaged", ""),
    ("a byte that is no UTF-8", lambda: text(document()).replace(b"Eve", b"\xff\xfe\xff"), "backup_damaged", ""),
    ("deep within an entry", lambda: b'{"tilescore_backup": 2, "games": [' + b"[" * 100_000, "backup_damaged", ""),
    ("nested without end", lambda: b"[" * 100_000, "backup_foreign", ""),
    ("one key without end", lambda: b'{"' + b"a" * 3_000_000, "backup_foreign", ""),
    ("of another program", lambda: b'{"fruit": "apple"}', "backup_foreign", ""),
    ("of another program with games", lambda: b'{"games": [1, 2], "hands": {}}', "backup_foreign", ""),
    ("a million members", lambda: text({f"k{n}": n for n in range(300_000)}), "backup_foreign", ""),
    ("a list", lambda: b"[1, 2]", "backup_foreign", ""),
    ("a number", lambda: b"7", "backup_foreign", ""),
    ("a picture", lambda: JPEG, "backup_foreign", ""),
    ("empty", lambda: b"", "backup_foreign", ""),
    ("spaces", lambda: b" " * 3_000_000, "backup_foreign", ""),
    ("two bytes of UTF-16", lambda: b"\xff\xfe", "backup_foreign", ""),
    ("a zip of a backup", lambda: zipped("copy.json", text(document())), "backup_foreign", ""),
    ("a zip that is cut off", lambda: zipped("copy.json", text(document()), cut=50), "backup_foreign", ""),
    ("a zip bomb", lambda: zipped("copy.json", bytes(50_000_000)), "backup_foreign", ""),
    ("a zip with a path", lambda: zipped("../../etc/passwd", b"x"), "backup_foreign", ""),
    ("gzip", lambda: gzip.compress(text(document())), "backup_foreign", ""),
    ("a database", lambda: b"SQLite format 3\0" + bytes(4000), "backup_foreign", ""),
    ("a game of an unknown ruleset", lambda: text({**GAME, "ruleset": "hk"}), "backup_game", "'hk' is no ruleset"),
    ("a game without players", lambda: text({"ruleset": "mcr"}), "backup_foreign", ""),
    ("a game that is cut off", lambda: text(GAME)[:-9], "backup_damaged", ""),
]  # fmt: skip


@pytest.fixture(autouse=True)
def _kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A data folder with a game and a hand."""
    monkeypatch.setenv("TILESCORE_DATA", str(tmp_path / "data"))
    LedgerStore().begin(Game.new("classical", ("A", "B", "C", "D")))
    HandStore().put_hand("ann", past("before"), photo=JPEG)


def kept() -> str:
    return "\n".join(exported("ann"))


@pytest.mark.parametrize(("what", "file", "code", "named"), REFUSED, ids=[row[0] for row in REFUSED])
def test_a_bad_file_is_one_sentence_and_changes_nothing(
    what: str, file: Callable[[], bytes], code: str, named: str
) -> None:
    before = kept()
    with pytest.raises(InputError) as caught:
        imported(io.BytesIO(file()), "ann")
    message = str(caught.value)
    assert (caught.value.code, named in message, len(message) < 1000, message.isprintable()) == (code, True, True, True)
    assert kept() == before, what


def test_there_are_sixty_kinds() -> None:
    assert len({row[0] for row in REFUSED}) == len(REFUSED) >= 60


TAKEN: list[tuple[str, Callable[[], bytes], tuple[int, int, int]]] = [
    # what, the file, games, hands and what was there
    ("as it is", lambda: text(document()), (1, 1, 0)),
    ("keys in another order", lambda: text(dict(sorted(document().items()))), (1, 1, 0)),
    ("with line ends of Windows", lambda: json.dumps(document(), indent=1).replace("\n", "\r\n").encode(), (1, 1, 0)),
    ("a mark of the order of bytes", lambda: b"\xef\xbb\xbf" + text(document()), (1, 1, 0)),
    ("UTF-16", lambda: json.dumps(document()).encode("utf-16"), (1, 1, 0)),
    ("a time of another zone", lambda: with_hand(at="2026-11-27T10:00:00.5-03:30"), (1, 2, 0)),
    ("the hand twice", lambda: with_hand(id="good"), (1, 1, 1)),
    ("the game twice", lambda: text(document(games=document()["games"] * 2)), (1, 1, 0)),
    ("a hand that is here", lambda: with_hand(id="before"), (1, 1, 1)),
    ("names in Chinese and emoji", lambda: with_game(players=["紅中", "👩‍👧", "O'Neil", "<b>"]), (2, 1, 0)),
    ("no lists", lambda: b'{"tilescore_backup": 2}', (0, 0, 0)),
    ("empty lists", lambda: text(document(games=[], hands=[])), (0, 0, 0)),
    ("a game by itself", lambda: text(GAME), (1, 0, 0)),
]  # fmt: skip


@pytest.mark.parametrize(("what", "file", "counts"), TAKEN, ids=[row[0] for row in TAKEN])
def test_an_odd_file_comes_in_as_a_whole(what: str, file: Callable[[], bytes], counts: tuple[int, int, int]) -> None:
    found = imported(io.BytesIO(file()), "ann")
    assert (found.games, found.hands, found.known) == counts, what
    assert len(LedgerStore().games()) == 1 + counts[0]
    assert len(HandStore().hands("ann").hands) == 1 + counts[1]


def test_an_entry_without_end_is_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entries, "MOST_MEGABYTES", 2)
    with pytest.raises(InputError) as caught:
        imported(io.BytesIO(with_hand(notation="1" * 9_000_000)), "ann")
    assert caught.value.code == "backup_too_large"


ODD_VALUES: tuple[Any, ...] = (
    *(None, True, 0, -1, 10**30, 1e300, 0.5, "", "x", "\ud800", "\0", "a" * 10_000, [], [1], [[]], {}, {"a": 1}),
)


def places(value: Any, before: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where something stands in a document."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [before, *(place for key, one in inside for place in places(one, (*before, key)))]


def test_any_odd_value_anywhere_is_refused_in_words_or_comes_in() -> None:
    """After each file everything can be listed, exported, and comes in again on another machine."""
    whole = document()
    whole["games"][0]["game"] = GAME
    messages = list[str]()
    for place in places(whole)[1:]:
        for odd in ODD_VALUES:
            changed = json.loads(json.dumps(whole))
            inner = changed
            for key in place[:-1]:
                inner = inner[key]
            inner[place[-1]] = odd
            try:
                imported(io.BytesIO(text(changed)), "ann")
            except InputError as error:
                messages.append(str(error))
    assert all(map(str.isprintable, messages))
    assert HandStore().hands("ann").is_whole
    data = kept().encode()
    found = imported(io.BytesIO(data), "ben")
    assert (found.games, found.hands) == (0, len(HandStore().hands("ann").hands))
    assert all(LedgerStore().load(summary.id).game for summary in LedgerStore().games())
