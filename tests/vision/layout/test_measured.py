"""Features keep their meaning: the weights of the layout were fitted on these numbers."""

import json

import pytest

from tests.vision.layout.measured import KEPT, NAMES, TABLES, numbers, readings

WANTED = json.loads(KEPT.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", TABLES)
def test_a_table_measures_as_when_the_weights_were_fitted(name: str) -> None:
    found, wanted = numbers(TABLES[name]), WANTED[name]
    assert found["counts"] == wanted["counts"]
    assert [found["layout"], found["fixed"]] == [wanted["layout"], wanted["fixed"]]
    for kind, names in NAMES.items():
        for place, (now, then) in enumerate(zip(found[kind], wanted[kind], strict=True)):
            assert now == pytest.approx(then, rel=1e-3, abs=1e-4), list(names)[place % len(names)]


def test_simulated_tables_are_read_as_before() -> None:
    """Whoever changes a reading on purpose writes the file anew and looks at what differs."""
    for now, then in zip(readings(), WANTED["simulated"], strict=True):
        assert now == then
