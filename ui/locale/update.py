"""Brings the catalogues into line with English and compiles them: `python -m tilescore.ui.locale.update` (needs Babel).

Every other language gets the keys of English in its order, each with the English words as a comment: where those
change, the translation is marked fuzzy, and a test fails until a person has checked it.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from io import BytesIO
from itertools import product
from pathlib import Path

from babel.messages import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from tilescore.scoring.names import names_of
from tilescore.scoring.ruleset import RULESETS, ruleset
from tilescore.ui.locale import ENGLISH, LANGUAGES, RULES, WORDS, place, sentence_of

_NOT_DATED = datetime(2026, 11, 21, tzinfo=UTC)
"""The date in every catalogue: equal words give equal bytes."""
_WIDTH = 120


def read(path: Path, language: str) -> Catalog:
    """The catalogue in that file; an empty one if there is none."""
    if not path.is_file():
        return Catalog(
            language, header_comment="", project="Tilescore", version="1", msgid_bugs_address="-", last_translator="-",
            language_team="-", creation_date=_NOT_DATED, revision_date=_NOT_DATED, fuzzy=False,
        )  # fmt: skip
    with path.open("rb") as file:
        return read_po(file, language)


def compiled(catalog: Catalog) -> bytes:
    """The catalogue as the program reads it."""
    file = BytesIO()
    write_mo(file, catalog)
    return file.getvalue()


def written(catalog: Catalog) -> bytes:
    """The catalogue as people edit it."""
    file = BytesIO()
    write_po(file, catalog, width=_WIDTH, ignore_obsolete=True)
    return file.getvalue()


def english_words() -> Mapping[str, Message]:
    """Key to English message, in the order of the file."""
    catalog = read(place(ENGLISH, WORDS, "po"), ENGLISH)
    return {key_of(message): message for message in catalog if message.id}


def english_rules(language: str) -> Mapping[str, str]:
    """The English words of the score lines by key: sentences, and the names that `scoring` lacks in that language.

    Names in another script, such as the Chinese ones of Hong Kong, are names that it lacks.
    """
    english: dict[str, str] = {}
    for name in RULESETS:
        rules = ruleset(name)
        foreign = (rules.traits.language or "").startswith(f"{language}-")
        english |= {key: names[ENGLISH] for key, names in names_of(name).items() if foreign or language not in names}
        english |= {f"{entry.key}.text": sentence_of(entry.text) for entry in rules.rules() if entry.text}
        english |= {f"option.{name}.{option.name}": option.text for option in rules.options()}
    return english


def key_of(message: Message) -> str:
    """The msgid; for a message with plural forms the first of the two, which are equal."""
    return message.id if isinstance(message.id, str) else message.id[0]


def forms(message: Message) -> tuple[str, ...]:
    """The words, in each plural form if it has several."""
    string = message.string or ""
    return (string,) if isinstance(string, str) else tuple(string)


def updated(language: str, domain: str) -> Catalog:
    """The catalogue of that language with exactly the keys of English."""
    before = {key_of(message): message for message in read(place(language, domain, "po"), language) if message.id}
    catalog = read(place(language, "new", "po"), language)
    if domain == WORDS:
        # a file does not keep the spaces at the end of a comment
        sources = {key: (message.id, " | ".join(forms(message)).strip()) for key, message in english_words().items()}
    else:
        sources = {key: (key, text) for key, text in english_rules(language).items()}
    for key, (msgid, comment) in sources.items():
        earlier = before.get(key)
        fits = earlier is not None and isinstance(earlier.id, str) == isinstance(msgid, str)
        string = earlier.string if earlier is not None and fits else None
        moved = earlier is not None and (" ".join(earlier.auto_comments) or comment) != comment
        flags = {"fuzzy"} if string and (moved or (earlier is not None and earlier.fuzzy)) else set()
        if string is None and not isinstance(msgid, str):
            string = ("",) * catalog.num_plurals
        catalog.add(msgid, string or "", auto_comments=[comment], flags=flags)
    return catalog


def main() -> None:
    """Write every catalogue and print what is left to translate."""
    for language, domain in product(LANGUAGES, (WORDS, RULES)):
        if (language, domain) == (ENGLISH, RULES):  # these stand in `scoring`
            continue
        path = place(language, domain, "po")
        catalog = read(path, language) if language == ENGLISH else updated(language, domain)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(written(catalog))
        place(language, domain).write_bytes(compiled(catalog))
        empty = sum(not all(forms(message)) for message in catalog if message.id)
        fuzzy = sum(message.fuzzy for message in catalog if message.id)
        print(f"{language} {domain}: {len(catalog)} keys, {empty} empty, {fuzzy} to look at again")  # noqa: T201


if __name__ == "__main__":
    main()
