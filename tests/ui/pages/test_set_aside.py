"""A north of three players is set aside by one tap on the tile, in a typed hand and in a photo."""

import json

from streamlit.testing.v1 import AppTest

from tests.ui.pages.table_app import LIMIT_S, ROOT
from tests.ui.pages.test_app import choose, take
from tests.vision.table import lay, tiles
from tilescore.scoring.context import Context, WinBy
from tilescore.scoring.hand import Hand
from tilescore.scoring.ruleset import ruleset
from tilescore.scoring.score import Score
from tilescore.scoring.tiles import NORTH, Tile
from tilescore.ui.components.tiles.tile_canvas import _tile
from tilescore.ui.state.hand import stored
from tilescore.ui.state.hand.history import History
from tilescore.ui.state.hand.work import Work
from tilescore.vision.decoding.reading import Reading
from tilescore.vision.layout.layout import Role

RULES = ruleset("riichi3")
WON = Context(win_by=WinBy.SELF_DRAW)


def norths(work: Work) -> int:
    """How many norths count beside the hand."""
    result = RULES.score(work.hand, WON)
    assert isinstance(result, Score)
    return next((line.count for line in result.lines if line.key == "riichi3.nuki_dora"), 0)


def test_a_tap_sets_a_typed_north_aside() -> None:
    work = Work.of(Hand.parse("345678p345789s22p4z +9s"))
    at = next(at for at in work.order if work.tile(at) is NORTH)
    assert _tile(work, at, RULES)["aside"]
    assert not _tile(work, at, ruleset("riichi"))["aside"]
    assert not _tile(work, work.order[0], RULES)["aside"]
    aside = work.with_role(at, Role.BONUS)
    assert norths(aside) == 1
    assert aside.hand.size == 14
    assert work.with_roles((at,), Role.BONUS) == aside
    back = next(at for at in aside.order if aside.tile(at) is NORTH)
    assert aside.with_role(back, Role.CONCEALED).hand.bonus == ()


def reloaded(work: Work) -> Work:
    return stored.from_json(json.loads(json.dumps(stored.to_json(work))), None)


def test_a_north_set_aside_stays_so_after_a_reload_as_long_as_its_game_does() -> None:
    laid = lay(f"{tiles('345678p345789s2p')} 2p  4z4z")
    reading = Reading.of(laid, size_wh=(1280, 720), shapes=RULES.shapes, aside=RULES.traits.aside)
    work = Work(reading=reading, id="one")
    assert norths(work) == 2
    assert reloaded(work) == work
    four = ruleset("riichi")
    assert reloaded(work).in_game(four) == work.in_game(four)
    assert not work.in_game(four).hand.bonus


def test_a_hand_that_an_earlier_version_wrote_down_keeps_its_norths_aside() -> None:
    data = stored.to_json(photographed().in_game(RULES))
    del data["reading"]["shapes"], data["reading"]["aside"]
    data["reading"]["fixed_roles"] = [[at, "bonus"] for at in (14, 15)]
    assert norths(stored.from_json(data, None)) == 2


def photographed() -> Work:
    """A photo with two norths in line with the hand, read for no game and corrected by a person."""
    reading = Reading.of(lay(f"{tiles('345678p345789s2p')} 2p  4z4z"), size_wh=(1280, 720))
    return Work(reading=reading, id="one").with_tile(2, Tile.parse("0p")).with_role(3, Role.WINNING)


def test_norths_of_a_photo_follow_the_game_and_what_a_person_corrected_stays() -> None:
    four = photographed()
    three = four.in_game(RULES)
    assert str(three.hand) == "340678p345789s22p +6p &44z"
    assert norths(three) == 2
    assert three.in_game(ruleset("riichi")).hand == four.hand


def test_the_game_may_be_chosen_after_the_photo() -> None:
    app = take(AppTest.from_file(str(ROOT / "ui" / "start" / "app.py"), default_timeout=LIMIT_S).run(), "typed")
    app.session_state["session"].history = History(photographed())
    choose(app, "ruleset", "riichi3")
    assert app.session_state["session"].history.now.notation == "340678p345789s22p +6p &44z"
    choose(app, "ruleset", "riichi")
    assert app.session_state["session"].history.now == photographed()


def test_a_hand_is_what_it_was_after_another_game_was_chosen_for_a_moment() -> None:
    found = lay(f"{tiles('22p345678s1z1z1z4z')}  3s") + lay(tiles("4z4z4z4z"), x=60, y=470)
    work = Work(reading=Reading.of(found, size_wh=(1280, 720)), id="one").in_game(ruleset("riichi"))
    app = take(AppTest.from_file(str(ROOT / "ui" / "start" / "app.py"), default_timeout=LIMIT_S).run(), "typed")
    choose(app, "ruleset", "riichi")
    app.session_state["session"].history = History(work)
    before = app.run().session_state["session"].history
    for _ in range(2):
        choose(app, "ruleset", "riichi3")
        assert app.session_state["session"].history.now.notation.endswith("&4444z")
        choose(app.run(), "ruleset", "riichi")
        assert app.session_state["session"].history.now.notation == work.notation
    assert app.session_state["session"].history == before


def test_a_tap_sets_a_north_of_a_photo_aside() -> None:
    laid = lay(f"{tiles('345678p345789s2p')} 2p") + lay("4z", x=900, y=60)
    work = Work(reading=Reading.of(laid, size_wh=(1280, 720), shapes=RULES.shapes, aside=RULES.traits.aside))
    at = next(at for at in range(15) if work.tile(at) is NORTH)
    assert norths(work) == 0
    assert norths(work.with_role(at, Role.BONUS)) == 1
