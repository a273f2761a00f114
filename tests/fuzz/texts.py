"""Corrupted texts: hands and deals as JSON and in notation, saved games, label files of all formats."""

from __future__ import annotations

import csv
import json
import math
import shutil
import tempfile
from itertools import cycle, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from PIL import Image

from tests.fuzz.damaged_bytes import corrupted_bytes, corrupted_json
from tilescore.datasets import formats
from tilescore.datasets.labels import CLASS_NAMES, LabelledBox, LabelledPicture
from tilescore.datasets.parts import Part
from tilescore.scoring.context import OCCASION_NAMES, SEATS
from tilescore.scoring.game.ledger import Game
from tilescore.scoring.game.record import Record
from tilescore.scoring.game.stream import score_lines, settle_lines
from tilescore.scoring.hand import Hand
from tilescore.scoring.ruleset import RULESETS, ruleset
from tilescore.vision.image.boxes import Box

if TYPE_CHECKING:
    from collections.abc import Iterable
    from random import Random

_ROOT: Final = Path(__file__).resolve().parents[2]
_LOSERS: Final = ("147m258p369s1234z", "19m19p19s1234567z", "2358m2258p258s67z", "346m347p346s3467z")
_ENDS: Final[tuple[dict[str, Any], ...]] = (
    {"draw": {"kind": "exhausted", "ready": ["E", "S"], "nagashi_mangan": ["W"]}},
    {"draw": {"kind": "four_winds", "ready": []}},
    {"foul": {"by": "W", "kind": "false_mahjong"}},
)
_OF_THREE: Final = (
    "345p678p345s789s22p +9s &4z",
    "345p678s22s (555s) (888p) +8s &44z",
    "999m44z (111m) (111z) (333z) +9m",
    "19m19p19s12345677z +1m",
    "1199m3355p7799s44z +4z",
    "340p678p345s78s22p",
)
_OF_SIXTEEN: Final = (
    "234p678p345s99s (123m) (777s) +5s &1f",
    "123m456m234p678p345s99s +9s &1234f1q",
    "44z (111m) (999p) (555z) [6666z] (789s) +4z",
    "123456789m11122233s +3s &1234f1234q",
    "111222333444z55p67p",
)
_SHARED: Final = {"concealed": "123m345678p99567s", "winning_tile": "5s", "honba": 3, "occasions": ["riichi"]}
_SEVERAL: Final[tuple[dict[str, Any], ...]] = (
    {
        "winners": ["S", "N"],
        "discarder": "W",
        "hands": {"S": _SHARED, "N": {"concealed": "456m12378911p345s", "winning_tile": "5s", "dora_indicators": "1z"}},
    },
    {"winner": "S", "discarder": "W", "ready": ["W"], "hands": {"S": _SHARED}, "liable": {"S": "N"}},
)


class Hands:
    """The targets `score-hands`, `settle` and the notation of hands."""

    def __init__(self) -> None:
        with (_ROOT / "ui" / "words" / "examples.csv").open(encoding="utf-8", newline="") as file:
            self._hands = _hands({row["hand"] for row in csv.DictReader(file) if row["hand"]}, dora="3m")
        self._own = {"riichi3": _hands(_OF_THREE, dora="1m"), "taiwan": _hands(_OF_SIXTEEN, dora="3m")}
        options = [entry for name in RULESETS for entry in ruleset(name).options()]
        self._words = (
            *SEATS, *OCCASION_NAMES, "self_draw", "discard", "chow", "pung", "kong", "left", "across", "right",
            "5m", "0p", "7z", "1f", "4q", "back", "1112345678999m", "19m19p19s12345677z",
            *(entry.name for entry in options),
        )  # fmt: skip
        self._options = [{entry.name: choice} for entry in options for choice in (entry.default, *entry.choices)]

    def make(self, random: Random, _number: int) -> bytes:
        """Make `RULESET WHAT LINE`, where WHAT is score, settle or notation."""
        name, what = random.choice(list(RULESETS)), random.choice(("score", "score", "settle", "notation"))
        own = self._own.get(name)
        hand = random.choice(self._hands if own is None else own)
        if what == "notation":
            line = corrupted_bytes(random, str(Hand.from_json(_tiles_of(hand))).encode()).decode(errors="replace")
        else:
            data = {**hand, "id": 7} if what == "score" else _deal(random, hand, _LOSERS if own is None else ())
            if random.random() < 0.5:
                data["options"] = random.choice(self._options)
            line = corrupted_json(random, data, others=self._words)
        return f"{name} {what} {line}".encode(errors="surrogatepass")

    def feed(self, data: bytes) -> bool:
        """Feed the line; gives whether it is accepted. A stream must answer every line with one line of strict JSON."""
        name, what, line = data.decode(errors="surrogatepass").split(" ", 2)
        if what == "notation":
            hand = Hand.parse(line)
            if Hand.parse(str(hand)) != hand:
                raise AssertionError(f"'{hand}' does not parse to itself")
            return True
        answers = list((score_lines if what == "score" else settle_lines)(name, [line]))
        if len(answers) != bool(line.strip()):
            raise AssertionError(f"{len(answers)} answers to one line")
        answer = json.loads(answers[0], parse_constant=_no_number) if answers else {"error": None}
        answers[0].encode() if answers else None
        return "error" not in answer


class Ledgers:
    """The target `Game.parse`, which reads saved games."""

    def __init__(self) -> None:
        self._games = [json.loads(str(game)) for game in _games()]
        self._words = (
            *SEATS,
            *OCCASION_NAMES,
            *RULESETS,
            "ABCD",
            "DCBA",
            "AABC",
            "exhausted",
            "5m",
            "123m",
            "kong",
        )

    def make(self, random: Random, _number: int) -> bytes:
        """Make the text of a game."""
        game = random.choice(self._games)
        return corrupted_json(random, game, others=self._words).encode(errors="surrogatepass")

    def feed(self, data: bytes) -> bool:
        """Parse the game; an accepted game must parse to itself again and have the standings of all players."""
        game = Game.parse(data.decode(errors="surrogatepass"))
        if Game.parse(str(game)) != game or len(game.standings) != len(game.rules.traits.seats):
            raise AssertionError("the game does not parse to itself, or it lacks standings")
        if game.records:
            game.undo().redo()
        return True


class Labels:
    """The label formats: a set of two pictures in each format, with one corrupted file."""

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="tilescore-fuzz-"))
        pictures = []
        for number in range(2):
            path = self._folder / f"{number}.png"
            Image.new("RGB", (64, 48)).save(path)
            boxes = tuple(LabelledBox(name, Box(5, 5, 20, 30), Part("meld", 1)) for name in CLASS_NAMES[number::9])
            pictures.append(LabelledPicture(path, (64, 48), boxes, path.name, ("train", "val")[number], checked=True))
        self._files: list[tuple[str, Path]] = []
        for name in formats.WRITTEN:
            formats.write(pictures, self._folder / name, format_name=name)
            files = sorted(path for path in (self._folder / name).rglob("*") if path.is_file())
            self._files += [(name, path.relative_to(self._folder)) for path in files]

    def make(self, random: Random, _number: int) -> bytes:
        """Make `PATH`, a line break, and the new content of that file."""
        name, place = random.choice(self._files)
        data = (self._folder / place).read_bytes()
        if place.suffix == ".json" and random.random() < 0.7:
            corrupted = corrupted_json(random, json.loads(data), others=(name, *CLASS_NAMES[:3])).encode(
                errors="surrogatepass"
            )
        elif place.suffix == ".xml" and random.random() < 0.1:
            corrupted = _entities(random)
        else:
            corrupted = corrupted_bytes(random, data)
        return str(place).encode() + b"\n" + corrupted

    def feed(self, data: bytes) -> bool:
        """Read the set; gives whether a box is left. Raises InputError if it is no set at all."""
        place, corrupted = data.split(b"\n", 1)
        path = self._folder / place.decode()
        original = path.read_bytes()
        path.write_bytes(corrupted)
        try:
            root = self._folder / Path(place.decode()).parts[0]
            found = formats.read(root)
            formats.read(root, format_name=root.name)
        finally:
            path.write_bytes(original)
        for picture in found.pictures:
            if not all(math.isfinite(value) for box in picture.boxes for value in box.box.xyxy):
                raise AssertionError(f"a box of '{picture.key}' has a side that is no number")
        return found.boxes > 0

    def close(self) -> None:
        """Delete the temporary folder."""
        shutil.rmtree(self._folder, ignore_errors=True)


def _no_number(constant: str) -> None:
    raise AssertionError(f"{constant} in an answer")


def _hands(texts: Iterable[str], *, dora: str) -> list[dict[str, Any]]:
    """These hands, such as those of the example file of the fans, with various circumstances."""
    hands = []
    for text, win_by in zip(sorted(texts), cycle(("self_draw", "discard", None)), strict=False):
        hand = Hand.parse(text).to_json()
        circumstances = {"win_by": win_by, "discarder": "W" if win_by == "discard" else None, "seat": "E", "round": "S"}
        riichi = {"occasions": ["last_tile"], "dora_indicators": dora, "honba": 1, "riichi_deposits": 1}
        hands.append({**hand, **circumstances, **riichi})
    return hands


def _tiles_of(hand: dict[str, Any]) -> dict[str, Any]:
    return {key: hand[key] for key in Hand.parse("1m").to_json() if key in hand}


def _deal(random: Random, hand: dict[str, Any], losers: tuple[str, ...]) -> dict[str, Any]:
    hands = {
        str(seat): {"concealed": text, "seat": str(seat)}
        for seat, text in zip(SEATS, losers, strict=False)
        if seat != "E"
    }
    if random.random() < 0.2:
        return {**random.choice(_ENDS), "hands": hands}
    if random.random() < 0.2:
        return random.choice(_SEVERAL)
    return {"winner": "E", "discarder": hand["discarder"], "hands": {"E": hand, **hands}}


def _games() -> list[Game]:
    """Two played games for each ruleset: a win, a draw, and points that the players agreed on."""
    from tilescore.scoring.deal import Deal

    games = []
    for name in RULESETS:
        rules = ruleset(name)
        seats, sixteen = rules.traits.seats, rules.traits.size > Hand.SIZE
        game = Game.new(name, ("Ann", "Ben", "Cleo", "Dan")[: len(seats)])
        game = game.play(Deal(hands={}, draw="exhausted", ready=(SEATS[1],) if rules.traits.stick else ()))
        game = game.play(Deal(hands={}, winner=SEATS[2]), agreed={SEATS[2]: 900, SEATS[0]: -900})
        concealed = "123456789p22233s" + ("555z" if sixteen else "")
        won = {"concealed": concealed, "winning_tile": "3s", "seat": "S", "win_by": "self_draw"}
        others = _beside("S") if len(seats) == len(SEATS) and not sixteen else {}
        record = {
            "deal": {"winner": "S", "hands": {"S": won, **others}},
            "seating": "".join(game.position.seating),
        }
        games += [game, game.play(Record.from_json(record).deal)]
    profiles = [
        profile for entry in ruleset("riichi").options() if entry.name == "profile" for profile in entry.choices
    ]
    for profile in profiles:
        game = Game.new("riichi", ("Ann", "Ben", "Cleo", "Dan"), options={"profile": profile, "length": "east"})
        game = game.play(Deal(hands={}, draw="exhausted", ready=SEATS), riichi=SEATS[:1])
        games.append(game.play(Deal(hands={}, foul_by=SEATS[3], foul_kind="false_mahjong")).close())
    return games


def _beside(winner: str) -> dict[str, Any]:
    return {str(seat): {"concealed": text} for seat, text in zip(SEATS, _LOSERS, strict=True) if seat != winner}


def _entities(random: Random) -> bytes:
    """A file whose few lines expand to gigabytes, in the usual encoding and in two that hide them."""
    names = "abcdefghi"
    grown = "".join(f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in pairwise(names))
    root = random.choice(("annotation", "annotations"))
    text = (
        f'<!DOCTYPE x [<!ENTITY a "{"x" * 100}">{grown}]><{root}><filename>&i;</filename><image name="&i;"/></{root}>'
    )
    return text.encode(random.choice(("utf-8", "utf-16", "utf-16-be")))
