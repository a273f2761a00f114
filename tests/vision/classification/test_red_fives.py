"""Red fives by the colour of their ink."""

import numpy as np
import pytest

from tilescore.scoring.tiles import ALL_FACES
from tilescore.vision.classification.red_fives import redness, reweigh_red_fives
from tilescore.vision.image.boxes import Box

NAMES = [str(face) for face in ALL_FACES]
PAPER = (235, 230, 215)
INKS = {
    "red": (190, 30, 25),
    "brown": (120, 60, 30),
    "black": (30, 30, 30),
    "green": (20, 110, 50),
    "blue": (25, 45, 130),
}
BOXES = [Box(60 * at + 10, 10, 60 * at + 52, 66) for at in range(4)]


def row_of(*inks: str, light: tuple[float, float, float] = (1, 1, 1)) -> np.ndarray:
    """Tiles on a dark table, each a pattern in one of the inks."""
    rgb = np.full((76, 260, 3), 60, np.uint8)
    for box, ink in zip(BOXES, inks, strict=False):
        x, y = int(box.x0), int(box.y0)
        rgb[y : y + 56, x : x + 42] = PAPER
        for down in (12, 28, 44):
            rgb[y + down - 4 : y + down + 4, x + 8 : x + 34] = INKS[ink]
    return np.asarray(np.clip(rgb * np.array(light), 0, 255), np.uint8)


def probabilities(*named: tuple[str, float], none: float = 0.02) -> np.ndarray:
    """Probabilities by a classifier: each tile has its name with the given probability, else it is the plain five."""
    given = np.zeros((len(named), len(NAMES) + 1), np.float32)
    for row, (name, share) in zip(given, named, strict=True):
        row[NAMES.index(name)] = share * (1 - none)
        row[NAMES.index(f"5{name[1]}")] += (1 - share) * (1 - none)
    given[:, -1] = none
    return given


SEEN = probabilities(("1p", 1), ("3p", 1), ("7p", 1), ("0p", 0.9))


@pytest.mark.parametrize(
    ("inks", "is_red"),
    [
        pytest.param(("blue", "green", "black", "red"), True, id="red among others"),
        pytest.param(("brown", "brown", "brown", "brown"), False, id="a set in brown ink"),
        pytest.param(("red", "red", "red", "red"), False, id="a set in red ink"),
        pytest.param(("blue", "green", "black", "green"), False, id="no red at all"),
    ],
)
@pytest.mark.parametrize("light", [(1, 1, 1), (1, 0.75, 0.5), (0.5, 0.55, 0.6)], ids=["white", "lamp", "dusk"])
def test_a_red_five_is_redder_than_the_others_of_its_suit(
    inks: tuple[str, ...], *, is_red: bool, light: tuple[float, float, float]
) -> None:
    weighed = reweigh_red_fives(row_of(*inks, light=light), BOXES, SEEN)
    assert (NAMES[int(weighed[3].argmax())] == "0p") is is_red
    assert np.allclose(weighed.sum(axis=1), 1)
    assert np.allclose(weighed[:, -1], SEEN[:, -1])
    assert np.array_equal(weighed[:3], SEEN[:3])


def test_a_doubt_is_settled_for_red() -> None:
    doubtful = probabilities(("1p", 1), ("3p", 1), ("7p", 1), ("0p", 0.4))
    weighed = reweigh_red_fives(row_of("blue", "green", "black", "red"), BOXES, doubtful)
    assert weighed[3, NAMES.index("0p")] > 0.9


@pytest.mark.parametrize(
    ("ink", "share", "is_red"),
    [("red", 0.3, True), ("black", 0.8, False), ("blue", 0.9, False), ("red", 0.98, True)],
)
def test_without_others_of_the_suit_the_own_ink_counts(ink: str, share: float, *, is_red: bool) -> None:
    seen = probabilities(("1m", 1), ("3s", 1), ("0p", share))
    weighed = reweigh_red_fives(row_of("brown", "brown", ink), BOXES[:3], seen)
    assert (NAMES[int(weighed[2].argmax())] == "0p") is is_red


@pytest.mark.parametrize(
    ("inks", "names"), [(("brown", "brown"), ["5m", "5m"]), (("black", "red"), ["5m", "0m"])], ids=["alike", "one red"]
)
def test_another_five_alone_shows_what_is_usual(inks: tuple[str, str], names: list[str]) -> None:
    weighed = reweigh_red_fives(row_of("green", *inks), BOXES[:3], probabilities(("1s", 1), ("0m", 0.8), ("0m", 0.9)))
    assert [NAMES[int(tile.argmax())] for tile in weighed[1:]] == names


def test_ink_alone_makes_no_five() -> None:
    seen = probabilities(("1s", 1), ("3s", 1), ("9m", 1))
    seen[2, NAMES.index("0s")] = 0.03
    weighed = reweigh_red_fives(row_of("green", "green", "red"), BOXES[:3], seen)
    assert NAMES[int(weighed[2].argmax())] == "9m"


def test_neither_blank_nor_outside_nor_tiny_has_ink() -> None:
    rgb = row_of("red", "black", "green")
    red, black, green, *none = redness(rgb, [*BOXES, Box(-80, 5, -40, 60), Box(12, 12, 15, 15)])
    assert red > 0.6
    assert abs(black) < 0.1
    assert green < -0.3
    assert np.isnan(none).all()
