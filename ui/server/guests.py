"""Who is inside a shared app: a cookie for each guest, which the host sees and can end, and the count of guesses."""

from __future__ import annotations

import re
import secrets
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from tilescore.base.printable import printable
from tilescore.ui.server.config import LIMITS, ServerLimits

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable

_TICKET_BYTES: Final = 32
_MOST_LETTERS: Final = 40
_ALPHABET: Final = "abcdefghjkmnpqrstuvwxyz23456789"
"""Letters and digits that nobody takes for one another."""
_GROUPS: Final = (4, 4, 4)
LEAST_STRENGTH: Final = 3
"""Least strength of a passphrase by zxcvbn, of 0 to 4: 3 stands for more than a hundred million guesses."""


def fresh_passphrase() -> str:
    """A random passphrase of 59 bits, such as `k7mf-2xqp-9dhw`."""
    return "-".join("".join(secrets.choice(_ALPHABET) for _ in range(size)) for size in _GROUPS)


def is_strong(passphrase: str) -> bool:
    """Whether guessing this passphrase takes long, by zxcvbn's lists of usual words, names and patterns."""
    from zxcvbn import zxcvbn  # its lists take a tenth of a second

    return bool(zxcvbn(passphrase[:_MOST_LETTERS])["score"] >= LEAST_STRENGTH)


@dataclass(slots=True, eq=False)
class Guest:
    """One browser inside the app.

    Attributes:
        number: its number in the host's list.
        address: the network address from which it came.
        device: what its browser says about the device.
        is_host: whether it belongs to the person who started the program.
        came_at: when it came in.
        pages: the sockets of its open pages.
    """

    number: int
    address: str
    device: str
    is_host: bool
    came_at: datetime = field(default_factory=lambda: datetime.now(tz=UTC))
    pages: set[asyncio.Task[None]] = field(default_factory=set)


class Guests:
    """All browsers inside, by the digest of their cookie."""

    def __init__(self) -> None:
        self._inside: dict[bytes, Guest] = {}
        self._numbers = 0

    def admit(self, address: str, browser: str, *, is_host: bool = False) -> str:
        """Let a browser in; returns the value of its cookie, which nobody else has."""
        ticket = secrets.token_urlsafe(_TICKET_BYTES)
        self._numbers += 1
        self._inside[_digest(ticket)] = Guest(self._numbers, address, device_of(browser), is_host)
        return ticket

    def find(self, ticket: str) -> Guest | None:
        """The guest with this cookie."""
        return self._inside.get(_digest(ticket))

    def listed(self) -> tuple[Guest, ...]:
        """Everybody inside except the host, in the order in which they came."""
        return tuple(guest for guest in self._inside.values() if not guest.is_host)

    def end(self, number: int) -> None:
        """End this guest's cookie and close its pages."""
        for digest, guest in [*self._inside.items()]:
            if guest.number == number and not guest.is_host:
                del self._inside[digest]
                for page in guest.pages:
                    page.cancel()


@dataclass(slots=True)
class Guesses:
    """The passphrases that may still be compared: a few of each address and some of all, which grow back.

    `take` counts a guess before it is compared, so that guesses which arrive together are all counted. One address
    cannot use up the guesses of the others.
    """

    limits: ServerLimits = LIMITS
    clock: Callable[[], float] = time.monotonic
    _spent: dict[str, tuple[float, float]] = field(default_factory=dict)

    def take(self, address: str) -> bool:
        """Count one guess of this address; returns whether it may be compared."""
        limits, everybody = self.limits, ""
        mine, all_ = self._now(address, limits.guesses_an_address), self._now(everybody, limits.guesses)
        if mine + 1 > limits.guesses_an_address or all_ + 1 > limits.guesses:
            return False
        self._spent[address] = mine + 1, self.clock()
        self._spent[everybody] = all_ + 1, self.clock()
        if len(self._spent) > 10 * limits.guesses:
            self._spent = {who: spent for who, spent in self._spent.items() if self._now(who, limits.guesses) > 0}
        return True

    def give_back(self, address: str) -> None:
        """Take a right guess out of the count."""
        for who in (address, ""):
            spent, at = self._spent.get(who, (0.0, 0.0))
            self._spent[who] = max(0.0, spent - 1), at

    def _now(self, who: str, most: int) -> float:
        """The guesses of this address that still count."""
        spent, at = self._spent.get(who, (0.0, 0.0))
        return max(0.0, spent - (self.clock() - at) * most / self.limits.guesses_s)


def device_of(browser: str) -> str:
    """The device in the `User-Agent` of a browser, for the host's list.

    >>> device_of("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15")
    'iPhone'
    """
    found = re.search(r"\(([^;)]*)", browser)
    return printable(found[1].strip() if found else "")[:_MOST_LETTERS]


def _digest(ticket: str) -> bytes:
    """A digest to look a cookie up by: the time of the look-up tells nothing about the cookies."""
    return sha256(ticket.encode(errors="replace")).digest()
