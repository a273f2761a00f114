"""A line is found by each of its names, however a person writes it."""

import re

import pytest

from tests.ui.words.test_fans import ALL
from tilescore.ui.components.house_table import _row as house_row
from tilescore.ui.components.lines.fan_list import _rows
from tilescore.ui.locale import LANGUAGES
from tilescore.ui.words.fans import fan_of
from tilescore.ui.words.search import _readings, folded, search_names
from tilescore.ui.words.text import words_in

KATAKANA = re.compile("[ァ-ヴー ]+")


def test_a_line_is_found_by_its_names_in_every_language() -> None:
    for fan in ALL:
        names = {*fan.names.values(), *(words_in(code, fan.key) for code in LANGUAGES)}
        assert names <= {*search_names(fan.key)}, fan.key


def test_the_lists_search_every_language() -> None:
    wanted = "czysty strit"
    rows = {row["key"]: row["found_by"] for row in _rows("mcr", (), "en")}
    assert wanted in rows["mcr.pure_straight"]
    pungs = fan_of("hongkong.all_pungs")
    assert pungs is not None
    assert "все панги" in house_row(pungs, {})["found_by"]


@pytest.mark.parametrize(("wanted", "name"), [
    ("malych", "małych"), ("ＰＩＮＦＵ", "pinfu"), ("りーち", "リーチ"), ("ﾘｰﾁ", "リーチ"), ("sanankou", "Sanankōu"),
    ("все зеленые", "Все зелёные"), ("ゔ", "ヴ"),
])  # fmt: skip
def test_a_name_may_be_written_in_several_ways(wanted: str, name: str) -> None:
    assert folded(wanted) == folded(name)


def test_each_yaku_in_chinese_characters_is_found_by_its_reading() -> None:
    for fan in ALL:
        if fan.names.get("ja") and not fan.key.partition(".")[2].startswith("fu."):
            assert any(map(KATAKANA.fullmatch, search_names(fan.key))), fan.key


def test_each_reading_belongs_to_a_line() -> None:
    names = {words_in("ja", fan.key) for fan in ALL}
    assert [name for name in _readings() if not any(name in one for one in names)] == []
