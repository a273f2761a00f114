"""The options of a ruleset in words for people, who choose among words and need no keys."""

import re

from tilescore.scoring.ruleset import OptionEntry
from tilescore.ui.words.text import has_words, words


def option_words(name: str, entry: OptionEntry) -> str:
    """What an option of that ruleset decides, without the keys that stand in brackets for the command line.

    >>> from tilescore.scoring.ruleset import ruleset
    >>> entry = next(one for one in ruleset("riichi").options() if one.name == "liability")
    >>> option_words("riichi", entry)
    'Who fed a yakuman is liable for that yakuman or for the whole hand.'
    """
    text = words(f"option.{name}.{entry.name}")
    keys = "|".join(re.escape(str(choice)) for choice in entry.choices)
    return re.sub(rf"\s?[(（](?:{keys})\b[^)）]*[)）]", "", text) if keys else text


def choice_words(name: str, entry: OptionEntry, choice: object) -> str:
    """What a choice of that option means; the words of the option come before those that several options share."""
    own = f"option.{name}.{entry.name}.{choice}"
    return words(own if has_words(own) else f"option.{choice}")
