"""`tilescore game`: a whole game from deals written as JSON, one a line."""

import csv
import io
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from tilescore.errors import InputError
from tilescore.printable import spreadsheet_cell
from tilescore.scoring.game.ledger import Game
from tilescore.scoring.game.stream import identity_of, object_of
from tilescore.scoring.game.whole import Whole
from tilescore.scoring.house import HOUSE
from tilescore.ui.cli.progress import lines_of
from tilescore.ui.cli.terminal import complain, say, say_json
from tilescore.ui.words.text import words

JSON: Final = "json"
CSV: Final = "csv"
TEXT: Final = "text"
_PLACES: Final = ("points", "places", "table_points", "result")


def play_game(source: str, whole: Whole, form: str) -> None:
    """Play the lines and say each answer and the end; raises InputError that names the first line that cannot be."""
    show = {JSON: _json, CSV: _csv, TEXT: _text}[form](whole.game)
    for answer in _answers(source, whole):
        show(answer)


def _answers(source: str, whole: Whole) -> Iterator[Mapping[str, Any]]:
    with lines_of(source) as lines:
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            try:
                data = object_of(line)
                identity = identity_of(data)
                whole, answer = whole.after(data)
            except InputError as error:
                raise InputError(error.code, f"line {number}: {error}") from None
            if answer.get("warnings"):
                given = ", ".join(answer["warnings"])
                complain(f"line {number}: {given} changes nothing in {whole.game.ruleset_name} there.")
            yield {**({"id": identity} if "id" in data else {}), **answer}
    yield whole.final()


def _json(_game: Game) -> Callable[[Mapping[str, Any]], None]:
    return lambda answer: say_json(dict(answer))


def _csv(game: Game) -> Callable[[Mapping[str, Any]], None]:
    names = [spreadsheet_cell(name) for name in game.players]
    columns = ("round", "number", "dealer", "honba", "sticks", *(("repeats",) if game.rules.traits.repeats else ()))
    empty = [""] * (1 + len(columns))
    _row("deal", *columns, "what", *names)

    def show(answer: Mapping[str, Any]) -> None:
        if "deal" in answer:
            at = {**answer["position"], "dealer": names[answer["position"]["dealer"]]}
            _row(answer["deal"], *[at[column] for column in columns], "standing", *answer["standing"])
        elif "penalty" in answer:
            why = spreadsheet_cell(answer["penalty"].get("reason", ""))
            _row(*empty, f"penalty: {why}" if why else "penalty", *answer["standing"])
        else:
            if answer["final"].get(HOUSE):
                _row(*empty, words("score.house"))
            for what in _PLACES:
                if what in answer["final"]:
                    _row(*empty, what, *answer["final"][what])

    return show


def _row(*cells: object) -> None:
    text = io.StringIO()
    csv.writer(text, lineterminator="").writerow(cells)
    say(text.getvalue())


def _text(game: Game) -> Callable[[Mapping[str, Any]], None]:
    players = game.players

    def points(values: list[float]) -> str:
        return ", ".join(f"{name} {value}" for name, value in zip(players, values, strict=True))

    def show(answer: Mapping[str, Any]) -> None:
        if "deal" in answer:
            at = answer["position"]
            paid = ", ".join(f"{seat} {value:+}" for seat, value in answer["payments"].items() if value) or "nothing"
            more = "".join(f", {key} {at[key]}" for key in ("honba", "sticks", "repeats") if at.get(key))
            say(f"{answer['deal']}. {at['round']}{at['number']}, {players[at['dealer']]} deals{more}: {paid}")
            say(f"   {points(answer['standing'])}")
        elif "penalty" in answer:
            penalty = answer["penalty"]
            why = f" for {penalty['reason']}" if "reason" in penalty else ""
            say(f"Penalty of {penalty['points']} to {players[penalty['player']]}{why}")
            say(f"   {points(answer['standing'])}")
        else:
            if answer["final"].get(HOUSE):
                say(words("score.house").capitalize())
            for what in _PLACES:
                if what in answer["final"]:
                    say(f"{what.replace('_', ' ').capitalize()}: {points(answer['final'][what])}")

    return show
