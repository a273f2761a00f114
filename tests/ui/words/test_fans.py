"""Every line of every ruleset has a page with an example that really has it; hands near a win and their scores."""

import json
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tilescore.errors import InputError
from tilescore.scoring.context import Context, Occasion, Seat, WinBy
from tilescore.scoring.game.waits import waits_of
from tilescore.scoring.hand import Hand
from tilescore.scoring.ruleset import RULESETS, ruleset
from tilescore.scoring.score import NotAWin, Score
from tilescore.scoring.tiles import TERMINALS_AND_HONORS, Tile
from tilescore.ui.components.lines.fan_list import _rows, worth_words
from tilescore.ui.state.circumstances import possible_occasions
from tilescore.ui.state.hand.one_tile_off import changes
from tilescore.ui.state.hand.work import Work
from tilescore.ui.words.fans import example, fan_of, fans, kinds

ROOT = Path(__file__).parents[3]
ALL = [fan for name in RULESETS for fan in fans(name)]


def fans_page() -> None:
    """What AppTest runs: the page by itself."""
    from tilescore.ui.pages import fans as place

    place.page()


def fans_page_of_a_linked_hand() -> None:
    """What AppTest runs: the page while a hand with another value of a line lies on the table."""
    from tilescore.scoring.context import Context
    from tilescore.scoring.hand import Hand
    from tilescore.ui.pages import fans as place
    from tilescore.ui.state import session

    hand, options = Hand.parse("123456789m23499m +9m"), {"house": "full_flush,9"}
    session.show_link(hand, ruleset="hongkong", context=Context(), options=options)
    place.page()


def scored_examples() -> None:
    """What AppTest runs: the example of each line, put on the table and scored there."""
    import streamlit as st

    from tilescore.scoring.ruleset import RULESETS
    from tilescore.ui.components.score import booking
    from tilescore.ui.pages.fans import _score
    from tilescore.ui.state import session
    from tilescore.ui.state.hand.history import History
    from tilescore.ui.words.fans import fans

    st.session_state["scores"] = {}
    for key in [fan.key for name in RULESETS for fan in fans(name)]:
        session.keep(History())
        _score(key)
        st.session_state["scores"][key] = booking.scored(session.history().now).result


def compare_page() -> None:
    from tilescore.ui.pages import compare as place

    place.page()


def component(app: AppTest, name: str) -> dict[str, Any]:
    found = next(element.proto for element in app.get("bidi_component") if element.proto.component_name == name)
    data: list[dict[str, Any]] = json.loads(found.json)
    return data[0]


def html(app: AppTest) -> str:
    return "\n".join(element.proto.body for element in app.get("html"))


@pytest.mark.parametrize("fan", ALL, ids=[fan.key for fan in ALL])
def test_the_example_has_the_line(fan: Any) -> None:
    shown = example(fan.key)
    assert shown is not None, "the hand of examples.csv is worth nothing"
    line = shown.line(fan.key)
    assert line is not None, [entry.key for entry in shown.score.lines]
    assert ruleset(fan.key.partition(".")[0], shown.options).score(shown.hand, shown.context) == shown.score


OPTIONS = [(name, entry) for name in RULESETS for entry in ruleset(name).options() if not entry.overruled]


@pytest.mark.parametrize(("name", "entry"), OPTIONS, ids=[f"{name}.{entry.name}" for name, entry in OPTIONS])
def test_each_example_has_a_score_at_each_table(name: str, entry: Any) -> None:
    values = entry.choices or ((True, False) if isinstance(entry.default, bool) else (entry.least, entry.most))
    for value in {*values} - {""}:
        try:
            ruleset(name, {entry.name: value})
        except InputError:  # no such table
            continue
        for fan in fans(name):
            assert example(fan.key, ((entry.name, value),)) is not None, (fan.key, value)


def test_nothing_is_left_out() -> None:
    for name in RULESETS:
        assert [fan.key for fan in fans(name)] == [entry.key for entry in ruleset(name).rules()]
    assert len(ALL) > 250


INSTEAD = [
    # line, what it takes the place of, a hand that would have both, how it was won
    ("riichi.ryanpeikou", "riichi.iipeikou", "112233m778899p55s +1m", {"win_by": "discard"}),
    ("riichi.ryanpeikou", "riichi.chiitoitsu", "112233m778899p55s +5s", {"win_by": "discard"}),
    (
        "riichi.chankan",
        "riichi.houtei",
        "119m19p19s1234567z +9s",
        {"win_by": "discard", "occasions": ["robbing_concealed_kong", "last_tile"]},
    ),
    ("riichi.double_riichi", "riichi.riichi", "123m345678p99567s +9s", {"occasions": ["double_riichi"]}),
    (
        "riichi.rinshan_kaihou",
        "riichi.haitei",
        "123m345p99s444z (8888p) +9s",
        {"occasions": ["kong_replacement", "last_tile"]},
    ),
    ("classical.honors_only", "classical.terminals_honors", "1122334455667z", {"win_by": None}),
    ("simplified.honors_only", "simplified.terminals_honors", "1122334455667z", {"win_by": None}),
    ("simplified.own_flower", "simplified.round_flower", "123m456p789555s77z +9s &1f", {"win_by": "discard"}),
    ("simplified.own_season", "simplified.round_season", "123m456p789555s77z +9s &1q", {"win_by": "discard"}),
]


def test_lines_in_the_place_of_others_are_all_proven() -> None:
    said = {(fan.key, weak) for fan in ALL if fan.number is None for weak in fan.excludes}
    assert said == {(strong, weak) for strong, weak, _, _ in INSTEAD}


@pytest.mark.parametrize(("strong", "weak", "hand", "how"), INSTEAD)
def test_in_the_place_of_another(strong: str, weak: str, hand: str, how: dict[str, Any]) -> None:
    context = Context.from_json({"win_by": "self_draw"} | how)
    result = ruleset(strong.partition(".")[0]).score(Hand.parse(hand), context)
    assert (weak, strong) in {(entry.key, entry.because) for entry in result.excluded}


def test_mcr_exclusions_are_those_of_the_table() -> None:
    pungs = fan_of("mcr.all_pungs")
    assert pungs is not None
    assert pungs.excludes == ("mcr.outside_hand",)
    listed = {row["key"]: row for row in _rows("mcr", (), "en")}
    assert "mcr.big_four_winds" in listed["mcr.all_pungs"]["under"]
    orphans = fan_of("mcr.thirteen_orphans")
    assert orphans is not None
    assert "mcr.concealed_hand" in orphans.excludes


WORTHS = [
    ("mcr.big_four_winds", "88"),
    ("riichi.ittsu", "2 / 1 han"),
    ("riichi.pinfu", "1 han"),
    ("riichi.daisangen", "Yakuman"),
    ("riichi.fu.self_draw", "2 fu"),
    ("riichi3.ittsu", "2 / 1 han"),
    ("riichi3.daisangen", "Yakuman"),
    ("hongkong.big_dragons", "8 faan"),
    ("taiwan.all_pungs", "4 tai"),
    ("classical.mah_jong", "20"),
    ("classical.one_suit", "× 8"),
    ("classical.moon", "Limit"),
]


@pytest.mark.parametrize(("key", "worth"), WORTHS)
def test_worth(key: str, worth: str) -> None:
    fan = fan_of(key)
    assert fan is not None
    assert worth_words(fan) == worth


@pytest.mark.parametrize("key", [None, "", "mcr", "mcr.nothing", "chess.mate", "../../x"])
def test_no_such_line(key: str | None) -> None:
    assert fan_of(key) is None


@pytest.mark.parametrize("name", RULESETS)
def test_the_page_shows_every_line(name: str) -> None:
    app = AppTest.from_function(fans_page, default_timeout=60)
    app.query_params["fan"] = wanted = fans(name)[-1].key
    app.run()
    assert not app.exception
    data = component(app, "tilescore_fan_list")
    assert data["open"] == wanted
    assert [row["key"] for row in data["fans"]] == [fan.key for fan in fans(name)]
    assert all(row["name"] and row["worth"] and (row["text"] or ".limit" in row["key"]) for row in data["fans"])
    assert [kind for kind, _ in data["kinds"]] == kinds(name)


@pytest.mark.parametrize(
    ("name", "order"),
    [
        ("mcr", "88 64 48 32 24 16 12 8 6 4 2 1"),
        ("riichi", "1 2 3 5 6 yakuman fu"),
        ("classical", "points x2 x4 x8 limit"),
        ("simplified", "points x2 x3 x4 limit"),
        ("hongkong", "0 1 2 3 4 5 6 7 8 10 13"),
        ("taiwan", "1 2 3 4 5 8 16 24"),
        ("riichi3", "1 2 3 5 6 yakuman fu"),
    ],
)
def test_kinds_stand_in_the_order_of_their_worth(name: str, order: str) -> None:
    assert kinds(name) == order.split()


def test_the_page_opens_with_the_first_ruleset_for_an_unknown_line() -> None:
    app = AppTest.from_function(fans_page, default_timeout=60)
    app.query_params["fan"] = "mcr.nothing"
    app.run()
    assert not app.exception
    assert component(app, "tilescore_fan_list")["open"] is None


def test_a_line_leads_to_its_page() -> None:
    app = AppTest.from_file(str(ROOT / "ui" / "start" / "app.py"), default_timeout=60).run()
    app.session_state["go_to"] = ("fans", {"fan": "riichi.chanta"})
    app.run()
    assert not app.exception
    assert component(app, "tilescore_fan_list")["open"] == "riichi.chanta"


# --- near a win

WAITS = [
    # ruleset, thirteen tiles, tile and total or why not
    ("mcr", "123456789m23s55p", {"1s": 21, "4s": 20}),
    ("riichi", "123m345678p99s56s", {"4s": 1500, "7s": 1500}),
    ("riichi", "123m345678p99s57s", {"6s": "no_yaku"}),
    ("classical", "19m19p19s1234567z", dict.fromkeys(map(str, TERMINALS_AND_HONORS), 2000)),
    ("simplified", "123m456p789s1122z", {"1z": 192, "2z": 56}),
    ("mcr", "1379m1379p13579s", {}),
    ("mcr", "123456789m234s55p +4s", {}),
]


@pytest.mark.parametrize(("name", "hand", "wanted"), WAITS)
def test_waits_with_their_scores(name: str, hand: str, wanted: dict[str, int | str]) -> None:
    found = waits_of(ruleset(name), Hand.parse(hand), Context(win_by=WinBy.DISCARD, discarder=Seat.SOUTH))
    got = {str(tile): result.code if isinstance(result, NotAWin) else result.total for tile, result in found}
    assert got == wanted


def test_waits_take_a_hand_that_nobody_won_as_self_drawn() -> None:
    found = dict(waits_of(ruleset("riichi"), Hand.parse("123m345678p99s56s"), Context()))
    assert all(isinstance(result, Score) for result in found.values())
    assert found[Tile.parse("7s")].lines[-1].key == "riichi.menzen_tsumo"


CHANGES = [
    # ruleset, fourteen tiles that are no win, the first suggestion: from, to
    ("mcr", "123456789m235s55p +5s", ("2s", "4s")),
    ("riichi", "123m345678p99s569s +9s", ("9s", "7s")),
    ("classical", "123m456p789s1122z3z +3z", ("3z", "1z")),
    ("taiwan", "123m456p789s111z234m56z +6z", ("6z", "5z")),
]


@pytest.mark.parametrize(("name", "hand", "first"), CHANGES)
def test_did_you_mean(name: str, hand: str, first: tuple[str, str]) -> None:
    work = Work.of(Hand.parse(hand))
    context = Context(win_by=WinBy.SELF_DRAW)
    found = changes(ruleset(name), work, context)
    assert 1 <= len(found) <= 4
    for change in found:
        result = ruleset(name).score(work.with_tile(change.at, change.new).hand, context)
        assert isinstance(result, Score) or result.code != "not_a_win"
    assert first in {(str(change.old), str(change.new)) for change in found}


def test_nothing_near() -> None:
    far = Work.of(Hand.parse("13579m13579p1357s +7s"))
    assert changes(ruleset("mcr"), far, Context(win_by=WinBy.SELF_DRAW)) == ()
    assert changes(ruleset("classical"), Work.of(Hand.parse("123456789m235s55p +5s")), Context()) == ()


def test_nagashi_is_asked_of_thirteen_tiles_that_did_not_win() -> None:
    work = Work.of(Hand.parse("123m345678p99s56s"))
    assert possible_occasions(ruleset("riichi"), Context(), work) == [Occasion.NAGASHI_MANGAN]
    assert Occasion.NAGASHI_MANGAN not in possible_occasions(ruleset("riichi"), Context(win_by=WinBy.SELF_DRAW), work)


FIRST_TURNS = [
    # the ruleset, the hand, who won from whom, whether the page asks about the first turn
    ("hongkong", "234m345p567s99s (555z) +9s", (Seat.SOUTH, Seat.WEST), True),  # Human Hand, S-HKG-12
    ("hongkong", "234m345p567s99s (555z) +9s", (Seat.EAST, Seat.WEST), False),
    ("taiwan", "234m345p567s99s345m (555z) +9s", (Seat.SOUTH, Seat.WEST), True),
    ("riichi", "234m345p567s99s (555z) +9s", (Seat.SOUTH, Seat.WEST), False),  # any claim ends it, S-RII-27
    ("riichi", "234m345p567s99s555z +9s", (Seat.SOUTH, Seat.WEST), True),
]


@pytest.mark.parametrize(("name", "notation", "seats", "asked"), FIRST_TURNS)
def test_the_first_turn_is_asked_of_an_open_hand_where_it_counts(
    name: str, notation: str, seats: tuple[Seat, Seat], *, asked: bool
) -> None:
    context = Context(win_by=WinBy.DISCARD, seat=seats[0], discarder=seats[1])
    possible = possible_occasions(ruleset(name), context, Work.of(Hand.parse(notation)))
    assert (Occasion.FIRST_TURN in possible) is asked


def test_the_page_shows_lines_as_the_house_plays_them() -> None:
    app = AppTest.from_function(fans_page, default_timeout=60)
    app.session_state["house_rules"] = {"hongkong": {"house": "all_pungs,5\nno_flowers,"}}
    app.query_params["fan"] = "hongkong.all_pungs"
    app.run()
    assert not app.exception
    rows = {row["key"]: row for row in component(app, "tilescore_fan_list")["fans"]}
    pungs, flowers = rows["hongkong.all_pungs"], rows["hongkong.no_flowers"]
    assert (pungs["worth"], pungs["worth_note"]) == ("5 faan", "As your table plays it; as printed: 3 faan.")
    assert (flowers["worth"], flowers["worth_note"]) == ("–", "As your table plays it; as printed: 1 faan.")
    assert rows["hongkong.half_flush"]["worth_note"] == ""
    printed, ours = example("hongkong.all_pungs"), example("hongkong.all_pungs", (("house", "all_pungs,5"),))
    assert printed is not None
    assert ours is not None
    assert ours.score.total == printed.score.total + 2


def test_the_page_shows_lines_as_the_hand_on_the_table_counts_them() -> None:
    app = AppTest.from_function(fans_page_of_a_linked_hand, default_timeout=60)
    app.query_params["fan"] = "hongkong.full_flush"
    app.run()
    assert not app.exception
    rows = {row["key"]: row["worth"] for row in component(app, "tilescore_fan_list")["fans"]}
    assert rows["hongkong.full_flush"] == "9 faan"


def test_an_example_has_on_the_table_the_score_that_the_list_shows() -> None:
    """Lines that only an option counts, too."""
    app = AppTest.from_function(scored_examples, default_timeout=60).run()
    assert not app.exception
    for fan in ALL:
        shown, scored = example(fan.key), app.session_state["scores"][fan.key]
        assert shown is not None
        assert isinstance(scored, Score), (fan.key, scored)
        assert (scored.total, scored.lines) == (shown.score.total, shown.score.lines), fan.key
