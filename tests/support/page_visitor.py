"""A visitor of the page over plain HTTP, without a browser: says what a browser would say, or something else."""

import http.client
import json
import re
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from typing import Any

from tabletop.web.page import Page

WAIT_S = 60.0  # a machine with other things to do


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class AtOnce(http.client.HTTPConnection):
    """Sends head and body together: a table that refuses the head hangs up, and a body that comes then is an error."""

    _unsent = b""

    def request(self, *words: Any, **named: Any) -> None:  # noqa: ANN401 - as the library takes them
        super().request(*words, **named)
        super().send(self._unsent)

    def send(self, data: Any) -> None:  # noqa: ANN401
        self._unsent += data


@dataclass(slots=True)
class Visitor:
    """Somebody who looks at the page at this address, "127.0.0.1:8080".

    cookie: what the table gave. own: the address that he comes from.
    """

    address: str
    cookie: str = field(default="")
    own: str = "127.0.0.1"

    def get(self, path: str, **headers: str) -> Answer:
        """Ask for a path as it stands; headers replace those of a browser, `_` for `-`."""
        return self.send("GET", path, None, headers)

    def post(self, path: str, wish: object, **headers: str) -> Answer:
        """Send a wish as our own page does; headers replace those of a browser, `_` for `-`."""
        body = wish if isinstance(wish, bytes) else json.dumps(wish).encode()
        usual = {"Origin": f"http://{self.address}", "Content-Type": "application/json"}
        answer = self.send("POST", path, body, usual | headers)
        if "set-cookie" in answer.headers:
            self.cookie = answer.headers["set-cookie"].partition(";")[0]
        return answer

    def send(self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]) -> Answer:
        """Send a request; a header with an empty value is left out."""
        connection = AtOnce(self.address, timeout=WAIT_S, source_address=(self.own, 0))
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.cookie:
            named.setdefault("Cookie", self.cookie)
        try:
            connection.request(method, path, body, {name: value for name, value in named.items() if value})
            given = connection.getresponse()
            return Answer(given.status, {name.lower(): value for name, value in given.getheaders()}, given.read())
        finally:
            connection.close()

    def act(self, do: str, asks: int = 0, at: int = 0) -> int:
        return self.post("/api/v1/command", {"do": do, "asks": asks, "at": at}).status

    def state(self) -> dict[str, Any]:
        return dict(json.loads(self.get("/state").body))

    @contextmanager
    def events(self, path: str = "/events") -> Iterator[Iterator[tuple[str, Any]]]:
        """Look on: yield each event of this stream with its name as it comes; the oldest first."""
        connection = http.client.HTTPConnection(self.address, timeout=WAIT_S)
        with closing(connection):
            connection.request("GET", path, headers={"Cookie": self.cookie} if self.cookie else {})
            with closing(connection.getresponse()) as stream:
                assert stream.status == http.client.OK
                yield _events(stream)


def let_in(page: Page) -> Visitor:
    visitor = Visitor(page.address)
    assert visitor.post("/pair", {"digits": page.pairing.digits}).status == 204
    return visitor


def _events(stream: http.client.HTTPResponse) -> Iterator[tuple[str, Any]]:
    name = "message"
    for raw in stream:
        line = raw.decode().rstrip("\n")
        if found := re.match(r"event: (.+)", line):
            name = found[1]
        elif line.startswith("data: "):
            yield name, json.loads(line.removeprefix("data: "))
            name = "message"
