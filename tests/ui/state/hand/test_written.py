"""A written hand on the photo that it belongs to, and a hand that comes back from the disk as it was."""

import json
from dataclasses import replace

import pytest

from tests.ui.state.hand.test_work import CLOSED, seen
from tilescore.errors import InputError
from tilescore.scoring.context import Context, Occasion, Seat, WinBy
from tilescore.scoring.hand import Hand
from tilescore.scoring.score import ScoreLine
from tilescore.scoring.tiles import BACK, Tile, parse_tiles
from tilescore.ui.state.hand import stored
from tilescore.ui.state.hand.highlight import tiles_of
from tilescore.ui.state.hand.work import Picture, Work
from tilescore.ui.state.hand.written import hand_of, written
from tilescore.vision.decoding.reading import Reading
from tilescore.vision.detections import Candidate, Detection
from tilescore.vision.image.boxes import Box
from tilescore.vision.layout.layout import Role

TEXTS = [
    # text, hand
    ("123m456p789s11z345s", "123m456p789s11z345s"),
    ("123m456p789s11z345s +5s", "123m456p789s11z345s +5s"),
    ("123m456p789s11z34s +5s", "123m456p789s11z345s +5s"),
    ("123m456p789s11z34s+3s", "123m456p789s11z343s +3s"),
    ("11z345s (123m) (456p) (789s) + 1z", "11z345s (123m) (456p) (789s) +1z"),
    ("123m456p789s111z34s55m +5s", "123m456p789s111z34s55m5s +5s"),
]


@pytest.mark.parametrize(("text", "hand"), TEXTS)
def test_a_winning_tile_completes_thirteen(text: str, hand: str) -> None:
    assert str(hand_of(text)) == hand


def test_a_winning_tile_that_is_not_there_is_still_an_error() -> None:
    with pytest.raises(InputError, match="not among the concealed tiles"):
        hand_of("123m +9m")


ON_PHOTO = [
    # what the text changes, hand, tiles without a place on the photo
    ("nothing", CLOSED, 0),
    ("one name", "123m456p789s22z345s", 0),
    ("the winning tile", f"{CLOSED} +5s", 0),
    ("a meld", "123m456p11z345s (789s)", 0),
    ("a tile less", "123m456p789s11z34s", 0),
    ("a tile more, which wins", "123m456p789s11z3455s +5s", 1),
    ("a flower more", f"{CLOSED} &1f", 1),
    ("five tiles", "99p777z345s111m234p", 0),
]


@pytest.mark.parametrize(("what", "text", "unseen"), ON_PHOTO)
def test_a_text_is_brought_onto_the_photo(what: str, text: str, unseen: int) -> None:
    before = seen(CLOSED).now
    after = written(before, Hand.parse(text))
    assert after.picture == before.picture, what
    assert after.reading is not None, what
    wanted = Hand.parse(text)
    assert sorted(after.hand.concealed) == sorted(wanted.concealed), what
    assert (after.hand.winning_tile, after.hand.melds, after.hand.bonus) == (
        wanted.winning_tile, wanted.melds, wanted.bonus
    ), what  # fmt: skip
    assert len(after.unseen) == unseen, what


def lying(first: str, kong: str) -> Work:
    """A photo of a row and, half a tile apart, of a kong of which dots lie face down."""
    row, apart = parse_tiles(first), [None if one == "." else Tile.parse(one) for one in kong.split()]
    places = [*(50 + 44 * at for at in range(len(row))), *(50 + 44 * (len(row) + 0.5 + at) for at in range(len(apart)))]
    detections = tuple(
        Detection(Box(x, 100, x + 40, 155), 1.0, (Candidate(tile or BACK, 0.99),))
        for x, tile in zip(places, (*row, *apart), strict=True)
    )
    return Work(reading=Reading.of(detections, size_wh=(1000, 400)), picture=Picture(b"jpeg", (1000, 400)))


def test_a_text_names_no_tile_that_lies_face_down() -> None:
    before = lying("123m456p77711z", ". 9s 9s .")
    assert str(before.hand) == "123m456p77711z [9999s]"
    after = written(before, Hand.parse("129m456p77711z [9999s]"))
    assert str(after.hand) == "129m456p77711z [9999s]"
    assert [str(after.tile(at)) for at in range(11, 15)] == ["back", "9s", "9s", "back"]


@pytest.mark.parametrize("at", range(11, 15))
def test_a_kong_that_lies_face_down_gets_its_name_by_one_tap(at: int) -> None:
    work = lying("123m456p77711z", ". . . .")
    assert str(work.with_tile(at, Tile.parse("9s")).hand) == "123m456p77711z [9999s]"


def test_a_photo_comes_back_as_it_was() -> None:
    work = seen(CLOSED).now.with_role(5, Role.WINNING).with_added(Hand.parse("9p").concealed[0], None)
    work = replace(work.with_moved(0, 3), id="abc", context=Context(
        win_by=WinBy.DISCARD, discarder=Seat.WEST, seat=Seat.SOUTH, occasions=Occasion.RIICHI | Occasion.LAST_TILE
    ))  # fmt: skip
    assert work.picture is not None
    assert stored.from_json(json.loads(json.dumps(stored.to_json(work))), work.picture.jpeg) == work


def test_a_typed_hand_comes_back_as_it_was() -> None:
    work = replace(Work.of(Hand.parse("11m (123m<2m) [5555z] +1m &1f")), id="abc")
    assert stored.from_json(json.loads(json.dumps(stored.to_json(work))), None) == work


def test_a_typed_hand_of_an_earlier_file_opens() -> None:
    hand = "11m (123m<2m) [5555z] +1m &1f"
    before: dict[str, object] = {name: [] for name in ("concealed_kongs", "unseen", "arranged")}
    before |= {"id": "abc", "typed": hand, "reading": None}
    work = stored.from_json(before | {"context": Context(win_by=WinBy.DISCARD).to_json()}, None)
    assert (str(work.hand), work.context.win_by, work.on_photo) == (hand, WinBy.DISCARD, False)
    assert stored.to_json(work) == stored.to_json(replace(Work.of(Hand.parse(hand)), id="abc", context=work.context))


def test_several_tiles_change_together() -> None:
    work = seen("123m456p789s11z345s99p").now
    aside = work.with_roles((14, 15), Role.OTHER)
    assert str(aside.hand) == CLOSED
    assert str(aside.with_hand(tuple(range(14))).hand) == CLOSED
    assert aside.with_roles((14, 15), Role.CONCEALED).size == 16
    melded = aside.with_roles((0, 1, 2, 6, 7, 8), Role.MELD)
    assert str(melded.hand) == "456p11z345s (123m) (789s)"
    with pytest.raises(InputError, match="no flower"):
        aside.with_roles((0, 1), Role.BONUS)


def test_tiles_change_places() -> None:
    work = seen("123m456p789s11z345s").now.with_moved(0, 3)
    assert [str(work.tile(at)) for at in work.order][:4] == ["2m", "3m", "1m", "4p"]
    assert str(Work.of(Hand.parse("123m")).with_moved(0, None).hand) == "231m"
    assert str(Work.of(Hand.parse("13m5z")).with_added(Hand.parse("2m").concealed[0], None).hand) == "123m5z"


def test_a_line_lights_the_tiles_of_a_kong_that_lie_face_down() -> None:
    work = lying("123m456p77711z", ". 9s 9s .")
    assert tiles_of(work, ScoreLine(key="mcr.concealed_kong", tiles=parse_tiles("9999s"))) == {11, 12, 13, 14}
