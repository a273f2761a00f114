"""A game in the list of games: what is kept of it beside its document, so that the list need not replay the deals."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import Any, Final

from tilescore.scoring.context import SEATS
from tilescore.scoring.game.ledger import Game
from tilescore.scoring.game.statistics import PlayerTally, tallies_of
from tilescore.scoring.payments import exact
from tilescore.scoring.ruleset import RULESETS
from tilescore.ui.storage.copies.fields import HALVES, FileField
from tilescore.ui.storage.game_log import MOST_DEALS
from tilescore.ui.storage.salvage import GameRow

_MOST_POINTS: Final = 10**15
"""Most points of a player, which a table may count in quarters."""
_TALLIED: Final = tuple(one.name for one in fields(PlayerTally) if one.name != "name")
"""What is kept of each player."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """A game in the list of games."""

    id: str
    ruleset: str
    players: tuple[str, ...]
    totals: tuple[float, ...]
    deals: int
    round: str
    number: int
    over: bool
    begun_at: datetime
    changed_at: datetime
    tag: str = ""
    tallies: tuple[PlayerTally, ...] | None = None
    """What each player did; None if an earlier version wrote the row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameListing:
    """What the file holds."""

    games: tuple[Summary, ...]  # the whole games of the list, the last changed first
    removed: tuple[Summary, ...] = ()  # the whole games that were removed from the list, likewise
    damaged: tuple[str, ...] = ()  # the names of games that are damaged
    whole: bool = True  # whether everything that was kept can be accounted for


@dataclass(frozen=True, slots=True, kw_only=True)
class GameCopy:
    """A game that comes in, or goes out."""

    game: Game
    photos: Mapping[str, bytes] = field(default_factory=dict)  # its photos by the hand that each shows
    # begun_at, changed_at: when it began and was changed last; empty for now
    begun_at: str = ""
    changed_at: str = ""
    hidden: bool = False  # whether it was removed from the list


def summarised(game: Game, booked: tuple[float, ...] = ()) -> str:
    """The text that the file keeps of a game, with totals booked by other rules; `summary_of` reads it."""
    data = {
        "ruleset": game.ruleset_name,
        "players": game.players,
        "totals": booked or game.totals,
        "deals": len(game.records),
        "round": game.position.round,
        "number": game.position.number,
        "over": game.over,
        "tag": game.tag,
        "tallies": [{name: getattr(tally, name) for name in _TALLIED} for tally in tallies_of(game)],
    }
    return json.dumps(data, ensure_ascii=False)


def summary_of(row: GameRow) -> Summary | None:
    """The game of that row for the list; None if the row is damaged, or holds what no game can have."""
    if not row.intact:
        return None
    try:
        data = FileField(json.loads(row.summary), "summary")
        return Summary(
            id=row.id,
            ruleset=data.member("ruleset").one_of(RULESETS),
            players=tuple(name.text(most=MOST_DEALS, barred=HALVES) for name in data.member("players").items(most=4)),
            totals=tuple(
                exact(total.number(-_MOST_POINTS, _MOST_POINTS)) for total in data.member("totals").items(most=4)
            ),
            deals=data.member("deals").whole(0, MOST_DEALS),
            round=data.member("round").one_of(SEATS),
            number=data.member("number").whole(1, MOST_DEALS),
            over=data.member("over").flag(),
            begun_at=FileField(row.begun_at, "begun_at").time(),
            changed_at=FileField(row.changed_at, "changed_at").time(),
            tag=data.member("tag").text(most=MOST_DEALS, barred=HALVES) if "tag" in data.value else "",
            tallies=_tallies(data.value),
        )
    except (TypeError, ValueError, RecursionError):  # a BackupError is a ValueError
        return None


def _tallies(data: dict[str, Any]) -> tuple[PlayerTally, ...] | None:
    """What each player did, as the file keeps it. The checksum of its row is right, so that this program wrote it.

    None if an earlier version wrote it, which kept lists of values and counted differently.
    """
    kept = data.get("tallies")
    if kept is None or any(not isinstance(tally, dict) or {*tally} != {*_TALLIED} for tally in kept):
        return None
    return tuple(
        PlayerTally(
            name=name, **tally | {"changes": tuple(tally["changes"]), "hands": tuple(map(tuple, tally["hands"]))}
        )
        for name, tally in zip(data["players"], kept, strict=True)
    )
