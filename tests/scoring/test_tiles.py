"""Tiles: text, order, families, symbols, and copies in a set."""

from __future__ import annotations

import copy
import pickle
import time
from typing import TYPE_CHECKING

import pytest

from tilescore.errors import HandError, TileError
from tilescore.scoring.context import OCCASION_NAMES, Seat, WinBy
from tilescore.scoring.hand import MeldKind
from tilescore.scoring.pasted import meant
from tilescore.scoring.ruleset import RULESETS
from tilescore.scoring.tiles import ALL_FACES, BACK, PLAYING_TILES, Tile, check_copies, format_tiles, parse_tiles

if TYPE_CHECKING:
    from collections.abc import Iterable


def test_there_are_46_faces() -> None:
    assert len(ALL_FACES) == len(set(ALL_FACES)) == 46
    assert len(PLAYING_TILES) == 34
    assert ALL_FACES[-1] is BACK


@pytest.mark.parametrize("tile", ALL_FACES, ids=str)
def test_parse_inverts_str(tile: Tile) -> None:
    assert Tile.parse(str(tile)) == tile
    assert parse_tiles(str(tile)) == (tile,)


@pytest.mark.parametrize(
    ("text", "count"),
    [("", 0), ("123m406p77z", 8), ("1m 2m\t3m", 3), ("backback1m", 3), ("1f2q", 2), ("111m111p", 6)],
)
def test_runs(text: str, count: int) -> None:
    tiles = parse_tiles(text)
    assert len(tiles) == count
    assert parse_tiles(format_tiles(tiles)) == tiles


def test_neighbours_of_a_suit_share_its_letter() -> None:
    assert format_tiles(parse_tiles("1m2m1p back back 3m")) == "12m1pbackback3m"


@pytest.mark.parametrize("text", ["0z", "8z", "0f", "5q", "5", "5x", "", "r5", "10m", "back1"])
def test_what_is_no_tile(text: str) -> None:
    with pytest.raises(TileError, match="is no tile") as raised:
        Tile.parse(text)
    assert raised.value.params["text"] == text
    assert f"'{text}'" in str(raised.value)


@pytest.mark.parametrize(
    "text", ["m", "12", "12x", "1m!", "8z", "123m,4", "r5", "12E", "ab", "🀪", "红", "風", "青", "板"]
)
def test_what_is_no_run(text: str) -> None:
    with pytest.raises(TileError):
        parse_tiles(text)


PASTED = [
    ("capitals", "123M456P77Z", "123m456p77z"),
    ("glyphs", "🀇🀏🀐🀘🀙🀡🀀🀃🀄🀅🀆🀢🀣🀤🀥🀩🀫", "19m19s19p1z4z7z6z5z1243f4qback"),
    ("glyphs with selectors", "\U0001f004\ufe0f🀙\ufe0e", "7z1p"),
    ("commas", "1m,2m; 3p、4s", "12m3p4s"),
    ("digits apart", "1, 2, 3m 4 5p", "123m45p"),
    ("winds and dragons by letters", "EESWN 123S PFC", "11234z123s567z"),
    ("red fives", "34r5m 5pr r5s 赤5p", "340m0p0s0p"),
    ("a red five before more tiles of its suit", "34p5pr678p", "340678p"),
    ("wide digits and letters", "１２３ｍ　４５ｐ", "123m45p"),
    ("Chinese", "一二三萬 伍万 3条 4筒 東南西北 白發中 紅中 青發 梅夏", "123m5m3s4p1234z567z7z6z1f2q"),
    ("Chinese in two characters", "東風 北风 发财 白板 红中 発", "1z4z6z5z7z6z"),
    ("a red five in words", "Red-5p red5m 赤5s", "0p0m0s"),
    ("words", "east South wind, red dragon haku", "12z75z"),
    ("a byte order mark", "\ufeff123m", "123m"),
]


@pytest.mark.parametrize(("why", "text", "meaning"), PASTED, ids=[row[0] for row in PASTED])
def test_what_people_paste(why: str, text: str, meaning: str) -> None:
    assert format_tiles(parse_tiles(text)) == format_tiles(parse_tiles(meaning)), why


@pytest.mark.parametrize(("text", "tile"), [(" 8s", "8s"), ("8S ", "8s"), ("🀄", "7z"), ("E", "1z"), ("5pr", "0p")])
def test_one_tile_as_people_paste_it(text: str, tile: str) -> None:
    assert Tile.parse(text) is Tile.parse(tile)


# Reading would be a guess: digits without a suit, a number that no honour has, a red five of some suit.
@pytest.mark.parametrize(
    ("text", "advised"),
    [("0z", "dragons 5z to 7z"), ("123m9z", "dragons 5z to 7z"), ("r5", "0m, 0p or 0s"), ("12🀇", "a suit letter"),
     ("12東", "a suit letter"), ("12E", "a suit letter"), ("1 2 E", "a suit letter"), ("5mr5p", "a red five is"),
     ("123mz", "a suit letter"), ("red 5p", "a red five is")],
)  # fmt: skip
def test_what_could_mean_several_tiles_is_answered(text: str, advised: str) -> None:
    with pytest.raises(TileError) as raised:
        parse_tiles(text)
    assert advised in str(raised.value)
    assert str(raised.value).endswith(".")


@pytest.mark.parametrize(
    ("given", "known", "answer"),
    [("pon", MeldKind, "pung"), ("PONG", MeldKind, "pung"), ("kan", MeldKind, "kong"), ("tsumo", WinBy, "self_draw"),
     ("Self Draw", WinBy, "self_draw"), ("ron", WinBy, "discard"), ("east", Seat, "E"), ("東", Seat, "E"),
     ("rinshan", OCCASION_NAMES, "kong_replacement"),
     ("last tile", OCCASION_NAMES, "last_tile"), ("clasical", RULESETS, "classical")],
)  # fmt: skip
def test_other_names_are_answered_with_ours(given: str, known: Iterable[str], answer: str) -> None:
    assert meant(given, known) == f"; write {answer}"


@pytest.mark.parametrize("given", ["bridge", "", None, 17])
def test_what_means_nothing_is_not_answered(given: object) -> None:
    assert meant(given, RULESETS) == ""


def test_reading_order() -> None:
    shuffled = parse_tiles("back1q1f7z1z9s1s0p5p4p9m1m")
    assert format_tiles(sorted(shuffled)) == "19m405p19s17z1f1qback"


@pytest.mark.parametrize(
    ("trait", "tiles"),
    [
        ("is_red", "0m0p0s"),
        ("is_wind", "1234z"),
        ("is_dragon", "567z"),
        ("is_honor", "1234567z"),
        ("is_terminal", "19m19p19s"),
        ("is_terminal_or_honor", "19m19p19s1234567z"),
        ("is_bonus", "1234f1234q"),
        ("is_back", "back"),
        ("is_suited", "1234567890m1234567890p1234567890s"),
    ],
)
def test_families(trait: str, tiles: str) -> None:
    assert {tile for tile in ALL_FACES if getattr(tile, trait)} == set(parse_tiles(tiles))


def test_a_red_five_is_a_five() -> None:
    assert [str(tile.plain) for tile in parse_tiles("0m0p0s5m1zback")] == ["5m", "5p", "5s", "5m", "1z", "back"]


@pytest.mark.parametrize(
    ("tile", "symbol"),
    list(
        zip(
            ["1m", "9m", "1s", "1p", "0p", "1z", "4z", "5z", "6z", "7z", "1f", "4q", "back"],
            ["🀇", "🀏", "🀐", "🀙", "🀝", "🀀", "🀃", "🀆", "🀅", "🀄", "🀢", "🀩", "🀫"],
            strict=True,
        )
    ),
)
def test_symbols(tile: str, symbol: str) -> None:
    assert Tile.parse(tile).symbol == symbol


def test_every_symbol_is_another() -> None:
    assert len({tile.symbol for tile in ALL_FACES}) == 43


def test_digits_with_spaces_and_no_suit_take_no_time() -> None:
    start = time.process_time()
    with pytest.raises(TileError, match="is no tile"):
        parse_tiles("5 " * 16_000)
    assert time.process_time() - start < 1  # a search from each space takes three seconds


@pytest.mark.parametrize("tiles", ["1111m", "5550m", "1234f1234q", "backbackbackbackback"])
def test_what_a_set_holds(tiles: str) -> None:
    check_copies(parse_tiles(tiles))


@pytest.mark.parametrize(("tile", "copies"), [("5p", 4), ("0p", 1), ("3f", 1), ("2q", 1), ("7z", 4), ("back", 144)])
def test_how_many_a_set_holds(tile: str, copies: int) -> None:
    assert Tile.parse(tile).copies == copies


@pytest.mark.parametrize(("tiles", "culprit", "count"), [("11111m", "1m", 5), ("05555p", "5p", 5), ("11f", "1f", 2)])
def test_more_than_a_set_holds(tiles: str, culprit: str, count: int) -> None:
    with pytest.raises(HandError, match=f"{count} times {culprit}") as raised:
        check_copies(parse_tiles(tiles))
    assert (raised.value.code, raised.value.params["tile"]) == ("too_many_copies", culprit)


@pytest.mark.parametrize("tile", ALL_FACES, ids=str)
def test_a_face_is_one_object_copied_pickled_or_parsed(tile: Tile) -> None:
    assert pickle.loads(pickle.dumps(tile)) is tile  # noqa: S301 - our own bytes
    assert copy.deepcopy(tile) is tile
    assert Tile.parse(str(tile)) is tile


@pytest.mark.parametrize(("suit", "rank"), [("m", 17), ("x", 1), ("m", "0"), ("z", 0), ("b", 1), ("m", None)])
def test_there_is_no_other_face(suit: str, rank: int) -> None:
    with pytest.raises(TileError, match=f"'{rank}{suit}' is no tile: give a suit"):
        Tile(suit, rank)


def test_an_equal_number_does_not_change_the_face() -> None:
    assert Tile("m", 5.0) is Tile.parse("5m")  # type: ignore[arg-type]  # as a table with a gap holds it
    assert str(Tile.parse("5m")) == "5m"
    assert Tile("m", True) is Tile.parse("1m")
    assert type(Tile.parse("1m").rank) is int
