"""The streams of `score-hands` and `settle`: one JSON line out for each JSON line in, in constant memory.

A bad line yields `{"id": …, "error": {"code": …, "message": …}}` and the stream goes on; blank lines are skipped. The
line format is described in scoring/sources.md.

>>> import json
>>> json.loads(next(score_lines("mcr", ['{"id": 7, "colour": "red"}'])))["error"]["code"]
'unknown_key'
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from math import isfinite
from types import MappingProxyType
from typing import Any, Final

from tilescore.errors import InputError
from tilescore.files.json_text import parsed
from tilescore.scoring.game.deals import HandInput, deal_from_json, json_object
from tilescore.scoring.house import named
from tilescore.scoring.ruleset import Ruleset, ruleset

NO_OPTIONS: Final[Mapping[str, Any]] = MappingProxyType({})
"""Every option has its default."""


def score_lines(ruleset_name: str, lines: Iterable[str], options: Mapping[str, Any] = NO_OPTIONS) -> Iterator[str]:
    """A result line for each hand line, same order, same `id`; raises OptionError for an unknown ruleset or option.

    `options` hold for every line that does not say otherwise.
    """
    rules = ruleset(ruleset_name, options)

    def answer(data: Mapping[str, Any]) -> dict[str, Any]:
        given = HandInput.from_json(data)
        return _ruleset_of(ruleset_name, options, given.options).score(given.hand, given.context).to_json()

    return _answers(rules, lines, answer)


def settle_lines(ruleset_name: str, lines: Iterable[str], options: Mapping[str, Any] = NO_OPTIONS) -> Iterator[str]:
    """A settlement line for each deal line, same order, same `id`; raises as `score_lines`."""
    rules = ruleset(ruleset_name, options)
    traits = rules.traits

    def answer(data: Mapping[str, Any]) -> dict[str, Any]:
        deal = deal_from_json(data, size=traits.size)
        played = _ruleset_of(ruleset_name, options, json_object(data, "options"))
        settled = played.settle(deal)
        return {
            "values": {str(seat): value for seat, value in settled.values.items()},
            "payments": settled.payments.to_json(),
            "steps": [step.to_json() for step in settled.payments.steps],
            "warnings": list(deal.without_meaning(traits.at_win, traits.at_draw)),
            **named(played),
        }

    return _answers(rules, lines, answer)


def _answers(
    rules: Ruleset, lines: Iterable[str], answer: Callable[[Mapping[str, Any]], dict[str, Any]]
) -> Iterator[str]:
    errors = rules.traits.errors
    for line in lines:
        if line.strip():
            yield json.dumps(_answer_or_error(errors, line, answer))


def _answer_or_error(
    errors: Mapping[str, str], line: str, answer: Callable[[Mapping[str, Any]], dict[str, Any]]
) -> dict[str, Any]:
    identity = None
    try:
        data = object_of(line)
        identity = identity_of(data)
        return {"id": identity, **answer(data)}
    except InputError as error:
        code = errors.get(error.code, error.code)
        return {"id": identity, "error": {"code": code, "message": str(error)}}


def object_of(line: str) -> Mapping[str, Any]:
    """The JSON object in a line; raises InputError."""
    try:
        data = parsed(line, finite=True)
    except InputError:
        raise
    except (ValueError, RecursionError) as error:
        quoted = line.strip()[:60].encode(errors="replace").decode()
        raise InputError("bad_json", f"this line is no JSON ({error}): '{quoted}'.") from None
    if not isinstance(data, dict):
        raise InputError("not_object", f"a line must be one JSON object, not {line.strip()[:60]}.")
    return data


def identity_of(data: Mapping[str, Any]) -> object:
    """The `id` of a line, which its answer repeats; raises InputError for an id that JSON cannot repeat."""
    value = data.get("id")
    is_number = isinstance(value, int) and not isinstance(value, bool)
    if value is None or isinstance(value, str) or is_number or (isinstance(value, float) and isfinite(value)):
        return value
    raise InputError("bad_id", "'id' must be text, a number or null.")


def _ruleset_of(name: str, common: Mapping[str, Any], own: Mapping[str, Any]) -> Ruleset:
    options = {**common, **own} if common else own
    return _built(name, json.dumps(options, sort_keys=True) if options else "{}")


@lru_cache(maxsize=64)
def _built(name: str, options: str) -> Ruleset:
    return ruleset(name, json.loads(options))
