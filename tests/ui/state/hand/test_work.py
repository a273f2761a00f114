"""Edits of the hand on the table: typed hands and readings, undo and redo, what a browser may send."""

from dataclasses import replace

import pytest

from tilescore.errors import InputError
from tilescore.scoring.hand import Hand
from tilescore.scoring.score import ScoreLine
from tilescore.scoring.tiles import Tile, parse_tiles
from tilescore.ui.state.hand.edits import applied
from tilescore.ui.state.hand.highlight import tiles_of
from tilescore.ui.state.hand.history import History
from tilescore.ui.state.hand.work import Picture, Work
from tilescore.vision.decoding.reading import Reading
from tilescore.vision.detections import Candidate, Detection
from tilescore.vision.image.boxes import Box
from tilescore.vision.layout.layout import Role


def typed(text: str) -> History:
    return History(Work.of(Hand.parse(text)))


def seen(text: str) -> History:
    """A photo in which these tiles lie in one row."""
    detections = [
        Detection(Box(50 + 44 * place, 100, 90 + 44 * place, 155), 1.0, (Candidate(tile, 0.9),))
        for place, tile in enumerate(parse_tiles(text))
    ]
    reading = Reading.of(detections, size_wh=(800, 400))
    return History(Work(reading=reading, picture=Picture(b"jpeg", (800, 400))))


CLOSED = "123m456p789s11z345s"

TYPED_EDITS = [
    # hand, event, hand afterwards
    ("11123m", {"do": "tile", "at": 0, "tile": "9m"}, "91123m"),
    ("11123m", {"do": "tile", "at": 0, "tile": "1f"}, "1123m &1f"),
    ("1123m &1f", {"do": "tile", "at": 4, "tile": "1m"}, "11231m"),
    ("1123m &1f", {"do": "tile", "at": 4, "tile": "2f"}, "1123m &2f"),
    ("11123m", {"do": "role", "at": 4, "role": "winning"}, "11123m +3m"),
    ("11123m +3m", {"do": "role", "at": 0, "role": "winning"}, "11123m +1m"),
    ("11123m +3m", {"do": "role", "at": 4, "role": "concealed"}, "11123m"),
    ("11123m", {"do": "role", "at": 4, "role": "other"}, "1112m"),
    ("11123m", {"do": "meld", "members": [0, 3, 4]}, "11m (123m)"),
    ("11m (123m<2m)", {"do": "role", "at": 2, "role": "concealed"}, "11123m"),
    ("11m (123m<2m)", {"do": "tile", "at": 0, "tile": "5m"}, "51m (123m<2m)"),
    ("11m (123m<2m)", {"do": "remove", "at": 2}, "1123m"),
    ("11m (5555z)", {"do": "remove", "at": 2}, "11m (555z)"),
    ("11m (555z)", {"do": "tile", "at": 2, "tile": "1f"}, "11m55z &1f"),
    ("11m (123m) +1f &12f", {"do": "tile", "at": 0, "tile": "2m"}, "21m (123m) +1f &12f"),
    ("11m4z +4z &4z", {"do": "remove", "at": 0}, "1m4z +4z &4z"),
    ("11m (5555z)", {"do": "kong", "at": 2, "concealed": True}, "11m [5555z]"),
    ("11m [5555z]", {"do": "kong", "at": 2, "concealed": False}, "11m (5555z)"),
    ("11m", {"do": "remove", "at": 1}, "1m"),
    ("11m (123s>)", {"do": "tile", "at": 0, "tile": "2m"}, "21m (123s>)"),  # no such chow, which the rules refuse
    ("", {"do": "add", "tile": "0p"}, "0p"),
    ("13m", {"do": "add", "tile": "2m"}, "123m"),
    ("31m", {"do": "add", "tile": "2m"}, "312m"),  # the person keeps an order of their own
    ("", {"do": "add", "tile": "3q"}, "&3q"),
]


@pytest.mark.parametrize(("before", "event", "after"), TYPED_EDITS)
def test_typed_hand_changes(before: str, event: dict[str, object], after: str) -> None:
    changed = applied(typed(before), event)
    assert str(changed.now.hand) == after
    assert str(applied(changed, {"do": "undo"}).now.hand) == before
    assert str(applied(applied(changed, {"do": "undo"}), {"do": "redo"}).now.hand) == after


REFUSED = [
    # hand, event, code
    ("11m", None, "unknown_event"),
    ("11m", {"do": "explode"}, "unknown_event"),
    ("11m", {"do": "tile", "at": "0", "tile": "9m"}, "unknown_event"),
    ("11m", {"do": "tile", "at": 7, "tile": "9m"}, "no_such_tile"),
    ("11m", {"do": "tile", "at": -1, "tile": "9m"}, "no_such_tile"),
    ("11m", {"do": "tile", "at": 0, "tile": "10m"}, "unknown_tile"),
    ("11m", {"do": "role", "at": 0, "role": "king"}, "unknown_event"),
    ("1111m", {"do": "add", "tile": "1m"}, "too_many_copies"),
    ("124m", {"do": "meld", "members": [0, 1, 2]}, "no_such_meld"),
    ("11m &1f", {"do": "role", "at": 2, "role": "concealed"}, "not_a_hand_tile"),
    ("11m", {"do": "add", "tile": "1m", "box": [0, 0, 9, 9]}, "bad_box"),
]


@pytest.mark.parametrize(("before", "event", "code"), REFUSED)
def test_impossible_edits_are_refused(before: str, event: object, code: str) -> None:
    with pytest.raises(InputError) as caught:
        applied(typed(before), event)
    assert caught.value.code == code


def test_reading_changes_and_comes_back() -> None:
    history = seen(CLOSED)
    changed = applied(history, {"do": "tile", "at": 0, "tile": "4m"})
    assert changed.now.hand.concealed[0] == Tile.parse("4m")
    changed = applied(changed, {"do": "role", "at": 5, "role": "winning"})
    assert str(changed.now.hand.winning_tile) == "6p"
    once = applied(changed, {"do": "undo"})
    assert once.now.hand.winning_tile is None
    assert once.now.hand.concealed[0] == Tile.parse("4m")
    assert applied(once, {"do": "undo"}).now == history.now


def test_tiles_of_a_reading_become_a_meld_and_go_back() -> None:
    changed = applied(seen(CLOSED), {"do": "meld", "members": [6, 7, 8]})
    assert str(changed.now.hand) == "123m456p11z345s (789s)"
    assert str(applied(changed, {"do": "role", "at": 7, "role": "concealed"}).now.hand) == CLOSED


def test_face_up_kong_can_be_said_concealed() -> None:
    history = applied(seen("123m456p5555z11z345s"), {"do": "meld", "members": [6, 7, 8, 9]})
    assert str(history.now.hand.melds[0]) == "(5555z)"
    history = applied(history, {"do": "kong", "at": 7, "concealed": True})
    assert str(history.now.hand.melds[0]) == "[5555z]"
    assert any(group.hidden for group in history.now.groups)
    assert str(applied(history, {"do": "kong", "at": 7, "concealed": False}).now.hand.melds[0]) == "(5555z)"


def test_missed_tile_is_added_in_its_box() -> None:
    history = seen("123m456p789s11z34s")
    added = applied(history, {"do": "add", "tile": "5s", "box": [662, 155, 622, 100]})
    assert str(added.now.hand) == CLOSED
    with pytest.raises(InputError, match="too small"):
        applied(history, {"do": "add", "tile": "5s", "box": [900, 100, 950, 155]})
    with pytest.raises(InputError, match="draw it again"):
        applied(history, {"do": "add", "tile": "5s", "box": [0, 0, float("nan"), 1]})


def test_sets_are_offered_nearest_first() -> None:
    work = seen("1112m999p345s77z11s").now
    assert work.sets_with(0) == ((0, 1, 2),)
    assert work.sets_with(8) == ((7, 8, 9),)
    assert work.sets_with(11) == ()


HIGHLIGHTS = [
    # hand, tiles of the line, tiles lit
    ("11223m", "123m", [0, 2, 4]),
    ("340p", "345p", [0, 1, 2]),
    ("55z (555s)", "555s", [2, 3, 4]),
    ("11m +1m", "", [1]),
]


@pytest.mark.parametrize(("hand", "tiles", "lit"), HIGHLIGHTS)
def test_a_line_lights_its_tiles(hand: str, tiles: str, lit: list[int]) -> None:
    assert sorted(tiles_of(typed(hand).now, ScoreLine(key="mcr.x", tiles=parse_tiles(tiles)))) == lit


def test_undo_reaches_back_over_eight_photos_and_all_edits_of_the_last() -> None:
    history = History()
    for number in range(20):
        photo = seen(CLOSED).now
        history = history.then(replace(photo, picture=Picture(b"%d" % number, (800, 400))))
    for at in (0, 1) * 20:
        history = applied(history, {"do": "tile", "at": at, "tile": str(Tile.parse("9m" if at else "8m"))})
    pictures = {state.picture for state in history.past}
    assert pictures == {Picture(b"%d" % number, (800, 400)) for number in range(12, 20)}
    history = history.then(Work.of(Hand.parse("11m"))).undone()
    assert history.now.picture == Picture(b"19", (800, 400))


def test_history_forgets_what_was_undone_after_a_new_edit() -> None:
    history = applied(applied(typed("11m"), {"do": "remove", "at": 0}), {"do": "undo"})
    assert history.future
    history = applied(history, {"do": "add", "tile": "2m"})
    assert not history.future
    assert history.now.role(0) is Role.CONCEALED


def test_only_a_tile_that_a_photo_shows_has_a_box() -> None:
    work = seen("123m456p789s11z34s").now.with_added(Tile.parse("5s"), None)
    assert [at for at in work.order if work.box(at) is None] == [13]
    table = typed("11m (123m<2m) +1f &1f").now
    assert table.size == 5, "the flower that won is no tile of the sets"
    assert not any(group.turned for group in table.groups)
    assert not any(table.box(at) for at in table.order)
