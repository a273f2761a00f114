"""Connections of strangers: they end after a while, and one address cannot hold many of them."""

import ssl
from asyncio import Task, TimerHandle, Transport
from collections import Counter
from typing import Any, ClassVar

from uvicorn.protocols.http.h11_impl import H11Protocol

from tilescore.ui.server.config import LIMITS, ServerLimits
from tilescore.ui.server.door import ADMIT


class LimitedConnection(H11Protocol):
    """uvicorn's connection, which ends unless a request on it is let in within a time.

    `admit` in the state of each request is called by the part of the server that lets the sender in. The connection
    starts TLS by itself: uvicorn would start it before this class knows the connection, without a limit.
    """

    limits: ClassVar[ServerLimits] = LIMITS
    strangers: ClassVar[Counter[str]] = Counter()
    tls: ClassVar[ssl.SSLContext | None] = None

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.app_state = {**self.app_state, ADMIT: self._admit}
        self._deadline: TimerHandle | None = None
        self._handshake: Task[None] | None = None  # the loop itself keeps no reference to a task
        self._address = ""
        self._early = b""

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]  # uvicorn narrows it, too
        """Count the stranger and set the deadline; end the connection at once if there are too many strangers."""
        self.transport = transport
        self._address = (transport.get_extra_info("peername") or ("",))[0]
        self._deadline = self.loop.call_later(self.limits.stranger_s, self._expire)
        self.strangers[self._address] += 1
        many = self.strangers[self._address] > self.limits.strangers_an_address
        if many or self.strangers.total() > self.limits.strangers:
            self._expire()
        elif self.tls is None:
            super().connection_made(transport)
        else:
            transport.pause_reading()
            self._handshake = self.loop.create_task(self._secure(transport, self.tls))

    def data_received(self, data: bytes) -> None:
        """Take data; keep what comes together with the end of the handshake, before the connection is made."""
        if self.flow is None:
            self._early += data
        else:
            super().data_received(data)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the stranger."""
        self._admit()
        super().connection_lost(exc)

    async def _secure(self, transport: Transport, tls: ssl.SSLContext) -> None:
        """Shake hands; a stranger who fails is forgotten."""
        timeout = self.limits.stranger_s
        try:
            secure = await self.loop.start_tls(
                transport, self, tls, server_side=True, ssl_handshake_timeout=timeout, ssl_shutdown_timeout=timeout
            )
        except OSError:
            secure = None
        if secure is None or transport.is_closing():
            self._admit()
            transport.abort()
        else:
            super().connection_made(secure)
            if self._early:
                super().data_received(self._early)

    def _admit(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
            self.strangers[self._address] -= 1
            if not self.strangers[self._address]:
                del self.strangers[self._address]

    def _expire(self) -> None:
        self._admit()
        self.transport.abort()


def secure_connection(certificate: str, key: str) -> type[LimitedConnection]:
    """The limited connection over TLS with that certificate and its private key, both paths of PEM files."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)

    class SecureConnection(LimitedConnection):
        tls = context

    return SecureConnection
