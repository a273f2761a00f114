"""The command line `tilescore`: reads photos, scores hands, settles deals, starts the app.

Exit status: 0 done; 2 bad input, with one sentence on stderr that says what is wrong and what to do; 1 a fault of
ours. With `--json`, stdout carries JSON Lines and nothing else.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import tilescore
from tilescore.errors import InputError
from tilescore.files.names import text_of
from tilescore.scoring.context import Context
from tilescore.scoring.ruleset import RULESETS
from tilescore.scoring.ruleset import Ruleset as Rules
from tilescore.scoring.ruleset import ruleset as find_ruleset
from tilescore.scoring.score import NotAWin, Score
from tilescore.ui.cli.games.hands import hands_app
from tilescore.ui.cli.games.ledger import ledger_app
from tilescore.ui.cli.guard import run_guarded
from tilescore.ui.cli.live import live
from tilescore.ui.cli.models import evaluate, export, train
from tilescore.ui.cli.networks.exchange import models_app
from tilescore.ui.cli.options import (
    AsJson,
    BudgetMs,
    HouseFile,
    Jobs,
    Model,
    NoBrowser,
    Port,
    RoundWind,
    WinByOption,
    WinnersSeat,
    budget_of,
    house_option,
    place_of,
)
from tilescore.ui.cli.progress import stream
from tilescore.ui.cli.read import read
from tilescore.ui.cli.report import reading_report, rules_json, rules_report, score_report
from tilescore.ui.cli.sets.annotate import annotate
from tilescore.ui.cli.sets.dataset import dataset_app
from tilescore.ui.cli.terminal import complain, say, say_json

if TYPE_CHECKING:
    from tilescore.ui.server.guests import Entrance
    from tilescore.vision.decoding.reading import Reading

app = typer.Typer(
    name="tilescore",
    help="Reads mahjong hands from photos and scores them, offline.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.add_typer(dataset_app, name="dataset")
app.add_typer(ledger_app, name="ledger")
app.add_typer(hands_app, name="hands")
app.add_typer(models_app, name="models")
app.command()(read)
app.command()(annotate)
app.command()(live)
app.command()(train)
app.command()(export)
app.command()(evaluate)

PhotoFile = Annotated[
    Path,
    typer.Argument(parser=place_of, help="A photo of a finished hand, or - for standard input.", show_default=False),
]
Ruleset = Annotated[str, typer.Option("--ruleset", "-r", help=f"One of {', '.join(RULESETS)}.")]
RuleOptions = Annotated[list[str] | None, typer.Option(help="NAME=VALUE of the ruleset; may be repeated.")]
Source = Annotated[str, typer.Argument(help="A file, or - for standard input.")]
ShareLan = Annotated[
    bool, typer.Option("--share-lan", help="Let others in your network use the app too, with a passphrase.")
]
Behind = Annotated[
    str | None,
    typer.Option(metavar="ADDRESS", help="Let others use the app under https://NAME or https://NAME/BASE of a proxy."),
]

PASSPHRASE = "TILESCORE_PASSPHRASE"  # noqa: S105  # its name, not itself
"""The environment variable with a passphrase of one's own; without it the program makes one."""


def _show_version(wanted: bool) -> None:  # noqa: FBT001  # typer gives it so
    if wanted:
        say(f"tilescore {tilescore.__version__}")
        raise typer.Exit


@app.callback()
def options(
    *,
    _: Annotated[
        bool, typer.Option("--version", "-V", help="Show the version and exit.", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    """Take the options that stand before a command."""


def main() -> None:
    """Run the command line; whatever ends it becomes one sentence and an exit status."""
    run_guarded(lambda: app(standalone_mode=False, prog_name="tilescore"))


@app.command()
def score(
    photo: PhotoFile,
    *,
    ruleset: Ruleset,
    seat: WinnersSeat = "E",
    round_wind: RoundWind = "E",
    by: WinByOption = "self_draw",
    from_seat: Annotated[str | None, typer.Option("--from", help="Who discarded: E, S, W or N.")] = None,
    winning_tile: Annotated[str | None, typer.Option(help="Which tile completed the hand, e.g. 3m.")] = None,
    occasion: Annotated[list[str] | None, typer.Option(help="E.g. last_tile; may be repeated.")] = None,
    option: RuleOptions = None,
    dora: Annotated[str, typer.Option(help="Dora indicators, e.g. 3m5z.")] = "",
    ura: Annotated[str, typer.Option(help="Ura dora indicators.")] = "",
    honba: Annotated[int, typer.Option(help="Counters on the table; each makes a win worth more (riichi).")] = 0,
    deposits: Annotated[int, typer.Option(help="Riichi sticks on the table.")] = 0,
    dealer: Annotated[str, typer.Option(help="The dealer's wind, where it can differ from E (taiwan).")] = "E",
    repeats: Annotated[int, typer.Option(help="How often the dealer has kept the deal (taiwan).")] = 0,
    house: HouseFile = None,
    save: Annotated[Path | None, typer.Option(help="Write the annotated photo there.")] = None,
    as_json: AsJson = False,
    model: Model = "",
    budget_ms: BudgetMs = None,
) -> None:
    """Read a photo and say what its hand is worth, line by line, and who pays whom."""
    from tilescore.vision.image.marked import check_picture_output  # start-up time of the other commands

    budget = budget_of(budget_ms)
    if save is not None:
        check_picture_output(save, option="--save", inputs=[photo])
    rules = find_ruleset(ruleset, {**_options(option or []), **house_option(house, ruleset)})
    context = Context.from_json(
        {
            "seat": seat, "round": round_wind, "win_by": by, "discarder": from_seat, "occasions": occasion or [],
            "dora_indicators": dora, "ura_dora_indicators": ura, "honba": honba, "riichi_deposits": deposits,
            "dealer": dealer, "dealer_repeats": repeats,
        }
    )  # fmt: skip
    reading = _finished(photo, rules, winning_tile, save=save, model=model, budget_ms=budget)
    _say_score(photo, reading, rules.score(reading.hand, context), as_json=as_json)


def _finished(
    photo: Path, rules: Rules, winning_tile: str | None, *, save: Path | None, model: str, budget_ms: float | None
) -> Reading:
    """The finished hand of a photo, kept as a picture where `save` is; says so if its winning tile is a guess."""
    from tilescore.models.registry import load_reader  # loads the networks
    from tilescore.ui.cli.reading_files import load, read_photo
    from tilescore.vision.decoding.finish import finished

    reader = load_reader(model)
    pixels = load(photo)
    reading, guess = finished(read_photo(reader, pixels, budget_ms=budget_ms), rules, winning_tile=winning_tile)
    if save is not None:
        from tilescore.vision.decoding.draw import save_annotated

        save_annotated(pixels, reading, save)
    if guess is not None:
        note = f"no tile is set apart in the photo: {guess} at the end is taken as the winning tile; "
        complain(note + "say --winning-tile if it is another.")
    return reading


def _say_score(photo: Path, reading: Reading, result: Score | NotAWin, *, as_json: bool) -> None:
    if as_json:
        say_json(reading.to_json() | {"photo": text_of(photo)} | result.to_json())
        return
    say(*reading_report(reading).split("\n"))
    say(*score_report(result).split("\n"))


@app.command("score-hands")
def score_hands(
    source: Source = "-",
    *,
    ruleset: Ruleset,
    house: HouseFile = None,
    jobs: Jobs = 1,
    as_json: AsJson = False,  # noqa: ARG001
) -> None:
    """Score hands written as JSON, one a line; one result line each, in the same order."""
    from tilescore.scoring.game.stream import score_lines  # start-up time of the other commands

    stream(source, partial(score_lines, ruleset, options=house_option(house, ruleset)), jobs)


@app.command()
def settle(
    source: Source = "-",
    *,
    ruleset: Ruleset,
    house: HouseFile = None,
    jobs: Jobs = 1,
    as_json: AsJson = False,  # noqa: ARG001
) -> None:
    """Say who pays whom for deals written as JSON, one a line."""
    from tilescore.scoring.game.stream import settle_lines  # start-up time of the other commands

    stream(source, partial(settle_lines, ruleset, options=house_option(house, ruleset)), jobs)


@app.command()
def game(
    source: Source = "-",
    *,
    ruleset: Ruleset,
    players: Annotated[str, typer.Option(help="Names of the players with commas, East first.")] = "",
    option: RuleOptions = None,
    house: HouseFile = None,
    as_json: AsJson = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="A table on stdout, a row for each deal.")] = False,
) -> None:
    """Play a whole game of deals written as JSON, one a line: each deal, the standing, and the result."""
    from tilescore.scoring.game.whole import Whole  # start-up time of the other commands
    from tilescore.ui.cli.games.game import CSV, JSON, TEXT, play_game

    if as_json and as_csv:
        raise InputError("two_forms", "--json and --csv stand together: keep one of the two.")
    options = {**_options(option or []), **house_option(house, ruleset)}
    seats = find_ruleset(ruleset, options).traits.seats
    names = tuple(name.strip() for name in players.split(",")) if players else tuple("ABCD")[: len(seats)]
    whole = Whole.new(ruleset, names, options=options)
    play_game(source, whole, JSON if as_json else CSV if as_csv else TEXT)


@app.command()
def rules(*, ruleset: Ruleset, house: HouseFile = None, as_json: AsJson = False) -> None:
    """List every fan, yaku, doubling and option of a ruleset."""
    chosen = find_ruleset(ruleset, house_option(house, ruleset))
    if as_json:
        say_json(rules_json(chosen))
    else:
        say(*rules_report(chosen).split("\n"))


@app.command("app")
def run_app(
    *, port: Port = 8501, no_browser: NoBrowser = False, share_lan: ShareLan = False, behind: Behind = None
) -> None:
    """Start the app in the browser."""
    if share_lan and behind is not None:
        raise InputError("two_doors", "--share-lan and --behind stand together: keep one of the two.")
    if share_lan:
        _share(port, browser=not no_browser)
    elif behind is not None:
        _share_behind(port, behind, browser=not no_browser)
    else:
        say(f"Tilescore: http://localhost:{port} (on this machine only; Ctrl+C ends it)")
        from tilescore.ui.server.server import serve  # loads what serves

        serve(port, browser=not no_browser)


def _share(port: int, *, browser: bool) -> None:
    from tilescore.ui.server.addresses import own_addresses
    from tilescore.ui.server.guests import Entrance
    from tilescore.ui.server.server import certificate_note, house_address, serve_house

    addresses, entrance = own_addresses(), Entrance(port, os.environ.get(PASSPHRASE), tell=say)
    say(
        "With --share-lan everybody in your network can reach this app once they give the passphrase: they can score",
        "hands with it, see the games kept on this machine and change them. Do this at home, not in a public network.",
    )
    _say_ways(entrance, [house_address(port, address) for address in addresses])
    say(*certificate_note(addresses).splitlines())
    if not addresses:
        complain("this machine has no address in a network now: connect it, then start again.")
    _say_passphrase(entrance)
    serve_house(port, entrance, names=addresses, browser=browser)


def _share_behind(port: int, behind: str, *, browser: bool) -> None:
    from tilescore.ui.server.behind.address import PublicAddress

    address = PublicAddress.parse(behind)  # before what serves is loaded
    from tilescore.ui.server.guests import Entrance
    from tilescore.ui.server.server import serve_behind

    entrance = Entrance(port, os.environ.get(PASSPHRASE), tell=say, place=str(address))
    say(
        f"With --behind everybody who reaches {address} can use this app once they give the passphrase: they can",
        "score hands with it, see the games kept on this machine and change them.",
    )
    _say_ways(entrance, [str(address)])
    say(f"The proxy passes on to http://localhost:{port}; nobody else reaches that from another machine.")
    _say_passphrase(entrance)
    serve_behind(port, entrance, address=address, browser=browser)


def _say_ways(entrance: Entrance, guests: Sequence[str]) -> None:
    """Say by which addresses the host and the guests come in, the first one also as a code for phones."""
    from tilescore.ui.server.guest_list import PATH
    from tilescore.ui.server.server import code_of

    say(f"For you: {entrance.link} (works once; only you may have this link)")
    say(f"Who is in, and end it: {entrance.place}{PATH}")
    for address in guests:
        say(f"For guests: {address}")
    for address in guests[:1]:
        say(*code_of(address).splitlines())


def _say_passphrase(entrance: Entrance) -> None:
    say(f"Passphrase: {entrance.shown or 'that of ' + PASSPHRASE} (Ctrl+C ends everything)")


def _options(pairs: Iterable[str]) -> dict[str, Any]:
    """The options in NAME=VALUE pairs; a value that is a JSON number or boolean becomes one, `True` like `true`."""
    options: dict[str, Any] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise InputError("bad_option", f"--option '{pair}': write NAME=VALUE.")
        if name in options:
            raise InputError("option_twice", f"--option {name} stands twice: keep one of the two.")
        try:
            options[name] = json.loads(value.lower() if value in ("True", "False") else value)
        except (ValueError, RecursionError):  # no JSON, or a number or nesting that Python refuses to read
            options[name] = value
    return options


if __name__ == "__main__":
    main()
