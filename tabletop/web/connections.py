"""What one connection may take of the table: time, memory, a place. uvicorn's protocol, with the limits that it lacks.

A machine that plays dice has a few hundred open files and two threads to spare. So nobody in the network may hold
connections open by saying nothing, by saying it slowly, or by not taking what was sent; and no device takes all places.
Such a connection is dropped without a word: whoever is honest comes again by himself.
"""

from asyncio import TimerHandle, Transport
from typing import cast

from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from tabletop.web.pairing import is_far, is_here, place_of

MOST_CONNECTIONS = 400  # of all kinds: those of `MOST_VIEWERS`, each with one for the tray and one for its commands
MOST_OF_ONE = 64  # of one address: a browser opens six; several devices may share an address behind a router
SPARE = 32  # above these, a connection is told that the table is full; further ones are dropped
HEAD_S = 10.0  # whoever has a place asks for something within this time
SLOW_S = 20.0  # a viewer that does not take all that was sent for so long is let go, and comes again by itself


class Connection(H11Protocol):
    """A connection of one visitor, from its first byte to its last."""

    _asking: TimerHandle | None = None
    _taking: TimerHandle | None = None

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override] # as uvicorn has it
        """Begin, unless there are too many already."""
        super().connection_made(transport)
        transport.set_write_buffer_limits(high=0)  # so `pause_writing` is called as soon as something is not taken
        own = self._address()
        of_one = sum(cast("Connection", other)._address() == own for other in self.connections)  # noqa: SLF001 - its own kind
        full = len(self.connections) > MOST_CONNECTIONS + SPARE or (of_one > MOST_OF_ONE and not is_here(own))
        if full or (self.client and self.server and is_far(self.client[0], self.server[0])):
            transport.abort()
            return
        self._wait_for_request()

    def data_received(self, data: bytes) -> None:
        """Take what the visitor says."""
        super().data_received(data)
        self._wait_for_request()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        super().on_response_complete()
        self._wait_for_request()

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        super().connection_lost(exc)
        for timer in (self._asking, self._taking):
            if timer is not None:
                timer.cancel()

    def pause_writing(self) -> None:
        """Give the visitor some time to take what was sent."""
        super().pause_writing()
        self._taking = self.loop.call_later(SLOW_S, self.transport.abort)

    def resume_writing(self) -> None:
        """Go on: all of it was taken."""
        super().resume_writing()
        if self._taking is not None:
            self._taking.cancel()

    def _wait_for_request(self) -> None:
        """Give the visitor some time for a whole request; what follows after an answer without end is none."""
        cycle = cast("RequestResponseCycle | None", self.cycle)  # None before the first request
        answered = cycle is None or cycle.response_complete
        if not answered and self._asking is not None:
            self._asking.cancel()
            self._asking = None
        elif answered and self._asking is None:
            self._asking = self.loop.call_later(HEAD_S, self.transport.abort)

    def _address(self) -> str:
        return place_of(self.client[0]) if self.client else ""
