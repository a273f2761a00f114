"""The lists of every ruleset: its lines, their names, its options."""

import json
import random
from typing import Any

import pytest

from tests.harness.mcr_hands import random_win
from tests.harness.riichi_hands import random_win as random_riichi_win
from tests.scoring.faan.faan_hands import SETS
from tests.scoring.faan.faan_hands import random_hand as random_faan_hand
from tests.scoring.random_hands import random_hand
from tilescore.errors import InputError, OptionError
from tilescore.scoring.context import Context, Occasion, Seat
from tilescore.scoring.deal import Deal
from tilescore.scoring.game.deals import HandInput
from tilescore.scoring.game.ledger import Game
from tilescore.scoring.hand import Hand
from tilescore.scoring.names import names_of
from tilescore.scoring.progression import Ending, Position
from tilescore.scoring.ruleset import RULESETS, Ruleset, first_ruleset, own_options, ruleset
from tilescore.scoring.shapes.winning import Shape

LANGUAGES = {
    "mcr": {"en", "ru", "zh"},
    "riichi": {"en", "pl", "ja"},
    "classical": {"en", "ru"},
    "simplified": {"en", "ru"},
    "hongkong": {"en", "zh"},
    "taiwan": {"en", "zh"},
    "riichi3": {"en", "pl", "ja"},
}
NUMBERED = {"mcr", "hongkong", "taiwan", "riichi3"}
COUNTED = {"losers_composition": True, "false_mahjong_points": -1, "draw_passes_deal": False, "house": ""}
OPTIONS: dict[str, dict[str, Any]] = {
    "mcr": {},
    "riichi": {
        "open_tanyao": True, "red_fives": True, "kiriage": False, "kazoe": "yakuman", "double_yakuman": False,
        "yakuman_add_up": True, "renhou": "five_han", "double_wind_fu": 4, "nagashi_mangan": True,
        "nagashi_open": False, "kokushi_robs_concealed_kong": True, "multiple_ron": "all",
        "multiple_ron_honba": "first", "abortive_draws": True, "liability": "own_yakuman",
        "liability_honba": "liable", "liability_four_kongs": False, "chombo": "mangan", "profile": "document",
        "length": "hanchan", "start_points": 25_000, "return_points": 0, "target_points": 0, "agari_yame": False,
        "bankruptcy_ends": True, "riichi_below_1000": False, "uma": "", "ties": "first_seat",
        "leftover_sticks": "first", "foul_ends": False, "rounding": "none",
    },
    "classical": {**COUNTED, "limit": 2000, "pure_factor": 8, "bouquet_adds": True},
    "simplified": {**COUNTED, "limit": 500, "pure_factor": 3, "cap_ordinary": True, "losers_settle": True},
    "hongkong": {
        "minimum": 3, "limit": 10, "spicy": "half", "responsibility": "full", "unit": 1, "flowers": True,
        "flowers_to_minimum": True, "kong_keeps_concealed": False, "seven_pairs": 0, "draw_passes_deal": False,
        "payments": "", "robbed_pays": "discard", "concealed_pungs_drawn": False, "flower_win_drawn": False,
        "house": "",
    },
    "taiwan": {
        "base": 30, "unit": 10, "flowers": True, "see_all": False, "flower_set_adds": False,
        "begging_with_wait": False, "five_concealed_alone": False, "heavenly": 24, "li_gu": False, "limit": 0,
        "see_flowers": False, "minimum": 0, "most_repeats": 0, "house": "",
    },
}  # fmt: skip
"""Every option with its default."""
OPTIONS["riichi3"] = {
    "tsumo": "loss", "north": "nuki", "kita_rinshan": True, "honba_ron": 200, "noten_pool": 2000, "start": 35_000,
    **{name: default for name, default in OPTIONS["riichi"].items() if name not in ("profile", "start_points")},
    "renhou": "none",
}  # fmt: skip


@pytest.mark.parametrize("name", RULESETS)
def test_every_line_is_listed_in_full(name: str) -> None:
    entries = ruleset(name).rules()
    assert len({entry.key for entry in entries}) == len(entries)
    for entry in entries:
        assert entry.key.startswith(f"{name}.")
        assert set(entry.names) == LANGUAGES[name]
        assert all(entry.names.values())
        assert entry.value
        assert entry.text.endswith("."), entry
        without = entry.key.startswith(f"{name}.fu.") or entry.key == f"{name}.nagashi_mangan"
        assert (entry.number is not None) == (name in NUMBERED and not without)


@pytest.mark.parametrize("name", RULESETS)
def test_options_are_as_listed(name: str) -> None:
    rules = ruleset(name)
    assert rules.name == name
    assert {option.name: option.default for option in rules.options()} == OPTIONS[name]
    assert all(option.text.endswith(".") for option in rules.options())
    assert ruleset(name, OPTIONS[name]) == rules
    for option in rules.options():
        for choice in option.choices:
            set_to = {one.name: one.value for one in ruleset(name, {option.name: choice}).options()}
            assert set_to[option.name] == choice


def test_a_list_shows_a_line_under_its_points() -> None:
    kinds = {entry.key: entry.kind for entry in ruleset("mcr").rules()}
    assert kinds["mcr.pure_straight"] == "16"


@pytest.mark.parametrize("name", RULESETS)
def test_choices_are_all_that_an_option_may_be(name: str) -> None:
    """An option that takes single numbers lists them; one that takes all of a range, and no other, lists none."""
    for option in ruleset(name).options():
        if isinstance(option.default, int) and not isinstance(option.default, bool):
            beside = {choice + step for choice in map(int, option.choices) for step in (-1, 0, 1)}
            tried = sorted({*range(-2, 131), *range(140, 3001, 10), *beside})
            taken = [number for number in tried if _takes(name, option.name, number)]
            gaps = taken != [number for number in tried if taken[0] <= number <= taken[-1]]
            assert sorted(option.choices) == (taken if gaps else []), option.name


def _takes(name: str, option: str, value: int) -> bool:
    try:
        ruleset(name, {option: value})
    except OptionError:
        return False
    return True


@pytest.mark.parametrize("name", ["riichi", "riichi3"])
def test_the_list_of_riichi_shows_what_the_options_make_of_a_line(name: str) -> None:
    """Renhou as a yakuman, and the fu of a double wind, have in the list what they have in a score."""
    entries = {entry.key: entry for entry in ruleset(name, {"renhou": "yakuman", "double_wind_fu": 2}).rules()}
    renhou, pair = entries[f"{name}.renhou"], entries[f"{name}.fu.pair_double_wind"]
    assert (renhou.value, renhou.kind, pair.value) == ("13/0", "yakuman", "2 fu")
    printed = {entry.key: entry for entry in ruleset(name).rules()}
    assert (printed[renhou.key].value, printed[pair.key].value) == ("5/0", "4 fu")


@pytest.mark.parametrize("name", RULESETS)
def test_the_text_of_a_line_holds_under_every_option(name: str) -> None:
    """The app shows one text for each line: where an option changes the line, that text names the option or table."""
    printed = {entry.key: entry.text for entry in ruleset(name).rules()}
    for option in ruleset(name).options():
        if isinstance(option.default, bool):
            for entry in ruleset(name, {option.name: not option.default}).rules():
                text = printed[entry.key]
                assert entry.text == text or "table" in text or option.name in text, (option.name, entry.key)


@pytest.mark.random
@pytest.mark.parametrize("name", RULESETS)
def test_a_score_carries_no_key_without_a_name(name: str) -> None:
    """Lines, fu and both keys of every exclusion have names."""
    rules, dice = ruleset(name), random.Random(11)
    named = set(names_of(name))
    listed = {entry.key for entry in rules.rules()}
    for _ in range(400):
        if rules.traits.stick:
            made = random_riichi_win(dice, three_players=name == "riichi3")
        elif name == "mcr":
            made = random_win(dice)
        elif name in SETS:
            made = random_faan_hand(name, dice)
        else:
            given = HandInput.from_json(random_hand(dice, won=True))
            made = given.hand, given.context
        answer = rules.score(*made).to_json()
        keys = {line["key"] for line in (*answer["lines"], *answer.get("fu_lines", ()))}
        assert keys <= listed
        assert {entry[side] for entry in answer["excluded"] for side in ("key", "because")} <= named


@pytest.mark.parametrize("given", ["Riichi", "MCR", " classical", "SIMPLIFIED"])
def test_capitals_in_the_name_of_a_ruleset(given: str) -> None:
    assert ruleset(given).name == given.strip().lower()
    assert Game.new(given, ("A", "B", "C", "D")).ruleset_name == given.strip().lower()
    assert Game.parse(json.dumps({"ruleset": given, "players": ["A", "B", "C", "D"]})).position.number == 1


@pytest.mark.parametrize(
    ("name", "options", "code", "culprit"),
    [
        (
            "chess",
            {},
            "unknown_ruleset",
            "'chess' is no ruleset: choose one of mcr, riichi, classical, simplified, hongkong",
        ),
        ("Go", {}, "unknown_ruleset", "'Go' is no ruleset"),
        (5, {}, "unknown_ruleset", "a ruleset is named by text, not by 5: choose one of mcr"),
        (ruleset("mcr"), {}, "unknown_ruleset", r"not by Mcr\(\)"),
        ("mcr", ["kiriage"], "options_not_mapping", r"not \['kiriage'\]"),
        ("mcr", {5: True}, "unknown_option", "'5' is no option of mcr"),
        ("hk", {}, "unknown_ruleset", "; write hongkong"),
        ("sanma", {}, "unknown_ruleset", "; write riichi3"),
        ("Taiwanese", {}, "unknown_ruleset", "; write taiwan"),
        ("guobiao", {}, "unknown_ruleset", "; write mcr"),
        ("mcr", {"limit": 5}, "unknown_option", "limit"),
        ("riichi", {"limit": 5}, "unknown_option", "limit"),
        ("riichi", {"kiriage": 1}, "bad_option_value", "kiriage"),
        ("riichi", {"renhou": "haneman"}, "bad_option_value", "renhou"),
        ("riichi", {"uma": "15,5"}, "bad_option_value", "uma"),
        ("riichi", {"start_points": -1}, "bad_option_value", "'start_points' of riichi must lie between 0"),
        ("riichi", {"target_points": 10**30}, "bad_option_value", "target_points"),
        ("riichi", {"target_points": 10**9}, "bad_option_value", "target_points"),
        ("riichi", {"double_wind_fu": 3}, "bad_option_value", "must be one of 4, 2"),
        ("riichi", {"uma": "a,b,c,d"}, "bad_option_value", "uma"),
        ("classical", {"limit": True}, "bad_option_value", "limit"),
        ("classical", {"limit": "500"}, "bad_option_value", "limit"),
        ("simplified", {"bouquet_adds": True}, "unknown_option", "bouquet_adds"),
        ("riichi3", {"profile": "ema"}, "unknown_option", "profile"),
        ("riichi3", {"start_points": 30_000}, "unknown_option", "'start_points' is no option.*; write start"),
        ("riichi", {"uma": 30}, "bad_option_value", "'uma' of riichi must be text, not 30: Uma: thousands added"),
        ("riichi", {"agari_yame": "False"}, "bad_option_value", "must be true or false, not 'False': The game ends"),
        ("riichi3", {"start": -1}, "bad_option_value", "'start' of riichi3 must lie between 0"),
        ("riichi3", {"tsumo": "share"}, "bad_option_value", "'tsumo' of riichi3 must be one of loss, bisect"),
        ("riichi3", {"north": "none"}, "bad_option_value", "nuki, yakuhai, nuki_yakuhai"),
        ("riichi3", {"honba_ron": 500}, "bad_option_value", "200, 300, 1000"),
        ("riichi3", {"noten_pool": 1000}, "bad_option_value", "2000, 3000"),
        ("riichi3", {"uma": "15,5,-5,-15"}, "bad_option_value", "must be three numbers"),
        ("riichi3", {"kazoe": "none"}, "bad_option_value", "kazoe"),
        ("riichi3", {"chombo": "all"}, "bad_option_value", "chombo"),
    ],
)
def test_what_is_no_option(name: Any, options: Any, code: str, culprit: str) -> None:
    with pytest.raises(OptionError, match=culprit) as raised:
        ruleset(name, options)
    assert raised.value.code == code


OF_FOUR_SETS = {"STANDARD", "THIRTEEN_ORPHANS"}
FORMS = {
    "mcr": {*OF_FOUR_SETS, "SEVEN_PAIRS", "KNITTED_STRAIGHT", "LESSER_KNITTED"},
    "riichi": {*OF_FOUR_SETS, "DIFFERENT_PAIRS"},
    "classical": {*OF_FOUR_SETS, "SEVEN_PAIRS"},
    "simplified": {*OF_FOUR_SETS, "SEVEN_PAIRS"},
    "hongkong": OF_FOUR_SETS,
    "taiwan": {"FIVE_SETS"},
    "riichi3": {*OF_FOUR_SETS, "DIFFERENT_PAIRS"},
}


@pytest.mark.parametrize("name", RULESETS)
def test_forms_and_indicators_of_each_ruleset(name: str) -> None:
    rules = ruleset(name)
    assert {shape.name for shape in rules.shapes} == FORMS[name]
    assert rules.has_indicators == (name in ("riichi", "riichi3"))


def test_forms_that_an_option_adds() -> None:
    assert Shape.SEVEN_PAIRS in ruleset("hongkong", {"seven_pairs": 4}).shapes
    assert Shape.PAIRS_AND_PUNG in ruleset("taiwan", {"li_gu": True}).shapes


STATED = {
    # seats, tiles of a hand, winners, losers count, stick, repeats, unit, least, step, draws, fouls
    "mcr": (4, 14, 1, False, 0, False, "points", 8, 1, 1, 6),
    "riichi": (4, 14, 3, False, 1000, False, "han", 1, 100, 5, 1),
    "classical": (4, 14, 1, True, 0, False, "points", 20, 1, 1, 1),
    "simplified": (4, 14, 1, True, 0, False, "points", 20, 1, 1, 1),
    "hongkong": (4, 14, 3, False, 0, False, "faan", 3, 1, 1, 1),
    "taiwan": (4, 17, 3, False, 0, True, "tai", 0, 1, 1, 1),
    "riichi3": (3, 14, 2, False, 1000, False, "han", 1, 100, 3, 1),
}


@pytest.mark.parametrize("name", RULESETS)
def test_what_each_game_states(name: str) -> None:
    is_like = ruleset(name).traits
    assert STATED[name] == (
        len(is_like.seats), is_like.size, is_like.most_winners, is_like.losers_count, is_like.stick, is_like.repeats,
        is_like.unit, is_like.least, is_like.step, len(is_like.draws), len(is_like.fouls),
    )  # fmt: skip


def test_options_change_what_a_game_is_like() -> None:
    assert ruleset("riichi", {"multiple_ron": "head_bump"}).traits.most_winners == 1
    assert ruleset("riichi", {"abortive_draws": False}).traits.draws == ("exhausted",)
    assert ruleset("riichi", {"multiple_ron": "three_abort"}).traits.draws[-1] == "triple_ron"
    assert ruleset("riichi3", {"north": "yakuhai"}).traits.bonus == ()
    assert ruleset("simplified", {"limit": 10}).traits.least == 10
    assert ruleset("simplified", {"limit": 10, "cap_ordinary": False}).traits.least == 20
    assert Occasion.FLOWER_WIN not in ruleset("hongkong", {"flowers": False}).traits.occasions


FITTING = {
    "123m456p789s234s5z +5z": "mcr riichi classical simplified hongkong",
    "19m456p789s234s55z +1m": "mcr riichi classical simplified hongkong riichi3",
    "19m456p789s234s55z +1m &4z": "riichi3",
    "19m456p789s234s55z +1m &1f": "mcr riichi classical simplified hongkong riichi3",
    "123m456p789s234555s5z +5z": "taiwan",
    "123m": "",
}


@pytest.mark.parametrize("hand", FITTING)
def test_which_games_a_hand_can_be_of(hand: str) -> None:
    assert [name for name in RULESETS if ruleset(name).traits.fits(Hand.parse(hand))] == FITTING[hand].split()


def test_which_games_value_hands_that_did_not_win() -> None:
    assert [name for name in RULESETS if ruleset(name).traits.values_losing_hands] == [
        "riichi", "classical", "simplified", "riichi3",
    ]  # fmt: skip


@pytest.mark.parametrize("name", RULESETS)
def test_a_ruleset_scores_a_hand_in_a_context(name: str) -> None:
    rules, hand = ruleset(name), Hand.parse("123456789m234s55p +4s")
    for given, context, code in (
        (str(hand), Context(), "not_a_hand"),
        (None, Context(), "not_a_hand"),
        (hand, {"win_by": "discard"}, "not_a_context"),
        (hand, None, "not_a_context"),
    ):
        with pytest.raises(InputError) as raised:
            rules.score(given, context)  # type: ignore[arg-type]
        assert raised.value.code == code
    with pytest.raises(InputError) as raised:
        rules.settle(5)  # type: ignore[arg-type]
    assert raised.value.code == "not_a_deal"


EXCLUDED = {
    "mcr.big_four_winds": "mcr.big_three_winds mcr.all_pungs mcr.prevalent_wind mcr.seat_wind",
    "riichi.ryanpeikou": "riichi.iipeikou riichi.chiitoitsu",
    "riichi3.rinshan": "riichi3.haitei",
    "hongkong.big_dragons": "hongkong.dragon_pung",
    "classical.honors_only": "classical.terminals_honors",
}


@pytest.mark.parametrize("key", EXCLUDED)
def test_what_a_line_excludes(key: str) -> None:
    entries = {entry.key: entry for entry in ruleset(key.partition(".")[0]).rules()}
    assert set(EXCLUDED[key].split()) <= set(entries[key].excludes)
    assert set(entries[key].excludes) <= set(entries)
    assert entries[key].alone is (entries[key].group in ("yakuman", "limit"))


_SAID = ("name", "traits", "shapes", "evaluate", "settled", "payments_of", "rules")


def test_what_most_rulesets_have_in_common() -> None:
    """What a ruleset need not say."""
    dealt, plain = Deal(hands={}, draw="exhausted"), type("Plain", (Ruleset,), dict.fromkeys(_SAID))()
    assert (plain.has_indicators, plain.options(), plain.fu_of(3, self_drawn=True)) == (False, (), ())
    start, won = Position(), Ending(deal=dealt, winners=(Seat.SOUTH,), deposits=0, totals=(0, 0, 0, 0))
    assert plain.next_position(start, Ending(deal=dealt, winners=(), deposits=0, totals=(0, 0, 0, 0))) == start
    assert plain.next_position(start, won).number == 2


def test_a_ruleset_may_have_no_table_of_names() -> None:
    assert not names_of("toy")


def test_who_chose_none_has_the_first_ruleset() -> None:
    assert first_ruleset() == next(iter(RULESETS))


def test_own_options_are_those_that_differ_and_that_no_profile_sets() -> None:
    assert own_options(ruleset("hongkong", {"limit": 13, "minimum": 3})) == {"limit": 13}
    assert own_options(ruleset("riichi", {"profile": "ema", "length": "east", "kiriage": True})) == {
        "profile": "ema", "length": "east",
    }  # fmt: skip
