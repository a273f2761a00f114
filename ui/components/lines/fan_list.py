"""Lines of a ruleset to look up, each with its rule and a hand that has it."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from tilescore.scoring.context import Context, WinBy
from tilescore.scoring.ruleset import FU, LIMIT, POINTS, YAKUMAN, RuleEntry, Ruleset, own_options, ruleset
from tilescore.scoring.score import ScoreLine
from tilescore.ui.components.assets import deck, draw
from tilescore.ui.state.hand.highlight import tiles_of
from tilescore.ui.state.hand.work import Work
from tilescore.ui.words.fans import FanExample, Own, example, fans, kinds
from tilescore.ui.words.search import found_by
from tilescore.ui.words.text import (
    amount,
    grouped,
    labelled,
    language,
    native_name,
    occasion_name,
    rule_text,
    total_unit,
    with_unit,
    words,
)

_KEY = "fan_list"
_TEXTS = ("search", "worth", "all", "none", "alone", "score")
_BEFORE_LINES = ("over", "under")


def fan_list(
    rules: Ruleset, *, shown: str | None, on_open: Callable[[str], None], on_score: Callable[[str], None]
) -> None:
    """Draw the lines of a ruleset as a house plays it; `shown` is open.

    `on_open` gets the key of a line that a person opens, `on_score` the key of a line whose example they score.
    """
    name = rules.name
    keys = {fan.key for fan in fans(name)}

    def acted(event: dict[str, Any]) -> None:
        for what, act in (("open", on_open), ("score", on_score)):
            key = event.get(what)
            if key in keys:
                act(key)

    pictures = deck()
    data = {
        "faces": pictures["faces"],
        "tiles": pictures["names"],
        "name": name,
        "open": shown,
        "fans": _rows(name, tuple(own_options(rules).items()), language()),
        "names": {key: words(key) for key in keys},
        "kinds": [(kind, _kind_words(name, kind)) for kind in kinds(name)],
        "words": {text: words(f"fans.{text}") for text in _TEXTS}
        | {text: labelled(words(f"fans.{text}"), "") for text in _BEFORE_LINES},
    }
    draw(_KEY, key=_KEY, data=data, act=acted)


def worth_words(fan: RuleEntry) -> str:
    """The worth of a line in a word or two.

    >>> from tilescore.ui.words.fans import fan_of
    >>> [worth_words(fan_of(key)) for key in ("mcr.all_pungs", "riichi.ittsu", "riichi.pinfu", "classical.no_chows")]
    ['6', '2 / 1 han', '1 han', '× 2']
    """
    name = fan.key.partition(".")[0]
    if fan.kind in (LIMIT, YAKUMAN):
        return _kind_words(name, fan.kind)
    if fan.value.startswith("x"):
        return f"× {fan.value[1:]}"
    unit = FU if fan.kind == FU else ruleset(name).traits.unit
    if unit == POINTS or not any(map(str.isdigit, fan.value)):
        return fan.value
    closed, _, opened = fan.value.removesuffix(f" {FU}").partition("/")
    return f"{closed} / {amount(int(opened), unit)}" if opened not in ("", "0") else amount(int(closed), unit)


def _kind_words(name: str, kind: str) -> str:
    if kind in (LIMIT, POINTS):
        return words(f"fans.{kind}")
    if kind in (YAKUMAN, FU):
        return words(f"{name}.limit.yakuman" if kind == YAKUMAN else "unit.fu")
    if kind.startswith("x"):
        return f"× {kind[1:]}"
    unit = ruleset(name).traits.unit
    return kind if unit == POINTS else amount(int(kind), unit)


@lru_cache(maxsize=64)
def _rows(name: str, own: Own, _language: str) -> list[dict[str, Any]]:
    return [_row(name, fan, printed, own) for fan, printed in zip(fans(name, own), fans(name), strict=True)]


def _row(name: str, fan: RuleEntry, printed: RuleEntry, own: Own) -> dict[str, Any]:
    native, native_language = native_name(fan.key)
    shown = example(fan.key, own)
    return {
        "key": fan.key,
        "number": fan.number,
        "name": words(fan.key),
        "native": native,
        "lang": native_language,
        "found_by": f"{fan.number or ''} {found_by(fan.key)}",
        "kind": printed.kind,
        "worth": worth_words(fan),
        "worth_note": _worth_note(fan, printed),
        "text": rule_text(fan.key),
        "over": fan.excludes,
        "under": [other.key for other in fans(name, own) if fan.key in other.excludes],
        "alone": fan.alone,
        "example": None if shown is None else _example(fan.key, shown),
    }


def _worth_note(fan: RuleEntry, printed: RuleEntry) -> str:
    if fan.value != printed.value:
        return words("fans.ours", worth=worth_words(printed))
    _, slash, opened = fan.value.partition("/")
    if not slash or fan.kind == FU:
        return ""
    return words("fans.closed_only") if opened == "0" else words("fans.closed_open")


def _example(key: str, shown: FanExample) -> dict[str, Any]:
    work, line = Work.of(shown.hand), shown.line(key)
    lit = _lit(work, line)
    return {
        "groups": [
            {
                "role": str(group.role),
                "hidden": group.hidden,
                "tiles": [(str(work.tile(at)), at in lit) for at in group.members],
            }
            for group in work.groups
        ],
        "how": circumstance_words(shown.context, ruleset(shown.score.ruleset)),
        "total": words("fans.whole", worth=with_unit(grouped(shown.score.total), total_unit(shown.score))),
    }


def _lit(work: Work, line: ScoreLine | None) -> frozenset[int]:
    """The tiles that the line is about; empty if it is about all of them."""
    lit = frozenset[int]() if line is None or not line.tiles else tiles_of(work, line)
    return frozenset() if len(lit) == len(work.order) else lit


def circumstance_words(context: Context, rules: Ruleset) -> str:
    """The circumstances in half a line, in the words of the game: how the hand was won, the winds, what happened."""
    won = {None: "fans.not_won", WinBy.SELF_DRAW: "won.self_draw", WinBy.DISCARD: "fans.by_discard"}[context.win_by]
    winds = [labelled(words(field), words(f"seat.{getattr(context, field)}")) for field in ("seat", "round")]
    return " · ".join([words(won), *winds, *(occasion_name(name, rules) for name in context.occasions.names)])
