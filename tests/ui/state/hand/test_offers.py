"""What one tap settles about the tiles of a photo, and how many taps the judged photos need."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from tests.ui.state.hand.test_work import CLOSED, seen
from tilescore.scoring.tiles import Tile, parse_tiles
from tilescore.ui.state.hand.edits import applied
from tilescore.ui.state.hand.history import History
from tilescore.ui.state.hand.offers import offers_for, open_sets, rows_of, seen_indicators
from tilescore.ui.state.hand.work import Picture, Work
from tilescore.vision.decoding.doubts import Doubt
from tilescore.vision.decoding.reading import Reading
from tilescore.vision.detections import Candidate, Detection
from tilescore.vision.image.boxes import Box
from tilescore.vision.layout.layout import Role

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TWO_TAPS = {"groups": 0.9, "row": 0.9}
"""The part of the judged photos with that tag whose hand is right after two taps."""


def rows(*texts: str, doubts: tuple[Doubt, ...] = (), roles: dict[int, Role] | None = None) -> History:
    """A photo with these rows, one below the other, and these doubts."""
    detections = [
        Detection(Box(50 + 44 * x, 100 + 150 * y, 90 + 44 * x, 155 + 150 * y), 1.0, (Candidate(tile, 0.9),))
        for y, text in enumerate(texts)
        for x, tile in enumerate(parse_tiles(text))
    ]
    reading = replace(Reading.of(detections, size_wh=(800, 800), fixed_roles=roles), doubts=doubts)
    return History(Work(reading=reading, picture=Picture(b"jpeg", (800, 800))))


def test_all_tiles_are_offered_where_no_hand_is_claimed() -> None:
    aside = dict.fromkeys(range(14), Role.OTHER)
    history = rows("123m456p", "789s11z", "345s", doubts=(Doubt("no_hand", "?"),), roles=aside)
    assert history.now.size == 0
    (offer,) = offers_for(history.now, whole=14)
    assert (offer.key, offer.params) == ("take_seen", {"n": 14})
    taken = applied(history, offer.event)
    assert sorted(taken.now.hand.concealed) == sorted(parse_tiles(CLOSED))
    assert not offers_for(taken.now, whole=14)


def test_the_rest_of_a_hand_is_offered() -> None:
    history = History(seen(CLOSED).now.with_roles(tuple(range(6, 14)), Role.OTHER))
    assert history.now.size == 6, "the others stay"
    (offer,) = offers_for(history.now, whole=14)
    assert (offer.key, offer.params) == ("take_all", {"n": 8})
    assert applied(history, offer.event).now.size == 14


def test_a_whole_table_is_not_offered() -> None:
    assert not offers_for(rows("123m456p789s", "11z345s", "999m", "888p").now, whole=14)
    assert offers_for(
        rows("123m456p789s", "11z345s", "99m", roles=dict.fromkeys(range(6, 16), Role.OTHER)).now, whole=17
    )


def test_two_hands_are_both_offered() -> None:
    hands = (tuple(range(14)), tuple(range(14, 28)))
    doubts = (Doubt("tile_count", "?"), Doubt("which_hand", "?", candidates=hands))
    history = rows(CLOSED, "222m333p444s55z678m", doubts=doubts)
    first, second = offers_for(history.now, whole=14)
    assert first.outlines == (hands[0],)
    assert sorted(applied(history, second.event).now.hand.concealed) == sorted(parse_tiles("222m333p444s55z678m"))
    assert sorted(applied(history, first.event).now.hand.concealed) == sorted(parse_tiles(CLOSED))


def test_sets_in_question_are_declared_or_not() -> None:
    sets = ((0, 1, 2), (6, 7, 8))
    history = rows(CLOSED, doubts=(Doubt("declared", "?", candidates=sets),))
    assert open_sets(history.now) == sets
    members = [at for one in sets for at in one]
    assert len(applied(history, {"do": "meld", "members": members}).now.hand.melds) == 2
    concealed = applied(history, {"do": "roles", "members": members, "role": str(Role.CONCEALED)})
    assert not concealed.now.hand.melds


def on_the_wall() -> History:
    """A hand below a wall with two faces up."""
    wall = ["back", "8m", "back", "back", "3p", "back"]
    detections = [
        Detection(Box(50 + 44 * x, 100 + 200 * y, 94 + 44 * x, 155 + 200 * y), 1.0, (Candidate(tile, 0.9),))
        for y, tiles in enumerate(([Tile.parse(text) for text in wall], parse_tiles(CLOSED)))
        for x, tile in enumerate(tiles)
    ]
    return History(Work(reading=Reading.of(detections, size_wh=(800, 800)), picture=Picture(b"jpeg", (800, 800))))


def test_an_indicator_counts_after_one_tap_and_no_more_after_undo() -> None:
    history = on_the_wall()
    first, second = seen_indicators(history.now, ())
    assert [str(history.now.tile(at)) for at in (first, second)] == ["8m", "3p"]
    marked = applied(history, {"do": "role", "at": first, "role": "dora_indicator"})
    known = marked.now.context.dora_indicators
    assert known == (Tile.parse("8m"),)
    assert seen_indicators(marked.now, known) == (second,)
    assert marked.undone().now.context.dora_indicators == ()
    assert marked.undone().redone().now.context.dora_indicators == known


@pytest.mark.parametrize(
    ("event", "dora", "ura"),
    [
        ({"do": "tile", "tile": "7m"}, "7m", ""),  # the indicator is another tile
        ({"do": "role", "role": "ura_indicator"}, "", "8m"),  # it lay under another one
        ({"do": "role", "role": "other"}, "", ""),  # it is none
        ({"do": "remove"}, "", ""),  # there is no tile
    ],
)
def test_what_counts_follows_a_marked_tile(event: dict[str, Any], dora: str, ura: str) -> None:
    history = on_the_wall()
    at = seen_indicators(history.now, ())[0]
    marked = applied(history, {"do": "role", "at": at, "role": "dora_indicator"})
    context = applied(marked, {**event, "at": at}).now.context
    assert context.dora_indicators == tuple(parse_tiles(dora))
    assert context.ura_dora_indicators == tuple(parse_tiles(ura))


def test_an_indicator_that_somebody_named_is_not_offered_again() -> None:
    now = on_the_wall().now
    assert len(seen_indicators(now, (Tile.parse("8m"),))) == 1
    assert not seen_indicators(now, tuple(parse_tiles("1s2s3s4s5s")))


def test_a_row_is_the_hand() -> None:
    history = rows("999m888p777s666z", CLOSED)
    members = next(row for row in rows_of(history.now.reading) if 13 in row) if history.now.reading else ()
    assert sorted(applied(history, {"do": "hand", "members": list(members)}).now.hand.concealed) == sorted(
        parse_tiles(CLOSED)
    )


def test_a_typed_hand_has_no_offers() -> None:
    assert not offers_for(Work.of(seen(CLOSED).now.hand), whole=14)


def judged(data: dict[str, Any]) -> Work:
    """The reading of a judged photo."""
    detections = [
        Detection(
            Box(*one["box_xyxy"]), 1.0,
            (Candidate(Tile.parse(one["tile"]), one["confidence"]),
             *(Candidate(Tile.parse(tile), share) for tile, share in one["alternatives"])),
        )
        for one in data["detections"]
    ]  # fmt: skip
    width, height = data["size_wh"]
    reading = Reading.of(detections, size_wh=(width, height))
    return Work(reading=reading, picture=Picture(b"jpeg", (width, height)))


def hand_of(work: Work) -> frozenset[int]:
    return frozenset(at for at in work.order if work.role(at) is not Role.BONUS)


def one_gesture(work: Work) -> Iterator[tuple[int, Work]]:
    """What the buttons and a tile of each row can make of the photo, with the taps that it takes."""
    assert work.reading is not None
    sets = [at for one in open_sets(work) for at in one]
    for event in ({"do": "meld"}, {"do": "roles", "role": str(Role.CONCEALED)}) if sets else ():
        yield 1, applied(History(work), {**event, "members": sets}).now
    for offer in offers_for(work, whole=14):
        yield 1, applied(History(work), offer.event).now
    for row in rows_of(work.reading):
        yield 2, applied(History(work), {"do": "hand", "members": list(row)}).now


def rectangle(work: Work, places: frozenset[int]) -> bool:
    """Whether one rectangle selects these tiles and no others."""
    assert work.reading is not None
    boxes = [detection.box for detection in work.reading.detections]
    chosen = [boxes[at] for at in places]
    x0, y0 = (min(box.center[side] for box in chosen) for side in (0, 1))
    x1, y1 = (max(box.center[side] for box in chosen) for side in (0, 1))
    inside = {
        at
        for at, box in enumerate(boxes)
        if x0 <= box.center[0] <= x1
        and y0 <= box.center[1] <= y1
        and not (work.reading.detections[at].tile.is_back and work.role(at) is Role.OTHER)
    }
    return inside == places


def taps(work: Work, truth: frozenset[int]) -> int:
    """Taps to the tiles of the hand: 0 to 2, or 3 for more. A rectangle and its button are two."""
    if hand_of(work) == truth:
        return 0
    ways = [number for number, after in one_gesture(work) if hand_of(after) == truth]
    changes = (truth - hand_of(work), hand_of(work) - truth)
    selected = [2 for one in changes if one and hand_of(work) ^ one == truth and rectangle(work, one)]
    return min((*ways, *selected), default=3)


def test_judged_photos_take_two_taps(shared: Path) -> None:
    file = shared / "data" / "layouts" / "layouts.jsonl"
    if not file.is_file():
        pytest.skip("the judged photos are missing")
    counts: dict[str, Counter[int]] = {}
    for line in file.read_text(encoding="utf-8").splitlines():
        data = json.loads(line)
        if data["kind"] != "hand":
            continue
        members = [*data["truth"]["concealed"], *(at for meld in data["truth"]["melds"] for at in meld["members"])]
        need = taps(judged(data), frozenset(members))
        for tag in ("all", *data["tags"]):
            counts.setdefault(tag, Counter())[need] += 1
    for tag, least in TWO_TAPS.items():
        part = 1 - counts[tag][3] / counts[tag].total()
        print(f"{tag}: {dict(sorted(counts[tag].items()))}, right in two taps: {part:.2f}")  # noqa: T201
        assert part >= least, (tag, counts[tag])
