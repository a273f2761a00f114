"""Riichi hands in one line for tests: a hand and its circumstances as words.

Words: `ron` or `tsumo`; two letters for seat and round (`SE`); occasions by their names; `dora=`, `ura=`, `honba=`,
`sticks=`, `by=` (discarder), `dealer=`. Without words: South in the East round, won on West's discard.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilescore.scoring.context import OCCASION_NAMES, Context, Occasion, Seat, WinBy
from tilescore.scoring.han.riichi import Riichi
from tilescore.scoring.hand import Hand
from tilescore.scoring.tiles import parse_tiles

if TYPE_CHECKING:
    from tilescore.scoring.score import NotAWin, Score


def circumstances(words: str) -> Context:
    """The context that these words describe."""
    flags: list[str] = []
    values = {"dora": "", "ura": "", "honba": "0", "sticks": "0", "by": "", "dealer": "E"}
    seat, round_, win_by = Seat.SOUTH, Seat.EAST, WinBy.DISCARD
    for word in words.split():
        if word in OCCASION_NAMES:
            flags.append(word)
        elif "=" in word:
            name, value = word.split("=")
            values[name] = value
        elif word in ("ron", "tsumo"):
            win_by = WinBy.SELF_DRAW if word == "tsumo" else WinBy.DISCARD
        else:
            seat, round_ = Seat(word[0]), Seat(word[1])
    by = Seat(values["by"]) if values["by"] else Seat.NORTH if seat is Seat.WEST else Seat.WEST
    return Context(
        win_by=win_by,
        discarder=by if win_by is WinBy.DISCARD else None,
        seat=seat,
        round=round_,
        occasions=Occasion.of(flags),
        dora_indicators=parse_tiles(values["dora"]),
        ura_dora_indicators=parse_tiles(values["ura"]),
        honba=int(values["honba"]),
        riichi_deposits=int(values["sticks"]),
        dealer=Seat(values["dealer"]),
    )


def scored(hand: str, words: str = "", rules: Riichi | None = None) -> Score | NotAWin:
    """The score of this hand."""
    return (rules or Riichi()).score(Hand.parse(hand), circumstances(words))


def yaku(result: Score | NotAWin) -> str:
    """The lines of a result as `key` (`key*3` for more than one han), in order."""
    found = [(line.key.removeprefix("riichi."), line.value) for line in result.lines]
    return " ".join(key if han == 1 else f"{key}*{han}" for key, han in found)


def lost(result: Score | NotAWin) -> set[str]:
    """The exclusions of a result, as `key:because`."""
    short = [(entry.key, entry.because.replace("because.", "")) for entry in result.excluded]
    return {f"{key.removeprefix('riichi.')}:{because.removeprefix('riichi.')}" for key, because in short}
