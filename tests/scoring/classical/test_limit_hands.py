"""The limit hands of documents 000 (fourteen) and 001 (eleven): each made, just missed, and beside another one."""

import pytest

from tests.scoring.classical.classical_cases import VINE
from tests.scoring.classical.classical_table import counted, setting, verdict
from tilescore.scoring.classical.classical import Classical, Simplified
from tilescore.scoring.classical.limit_hands import CLASSICAL_LIMIT_HANDS, SIMPLIFIED_LIMIT_HANDS
from tilescore.scoring.hand import Hand
from tilescore.scoring.score import NotAWin

PLAIN = "123m456p789s234s11z +4s"
# Key, verdict in the classical ruleset, verdict in the simplified one, hand, circumstances.
CASES = (
    ("heavenly_bliss", "counts", "absent", PLAIN, "E/E self_draw first_turn"),
    ("heavenly_bliss", "counts", "absent", f"{PLAIN} &1f", "E/E self_draw first_turn"),
    ("heavenly_bliss", "absent", "absent", PLAIN, "S/E self_draw first_turn"),
    ("heavenly_bliss", "absent", "absent", PLAIN, "E/E discard first_turn"),
    ("heavenly_bliss", "absent", "absent", "123m456p789s11z (234s) +3m", "E/E self_draw first_turn"),
    ("heavenly_bliss", "absent", "absent", "123m456p789s234s1z", "E/E first_turn"),
    ("earthly_bliss", "counts", "absent", PLAIN, "S/E discard:E first_turn ready_from_start"),
    ("earthly_bliss", "counts", "absent", PLAIN, "S/E discard first_turn ready_from_start"),
    ("earthly_bliss", "absent", "absent", PLAIN, "S/E discard:E first_turn"),
    ("earthly_bliss", "absent", "absent", PLAIN, "S/E discard:W first_turn ready_from_start"),
    ("earthly_bliss", "absent", "absent", PLAIN, "S/E self_draw first_turn ready_from_start"),
    ("earthly_bliss", "absent", "absent", PLAIN, "E/E discard first_turn ready_from_start"),
    ("earthly_bliss", "absent", "absent", "123m789s11z234s [5555p] +3m", "S/E discard:E first_turn ready_from_start"),
    ("found_treasure", "counts", "counts", "111m333m555m777m99m +9m", "S/E self_draw"),
    ("found_treasure", "counts", "counts", "111m333m777m99m [5555m] +9m", "S/E self_draw"),
    ("found_treasure", "by_discard", "counts", "111m333m555m777m99m +9m", "S/E discard"),
    ("found_treasure", "absent", "absent", "111m333m777m99m (555m) +9m", "S/E self_draw"),
    ("found_treasure", "absent", "absent", "123m333m555m777m99m +9m", "S/E self_draw"),
    ("found_treasure", "absent", "absent", "111m333m555m777m11z +1z", "S/E self_draw"),
    ("emperors_suite", "counts", "counts", "111z222z44z (555z) (666z) +4z", "S/E discard"),
    ("emperors_suite", "absent", "absent", "111z222z99m (555z) (666z) +9m", "S/E discard"),
    ("emperors_suite", "absent", "absent", "111z222z4z (555z) (666z)", "S/E"),
    ("emperors_suite", "heavenly_bliss", "counts", "111z222z44z555z666z +4z", "E/E self_draw first_turn"),
    ("heads_and_tails", "counts", "counts", "111m999m11s (111p) (999p) +1s", "S/E discard"),
    ("heads_and_tails", "absent", "absent", "111m999m11z (111p) (999p) +1z", "S/E discard"),
    ("heads_and_tails", "absent", "absent", "123m999m11s (111p) (999p) +1s", "S/E discard"),
    ("heads_and_tails", "heavenly_bliss", "counts", "111m999m11s111p999p +1s", "E/E self_draw first_turn"),
    ("imperial_jade", "counts", "counts", "222s333s66z (444s) (888s) +6z", "S/E discard"),
    ("imperial_jade", "counts", "counts", "222s333s66s (444s) (888s) +6s", "S/E discard"),
    ("imperial_jade", "counts", "counts", "222s333s44s (666z) (8888s) +4s", "S/E discard"),
    ("imperial_jade", "absent", "absent", "222s333s55s (444s) (888s) +5s", "S/E discard"),
    ("imperial_jade", "absent", "absent", "222s333s66z (234s) (888s) +6z", "S/E discard"),
    ("imperial_jade", "found_treasure", "found_treasure", "222s333s444s888s66s +6s", "S/E self_draw"),
    ("heavenly_twins", "counts", "counts", "11223344556677z +7z", "S/E discard"),
    ("heavenly_twins", "counts", "counts", "11335577889944p +4p", "S/E self_draw"),
    ("heavenly_twins", "counts", "counts", "11113355778899p +9p", "S/E discard"),
    ("heavenly_twins", "counts", "counts", "11223344556677p +7p", "S/E discard"),
    ("heavenly_twins", "absent", "absent", "1133557788994p", "S/E"),
    ("heavenly_twins", "heavenly_bliss", "counts", "11223344556677z +7z", "E/E self_draw first_turn"),
    ("three_great_scholars", "counts", "counts", "555666777z222p99p +9p", "S/E discard"),
    ("three_great_scholars", "counts", "counts", "777z99p (555z) [6666z] (222p) +9p", "S/E discard"),
    ("three_great_scholars", "absent", "absent", "555z666z777z222p99s +9s", "S/E discard"),
    ("three_great_scholars", "absent", "absent", "555z666z777z123p99p +9p", "S/E discard"),
    ("three_great_scholars", "absent", "absent", "555z666z777z222p11z +1z", "S/E discard"),
    ("three_great_scholars", "absent", "absent", "555z666z77z222p999p +9p", "S/E discard"),
    ("three_great_scholars", "absent", "absent", "555z666z777z111z99p +9p", "S/E discard"),
    ("three_great_scholars", "heavenly_bliss", "counts", "555666777z222p99p +9p", "E/E self_draw first_turn"),
    ("four_blessings", "counts", "counts", "222z333z99p (111z) (444z) +9p", "S/E discard"),
    ("four_blessings", "absent", "absent", "222z333z44z (111z) (999p) +4z", "S/E discard"),
    ("four_blessings", "emperors_suite", "emperors_suite", "222z333z55z (111z) (444z) +5z", "S/E discard"),
    ("four_by_four", "counts", "counts", "99p (1111z) [4444z] (3333m) (5555s) +9p", "S/E discard"),
    ("four_by_four", "absent", "absent", "99p555s (1111z) [4444z] (3333m) +9p", "S/E discard"),
    ("four_by_four", "emperors_suite", "emperors_suite", "66z (1111z) [4444z] (3333z) (5555z) +6z", "S/E discard"),
    ("hidden_snake", "counts", "absent", "11199922345678m +2m", "S/E discard"),
    ("hidden_snake", "counts", "absent", "55s234s678s (111s) (999s) +5s", "S/E discard"),
    ("hidden_snake", "counts", "absent", "88p234p567p (1111p) (999p) +8p", "S/E discard"),
    ("hidden_snake", "absent", "absent", "22s456s678s (111s) (999s) +2s", "S/E discard"),
    ("hidden_snake", "absent", "absent", "33s456s678s (111s) (999s) +3s", "S/E discard"),
    ("hidden_snake", "absent", "absent", "22s345s678s (111s) (999p) +2s", "S/E discard"),
    ("hidden_snake", "absent", "absent", "22s345s678s (111s) (888s) +2s", "S/E discard"),
    ("hidden_snake", "absent", "absent", "11223344556677s +7s", "S/E discard"),
    ("hidden_snake", "heavenly_bliss", "absent", "11199922345678m +2m", "E/E self_draw first_turn"),
    ("thirteen_wonders", "counts", "counts", "19m19p19s12345677z +7z", "S/E discard"),
    ("thirteen_wonders", "counts", "counts", "19m19p19s12345677z +1m", "S/E discard robbing_concealed_kong"),
    ("thirteen_wonders", "absent", "absent", "19m19p19s1234567z", "S/E"),
    ("thirteen_wonders", "heavenly_bliss", "counts", "19m19p19s12345677z +7z", "E/E self_draw first_turn"),
    ("moon", "counts", "counts", "23p123m789s234s11z1p +1p", "S/E self_draw last_tile"),
    ("moon", "by_discard", "by_discard", "23p123m789s234s11z1p +1p", "S/E discard last_tile"),
    ("moon", "absent", "absent", "23p123m789s234s11z4p +4p", "S/E self_draw last_tile"),
    ("moon", "absent", "absent", "23p123m789s234s11z1p +1p", "S/E self_draw"),
    ("vine", "counts", "counts", "34p123m789s234s11z5p +5p &4f", "S/E self_draw kong_replacement"),
    ("vine", "counts", "counts", "34p123m789s234s11z0p +0p &1f", "S/E self_draw kong_replacement"),
    ("vine", "absent", "absent", "34p123m789s234s11z2p +2p &4f", "S/E self_draw kong_replacement"),
    ("vine", "absent", "absent", "34p123m789s234s11z5p +5p", "S/E self_draw"),
    ("vine", "four_by_four", "four_by_four", "55p (1111z) [4444z] (3333m) (5555s) +5p", VINE),
)


@pytest.mark.parametrize(("key", "classical", "simplified", "hand", "circumstances"), CASES)
def test_limit_hands(key: str, classical: str, simplified: str, hand: str, circumstances: str) -> None:
    for rules, expected in ((Classical(), classical), (Simplified(), simplified)):
        score = counted(rules, hand, circumstances)
        assert verdict(score, key) == expected
        if expected == "counts":
            assert (score.total, score.limit, len(score.lines)) == (rules.limit, f"{rules.name}.{key}", 1)


def test_their_number_is_that_of_the_documents() -> None:
    assert (len(CLASSICAL_LIMIT_HANDS), len(SIMPLIFIED_LIMIT_HANDS)) == (14, 11)


def test_a_limit_hand_swallows_points_doublings_flowers_and_weaker_limit_hands() -> None:
    score = counted(Classical(limit=700), "222z333z55z (111z) (444z) +5z &2f", "S/E discard")
    assert score.total == 700
    swallowed = {entry.key.partition(".")[2] for entry in score.excluded if entry.because == "classical.emperors_suite"}
    assert {"four_blessings", "mah_jong", "pung_wind_open", "own_wind_set", "own_flower", "bonus_tile"} <= swallowed
    assert {"no_chows", "honors_only", "pair_dragon"} <= swallowed


def test_wonders_rob_a_concealed_kong_and_nobody_else_does() -> None:
    circumstances = setting("S/E discard robbing_concealed_kong")
    for rules in (Classical(), Simplified()):
        assert counted(rules, "19m19p19s12345677z +1m", "S/E discard robbing_concealed_kong").total == rules.limit
        assert isinstance(rules.score(Hand.parse(PLAIN), circumstances), NotAWin)


def test_the_dearest_way_to_see_a_hand_is_taken() -> None:
    chows = "111222333m456p99s +6p &1f1q"
    assert counted(Classical(), chows, "E/E self_draw").total == (20 + 2 + 8) * 2 * 4
    pure = "111222333m44455m +5m &1234f1234q"
    assert counted(Simplified(cap_ordinary=False), pure, "E/E self_draw").limit is None
    assert counted(Classical(), pure, "E/E self_draw").limit == "classical.found_treasure"
