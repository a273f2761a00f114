"""A hand, its circumstances and its ruleset as the parameters of an address, and back again.

>>> from tilescore.scoring.context import Context, WinBy
>>> shared = Shared(hand=Hand.parse("11m +1m"), ruleset="mcr", context=Context(win_by=WinBy.SELF_DRAW))
>>> shared.query
'hand=11m+%2B1m&rules=mcr&by=self_draw'
>>> Shared.of({"hand": "11m +1m", "rules": "mcr", "by": "self_draw"}) == shared
True
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import urlencode

from tilescore.errors import InputError
from tilescore.scoring.context import SEATS, Context, Occasion, Seat, WinBy, seat_of
from tilescore.scoring.hand import Hand
from tilescore.scoring.house import HOUSE, MOST_LETTERS
from tilescore.scoring.ruleset import RULESETS, first_ruleset, own_options
from tilescore.scoring.ruleset import ruleset as with_options
from tilescore.scoring.tiles import format_tiles, parse_tiles

NAME: Final = "hand"
"""The parameter with the hand; an address without it opens no hand."""
_OPTIONS: Final = "options"
_MOST_LETTERS: Final = {HOUSE: MOST_LETTERS, _OPTIONS: 4000}
"""Most letters of the values that may be long."""
_MOST: Final = 400
"""Most letters of any other value: more than any hand has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shared:
    """The contents of a link."""

    hand: Hand
    ruleset: str  # the name of the ruleset that scores them
    context: Context  # how the hand was won
    # the options of the ruleset that differ from the defaults, a house table among them
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def query(self) -> str:
        """The text after the question mark of the address, without default values."""
        return urlencode({key: value for key, value in self._parameters() if value})

    def _parameters(self) -> tuple[tuple[str, str], ...]:
        context = self.context
        won = context.discarder or context.win_by
        others = {name: value for name, value in self.options.items() if name != HOUSE}
        return (
            (NAME, str(self.hand)),
            ("rules", self.ruleset),
            ("by", str(won or "")),
            ("seat", "" if context.seat is Seat.EAST else str(context.seat)),
            ("round", "" if context.round is Seat.EAST else str(context.round)),
            ("with", " ".join(context.occasions.names)),
            ("dora", format_tiles(context.dora_indicators)),
            ("ura", format_tiles(context.ura_dora_indicators)),
            ("honba", str(context.honba or "")),
            ("sticks", str(context.riichi_deposits or "")),
            ("discards", format_tiles(context.discards)),
            ("dealer", "" if context.dealer is Seat.EAST else str(context.dealer)),
            ("repeats", str(context.dealer_repeats or "")),
            (_OPTIONS, json.dumps(others, separators=(",", ":"), sort_keys=True) if others else ""),
            (HOUSE, str(self.options.get(HOUSE, ""))),
        )

    @staticmethod
    def of(parameters: Mapping[str, str]) -> Shared:
        """The contents of an address with these parameters; raises InputError."""
        values = {key: value.strip() for key, value in parameters.items()}
        if any(len(value) > _MOST_LETTERS.get(key, _MOST) for key, value in values.items()):
            raise InputError("bad_link", "the link is longer than any hand: copy it again.")
        name = values.get("rules", first_ruleset())
        if name not in RULESETS:
            raise InputError("bad_link", f"the link names the ruleset '{name}': known are {', '.join(RULESETS)}.")
        by = values.get("by", "")
        context = Context(
            win_by=WinBy.DISCARD if by in SEATS else _win_by(by),
            discarder=seat_of(by) if by in SEATS else None,
            seat=seat_of(values.get("seat", Seat.EAST)),
            round=seat_of(values.get("round", Seat.EAST)),
            occasions=Occasion.of(values.get("with", "").split()),
            dora_indicators=parse_tiles(values.get("dora", "")),
            ura_dora_indicators=parse_tiles(values.get("ura", "")),
            honba=_count(values.get("honba", "")),
            riichi_deposits=_count(values.get("sticks", "")),
            discards=parse_tiles(values.get("discards", "")),
            dealer=seat_of(values.get("dealer", Seat.EAST)),
            dealer_repeats=_count(values.get("repeats", "")),
        )
        options = _options(values.get(_OPTIONS, ""))
        options |= {HOUSE: values[HOUSE]} if values.get(HOUSE) else {}
        options = own_options(with_options(name, options))
        return Shared(hand=Hand.parse(values.get(NAME, "")), ruleset=name, context=context, options=options)


def _options(text: str) -> dict[str, Any]:
    try:
        options = json.loads(text or "{}")
    except (ValueError, RecursionError):
        options = None
    if not isinstance(options, dict):
        raise InputError("bad_link", "the link says options that cannot be read: copy it again.")
    return options


def _win_by(text: str) -> WinBy | None:
    if text and text not in tuple(WinBy):
        raise InputError("bad_link", f"the link says won by '{text}': copy it again.")
    return WinBy(text) if text else None


def _count(text: str) -> int:
    if text and not (text.isascii() and text.isdigit() and len(text) < 6):
        raise InputError("bad_link", f"the link counts '{text}': copy it again.")
    return int(text or 0)
