"""The lines of rulesets as people search them: what a line is called, and how a person may write it."""

import csv
import re
import unicodedata
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from tilescore.ui.locale import LANGUAGES
from tilescore.ui.words.fans import fan_of
from tilescore.ui.words.text import words_in

_READINGS: Final = Path(__file__).with_name("readings.csv")
_HIRAGANA: Final = re.compile("[ぁ-ゖ]")
_TO_KATAKANA: Final = ord("ァ") - ord("ぁ")


@lru_cache(maxsize=1024)
def found_by(key: str) -> str:
    """All names of a line, folded: a person finds the line by a part of this text."""
    return folded(" ".join(search_names(key)))


def search_names(key: str) -> tuple[str, ...]:
    """The names of a line in every language of the program and of its rules, how Japanese is read, and its key's end.

    >>> search_names("hongkong.all_pungs")[-5:]
    ('对对糊', '対々和', '對對糊', 'トイトイホー', 'all_pungs')
    """
    fan = fan_of(key)
    named = () if fan is None else fan.names.values()
    spoken = (words_in(code, key) for code in LANGUAGES)
    japanese = words_in("ja", key)
    read = (reading for name, reading in _readings().items() if name in japanese)
    return tuple(dict.fromkeys([*spoken, *named, *read, key.partition(".")[2]]))


def folded(text: str) -> str:
    """The text without capitals and accents, the stroke of ł, and letters of full or half width; hiragana is katakana.

    `folded` of `component.js` does the same in the browser.

    >>> folded("Ｃｚęść Łódź"), folded("りーち") == folded("ﾘｰﾁ") == "リーチ"
    ('czesc lodz', True)
    """
    letters = unicodedata.normalize("NFKD", text)
    plain = "".join(letter for letter in letters if not unicodedata.category(letter).startswith("M")).lower()
    return _HIRAGANA.sub(lambda match: chr(ord(match[0]) + _TO_KATAKANA), plain.replace("ł", "l"))


@cache
def _readings() -> Mapping[str, str]:
    """How a Japanese name of a line, or a part of it, is read; several ways are apart by spaces."""
    with _READINGS.open(encoding="utf-8", newline="") as file:
        return {row["name"]: row["reading"] for row in csv.DictReader(file)}
