"""`tilescore live`: watches a video or a camera and tells every hand that lies still and whole."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from scoring.context import Context
    from scoring.hand import Hand
    from scoring.ruleset import Ruleset
    from scoring.score import NotAWin, Score
    from vision.reading import Reading
    from vision.watch import Watch


def live(
    source: Annotated[
        str, typer.Argument(help="A video, the number of a USB camera, or an address (rtsp://, http://).")
    ],
    *,
    ruleset: Annotated[str | None, typer.Option("--ruleset", "-r", help="Score each hand by these rules.")] = None,
    seat: Annotated[str, typer.Option(help="The winner's wind: E, S, W or N.")] = "E",
    round_wind: Annotated[str, typer.Option("--round", help="The round's wind.")] = "E",
    by: Annotated[str, typer.Option(help="self_draw or discard.")] = "self_draw",
    realtime: Annotated[bool, typer.Option("--realtime", help="Take a video at the pace it was filmed.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a hand on stdout.")] = False,
    model: Annotated[str, typer.Option("--model", help="Name of a shipped network, or an .onnx file.")] = "tiles46",
) -> None:
    """Watch a table: one line for each hand that lies still and whole; what is waited for goes to stderr."""
    from models.registry import load_eye  # noqa: PLC0415  # loads the networks
    from scoring.context import Context  # noqa: PLC0415  # start-up time of the other commands
    from scoring.ruleset import ruleset as find_ruleset  # noqa: PLC0415
    from vision.frames import Source  # noqa: PLC0415
    from vision.looker import Looker  # noqa: PLC0415
    from vision.watch import Watch  # noqa: PLC0415

    rules = None if ruleset is None else find_ruleset(ruleset)
    context = Context.from_json({"seat": seat, "round": round_wind, "win_by": by})
    find = Looker(load_eye(model)).find
    watch, said = Watch(), ""
    for frame in Source(source).frames(realtime=realtime, say=_say):
        watch = watch.after(frame, find)
        if watch.is_news and watch.reading is not None:
            _tell(watch, watch.reading, frame.at_s, rules, context, as_json=as_json)
            said = ""
            continue
        waiting = _waiting(watch, rules, context)
        if waiting and waiting != said:
            _say(waiting)
            said = waiting


def _tell(
    watch: Watch, reading: Reading, at_s: float, rules: Ruleset | None, context: Context, *, as_json: bool
) -> None:  # fmt: skip
    """One complete hand: its number, when it was told, how it reads, what it is worth."""
    from ui.report import reading_report, score_report  # noqa: PLC0415

    reading = _won(reading)
    result = _worth(reading, rules, context)
    if as_json:
        event = {"event": "hand", "number": watch.hand, "revision": watch.revision, "at_s": round(at_s, 2)}
        typer.echo(json.dumps(event | reading.to_json() | ({} if result is None else result.to_json())))
        return
    change = f", changed {watch.revision}x" if watch.revision else ""
    typer.echo(f"{at_s:.1f} s, hand {watch.hand}{change}: {reading_report(reading).partition(': ')[2]}")
    if result is not None:
        typer.echo(score_report(result))


def _won(reading: Reading) -> Reading:
    """The reading with a winning tile: the last one, where none is set apart."""
    from vision.layout import Role  # noqa: PLC0415

    if reading.winning is not None or not reading.concealed:
        return reading
    return reading.with_role(reading.concealed[-1], Role.WINNING)


def _worth(reading: Reading, rules: Ruleset | None, context: Context) -> Score | NotAWin | None:
    """What the hand is worth; None if nobody asked, or no such hand can be."""
    hand = _hand(reading)
    return None if rules is None or hand is None else rules.score(hand, context)


def _hand(reading: Reading) -> Hand | None:
    try:
        return reading.hand
    except ValueError:  # five of a kind, a kong face down altogether: the doubts ask about it
        return None


def _waiting(watch: Watch, rules: Ruleset | None, context: Context) -> str:
    """What is missing before a hand can be told, in one sentence; nothing while hands move."""
    from vision.watch import State, count  # noqa: PLC0415

    if watch.state is State.DARK:
        return "the picture is black: uncover the camera or turn on a light."
    if watch.state is State.UNCLEAR:
        return "the tiles are not seen clearly: more light, or the camera closer."
    if watch.state is State.EMPTY:
        return "waiting: no hand lies there."
    if watch.state is not State.INCOMPLETE or watch.reading is None:
        return ""
    hand = _hand(watch.reading)
    tiles = count(watch.reading)
    waits = () if hand is None or rules is None else _waits(rules, hand, context)
    note = f" It waits for: {', '.join(waits)}." if waits else ""
    return f"waiting: {tiles} tiles of 14.{note}"


def _waits(rules: Ruleset, hand: Hand, context: Context) -> tuple[str, ...]:
    """Each tile that completes thirteen, with what the hand would score."""
    from scoring.score import Score  # noqa: PLC0415
    from ui.nearly import waits_of  # noqa: PLC0415

    return tuple(
        f"{tile} ({result.total})" if isinstance(result, Score) else f"{tile} ({result.code})"
        for tile, result in waits_of(rules.name, hand, context)
    )


def _say(sentence: str) -> None:
    typer.echo(f"tilescore: {sentence}", err=True)
