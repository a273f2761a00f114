"""The model card shows the figures on record, and the records of tries and training runs are sound."""

import re
from decimal import Decimal, InvalidOperation

import pytest

from tilescore.models.evaluation.card import CARD, NETWORKS, read_rows, written_card
from tilescore.models.registry import PARTS, shipped

TRIES = read_rows("experiments.csv")
RUNS = read_rows("training_runs.csv")


def number(text: str) -> Decimal | None:
    try:
        return Decimal(text)
    except InvalidOperation:
        return None


def test_the_card_is_not_stale() -> None:
    """`python -m tilescore.models.evaluation.card` writes it anew."""
    card = CARD.read_text(encoding="utf-8")
    assert written_card(card) == card


def test_the_card_has_one_page() -> None:
    assert len(CARD.read_text(encoding="utf-8").splitlines()) <= 120


@pytest.mark.parametrize(
    "figure", [shipped()[0].detector.sha256[:16], "| 0.900 |", "Tries on record: ", "recipes/corners.toml"]
)
def test_a_changed_table_is_written_anew(figure: str) -> None:
    card = CARD.read_text(encoding="utf-8")
    assert card.count(figure) == 1
    assert written_card(card.replace(figure, "")) == card


def test_a_table_of_unknown_name_is_an_error() -> None:
    with pytest.raises(KeyError):
        written_card("<!-- table: unknown -->\n<!-- end -->")


def test_columns() -> None:
    assert list(TRIES[0]) == [
        "date",
        "id",
        "part",
        "change",
        "data",
        "metric",
        "base",
        "result",
        "delta",
        "decision",
        "commit",
    ]
    assert list(RUNS[0]) == ["network", "parent", "recipe", "seed", "steps", "data_hash", "minutes", "sha256"]
    for rows in (TRIES, RUNS):  # a comma without quotes moves all cells after it
        assert [row for row in rows if None in row or None in row.values()] == []


def test_a_try_has_one_change_and_a_decision() -> None:
    changes = {(row["id"], row["date"], row["part"], row["change"], row["commit"]) for row in TRIES}
    assert len(changes) == len({row["id"] for row in TRIES})
    assert all(re.match("(kept|rejected|measured|shipped)", row["decision"]) for row in TRIES)


def test_tries_stand_in_order() -> None:
    order = [(row["date"], row["id"]) for row in TRIES]
    assert order == sorted(order)


def test_a_difference_is_result_minus_base() -> None:
    for row in TRIES:
        base, result = number(row["base"]), number(row["result"])
        if base is not None and result is not None:
            assert Decimal(row["delta"]) == result - base, row


def test_each_shipped_file_has_a_training_run() -> None:
    """The last run of a network made the file that is shipped."""
    for part in PARTS:
        made = [run["sha256"] for run in RUNS if run["network"] == NETWORKS[part]]
        assert made[-1] == getattr(shipped()[0], part).sha256


def test_runs_stand_after_their_parents() -> None:
    made = set[str]()
    for run in RUNS:
        if re.fullmatch("[0-9a-f]{64}", run["parent"]):
            assert run["parent"] in made
        made.add(run["sha256"])
