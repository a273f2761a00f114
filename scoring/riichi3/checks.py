"""What three-player riichi does not have: a fourth seat, 2 to 8 characters, claimed sequences, other bonus tiles."""

from collections.abc import Iterable
from typing import Final

from tilescore.errors import ContextError, HandError
from tilescore.scoring.context import Context, Seat
from tilescore.scoring.deal import Deal
from tilescore.scoring.hand import Hand, MeldKind
from tilescore.scoring.riichi3.options import Counting3
from tilescore.scoring.tiles import NORTH, PLAYING_TILES, RED_FIVES, format_tiles

ABSENT: Final = frozenset(tile for tile in (*PLAYING_TILES, *RED_FIVES) if tile.suit == "m" and not tile.is_terminal)
"""2 to 8 characters, red five included."""


def check_hand(hand: Hand, context: Context, counting: Counting3) -> None:
    """Raise InputError for a seat, a meld, a tile or norths that this game does not have."""
    check_seats(filter(None, (context.seat, context.round, context.discarder)))
    chow = next((meld for meld in hand.melds if meld.kind is MeldKind.CHOW), None)
    if chow is not None:
        raise HandError(
            "chow_not_allowed",
            f"{chow} is a claimed sequence: three-player riichi has none; leave the tiles among the concealed ones.",
            tiles=format_tiles(chow.tiles),
        )
    tiles = (*hand.tiles, *context.dora_indicators, *context.ura_dora_indicators, *context.discards)
    absent = next((tile for tile in tiles if tile in ABSENT), None)
    if absent is not None:
        raise HandError(
            "tile_not_in_game",
            f"{absent} is not in three-player riichi, which has 1m and 9m alone of the characters; correct the tile.",
            tile=str(absent),
        )
    if hand.bonus:
        _check_norths(hand, counting)


def check_deal(deal: Deal, counting: Counting3) -> None:
    """Raise InputError for a seat that this game does not have, or a hand that it cannot have."""
    check_seats(deal.seats)
    for hand, context in deal.hands.values():
        check_hand(hand, context, counting)


def check_seats(seats: Iterable[Seat]) -> None:
    """Raise ContextError if North is among them."""
    if Seat.NORTH in seats:
        raise ContextError(
            "seat_not_in_game",
            "N is no seat in three-player riichi, nor the wind of a round: seats are E, S and W; correct it.",
            seat="N",
        )


def _check_norths(hand: Hand, counting: Counting3) -> None:
    """Raise HandError unless the bonus tiles are norths that can lie aside."""
    aside = format_tiles(hand.bonus)
    count = len(hand.bonus) + hand.tiles.count(NORTH)
    if any(tile is not NORTH for tile in hand.bonus):
        fault = f"'{aside}' in 'bonus': three-player riichi has norths there (4z) and nothing else; correct the tiles."
    elif count > NORTH.copies:
        fault = f"{count} norths in the hand and set aside: a set holds {NORTH.copies}; correct the tiles."
    elif counting.north == "yakuhai":
        fault = f"'{aside}' in 'bonus': with the option north=yakuhai no north is set aside; keep it in the hand."
    else:
        return
    raise HandError("bad_norths", fault, tiles=aside)
