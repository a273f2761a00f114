"""Splits class names into words: at separators, between letters and digits, and where words are written together.

>>> [token.text for token in tokens("Bamboo_1")], [token.text for token in tokens("RedDragon")]
(['bamboo', '1'], ['red', 'dragon'])
>>> [token.text for token in tokens("红五万")], [token.text for token in tokens("5mr")]
(['红', '五', '万'], ['5', 'm', 'r'])
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from tilescore.datasets.names.vocabulary import Atom, Meanings, bare, cantonese, initials, meanings
from tilescore.scoring.tiles import BACK, BONUS_TILES, Tile

_LETTERS: Final = r"[a-zA-Z\u00c0-\u024f\u0300-\u036f\u0400-\u052f\u1e00-\u1eff]"
_CHUNKS: Final = re.compile(rf"\d+|{_LETTERS}+|(?:(?!{_LETTERS})[^\W\d_])+")
"""Runs of digits, runs of Latin or Cyrillic letters, and runs of characters of other scripts."""
_LETTER: Final = re.compile(_LETTERS)
_TONED: Final = re.compile(r"([a-z]+)[1-6](?![0-9])")
"""A syllable of Cantonese with the number of its tone."""
_HUMPS: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
"""The words of camelCase."""
_SHORTEST_GLUED: Final = 3
"""A word of fewer letters is not looked for inside a longer run of letters, except for a rank."""
_LONGEST: Final = 100
"""A name of more letters names no tile. The search for words that are written together takes long in such a name."""
_RED_LETTERS: Final = frozenset("ra")
"""Initials of red that stand beside the initial of a suit, as in `5mr`."""
_HONOURS: Final = ("ton", "nan", "sha", "pei", "haku", "hatsu", "hongzhong")
_FLOWERS: Final = ("plum", "orchid", "chrysanthemum", "zhu", "spring", "summer", "autumn", "winter")
_SYMBOLS: Final = {
    **{Tile(suit, rank).symbol: f" {rank} {word} " for suit, word in zip("mps", ("man", "pin", "sou"), strict=True)
       for rank in range(1, 10)},
    **{Tile("z", rank).symbol: f" {word} " for rank, word in enumerate(_HONOURS, start=1)},
    **{tile.symbol: f" {word} " for tile, word in zip(BONUS_TILES, _FLOWERS, strict=True)},
    BACK.symbol: " back ",
}  # fmt: skip
"""Unicode symbols of tiles, in words."""


@dataclass(frozen=True, slots=True)
class Token:
    """A word of a name in lower case, and its meanings with their costs; an unknown word has none.

    It is `ranked` if the name has a number. The same word may mean something else in the names without one.
    """

    text: str
    meanings: Meanings
    ranked: bool = False

    @property
    def is_choice(self) -> bool:
        """Whether the list decides what the word means: it has several meanings, or is an initial beside a number."""
        return len(self.meanings) > 1 or (self.ranked and self.is_initial)

    @property
    def is_initial(self) -> bool:
        """Whether it is an initial."""
        return any(atom.is_initial for atom, _ in self.meanings)

    @property
    def variable(self) -> str:
        """The name of the choice between its meanings."""
        return f"{self.text} with a number" if self.ranked else self.text


def tokens(name: str, *, keep_case: bool = False) -> tuple[Token, ...]:
    """The words of the name of a class; with `keep_case`, initials of different case are different words."""
    if len(name) > _LONGEST:
        return (Token(name, ()),)
    plain = _without_tones(_plain(name))
    chunks = _joined(_CHUNKS.findall(plain))
    alone = len(chunks) == 1
    ranked = any(chunk.isdigit() for chunk in chunks) or any(
        atom.kind == "rank"
        for chunk in chunks
        for word in _split(chunk, ranked=False, alone=False)
        for atom, _ in word.meanings
    )
    parts = (token for chunk in chunks for token in _split(chunk, ranked=ranked, alone=alone, keep_case=keep_case))
    return tuple(replace(token, ranked=ranked) for token in parts)


def _plain(name: str) -> str:
    """The name in half-width letters; katakana becomes hiragana without the mark of length."""
    text = "".join(_SYMBOLS.get(c, c) for c in unicodedata.normalize("NFKC", name) if c != "ー")
    text = "".join(chr(ord(c) - 0x60) if "ァ" <= c <= "ヶ" else c for c in text)
    return unicodedata.normalize("NFC", text)


def _without_tones(name: str) -> str:
    """The name without the numbers of tones, if all of its syllables are Cantonese; `maan6` alone is a tile."""
    lower = name.lower()
    syllables = _TONED.findall(lower)
    if not syllables or not cantonese().issuperset(syllables):
        return name
    is_word = {atom.kind for atom, _ in meanings(syllables[0])} <= {"honour", "season", "flower"}
    more = len(re.findall(r"\d", lower)) > len(syllables) or len(syllables) > 1
    return _TONED.sub(r"\1 ", lower) if is_word or more else name


def _joined(chunks: Sequence[str]) -> list[str]:
    """The chunks, with two that make up one word together, such as `hong zhong`."""
    joined: list[str] = []
    for chunk in chunks:
        if joined and _LETTER.match(chunk) and _LETTER.match(joined[-1]) and meanings((joined[-1] + chunk).lower()):
            joined[-1] += chunk
        else:
            joined.append(chunk)
    return joined


def _split(chunk: str, *, ranked: bool, alone: bool, keep_case: bool = False) -> list[Token]:
    if chunk.isdigit():
        return [_number(chunk)]
    if not _LETTER.match(chunk):
        return list(_characters(chunk.lower()))
    if not chunk.isascii() and (atoms := meanings(chunk.lower())):
        return [Token(chunk.lower(), atoms)]
    chunk = bare(chunk)
    whole = _letters(chunk, ranked=ranked, alone=alone, keep_case=keep_case)
    if whole is not None:
        return whole
    parts = _HUMPS.findall(chunk)
    split: list[Token] = []
    for part in parts:
        split += _letters(part, ranked=ranked, alone=alone, keep_case=keep_case) or [Token(part.lower(), ())]
    return split if any(token.meanings for token in split) else [Token(chunk.lower(), ())]


def _number(chunk: str) -> Token:
    value = int(chunk) if len(chunk) < 3 else 99
    atom = Atom("rank", str(value), surprise=1.0) if value <= 9 else Atom("number", chunk)
    return Token(chunk, ((atom, 0.0),))


def _letters(chunk: str, *, ranked: bool, alone: bool, keep_case: bool) -> list[Token] | None:
    """The words in a run of Latin letters, or None if it is unknown."""
    word = chunk.lower()
    atoms = meanings(word)
    if len(word) == 1 or alone:  # two letters such as `we` and `no` are initials only if they are the whole name
        atoms += initials(word, ranked=ranked)
    if atoms:
        return [Token(chunk if keep_case and len(chunk) == 1 else word, atoms)]
    if ranked and len(word) == 2 and len(_RED_LETTERS & set(word)) == 1:
        pair = [Token(letter, initials(letter, ranked=True)) for letter in word]
        return pair if all(token.meanings for token in pair) else None
    return _glued(word, ranked=ranked)


def _glued(word: str, *, ranked: bool) -> list[Token] | None:
    """Words that are written together, such as `reddragon`, `rdragon` and `yiwan`."""
    for cut in range(1, len(word)):
        parts = [_part(part, ranked=ranked) for part in (word[:cut], word[cut:])]
        if max(cut, len(word) - cut) >= _SHORTEST_GLUED and all(parts):
            return [part for part in parts if part is not None]
    for cut in range(_SHORTEST_GLUED, len(word) - 2 * _SHORTEST_GLUED + 1):
        atoms = meanings(word[:cut])
        rest = _glued(word[cut:], ranked=ranked) if atoms else None  # first: a search for the rest takes long
        if rest is not None:
            return [Token(word[:cut], atoms), *rest]
    return None


def _part(word: str, *, ranked: bool) -> Token | None:
    """A word inside a longer run of letters."""
    atoms = meanings(word)
    if len(word) == 1:
        atoms = initials(word, ranked=ranked)
    elif len(word) < _SHORTEST_GLUED:
        atoms = tuple((atom, cost) for atom, cost in atoms if atom.kind == "rank")
    return Token(word, atoms) if atoms else None


def _characters(chunk: str) -> Iterator[Token]:
    """Chinese and Japanese words, the longest known one first; other characters are unknown words."""
    place = 0
    while place < len(chunk):
        for end in range(min(len(chunk), place + 4), place, -1):
            atoms = meanings(chunk[place:end])
            if atoms or end == place + 1:
                yield Token(chunk[place:end], atoms)
                place = end
                break
