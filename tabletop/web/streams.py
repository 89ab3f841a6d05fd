"""The streams of the page: snapshots and pictures of the tray as server-sent events, to a limited number of viewers."""

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator, Callable
from typing import Any

from starlette.responses import Response, StreamingResponse

from tabletop.web.feed import Feed
from tabletop.web.tray import TrayFeed

MOST_VIEWERS = 120  # a club evening, or a class with their teacher; one more is told to come later
BEAT_S = 10.0  # without news the page hears this often that the table is there
LATER_S = 10  # after which whoever found no room comes again by himself
HEADERS = {"cache-control": "no-store", "content-type": "text/event-stream; charset=utf-8"}
FULL = 503  # RFC 9110, 15


def stream(viewers: Counter[str], kind: str, content: AsyncIterator[bytes], full: str = "") -> Response:
    """Return a stream, or a refusal if as many as there may be look at this kind of stream.

    viewers: of each kind. full: what the page then says; a browser's stream of events cannot see a status.
    """
    if viewers[kind] < MOST_VIEWERS:
        return _Stream(viewers, kind, content)
    if not full:
        return Response(status_code=FULL, headers={"retry-after": str(LATER_S)})
    return Response(f"retry: {LATER_S}000\nevent: full\ndata: {json.dumps(full)}\n\n", headers=HEADERS)


async def snapshots(feed: Feed, you: dict[str, Any]) -> AsyncIterator[bytes]:
    """Yield who looks, then each newer snapshot."""
    yield b"retry: 1000\nevent: you\ndata: " + json.dumps(you).encode() + b"\n\n"
    count = -1
    while True:
        try:
            published = await asyncio.wait_for(feed.after(count), BEAT_S)
        except TimeoutError:
            yield b"event: beat\ndata:\n\n"
            continue
        if published is None:
            return
        count = published.count
        yield b"data: " + published.data + b"\n\n"


async def pictures(tray: TrayFeed, may_see: Callable[[], bool]) -> AsyncIterator[bytes]:
    """Yield each newer picture of the tray, until whoever looks may see them no longer."""
    yield b"retry: 2000\n\n"
    count = -1
    while (picture := await tray.after(count)) and may_see():
        count = picture.count
        yield b"data: " + picture.data + b"\n\n"


class _Stream(StreamingResponse):
    """A stream that counts as a viewer while it lasts."""

    def __init__(self, viewers: Counter[str], kind: str, content: AsyncIterator[bytes]) -> None:
        super().__init__(content, headers=HEADERS)
        self._viewers, self._kind = viewers, kind

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:  # noqa: ANN401 - as starlette has it
        if scope["method"] == "HEAD":  # what a GET would begin with, and nothing to wait for
            await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
            await send({"type": "http.response.body", "body": b""})
            return
        self._viewers[self._kind] += 1
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._viewers[self._kind] -= 1
