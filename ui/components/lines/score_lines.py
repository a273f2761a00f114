"""The lines of a score as a list; the one that is chosen lights up its tiles."""

from collections.abc import Callable
from typing import Any, Final

from tilescore.scoring.ruleset import POINTS
from tilescore.scoring.score import NotAWin, Score, ScoreLine
from tilescore.ui.components.assets import deck, draw
from tilescore.ui.words.text import amount, native_name, rule_text, words

_KEY: Final = "score_lines"


def score_lines(
    result: Score | NotAWin,
    *,
    chosen: int | None,
    on_choose: Callable[[int | None], None],
    on_about: Callable[[int], None],
) -> None:
    """Draw the lines of a result.

    `on_choose` gets the index of the line that was tapped, None if it was the chosen one. `on_about` gets the index of
    the line whose page is to be opened.
    """
    lines = result.lines

    def tapped(event: dict[str, Any]) -> None:
        index, more = event.get("index"), event.get("about")
        if isinstance(more, int) and 0 <= more < len(lines):
            on_about(more)
        else:
            on_choose(index if isinstance(index, int) and 0 <= index < len(lines) else None)

    data = {
        **deck(),
        "lines": [
            {
                "name": words(line.key),
                "native": (native := native_name(line.key))[0],
                "lang": native[1],
                "value": worth(line, result),
                "tiles": [str(tile) for tile in line.tiles],
                "text": rule_text(line.key),
            }
            for line in lines
        ],
        "chosen": chosen,
        "words": {"lines": words("score.lines"), "more": words("score.more")},
    }
    draw(_KEY, key=_KEY, data=data, choose=tapped)


def worth(line: ScoreLine, result: Score | NotAWin) -> str:
    """The amount that a line adds to that result, or by which it multiplies.

    >>> two = ScoreLine(key="mcr.dragon_pung", value=2, count=2)
    >>> worth(two, Score(ruleset="mcr", total=4, lines=(two,)))
    '2 × 2'
    >>> pure = ScoreLine(key="classical.pure", doubles=3)
    >>> worth(pure, Score(ruleset="classical", total=80, lines=(pure,)))
    '× 8'
    """
    if isinstance(result, Score) and result.yakuman and result.han:
        return yakuman_words(result, line.value * result.yakuman // result.han)
    if line.factor is not None:
        return f"× {line.factor}"
    if line.doubles:
        return f"× {2 ** (line.doubles * line.count)}"
    value = amount(line.value, result.unit) if result.unit != POINTS and line.value else str(line.value)
    return value if line.count == 1 else f"{line.count} × {value}"


def yakuman_words(result: Score, number: int) -> str:
    """The name of that many yakuman, without their han."""
    name = words(f"{result.ruleset}.limit.{result.limit}")
    return name if number == 1 else f"{number} × {name}"
