"""Words in every language, one gettext catalogue each; keys are the msgids, English is a language like the others.

To add or change words, edit `en/LC_MESSAGES/tilescore.po`, run `python -m tilescore.ui.locale.update`, fill in what it
left empty in the other languages, and run it once more: it also compiles the catalogues that the program reads.
"""

from pathlib import Path
from typing import Final

ENGLISH: Final = "en"
LANGUAGES: Final = {
    "en": "English",
    "ru": "Русский",
    "pl": "Polski",
    "sw": "Kiswahili",
    "zh": "中文",
    "ja": "日本語",
}
"""What each language of the program calls itself, by its code; Chinese is in simplified characters."""
FOLDER: Final = Path(__file__).resolve().parent
WORDS: Final = "tilescore"
RULES: Final = "rules"
"""Domains: the words of the program in every language; the names and sentences of score lines, whose English is in
`scoring`."""


def closest(locale: str | None) -> str | None:
    """The language of the program for a reader with this locale; None if there is none.

    >>> closest("pl-PL"), closest("zh_TW.UTF-8"), closest("tlh"), closest(None)
    ('pl', 'zh', None, None)
    """
    code = (locale or "").replace("_", "-").partition("-")[0].lower()
    return code if code in LANGUAGES else None


def place(language: str, domain: str, ending: str = "mo") -> Path:
    """The path of that catalogue."""
    return FOLDER / language / "LC_MESSAGES" / f"{domain}.{ending}"


def sentence_of(text: str) -> str:
    """A rule's sentence without the native name that may stand at its end.

    >>> sentence_of("Four equal chows (一色四同顺).")
    'Four equal chows.'
    """
    head, bracket, tail = text.rpartition(" (")
    return f"{head}." if bracket and tail.endswith(").") and not tail.isascii() else text
