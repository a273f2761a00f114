"""What opens a shared app, who is inside, and how many guesses of the passphrase are compared."""

import asyncio
import hmac
import re
import secrets
import time
import unicodedata
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import pbkdf2_hmac, sha256
from pathlib import Path
from typing import Final

from tilescore.files.paths import data_folder, private_file
from tilescore.printable import printable
from tilescore.ui.server.config import LIMITS, ServerLimits

ENTRY: Final = "/enter"
"""Where people come in."""
_KEY_BYTES: Final = 24
_TICKET_BYTES: Final = 32
_SALT_BYTES: Final = 16
_MOST_LETTERS: Final = 40
_ALPHABET: Final = "abcdefghjkmnpqrstuvwxyz23456789"
"""Letters and digits that nobody takes for one another."""
_GROUPS: Final = (4, 4, 4)
_ENDED: Final = "ended-passphrases"
_ROUNDS: Final = 600_000
"""Rounds of the digest of an ended passphrase, as OWASP advises for PBKDF2 with SHA-256."""
LEAST_STRENGTH: Final = 3
"""Least strength of a passphrase by zxcvbn, of 0 to 4: 3 stands for more than a hundred million guesses."""


def fresh_passphrase() -> str:
    """A random passphrase of 59 bits, such as `k7mf-2xqp-9dhw`."""
    return "-".join("".join(secrets.choice(_ALPHABET) for _ in range(size)) for size in _GROUPS)


def is_strong(passphrase: str) -> bool:
    """Whether guessing this passphrase takes long, by zxcvbn's lists of usual words, names and patterns."""
    from zxcvbn import zxcvbn  # its lists take a tenth of a second

    return bool(zxcvbn(passphrase[:_MOST_LETTERS])["score"] >= LEAST_STRENGTH)


def was_ended(passphrase: str) -> bool:
    """Whether a host on this machine has ended the access of somebody who knew this passphrase."""
    with suppress(OSError, ValueError):
        lines = (data_folder() / _ENDED).read_text(encoding="ascii").splitlines()
        return any(hmac.compare_digest(line, _slow_digest(passphrase, line.partition(":")[0])) for line in lines)
    return False


class Entrance:
    """What opens a shared app: a passphrase for guests, and a key for the host that works once.

    Both change while the app runs: the passphrase after somebody was ended, the key after its use. `tell` gets a
    sentence about each change, for the host's terminal.
    """

    def __init__(self, port: int, given: str | None = None, *, tell: Callable[[str], None], place: str = "") -> None:
        """Begin with the passphrase of the host, or else with a made one, for the server on that port.

        The host comes in at `place`, an address with the base path of a proxy if it has one; else on this machine.
        """
        self.passphrase = given or fresh_passphrase()
        self.shown = "" if given else self.passphrase
        """The passphrase as the host's list shows it: one that the program made; empty for the host's own."""
        self._key = secrets.token_urlsafe(_KEY_BYTES)
        self._port = port
        self.place = place or f"https://localhost:{port}"
        self._tell = tell

    @property
    def link(self) -> str:
        """The link by which the host comes in. Browsers send no part of it after the `#` before a press or a script."""
        return f"{self.place}{ENTRY}#{self._key}"

    def opens(self, said: str) -> bool:
        """Whether these words are the passphrase, however the keyboard composes the letters."""
        return hmac.compare_digest(_digest(_composed(said)), _digest(_composed(self.passphrase)))

    def change_passphrase(self) -> None:
        """Make another passphrase: the people who know the present one do not come in with it again.

        The digest of the host's own one is kept, so that it opens no later start either.
        """
        if not self.shown:
            with suppress(OSError), private_file(data_folder() / _ENDED).open("a", encoding="ascii") as file:
                file.write(f"{_slow_digest(self.passphrase, secrets.token_hex(_SALT_BYTES))}\n")
            self._tell("The passphrase that you gave is ended: give another one at the next start.")
        self.passphrase = self.shown = fresh_passphrase()
        self._tell(f"Passphrase from now on: {self.shown} (somebody's access was ended)")

    def takes_key(self, said: str) -> bool:
        """Whether this is the key; another one takes its place."""
        if not hmac.compare_digest(_digest(said), _digest(self._key)):
            return False
        self._key = secrets.token_urlsafe(_KEY_BYTES)
        self._redirect.unlink(missing_ok=True)
        self._tell(f"For you, the next time: {self.link} (works once; only you may have this link)")
        return True

    def private_page(self) -> str:
        """The address of a file that leads to `link`, readable by this user alone; empty if it cannot be written.

        The command line of a browser, which every user of the machine can read, names the file and not the key.
        """
        text = (
            '<!doctype html><meta charset="utf-8"><title>Tilescore</title><meta name="referrer" content="no-referrer">'
            f'<meta http-equiv="refresh" content="0; url={self.link}"><a href="{self.link}">Tilescore</a>\n'
        )
        try:
            private_file(self._redirect).write_text(text, encoding="utf-8")
        except OSError:
            return ""
        return self._redirect.absolute().as_uri()

    @property
    def _redirect(self) -> Path:
        return data_folder() / f"host-{self._port}.html"


@dataclass(slots=True, eq=False)
class Guest:
    """One person inside the app: everything that came in from one address, or the host."""

    number: int  # the number in the host's list
    address: str  # the network address; empty for the host, who may come from several
    is_host: bool  # whether this is the person who started the program
    came_at: datetime = field(default_factory=lambda: datetime.now(tz=UTC))  # when the person came in first
    # the devices by the digests of their cookies, in the order in which they came in
    entries: dict[bytes, str] = field(default_factory=dict)
    pages: set[asyncio.Task[None]] = field(default_factory=set)  # the sockets of the open pages

    @property
    def devices(self) -> tuple[str, ...]:
        """What the browsers say about their devices, each once."""
        return tuple(dict.fromkeys(self.entries.values()))


class Guests:
    """Everybody inside.

    A browser without a cookie can come in again and again, under any name of a device. An address stands for a person:
    in a home network, each device has one.
    """

    def __init__(self, limits: ServerLimits = LIMITS) -> None:
        self._people: dict[tuple[bool, str], Guest] = {}  # by whether it is the host, and the address
        self._numbers = 0
        self._limits = limits

    def admit(self, address: str, browser: str, *, is_host: bool = False) -> str:
        """Let a browser in; returns the value of its cookie, which nobody else has.

        The earliest cookie of a person with too many of them ends.
        """
        ticket = secrets.token_urlsafe(_TICKET_BYTES)
        who = (is_host, "" if is_host else address)
        if who not in self._people:
            self._numbers += 1
            self._people[who] = Guest(self._numbers, who[1], is_host)
        entries = self._people[who].entries
        entries[_digest(ticket)] = device_of(browser)
        if len(entries) > self._limits.entries_a_guest:
            del entries[next(iter(entries))]
        return ticket

    def find(self, ticket: str) -> Guest | None:
        """The person with this cookie."""
        digest = _digest(ticket)
        return next((guest for guest in self._people.values() if digest in guest.entries), None)

    def listed(self) -> tuple[Guest, ...]:
        """Everybody inside except the host, in the order in which they came."""
        return tuple(guest for guest in self._people.values() if not guest.is_host)

    def may_open(self, guest: Guest) -> bool:
        """Whether this person may open one more page; the host may always."""
        together = sum(len(listed.pages) for listed in self.listed())
        mine, all_ = self._limits.pages_a_guest, self._limits.pages_of_guests
        return guest.is_host or (len(guest.pages) < mine and together < all_)

    def end(self, number: str) -> bool:
        """End all cookies of the guest with this number and close the pages; returns whether there is such a guest."""
        ended = [guest for guest in self.listed() if str(guest.number) == number]
        for guest in ended:
            del self._people[False, guest.address]
            for page in guest.pages:
                page.cancel()
        return bool(ended)


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
    match = re.search(r"\(([^;)]*)", browser)
    return printable(match[1].strip() if match else "")[:_MOST_LETTERS]


def _digest(secret: str) -> bytes:
    """A digest of one length to compare or to look up: the time that takes tells nothing about the secret."""
    return sha256(secret.encode(errors="surrogatepass")).digest()


def _slow_digest(passphrase: str, salt: str) -> str:
    """The salt and a digest that takes long to guess: the file with it may get into other hands."""
    secret = _composed(passphrase).encode(errors="surrogatepass")
    return f"{salt}:{pbkdf2_hmac('sha256', secret, bytes.fromhex(salt), _ROUNDS).hex()}"


def _composed(text: str) -> str:
    return unicodedata.normalize("NFKC", text)
