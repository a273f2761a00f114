"""`tilescore live`: watches a video or a camera and prints every hand that lies still and complete."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path  # typer reads it
from typing import TYPE_CHECKING, Annotated, Final

import typer

from tilescore.errors import InputError
from tilescore.files.json_text import decoded
from tilescore.scoring.context import Context
from tilescore.scoring.game.waits import waits_of
from tilescore.scoring.hand import Hand
from tilescore.scoring.ruleset import Ruleset
from tilescore.scoring.ruleset import ruleset as find_ruleset
from tilescore.scoring.score import NotAWin, Score
from tilescore.scoring.tiles import Tile
from tilescore.ui.cli.options import (  # typer reads the annotations
    BudgetMs,
    Model,
    RoundWind,
    WinByOption,
    WinnersSeat,
    budget_of,
)
from tilescore.ui.cli.report import reading_report, score_report
from tilescore.ui.cli.terminal import complain, say, say_json

if TYPE_CHECKING:
    from tilescore.vision.decoding.reading import Reading
    from tilescore.vision.video.frame_reader import FrameReader
    from tilescore.vision.video.recorder import Recording
    from tilescore.vision.video.watch import Watch, WatchedFrame


Filmed = Annotated[str, typer.Argument(help="A video, the number of a USB camera, or an address (rtsp://, http://).")]
Expected = Annotated[
    Path | None, typer.Option("--expect", help="Events kept with --json: exit 1 unless the same hands are told.")
]
_TO_DO: Final = {
    "dark": "the picture is black: uncover the camera or turn on a light.",
    "unclear": "the tiles are not seen clearly: add light, or move the camera closer.",
    "empty": "waiting: no hand lies there.",
}
"""What to do, by the state of the table."""
_INCOMPLETE: Final = "incomplete"
"""The state of a table with a hand that lacks tiles."""


def live(
    source: Filmed,
    *,
    ruleset: Annotated[str | None, typer.Option("--ruleset", "-r", help="Score each hand by these rules.")] = None,
    seat: WinnersSeat = "E",
    round_wind: RoundWind = "E",
    by: WinByOption = "self_draw",
    waits: Annotated[bool, typer.Option("--waits", help="Also an event for 13 tiles: what they wait for.")] = False,
    record: Annotated[Path | None, typer.Option("--record", help="Keep what is seen as a video, FILE.avi.")] = None,
    expect: Expected = None,
    patience: Annotated[float | None, typer.Option(help="Seconds that a camera is asked for again.")] = None,
    realtime: Annotated[bool, typer.Option("--realtime", help="Take a video at the pace it was filmed.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a hand on stdout.")] = False,
    model: Model = "",
    budget_ms: BudgetMs = None,
) -> None:
    """Watch a table: one line for each hand that lies still and whole; what is waited for goes to stderr."""
    from tilescore.models.registry import load_reader  # loads the networks
    from tilescore.vision.video.frame_reader import FrameReader
    from tilescore.vision.video.recorder import Recording
    from tilescore.vision.video.source import VideoSource

    budget = budget_of(budget_ms)
    rules = None if ruleset is None else find_ruleset(ruleset)
    if waits and rules is None:
        raise InputError("no_ruleset", "--waits needs the rules to score by: give --ruleset, e.g. --ruleset mcr.")
    context = Context.from_json({"seat": seat, "round": round_wind, "win_by": by})
    wanted = None if expect is None else _expected(expect)
    with nullcontext() if record is None else Recording(record) as recording:
        reader = load_reader(model)
        finder = FrameReader(reader, budget_ms=budget)
        announcer = _Announcer(rules=rules, context=context, model=reader.detector.name, waits=waits, as_json=as_json)
        frames = VideoSource(source).frames(
            realtime=realtime, patience_s=patience, calm=lambda: announcer.is_calm, warn=complain
        )
        announcer.follow(frames, finder, recording)
    announced = tuple(announcer.hands.values())
    if not announced:
        complain("no complete hand lay still before the camera.")
    if wanted is not None and wanted != announced:
        told = f"{_listed(announced)} instead of {_listed(wanted)}"
        complain(f"other hands were told than in '{expect}': {told}.")
        raise typer.Exit(1)
    if not announcer.is_kept:
        raise typer.Exit(2)


@dataclass(slots=True, kw_only=True)
class _Announcer:
    """Prints what is new at the table, each thing once."""

    # rules, context: how each hand is scored; without rules none is
    rules: Ruleset | None
    context: Context
    model: str  # the name of the model
    waits: bool  # whether there is an event for thirteen tiles, too
    as_json: bool
    is_kept: bool = True  # whether the recording, if there is one, holds every frame
    is_calm: bool = False  # whether a hand is understood, so that fewer frames are needed
    # by number, the sorted tiles of each hand as it was last printed
    hands: dict[int, tuple[str, ...]] = field(default_factory=dict)
    status: str = ""  # what the watch waited for when that was last said; empty after a hand

    def follow(self, frames: Iterable[WatchedFrame], finder: FrameReader, recording: Recording | None) -> None:
        """Keep each frame, and announce what it adds; a full disk ends the recording alone."""
        from tilescore.vision.video.watch import Watch

        watch = Watch() if self.rules is None else Watch().for_game(self.rules.shapes, self.rules.traits.aside)
        for frame in frames:
            if recording is not None:
                try:
                    recording.add(frame)
                except InputError as error:
                    if error.code != "disk_full":  # the option is wrong
                        raise
                    complain(str(error))
                    recording, self.is_kept = None, False
            watch = watch.after(frame, finder)
            self.announce(watch, frame.at_s, left_out=finder.left_out)

    def announce(self, watch: Watch, at_s: float, *, left_out: list[str]) -> None:
        """Print what this frame adds: a hand, or what the watch waits for.

        `left_out` are stages that a budget left out since the last hand; a printed hand empties the list.
        """
        self.is_calm = watch.understood is not None
        if watch.is_news and watch.reading is not None:
            reading = replace(watch.reading.done((), left_out=left_out), model=self.model)
            left_out.clear()
            self._print_hand(watch, reading, at_s)
            tiles = (watch.reading.detections[at].tile for at in watch.reading.layout.order)
            self.hands[watch.hand] = tuple(sorted(str(tile) for tile in tiles))
            self.status = ""
            return
        waiting = self._waiting(watch)
        if not waiting or waiting == self.status:
            return
        complain(waiting)
        self.status = waiting
        if self.waits and self.as_json:
            self._print_waits(watch, at_s)

    def _print_hand(self, watch: Watch, reading: Reading, at_s: float) -> None:
        """Print one complete hand: its number, the time, its tiles, its score, or why the game has no such hand."""
        from tilescore.vision.decoding.finish import with_last_as_winning

        reading = with_last_as_winning(reading)
        result, refused = None, {}
        hand = _hand(reading)
        try:
            result = None if self.rules is None or hand is None else self.rules.score(hand, self.context)
        except InputError as error:  # a tile that the game does not have, often a misread one: the watch goes on
            refused = {"error": {"code": error.code, "message": str(error)}}
            complain(f"hand {watch.hand}: {error}")
        if self.as_json:
            event = {"event": "hand", "number": watch.hand, "revision": watch.revision, "at_s": round(at_s, 2)}
            say_json(event | reading.to_json() | ({} if result is None else result.to_json()) | refused)
            return
        change = f", changed {watch.revision}x" if watch.revision else ""
        found = reading_report(reading).partition(": ")[2]
        say(*f"{at_s:.1f} s, hand {watch.hand}{change}: {found}".split("\n"))
        if result is not None:
            say(*score_report(result).split("\n"))

    def _waiting(self, watch: Watch) -> str:
        """What is missing before the hand is complete, in one sentence; empty while hands move."""
        if watch.state != _INCOMPLETE or watch.reading is None:
            return _TO_DO.get(watch.state, "")
        each = [f"{tile} ({won.total if isinstance(won, Score) else won.code})" for tile, won in self._waits_of(watch)]
        note = f" It waits for: {', '.join(each)}." if each else ""
        whole = Hand.SIZE if self.rules is None else self.rules.traits.size
        return f"waiting: {watch.reading.size} tiles of {whole}.{note}"

    def _print_waits(self, watch: Watch, at_s: float) -> None:
        """Each tile that completes thirteen tiles, with the score of the hand."""
        waits = [{"tile": str(tile)} | result.to_json() for tile, result in self._waits_of(watch)]
        if waits and watch.reading is not None:
            hand = str(_hand(watch.reading))
            say_json({"event": "waits", "at_s": round(at_s, 2), "hand": hand, "waits": waits})

    def _waits_of(self, watch: Watch) -> tuple[tuple[Tile, Score | NotAWin], ...]:
        if watch.state != _INCOMPLETE or watch.reading is None:  # in the dark the reading is an old one
            return ()
        hand = _hand(watch.reading)
        return () if hand is None or self.rules is None else waits_of(self.rules, hand, self.context)


def _hand(reading: Reading) -> Hand | None:
    try:
        return reading.hand
    except ValueError:  # five of a kind, a kong face down altogether: the doubts ask about it
        return None


def _expected(path: Path) -> tuple[tuple[str, ...], ...]:
    """The sorted tiles of each hand, from its last event in the file."""
    hands: dict[int, tuple[str, ...]] = {}
    try:
        for line in decoded(path.read_bytes()).splitlines():
            event = json.loads(line)
            if event["event"] == "hand":
                hands[event["number"]] = tuple(sorted(event["tiles_in_order"]))
    except OSError as error:
        raise InputError("no_file", f"'{path}' cannot be read: {error.strerror}.", path=str(path)) from None
    except (ValueError, KeyError, TypeError):
        message = f"'{path}' holds no events: give what `tilescore live --json` printed."
        raise InputError("no_events", message, path=str(path)) from None
    return tuple(hands.values())


def _listed(hands: Sequence[Sequence[str]]) -> str:
    return "; ".join(" ".join(tiles) for tiles in hands) or "none"
