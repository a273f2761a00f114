"""Kinds of passes in turn: a tile that the detector misses at some sizes is kept by its own crop."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.vision.dots import WAITING, Dots, dots
from tests.vision.table import lay, tiles
from tilescore.scoring.ruleset import ruleset
from tilescore.scoring.tiles import ALL_FACES, Tile, format_tiles
from tilescore.vision.classification.classifier import ONE_LOOK, TileLook
from tilescore.vision.detections import Detection, Proposal
from tilescore.vision.image.boxes import Box
from tilescore.vision.reader import TileReader
from tilescore.vision.video.config import MotionConfig
from tilescore.vision.video.frame_reader import FrameReader
from tilescore.vision.video.tracker import Tracker
from tilescore.vision.video.watch import State, Watch, WatchedFrame

if TYPE_CHECKING:
    from collections.abc import Sequence


HAND = lay(f"{tiles('123m456p789s1122z')} {tiles('2z')}")
PICTURE = np.full((720, 1280, 3), 90, np.uint8)


@dataclass
class Table:
    """A table and its networks: the detector finds tile `blind` only in inputs with the long side `only`."""

    laid: list[Detection] = field(default_factory=lambda: list(HAND))
    blind: int | None = None
    only: int = 640
    # ruff: noqa: D102, ARG002

    asked: list[tuple[tuple[int, ...], int]] = field(default_factory=list)
    name = "table"

    def detect(self, rgb: np.ndarray, *, long_side: int) -> tuple[Proposal, ...]:
        self.asked.append((rgb.shape[:2], long_side))
        x, y = self.corner(rgb)
        part = Box(x, y, x + rgb.shape[1], y + rgb.shape[0])
        return tuple(
            Proposal(one.box.moved(-x, -y), one.names)
            for at, one in enumerate(self.laid)
            if one.box.covered_by(part) > 0.9 and (at != self.blind or long_side == self.only)
        )

    def corner(self, rgb: np.ndarray) -> tuple[int, int]:
        """The corner of the part in the picture, whose pixels encode their places."""
        return int(rgb[0, 0, 0]) * 256 + int(rgb[0, 0, 1]), int(rgb[0, 0, 2]) * 4

    def classify(self, rgb: np.ndarray, boxes: Sequence[Box], look: TileLook = ONE_LOOK) -> np.ndarray:
        probabilities = np.full((len(boxes), len(ALL_FACES) + 1), 1e-4, np.float32)
        for row, box in zip(probabilities, boxes, strict=True):
            there = [one.tile for one in self.laid if one.box.iou(box) > 0.6]
            row[ALL_FACES.index(there[0]) if there else -1] = 1
        return probabilities


def places() -> np.ndarray:
    """A picture whose pixels encode their own places, as `Table.corner` reads them."""
    y, x = np.mgrid[0:720, 0:1280]
    return np.stack([x // 256, x % 256, y // 4], axis=2).astype(np.uint8)


def watched(table: Table, passes: int, tracker: Tracker | None = None) -> Tracker:
    finder, tracker = FrameReader(TileReader(table, table)), tracker or Tracker()
    for step in range(passes):
        tracker = tracker.after(finder.find(places(), tracker), at_s=step / 8)
    return tracker


def row(tracker: Tracker) -> str:
    return format_tiles(track.tile for track in sorted(tracker.sure, key=lambda track: track.box.x0))


def test_passes_take_turns_between_the_whole_frame_and_the_part_with_tiles() -> None:
    table = Table()
    watched(table, 14)
    shapes = [shape for shape, _ in table.asked[2:]]
    assert shapes[0::2] == [(720, 1280)] * 6
    assert all(shape[0] < 720 for shape in shapes[1::2])
    assert len({side for _, side in table.asked[2:8]}) == 6, "each kind of pass is another"
    assert table.asked[8] == table.asked[2]


@pytest.mark.parametrize("seen_at", [640, 576, 736])
def test_a_tile_found_in_one_kind_of_pass_alone_is_kept(seen_at: int) -> None:
    tracker = watched(Table(blind=5, only=seen_at), 9)
    assert row(tracker) == format_tiles(one.tile for one in HAND)
    assert tracker.created == 14


def test_a_missed_tile_of_a_slantwise_row_is_kept() -> None:
    """The upright boxes of the neighbours cover most of the box of the missed tile."""
    side = 72.0
    slantwise = [
        replace(one, box=Box(100 + 31 * at, 150 + 31 * at, 100 + 31 * at + side, 150 + 31 * at + side))
        for at, one in enumerate(HAND)
    ]
    tracker = watched(Table(laid=slantwise, blind=5), 9)
    assert row(tracker) == format_tiles(one.tile for one in HAND)


def test_a_tile_taken_away_is_gone_though_its_neighbours_stay() -> None:
    tracker = watched(Table(), 6)
    left = watched(Table(laid=[one for at, one in enumerate(HAND) if at != 5]), 5, tracker)
    assert len(left.without_gone().tracks) == 13


def test_what_was_once_seen_between_two_tiles_is_not_kept() -> None:
    between = HAND[4].moved((HAND[5].box.x0 - HAND[4].box.x0) / 2, 0)
    tracker = Tracker().after([*HAND, between], at_s=0)
    tracker = tracker.after([*HAND, between], at_s=0.1).after([*HAND, between], at_s=0.2)
    assert len(tracker.sure) == 15, "else this shows nothing"
    assert len(watched(Table(), 4, tracker).sure) == 14


def test_without_a_classifier_what_the_detector_sees_is_all() -> None:
    table = Table(blind=5)
    found = FrameReader(TileReader(table)).find(places(), watched(table, 2))
    assert len(found) == 13


def test_a_hand_is_reported_complete_although_most_passes_miss_a_tile() -> None:
    table, watch = Table(blind=13, only=640), Watch()
    finder = FrameReader(TileReader(table, table))
    for step in range(12):
        watch = watch.after(WatchedFrame(places(), step / 8), finder)
        if watch.is_news:
            assert watch.reading is not None
            assert len(watch.reading.layout.order) == 14
    assert (watch.state, watch.hand, watch.revision) == (State.COMPLETE, 1, 0)


def test_a_hand_of_seventeen_tiles_is_complete_in_a_game_of_five_sets() -> None:
    table = Table(laid=lay(f"{tiles('123m456p789s123s1122z')} {tiles('2z')}"))
    finder, states = FrameReader(TileReader(table, table)), list[State]()
    watch = Watch().for_game(ruleset("taiwan").shapes)
    for shapes in (ruleset("taiwan").shapes, ruleset("mcr").shapes):
        watch = watch.for_game(shapes)
        for step in range(12):
            watch = watch.after(WatchedFrame(places(), step / 8 + 10 * len(states)), finder)
        states.append(watch.state)
    assert states == [State.COMPLETE, State.INCOMPLETE]


def test_norths_set_aside_are_no_part_of_a_hand_of_three_players() -> None:
    table, rules = Table(laid=lay(f"{tiles('345678p345789s2p')} 2p  4z4z")), ruleset("riichi3")
    finder, told = FrameReader(TileReader(table, table)), list[tuple[State, str]]()
    watch = Watch()
    for aside in (frozenset[Tile](), rules.traits.aside):
        watch = watch.for_game(rules.shapes, aside)
        for step in range(12):
            watch = watch.after(WatchedFrame(places(), step / 8 + 10 * len(told)), finder)
        assert watch.reading is not None
        told.append((watch.state, format_tiles(watch.reading.hand.bonus)))
    assert told == [(State.INCOMPLETE, ""), (State.COMPLETE, "44z")]


def test_at_rest_two_of_three_passes_examine_known_places_only() -> None:
    """The detector runs in every third frame, and again as soon as something changes."""
    table, watch = Table(), Watch()
    finder = FrameReader(TileReader(table, table))
    searched = []
    for step in range(6):
        watch = watch.after(WatchedFrame(places(), step / 8), finder)
        searched.append(len(table.asked))
    assert searched == [1, 1, 1, 2, 2, 2]
    assert [round(track.visibility, 2) for track in watch.tracker.tracks] == [0.88] * 14
    changed = places()
    changed[300:500, 300:900] = 0
    watch = watch.after(WatchedFrame(changed, 1.2), finder)
    assert (watch.state, len(table.asked)) == (State.MOVING, 3)


def test_passes_go_on_though_the_picture_is_again_as_before_a_change() -> None:
    """A small tile is laid, and the shadow that shows the change fades: the result from before no longer holds."""
    table, watch = Table(), Watch()
    finder = FrameReader(TileReader(table, table))
    step = 0.7 * MotionConfig().min_change_levels
    passed = []
    for number, levels in enumerate((*[0.0] * 12, step, 2 * step, step, step)):
        picture = places()
        picture[600:700, 200:700] = np.minimum(255, picture[600:700, 200:700] + levels)
        watch = watch.after(WatchedFrame(picture, number / 15), finder)
        passed.append(watch.was_passed)
    assert passed[-6:] == [False, False, False, True, True, True]


def test_known_places_move_with_the_camera() -> None:
    moved = [one.moved(9, -6) for one in HAND]
    tracker = watched(Table(), 3).shifted(9, -6)
    finder = FrameReader(TileReader(Table(), Table(laid=moved)))
    seen = finder.confirm(places(), tracker)
    assert seen is not None
    assert format_tiles(one.tile for one in seen if one is not None) == format_tiles(one.tile for one in HAND)


def test_a_tile_that_is_gone_from_its_place_was_not_seen() -> None:
    tracker = watched(Table(), 4)
    seen = FrameReader(TileReader(Table(), Table(laid=HAND[:5] + HAND[6:]))).confirm(places(), tracker)
    assert seen is not None
    assert [at for at, one in enumerate(seen) if one is None] == [5]
    fewer = tracker.confirmed(seen, at_s=1.0)
    assert [round(track.visibility, 2) for track in fewer.tracks] == [0.83] * 5 + [0.53] + [0.83] * 8
    assert fewer.passes == tracker.passes


def test_without_a_classifier_places_cannot_be_examined() -> None:
    table = Table()
    finder, tracker, watch = FrameReader(TileReader(table)), watched(table, 2), Watch()
    assert finder.confirm(places(), tracker) is None
    before = len(table.asked)
    for step in range(4):
        watch = watch.after(WatchedFrame(places(), step / 8), finder)
    assert len(table.asked) - before == 4, "every frame is passed as a whole"


class Credulous(Table):
    """Networks whose classifier takes every place for a tile."""

    def classify(self, rgb: np.ndarray, boxes: Sequence[Box], look: TileLook = ONE_LOOK) -> np.ndarray:
        return np.tile(np.eye(len(ALL_FACES) + 1, dtype=np.float32)[0], (len(boxes), 1))


def test_a_narrower_place_between_two_tiles_is_theirs() -> None:
    """The place between is not examined, because its crop, half one tile and half the next, would keep it for ever."""
    (x, y), width, height = HAND[4].box.center, 0.85 * HAND[4].box.width, HAND[4].box.height
    step = HAND[5].box.x0 - HAND[4].box.x0
    between = replace(
        HAND[4], box=Box(x + step / 2 - width / 2, y - height / 2, x + step / 2 + width / 2, y + height / 2)
    )
    tracker = Tracker()
    for number in range(3):
        tracker = tracker.after([*HAND, between], at_s=number / 8)
    assert len(tracker.sure) == 15, "else this shows nothing"
    assert len(watched(Credulous(), 6, tracker).sure) == 14


def test_between_two_tiles_that_are_surely_there_no_third_is_confirmed() -> None:
    """A box over halves of both tiles looks like a tile by itself, and would never be gone."""
    between = HAND[4].moved((HAND[5].box.x0 - HAND[4].box.x0) / 2, 0)
    tracker = Tracker()
    for number, seen in enumerate(([*HAND, between], [*HAND, between], HAND)):
        tracker = tracker.after(seen, at_s=number / 8)
    assert [track.tile for track in tracker.unsure] == [between.tile], "else this shows nothing"
    confirmed = FrameReader(TileReader(Credulous(), Credulous())).confirm(places(), tracker)
    assert confirmed is not None
    assert [one is None for one in confirmed] == [False] * 14 + [True]


@pytest.mark.parametrize("degrees", [0, 40, -40])
def test_a_table_that_lies_aslant_is_watched_in_turned_frames(degrees: float) -> None:
    rgb, places = dots(degrees, WAITING)
    networks, watch = Dots(), Watch()
    finder = FrameReader(TileReader(networks, networks, corners=networks))
    for step in range(16):
        watch = watch.after(WatchedFrame(rgb, step / 8), finder)
    assert math.degrees(watch.turn) == pytest.approx(-degrees, abs=1)
    assert watch.reading is not None
    assert watch.state is State.INCOMPLETE
    found = sorted(one.box.center for one in watch.reading.detections)
    assert np.array(found) == pytest.approx(np.array(sorted(places)), abs=3)
    turned, _ = dots(0, WAITING)
    for step in range(16, 32):
        watch = watch.after(WatchedFrame(turned, step / 8), finder)
    assert math.degrees(watch.turn) == pytest.approx(0, abs=3), "the camera was turned"
    assert watch.reading is not None
    assert watch.reading.size == 13


def test_a_table_in_weak_light_is_watched_as_in_white_light() -> None:
    networks, watch = Dots(), Watch()
    dim = (dots(0, WAITING)[0] * 0.5).astype(np.uint8)
    for step in range(16):
        watch = watch.after(WatchedFrame(dim, step / 8), FrameReader(TileReader(networks, networks)))
    assert watch.reading is not None
    assert watch.reading.size == 13


class Aslant(FrameReader):
    """A finder for which all tiles lie aslant in every view."""

    def slant(self, rgb: np.ndarray, detections: Sequence[Detection]) -> float:
        return 0.6


def test_a_scene_whose_tiles_lie_in_every_view_aslant_comes_to_rest() -> None:
    networks, watch = Dots(), Watch()
    finder = Aslant(TileReader(networks, networks))
    for step in range(16):
        watch = watch.after(WatchedFrame(dots(0, WAITING)[0], step / 8), finder)
    assert watch.turn == -0.6
    assert watch.understood is not None


@pytest.mark.parametrize(("reported", "turn"), [(False, -0.6), (True, 0)])
def test_tiles_of_a_reported_hand_are_not_found_anew(*, reported: bool, turn: float) -> None:
    networks, watch, rgb = Dots(), Watch(), dots(0, WAITING)[0]
    for step in range(16):
        watch = watch.after(WatchedFrame(rgb, step / 8), FrameReader(TileReader(networks, networks)))
    ids = frozenset(track.id for track in watch.tracker.tracks) if reported else frozenset()
    watch = replace(watch, reported=(ids, ()), understood=None)
    watch = watch.after(WatchedFrame(rgb, 2), Aslant(TileReader(networks, networks)))
    assert watch.turn == turn
