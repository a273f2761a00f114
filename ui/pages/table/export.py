"""Exports of a game: a spreadsheet, everything as JSON, a page to print."""

import csv
import io
import json
from html import escape
from pathlib import Path
from typing import Final

from tilescore.printable import spreadsheet_cell
from tilescore.scoring.game.ledger import Game
from tilescore.scoring.progression import PLAYERS
from tilescore.ui.components.game.chart import chart_markup
from tilescore.ui.words.game import deals, ended, joined, rules_of, where
from tilescore.ui.words.text import grouped, language, words

_STYLE: Final = Path(__file__).with_name("print.css")


def to_csv(game: Game) -> bytes:
    """A CSV line for each deal: its position, what happened, the change and the total of each player.

    The first bytes are the mark by which Excel knows UTF-8: without it names with accents are unreadable there.

    >>> from tilescore.scoring.game.ledger import Game
    >>> to_csv(Game.new("mcr", ("Ann", "Ben", "=1+1", "Dan"))).decode("utf-8-sig").splitlines()[0].split(",")[7]
    "'=1+1 +/-"
    """
    text = io.StringIO()
    sheet = csv.writer(text)
    names = [spreadsheet_cell(name) for name in game.players]
    head = ["ledger.deal", "export.round", "export.honba", "export.deposits", "export.what"]
    changes, totals = ([words(f"export.{what}_of", name=name) for name in names] for what in ("change", "total"))
    sheet.writerow([*map(words, head), *changes, *totals])
    for number, entry in enumerate(game.entries, start=1):
        at = entry.position
        place = (number, where(at), at.honba, at.deposits, spreadsheet_cell(ended(game, number)))
        sheet.writerow([*place, *entry.changes, *entry.totals])
    return text.getvalue().encode("utf-8-sig")


def to_json(game: Game) -> str:
    """The whole game, which `Game.parse` reads back."""
    return json.dumps(game.to_json(), ensure_ascii=False, indent=2)


def about(game: Game, begun: str) -> str:
    """The day, the ruleset and the number of deals of a game that began on that day, in one line."""
    rules = words("export.begun", ruleset=rules_of(game), deals=deals(len(game.records)))
    return " · ".join(filter(None, (begun, rules)))


def to_html(game: Game, begun: str = "") -> str:
    """One page without other files, to print or to send, of a game that began on that day."""
    title = escape(words("export.title", names=joined(game.players)))
    return (
        f'<!doctype html><html lang="{language()}"><head><meta charset="utf-8"><title>{title}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{_STYLE.read_text(encoding="utf-8")}</style></head>'
        f"<body><h1>{title}</h1><p>{escape(about(game, begun))}</p>{standings_markup(game)}{chart_markup(game)}"
        f"{ledger_markup(game)}</body></html>"
    )


def standings_markup(game: Game) -> str:
    """The players from first to last, with what the end adds to the points of the ledger."""
    rows = []
    for line in game.standings:
        sticks = line.points - game.totals[PLAYERS.index(line.player)]
        added = {"why.deposits": sticks, "why.chombo": -line.penalty}
        apart = "".join(f"<br><small>{words(why)} {grouped(n, signed=True)}</small>" for why, n in added.items() if n)
        uma = f" <small>{words('standings.uma', n=grouped(line.result))}</small>" if line.result != line.points else ""
        rows.append(
            f'<li><span class="rank">{line.rank}</span><span class="name" dir="auto">{escape(line.name)}</span>'
            f"<span><b>{grouped(line.points)}</b>{uma}{apart}</span></li>"
        )
    how = any(line.result != line.points for line in game.standings)
    below = f"<p><small>{words('standings.how')}</small></p>" if how else ""
    return f'<ol class="ranks">{"".join(rows)}</ol>{below}'


def ledger_markup(game: Game, *, marked: int | None = None) -> str:
    """The deals with their changes, and the totals below."""
    names = "".join(f'<th scope="col" dir="auto" title="{escape(name)}">{escape(name)}</th>' for name in game.players)
    rows = []
    for number, entry in enumerate(game.entries, start=1):
        cells = "".join(
            f'<td class="{"up" if change > 0 else "down" if change < 0 else ""}">'
            f"{grouped(change, signed=bool(change))}</td>"
            for change in entry.changes
        )
        kind = " marked" if number == marked else ""
        rows.append(
            f'<tr class="sums{kind}"><th scope="row">{number}. {where(entry.position)}</th>{cells}</tr>'
            f'<tr class="what{kind}"><td colspan="{len(game.players) + 1}">{escape(ended(game, number))}</td></tr>'
        )
    totals = "".join(f"<td>{grouped(total)}</td>" for total in game.totals)
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{words("ledger")}"><table><thead><tr>'
        f'<th scope="col">{words("ledger.deal")}</th>{names}</tr></thead><tbody>{"".join(rows)}</tbody>'
        f'<tfoot><tr><th scope="row">{words("ledger.total")}</th>{totals}</tr></tfoot></table></div>'
    )


def file_name(game: Game, ending: str) -> str:
    """A file name that every system accepts."""
    letters = "-".join("".join(letter for letter in name if letter.isalnum()) for name in game.players)
    return f"tilescore-{letters[:60].lower()}.{ending}"
