"""House rules are told in words: no key of an option or of a choice stands in the app, in any language."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tilescore.scoring.ruleset import RULESETS, ruleset
from tilescore.ui.locale import LANGUAGES
from tilescore.ui.words.options import choice_words, option_words
from tilescore.ui.words.text import has_words, rule_text, speak, words_in

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(params=LANGUAGES)
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    """One language after the other."""
    speak(lambda: request.param)
    yield request.param
    speak(lambda: "en")


@pytest.mark.parametrize("name", RULESETS)
def test_no_key_is_shown(name: str, language: str) -> None:
    for entry in ruleset(name).options():
        text = option_words(name, entry)
        assert "_" not in text
        assert not re.search(rf"[(（]({'|'.join(map(str, entry.choices)) or '-'})[)）]", text)
        for choice in entry.choices:
            if not str(choice).isdigit():
                assert has_words(f"option.{name}.{entry.name}.{choice}") or has_words(f"option.{choice}"), (
                    name,
                    choice,
                )
            assert "_" not in choice_words(name, entry, choice)
    assert words_in(language, "option.riichi.liability")


TERMS = [
    # ruleset, option that a person reads first, term, and what explains it
    ("hongkong", "spicy", "spicy", "each faan up to 4 doubles the payment"),
    ("riichi", "uma", "Uma", "thousands added to the results at the end"),
    ("riichi3", "uma", "Uma", "thousands added to the results at the end"),
    ("riichi", "return_points", "oka", "the first player gets the difference of all four"),
    ("riichi", "multiple_ron_honba", "honba", "points for counters"),
    ("riichi3", "honba_ron", "honba", "Points of a counter"),
]


@pytest.mark.parametrize(("name", "option", "term", "meaning"), TERMS)
def test_a_term_stands_beside_what_it_means(name: str, option: str, term: str, meaning: str) -> None:
    text = option_words(name, next(entry for entry in ruleset(name).options() if entry.name == option))
    assert term in text
    assert meaning in text


@pytest.mark.parametrize("name", RULESETS)
def test_what_a_line_is_names_no_option_by_its_key(name: str, language: str) -> None:
    keys = re.compile("|".join(rf"\b{entry.name}\b" for entry in ruleset(name).options() if "_" in entry.name))
    for rule in ruleset(name).rules():
        text = rule_text(rule.key) or rule.text
        assert not keys.pattern or not keys.search(text), (language, rule.key, text)


@pytest.mark.parametrize("name", ["riichi", "riichi3"])
def test_the_first_by_points_is_not_called_like_the_first_in_turn(name: str) -> None:
    options = {entry.name: entry for entry in ruleset(name).options()}
    speak(lambda: "ja")
    named = [choice_words(name, options[option], "first") for option in ("leftover_sticks", "multiple_ron_honba")]
    speak(lambda: "en")
    assert named == ["1位", "先頭の人"]
