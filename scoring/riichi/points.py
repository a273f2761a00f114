"""The price of han and fu, and who pays it: document 004, tables of points; decisions S-RII (scoring/sources.md).

>>> price_of(4, 30)
Price(base=1920, limit=None)
>>> price_of(4, 30).total(dealer=False, self_drawn=False), price_of(4, 40).total(dealer=True, self_drawn=True)
(7700, 12000)
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from tilescore.scoring.context import SEATS, Seat
from tilescore.scoring.hand import From
from tilescore.scoring.payments import Step

DEALER: Final = Seat.EAST
STICK: Final = 1000
"""Points of a riichi deposit."""
MANGAN_HAN: Final = 5
YAKUMAN_HAN: Final = 13
CHOMBO: Final = 20_000
"""Points that a false mah-jong takes off the result with the choice `after_uma` (S-RII-23)."""
_YAKUMAN_BASE: Final = 8000
_LIMITS: Final = ((13, _YAKUMAN_BASE, "yakuman"), (11, 6000, "sanbaiman"), (8, 4000, "baiman"), (6, 3000, "haneman"))
PRICE_LIMITS: Final = (("mangan", MANGAN_HAN), *((name, han) for han, _, name in reversed(_LIMITS)))
"""The names of the limits with the least han that always reach them."""
_MANGAN_BASE: Final = 2000
_MOST_YAKUMAN: Final = 6
"""No hand counts more: big winds twice, four concealed pungs on a single wait twice, all honours, the first turn."""
_KIRIAGE: Final = ((4, 30), (3, 60))


@dataclass(frozen=True, slots=True)
class Price:
    """The base of all payments, and the name of the limit that set it, if any."""

    base: int
    limit: str | None = None

    def share(self, winner: Seat, payer: Seat) -> int:
        """Points that a player pays for a self-draw: twice the base to or from the dealer."""
        return _rounded_up(self.base * (2 if DEALER in (winner, payer) else 1))

    def ron(self, winner: Seat) -> int:
        """Points that a discarder pays."""
        return _rounded_up(self.base * (6 if winner is DEALER else 4))

    def total(self, *, dealer: bool, self_drawn: bool) -> int:
        """Points that the winner receives from the others at a table of four, without honba and deposits."""
        if not self_drawn:
            return _rounded_up(self.base * (6 if dealer else 4))
        double = _rounded_up(self.base * 2)
        return 3 * double if dealer else double + 2 * _rounded_up(self.base)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Table:
    """Who sits at a table, and what they pay; one object for each kind of table, so that identity compares it."""

    seats: tuple[Seat, ...]  # the seats of the players, in turn order
    # honba_ron, honba_each: points for a honba, from a discarder, or from each payer of a self-draw
    honba_ron: int
    honba_each: int
    not_ready: int  # points that change hands at an exhaustive draw
    # what becomes of the payment of North on a self-draw, as the option of three players says (S-SAN-2)
    tsumo: str = "loss"
    liable_pays_ron: bool = False  # whether a liable player pays for a self-draw what a discard would cost (S-SAN-6)

    def others_of(self, seat: Seat) -> tuple[Seat, ...]:
        """The other seats in turn order from that seat."""
        return tuple(other for other in map(seat.after, (1, 2, 3)) if other in self.seats)

    def share(self, price: Price, winner: Seat, payer: Seat) -> int:
        """Points that a player pays for a self-draw."""
        own = price.share(winner, payer)
        if self.tsumo == "plus_1000":
            return own + 1000
        if self.tsumo == "loss":
            return own
        north, payers = price.share(winner, Seat.NORTH), self.others_of(winner)
        if self.tsumo == "bisect":
            return own + _rounded_up(north // 2)
        shares = {other: 2 if DEALER in (winner, other) else 1 for other in payers}
        return own + _rounded_up(-(-north * shares[payer] // sum(shares.values())))

    def total(self, price: Price, winner: Seat, *, self_drawn: bool) -> int:
        """Points that the winner receives from the others, without honba and deposits."""
        if not self_drawn or self is FOUR_PLAYERS:
            return price.total(dealer=winner is DEALER, self_drawn=self_drawn)
        return sum(self.share(price, winner, payer) for payer in self.others_of(winner))

    def places(self, seat: Seat, other: Seat) -> tuple[From | None, ...]:
        """The places at which a player may see another one: across an empty seat, or with nobody between (S-SAN-6)."""
        around = self.seats.index(other) - self.seats.index(seat)
        return _PLACES[len(SEATS)][seat.steps_to(other)], _PLACES[len(self.seats)][around % len(self.seats)]


_PLACES: Final = {3: (None, From.RIGHT, From.LEFT), 4: (None, From.RIGHT, From.ACROSS, From.LEFT)}
"""The place of a player that many turns after oneself, by the number of seats."""
FOUR_PLAYERS: Final = Table(seats=SEATS, honba_ron=300, honba_each=100, not_ready=3000)

MANGAN: Final = Price(_MANGAN_BASE, "mangan")


@lru_cache(maxsize=1024)
def price_of(han: int, fu: int, *, kiriage: bool = False, kazoe: str = "yakuman") -> Price:
    """The price of ordinary yaku; the option `kazoe` makes 13 han and more a yakuman or a sanbaiman (S-RII-10)."""
    for least, base, name in _LIMITS:
        if han >= least and name != ("yakuman" if kazoe == "sanbaiman" else ""):
            return Price(base, name)
    base = fu * 2 ** (2 + han)
    if han == MANGAN_HAN or base > _MANGAN_BASE or (kiriage and (han, fu) in _KIRIAGE):
        return MANGAN
    return Price(base)


def price_of_known(han: int, fu: int, *, kiriage: bool = False, kazoe: str = "yakuman", add_up: bool = True) -> Price:
    """The price of han as a score says them: 13 for each yakuman, else those of ordinary yaku.

    Several yakuman cost no more than one unless they `add_up` (option `yakuman_add_up`).
    """
    times, rest = divmod(han, YAKUMAN_HAN)
    if not rest and times <= _MOST_YAKUMAN:
        return price_of_yakuman(times if add_up else 1)
    return price_of(han, fu, kiriage=kiriage, kazoe=kazoe)


def price_of_yakuman(times: int) -> Price:
    """The price of that many yakuman in one hand (S-RII-11)."""
    return Price(_YAKUMAN_BASE * times, "yakuman")


def win_steps(
    price: Price, winner: Seat, discarder: Seat | None, honba: int, *, table: Table = FOUR_PLAYERS
) -> Iterator[Step]:
    """Payments of a win; `discarder` None means a self-draw."""
    if discarder is not None:
        yield Step(discarder, winner, price.ron(winner), "discard")
        yield Step(discarder, winner, table.honba_ron * honba, "honba")
        return
    for payer in table.others_of(winner):
        yield Step(payer, winner, table.share(price, winner, payer), "self_draw")
        yield Step(payer, winner, table.honba_each * honba, "honba")


def liable_steps(
    fed: Price,
    rest: Price,
    winner: Seat,
    discarder: Seat | None,
    *,
    liable: Seat,
    honba: int,
    honba_from: str = "liable",
    table: Table = FOUR_PLAYERS,
) -> Iterator[Step]:
    """Payments of a yakuman whose last open set `liable` fed (包, S-RII-17).

    The liable player pays all of it and the honba on a self-draw, half of it on another player's discard; the choice
    `honba_from` says who pays the honba then. `fed` is the price of what the player is liable for, `rest` the price of
    other yakuman of the hand, which are paid as usual.
    """
    if discarder is liable:
        both = Price(fed.base + rest.base, fed.limit)
        yield from win_steps(both, winner, discarder, honba, table=table)
        return
    whole = table.total(fed, winner, self_drawn=discarder is None and not table.liable_pays_ron)
    if discarder is None:
        yield Step(liable, winner, whole, "liable")
    else:
        yield Step(liable, winner, whole // 2, "liable")
        yield Step(discarder, winner, whole // 2, "discard")
    payer = discarder if honba_from == "discarder" and discarder is not None else liable
    yield Step(payer, winner, table.honba_ron * honba, "honba")
    yield from win_steps(rest, winner, discarder, 0, table=table)


def ready_steps(ready: tuple[Seat, ...], table: Table = FOUR_PLAYERS) -> Iterator[Step]:
    """Payments of an exhaustive draw, from the hands that are not ready to those that are (S-RII-21)."""
    unready = tuple(seat for seat in table.seats if seat not in ready)
    if ready and unready:
        for source in unready:
            for target in ready:
                yield Step(source, target, table.not_ready // (len(ready) * len(unready)), "not_ready")


def chombo_steps(culprit: Seat, table: Table = FOUR_PLAYERS) -> Iterator[Step]:
    """Payments of a false mah-jong: a mangan the other way round (S-RII-23)."""
    for seat in table.others_of(culprit):
        yield Step(culprit, seat, table.share(MANGAN, culprit, seat), "chombo")


def _rounded_up(points: int) -> int:
    return -(-points // 100) * 100
