"""A client of the API: prints a line for each event of a table, and goes on where it was after a lost connection.

Create a token on the table's page (More, Connect programs), then:
    TABLETOP_TOKEN=... python examples/follow_events.py http://table.local:8080 [ID of the last event that you have]
"""

import http.client
import json
import os
import sys
import time
from collections.abc import Iterator
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

AGAIN_S = 2.0  # between two tries
QUIET_S = 30.0  # the table says something at least every 10 s


def events(address: str, token: str, last: str = "") -> Iterator[dict[str, Any]]:
    """Yield each event. last: the id of the last one that you have, "" for only new ones."""
    while True:
        headers = {"Authorization": f"Bearer {token}"} | ({"Last-Event-ID": last} if last else {})
        try:
            request = Request(f"{address}/api/v1/events", headers=headers)  # noqa: S310 - an address that you gave
            with urlopen(request, timeout=QUIET_S) as stream:  # noqa: S310
                for line in stream:
                    name, _, value = line.decode().rstrip("\n").partition(": ")
                    if name == "id":
                        last = value
                    elif name == "data":
                        yield json.loads(value)
        except HTTPError as error:
            if error.code in (401, 422):  # the token or the id is wrong: trying again does not help
                sys.exit(f"the table refuses: {json.load(error)['why']}")
        except (URLError, OSError, http.client.HTTPException):
            pass  # switched off, or out of reach
        time.sleep(AGAIN_S)


def main() -> None:
    """Print the events."""
    address, *last = sys.argv[1:]
    for event in events(address.rstrip("/"), os.environ["TABLETOP_TOKEN"], *last):
        about = {name: value for name, value in event.items() if name not in ("v", "kind", "time", "match", "n")}
        print(event["kind"], json.dumps(about, ensure_ascii=False), flush=True)


if __name__ == "__main__":
    main()
