"""The words and letters of which class names consist, and what each can mean.

`words.csv` lists words, `letters.csv` lists initials: those of a name with a number (`b1`), and those that stand alone
(`we`). A word with several meanings has several rows.

>>> sorted(str(atom.value) for atom, _ in meanings("chun"))
['1', '7']
"""

import csv
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

Kind = Literal["suit", "rank", "honour", "flower", "season", "group", "red", "back", "none", "filler", "number"]


@dataclass(frozen=True, slots=True)
class Atom:
    """One meaning of a word."""

    kind: Kind  # what sort of word it is; a `number` is a number that is no rank
    value: str = ""  # suit letter, rank, number of the honour (1-7), flower or season, or name of the group
    language: str = ""  # language of a suit's name, or nothing
    surprise: float = 0.0  # how unlikely (nats) the word is in a list that does not name mahjong tiles
    is_initial: bool = False  # whether it is an initial instead of a word


Meanings = tuple[tuple[Atom, float], ...]
"""The possible meanings of a word, each with its cost (nats) before the list is known."""
_LETTER_SURPRISE = 1.0
_WITHOUT_MARKS = str.maketrans({"đ": "d", "Đ": "D", "ł": "l", "Ł": "L", "ß": "ss", "ø": "o", "Ø": "O"})
"""Letters whose marks Unicode does not take apart."""


def meanings(word: str) -> Meanings:
    """The meanings of a word in lower case; empty for an unknown word.

    Accents count where they tell words apart: Vietnamese `văn` is dots, and `van` characters.
    """
    words = _words()
    return words.get(word) or words.get(bare(word), ())


def bare(word: str) -> str:
    """The word without accents.

    >>> bare("Süd"), bare("weiß"), bare("đỏ")
    ('Sud', 'weiss', 'do')
    """
    decomposed = unicodedata.normalize("NFD", word.translate(_WITHOUT_MARKS))
    return unicodedata.normalize("NFC", "".join(c for c in decomposed if not ("\u0300" <= c <= "\u036f")))


def initials(letters: str, *, ranked: bool) -> Meanings:
    """The meanings of initials, in a name with a number or in one without."""
    return _letters().get((letters, ranked), ())


@cache
def _words() -> Mapping[str, Meanings]:
    atoms_of: dict[str, list[tuple[Atom, float]]] = {}
    for row in _rows("words.csv"):
        atom = Atom(row["kind"], row["value"], row["language"], float(row["surprise"]))  # type: ignore[arg-type]
        for word in row["words"].split():
            atoms_of.setdefault(word, []).append((atom, 0.0))
    for word in [word for word in atoms_of if bare(word) not in atoms_of]:
        atoms_of[bare(word)] = atoms_of[word]
    return {word: tuple(atoms) for word, atoms in atoms_of.items()}


@cache
def cantonese() -> frozenset[str]:
    """The syllables of Cantonese in lower case, and what stands beside them."""
    spoken = {word for row in _rows("words.csv") if row["language"] == "yue" for word in row["words"].split()}
    return frozenset(spoken | {"hung", "coi", "baan", "fung"})


@cache
def _letters() -> Mapping[tuple[str, bool], Meanings]:
    atoms_of: dict[tuple[str, bool], list[tuple[Atom, float]]] = {}
    for row in _rows("letters.csv"):
        atom = Atom(row["kind"], row["value"], row["language"], _LETTER_SURPRISE, is_initial=True)  # type: ignore[arg-type]
        key = (row["letters"], row["ranked"] == "1")
        atoms_of.setdefault(key, []).append((atom, float(row["cost"])))
    return {key: tuple(atoms) for key, atoms in atoms_of.items()}


def _rows(name: str) -> list[dict[str, str]]:
    with Path(__file__).with_name(name).open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))
