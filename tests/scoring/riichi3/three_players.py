"""Hands of three-player riichi in one line for tests, in the words of `riichi_deal`, and random ones."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from tests.scoring.riichi.riichi_deal import circumstances as four_players
from tilescore.scoring.context import Context, Occasion, Seat, WinBy
from tilescore.scoring.hand import Hand, Meld
from tilescore.scoring.riichi3.options import PLAYERS
from tilescore.scoring.riichi3.ruleset import Riichi3
from tilescore.scoring.tiles import NORTH, PLAYING_TILES, RED_FIVES, Tile

if TYPE_CHECKING:
    from tilescore.scoring.score import NotAWin, Score

KINDS = tuple(tile for tile in PLAYING_TILES if tile.suit != "m" or tile.is_terminal)
"""The 27 kinds of the game."""


def circumstances(words: str) -> Context:
    """The context that these words describe; West wins on a discard of East, the others on one of West."""
    return four_players(f"{words} by=E" if words.startswith("W") and "by=" not in words else words)


def scored(hand: str, words: str = "", **options: object) -> Score | NotAWin:
    """The score of this hand."""
    return Riichi3.of(**options).score(Hand.parse(hand), circumstances(words))


def told(result: Score | NotAWin) -> str:
    """The lines of a result as `key` (`key*3` for more than one han, dora too), in order."""
    found = [(line.key.removeprefix("riichi3."), line.value * line.count) for line in result.lines]
    return " ".join(key if han == 1 else f"{key}*{han}" for key, han in found)


def lost(result: Score | NotAWin) -> set[str]:
    """The exclusions of a result, as `key:because`."""
    short = [(entry.key, entry.because.replace("because.", "")) for entry in result.excluded]
    return {f"{key.removeprefix('riichi3.')}:{because.removeprefix('riichi3.')}" for key, because in short}


def random_hand(dice: Random) -> tuple[Hand, Context] | None:
    """A complete hand with its circumstances; None if it needs more copies than a set has."""
    concealed, melds = [dice.choice(KINDS)] * 2, []
    for _ in range(4):
        tile = dice.choice(KINDS)
        draw = dice.random()
        if tile.suit in "ps" and tile.rank <= 7 and draw < 0.6:
            concealed += [Tile(tile.suit, tile.rank + step) for step in range(3)]
        elif draw < 0.7:
            concealed += [tile] * 3
        elif draw < 0.8:
            melds.append(Meld.of((tile,) * 4, concealed=dice.random() < 0.6))
        else:
            melds.append(Meld.of((tile,) * 3))
    fives = [place for place, tile in enumerate(concealed) if tile.rank == 5 and tile.suit in "ps"]
    for place in dice.sample(fives, k=min(len(fives), dice.randrange(2))):
        concealed[place] = next(tile for tile in RED_FIVES if tile.suit == concealed[place].suit)
    everything = [tile.plain for tile in (*concealed, *(tile for meld in melds for tile in meld.tiles))]
    if max(map(everything.count, everything)) > 4:
        return None
    aside = (NORTH,) * dice.randrange(5 - everything.count(NORTH))
    indicators = tuple(dice.sample([tile for tile in KINDS if everything.count(tile) < 3 and tile is not NORTH], k=2))
    seat, drawn = dice.choice(PLAYERS), dice.random() < 0.5
    others = [other for other in PLAYERS if other is not seat]
    riichi = all(meld.concealed for meld in melds) and dice.random() < 0.5
    context = Context(
        win_by=WinBy.SELF_DRAW if drawn else WinBy.DISCARD,
        discarder=None if drawn else dice.choice(others),
        seat=seat,
        round=dice.choice((Seat.EAST, Seat.SOUTH)),
        occasions=Occasion.RIICHI if riichi else Occasion.of(()),
        dora_indicators=indicators[:1],
        ura_dora_indicators=indicators[1:] if riichi else (),
        honba=dice.randrange(4),
        riichi_deposits=dice.randrange(4),
    )
    return Hand(tuple(concealed), tuple(melds), dice.choice(concealed), aside), context
