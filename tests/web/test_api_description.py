"""docs/page-api.json (OpenAPI) says what the page's addresses take and answer: held against the real server."""

import json
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from page_visitor import Answer, Visitor
from starlette.routing import Route
from taken_commands import taken

from tabletop.views.snapshot import Snapshot
from tabletop.web import guards
from tabletop.web.app import BAD, FULL, application
from tabletop.web.commands import READERS
from tabletop.web.listening import listen
from tabletop.web.page import DEVICES, Page
from tabletop.web.setup import DECISIONS

API: dict[str, Any] = json.loads((Path(__file__).parents[2] / "docs" / "page-api.json").read_text(encoding="utf-8"))
PRESSES = ("bank", "hold", "undo", "menu", "take", "throw")
STREAMS = ("/events", "/tray")
OPERATIONS = [(method, path) for path, of_path in API["paths"].items() for method in of_path if path not in STREAMS]
SENT: tuple[object, ...] = (
    *({}, [], {"digits": 1}, {"digits": "x"}, {"do": 7}, {"do": "bank", "asks": 1}, {"throw": 1, "was": 3}),
    *({"do": do, "asks": -1, "moment": [0, 0], "faces": [9]} for do in (*PRESSES, *READERS, *DECISIONS)),
)
WRONG: tuple[dict[str, str], ...] = (
    {"Host": "evil.example"},
    {"Origin": "http://evil.example"},
    {"Content_Type": "text/plain"},
    {"Content_Length": "99999"},
)


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    page = Page(
        listen("local", 0), lambda: float(next(seconds)), tmp_path_factory.mktemp("page") / DEVICES, simulated=True
    )
    page.show(Snapshot("Pig", ("Ann", "Ben"), (3, 7), "Ann", "roll or bank?"), None, time.monotonic())
    with taken(page.inbox):
        yield page
    page.close()


seconds = iter(range(0, 10**9, 10))  # nothing comes too soon


def documented(method: str, path: str, answer: Answer) -> str:
    """Return what is not in the description, "" if all is."""
    known = API["paths"][path][method]["responses"].get(str(answer.status))
    if known is None:
        return f"{method} {path}: {answer.status}"
    kinds, kind = list(known.get("content", {})), answer.headers.get("content-type", "").partition(";")[0]
    return "" if not kinds or kind in kinds else f"{method} {path}: {answer.status} as {kind}"


def test_what_guards_every_address_is_described() -> None:
    """The guard and the limit of connections stand before all addresses: each of them lists what these refuse with."""
    always = {guards.MISDIRECTED, guards.TOO_LONG, guards.LONG_HEAD, guards.FLOOD, FULL}
    post = {guards.FORBIDDEN, guards.NO_LENGTH, guards.NO_JSON, BAD}
    for path, of_path in API["paths"].items():
        for method, operation in of_path.items():
            assert always | (post if method == "post" else set()) <= {*map(int, operation["responses"])}, path


def test_every_address_is_described(page: Page) -> None:
    """What is described is there, for this method alone; all that is no file, and every command, is described."""
    visitor = Visitor(page.address)
    for route in application(page._site).routes:  # noqa: SLF001 - what is served, as the server has it
        if isinstance(route, Route) and route.path not in API["paths"] and "{" not in route.path:
            assert "etag" in visitor.get(route.path).headers, route.path
    for path, of_path in API["paths"].items():
        if path not in STREAMS:
            assert visitor.get(path).status == 405 if "post" in of_path else visitor.get(path).status != 404
    act = API["paths"]["/act"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    described = [do for sent in act["oneOf"] for do in sent["properties"]["do"]["enum"]]
    assert Counter(described) == Counter((*PRESSES, *READERS, *DECISIONS))


@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_every_answer_is_described(page: Page, method: str, path: str) -> None:
    """Let in or not, with what is no command and headers of strangers: no other status, no other type, no 500."""
    visitor, found = Visitor(page.address), list[Answer]()
    for _ in range(2):
        if method == "get":
            found += [visitor.get(path), visitor.get(path, Host="evil.example")]
        else:
            found += [visitor.post(path, sent) for sent in SENT]
            found += [visitor.post(path, {}, **headers) for headers in WRONG]
        assert visitor.post("/pair", {"digits": page.pairing.digits}).status in (204, 429)
    assert {documented(method, path, answer) for answer in found} == {""}
    assert visitor.get("/state").status == 200
