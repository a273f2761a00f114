"""The public address of an app that a reverse proxy serves: a name, a port and a base path."""

import re
from dataclasses import dataclass
from typing import Final, Self

from tilescore.errors import InputError
from tilescore.printable import printable

HTTPS_PORT: Final = 443
_LABEL: Final = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_HOST: Final = re.compile(rf"{_LABEL}(?:\.{_LABEL})*", re.ASCII | re.IGNORECASE)
_BASE: Final = re.compile(r"(?:/(?!\.{1,2}(?:/|$))[A-Za-z0-9._~-]+)*", re.ASCII)
_LONGEST: Final = 253
_SHOWN: Final = 100


@dataclass(frozen=True, slots=True)
class PublicAddress:
    """Where browsers find the app."""

    host: str  # the name in lower case
    port: int = HTTPS_PORT  # the port of the proxy
    base: str = ""  # the path below which the app lies, such as `/tilescore`; empty for the whole name

    def __str__(self) -> str:
        """The address as people write it, without a slash at the end."""
        return f"https://{self.host}{'' if self.port == HTTPS_PORT else f':{self.port}'}{self.base}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """The address that a text names; raises InputError with what is wrong in it.

        >>> PublicAddress.parse("https://Club.example.org:8443/mahjong/")
        PublicAddress(host='club.example.org', port=8443, base='/mahjong')
        """
        if "@" in text:  # the message must not show a password
            raise InputError("public_address", "--behind: leave the user and the password out of the address.")
        scheme, _, rest = text.partition("://")
        if scheme.lower() != "https" or not rest:
            raise _refused(text, "an address begins with https://")
        place, slash, path = rest.partition("/")
        if set(rest) & set("?#"):
            raise _refused(text, "leave out what begins with ? or #")
        host, colon, port = place.partition(":")
        if not _HOST.fullmatch(host) or len(host) > _LONGEST:
            raise _refused(
                text, f"'{printable(place[:_SHOWN])}' is no name of a server in letters, digits, '-' and '.'"
            )
        if colon and not (re.fullmatch("[0-9]{1,5}", port) and 0 < int(port) < 1 << 16):
            raise _refused(text, f"'{printable(port[:_SHOWN])}' is no port from 1 to 65535")
        base = (slash + path).rstrip("/")
        if not _BASE.fullmatch(base):
            raise _refused(text, "a base path has letters, digits, '-', '.', '_' and '~' between single slashes")
        return cls(host.lower(), int(port) if colon else HTTPS_PORT, base)


def _refused(text: str, trouble: str) -> InputError:
    message = f"--behind '{printable(text[:_SHOWN])}': {trouble}; write it like https://mahjong.example.org."
    return InputError("public_address", message)
