"""The lines of rulesets as people search them: what a line is called, and how a person may write it."""

import unicodedata
from functools import lru_cache

from tilescore.ui.locale import LANGUAGES
from tilescore.ui.words.fans import fan_of
from tilescore.ui.words.text import words_in


@lru_cache(maxsize=1024)
def search_names(key: str) -> tuple[str, ...]:
    """The names of a line in every language of the program and of its rules, and the end of its key.

    >>> search_names("hongkong.all_pungs")[-4:]
    ('对对糊', '対々和', '對對糊', 'all_pungs')
    """
    fan = fan_of(key)
    named = () if fan is None else fan.names.values()
    spoken = (words_in(code, key) for code in LANGUAGES)
    return tuple(dict.fromkeys([*spoken, *named, key.partition(".")[2]]))


def folded(text: str) -> str:
    """The text without capitals and accents, as `folded` of `component.js` gives it in the browser.

    >>> folded("Trójka Wiatru")
    'trojka wiatru'
    """
    letters = unicodedata.normalize("NFD", text)
    return "".join(letter for letter in letters if not unicodedata.category(letter).startswith("M")).lower()
