"""An edit of a hand on a photo leaves the tiles alone that it does not name."""

import time

import pytest

from tests.harness.app_process import patience
from tests.vision.layout.measured import SIZE_WH, unsure
from tests.vision.table import lay, tiles
from tilescore.datasets.layouts.tables import table_of
from tilescore.errors import InputError
from tilescore.scoring.tiles import Tile, format_tiles, parse_tiles
from tilescore.ui.state.hand.work import Work
from tilescore.vision.decoding.reading import Reading
from tilescore.vision.detections import Detection
from tilescore.vision.layout.layout import Role


def work_on(found: list[Detection]) -> Work:
    return Work(reading=Reading.of(found, size_wh=SIZE_WH))


def places(work: Work, text: str) -> tuple[int, ...]:
    """The first concealed tiles of these faces."""
    free = [at for at in work.order if work.role(at) is Role.CONCEALED]
    return tuple(free.pop(next(i for i, at in enumerate(free) if work.tile(at) == tile)) for tile in parse_tiles(text))


def melds(work: Work) -> list[str]:
    return sorted(format_tiles(meld.tiles) for meld in work.hand.melds)


@pytest.mark.parametrize("index", [1, 7, 12, 16, 18, 25, 33, 37])
def test_a_new_name_and_a_tile_less_change_no_other_tile(index: int) -> None:
    work = work_on(unsure(table_of(20261126, index).detections))
    order = {*work.order}
    for at in work.order[::4]:
        renamed, less = work.with_tile(at, Tile.parse("5z")), work.without(at)
        assert order <= {*renamed.order}
        assert work.reading.winning in (None, at, renamed.reading.winning)
        assert {*less.order} == {one - (one > at) for one in order if one != at}


def test_tiles_that_are_put_aside_take_no_others_along() -> None:
    work = work_on(unsure(table_of(20261126, 2173).detections))
    work = work.with_roles((8, 9), Role.OTHER).with_role(4, Role.WINNING)
    assert {*work.order} - {*work.with_roles((6, 7, 10), Role.OTHER).order} == {6, 7, 10}


def test_a_tile_that_leaves_its_set_parts_no_other_set() -> None:
    work = work_on(unsure(table_of(20261126, 2631).detections)).with_role(7, Role.CONCEALED)
    sets = [{place.members for place in each.reading.layout.melds} for each in (work, work.with_role(16, Role.WINNING))]
    assert sets[0] - sets[1] == {(15, 16, 17)}


def test_sets_whose_tiles_lie_among_each_other_are_declared_one_after_the_other() -> None:
    work = work_on(lay(tiles("232p234m115p123s35p")))
    work = work.with_meld(places(work, "123p"))
    work = work.with_meld(places(work, "234m"))
    assert (melds(work), work.size) == (["123p", "234m"], 14)


def test_a_hand_of_seventeen_tiles_has_five_declared_sets() -> None:
    work = work_on(lay(tiles("111222333p456789m66z")))
    for text in ("111p", "222p", "333p", "456m", "789m"):
        work = work.with_meld(places(work, text))
    assert melds(work) == ["111p", "222p", "333p", "456m", "789m"]


def test_a_wall_that_a_rectangle_takes_is_no_meld() -> None:
    work = work_on([one for y in (100, 200, 300, 400) for one in lay(tiles("123456789m1234567p"), y=y)])
    began = time.monotonic()
    with pytest.raises(InputError, match="is no chow, pung or kong"):
        work.with_roles(tuple(range(len(work.reading.detections))), Role.MELD)
    assert time.monotonic() - began < 5 * patience()


def test_many_tiles_that_are_read_alike_are_parted_soon() -> None:
    work = work_on([one for y in (100, 200) for one in lay(tiles("5555555555z"), y=y)])
    began = time.monotonic()
    work = work.with_roles(tuple(range(len(work.reading.detections))), Role.MELD)
    assert [len(place.members) for place in work.reading.layout.melds] == [4] * 5
    assert time.monotonic() - began < 5 * patience()


def test_one_set_back_in_the_hand_leaves_the_others_declared() -> None:
    work = work_on([*lay(tiles("11122m")), *lay(tiles("777666555z"), y=300)])
    assert melds(work) == ["555z", "666z", "777z"]
    changed = work.with_roles(next(one.members for one in work.reading.layout.melds), Role.CONCEALED)
    assert len(melds(changed)) == 2
    assert changed.size == 14


def test_the_rest_of_a_set_that_loses_a_tile_goes_back_into_the_hand() -> None:
    work = work_on([*lay(tiles("11122m")), *lay(tiles("777666555z"), y=300)])
    first, second, _ = (place.members[0] for place in work.reading.layout.melds)
    changed = work.with_role(first, Role.OTHER).with_role(second, Role.OTHER)
    assert (len(changed.hand.concealed), melds(changed)) == (9, melds(work)[:1])


@pytest.mark.parametrize("index", [5, 16, 34])
def test_no_other_tiles_may_be_the_hand_once_a_person_says_which_are(index: int) -> None:
    work = work_on([*table_of(20261126, index).detections])
    said = work.with_hand(work.order)
    assert ({*said.order}, len(said.reading.layout.claims)) == ({*work.order}, 1)
    assert not any(doubt.code == "which_hand" for doubt in said.reading.doubts)


def test_another_winning_tile_takes_the_place_of_the_one_before() -> None:
    work = work_on(lay(f"{tiles('123m456p789s1z222z')} 1z"))
    assert work.reading.winning == work.order[-1]
    changed = work.with_role(work.order[0], Role.WINNING)
    assert (str(changed.hand), changed.reading.indices(Role.WINNING)) == ("123m456p789s12221z +1m", (work.order[0],))


def test_a_single_tile_may_be_all_that_is_left() -> None:
    work = work_on(lay(tiles("123m456p789s11222z")))
    assert work.with_roles(work.order[1:], Role.OTHER).notation == "1m"
