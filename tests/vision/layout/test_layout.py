"""The hand among everything else, its melds, winning and bonus tiles."""

import math
from dataclasses import replace

import pytest

from tests.vision.table import candidates, detection, lay, tiles
from tilescore.errors import HandError
from tilescore.vision.decoding.reading import Reading
from tilescore.vision.detections import Detection
from tilescore.vision.image.boxes import Box
from tilescore.vision.layout import structure_features
from tilescore.vision.layout.layout import Role
from tilescore.vision.layout.model import fitted_model
from tilescore.vision.layout.scene import Scene
from tilescore.vision.layout.selections import selections
from tilescore.vision.layout.structures import set_cost, structures


def reading(*rows: list[Detection]) -> Reading:
    return Reading.of([detection for row in rows for detection in row])


def text(found: Reading) -> str:
    """Hand in notation, as the reading would hand it to scoring."""
    return str(found.hand)


CLOSED = tiles("123m456p789s11222z")
TEN = tiles("123m456p789s1z")


@pytest.mark.parametrize("angle", [0, 3, -5, 12, 90, 180])
def test_one_row_at_any_angle(angle: int) -> None:
    found = reading(lay(CLOSED, x=700 if angle > 90 else 100, y=100 if angle == 90 else 400, angle_deg=angle))
    order = [str(found.detections[i].tile) for i in found.layout.order]
    expected = [str(d.tile) for d in lay(CLOSED)]
    assert order == expected
    assert set(found.layout.roles) == {Role.CONCEALED}


@pytest.mark.parametrize(
    ("row", "hand"),
    [
        pytest.param(f"{TEN}1z 5z'5z5z", "123m456p789s11z (555z<5z)", id="sideways on the left: from the left"),
        pytest.param(f"{TEN}1z 5z5z'5z", "123m456p789s11z (555z^5z)", id="in the middle: from opposite"),
        pytest.param(f"{TEN}1z 5z5z5z'", "123m456p789s11z (555z>5z)", id="on the right: from the right"),
        pytest.param(f"{TEN}1z 3s'1s2s", "123m456p789s11z (123s<3s)", id="a chow shows its claimed tile first"),
        pytest.param(f"{TEN}1z 5z'5z5z5z", "123m456p789s11z (5555z<5z)", id="claimed kong"),
        pytest.param(f"{TEN}1z 5z5z'^5z5z", "123m456p789s11z (5555z^5z)", id="added kong, stacked"),
        pytest.param(f"{TEN}1z .5z5z.", "123m456p789s11z [5555z]", id="concealed kong, ends face down"),
        pytest.param(f"{TEN}1z 5z5z..", "123m456p789s11z [5555z]", id="concealed kong, two up two down"),
        pytest.param(f"{TEN}1z 5z5z5z5z", "123m456p789s11z (5555z)", id="four equal apart are a kong"),
        pytest.param(f"{TEN}1z 5z5z5z", "123m456p789s11z (555z)", id="a pung apart from one row is declared"),
        pytest.param(f"{TEN}1z5z'5z5z", "123m456p789s11z (555z<5z)", id="no gap, but a sideways tile"),
        pytest.param(f"{TEN}1z5z5z5z'", "123m456p789s11z (555z>5z)", id="no gap, the right one of a set"),
        pytest.param(f"{tiles('123m456p789s1z222z')} 1z", "123m456p789s12221z +1z", id="a tile apart is the winner"),
        pytest.param(f"{tiles('123m456p789s1222z')}1z'", "123m456p789s12221z +1z", id="or a sideways one"),
        pytest.param(f"{CLOSED} 1f3q", "123m456p789s11222z &1f3q", id="flowers apart"),
        pytest.param(f"{CLOSED}2f", "123m456p789s11222z &2f", id="a flower in the row"),
    ],
)
def test_melds_winning_and_bonus(row: str, hand: str) -> None:
    assert text(reading(lay(row))) == hand


@pytest.mark.parametrize("angle", [90, 180, 270, 20, -20, 160])
@pytest.mark.parametrize(
    ("row", "hand"),
    [
        pytest.param(f"{TEN}1z 5z'5z5z", "123m456p789s11z (555z<5z)", id="claimed pung"),
        pytest.param(f"{TEN}1z 3s'1s2s", "123m456p789s11z (123s<3s)", id="claimed chow"),
        pytest.param(f"{TEN}1z .5z5z.", "123m456p789s11z [5555z]", id="concealed kong"),
    ],
)
def test_photos_turned_or_tilted(row: str, hand: str, angle: int) -> None:
    """Melds lie to their owner's right, wherever that is in the picture."""
    x, y = (700 if 90 < angle < 270 else 100), (100 if 0 < angle < 180 else 900)
    assert text(reading(lay(row, x=x, y=y, angle_deg=angle))) == hand


def test_a_hand_of_two_rows() -> None:
    found = reading(lay(tiles("123m456p7s"), y=346), lay(tiles("89s11222z"), y=402))
    assert text(found) == "123m456p789s11222z"


def test_melds_stacked_beside_the_hand() -> None:
    rows = [lay(row, x=500, y=400 - 64 * n) for n, row in enumerate(["5z'5z5z", "3s'1s2s", ".7p7p."])]
    found = reading(lay(tiles("123m1z1z"), x=100), *rows)
    assert sorted(map(str, found.hand.melds)) == ["(123s<3s)", "(555z<5z)", "[7777p]"]
    assert [str(tile) for tile in found.hand.concealed] == ["1m", "2m", "3m", "1z", "1z"]


def test_sets_in_separate_groups_stay_concealed() -> None:
    found = reading(lay("1m2m3m 4p5p6p 7s8s9s 1z1z 2z2z2z"))
    assert text(found) == "123m456p789s11222z"
    assert [len(group) for group in found.layout.groups] == [3, 3, 3, 2, 3]


def test_dora_indicator_on_the_dead_wall() -> None:
    found = reading(lay("..5p...", x=150, y=150), lay(CLOSED, y=460))
    assert [
        str(found.detections[i].tile) for i, role in enumerate(found.layout.roles) if role is Role.DORA_INDICATOR
    ] == ["5p"]
    assert text(found) == "123m456p789s11222z"


def test_a_complete_hand_is_likelier_than_a_kong_in_its_row() -> None:
    """Four equal tiles apart would be a kong, but only as a pung and a part of a chow do they make a hand."""
    found = reading(lay("2p2p2p3s 4s4s4s4s 5s5z5z5z8m8m"), lay("9s", x=150, y=320))
    assert text(found) == "222p344445s555z88m"


@pytest.mark.parametrize(
    ("row", "winner"),
    [
        pytest.param(f"{tiles('123m456p789s1122z')} 1z", "1z", id="set apart"),
        pytest.param(f"{tiles('123m456p789s1z')} 1z 2z2z2z", "1z", id="before a set laid apart"),
        pytest.param(f"{tiles('123m456p789s11222z')}", "None", id="flush: nobody can tell"),
        pytest.param(f"{tiles('123m456p')} 7s {tiles('89s11222z')}", "None", id="before loose tiles that are no sets"),
    ],
)
def test_the_tile_laid_apart_won(row: str, winner: str) -> None:
    assert str(reading(lay(row)).hand.winning_tile) == winner


def test_a_chow_is_claimed_from_the_left() -> None:
    """A sideways tile at the right end of the row is the winning one, though it ends a sequence."""
    assert text(reading(lay(f"{tiles('123m456p11222z78s')}9s'"))) == "123m456p11222z789s +9s"


@pytest.mark.parametrize("blurred", [0, 1])
def test_the_hand_in_focus_is_meant(blurred: int) -> None:
    far, near = lay(CLOSED, y=200), lay(CLOSED.translate(str.maketrans("mps", "smp")), y=400)
    rows = [
        [replace(tile, sharpness=0.5 if at == blurred else 1.5) for tile in row] for at, row in enumerate((far, near))
    ]
    assert text(reading(*rows)) == text(reading(rows[1 - blurred]))
    assert "which_hand" not in [doubt.code for doubt in reading(*rows).doubts]
    assert "which_hand" in [doubt.code for doubt in reading(far, near).doubts]


def test_two_hands_and_a_tray() -> None:
    two = reading(lay(CLOSED, y=460), lay(tiles("99m345678p345888s"), y=160))
    asked = next(doubt for doubt in two.doubts if doubt.code == "which_hand")
    assert asked.candidates == (tuple(range(14)), tuple(range(14, 28)))
    tray = reading(*(lay(tiles("123456789m123456789p"), y=60 + 55 * row) for row in range(8)))
    assert tray.layout.order == ()
    assert "144 tiles" in tray.doubts[-1].message


@pytest.mark.parametrize(("dx", "dy"), [(22, 0), (22, 30), (9, 24), (310, 12)])
def test_two_photos_in_one_are_read_without_fail(dx: float, dy: float) -> None:
    """Hands that lie through each other make no hand: the reading ends, and asks."""
    found = reading(lay(CLOSED, y=460), lay(tiles("99m345678p34588s"), x=60 + dx, y=460 + dy))
    assert any(doubt.detection is None for doubt in found.doubts)
    assert len(found.detections) == len(found.layout.roles)


def test_melds_in_a_row_of_their_own() -> None:
    found = reading(lay(f"{TEN}1z", y=400), lay("5z'5z5z", x=300, y=320))
    assert sorted(map(str, found.hand.melds)) == ["(555z<5z)"]


def test_hand_is_told_from_discards_and_walls() -> None:
    pond = [lay(tiles("147m258p"), x=200, y=60 + 45 * row, size=0.8) for row in range(3)]
    wall = lay("." * 17, x=20, y=10, size=0.8)
    found = reading(*pond, wall, lay(CLOSED, y=460))
    assert text(found) == "123m456p789s11222z"
    assert sum(role is Role.OTHER for role in found.layout.roles) == 18 + 17


def test_stray_tile_is_no_part_of_a_full_hand() -> None:
    found = reading(lay(CLOSED), lay("9p", x=300, y=250))
    assert text(found) == "123m456p789s11222z"


def test_a_row_of_fourteen_is_meant_and_not_two_tiles_beside_it() -> None:
    found = reading(lay(tiles("26m66p22259s13667z")), lay("3m", x=300, y=300), lay("4z", x=60, y=250))
    assert sorted(found.layout.order) == list(range(14))


def test_a_flower_behind_a_wall() -> None:
    found = reading(lay(tiles("123m456p789s1122z")), lay("." * 17, x=20, y=310), lay("1f", x=60, y=255))
    assert text(found) == "123m456p789s1122z &1f"


@pytest.mark.parametrize("count", [0, 1, 3])
def test_too_few_tiles_say_so(count: int) -> None:
    found = reading(lay("1m" * count))
    assert found.layout.order == ()
    assert [doubt.code for doubt in found.doubts] == ["no_hand" if count else "no_tiles"]


LOOSE = ["2m", "3s", "6s", "8p", "5s", "3s", "6z", "3m", "2z", "4m", "3m", "9m"]


@pytest.mark.parametrize("angle_deg", [0, 20])
def test_thirteen_tiles_and_nothing_else_are_the_hand_however_they_lie(angle_deg: float) -> None:
    names = [*LOOSE, "7s"]
    strewn = [
        lay(tile, x=60 + 260 * (at % 5) + 17 * (at % 3), y=90 + 260 * (at // 5) + 23 * (at % 2), angle_deg=angle_deg)
        for at, tile in enumerate(names)
    ]
    found = reading(*strewn)
    assert sorted(map(str, found.hand.tiles)) == sorted(names)
    among_others = reading(
        *strewn, *(lay(tile, x=60 + 260 * at, y=900) for at, tile in enumerate(["1m", "1p", "1s", "9p", "9s", "4z"]))
    )
    assert among_others.hand.size == 0, "nineteen strewn tiles are no hand"


def test_only_backs() -> None:
    doubts = reading(lay("." * 14)).doubts
    assert [doubt.code for doubt in doubts] == ["no_hand"]
    assert "all 14 tiles lie face down" in doubts[0].message


def test_melds_below_each_other_beside_two_tiles_are_no_columns() -> None:
    melds = ("5p'6p7p", "3s'3s3s", "7z'7z7z", "2m2m'2m")
    laid = [found for at, meld in enumerate(melds) for found in lay(meld, x=500, y=200 + 70 * at)]
    found = reading([*lay("9s9s", x=350, y=410), *laid])
    assert [len(place.members) for place in found.layout.melds] == [3, 3, 3, 3]
    assert [str(found.detections[index].tile) for index in found.concealed] == ["9s", "9s"]


@pytest.mark.parametrize(("space_px", "melds"), [(5, 2), (0, 0)])
def test_eight_backs_in_fours_are_two_kongs_and_else_a_wall(space_px: int, melds: int) -> None:
    kongs = [*lay("....", y=320), *lay("....", x=60 + 4 * 40 + space_px, y=320)]
    found = reading(kongs, lay(tiles("222s66z777z")))
    assert len(found.layout.melds) == melds
    assert len(found.concealed) == (8 if melds else 0)  # eight faces beside a wall are no hand


def test_a_kong_without_a_face_in_view_is_no_hand_yet() -> None:
    found = reading(lay("....", y=320), lay(tiles("123m456p22266z")))
    assert [len(place.members) for place in found.layout.melds] == [4]
    with pytest.raises(HandError, match="lie face down") as error:
        _ = found.hand
    assert error.value.code == "face_down_kong"


TWO_MELDS_BEHIND_EACH_OTHER = (
    ("8s", 25, 225, 118, 273), ("8s", 81, 233, 172, 283), ("8s", 138, 241, 227, 293), ("9s", 197, 250, 284, 304),
    ("9s", 258, 260, 342, 315), ("7m", 358, 286, 456, 337), ("6m", 448, 287, 522, 349), ("8m", 517, 298, 587, 362),
    ("back=.7|2s=.3", 382, 222, 453, 297), ("1p", 442, 230, 509, 279), ("1p", 504, 238, 567, 289),
    ("back=.7|2s=.3", 563, 247, 630, 339), ("0s", 404, 180, 466, 218), ("5s", 457, 187, 517, 227),
    ("5s", 513, 193, 570, 234),
)  # fmt: skip
"""A hand, a claimed chow, behind it a concealed kong, of which one back lies beyond the turned tile of the chow."""


def test_no_tile_of_a_concealed_kong_is_the_fourth_of_another_set() -> None:
    scene = Scene.of(
        [Detection(Box(*box), 1.0, candidates(name)) for name, *box in TWO_MELDS_BEHIND_EACH_OTHER], (0, 0)
    )
    for chosen in filter(None, selections(scene)):
        for one in structures(scene, chosen):
            places = [*one.loose, *(at for some in one.declared for at in some.members)]
            assert len(set(places)) == len(places)


def test_a_flower_however_it_lies_belongs_to_a_hand_that_is_alone() -> None:
    askew = [detection("2q", Box(57, 300, 104, 347))]  # at half a quarter turn
    assert reading(lay(CLOSED, y=400), askew).layout.roles.count(Role.BONUS) == 1


def test_a_person_s_winning_tile_is_the_only_one() -> None:
    found = Reading.of(lay(f"{tiles('123m456p789s1z222z')} 1z"), fixed_roles={3: Role.WINNING})
    assert found.indices(Role.WINNING) == (3,)
    assert found.role(13) is Role.CONCEALED


def test_no_hand_has_more_than_four_declared_sets() -> None:
    laid = lay(" ".join(f"{rank}z'{rank}z{rank}z" for rank in (1, 2, 3, 4, 5)))
    scene = Scene.of(laid, (1200, 900))
    assert max(len(one.declared) for one in structures(scene, frozenset(range(15)))) == 4


def test_four_kongs_are_listed_among_all_their_pungs() -> None:
    laid = lay(" ".join([*(f"{rank}z'{rank}z{rank}z{rank}z" for rank in (1, 2, 3, 4)), "9s9s"]))
    found = structures(Scene.of(laid, (1200, 900)), frozenset(range(18)))
    kongs = {frozenset(range(at, at + 4)) for at in range(0, 16, 4)}
    assert any({frozenset(one.members) for one in some.declared} == kongs for some in found)


def test_the_fourth_tile_of_an_added_kong_may_lie_half_a_tile_beyond_the_turned_one() -> None:
    row = lay(f"{TEN}1z 5z5z'5z")
    box = row[12].box
    x, y = (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2 - 61
    laid = [*row, detection("5z", Box(x - 20, y - 27, x + 20, y + 27))]
    found = structures(Scene.of(laid, (1200, 900)), frozenset(range(len(laid))))
    assert any(one.is_added for some in found for one in some.declared)


def test_the_cost_of_a_set_is_the_odds_against_it() -> None:
    words = ("1s=.6|9s=.4", "2s=.9|8s=.1", "5s=.7|3s=.3")
    unsure = [Detection(one.box, 1.0, candidates(word)) for one, word in zip(lay("1s2s5s"), words, strict=True)]
    scene = Scene.of(unsure, (1200, 900))
    assert set_cost(scene, [0, 1, 2]) == pytest.approx(math.log(0.7 / 0.3))
    sure = Scene.of(lay("1s2s5s 1s2s3s 5z5z5z5z"), (1200, 900))
    wanted = [((0, 1, 2), math.inf), ((3, 4, 5), 0), ((6, 7, 8), 0), ((6, 7, 8, 9), 0), ((3, 4, 5, 6), math.inf)]
    assert [set_cost(sure, members) for members, _ in wanted] == [cost for _, cost in wanted]


def test_without_the_size_of_the_photo_the_boxes_tell_one() -> None:
    assert Scene.of([], (0, 0)).size_wh == (1, 1)
    assert Scene.of(lay("1s2s"), (0, 0)).size_wh == (140, 427)


def test_one_of_two_loose_tiles_may_be_the_winning_one() -> None:
    melds = "5z'5z5z 1z'1z1z 2z'2z2z 3z'3z3z"
    found = structures(Scene.of(lay(f"9s {melds} 9s"), (1200, 900)), frozenset(range(14)))
    assert {one.winning for one in found if len(one.declared) == 4} == {None, 0, 13}


def test_three_tiles_side_by_side_are_a_triple_in_any_order() -> None:
    left, middle, right = lay("1s2s3s")
    for order, middle_at in (((left, right, middle), 2), ((middle, left, right), 0), ((left, middle, right), 1)):
        triples = Scene.of(order, (1200, 900)).triples.tolist()
        assert [sorted(triples[0]), triples[0][1], len(triples)] == [[0, 1, 2], middle_at, 1]


@pytest.mark.parametrize(("off", "level"), [(15, True), (19, True), (21, False)])
def test_tiles_are_level_if_their_middles_differ_by_less_than_half_a_side(off: float, *, level: bool) -> None:
    one, two = Box(100, 100, 140, 154), Box(300, 100 + off * 54 / 40, 340, 154 + off * 54 / 40)
    scene = Scene.of([detection("1s", one), detection("2s", two)], (1200, 900))
    assert scene.level([0, 1])[0, 1] == level


@pytest.mark.parametrize(
    ("row", "order"),
    [
        ("123m3f456p789s11222z", "1m 2m 3m 3f 4p 5p 6p 7s 8s 9s 1z 1z 2z 2z 2z"),  # among the tiles, as it lies
        ("123m456p789s11222z3f", "1m 2m 3m 4p 5p 6p 7s 8s 9s 1z 1z 2z 2z 2z 3f"),
        ("3f123m456p789s11222z", "1m 2m 3m 4p 5p 6p 7s 8s 9s 1z 1z 2z 2z 2z 3f"),  # beside them: at the end
    ],
)
def test_flowers_among_the_tiles_are_read_where_they_lie(row: str, order: str) -> None:
    found = reading(lay(tiles(row)))
    assert " ".join(str(found.detections[at].tile) for at in found.layout.order) == order


@pytest.mark.parametrize("kind", ["plain", "called"])
def test_unlikely_names_speak_against_a_set(kind: str) -> None:
    """The fit sees tables with uncertain names, so the cost of the names of a set has a negative weight."""
    weights = dict(zip(structure_features.FEATURES, fitted_model().structure.weights[:, 0], strict=True))
    assert weights[f"{kind}_cost"] < 0
