"""`score-hands` and `settle` as streams: one line out for each line in, errors in their place."""

import json
from itertools import islice, repeat
from typing import Any

import pytest

from tilescore.errors import OptionError
from tilescore.scoring.context import Seat
from tilescore.scoring.deal import Deal
from tilescore.scoring.game.deals import deal_from_json, deal_to_json
from tilescore.scoring.game.stream import score_lines, settle_lines
from tilescore.scoring.hand import Hand
from tilescore.scoring.ruleset import RULESETS, ruleset
from tilescore.scoring.shapes.winning import hand_size

OF_FOURTEEN = [name for name in RULESETS if hand_size(ruleset(name).shapes) == Hand.SIZE]
"""The rulesets whose hands have 14 tiles."""
WON = {"concealed": "123p345678p99s567s", "winning_tile": "5s", "win_by": "discard", "discarder": "W", "seat": "S"}


def score(*lines: object, ruleset: str = "riichi") -> list[dict[str, Any]]:
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    return [json.loads(line) for line in score_lines(ruleset, texts)]


def settle(deal: dict[str, Any] | str, ruleset: str = "riichi") -> dict[str, Any]:
    text = deal if isinstance(deal, str) else json.dumps(deal)
    found: dict[str, Any] = json.loads(next(settle_lines(ruleset, [text])))
    return found


def test_order_ids_and_blank_lines() -> None:
    found = score({"id": 1, **WON}, "", {"id": "two", "concealed": "19m"}, "  \n", "{", {"id": None, **WON})
    assert [line["id"] for line in found] == [1, "two", None, None]
    assert ["error" in line for line in found] == [False, True, True, False]
    assert found[0]["payments"] == {"E": 0, "S": 1000, "W": -1000, "N": 0}


def test_options_stand_in_each_line() -> None:
    found = score(
        {**WON, "concealed": "123m340678p99s567s"},
        {**WON, "concealed": "123m340678p99s567s", "options": {"red_fives": False}},
    )
    assert [line["han"] for line in found] == [2, 1]


def test_the_hand_of_a_reading_is_a_hand() -> None:
    plain, read = score(WON, {**WON, "groups": ["123p345678p99s", "567s"]})
    assert read == plain
    assert read["total"] > 0


def test_constant_memory() -> None:
    """The stream reads lines on demand, so the input may be endless."""
    assert len(list(islice(score_lines("riichi", repeat(json.dumps(WON))), 5))) == 5


OPEN = {**WON, "concealed": "345678p99s567s"}
DRAWN = {"concealed": "123p345678p99s567s", "winning_tile": "5s", "win_by": "self_draw"}
# Code, text that the message must quote, the line.
BAD_HANDS: tuple[tuple[str, str, Any], ...] = (
    ("bad_json", "'id'", "{'id': 1}"),
    ("bad_json", "[[[", "[" * 100_000),
    ("bad_json", "NaN", '{"id": NaN}'),
    ("bad_id", "id", {"id": ["a"]}),
    ("bad_id", "id", '{"id": 1e999}'),
    ("not_object", "[1, 2]", "[1, 2]"),
    ("unknown_key", "'winds'", {**WON, "winds": "E"}),
    ("unknown_key", "'who'", {**OPEN, "melds": [{"kind": "chow", "tiles": "123m", "who": "S"}]}),
    ("unknown_tiles", "123x", {**WON, "concealed": "123x"}),
    ("unknown_tile", "8z", {**WON, "concealed": "123p345678p99s56s8z"}),
    ("not_text", "concealed", {**WON, "concealed": 123}),
    ("too_many_copies", "5 times 5s", {**WON, "concealed": "55555s123p345678p"}),
    ("too_many_copies", "5 times 5p", {**WON, "concealed": "55550p123m99s567s"}),
    ("too_many_copies", "5 times 9s", {**OPEN, "melds": [{"kind": "pung", "tiles": "999s"}]}),
    ("too_many_copies", "2 times 1f", {**WON, "bonus": "11f"}),
    ("wrong_count", "12 tiles", {**WON, "concealed": "123p345678p567s"}),
    ("wrong_count", "15 tiles", {**WON, "concealed": "1234p345678p99s567s"}),
    ("wrong_count", "15 tiles", {**WON, "melds": [{"kind": "kong", "tiles": "1111z"}], "concealed": "222333444z567s"}),
    ("no_such_meld", "124m", {**OPEN, "melds": [{"kind": "chow", "tiles": "124m"}]}),
    ("no_such_meld", "123m", {**OPEN, "melds": [{"kind": "pung", "tiles": "123m"}]}),
    ("no_such_meld", "123z", {**OPEN, "melds": [{"kind": "chow", "tiles": "123z"}]}),
    ("concealed_meld", "111m", {**OPEN, "melds": [{"kind": "pung", "tiles": "111m", "concealed": True}]}),
    ("winning_tile_missing", "1z", {**WON, "winning_tile": "1z"}),
    ("winning_tile_missing", "1m", {**OPEN, "winning_tile": "1m", "melds": [{"kind": "chow", "tiles": "123m"}]}),
    ("unknown_occasion", "tea", {**WON, "occasions": ["tea"]}),
    ("occasion_contradicts_win", "robbing_kong", {**DRAWN, "occasions": ["robbing_kong"]}),
    ("occasion_contradicts_win", "kong_replacement", {**WON, "occasions": ["kong_replacement"]}),
    ("contradicting_occasions", "last_tile", {**WON, "occasions": ["last_tile", "robbing_kong"]}),
    ("discarder_without_discard", "W", {**DRAWN, "discarder": "W"}),
    ("counter_out_of_range", "honba", {**WON, "honba": 10**300}),
    ("not_object", "options", {**WON, "options": "red_fives"}),
    ("unknown_option", "colour", {**WON, "options": {"colour": "red"}}),
    (
        "concealed_kong_claimed",
        "[1111z<]",
        {**OPEN, "melds": [{"kind": "kong", "tiles": "1111z", "concealed": True, "from": "left"}]},
    ),
    (
        "concealed_kong_claimed",
        "[1111z?1z]",
        {**OPEN, "melds": [{"kind": "kong", "tiles": "1111z", "concealed": True, "called": "1z"}]},
    ),
    ("key_twice", "'win_by'", '{"win_by": "discard", "concealed": "11m", "win_by": "self_draw"}'),
    ("key_twice", "'kind'", '{"melds": [{"kind": "chow", "kind": "pung", "tiles": "111m"}]}'),
    ("not_text", "called", {**WON, "melds": [{"kind": "pung", "tiles": "111z", "called": ["1z"]}]}),
)


@pytest.mark.parametrize("ruleset", OF_FOURTEEN)
@pytest.mark.parametrize(
    ("code", "culprit", "line"), BAD_HANDS, ids=[f"{place} {row[0]}" for place, row in enumerate(BAD_HANDS)]
)
def test_bad_hands(ruleset: str, code: str, culprit: str, line: object) -> None:
    good, bad, after = score(WON, line, WON, ruleset=ruleset)
    assert "error" not in good
    assert good == after
    assert bad["error"]["code"] == code
    assert culprit in bad["error"]["message"]


@pytest.mark.parametrize("ruleset", [name for name in RULESETS if name != "riichi3"])
@pytest.mark.parametrize(("source", "where"), [("across", "across"), ("right", "the right")])
def test_a_chow_is_claimed_from_the_left(ruleset: str, source: str, where: str) -> None:
    chow = {"kind": "chow", "tiles": "234s", "called": "2s"}
    hand = {"concealed": "678p99s77z" + "111p" * (ruleset == "taiwan"), "winning_tile": "9s", "win_by": "self_draw"}
    hand["concealed"] += "9s"
    melds = [{"kind": "pung", "tiles": "555z", "from": "right"}, {**chow, "from": source}]
    left, wrong = score(
        {**hand, "melds": [melds[0], {**chow, "from": "left"}]}, {**hand, "melds": melds}, ruleset=ruleset
    )
    assert "error" not in left
    assert (wrong["error"]["code"], f"from {where}:" in wrong["error"]["message"]) == ("chow_not_from_left", True)
    deal = {"draw": {"kind": "exhausted"}, "hands": {"N": {"concealed": "678p99s77z", "melds": melds}}}
    assert settle(deal, ruleset=ruleset)["error"]["code"] == "chow_not_from_left"


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("ending", ["draw", "foul"])
def test_endings_are_listed_under_the_name_of_the_game(ruleset: str, ending: str) -> None:
    for kind in ({}, {"kind": "storm"}):
        given = {"draw": kind} if ending == "draw" else {"foul": {"by": "E", **kind}}
        error = settle(given, ruleset=ruleset)["error"]
        assert error["code"] == f"unknown_{ending}"
        assert f"{ruleset} knows {'exhausted' if ending == 'draw' else 'false_mahjong'}" in error["message"]


# The hand waits for 2 5 8s. Rows: discards, line, whether the hand wins.
FURITEN: tuple[Any, ...] = (
    ("", WON, True),
    ("19m7z", WON, True),
    ("2s", WON, False),
    ("5s1z", WON, False),
    ("0s", WON, False),
    ("2s", {**WON, "win_by": "self_draw", "discarder": None, "occasions": []}, True),
)


@pytest.mark.parametrize(("discards", "line", "wins"), FURITEN)
def test_furiten(discards: str, line: dict[str, Any], *, wins: bool) -> None:
    line = {
        **line,
        "concealed": "123m99p345567s666p",
        "winning_tile": "5s",
        "occasions": ["riichi"],
        "discards": discards,
    }
    (answer,) = score(line)
    assert answer["win"] is wins
    if not wins:
        assert (answer["reason"]["code"], answer["waits"]) == ("furiten", ["2s", "5s", "8s"])


def test_discards_are_tiles_of_the_same_set_and_riichis_affair() -> None:
    assert "5 times 9s" in score({**WON, "discards": "999s"})[0]["error"]["message"]
    (elsewhere,) = score(
        {**WON, "concealed": "123456789p123s55z", "winning_tile": "3s", "discards": "3p"}, ruleset="mcr"
    )
    assert (elsewhere["win"], elsewhere["warnings"]) == (True, ["discards"])


def test_five_of_a_kind_in_all_hands_together() -> None:
    other = {"concealed": "99p147m258s12345z"}
    deal: dict[str, Any] = {
        "winner": "S",
        "discarder": "W",
        "hands": {"S": {"concealed": "123p345678p99s567s", "winning_tile": "5s"}},
    }
    assert "error" not in settle({**deal, "hands": {**deal["hands"], "E": other}})
    nines = {"concealed": "999s147m258p1234z"}
    error = settle({**deal, "hands": {**deal["hands"], "E": nines}})["error"]
    assert (error["code"], "5 times 9s in all hands" in error["message"]) == ("too_many_copies", True)


def test_winners_on_one_discard_hold_the_same_tile() -> None:
    hands = {
        "S": {"concealed": "123p345678p99s567s", "winning_tile": "5s"},
        "N": {"concealed": "789m345678p11s555s", "winning_tile": "5s", "occasions": ["riichi"]},
        "E": {"concealed": "5s147m147p123456z"},
    }
    assert "error" not in settle({"winners": ["S", "N"], "discarder": "W", "hands": hands})


def test_bad_option_value() -> None:
    assert score({**WON, "options": {"kiriage": 1}})[0]["error"]["code"] == "bad_option_value"
    assert score({**WON, "options": {"limit": True}}, ruleset="classical")[0]["error"]["code"] == "bad_option_value"


@pytest.mark.parametrize("ruleset", OF_FOURTEEN)
def test_thirteen_tiles_give_their_waits(ruleset: str) -> None:
    waiting, claimed, drawn = score(
        {"concealed": "123p345678p99s56s"},
        {**WON, "concealed": "123p345678p99s56s", "winning_tile": None},
        {**WON, "concealed": "123p345678p99s56s", "winning_tile": "6s"},
        ruleset=ruleset,
    )
    for answer in (waiting, claimed, drawn):
        assert (answer["win"], answer["waits"]) == (False, ["4s", "7s"])
    assert claimed["reason"]["code"] == "not_a_win"


@pytest.mark.parametrize("ruleset", OF_FOURTEEN)
def test_what_is_no_win_says_what_would_be(ruleset: str) -> None:
    (answer,) = score({**WON, "concealed": "123p345678p99s569s", "winning_tile": "9s"}, ruleset=ruleset)
    assert (answer["win"], answer["reason"]["code"], answer["waits"]) == (False, "not_a_win", ["4s", "7s"])
    assert answer["payments"] is None


@pytest.mark.parametrize("ruleset", OF_FOURTEEN)
def test_payments_are_null_while_something_is_missing(ruleset: str) -> None:
    """MCR and riichi need the discarder, classical and simplified the hands of all players."""
    hand = {**WON, "concealed": "123456789p123s55z", "winning_tile": "3s"}
    known, unknown = score(hand, {**hand, "discarder": None}, ruleset=ruleset)
    assert known["win"]
    assert unknown["win"]
    assert unknown["payments"] is None
    assert (known["payments"] is None) == (ruleset in ("classical", "simplified"))
    if known["payments"] is not None:
        assert sum(known["payments"].values()) == 0


OF_TAIWAN = {"ready_as_dealt", "dealer_repeats"}
"""What only Taiwan knows."""
MEANINGLESS = {
    "mcr": {
        "only_possible_tile", "ready_from_start", "riichi", "ippatsu", "honba", "riichi_deposits", "dora_indicators",
    },
    "riichi": {"last_of_its_kind", "ready_from_start", "only_possible_tile", "bonus"},
    "riichi3": {"last_of_its_kind", "ready_from_start", "only_possible_tile"},
    "classical": {"last_of_its_kind", "riichi", "ippatsu", "honba", "riichi_deposits", "dora_indicators"},
    "simplified": {"riichi", "ippatsu", "honba", "riichi_deposits", "dora_indicators"},
    "hongkong": {
        "last_of_its_kind", "only_possible_tile", "ready_from_start", "riichi", "ippatsu", "honba", "riichi_deposits",
        "dora_indicators",
    },
}  # fmt: skip
BONUS = {"riichi3": "4z"}


@pytest.mark.parametrize("ruleset", OF_FOURTEEN)
@pytest.mark.parametrize("concealed", ["123p345678p99s567s", "123p345678p99s568s"])
def test_what_has_no_meaning_is_warned_of(ruleset: str, concealed: str) -> None:
    occasions = ["last_of_its_kind", "only_possible_tile", "ready_from_start", "riichi", "ippatsu", "ready_as_dealt"]
    given = {**WON, "concealed": concealed, "occasions": occasions, "honba": 1, "riichi_deposits": 1}
    given |= {"bonus": BONUS.get(ruleset, "1f"), "dora_indicators": "1m", "dealer_repeats": 2}
    (answer,) = score(given, ruleset=ruleset)
    assert set(answer["warnings"]) == MEANINGLESS[ruleset] | OF_TAIWAN


def test_unknown_ruleset() -> None:
    with pytest.raises(OptionError):
        score_lines("chess", [])
    with pytest.raises(OptionError):
        settle_lines("chess", [])


HAND = {"concealed": "123p345678p99s567s", "winning_tile": "5s"}


def test_settle_completes_the_hand_from_the_deal() -> None:
    """The deal supplies seat, win_by and discarder of the winner's hand."""
    found = settle({"id": 7, "winner": "S", "discarder": "W", "hands": {"S": HAND}})
    assert found["id"] == 7
    assert found["values"] == {"S": 1000}
    assert found["payments"] == {"E": 0, "S": 1000, "W": -1000, "N": 0}
    assert found["steps"] == [{"from": "W", "to": "S", "points": 1000, "why": "discard"}]
    drawn = settle({"winner": "S", "hands": {"S": HAND}})
    assert drawn["payments"] == {"E": -700, "S": 1500, "W": -400, "N": -400}
    from_hand = settle({"winner": "S", "hands": {"S": {**HAND, "win_by": "discard", "discarder": "N"}}})
    assert from_hand["payments"] == {"E": 0, "S": 1000, "W": 0, "N": -1000}


EXHAUSTED = {"kind": "exhausted", "ready": ["S"], "nagashi_mangan": ["S"]}
CLASSICAL = {
    "winner": "S",
    "discarder": "W",
    "hands": {"S": HAND, **{seat: {"concealed": "147m258p36s12345z"} for seat in "EWN"}},
}
FOUL = {"foul": {"by": "W", "kind": "false_mahjong"}}


@pytest.mark.parametrize(
    ("ruleset", "deal", "warnings"),
    [
        ("mcr", {"draw": EXHAUSTED, "discarder": "W"}, ["discarder", "ready", "nagashi_mangan"]),
        ("riichi", {"draw": EXHAUSTED}, []),
        ("riichi", {"draw": {**EXHAUSTED, "kind": "nine_terminals"}}, ["ready", "nagashi_mangan"]),
        ("riichi", {"winner": "S", "hands": {"S": HAND}, "liable": {"N": "W"}, "ready": ["W"]}, ["ready", "liable"]),
        ("hongkong", {**FOUL, "liable": {"S": "W"}}, ["liable"]),
        ("taiwan", {**FOUL, "pays_for_all": False, "discarder": None}, ["pays_for_all"]),
        ("simplified", {**CLASSICAL, "ready": ["E"], "pays_for_all": True}, ["ready"]),
        ("classical", {**CLASSICAL, "ready": ["E"], "pays_for_all": True}, []),
    ],
)
def test_keys_of_a_deal_without_meaning_are_warned_of(ruleset: str, deal: dict[str, Any], warnings: list[str]) -> None:
    assert settle(deal, ruleset=ruleset)["warnings"] == warnings


def test_ready_hands_of_a_draw_stand_inside_it() -> None:
    assert settle({"draw": {"kind": "exhausted"}, "ready": ["S"]})["error"]["code"] == "ready_beside_draw"
    assert settle({"draw": {"kind": "exhausted"}, "ready": []})["payments"]["S"] == 0


def test_several_winners_and_liability() -> None:
    several = settle({"winners": ["S", "N"], "discarder": "W", "hands": {"S": HAND, "N": HAND}})
    assert several["payments"] == {"E": 0, "S": 1000, "W": -2000, "N": 1000}
    fed = [{"kind": "pung", "tiles": f"{rank}{rank}{rank}z", "from": "across"} for rank in (5, 6, 7)]
    dragons = {"concealed": "123s99m", "melds": fed, "winning_tile": "9m"}
    liable = settle({"winner": "S", "hands": {"S": dragons}, "liable": {"S": "N"}})
    assert liable["payments"] == {"E": 0, "S": 32000, "W": 0, "N": -32000}


def test_draw_and_foul() -> None:
    drawn = settle({"draw": {"kind": "exhausted", "ready": ["N"]}})
    assert drawn["payments"] == {"E": -1000, "S": -1000, "W": -1000, "N": 3000}
    nagashi = settle({"draw": {"kind": "exhausted", "ready": ["N"], "nagashi_mangan": ["E"]}})
    assert nagashi["payments"] == {"E": 12000, "S": -4000, "W": -4000, "N": -4000}
    assert settle({"foul": {"by": "E", "kind": "false_mahjong"}})["payments"]["E"] == -12000


BAD_DEALS: tuple[Any, ...] = (
    ("unclear_deal", {}),
    ("unclear_deal", {"winner": "S", "draw": {"kind": "exhausted"}, "hands": {"S": HAND}}),
    ("unknown_key", {"winner": "S", "hand": HAND}),
    ("unknown_key", {"draw": {"kind": "exhausted", "tenpai": ["E"]}}),
    ("unknown_seat", {"winner": "X"}),
    ("unknown_seat", {"winner": "S", "hands": {"X": HAND}}),
    ("unknown_seat", {"foul": {"kind": "false_mahjong"}}),
    ("two_winner_keys", {"winner": "S", "winners": ["S"], "hands": {"S": HAND}}),
    ("winner_hand_missing", {"winner": "S", "discarder": "W"}),
    ("wrong_seat", {"winner": "S", "hands": {"S": {**HAND, "seat": "W"}}}),
    ("not_object", {"winner": "S", "hands": {"S": "123m"}}),
    ("not_object", {"winner": "S", "hands": []}),
    (
        "two_discarders",
        {"winner": "S", "discarder": "W", "hands": {"S": {**HAND, "win_by": "discard", "discarder": "N"}}},
    ),
    ("loser_won", {"winner": "S", "discarder": "W", "hands": {"S": HAND, "N": {**HAND, "win_by": "self_draw"}}}),
    ("options_of_hand", {"winner": "S", "hands": {"S": {**HAND, "options": {"kiriage": True}}}}),
    ("not_boolean", {"winner": "S", "hands": {"S": HAND}, "pays_for_all": "yes"}),
    ("not_text", {"draw": {"kind": 1}}),
    ("unknown_draw", {"draw": {"ready": []}}),
    ("unknown_foul", {"foul": {"by": "S"}}),
    ("seats_not_list", {"draw": {"kind": "exhausted", "ready": "E"}}),
    ("seat_twice", {"draw": {"kind": "exhausted", "ready": ["E", "E"]}}),
    ("discarder_is_winner", {"winner": "S", "discarder": "S", "hands": {"S": HAND}}),
    ("not_a_win", {"winner": "S", "hands": {"S": {"concealed": "123p345678p99s569s", "winning_tile": "5s"}}}),
)


@pytest.mark.parametrize(("code", "deal"), BAD_DEALS, ids=[f"{place} {row[0]}" for place, row in enumerate(BAD_DEALS)])
def test_bad_deals(code: str, deal: dict[str, Any]) -> None:
    assert settle({"id": "x", **deal})["error"]["code"] == code
    assert settle({"id": "x", **deal})["id"] == "x"


def test_same_options_in_deal_and_hand() -> None:
    options = {"kiriage": True}
    assert "error" not in settle({"winner": "S", "hands": {"S": {**HAND, "options": options}}, "options": options})


DEALS = (
    {"winner": "S", "discarder": "W", "hands": {"S": HAND, "E": {"concealed": "1m"}}, "pays_for_all": True},
    {"winners": ["S", "N"], "discarder": "W", "hands": {"S": HAND, "N": HAND}, "liable": {"S": "E"}},
    {"draw": {"kind": "exhausted", "ready": ["N"], "nagashi_mangan": ["E"]}},
    {"foul": {"by": "E", "kind": "false_mahjong"}},
)


@pytest.mark.parametrize("data", DEALS)
def test_deal_parse_inverts_its_json(data: dict[str, Any]) -> None:
    deal = deal_from_json(data)
    assert deal_from_json(json.loads(json.dumps(deal_to_json(deal)))) == deal


def test_hand_of_the_winner_may_be_unknown() -> None:
    assert deal_from_json({"winner": "S"}, need_hands=False) == Deal(winner=Seat.SOUTH, hands={})
