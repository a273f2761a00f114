"""Keys turned into words: every text for a person comes from here, in the language of that person."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, reduce
from gettext import GNUTranslations, NullTranslations
from typing import Final

from tilescore.errors import InputError
from tilescore.printable import STEERING
from tilescore.scoring.names import names_of
from tilescore.scoring.ruleset import RULESETS, Ruleset, ruleset
from tilescore.scoring.score import Score
from tilescore.scoring.tiles import Tile
from tilescore.ui.locale import ENGLISH, RULES, WORDS, place, sentence_of

_FOLDERS: Final = re.compile(r"(?<![\w./\\])(?:[A-Za-z]:)?(?:/|\\{1,2})(?=\w)(?:[^'\"\n:;,]*[/\\])?")
"""The folders of an absolute path."""
_ADDRESS: Final = re.compile(r"www(?=\.)|(?:https?|ftp|mailto|xmpp):|@", re.IGNORECASE)
"""Where an address begins that Markdown would link."""
_WORD_JOINER: Final = "\N{WORD JOINER}"
_JOINERS: Final = frozenset("\N{ZERO WIDTH JOINER}\N{ZERO WIDTH NON-JOINER}")
"""Invisible characters of ordinary words and emoji."""
_APART: Final = "\N{FIRST STRONG ISOLATE}"
_END: Final = "\N{POP DIRECTIONAL ISOLATE}"
_TEXT: Final = ".text"


@dataclass(slots=True)
class _Speech:
    """Whom the words are for; both functions are called for each text."""

    language: Callable[[], str] = lambda: ENGLISH  # gives the code of the language
    to_guest: Callable[[], bool] = lambda: False  # whether the person is a guest, who sees no folders


_SPEECH: Final = _Speech()


def speak(language: Callable[[], str], *, to_guest: Callable[[], bool] = lambda: False) -> None:
    """Use the language that this function returns, and name no folders where `to_guest` does; texts call both again."""
    _SPEECH.language, _SPEECH.to_guest = language, to_guest


def language() -> str:
    """The code of the present language."""
    return _SPEECH.language()


def words(key: str, **params: object) -> str:
    """The words for a key, `{name}` filled from params; a key without words becomes readable text.

    The number `n` chooses the plural form, a loss that of a gain; numbers get their thousands apart.

    >>> words("seat.E"), words("games.deals", n=1), words("games.deals", n=1200), words("mcr.no_such_fan_yet")
    ('East', '1 deal', '1\u202f200 deals', 'No such fan yet')
    """
    number = params.get("n")
    speech = language()
    text = _find(speech, key, _counted(number) if isinstance(number, int | float) else None)
    if not text or not params:
        return text or _readable(key)
    shown = {name: grouped(value) if isinstance(value, int | float) else value for name, value in params.items()}
    return text.format(**{name: apart(value) if isinstance(value, str) else value for name, value in shown.items()})


def _counted(number: float) -> int:
    """The count from 0 up whose plural form that number takes; a number with a fraction takes the form of two."""
    return abs(int(number)) if number == int(number) else 2


def apart(text: str) -> str:
    """The text, which keeps the words beside it in their order, even if it is written from right to left."""
    return f"{_APART}{text}{_END}" if _runs_left(text) else text


def _runs_left(text: str) -> bool:
    """Whether a part of the text is written from right to left."""
    return any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in text)


def has_words(key: str) -> bool:
    """Whether there are words for the key, be it in English alone."""
    return bool(_find(language(), key, None))


def words_in(speech: str, key: str) -> str:
    """The words for a key in that language, whatever the present one is."""
    return _find(speech, key, None) or _readable(key)


def tile_name(tile: Tile) -> str:
    """The name of a tile.

    >>> from tilescore.scoring.tiles import Tile
    >>> tile_name(Tile.parse("5m")), tile_name(Tile.parse("0p")), tile_name(Tile.parse("3q"))
    ('5 of characters', 'red 5 of dots', 'autumn')
    """
    if tile.is_red:
        return words(f"tile.red_{tile.suit}")
    if tile.is_back or tile.is_bonus or tile.is_honor:
        return words(f"tile.{tile}")
    return words(f"tile.{tile.suit}", n=tile.rank)


def part_name(role: str, rules: Ruleset) -> str:
    """The name of a part of the hand, a `Role`; the tiles that a game sets aside like flowers are none.

    >>> from tilescore.vision.layout.layout import Role
    >>> part_name(Role.BONUS, ruleset("riichi3")), part_name(Role.BONUS, ruleset("taiwan"))
    ('Set aside', 'Bonus')
    """
    return words("role.aside" if role == "bonus" and rules.traits.aside else f"role.{role}")


def occasion_name(occasion: str, rules: Ruleset) -> str:
    """The name of an occasion; a replacement tile is that of a flower, too, where the game says so.

    >>> occasion_name("kong_replacement", ruleset("mcr")), occasion_name("kong_replacement", ruleset("taiwan"))
    ('After a kong', 'After a kong or flower')
    """
    loose = rules.traits.bonus_replaced and occasion == "kong_replacement"
    return words("occasion.loose_tile" if loose else f"occasion.{occasion}")


def plain(text: str) -> str:
    r"""The text escaped for Markdown: file names and typed input must not become links, pictures, lists or headings.

    Escapes alone do not stop Markdown from linking addresses, so an invisible word joiner splits them.

    >>> plain("![x](y)")
    '\\!\\[x\\]\\(y\\)'
    """
    kept = _JOINERS | {_APART, _END} if _ends_all(text) else _JOINERS
    one_line = STEERING.sub(lambda match: match[0] if match[0] in kept else " ", text)
    split = _ADDRESS.sub(lambda match: f"{match[0]}{_WORD_JOINER}", one_line)
    escaped = re.sub(r"([\\`*_{}\[\]()<>#+!|~$:/&^=])", r"\\\1", split)
    return re.sub(r"^(\s*\d*)([-.])", r"\1\\\2", escaped)


def _ends_all(text: str) -> bool:
    """Whether each part of the text that is kept apart ends in it."""
    open_ones = 0
    for letter in text:
        open_ones += (letter == _APART) - (letter == _END)
        if open_ones < 0:
            return False
    return open_ones == 0


def beside(*pieces: str) -> str:
    """The pieces behind each other, such as two sentences; empty ones are left out.

    >>> beside("4 han", "30 fu"), beside("", "4 han")
    ('4 han 30 fu', '4 han')
    """
    kept = filter(None, pieces)
    return reduce(lambda first, second: words("text.beside", first=first, second=second), kept, next(kept, ""))


def with_unit(number: str, unit: str) -> str:
    """A number and what it counts, in the order of the language.

    >>> with_unit("8", "points")
    '8 points'
    """
    return words("text.with_unit", number=number, unit=unit)


def listed(pieces: Iterable[str], last: str | None = None) -> str:
    """The pieces as one list; `last` is the key of the words between the last two.

    >>> listed(("Ann", "Ben", "Cleo")), listed(("Ann", "Ben", "Cleo"), "ledger.and")
    ('Ann, Ben, Cleo', 'Ann, Ben and Cleo')
    """
    comma, parts = words("text.comma"), [*pieces]
    if last is None or len(parts) < 2:
        return comma.join(parts)
    return words(last, first=comma.join(parts[:-1]), last=parts[-1])


def labelled(label: str, text: object) -> str:
    """A text behind what it is about: `Ann: 8`."""
    return words("text.labelled", label=label, text=text)


def sentence(text: str) -> str:
    """The text with a capital first letter."""
    return text[:1].upper() + text[1:]


def grouped(points: float, *, signed: bool = False, places: int | None = None) -> str:
    """The number with its thousands apart, a true minus sign and the decimal sign of the language.

    >>> grouped(-12000).isascii(), grouped(500, signed=True), grouped(2, places=2)
    (False, '+500', '2.00')
    >>> speak(lambda: "pl")
    >>> grouped(2.5)
    '2,5'
    >>> speak(lambda: "en")
    """
    text = f"{points:{'+' if signed else ''},{'' if places is None else f'.{places}f'}}"
    signs = str.maketrans(",-.", "\N{NARROW NO-BREAK SPACE}\N{MINUS SIGN}" + _find(language(), "number.point", None))
    return text.translate(signs)


def percent(part: float, *, places: int = 0) -> str:
    r"""A part of a whole as a percentage.

    >>> speak(lambda: "ru")
    >>> percent(0.875, places=1), percent(1)
    ('87,5\xa0%', '100\xa0%')
    >>> speak(lambda: "en")
    """
    return words("number.percent", number=grouped(100 * part, places=places))


def native_name(key: str) -> tuple[str, str]:
    """The name of a score line in the language its rules come from, and that language's code.

    Both are empty if there is no such name, or if the reader sees it anyway.
    """
    name = key.partition(".")[0]
    native = (ruleset(name).traits.language or "") if name in RULESETS else ""
    spoken = native.partition("-")[0]
    text = _line_names(name, spoken).get(key, "")
    return ("", "") if spoken == language() or text == words(key) else (text, native)


def total_unit(score: Score) -> str:
    """What the total of a score counts: points, or faan or tai."""
    return unit_of(score.unit, score.total)


def unit_of(unit: str, total: float, *, up_to: bool = False) -> str:
    """What a total counts in a game whose hands have that unit; the total of han and fu is in points.

    Behind "up to" the word may have another case.

    >>> speak(lambda: "ru")
    >>> unit_of("han", 163), unit_of("points", 163, up_to=True), unit_of("faan", 3)
    ('очка', 'очков', 'фана')
    >>> speak(lambda: "en")
    """
    counted = "points" if unit == "han" else unit
    return words(f"unit.{counted}.up_to" if up_to else f"unit.{counted}", n=total)


def amount(number: int, unit: str) -> str:
    """That many han, fu, faan, tai or points.

    >>> speak(lambda: "ru")
    >>> amount(3, "han"), amount(20, "fu")
    ('3 хана', '20 фу')
    >>> speak(lambda: "en")
    """
    return with_unit(str(number), words(f"unit.{unit}", n=number))


def rule_text(key: str) -> str:
    """The sentence that explains a line; empty if there is none."""
    return _find(language(), key + _TEXT, None) or ""


@contextmanager
def telling(show: Callable[[str], None]) -> Iterator[None]:
    """Show what is wrong with an input, in place of the InputError of this block."""
    try:
        yield
    except InputError as error:
        show(explained(error))


def explained(error: Exception) -> str:
    """The error in the language of the reader; its English message if there is no translation.

    >>> speak(lambda: "pl")
    >>> explained(InputError("empty_file", "'x.jpg' is empty.", name="x.jpg")), explained(InputError("?", "No."))
    ('Plik „x.jpg” jest pusty: wybierz zdjęcie jeszcze raz.', 'No.')
    >>> speak(lambda: "en", to_guest=lambda: True)
    >>> explained(InputError("?", "The games cannot be kept in /home/Ann B/games.sqlite3: see that and/or '/x/y'."))
    "The games cannot be kept in games.sqlite3: see that and/or 'y'."
    >>> speak(lambda: "en")
    """
    told = _told(error)
    return _FOLDERS.sub("", told) if _SPEECH.to_guest() else told


def _told(error: Exception) -> str:
    if not isinstance(error, InputError):
        return str(error)
    named = {value for value in error.params.values() if isinstance(value, str) and _runs_left(value)}
    plainly = reduce(lambda text, value: text.replace(value, apart(value)), named, str(error))
    speech = language()
    if speech == ENGLISH:
        return plainly
    codes = (f"error.{error.code}", f"score.{error.code}")  # the second one if a hand does not win
    text = next(filter(None, (_find(speech, code, None) for code in codes)), "")
    told = {name: _told(value) if isinstance(value, InputError) else value for name, value in error.params.items()}
    try:
        return text.format(**{name: apart(v) if isinstance(v, str) else v for name, v in told.items()}) or plainly
    except KeyError:  # the translation quotes a value that this error lacks
        return plainly


def _find(speech: str, key: str, number: int | None) -> str:
    """The words in that language, else in English; empty if there are none."""
    for code in dict.fromkeys((speech, ENGLISH)):
        for domain in (WORDS, RULES):
            catalogue = _catalogue(code, domain)
            text = key if number is None else catalogue.ngettext(key, key, number)
            text = catalogue.gettext(key) if text == key else text
            if text != key:
                return text
        name = key.partition(".")[0]
        text = _line_names(name, code).get(key, "") or (_texts(name).get(key, "") if code == ENGLISH else "")
        if text:
            return text
    return ""


@cache
def _catalogue(language: str, domain: str) -> NullTranslations:
    path = place(language, domain)
    if not path.is_file():
        return NullTranslations()
    with path.open("rb") as file:
        return GNUTranslations(file)


@cache
def _line_names(name: str, language: str) -> Mapping[str, str]:
    if name not in RULESETS:
        return {}
    known = {**names_of(name), **{entry.key: entry.names for entry in ruleset(name).rules()}}
    return {key: names[language] for key, names in known.items() if language in names}


@cache
def _texts(name: str) -> Mapping[str, str]:
    """English sentences of a ruleset's lines and options."""
    if name == "option":
        rules = {name: ruleset(name) for name in RULESETS}
        return {f"option.{name}.{entry.name}": entry.text for name in rules for entry in rules[name].options()}
    if name not in RULESETS:
        return {}
    return {entry.key + _TEXT: sentence_of(entry.text) for entry in ruleset(name).rules() if entry.text}


def _readable(key: str) -> str:
    return sentence(key.rpartition(".")[2].replace("_", " "))
