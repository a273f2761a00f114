"""What people paste from other programs: tiles in other notations become MPSZ, and other words are answered.

Only what has one meaning is read. Where reading would be a guess, the answer names the right form.

>>> mpsz("１２３Ｍ, 🀙🀙🀙 東東 5pr r5s ESWN 三萬")
'123m 1p 1p 1p 1z 1z 0p 0s 1z 2z 3z 4z 3m'
>>> meant("pon", ("chow", "pung", "kong")), meant("punk", ("chow", "pung", "kong")), meant("x", ("chow",))
('; write pung', '; write pung', '')
"""

import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Final
from unicodedata import normalize

_GLYPHS: Final = "1234z 765z 123456789m 123456789s 123456789p 1243f 1234q"
"""The Unicode block of mahjong tiles from U+1F000 on, before the joker and the back."""
_BACK_GLYPH: Final = 0x1F02B
_SUITS: Final = {"m": "万萬", "p": "筒饼餅", "s": "索条條"}
_TILES: Final = {
    "1z": "东東", "2z": "南", "3z": "西", "4z": "北", "5z": "白", "6z": "发發発",
    "7z": "中", "1f": "梅", "2f": "兰蘭", "3f": "菊", "4f": "竹", "1q": "春", "2q": "夏", "3q": "秋", "4q": "冬",
}  # fmt: skip
"""Tiles by their Chinese characters."""
_LETTERS: Final = dict(zip("ESWNPFC", (f"{rank}z" for rank in range(1, 8)), strict=True))
"""Winds, and the dragons by their Chinese names (Pai, Fa, Chung); after a digit a letter is a suit."""
_WORDS: Final = {
    "east": "1z", "south": "2z", "west": "3z", "north": "4z", "white": "5z", "green": "6z", "red": "7z",
    "haku": "5z", "hatsu": "6z", "chun": "7z",
}  # fmt: skip


def _apart(tile: str) -> str:
    """A whole tile: digits before it are not of its suit."""
    return f" {tile} "


def _together(run: re.Match[str]) -> str:
    """The digits of one suit without the spaces between them; digits without a suit as they are."""
    return re.sub(r"(?<=\d)\s+(?=\d)", "", run[0]) if run[0][-1].isalpha() else run[0]


def _written() -> dict[int, str]:
    """What the characters of digits and suits become; variation selectors vanish, and separators become spaces."""
    table = {ord(character): suit for suit, characters in _SUITS.items() for character in characters}
    table |= {ord(character): str(rank) for rank, character in enumerate("一二三四五六七八九", start=1)}
    table |= dict.fromkeys(map(ord, "\ufe0e\ufe0f\ufeff"), "") | {ord("赤"): "r", ord("伍"): "5"}
    return table | dict.fromkeys(map(ord, ",;|/、。・"), " ")


def _whole() -> dict[int, str]:
    """The tiles that one character names."""
    glyphs = [f"{rank}{run[-1]}" for run in _GLYPHS.split() for rank in run[:-1]]
    table = {0x1F000 + place: _apart(tile) for place, tile in enumerate(glyphs)} | {_BACK_GLYPH: _apart("back")}
    return table | {ord(sign): _apart(tile) for tile, signs in _TILES.items() for sign in signs}


_SECOND: Final = re.compile(r"(?<=[东東南西北])[风風]|[红紅](?=中)|青(?=[发發発])|(?<=[发發発])[财財]|(?<=白)板")
"""The second character of a tile that one character names already."""
_APART: Final = re.compile(r"(?<!\d)\d+\s[\d\s]*[mpszfqMPSZFQ]?")
"""Digits with spaces, and their suit if they have one: a run is searched once, and not from each of its spaces."""
_OF_TWO: Final = re.compile(r"\b(east|south|west|north|white|green|red) +(wind|dragon)\b", re.IGNORECASE)
"""A tile whose name has two words."""
_WRITTEN: Final = _written()
_WHOLE: Final = _whole()
_STEPS: Final = (
    (_APART, _together),
    (re.compile(r"\bred[_-]?(?=5[mps])", re.IGNORECASE), lambda _: "r"),
    (re.compile(rf"\b({'|'.join(_WORDS)})(?:[ _-]?(?:wind|dragon))?\b(?!(?<=red) +5[mps])", re.IGNORECASE),
     lambda found: _apart(_WORDS[found[1].lower()])),
    (re.compile(r"(?<=\d)[MPSZFQ]"), lambda found: found[0].lower()),
    (re.compile(r"(?<!\d)[ESWNPFC]"), lambda found: _apart(_LETTERS[found[0]])),
    (re.compile(r"(?<!5[mps])r5(?=\d*[mps])|5r(?=\d*[mps])"), lambda _: "0"),
    (re.compile(r"5([mps])r(?!5)"), lambda found: f"0{found[1]}"),
)  # fmt: skip
"""What is read one after the other: digits apart, words, capitals, letters of honours, red fives."""
_FIVE: Final = re.compile(r"r5|5r|red +5", re.IGNORECASE)
_NO_HONOUR: Final = re.compile(r"[890]z", re.IGNORECASE)


RED_OR_FIVE: Final = re.compile(r"\bred +5[mps]", re.IGNORECASE)
"""A red five, or a red dragon beside a five: nobody knows."""


def tidy(text: str) -> str:
    """The text with ordinary digits, letters and brackets, and with spaces between its parts, not between digits.

    >>> tidy("１，２，３ｍ，（７８９ｓ）")
    '123m (789s)'
    """
    wide = text if text.isascii() else normalize("NFKC", text)
    wide = _OF_TWO.sub(r"\1_\2", wide)
    return _APART.sub(_together, re.sub(r"[,;、]\s*", " ", wide))


def mpsz(text: str) -> str:
    """The text in MPSZ as far as it can be read; what has no meaning stays as it is."""
    read = _SECOND.sub("", normalize("NFKC", text)).translate(_WRITTEN)
    for pattern, put in _STEPS:
        read = pattern.sub(put, read)
    return " ".join(read.translate(_WHOLE).split())


def advice(text: str) -> str:
    """What to write in place of a text that is nearly a tile; empty if nobody knows.

    >>> advice("0z"), advice("r5")
    (' winds are 1z to 4z, dragons 5z to 7z.', ' a red five is 0m, 0p or 0s.')
    """
    if _NO_HONOUR.search(text):
        return " winds are 1z to 4z, dragons 5z to 7z."
    return " a red five is 0m, 0p or 0s." if _FIVE.search(text) else ""


_OTHER_NAMES: Final = {
    "self_draw": "tsumo zimo selfdraw selfdrawn drawn 自摸 ツモ",
    "discard": "ron 点和 點和 ロン 榮和 荣和",
    "chow": "chi chii chi! sequence run 吃 チー",
    "pung": "pon pong peng triplet 碰 ポン",
    "kong": "kan gang quad ankan minkan 杠 槓 カン",
    "left": "kamicha previous 上家", "across": "toimen opposite 对家 對家", "right": "shimocha next 下家",
    "E": "east ton 1z 东 東", "S": "south nan 2z 南", "W": "west shaa xia 3z 西", "N": "north pei pe 4z 北",
    "false_mahjong": "chombo チョンボ", "exhausted": "ryuukyoku draw 流局",
    "last_tile": "haitei houtei", "kong_replacement": "rinshan", "robbing_kong": "chankan",
    "first_turn": "tenhou chiihou renhou", "double_riichi": "daburi doubleriichi", "ippatsu": "一发 一発",
}  # fmt: skip
"""The names that other programs give to what this one calls by its keys."""
_KEY_OF: Final = {name: key for key, names in _OTHER_NAMES.items() for name in names.split()}


def meant(given: object, known: Iterable[str], also: Mapping[str, str] = _KEY_OF) -> str:
    """The end of a message about an unknown name: the known one that it means or resembles; else empty.

    `also` maps what else people write to the known names.
    """
    if not given:
        return ""
    names = {name.lower().replace("_", ""): name for name in known}
    plain = re.sub(r"[\s_-]", "", str(given)).lower()
    begun = sorted((name for name in names if len(name) > 3 and plain.startswith(name)), key=len, reverse=True)
    like = [*begun, *get_close_matches(plain, names, n=1, cutoff=0.75)]
    key = also.get(plain) or names.get(plain) or next(iter(like), "")
    name = names.get(key.lower().replace("_", ""), "")
    return f"; write {name}" if name else ""
