"""What a reader reports, what it looks at again, and what it leaves out."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.vision.table import lay
from tilescore.scoring.tiles import ALL_FACES, Tile, parse_tiles
from tilescore.vision.classification.classifier import ONE_LOOK, TileLook
from tilescore.vision.detections import Candidate, Proposal
from tilescore.vision.image.boxes import Box
from tilescore.vision.image.photo import Photo
from tilescore.vision.reader import TileReader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tilescore.vision.decoding.reading import Reading

PICTURE = np.zeros((400, 640, 3), np.uint8)
WALL = Box(100, 100, 130, 140)
NEXT, ABOVE = WALL.moved(31, 0), WALL.moved(0, -41)


class Named:
    """Networks that name every place but one with one tile; the classifier gives each a presence of one half."""

    name = "named"

    def __init__(self, tile: str, seen: Sequence[tuple[Box, float]] = (), face: Box | None = None) -> None:
        self.tile, self.seen, self.face = Tile.parse(tile), seen, face

    def at(self, box: Box) -> Tile:
        """The name of a place."""
        return Tile.parse("5p") if box == self.face else self.tile

    def detect(self, _rgb: np.ndarray, *, long_side: int) -> tuple[Proposal, ...]:
        """A proposal for each box, with its given score."""
        assert long_side
        return tuple(Proposal(box, (Candidate(self.at(box), p),)) for box, p in self.seen)

    def classify(self, _rgb: np.ndarray, boxes: Sequence[Box], look: TileLook = ONE_LOOK) -> np.ndarray:
        """A probability of one half for the name, and for `no tile`."""
        assert look.views
        probabilities = np.zeros((len(boxes), len(ALL_FACES) + 1), np.float32)
        for face_probabilities, box in zip(probabilities, boxes, strict=True):
            face_probabilities[[ALL_FACES.index(self.at(box)), -1]] = 0.5
        return probabilities


@pytest.mark.parametrize(
    ("tile", "beside", "is_reported"),
    [
        pytest.param("back", [(NEXT, 0.9)], True, id="a back beside another"),
        pytest.param("back", [(ABOVE, 0.9)], True, id="in the next row"),
        pytest.param("back", [], False, id="alone: it may be a notebook"),
        pytest.param("back", [(WALL.moved(200, 0), 0.9)], False, id="far from the others"),
        pytest.param("back", [(NEXT, 0.6)], False, id="beside what is as unlikely"),
        pytest.param("back", [(Box(131, 100, 200, 190), 0.9)], False, id="beside what is far larger"),
        pytest.param("back", [(WALL.moved(8, 0), 0.9)], False, id="on another, not beside it"),
        pytest.param("5p", [(NEXT, 0.9)], False, id="a face must be likelier"),
    ],
)
def test_a_back_of_a_wall_needs_less_to_be_reported(
    tile: str, beside: list[tuple[Box, float]], *, is_reported: bool
) -> None:
    reader = TileReader(Named(tile, [(WALL, 0.6), *beside]), Named(tile))
    reported = reader.classify(PICTURE, reader.detector.detect(PICTURE, long_side=640))
    assert (WALL in [found.box for found in reported]) is is_reported


@pytest.mark.parametrize(
    ("presence", "beside", "is_reported"),
    [
        pytest.param(0.9, None, False, id="alone"),
        pytest.param(0.95, None, True, id="alone and nearly certain"),
        pytest.param(0.9, NEXT, True, id="beside a face"),
        pytest.param(0.6, NEXT, False, id="beside a face, but hardly seen"),
    ],
)
def test_a_back_alone_must_be_nearly_certain(presence: float, beside: Box | None, *, is_reported: bool) -> None:
    seen = [(WALL, presence), *([(beside, 0.9)] if beside else [])]
    reader = TileReader(Named("back", seen, face=beside), Named("back", face=beside))
    reported = reader.classify(PICTURE, reader.detector.detect(PICTURE, long_side=640))
    assert (WALL in [found.box for found in reported]) is is_reported


class Table:
    """Networks that see a row of tiles only where it is large enough in the input, and count their passes."""

    name = "table"

    def __init__(self, *, tile: float, seconds: float = 0.0, hand: str = "123456789m12344p") -> None:
        self.tile, self.seconds = tile, seconds
        self.hand = [ALL_FACES.index(one) for one in parse_tiles(hand)]
        self.inputs: list[int] = []
        self.crops = 0

    def detect(self, rgb: np.ndarray, *, long_side: int) -> tuple[Proposal, ...]:
        """Every tile that has 20 pixels in the input; of smaller ones only the first four."""
        time.sleep(self.seconds)
        self.inputs.append(long_side)
        is_whole = rgb.shape[1] == WIDE.shape[1]
        first = 400.0 if is_whole else 1.6 * self.tile
        top = 500.0 if is_whole else 1.6 * self.tile
        count = len(self.hand) if self.tile * long_side / max(rgb.shape[:2]) >= 20 else 4
        places = (first + self.tile * at for at in range(count))
        boxes = [Box(x, top, x + self.tile, top + 1.3 * self.tile) for x in places]
        return tuple(Proposal(box, (Candidate(Tile.parse("5p"), 0.95),), 4.0) for box in boxes)

    def classify(self, _rgb: np.ndarray, boxes: Sequence[Box], look: TileLook = ONE_LOOK) -> np.ndarray:
        """Surely the tiles of the hand in turn."""
        assert look.views
        self.crops += len(boxes)
        rows = np.zeros((len(boxes), len(ALL_FACES) + 1), np.float32)
        rows[np.arange(len(boxes)), self.hand[: len(boxes)]] = 1.0
        return rows


WIDE = np.zeros((1440, 1920, 3), np.uint8)


def reading_of(table: Table, budget_ms: float | None = None) -> Reading:
    """The reading of the wide picture."""
    return TileReader(table, table).read(Photo("wide", WIDE, (1920, 1440)), budget_ms=budget_ms)


def test_a_hand_that_is_found_at_once_is_not_looked_at_again() -> None:
    table = Table(tile=60)
    assert reading_of(table).size == 14
    assert table.inputs == [800]
    assert table.crops == 14


def test_a_hand_in_doubt_with_small_tiles_is_looked_at_again() -> None:
    table = Table(tile=60, hand="123456789m1234p")
    assert reading_of(table).size == 13
    assert table.inputs == [800, 681]
    table = Table(tile=110, hand="123456789m1234p")
    assert reading_of(table).size == 13
    assert table.inputs == [800], "large tiles were seen well"


def test_small_tiles_without_a_hand_are_looked_at_again_and_no_others() -> None:
    table = Table(tile=36)
    reading = reading_of(table)
    assert reading.size == 14
    assert reading.left_out == ()
    assert len(table.inputs) == 2
    assert table.inputs[1] < 640, "the part alone"
    assert table.crops == 4 + 14


def test_a_stage_that_the_budget_does_not_hold_is_left_out_and_told() -> None:
    table = Table(tile=36, seconds=0.05)
    reading = reading_of(table, budget_ms=50)
    assert "second_look" in reading.left_out
    assert reading.to_json()["timings_ms"]["left_out"] == list(reading.left_out)
    assert len(table.inputs) == 1
    for each in (reading, reading.with_win(), reading.edited(tiles={0: Tile.parse("1z")})):
        assert [doubt.code for doubt in each.doubts].count("left_out") == 1, "it stays after an edit"


def test_to_find_and_name_the_tiles_is_never_left_out() -> None:
    table = Table(tile=60, seconds=0.02)
    assert reading_of(table, budget_ms=1).size == 14
    assert table.crops == 14


@pytest.mark.parametrize(
    ("long_side", "short_side", "wanted"),
    [
        (400, 300, 608), (912, 456, 608), (938, 469, 640), (1050, 525, 704), (1920, 1080, 800), (3840, 1920, 800),
        (1920, 480, 1120), (1920, 259, 1280), (1920, 100, 1280),
    ],
)  # fmt: skip
def test_the_input_follows_the_photo(long_side: int, short_side: int, wanted: int) -> None:
    reader = TileReader(Table(tile=30))
    for size_wh in ((long_side, short_side), (short_side, long_side)):
        assert reader.input_long_side(np.zeros((*size_wh, 3), np.uint8)) == wanted


class Faces:
    """Networks that see five faces in a dark picture, and a given number in a bright one."""

    name = "faces"

    def __init__(self, bright: int) -> None:
        self.bright = bright

    def detect(self, rgb: np.ndarray, *, long_side: int) -> tuple[Proposal, ...]:
        """The faces, in a row."""
        assert long_side
        count = self.bright if rgb.mean() > 127 else 5
        boxes = [Box(100 + 32 * at, 100, 130 + 32 * at, 140) for at in range(count)]
        return tuple(Proposal(box, (Candidate(Tile.parse("5p"), 0.99),), 4.0) for box in boxes)

    def classify(self, _rgb: np.ndarray, boxes: Sequence[Box], look: TileLook = ONE_LOOK) -> np.ndarray:
        """Surely 5p each."""
        assert look.views
        rows = np.zeros((len(boxes), len(ALL_FACES) + 1), np.float32)
        rows[:, ALL_FACES.index(Tile.parse("5p"))] = 1.0
        return rows


@pytest.mark.parametrize(
    ("bright", "wanted"),
    [
        pytest.param(0, 5, id="no face: those of the negative"),
        pytest.param(2, 2, id="the negative shows few more"),
        pytest.param(4, 4, id="faces enough: the negative is not looked at"),
    ],
)
def test_the_negative_counts_where_hardly_a_face_is_found(bright: int, wanted: int) -> None:
    networks, white = Faces(bright), np.full((300, 400, 3), 255, np.uint8)
    assert len(TileReader(networks, networks).read(Photo("white", white, (400, 300))).seen) == wanted


class Blinded(Faces):
    """Networks that see five faces, of which a given number is left where noise or a grid lies on the picture."""

    def detect(self, rgb: np.ndarray, *, long_side: int) -> tuple[Proposal, ...]:
        """The faces, in a row."""
        grain = float(np.abs(np.diff(rgb.astype(int), axis=1)).mean())
        return Faces(self.bright if grain > 20 else 5).detect(np.full_like(rgb, 255), long_side=long_side)


@pytest.mark.parametrize(
    ("left", "wanted"),
    [
        pytest.param(0, 5, id="no face: those of the smooth picture"),
        pytest.param(2, 2, id="the smooth picture shows few more"),
        pytest.param(4, 4, id="faces enough: the smooth picture is not looked at"),
    ],
)
def test_a_grid_is_smoothed_where_hardly_a_face_is_found(left: int, wanted: int) -> None:
    grid = np.full((900, 1200, 3), 255, np.uint8)
    grid[:, ::2] = 60
    networks = Blinded(left)
    assert len(TileReader(networks, networks).read(Photo("grid", grid, (1200, 900))).seen) == wanted


def test_much_noise_is_smoothed_at_once() -> None:
    noise = np.random.default_rng(1).integers(60, 256, (900, 1200, 3)).astype(np.uint8)
    networks = Blinded(0)
    assert len(TileReader(networks, networks).read(Photo("noise", noise, (1200, 900))).seen) == 5


class Sheet(Faces):
    """Networks that see so many things printed like tiles, none of which is one, and count the looks."""

    looks = 0

    def detect(self, rgb: np.ndarray, *, long_side: int) -> tuple[Proposal, ...]:  # noqa: ARG002  # as all do
        """The things, in a row."""
        self.looks += 1
        boxes = [Box(32 * at, 100, 30 + 32 * at, 140) for at in range(self.bright)]
        return tuple(Proposal(box, (Candidate(Tile.parse("5p"), 0.6),), 4.0) for box in boxes)

    def classify(self, _rgb: np.ndarray, boxes: Sequence[Box], look: TileLook = ONE_LOOK) -> np.ndarray:
        """Surely no tile each."""
        named = super().classify(_rgb, boxes, look)
        return np.roll(named, -1 - ALL_FACES.index(Tile.parse("5p")), axis=1)


@pytest.mark.parametrize(("things", "looks"), [(5, 3), (24, 1)])
def test_a_sheet_of_printed_things_is_looked_at_once(things: int, looks: int) -> None:
    networks = Sheet(things)
    assert (
        not TileReader(networks, networks).read(Photo("sheet", np.full((600, 800, 3), 255, np.uint8), (800, 600))).seen
    )
    assert networks.looks == looks


class Eyes(Faces):
    """Networks that note the pixels which they see first."""

    rgb: np.ndarray | None = None

    def detect(self, rgb: np.ndarray, *, long_side: int) -> tuple[Proposal, ...]:
        """The faces, in a row."""
        self.rgb = rgb if self.rgb is None else self.rgb
        return super().detect(rgb, long_side=long_side)


def seen_in(light: tuple[float, float, float], *, white: bool = True) -> tuple[np.ndarray, np.ndarray]:
    """What a camera takes of a felt with a small row of white tiles in that light, and what the networks see of it."""
    rgb = np.full((600, 800, 3), (30, 110, 80), np.uint8)
    if white:
        rgb[500:524, 100:240] = 240
    taken, eyes = (rgb * np.array(light)).astype(np.uint8), Eyes(9)
    TileReader(eyes, eyes).read(Photo("felt", taken, (800, 600)))
    assert eyes.rgb is not None
    return taken, eyes.rgb


@pytest.mark.parametrize(
    "light", [(0.5, 1.0, 0.55), (1.0, 0.45, 0.4), (0.3, 0.5, 0.6), (0.5, 0.5, 0.5), (0.2, 0.2, 0.2)]
)
def test_weak_and_strongly_coloured_light_becomes_white(light: tuple[float, float, float]) -> None:
    _, seen = seen_in(light)
    assert np.ptp(seen[510, 150].astype(int)) < 8
    assert seen[510, 150].min() > 245
    assert np.ptp(seen[100, 100].astype(int)) > 60  # the felt stays green


@pytest.mark.parametrize("light", [(1.0, 1.0, 1.0), (1.0, 0.85, 0.65), (0.7, 0.7, 0.7), (0.0, 0.0, 0.0)])
def test_other_light_stays(light: tuple[float, float, float]) -> None:
    np.testing.assert_array_equal(*seen_in(light))


class Dragon(Faces):
    """Networks that see four 5p, and surely a white dragon at their right end."""

    def detect(self, rgb: np.ndarray, *, long_side: int) -> tuple[Proposal, ...]:
        """The tiles, in a row."""
        *faces, last = super().detect(rgb, long_side=long_side)
        return (*faces, replace(last, scores=(Candidate(Tile.parse("5z"), 0.99),)))

    def classify(self, rgb: np.ndarray, boxes: Sequence[Box], look: TileLook = ONE_LOOK) -> np.ndarray:
        """Surely 5p each, but the last one."""
        rows = super().classify(rgb, boxes, look)
        rows[-1] = np.eye(len(ALL_FACES) + 1)[ALL_FACES.index(Tile.parse("5z"))]
        return rows


@pytest.mark.parametrize(("brightness", "is_sure"), [(255, False), (235, True)])
def test_a_white_dragon_is_unsure_where_a_reflection_may_hide_a_face(brightness: int, *, is_sure: bool) -> None:
    rgb, networks = np.full((300, 400, 3), 200, np.uint8), Dragon(5)
    rgb[100:140, 228:258] = brightness
    seen = TileReader(networks, networks).read(Photo("glare", rgb, (400, 300))).seen
    assert [(str(tile.tile), tile.confidence > 0.8) for tile in seen] == [("5p", True)] * 4 + [("5z", is_sure)]


class Laid:
    """Networks that see tiles laid as text, surely, and corners as upright as the boxes; they count the strips."""

    name = "laid"

    def __init__(self, *rows: str) -> None:
        self.tiles = [one for at, row in enumerate(rows) for one in lay(row, y=300.0 + 60.0 * at)]
        self.unseen, self.strips = self.tiles, 0

    def detect(self, _rgb: np.ndarray, *, long_side: int) -> tuple[Proposal, ...]:
        """The tiles at the first look, and nothing at a further one."""
        assert long_side
        seen, self.unseen = self.unseen, []
        return tuple(Proposal(one.box, one.names, 4.0) for one in seen)

    def classify(self, _rgb: np.ndarray, boxes: Sequence[Box], look: TileLook = ONE_LOOK) -> np.ndarray:
        """Surely the name of each tile, and no tile elsewhere."""
        assert look.views
        names = {one.box: one.tile for one in self.tiles}
        rows = np.zeros((len(boxes), len(ALL_FACES) + 1), np.float32)
        rows[np.arange(len(boxes)), [ALL_FACES.index(names[box]) if box in names else -1 for box in boxes]] = 1.0
        return rows

    def find(self, _rgb: np.ndarray, boxes: Sequence[Box]) -> np.ndarray:
        """The corners of the boxes, for a strip along them."""
        self.strips += 1
        return np.array([[(b.x0, b.y0), (b.x1, b.y0), (b.x1, b.y1), (b.x0, b.y1)] for b in boxes])


@pytest.mark.parametrize(
    ("rows", "is_looked_at"),
    [
        pytest.param(["1m2m3m4m5m6m7m8m9m1p2p3p"], True, id="a row of twelve"),
        pytest.param(["1m2m3m4m5m6m7m8m9m1p2p3p 5p5p"], True, id="a complete hand with a gap"),
        pytest.param(["1m9p2s4z 5p7m3s9m1p"], True, id="nine tiles: too few to say that there is no hand"),
        pytest.param(
            ["1m9p2s4z6p7z 3s8m", "3s8m1z4p9s5m 2z7p", "2z6s1p8p3m7s 1z9m", "5z4s7p2m1s6z 4p8s"],
            False,
            id="a block of 32 tiles",
        ),
    ],
)
def test_many_tiles_that_are_no_hand_are_not_looked_at_again(rows: list[str], *, is_looked_at: bool) -> None:
    laid = Laid(*rows)
    TileReader(laid, laid, corners=laid).read(Photo("laid", WIDE, (1920, 1440)))
    assert bool(laid.strips) is is_looked_at
