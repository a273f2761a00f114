"""Connections of strangers: they end after a while, and one address cannot hold many of them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, ClassVar

from uvicorn.protocols.http.h11_impl import H11Protocol

from tilescore.ui.server.config import LIMITS, ServerLimits
from tilescore.ui.server.door import ADMIT

if TYPE_CHECKING:
    from asyncio import TimerHandle, Transport


class LimitedConnection(H11Protocol):
    """uvicorn's connection, which ends unless a request on it is let in within a time.

    `admit` in the state of each request is called by the part of the server that lets the sender in.
    """

    limits: ClassVar[ServerLimits] = LIMITS
    strangers: ClassVar[Counter[str]] = Counter()

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.app_state = {**self.app_state, ADMIT: self._admit}
        self._deadline: TimerHandle | None = None

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]  # uvicorn narrows it, too
        """Count the stranger and set the deadline; end the connection at once if there are too many strangers."""
        super().connection_made(transport)
        address = self.client[0] if self.client else ""
        self._deadline = self.loop.call_later(self.limits.stranger_s, self._expire)
        self.strangers[address] += 1
        if self.strangers[address] > self.limits.strangers_an_address or self.strangers.total() > self.limits.strangers:
            self._expire()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the stranger."""
        self._admit()
        super().connection_lost(exc)

    def _admit(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
            address = self.client[0] if self.client else ""
            self.strangers[address] -= 1
            if not self.strangers[address]:
                del self.strangers[address]

    def _expire(self) -> None:
        self._admit()
        self.transport.abort()
