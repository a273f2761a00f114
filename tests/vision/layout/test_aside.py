"""Norths of three players: they lie beside the hand or in line with it, and are no part of it."""

import pytest

from tests.vision.table import HEIGHT, WIDTH, lay, tiles
from tilescore.scoring.ruleset import ruleset
from tilescore.scoring.tiles import Tile
from tilescore.vision.decoding.reading import Reading
from tilescore.vision.layout.layout import Role

RULES = ruleset("riichi3")
ROW = tiles("345678p345789s22p")
END = 60 + 14 * WIDTH
BESIDE = [
    # where, the tiles in line with the hand, norths (number, x, y) elsewhere
    ("in line, apart", "  4z", ()),
    ("two in line", " 4z4z", ()),
    ("three in line are no declared set", "  4z4z4z", ()),
    ("four in line are no kong", " 4z4z4z4z", ()),
    ("each by itself", " 4z 4z", ()),
    ("touching the hand", "4z", ()),
    ("before the owner", "", ((2, 60, 480),)),
    ("at the right", "", ((3, END + WIDTH, 470),)),
    ("beyond the row", "", ((4, 460, 320),)),
]


def read(detections: list, aside: bool = True) -> Reading:  # type: ignore[type-arg]  # noqa: FBT001, FBT002
    kinds = RULES.traits.aside if aside else frozenset[Tile]()
    return Reading.of(detections, size_wh=(1280, 720), shapes=RULES.shapes, aside=kinds)


@pytest.mark.parametrize("case", BESIDE, ids=lambda case: case[0])
def test_norths_beside_the_hand(case: tuple[str, str, tuple[tuple[int, float, float], ...]]) -> None:
    _, line, places = case
    laid = lay(ROW + line)
    for number, x, y in places:
        laid += lay("4z" * number, x=x, y=y)
    norths = line.count("4z") + sum(number for number, _, _ in places)
    assert str(read(laid).hand) == f"345678p345789s22p &{'4' * norths}z"


def test_a_hand_that_waits_keeps_its_thirteen_tiles() -> None:
    assert str(read(lay(f"{tiles('345678p345789s2p')}  4z")).hand) == "345678p345789s2p &4z"


def test_a_winning_tile_apart_stays_the_winning_tile() -> None:
    hand = read(lay(f"{tiles('345678p345789s2p')} 2p  4z")).hand
    assert (str(hand.winning_tile), hand.size, len(hand.bonus)) == ("2p", 14, 1)


@pytest.mark.parametrize(
    ("why", "row"),
    [
        ("a north completes the pair", f"{tiles('345678p345789s4z')} 4z"),
        ("a declared set of norths", f"{tiles('345678p345s22p')}  4z4z4z"),
        ("norths in the hand", tiles("345678p345s22p444z")),
    ],
)
def test_norths_that_the_hand_needs_stay(why: str, row: str) -> None:
    hand = read(lay(row)).hand
    assert (hand.size, hand.bonus) == (14, ()), why


def test_other_norths_are_not_taken() -> None:
    far = read(lay(ROW) + lay("4z4z", x=900, y=100))
    assert not far.indices(Role.BONUS)
    discards = read(lay(ROW) + lay(tiles("1z9m4z1s9p2z"), x=300, y=400 - 4 * HEIGHT))
    assert not discards.indices(Role.BONUS)
    indicator = read(lay(ROW) + lay("..4z..", x=300, y=200))
    assert indicator.indices(Role.BONUS) == ()


def test_a_game_without_norths_aside_has_none() -> None:
    assert read(lay(f"{ROW}  4z"), aside=False).hand.bonus == ()


def test_what_a_person_says_of_a_north_holds() -> None:
    reading = read(lay(f"{ROW}  4z"))
    north = reading.indices(Role.BONUS)[0]
    assert reading.with_role(north, Role.OTHER).hand.bonus == ()
    kept = reading.with_role(north, Role.CONCEALED)
    assert kept.size == 15
    assert str(kept.with_role(north, Role.BONUS).hand) == "345678p345789s22p &4z"
