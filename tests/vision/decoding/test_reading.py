"""Edits, doubts and the limits of a tile set."""

import json
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vision.table import candidates, detection, lay, tiles
from tilescore.errors import HandError, InputError
from tilescore.scoring.hand import From
from tilescore.scoring.ruleset import ruleset
from tilescore.scoring.shapes.winning import Shape
from tilescore.scoring.tiles import ALL_FACES, PLAYING_TILES, Tile, format_tiles
from tilescore.vision.decoding.config import DECODING
from tilescore.vision.decoding.decode import name_tiles
from tilescore.vision.decoding.finish import finished
from tilescore.vision.decoding.reading import Reading
from tilescore.vision.detections import Detection
from tilescore.vision.image.boxes import Box
from tilescore.vision.layout.layout import MeldPlace, Role

CLOSED = tiles("123m456p789s11222z")


def codes(reading: Reading) -> list[str]:
    return [doubt.code for doubt in reading.doubts]


def test_a_clear_hand_leaves_one_question() -> None:
    assert codes(Reading.of(lay(CLOSED))) == ["winning_tile_unknown"]


def test_thirteen_tiles_say_so() -> None:
    reading = Reading.of(lay(CLOSED[:-2]))
    assert codes(reading) == ["tile_count"]
    assert reading.doubts[0].message.startswith("13 tiles")


def test_a_fifth_copy_takes_its_alternative() -> None:
    row = lay(tiles("11111m456p789s22z1z"))
    row[3] = detection("1m", row[3].box, ("7m", 0.3), confidence=0.6)
    reading = Reading.of(row)
    assert str(reading.hand) == "1117" + "1m456p789s221z"
    assert codes(reading)[0] == "too_many_copies"
    assert reading.doubts[0].detection == 3


def test_five_of_a_kind_that_a_person_insists_on_is_an_error() -> None:
    reading = Reading.of(lay(tiles("11111m456p789s22z1z")))
    with pytest.raises(HandError, match="5 times 1m"):
        _ = reading.hand


def test_unclear_tiles_are_asked_about_with_their_alternatives() -> None:
    row = lay(CLOSED)
    row[11] = detection("2z", row[11].box, ("1z", 0.4), ("7z", 0.01), confidence=0.5)
    doubt = Reading.of(row).doubts[0]
    assert (doubt.code, doubt.detection, [str(tile) for tile in doubt.alternatives]) == ("low_confidence", 11, ["1z"])


def test_a_tile_that_its_neighbours_determine_is_not_asked_about() -> None:
    row = lay(CLOSED)
    row[4] = detection("5p", row[4].box, ("9p", 0.4), confidence=0.55)
    assert codes(Reading.of(row)) == ["winning_tile_unknown"]


def test_edits_make_new_readings() -> None:
    first = Reading.of(lay(CLOSED))
    renamed = first.edited(tiles={0: Tile.parse("9m")})
    assert str(renamed.hand).startswith("923m")
    assert str(first.hand).startswith("123m")
    winner = first.with_role(13, Role.WINNING)
    assert str(winner.hand).endswith("+2z")
    other = winner.with_role(0, Role.WINNING)
    assert str(other.hand).endswith("+1m")
    assert other.winning == 0
    assert codes(other) == []
    fewer = other.without(5)
    assert len(fewer.layout.order) == 13
    assert fewer.winning == 0
    added = first.edited(added=[(Box(60 + 40 * 14, 373, 60 + 40 * 15, 427), Tile.parse("1f"))])
    assert str(added.hand).endswith("&1f")


@pytest.mark.parametrize(("rules", "last"), [("mcr", "1m"), ("riichi", "9p"), ("simplified", "1m")])
def test_a_finished_hand_has_a_form_of_its_ruleset(rules: str, last: str) -> None:
    """Four equal tiles are two of seven pairs, but not in riichi."""
    row = lay(tiles("111m22m33s44s55p66p9p"))
    row[13] = detection("9p", row[13].box, ("1m", 0.4), confidence=0.55)
    won = Reading.of(row).in_game(ruleset(rules).shapes, aside=frozenset(), is_win=True)
    assert str(won.detections[13].tile) == last


@pytest.mark.parametrize(
    ("row", "code", "words"),
    [
        ("11223m", "no_hand", r"'hand\.jpg' shows no hand: 5 tiles in view are too few\. Photograph the whole hand"),
        ("123m456p789s1122z", "tile_count", "13 tiles seen in 'hand.jpg'"),
    ],
)
def test_what_is_no_finished_hand_is_refused_with_the_reason(row: str, code: str, words: str) -> None:
    with pytest.raises(InputError, match=words) as refused:
        finished(Reading.of(lay(tiles(row)), photo_name="hand.jpg"), ruleset("mcr"))
    assert refused.value.code == code


def test_without_dora_no_tile_is_an_indicator() -> None:
    reading = Reading.of([*lay(CLOSED, y=500), *lay("..5p...", y=100)])
    assert Role.DORA_INDICATOR in reading.layout.roles
    plain = reading.without_indicators()
    assert Role.DORA_INDICATOR not in plain.layout.roles
    assert (plain.hand, plain.layout.order) == (reading.hand, reading.layout.order)


def test_removing_a_tile_keeps_later_ones_fixed() -> None:
    reading = Reading.of(lay(CLOSED)).with_role(13, Role.WINNING).without(2)
    assert reading.winning == 12


def test_a_person_makes_a_meld() -> None:
    reading = Reading.of(lay(tiles("123m456p789s11z222z")))
    for index in (11, 12, 13):
        reading = reading.with_role(index, Role.MELD)
    assert str(reading.hand) == "123m456p789s11z (222z)"


@pytest.mark.parametrize(
    ("text", "source", "told"), [("1s2s3s", "left", "left"), ("1s2s3s", "across", None), ("1s1s1s", "across", "across")]
)
def test_a_chow_is_claimed_from_the_left_wherever_its_tile_lies_turned(
    text: str, source: str, told: str | None
) -> None:
    reading = Reading.of(lay(text), photo_name="photo", size_wh=(1000, 1000))
    place = MeldPlace((0, 1, 2), called=1, source=From(source))
    assert reading.meld(place).to_json()["from"] == told


def test_taking_a_tile_out_of_the_hand_and_back() -> None:
    reading = Reading.of(lay(CLOSED)).with_role(0, Role.OTHER)
    assert len(reading.layout.order) == 13
    assert len(reading.with_role(0, Role.CONCEALED).layout.order) == 14


def test_json_has_the_keys_of_the_guide() -> None:
    """docs/json.md lists these keys."""
    reading = Reading.of(lay(f"{CLOSED} 1f"), photo_name="x.jpg", size_wh=(800, 600), model="m@0")
    data = json.loads(json.dumps(reading.to_json()))
    assert data["size_wh"] == [800, 600]
    assert data["hand"]["concealed"] == "123m456p789s11222z"
    assert data["hand"]["groups"] == ["123m456p789s11222z", "1f"]
    assert data["tiles_in_order"][-1] == "1f"
    keys = {"tile", "box_xyxy", "confidence", "turned", "role", "alternatives"}
    assert all(keys <= set(found) for found in data["detections"])


def unclear_pair(*, confidence: float = 0.6) -> list[Detection]:
    """A hand that is complete if its last tile is 2z, but that tile rather looks like 3z."""
    row = lay(tiles("123m456p789s1122z") + "3z")
    row[12] = detection("3z", row[12].box, ("2z", 0.4), confidence=confidence)
    return row[:13] + lay("1z", x=60 + 40 * 13)


def test_a_win_is_preferred_when_the_person_says_so() -> None:
    reading = Reading.of(unclear_pair())
    assert str(reading.with_win().hand) == "123m456p789s11221z"
    assert reading.with_win().with_win(False) == reading


def test_what_completes_the_hand_is_asked_about_with_its_reason() -> None:
    doubt = Reading.of(unclear_pair(confidence=0.6), is_win=True).doubts[0]
    assert (doubt.code, doubt.detection, [str(tile) for tile in doubt.alternatives]) == ("completes_hand", 12, ["3z"])
    assert doubt.message == "2z or 3z? With 2z the hand is complete."


def test_a_clear_tile_is_never_overruled() -> None:
    row = unclear_pair()
    row[12] = detection("3z", row[12].box, ("2z", 0.01), confidence=0.99)
    reading = Reading.of(row, is_win=True)
    assert reading.detections[12].tile == Tile.parse("3z")
    doubt = reading.doubts[-1]
    assert (doubt.code, doubt.detection) == ("not_a_win", 12)
    assert "one tile away. With 2z instead of 3z" in doubt.message


def test_far_from_a_win() -> None:
    assert codes(Reading.of(lay(tiles("1357m2468p13579s4z")), is_win=True))[-1] == "not_a_win"


def test_shapes_of_the_rules_decide_what_is_complete() -> None:
    pairs = lay(tiles("1133557799m1133z"))
    assert "not_a_win" not in codes(Reading.of(pairs, is_win=True))
    assert "not_a_win" in codes(Reading.of(pairs, is_win=True, shapes=frozenset({Shape.STANDARD})))


def test_runners_up_have_probabilities() -> None:
    row = lay(CLOSED)
    row[4] = detection("5p", row[4].box, ("6p", 0.4), confidence=0.5)
    readings = name_tiles(tuple(row), {}).legal.solutions
    assert [str(solution.tiles[4]) for solution in readings[:2]] == ["5p", "6p"]
    assert sum(solution.probability for solution in readings) == pytest.approx(1)


def test_an_answer_solves_the_rest_again() -> None:
    """Two tiles of a pung are unclear; the name that a person gives one of them decides the other."""
    row = lay(f"{tiles('123m456p789s11z')} 5z'5z5z")
    row[12] = detection("5z", row[12].box, ("6z", 0.45), confidence=0.5)
    row[13] = detection("6z", row[13].box, ("5z", 0.45), confidence=0.5)
    row[11] = detection("5z", row[11].box, ("6z", 0.49), confidence=0.5)
    named = Reading.of(row).edited(tiles={11: Tile.parse("6z")})
    assert str(named.hand.melds[0]) == "(666z<6z)"


faces = st.sampled_from(ALL_FACES)
boxes = st.builds(
    lambda x, y, w, h: Box(x, y, x + w, y + h),
    st.floats(0, 900), st.floats(0, 600), st.floats(1, 90), st.floats(1, 90),
)  # fmt: skip


@settings(deadline=None, max_examples=40)
@given(st.lists(st.tuples(faces, boxes), max_size=30))
def test_any_detections_give_a_reading(found: list[tuple[Tile, Box]]) -> None:
    """Any detections give a reading without an exception, and its JSON can be written."""
    reading = Reading.of([detection(tile, box) for tile, box in found])
    json.dumps(reading.to_json())
    assert len(reading.layout.roles) == len(found)
    assert len(set(reading.layout.order)) == len(reading.layout.order)


@settings(deadline=None, max_examples=40)  # the first example builds tables
@given(st.lists(st.sampled_from(PLAYING_TILES), min_size=14, max_size=14), st.data())
def test_no_reading_breaks_the_tile_counts_if_it_can_help_it(names: list[Tile], data: st.DataObject) -> None:
    row = lay("".join(f"{tile}" for tile in names))
    spare = [tile for tile in PLAYING_TILES if tile not in names]
    alternatives = data.draw(st.permutations(spare))
    doubled = [detection(found.tile, found.box, *((str(tile), 0.02) for tile in alternatives[:20])) for found in row]
    hand = Reading.of(doubled).with_role(0, Role.CONCEALED).hand  # raises HandError for a fifth copy
    counts = Counter([*hand.concealed, *(tile for meld in hand.melds for tile in meld.tiles)])
    assert counts.total() == 14
    assert all(count <= tile.copies for tile, count in counts.items())


def test_a_claimed_tile_decides_between_a_chow_and_a_pung() -> None:
    """The middle tile of a chow cannot be claimed: a chow shows the claimed tile first."""
    meld = lay(f"{tiles('123m456p789s11z')} 3s4s'5s")
    unsure = [
        detection(one.tile, one.box, ("5z", 0.45), confidence=0.55) if at > 10 else one for at, one in enumerate(meld)
    ]
    assert str(Reading.of(unsure).hand) == "123m456p789s11z (555z^5z)"


def test_a_declared_win_is_completed_however_many_names_are_unsure() -> None:
    row = lay(tiles("123m456p789s11224z"))
    unsure = [
        detection(one.tile, one.box, ("2z" if at == 13 else "1f", 0.3), confidence=0.45) for at, one in enumerate(row)
    ]
    reading = Reading.of(unsure, is_win=True)
    assert str(reading.detections[13].tile) == "2z"


CHOW_AMONG_WRONG_NAMES = (
    ("9p", 31, 246, 83, 301), ("9p", 80, 238, 132, 290), ("9s=.6|1s=.4", 130, 235, 180, 285),
    ("2s", 179, 234, 226, 285), ("2s=.6|3s=.4", 226, 229, 274, 279), ("6s", 273, 232, 319, 281),
    ("7s=.6|8s=.4", 316, 228, 369, 278), ("7s", 366, 242, 433, 283), ("6p=.95|5p=.05", 479, 213, 536, 261),
    ("5p", 526, 214, 583, 260), ("5p", 567, 208, 627, 255), ("3m", 468, 180, 533, 215), ("2m", 521, 168, 576, 211),
    ("4m", 560, 157, 618, 200),
)  # fmt: skip
"""A row, its winning tile sideways at the end, beside it a pung, behind that a claimed chow; four wrong names."""


@pytest.mark.parametrize(("most", "melds"), [(1, "234m"), (4, "234m 555p")])
def test_the_layout_is_found_again_with_the_names_of_a_complete_hand(most: int, melds: str) -> None:
    seen = [Detection(Box(*box), 1.0, candidates(name)) for name, *box in CHOW_AMONG_WRONG_NAMES]
    found = Reading.of(seen, is_win=True, config=replace(DECODING, max_layouts=most))
    assert " ".join(format_tiles(meld.tiles) for meld in found.hand.melds) == melds
    assert found.is_complete


@pytest.mark.parametrize("wall", ["", "......"])
@pytest.mark.parametrize("is_win", [False, True])
def test_the_faces_of_a_concealed_kong_have_one_name(wall: str, *, is_win: bool) -> None:
    row = lay(f"{tiles('123m456p78955s')}  2m..2m")
    row[14] = replace(row[14], names=candidates("3m=.7|2m=.3"))
    found = Reading.of([*row, *lay(wall, y=200)], is_win=is_win)
    assert [meld["tiles"] for meld in found.to_json()["hand"]["melds"]] == ["2222m"]


def test_a_kong_of_backs_alone_and_rounded_numbers_in_json() -> None:
    row = lay(f"{tiles('123m456p789s11z')} ....")
    row[0] = detection("1m", row[0].box, ("2m", 0.023456), confidence=0.912345)
    told = Reading.of(row).to_json()
    assert told["hand"]["melds"] == [
        {"kind": "kong", "tiles": "backbackbackback", "concealed": True, "called": None, "from": None}
    ]
    assert told["detections"][0]["confidence"] == 0.9123
    assert told["detections"][0]["alternatives"] == [["2m", 0.0235]]


def test_another_winning_tile_makes_the_one_before_a_concealed_one() -> None:
    first = Reading.of(lay(CLOSED)).edited(roles={3: Role.WINNING})
    assert first.indices(Role.WINNING) == (3,)
    second = first.edited(roles={5: Role.WINNING})
    assert (second.indices(Role.WINNING), second.role(3)) == ((5,), Role.CONCEALED)


@pytest.mark.parametrize(
    ("row", "melds"),
    [
        (".5z5z.", "[5555z]"),
        ("5z'5z5z", "(555z<5z)"),
        ("0s5s5s5s", "(0555s)"),
        (".0s5s.", "[0555s]"),
    ],
)
def test_declared_sets_as_values(row: str, melds: str) -> None:
    reading = Reading.of(lay(f"{tiles('123m456p789s11z')} {row}"))
    assert [str(meld) for meld in reading.hand.melds] == [melds]
