"""Limits of the server: what a visitor, known or not, may use up."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerLimits:
    """Limits of the server. All are chosen."""

    stranger_s: float = 15  # a connection whose sender was not let in within this time, in seconds, ends
    # strangers_an_address, strangers: at most this many such connections from one address, and in all
    strangers_an_address: int = 64
    strangers: int = 400
    # guesses_an_address, guesses: at most this many passphrases of one address, and of all, are compared at once; each
    # number grows back within `guesses_s`
    guesses_an_address: int = 5
    guesses: int = 30
    guesses_s: float = 60  # the time in seconds in which the numbers of guesses grow back from nothing
    form_bytes: int = 4096  # the form with the passphrase has at most this many bytes
    # pages_a_guest, pages_of_guests: a guest has at most this many pages open at a time, and all guests together
    pages_a_guest: int = 16
    pages_of_guests: int = 160
    # at most this many browsers of a guest are in at a time; the earliest one has to come in again
    entries_a_guest: int = 16
    message_bytes: int = 8_000_000  # a message of a page to the server has at most this many bytes
    silence_s: float = 60  # a page that speaks by requests, and says nothing for this time in seconds, is gone
    # uploads_a_session_bytes, uploads_a_guest_bytes: the uploaded files of one page have at most this many bytes
    # together, and those of all pages of a guest
    uploads_a_session_bytes: int = 200_000_000
    uploads_a_guest_bytes: int = 400_000_000
    log_lines: int = 20  # at most this many lines of one kind about strangers and guests are written at once
    log_line_s: float = 60  # the time in seconds in which one line more of a kind may be written
    uploads_kept_s: float = 40  # the uploaded files of a page that is gone are freed after this time, in seconds
    sweep_s: float = 5  # the time in seconds between two looks at the uploaded files
    # the program ends at most this many seconds after it was interrupted, whoever holds a connection
    farewell_s: float = 1.5


LIMITS: Final = ServerLimits()
"""The defaults."""
