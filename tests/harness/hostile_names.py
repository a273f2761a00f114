"""Pages of the app on which names and links are hostile: nothing runs, nothing is a link, nothing is fetched."""

from __future__ import annotations

import math
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice, product
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from tests.harness.app_process import DESK, PATIENCE, running_app
from tilescore.scoring.context import Context, Seat, WinBy
from tilescore.scoring.deal import Deal
from tilescore.scoring.game.ledger import Game
from tilescore.scoring.hand import Hand
from tilescore.scoring.progression import PLAYERS
from tilescore.scoring.ruleset import RULESETS
from tilescore.scoring.ruleset import ruleset as named
from tilescore.ui.storage.ledger_store import LedgerStore

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

_PAYLOADS: Final = (
    "www.evil.example", "http://evil.example", "ann@evil.example", "![x](http://evil.example/x.png)",
    "[x](http://evil.example)", "<http://evil.example>", "<img src=x onerror=window.hit=1>",
    "<script>window.hit=1</script>", "[x](javascript:window.hit=1)", '"><svg onload=window.hit=1>',
    "<a href=http://evil.example>x</a>", "<iframe src=http://evil.example>", "$$\\href{http://evil.example}{x}$$",
    "<style>@import 'http://evil.example'</style>", "mailto:ann@evil.example", "[x]: http://evil.example",
    ":material/x: :red[x](http://evil.example)", "&lt;img src=http://evil.example&gt;",
)  # fmt: skip
_AROUND: Final = ("{}", "- {}", "\u202e{}\x1b")
NAMES: Final = tuple(islice((around.format(text) for around, text in product(_AROUND, _PAYLOADS)), 53))
"""Hostile names of players and values of links."""
_HAND: Final = "123m345678p99s567s +5s"
_DEAL: Final = Deal(winner=Seat.EAST, hands={Seat.EAST: (Hand.parse(_HAND), Context(win_by=WinBy.SELF_DRAW))})
_SEEN: Final = """() => {
  const all = (root) => [...root.querySelectorAll("*")].flatMap((one) =>
    [one, ...(one.shadowRoot ? all(one.shadowRoot) : [])]);
  const foreign = (one) => ["href", "src", "xlink:href"].some((name) => {
    const value = one.getAttribute(name);
    return value && !["data:", "blob:"].some((kind) => value.startsWith(kind))
      && new URL(value, location).origin !== location.origin;
  });
  return [window.hit ? 1 : 0, all(document).filter(foreign).length];
}"""


@dataclass(slots=True)
class Seen:
    """What happened on the pages."""

    states: int = 0  # the number of pages looked at
    scripts: int = 0  # pages on which a script from a name ran
    links: int = 0  # links and sources that lead elsewhere
    requests: list[str] = field(default_factory=list)  # requests to elsewhere


def seen(folder: Path, names: tuple[str, ...], browser: Browser) -> Seen:
    """Look at the list of games, the league, an open game and an ended one of four names each, and two links a name.

    There are games in all rulesets, so some names may sit at two tables. Each name is a tag, too. `names` has at least
    four.
    """
    store, found = LedgerStore(folder / "games.sqlite3"), Seen()
    tables = max(len(RULESETS), math.ceil(len(names) / len(PLAYERS)))
    games = []
    for number in range(tables):
        players = tuple(names[(len(PLAYERS) * number + seat) % len(names)] for seat in range(len(PLAYERS)))
        games.append(_games(store, players, [*RULESETS][number % len(RULESETS)]))
    for name in names:
        store.begin(Game.new("riichi", names[: len(PLAYERS)]).play(_DEAL).then(tag=name))
    places = ["table", "history", *(f"table?game={game}" for both in games for game in both)]
    for number, name in enumerate(names):
        wrong = ("hand", "rules", "by", "seat", "with", "dora", "honba")[number % 7]
        links = ({"hand": _HAND} | {wrong: name}, {"hand": name, "rules": "mcr"})
        places += [f"?{urlencode(link)}" for link in links]
    with _page(folder, found, browser) as (address, page):
        for place in places:
            page.goto(f"{address}/{place}")
            page.locator("header.ts-head").wait_for()
            page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()
            scripts, elsewhere = page.evaluate(_SEEN)
            found.states += 1
            found.scripts += scripts
            found.links += elsewhere
    return found


def _games(store: LedgerStore, players: tuple[str, ...], ruleset: str) -> tuple[str, str]:
    """A game with a deal, and an ended one, of these players."""
    players = players[: len(named(ruleset).traits.seats)]
    begun = store.begin(Game.new(ruleset, players))
    if ruleset == "riichi":
        begun = store.save(begun, begun.game.play(_DEAL), kind="deal")
    ended = store.begin(begun.game.close())
    return begun.id, ended.id


@contextmanager
def _page(folder: Path, found: Seen, browser: Browser) -> Iterator[tuple[str, Page]]:
    with running_app(folder) as address:
        page = browser.new_page(**DESK)
        page.set_default_timeout(30_000 * PATIENCE)
        own = (address, address.replace("http", "ws"), "data:", "blob:")
        page.on("request", lambda asked: None if asked.url.startswith(own) else found.requests.append(asked.url))
        page.on("dialog", lambda dialog: dialog.dismiss())
        yield address, page
        page.context.close()
