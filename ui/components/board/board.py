"""The whole screen for the standing and the last score of a game, to be read from across the table."""

from tilescore.scoring.context import Seat
from tilescore.scoring.game.ledger import Game
from tilescore.scoring.progression import PLAYERS
from tilescore.ui.components.assets import deck, draw
from tilescore.ui.words.game import counters, ended, where
from tilescore.ui.words.text import grouped, words


def board(game: Game) -> None:
    """Draw the button that opens it; while it is open, the device stays awake and each booking can be heard."""
    place, faces = game.position, deck()["faces"]
    changes = game.entries[-1].changes if game.entries else (0,) * len(PLAYERS)
    points = {line.player: line.points for line in game.standings}  # at the end with the sticks that were left
    most = max(points.values())
    seats = []
    for player in place.players:
        at, wind = PLAYERS.index(player), place.seat(player)
        seats.append(
            {
                "name": game.players[at],
                "points": grouped(points[player]),
                "change": grouped(changes[at], signed=True) if changes[at] else "",
                "face": faces[str(wind.wind)],
                "wind": words(f"seat.{wind}"),
                "dealer": wind is Seat.EAST and not game.over,
                "first": bool(game.entries) and points[player] == most,
            }
        )
    data = {
        "title": words("table.over") if game.over else where(place),
        "lines": [] if game.over else counters(game),
        "last": ended(game, len(game.records)) if game.records else "",
        "event": f"{len(game.records)} {game.totals}",
        "seats": seats,
        "words": {name: words(f"board.{name}") for name in ("open", "close", "sound")},
    }
    draw("board", key="board", data=data, width="content")
