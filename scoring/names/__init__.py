"""Names of everything that a score can contain: one CSV file for each ruleset, with a column for each language.

Every file has English, and the languages of its rule document and of its game: Russian, Polish, Japanese, Chinese.
"""

import csv
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType


@cache
def names_of(ruleset: str) -> Mapping[str, Mapping[str, str]]:
    """Key to language code to name, in the order of the table `<ruleset>.csv`; empty cells are left out.

    A ruleset without such a table has the names of its `rules()` alone; then nothing is here.

    >>> names_of("classical")["classical.mah_jong"]["en"]
    'Mah-jong'
    """
    table = Path(__file__).with_name(f"{ruleset}.csv")
    if not table.is_file():
        return MappingProxyType({})
    with table.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return MappingProxyType(
        {
            row["key"]: MappingProxyType({code: name for code, name in row.items() if code != "key" and name})
            for row in rows
        }
    )
