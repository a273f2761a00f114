"""The simplified ruleset: the differences of document 001 from document 000. `test_classical` has the shared lines."""

import pytest

from tests.scoring.classical.classical_cases import VINE
from tests.scoring.classical.classical_table import counted, verdict
from tilescore.scoring.classical.classical import Classical, Simplified
from tilescore.scoring.payments import Payments

CASES = (
    ("round_flower", "counts", "123m456p789s555s7z &3f", "S/W"),
    ("round_flower", "absent", "123m456p789s555s7z &1f3q", "S/W"),
    ("round_flower", "own_flower", "123m456p789s555s7z &2f", "S/S"),
    ("round_flower", "counts", "123m456p789s555s7z &2f3f", "S/W"),
    ("round_season", "counts", "123m456p789s555s7z &3q", "S/W"),
    ("round_season", "absent", "123m456p789s555s7z &1q3f", "S/W"),
    ("round_flower", "vine", "46p123m789s555s77z5p +5p &3f", VINE),
    ("round_season", "vine", "46p123m789s555s77z5p +5p &3q", VINE),
    ("round_season", "own_season", "123m456p789s555s7z &2q", "S/S"),
    ("terminals_everywhere", "counts", "123m789p111s999s55z +3m", "S/W discard"),
    ("terminals_everywhere", "counts", "111m999p111s222z55z +5z", "S/W discard"),
    ("terminals_everywhere", "absent", "123m789p111s999s55p +3m", "S/W discard"),
    ("terminals_everywhere", "absent", "123m678p111s999s55z +3m", "S/W discard"),
    ("terminals_everywhere", "moon", "23p123m789s111s55z1p +1p", "S/W self_draw last_tile"),
    ("concealed_hand", "counts", "123m456p789s234s11z +4s", "S/W discard"),
    ("concealed_hand", "counts", "123m456p789s11z [5555m] +3m", "S/W self_draw"),
    ("concealed_hand", "absent", "123m456p789s11z (555m) +3m", "S/W self_draw"),
    ("concealed_hand", "absent", "123m456p789s234s1z", "S/W"),
    ("concealed_hand", "vine", "46p123m789s234s11z5p +5p &4f", VINE),
    ("two_or_three_kongs", "counts", "123m456p11z (5555m) [6666m] +3m", "S/W self_draw"),
    ("two_or_three_kongs", "counts", "123m11z (5555m) [6666m] (8888m) +3m", "S/W self_draw"),
    ("two_or_three_kongs", "absent", "123m456p789p11z (5555m) +3m", "S/W self_draw"),
    ("two_or_three_kongs", "absent", "11z (5555m) [6666m] (8888m) [7777p] +1z", "S/W self_draw"),
    ("two_or_three_kongs", "losing_hand", "123m45p11z (5555m) [6666m]", "S/W"),
    ("two_or_three_kongs", "vine", "46p123m11z5p (5555m) [6666m] +5p", VINE),
    ("last_of_its_kind", "counts", "123m456p789s234s11z +4s", "S/W discard last_of_its_kind"),
    ("last_of_its_kind", "absent", "123m456p789s234s11z +4s", "S/W discard"),
    ("last_of_its_kind", "losing_hand", "123m456p789s234s1z", "S/W last_of_its_kind"),
    ("last_of_its_kind", "vine", "46p123m789s234s11z5p +5p &4f", f"{VINE} last_of_its_kind"),
    ("all_flowers", "absent", "123m456p789s555s7z &1234f", "S/W"),
    ("limit", "counts", "111m999p111s222z55z +2z &2f2q", "S/S self_draw"),
    ("limit", "counts", "555666z1122778m &1234f1234q", "E/E"),
    ("limit", "absent", "123m456p789s555s77z +9s", "S/W discard"),
    ("last_of_its_kind", "counts", "23455p789s (222p) (123m) +2p", "S/W discard"),
    ("last_of_its_kind", "counts", "23455p (222p) (789s) (123m) +2p", "S/W self_draw"),
    ("last_of_its_kind", "absent", "22223455p789s (123m) +2p", "S/W discard"),
)
# Values of hands on which the documents differ: classical, simplified.
DIFFERENCES = (
    ("one suit x8, x3", 26 * 8, 26 * 3, "23455p (111p) (666p) (789p) +4p", "E/E discard"),
    ("honours x8, x3", 8 * 8, 8 * 3, "1122334455667z", "S/W"),
    ("three winds x2, x4", 34 * 4 * 2 * 2, 500, "33z123m (111z) (222z) (444z) +3m", "S/S discard"),
    ("the round's flower", 4, 4 * 2, "1247m369p258s134z &3f", "S/W"),
    ("bouquet x4 and own x2, own and round x2", 16 * 8, 16 * 4, "1247m369p258s134z &1234f", "S/W"),
    ("concealed", 24, 24 * 2, "123m333678p45666s +8p", "S/W discard"),
    ("heads and tails", 2000, 500, "111m999m111p999p11s +1s", "S/W discard"),
)


@pytest.mark.parametrize(("key", "expected", "hand", "circumstances"), CASES)
def test_lines_of_the_simplified_ruleset_alone(key: str, expected: str, hand: str, circumstances: str) -> None:
    assert verdict(counted(Simplified(), hand, circumstances), key) == expected


@pytest.mark.parametrize(("why", "classical", "simplified", "hand", "circumstances"), DIFFERENCES)
def test_the_documents_differ(why: str, classical: int, simplified: int, hand: str, circumstances: str) -> None:
    totals = counted(Classical(), hand, circumstances).total, counted(Simplified(), hand, circumstances).total
    assert totals == (classical, simplified), why


@pytest.mark.parametrize(
    ("why", "total", "hand", "circumstances"),
    [
        ("own = round wind, pair: twice 2 points", 4, "147m369p258s1134z", "E/E"),
        ("own = round wind, set: doubled twice", 8 * 4, "147m369p258s1113z", "E/E"),
        ("a limit hand is 500 points", 500, "111222333m555m99m +9m", "S/E discard"),
        ("doublings multiply", (14 + 20) * 2 * 2, "444s99m (111p) (222p) (333m) +9m", "S/E discard last_tile"),
    ],
)
def test_worked_examples(why: str, total: int, hand: str, circumstances: str) -> None:
    """The figures that document 001 gives in its text."""
    assert counted(Simplified(), hand, circumstances).total == total, why


def test_three_times_is_a_factor_and_no_doubling() -> None:
    line = counted(Simplified(), "23455p (111p) (666p) (789p) +4p", "E/E discard").lines[-1]
    assert (line.key, line.doubles, line.factor) == ("simplified.one_suit", 0, 3)
    assert line.to_json()["factor"] == 3
    line = counted(Simplified(pure_factor=8), "23455p (111p) (666p) (789p) +4p", "E/E discard").lines[-1]
    assert (line.doubles, line.factor) == (3, None)
    line = counted(Simplified(pure_factor=1), "23455p (111p) (666p) (789p) +4p", "E/E discard").lines[-1]
    assert (line.doubles, line.factor) == (0, 1)


@pytest.mark.parametrize(("cap", "total", "limit"), [(False, 48 * 32, None), (True, 500, "simplified.limit")])
def test_ordinary_hands_and_the_limit(*, cap: bool, total: int, limit: str | None) -> None:
    score = counted(Simplified(cap_ordinary=cap), "555666z1122778m &1234f1234q", "E/E")
    assert (score.total, score.limit) == (total, limit)


def test_payments_follow_from_the_score_when_losers_do_not_settle() -> None:
    hand, circumstances = "678p66s (333p) (123m) (456s) +8p", "S/E discard"
    assert counted(Simplified(), hand, circumstances).payments is None
    payments = counted(Simplified(losers_settle=False), hand, circumstances).payments
    assert isinstance(payments, Payments)
    assert payments.to_json() == {"E": -44, "S": 88, "W": -22, "N": -22}
