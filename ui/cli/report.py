"""Readings, scores and rules as text for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tilescore.errors import HandError
from tilescore.printable import counted, printable
from tilescore.scoring.house import named, plays_house
from tilescore.scoring.score import NotAWin, Score
from tilescore.scoring.tiles import Tile, format_tiles
from tilescore.ui.words.text import words

if TYPE_CHECKING:
    from tilescore.scoring.ruleset import Ruleset
    from tilescore.scoring.score import ScoreLine
    from tilescore.vision.decoding.reading import Reading
    from tilescore.vision.layout.layout import MeldPlace

_POINTS: Final = "points"
"""The unit that goes without saying."""


def reading_report(reading: Reading) -> str:
    """The hand in one line, or the tiles in view where there is none, then the doubts.

    Concealed tiles, melds in brackets, the winning tile after +, bonus tiles after &.
    """
    tiles = reading.detections
    roles = reading.layout.roles
    concealed = format_tiles(tiles[index].tile for index in reading.concealed)
    melds = " ".join(_meld_text(reading, place) for place in reading.layout.melds)
    winning = "" if reading.winning is None else f"+{tiles[reading.winning].tile}"
    bonus = format_tiles(tiles[at].tile for at in reading.layout.order if roles[at] == "bonus")
    hand = " ".join(filter(None, (concealed, melds, winning, f"&{bonus}" if bonus else "")))
    name, others = printable(reading.photo_name), sum(role == "other" for role in roles)
    if hand:
        lines = [f"{name}: {hand}", f"  {_symbols(reading)}   ({counted(others, 'other tile')} in the picture)"]
    else:
        seen = format_tiles(sorted(tile.tile for tile in tiles))
        lines = [f"{name}: no hand", f"  {counted(others, 'tile')} in the picture: {seen}"]
    lines += [f"  ? {doubt.message}" for doubt in reading.doubts]
    return "\n".join(lines)


def score_report(result: Score | NotAWin) -> str:
    """Every line, the total, what was left out, and who pays whom."""
    lines = [_line_text(line) for line in result.lines]
    if isinstance(result, NotAWin):
        lines.append(f"  not a win{_house(result)}: {result.message}")
        if result.waits:
            lines.append(f"  waits for: {' '.join(map(str, result.waits))}")
    else:
        lines.append(f"  {'total':<44} {_total(result)}{_house(result)}")
        if result.payments is not None:
            paid = ", ".join(f"{seat} {points:+d}" for seat, points in result.payments.to_json().items())
            lines.append(f"  {'payments':<44} {paid}")
    lines += [
        f"  not counted: {words(entry.key)}, {words('score.because', why=words(entry.because))}"
        for entry in result.excluded
    ]
    lines += [f"  {words('score.warning', name=words(key))}" for key in result.warnings]
    return "\n".join(lines)


def _house(result: Score | NotAWin) -> str:
    return f", {words('score.house')}" if result.house else ""


def rules_report(rules: Ruleset) -> str:
    """Every line that can count, then the options."""
    lines = [f"{'key':<44} {'value':>8}  name"]
    lines += [f"{entry.key:<44} {entry.value:>8}  {entry.names.get('en', '')}" for entry in rules.rules()]
    if plays_house(rules):
        lines.append(f"values of a {words('score.house')}")
    options = [f"{option.name} = {option.default!r}: {option.text}" for option in rules.options()]
    return "\n".join([*lines, "", "options", *(options or ["none"])])


def rules_json(rules: Ruleset) -> dict[str, Any]:
    """The lines and options of a ruleset as one JSON object."""
    return {
        "ruleset": rules.name,
        **named(rules),
        "rules": [
            {"key": e.key, "number": e.number, "value": e.value, "names": dict(e.names), "text": e.text}
            for e in rules.rules()
        ],
        "options": [
            {"name": o.name, "default": o.default, "text": o.text, "choices": list(o.choices)} for o in rules.options()
        ],
        "presets": [{"name": p.name, "source": p.source, "options": dict(p.options)} for p in rules.traits.presets],
    }


def _meld_text(reading: Reading, place: MeldPlace) -> str:
    try:
        return str(reading.meld(place))
    except HandError:  # all four tiles lie face down
        return f"[{format_tiles(reading.detections[index].tile for index in place.members)}]"


def _symbols(reading: Reading) -> str:
    tiles: list[Tile] = [reading.detections[index].tile for index in reading.layout.order]
    return "".join(tile.symbol for tile in tiles)


def _line_text(line: ScoreLine) -> str:
    times = f" x{line.count}" if line.count > 1 else ""
    worth = str(line.value * line.count)
    if line.doubles:
        worth = f"x{2**line.doubles}"
    if line.factor is not None:
        worth = f"x{line.factor}"
    number = "" if line.number is None else f"{line.number:>2} "
    return f"  {number + words(line.key) + times:<44} {worth:>6}  {format_tiles(line.tiles)}"


def _total(result: Score) -> str:
    if result.unit == "han":
        fu = "" if result.fu is None else f" {result.fu} fu"
        return f"{result.total} ({result.han} han{fu}{f', {result.limit}' if result.limit else ''})"
    unit = "" if result.unit == _POINTS else f" {result.unit}"
    return f"{result.total}{unit}{f' ({result.limit})' if result.limit else ''}"
