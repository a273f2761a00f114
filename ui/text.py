"""Keys into words: the one door through which every text reaches a person; English now, gettext can stand behind it."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

from scoring.ruleset import RULESET_NAMES, ruleset
from ui.text_table import TABLE_WORDS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scoring.tiles import Tile

_SUIT_NAMES: Final = {"m": "characters", "p": "dots", "s": "bamboo"}
_HONOR_NAMES: Final = (
    *("east wind", "south wind", "west wind", "north wind"),
    *("white dragon", "green dragon", "red dragon"),
)
_BONUS_NAMES: Final = {
    "f": ("plum", "orchid", "chrysanthemum", "bamboo flower"),
    "q": ("spring", "summer", "autumn", "winter"),
}

_NATIVE: Final = {"mcr": "zh", "riichi": "ja"}

_WORDS: Final[Mapping[str, str]] = {
    "ruleset.mcr": "MCR",
    "ruleset.riichi": "Riichi",
    "ruleset.classical": "Classical",
    "ruleset.simplified": "Simplified",
    "seat.E": "East",
    "seat.S": "South",
    "seat.W": "West",
    "seat.N": "North",
    "role.concealed": "In the hand",
    "role.meld": "Meld",
    "role.winning": "Winning tile",
    "role.bonus": "Bonus",
    "role.dora_indicator": "Dora indicator",
    "role.other": "Not this hand",
    "occasion.last_tile": "Last tile of the wall",
    "occasion.kong_replacement": "After a kong",
    "occasion.robbing_kong": "Robbing a kong",
    "occasion.robbing_concealed_kong": "Robbing a concealed kong",
    "occasion.last_of_its_kind": "Last of its kind",
    "occasion.only_possible_tile": "Only possible tile",
    "occasion.first_turn": "First turn",
    "occasion.riichi": "Riichi",
    "occasion.double_riichi": "Double riichi",
    "occasion.ippatsu": "Ippatsu",
    "occasion.ready_from_start": "Ready from the start",
    "occasion.nagashi_mangan": "Nagashi mangan",
    "canvas.add": "Add tile",
    "canvas.cancel": "Cancel",
    "canvas.undo": "Undo",
    "canvas.redo": "Redo",
    "canvas.zoom_in": "Show the hand",
    "canvas.zoom_out": "Show the whole photo",
    "canvas.remove": "Remove",
    "canvas.close": "Close",
    "canvas.part": "What part this tile plays",
    "canvas.guesses": "Most likely",
    "canvas.tools": "Correct the hand",
    "canvas.hand": "The hand",
    "canvas.photo": "Photo with the tiles that were read; arrow keys move from tile to tile",
    "canvas.check_one": "Check 1 tile",
    "canvas.check_many": "Check {n} tiles",
    "canvas.how_add": "Tap the missing tile on the photo, or draw a box around it.",
    "canvas.how_win": "Tap the tile that completed the hand.",
    "canvas.how_choose": "Which tile is it?",
    "canvas.count": "Add tiles ({n} so far)",
    "canvas.hidden_kong": "Concealed kong",
    "canvas.open_kong": "Open kong",
    "app.tagline": "Photograph a finished hand, see its score explained.",
    "app.private": "Nothing leaves this machine.",
    "source": "Where the hand comes from",
    "source.upload": "Photo",
    "source.camera": "Camera",
    "source.sample": "Sample",
    "source.typed": "Tiles",
    "source.file": "Photo of the hand: JPEG, PNG, WebP or HEIC",
    "source.shot": "Take a photo of the hand",
    "source.samples": "Sample photos",
    "source.no_samples": "There are no sample photos here: choose a photo of your own.",
    "source.reading": "Reading the tiles…",
    "sample.winning_hand": "Open hand",
    "sample.riichi_closed": "Closed riichi",
    "sample.discard_pond": "Hand and discards",
    "sample.flowers_kong": "Kong and flowers",
    "notation": "The hand as text",
    "notation.help": "Suits m p s, honours z, flowers f, seasons q. (789s) is a meld, [5555z] a concealed kong, "
    "+3m the winning tile, &1f a bonus tile.",
    "ruleset": "Ruleset",
    "won": "Won by",
    "won.self_draw": "Self-draw",
    "won.S": "South",
    "won.E": "East",
    "won.W": "West",
    "won.N": "North",
    "won.no_win": "No win",
    "seat": "Seat wind",
    "seat.help": "The winner's wind in this deal.",
    "round": "Round wind",
    "round.help": "The wind of the round.",
    "wind.E": "E",
    "wind.S": "S",
    "wind.W": "W",
    "wind.N": "N",
    "occasions": "What happened",
    "dora": "Dora indicators",
    "ura_dora": "Ura-dora indicators",
    "honba": "Honba",
    "honba.help": "Counters on the table: 300 points each.",
    "riichi_deposits": "Riichi sticks",
    "riichi_deposits.help": "Sticks of 1000 on the table.",
    "score.lines": "What counted",
    "score.how": "Tap a line to see its tiles.",
    "score.excluded": "Not counted, and why",
    "score.because": "because of",
    "score.not_a_win": "Not a win",
    "score.below_minimum": "Below the minimum",
    "score.no_yaku": "No yaku",
    "score.not_yet": "Not yet",
    "score.which_won": "Which tile completed the hand?",
    "score.when_known": "The score appears as soon as the winning tile is known.",
    "score.waits": "Waits for",
    "score.not_there": "{name} scoring is not there yet: choose another ruleset.",
    "score.fault": "{name} scoring failed on this hand, which is our fault: choose another ruleset, and please report "
    "the hand as text.",
    "score.not_winner": "value of a hand that did not win",
    "score.pays": "Who pays whom",
    "score.table": "Table",
    "score.warning": "{name} means nothing in this ruleset and was ignored.",
    "unit.points": "points",
    "unit.han": "han",
    "unit.fu": "fu",
}


def words(key: str, **params: object) -> str:
    """The words for a key, `{name}` filled from params; a key without any is made readable.

    >>> words("seat.E"), words("mcr.no_such_fan_yet")
    ('East', 'No such fan yet')
    """
    text = _WORDS.get(key) or TABLE_WORDS.get(key) or _line_names(key.partition(".")[0]).get(key) or _readable(key)
    return text.format(**params) if params else text


def tile_name(tile: Tile) -> str:
    """What a tile is called.

    >>> from scoring.tiles import Tile
    >>> tile_name(Tile.parse("5m")), tile_name(Tile.parse("0p")), tile_name(Tile.parse("3q"))
    ('5 of characters', 'red 5 of dots', 'autumn')
    """
    if tile.is_back:
        return "face-down tile"
    if tile.is_bonus:
        return _BONUS_NAMES[tile.suit][tile.rank - 1]
    if tile.is_honor:
        return _HONOR_NAMES[tile.rank - 1]
    return f"{'red ' if tile.is_red else ''}{tile.plain.rank} of {_SUIT_NAMES[tile.suit]}"


def plain(text: str) -> str:
    r"""Text that Markdown shows as it is: file names and typed input must not become links or pictures.

    >>> plain("![x](y)")
    '\\!\\[x\\]\\(y\\)'
    """
    return re.sub(r"([\\`*_{}\[\]()<>#+!|~$:/])", r"\\\1", text)


def sentence(text: str) -> str:
    """The text with a capital letter in front, quoted input left alone."""
    return text[:1].upper() + text[1:]


def grouped(points: int, *, signed: bool = False) -> str:
    """A number as people read it: thousands apart, a true minus sign.

    >>> grouped(-12000).isascii(), grouped(500, signed=True)
    (False, '+500')
    """
    text = f"{points:+,}" if signed else f"{points:,}"
    return text.replace(",", "\N{NARROW NO-BREAK SPACE}").replace("-", "\N{MINUS SIGN}")


def native_name(key: str) -> tuple[str, str]:
    """The name of a score line in the language its rules come from, and that language's code; empty if unknown."""
    name = key.partition(".")[0]
    language = _NATIVE.get(name, "")
    return _line_names(name, language).get(key, ""), language


@cache
def _line_names(name: str, language: str = "en") -> Mapping[str, str]:
    """Names of a ruleset's lines by key, as far as they are known."""
    if name not in RULESET_NAMES:
        return {}
    return {entry.key: entry.names[language] for entry in ruleset(name).rules() if language in entry.names}


def _readable(key: str) -> str:
    return sentence(key.rpartition(".")[2].replace("_", " "))
