"""Whose the past hands of this machine are: a browser without its cookie no longer finds its hands, a person does."""

import hashlib
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from tilescore.errors import InputError
from tilescore.ui.storage.hand_store import HandStore

_SHORT: Final = 8
_OWNERS: Final = "SELECT visitor, count(*), count(photo), min(at), max(at) FROM hands GROUP BY visitor ORDER BY max(at)"
_GIVE: Final = (
    "UPDATE OR IGNORE hands SET visitor = :to, "
    "checksum = row_sum(id, :to, at, ruleset, notation, total, unit, lines, state, photo) WHERE visitor = :owner "
    "AND checksum = row_sum(id, visitor, at, ruleset, notation, total, unit, lines, state, photo)"
)
"""A damaged row stays damaged, and a hand that the other browser has stays where it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandOwner:
    """A browser with past hands."""

    visitor: str  # its cookie, which nobody else may know
    # hands, photos: how many it has
    hands: int
    photos: int
    days: tuple[str, str]  # the first and the last day of its hands; what a damaged row says instead of a time

    @property
    def name(self) -> str:
        """What people call it: it does not give the cookie away."""
        return hashlib.sha256(self.visitor.encode("utf-8", "replace")).hexdigest()[:_SHORT]


def owners(store: HandStore) -> tuple[HandOwner, ...]:
    """The browsers with past hands, the latest last; raises StoreError."""
    with store.file.reading() as file:
        return tuple(
            HandOwner(visitor=str(visitor), hands=hands, photos=photos, days=(_day(str(first)), _day(str(last))))
            for visitor, hands, photos, first, last in file.execute(_OWNERS)
        )


def owner_of(store: HandStore, name: str) -> HandOwner:
    """The browser that people call so; raises InputError if there is none, StoreError too."""
    by_name = {owner.name: owner for owner in owners(store)}
    if name not in by_name:
        raise InputError("no_such_browser", f"no browser '{name}' has hands here: see `tilescore hands list`.")
    return by_name[name]


def give(store: HandStore, owner: HandOwner, *, to: str) -> int:
    """Make the whole hands of a browser those of another one; how many moved. Raises StoreError."""
    with store.file.writing() as file:
        return file.execute(_GIVE, {"owner": owner.visitor, "to": to}).rowcount


def _day(time: str) -> str:
    try:
        return f"{datetime.fromisoformat(time).astimezone():%Y-%m-%d}"
    except (ValueError, OverflowError):
        return time[:10]
