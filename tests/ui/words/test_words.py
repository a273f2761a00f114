"""Catalogues: every key has words in every language, with the same placeholders and all plural forms, compiled."""

from __future__ import annotations

import ast
import re
import tomllib
from gettext import GNUTranslations
from io import BytesIO
from pathlib import Path
from string import Formatter
from typing import TYPE_CHECKING

import pytest
from babel.messages import Message
from babel.messages.plurals import get_plural

from tilescore.errors import InputError
from tilescore.scoring.context import OCCASION_NAMES, SEATS, Context
from tilescore.scoring.hand import Hand
from tilescore.scoring.names import names_of
from tilescore.scoring.riichi3.table import rows
from tilescore.scoring.ruleset import RULESETS, ruleset
from tilescore.scoring.tiles import ALL_FACES, Tile
from tilescore.ui.locale import ENGLISH, LANGUAGES, RULES, WORDS, closest, place
from tilescore.ui.locale.update import compiled, english_rules, english_words, forms, key_of, read, updated, written
from tilescore.ui.storage.database import MESSAGES, StoreError
from tilescore.ui.words import text
from tilescore.ui.words.game import joined
from tilescore.ui.words.text import explained, native_name, plain, speak, tile_name, words, words_in
from tilescore.vision.layout.layout import Role

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[3]
SOURCES = [ROOT / "app.py", *sorted((ROOT / "ui").rglob("*.py"))]
CATALOGUES = [(language, WORDS) for language in LANGUAGES] + [(code, RULES) for code in LANGUAGES if code != ENGLISH]
NAMED_BY_VALUES = {
    # a key that the program puts together, and the values it may have
    "occasion": OCCASION_NAMES,
    "seat": SEATS,
    "wind": SEATS,
    "won": SEATS,
    "role": Role,
    "ruleset": RULESETS,
    "sample": [path.stem for path in (ROOT / "datasets" / "sample").glob("*.jpg")],
}


@pytest.fixture(autouse=True)
def english_afterwards() -> object:
    yield
    speak(lambda: ENGLISH)


def messages(language: str, domain: str) -> dict[str, Message]:
    return {key_of(message): message for message in read(place(language, domain, "po"), language) if message.id}


def placeholders(form: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(form) if name is not None}


@pytest.mark.parametrize(("language", "domain"), CATALOGUES)
def test_every_key_has_words(language: str, domain: str) -> None:
    """Fuzzy ones too are to be looked at: their English words changed."""
    found = messages(language, domain)
    assert not [key for key, message in found.items() if not all(forms(message)) or message.fuzzy]


@pytest.mark.parametrize("language", LANGUAGES)
def test_plural_forms_are_those_of_the_language(language: str) -> None:
    number = get_plural(language).num_plurals
    plurals = [message for message in messages(language, WORDS).values() if not isinstance(message.id, str)]
    assert len(plurals) >= 10
    assert {len(forms(message)) for message in plurals} == {number}


@pytest.mark.parametrize("language", [code for code in LANGUAGES if code != ENGLISH])
def test_placeholders_are_those_of_english(language: str) -> None:
    found = messages(language, WORDS)
    for key, message in english_words().items():
        wanted = placeholders(forms(message)[0])
        assert all(placeholders(form) == wanted for form in (*forms(message), *forms(found[key]))), key


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("domain", [WORDS, RULES])
def test_keys_are_those_of_english_in_its_order(language: str, domain: str) -> None:
    if language == ENGLISH:
        assert not place(ENGLISH, RULES, "po").exists(), "its words stand in scoring"
        return
    fresh = written(updated(language, domain))
    assert place(language, domain, "po").read_bytes() == fresh, "run python -m tilescore.ui.locale.update"


@pytest.mark.parametrize(("language", "domain"), CATALOGUES)
def test_compiled_catalogues_are_not_stale(language: str, domain: str) -> None:
    def entries(data: bytes) -> dict[object, str]:
        found: dict[object, str] = dict(GNUTranslations(BytesIO(data))._catalog)  # type: ignore[attr-defined]
        found.pop("")  # the header names the version of Babel
        return found

    shipped = entries(place(language, domain).read_bytes())
    assert shipped == entries(compiled(read(place(language, domain, "po"), language)))
    assert len(shipped) > 200


OTHER_TERMS = {
    # words for what has another word everywhere else in that language
    "ru": "дилер|[Уу]казател|[Кк]райн|запрос|самовзят|[Тт]аняо|[Пп]ароль[ :]|Нагаси манган|устройств|а-джонг|'[{\\d]",
    "pl": "[Pp]atycz|[Oo]dnośnik|zameldowan|krop[ek]|sekwencj|terminali|[Uu]kład(zie)? |[Zz]akryt.* (ręk|kong|pung)"
    "|[Nn]agashi mangan|za konga|kolejce|północe|urządzeni|[Ff]aul|'[{\\d]",
    "sw": "[Pp]ointi|[Ss]heria|[Mm]gawo|[Aa]wamu|[Vv]iashiria|nukta|uliofungwa|[Kk]ungoja|kundi|[Mm]ashine|[Mm]vuto|"
    "jichotea|jitwalia|tupo$|cha badala|[Ww]ek(a|ewa) alama|Fani|zungushwa|nambari|[Mm]ahjong ya uongo|[Zz]a ncha tupu",
    "zh": "您|自家规则|游戏|「|」|出铳|点炮|请指明|规则文件|检查图片|收入|桌面模式",
    "ja": "ハウスルール|ゲーム|機械|コンピューター|パソコン|么九|控え|[他か]のプレイヤー|遊び方|触れ|どうぞ|不思議",
}
_HAN = "[\u3040-\u30ff\u3400-\u9fff]"
OTHER_SIGNS = {
    # signs and spaces that everything else in that language is written without
    "zh": rf"'|……|{_HAN}: |{_HAN} (\d(?!\d*[mpszfq-])|{{n}})|(\d|{{n}}) {_HAN}|{_HAN}[A-Za-z]|[A-Za-z]{_HAN}",
    "ja": rf"'|～|{_HAN}: |{_HAN} [A-Za-z\d`]|[A-Za-z\d`] {_HAN}",
}


@pytest.mark.parametrize("language", OTHER_TERMS)
@pytest.mark.parametrize("domain", [WORDS, RULES])
def test_a_language_has_one_term_for_a_thing(language: str, domain: str) -> None:
    found = {form: key for key, message in messages(language, domain).items() for form in forms(message)}
    assert not {key: form for form, key in found.items() if re.search(OTHER_TERMS[language], form)}


@pytest.mark.parametrize("language", OTHER_SIGNS)
@pytest.mark.parametrize("domain", [WORDS, RULES])
def test_a_language_has_one_way_of_writing(language: str, domain: str) -> None:
    found = {form: key for key, message in messages(language, domain).items() for form in forms(message)}
    assert not {key: form for form, key in found.items() if re.search(OTHER_SIGNS[language], form)}


def literals() -> tuple[set[str], list[str]]:
    """Texts in the source of the program, and patterns of those that it puts together."""
    constants: set[str] = set()
    patterns: list[str] = []
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                constants.add(node.value)
            elif isinstance(node, ast.JoinedStr):
                parts = [re.escape(str(p.value)) if isinstance(p, ast.Constant) else ".+" for p in node.values]
                patterns += ["".join(parts)] if re.fullmatch(r"[\w.\\+]+", "".join(parts)) and r"\." in parts[0] else []
                patterns += ["".join(parts)] if parts[0] == ".+" and len(parts) == 2 and parts[1][:2] == r"\." else []
    return constants, patterns


def test_no_key_is_unused() -> None:
    constants, patterns = literals()
    known = [re.compile(pattern) for pattern in patterns]
    unused = [key for key in english_words() if key not in constants and not any(p.fullmatch(key) for p in known)]
    tiles = {f"tile.{tile.suit}" for tile in ALL_FACES if not tile.is_back}
    assert not set(unused) - tiles


def test_no_key_is_missing() -> None:
    """Keys that `words` is called with; those that are put together must fit at least one."""
    known, asked = {*english_words(), *english_rules("sw")}, 0
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or getattr(node.func, "id", "") != "words" or not node.args:
                continue
            first = node.args[0]
            choices = [first.body, first.orelse] if isinstance(first, ast.IfExp) else [first]
            for choice in choices:
                if isinstance(choice, ast.Constant):
                    asked += 1
                    assert choice.value in known, f"{path.name}: {choice.value!r}"
                elif isinstance(choice, ast.JoinedStr):
                    parts = [re.escape(str(p.value)) if isinstance(p, ast.Constant) else ".+" for p in choice.values]
                    assert any(re.fullmatch("".join(parts), key) for key in known), f"{path.name}: {parts}"
    assert asked > 120


@pytest.mark.parametrize("language", LANGUAGES)
def test_values_that_make_keys_have_words(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text, "_readable", lambda key: pytest.fail(f"no words for {key}"))
    speak(lambda: language)
    for group, values in NAMED_BY_VALUES.items():
        assert all(words(f"{group}.{value}") for value in values)
    for name in RULESETS:
        assert all(words(key) for key in names_of(name))
        assert all(text.rule_text(entry.key) for entry in ruleset(name).rules() if entry.text)
        traits = ruleset(name).traits
        assert all(text.unit_of(traits.unit, 2, up_to=up_to) for up_to in (False, True))
        assert all(words(f"draw.{kind}") for kind in traits.draws)
        assert all(words(f"foul.{foul.kind}") for foul in traits.fouls)
        assert all(words(f"preset.{name}.{preset.name}") for preset in traits.presets)


@pytest.mark.parametrize("language", LANGUAGES)
def test_tiles_have_names_of_their_own(language: str) -> None:
    speak(lambda: language)
    names = {tile_name(tile) for tile in ALL_FACES}
    assert len(names) == len(ALL_FACES)
    assert not [name for name in names if "tile" in name.split(".")]


COUNTS = [
    # language, and how it says 1, 2, 5, 21, 22 and 1200 deals
    ("en", ["1 deal", "2 deals", "5 deals", "21 deals", "22 deals", "1\u202f200 deals"]),
    ("ru", ["1 раздача", "2 раздачи", "5 раздач", "21 раздача", "22 раздачи", "1\u202f200 раздач"]),
    ("pl", ["1 rozdanie", "2 rozdania", "5 rozdań", "21 rozdań", "22 rozdania", "1\u202f200 rozdań"]),
    ("sw", ["mgao 1", "migao 2", "migao 5", "migao 21", "migao 22", "migao 1\u202f200"]),
    ("zh", ["已打1局", "已打2局", "已打5局", "已打21局", "已打22局", "已打1\u202f200局"]),
    ("ja", ["1局消化", "2局消化", "5局消化", "21局消化", "22局消化", "1\u202f200局消化"]),
]


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        pytest.param(
            lambda: words("game.book", name="Ann"), "Book for Ann", id="a name from left to right needs nothing"
        ),
        pytest.param(lambda: words("game.book", name="שרה"), "Book for <שרה>", id="a sentence"),
        pytest.param(lambda: plain(words("game.book", name="שרה")), "Book for <שרה>", id="a toast, a button"),
        pytest.param(lambda: joined(("שרה", "Ben", "דנה")), "<<שרה>, Ben> and <<דנה>>", id="a list of names"),
        pytest.param(
            lambda: explained(InputError("?", "'שרה.jpg' is empty.", name="שרה.jpg")),
            "'<שרה.jpg>' is empty.",
            id="a fault",
        ),
        pytest.param(
            lambda: plain("\N{POP DIRECTIONAL ISOLATE}שרה"),
            " שרה",
            id="a typed name ends nothing that it did not begin",
        ),
    ],
)
def test_a_name_from_right_to_left_leaves_the_other_words_in_their_place(said: Callable[[], str], shown: str) -> None:
    marks = str.maketrans("<>", "\N{FIRST STRONG ISOLATE}\N{POP DIRECTIONAL ISOLATE}")
    assert said() == shown.translate(marks)


def test_every_language_counts() -> None:
    assert {language for language, _ in COUNTS} == {*LANGUAGES}


@pytest.mark.parametrize(("language", "said"), COUNTS)
def test_numbers_choose_the_form(language: str, said: list[str]) -> None:
    speak(lambda: language)
    assert [words("games.deals", n=number) for number in (1, 2, 5, 21, 22, 1200)] == said


LOSSES = [
    # what is below nothing or not whole: language, and how a seat tells -1, -2, -5, -22, 0.25, 4.5 and 20.5 points
    ("en", ["point", "points", "points", "points", "points", "points", "points"]),
    ("ru", ["очко", "очка", "очков", "очка", "очка", "очка", "очка"]),
]


@pytest.mark.parametrize(("language", "said"), LOSSES)
def test_losses_and_parts_choose_the_form(language: str, said: list[str]) -> None:
    speak(lambda: language)
    seats = [words("table.seat", name="", wind="", n=number) for number in (-1, -2, -5, -22, 0.25, 4.5, 20.5)]
    assert [seat.rpartition(" ")[2] for seat in seats] == said


def test_native_names_stand_beside_others_only() -> None:
    assert native_name("mcr.pure_straight") == ("清龙", "zh")
    speak(lambda: "zh")
    assert words("mcr.pure_straight") == "清龙"
    assert native_name("mcr.pure_straight") == ("", "")
    assert native_name("riichi.iipeikou") == ("一盃口", "ja")
    assert native_name("riichi.pinfu") == ("", ""), "written alike in both"


def test_names_in_traditional_characters_are_simplified_for_a_reader_of_chinese() -> None:
    assert native_name("hongkong.chicken") == ("雞糊", "zh-Hant")
    speak(lambda: "zh")
    assert words("hongkong.chicken") == "鸡糊"
    assert native_name("hongkong.chicken") == ("", ""), "no second name in the characters of another place"
    names = {words(key) for name in RULESETS for key in names_of(name)}
    assert not [name for name in names if name != name.encode("gb2312", "ignore").decode("gb2312")]


LOCALES = [
    # what a browser or a shell says, and the language it means
    ("ru-RU", "ru"), ("pl", "pl"), ("zh-Hant-TW", "zh"), ("ja_JP.UTF-8", "ja"), ("sw-KE", "sw"), ("EN-us", "en"),
    ("de-DE", None), ("C", None), ("", None), (None, None),
]  # fmt: skip


@pytest.mark.parametrize(("locale", "language"), LOCALES)
def test_closest(locale: str | None, language: str | None) -> None:
    assert closest(locale) == language


def test_an_installed_program_has_the_catalogues() -> None:
    """The data of packages are named in pyproject.toml: a catalogue that it forgets would be missing in a wheel."""
    setup = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
    packed = {
        path
        for pattern in setup["package-data"]["tilescore.ui.locale"]
        for path in (ROOT / "ui" / "locale").glob(pattern)
    }
    assert packed == {place(language, domain) for language, domain in CATALOGUES}


def test_errors_of_the_ledger_have_their_words_in_every_language() -> None:
    """The English sentence stands in the program too, for a log or a caller without a reader."""
    assert {f"error.{code}": text for code, text in MESSAGES.items()}.items() <= {
        key: forms(message)[0] for key, message in english_words().items()
    }.items()
    error = StoreError("games_damaged", "…", path=Path("{x}.db"))
    speak(lambda: "pl")
    assert explained(error).startswith("Plik {x}.db jest")


def test_a_later_deal_that_refuses_a_correction_is_named_in_every_language() -> None:
    error = InputError("later_deal", "…", number=3, reason=InputError("no_yaku", "the hand of W does not win: …"))
    speak(lambda: "ru")
    assert explained(error) == "Раздача 3: Нет яку"


OTHER_GAMES = [
    # a hand that the Hand page takes over when another ruleset is chosen, and the ruleset that it does not fit
    ("riichi3", "234m345678p22567s +7s"),  # 2 to 8 of characters
    ("riichi3", "(123p) 345678p22567s +7s"),  # a claimed sequence
    ("riichi3", "111345678p22567s +7s &1f"),  # a flower
    ("riichi", "111345678p22567s +7s &4z"),  # a north set aside
]


@pytest.mark.parametrize("language", [code for code in LANGUAGES if code != ENGLISH])
@pytest.mark.parametrize(("name", "notation"), OTHER_GAMES)
def test_what_does_not_fit_another_game_is_said_in_every_language(language: str, name: str, notation: str) -> None:
    with pytest.raises(InputError) as refused:
        ruleset(name).score(Hand.parse(notation), Context())
    speak(lambda: language)
    assert explained(refused.value) != str(refused.value)


def test_a_text_of_a_photo_name_is_not_a_format() -> None:
    assert words("error.games_damaged", path="{x}.db").startswith("{x}.db")
    assert tile_name(Tile.parse("5m")) == "5 of characters"


OTHER_LINES = [
    # two lines with one English name that are different things
    ("hongkong.last_tile", "mcr.last_tile"),  # the last of the wall, the last of its kind
    ("hongkong.self_draw", "riichi.fu.self_draw"),  # faan for it, fu for it
    ("taiwan.self_draw", "riichi.fu.self_draw"),
    ("taiwan.single_wait", "mcr.single_wait"),  # any wait for one kind, a wait for the pair
]


@pytest.mark.parametrize(("line", "other"), OTHER_LINES)
def test_japanese_tells_lines_of_one_english_name_apart(line: str, other: str) -> None:
    assert words_in("ja", line) != words_in("ja", other)


@pytest.mark.parametrize("language", ["pl", "ru", "sw", "ja"])
def test_the_last_tile_of_the_wall_is_not_the_last_of_its_kind(language: str) -> None:
    assert words_in(language, "hongkong.last_tile") != words_in(language, "mcr.last_tile")


@pytest.mark.parametrize("language", ["ru", "zh"])
def test_riichi_for_three_has_the_names_of_riichi(language: str) -> None:
    own = ("nuki_dora", "rinshan_kaihou", "north")  # of norths set aside, too
    for key, row in rows().items():
        if key not in own:
            assert words_in(language, f"riichi3.{row.key}") == words_in(language, f"riichi.{key}"), key


PREPOSITIONS = re.compile(r"\b(вместо|с|без|для|из|от|zamiast|z|bez|dla|od) \{(tile|old|new|others)\}", re.IGNORECASE)
"""A name of a tile behind a word that asks for another case than that of the name."""


@pytest.mark.parametrize("language", ["ru", "pl"])
def test_names_of_tiles_stand_in_their_own_case(language: str) -> None:
    for message in read(place(language, WORDS, "po"), language):
        for string in (message.string,) if isinstance(message.string, str) else message.string or ():
            assert not PREPOSITIONS.search(string), message.id
