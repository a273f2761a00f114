"""Every line of the classical and the simplified tables: a hand that has it, one that misses it, one that loses it.

Other tests score these hands in their tables. These tests check that the tables have such hands for each line that
`rules()` lists. `NEVER_TAKEN` has the lines that no other line can exclude, with the reason.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.scoring.classical.classical_cases import SET_CASES, SHARED_CASES, VINE
from tests.scoring.classical.classical_table import counted
from tests.scoring.classical.test_classical import CASES as CLASSICAL_CASES
from tests.scoring.classical.test_classical import SET_FORMS
from tests.scoring.classical.test_limit_hands import CASES as LIMIT_CASES
from tests.scoring.classical.test_simplified import CASES as SIMPLIFIED_CASES
from tilescore.scoring.classical.classical import Classical, Simplified

if TYPE_CHECKING:
    from tilescore.scoring.classical.rules import CountedRules

    Case = tuple[str, str, str, str]

FIRST = "no limit hand before it in the list can be made with it"
NEVER_TAKEN = {
    "classical": {
        "heavenly_bliss": "it stands first among the limit hands",
        "earthly_bliss": FIRST,
        "limit": "it is what remains when everything has been counted",
    },
    "simplified": {
        "found_treasure": "it stands first among the limit hands, and a discard does not spoil it",
        "emperors_suite": FIRST,
        "heads_and_tails": FIRST,
        "heavenly_twins": FIRST,
        "three_great_scholars": FIRST,
        "thirteen_wonders": FIRST,
        "limit": "it is what remains when everything has been counted",
    },
}
"""Lines that always count, with the reason."""


def cases(rules: CountedRules) -> list[Case]:
    """Every row of the tables for this ruleset: key, verdict, hand, circumstances."""
    rows: list[Case] = [*SHARED_CASES, *(CLASSICAL_CASES if rules.name == "classical" else SIMPLIFIED_CASES)]
    for key, classical, simplified, hand, circumstances in LIMIT_CASES:
        rows.append((key, classical if rules.name == "classical" else simplified, hand, circumstances))
    for tile, family, _ in SET_CASES:
        for form, _, *hands in SET_FORMS:
            has, misses, loses = (hand.replace("T", tile) for hand in hands)
            key = form.format(family)
            rows += [(key, "counts", has, "S/W"), (key, "absent", misses, "S/W"), (key, "vine", loses, VINE)]
    return rows


@pytest.mark.parametrize("rules", [Classical(), Simplified()], ids=lambda rules: rules.name)
def test_every_line_is_counted_missed_and_lost(rules: CountedRules) -> None:
    rows, never = cases(rules), NEVER_TAKEN[rules.name]
    listed = {entry.key.partition(".")[2] for entry in rules.rules()}
    assert {key for key, verdict_, *_ in rows if verdict_ == "counts"} == listed
    assert never.keys() <= listed
    for key in listed:
        verdicts = {row[1] for row in rows if row[0] == key}
        assert "absent" in verdicts, f"{key}: no hand just misses it"
        lost = verdicts - {"counts", "absent"}
        assert bool(lost) != bool(never.get(key)), (
            f"{key}: lost in no hand and without a reason in NEVER_TAKEN, or both"
        )


@pytest.mark.parametrize("rules", [Classical(), Simplified()], ids=lambda rules: rules.name)
def test_what_is_never_taken_is_taken_in_no_hand_of_the_tables(rules: CountedRules) -> None:
    for _, _, hand, circumstances in cases(rules):
        score = counted(rules, hand, circumstances)
        taken = {entry.key.partition(".")[2] for entry in score.excluded}
        assert not taken & NEVER_TAKEN[rules.name].keys(), (hand, circumstances)
