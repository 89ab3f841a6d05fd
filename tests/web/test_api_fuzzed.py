"""docs/page-api.json (OpenAPI) says what the page's addresses take and answer: held against the real server.

Schemathesis makes requests out of it, right and wrong ones.
"""

import json
import os
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from page_program import page_of
from page_visitor import Visitor
from starlette.routing import Route

from tabletop.web import guards
from tabletop.web.app import BAD, FULL, application
from tabletop.web.commands import READERS
from tabletop.web.page import Page
from tabletop.web.setup import DECISIONS

ROOT = Path(__file__).resolve().parents[2]
FILE = ROOT / "docs" / "page-api.json"
API: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
PRESSES = ("bank", "hold", "undo", "menu", "take", "throw")
TESTS, OTHERS = ROOT / "tests", ROOT / "build" / "others"
STREAMS = ("/events", "/tray")  # they have no end; tests/web/test_server.py reads them
SEED, EXAMPLES = "2", "20"  # the same requests each time; so many of each operation and kind
PHONES = 60  # of the 64 that a table lets in
FEWEST_REQUESTS = 300


def answers(har: Path) -> dict[tuple[str, str], list[int]]:
    """Return the statuses of each method and path in the log of all requests (HTTP Archive 1.2)."""
    found = defaultdict[tuple[str, str], list[int]](list)
    for entry in json.loads(har.read_text(encoding="utf-8"))["log"]["entries"]:
        asked = entry["request"]
        found[asked["method"].lower(), urlsplit(asked["url"]).path].append(entry["response"]["status"])
    return found


def test_what_guards_every_address_is_described() -> None:
    """The guard and the limit of connections stand before all addresses: each of them lists what these refuse with."""
    always = {guards.MISDIRECTED, guards.TOO_LONG, guards.LONG_HEAD, guards.FLOOD, FULL}
    post = {guards.FORBIDDEN, guards.NO_LENGTH, guards.NO_JSON, BAD}
    for path, of_path in API["paths"].items():
        for method, operation in of_path.items():
            assert always | (post if method == "post" else set()) <= {*map(int, operation["responses"])}, path


def test_every_address_is_described(served: Page) -> None:
    """What is described is there, for this method alone; all that is no file, and every command, is described."""
    visitor = Visitor(served.address)
    for route in application(served._site).routes:  # noqa: SLF001 - what is served, as the server has it
        if isinstance(route, Route) and route.path not in API["paths"] and "{" not in route.path:
            assert "etag" in visitor.get(route.path).headers, route.path
    for path, of_path in API["paths"].items():
        if path not in STREAMS:
            assert visitor.get(path).status == 405 if "post" in of_path else visitor.get(path).status != 404
    act = API["paths"]["/act"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    described = [do for sent in act["oneOf"] for do in sent["properties"]["do"]["enum"]]
    assert Counter(described) == Counter((*PRESSES, *READERS, *DECISIONS))


@pytest.mark.slow
def test_schemathesis_finds_no_fault(tmp_path: Path) -> None:
    """Its own checks: no 5xx, only described statuses, types and values; what is against the description is refused.

    The table is `tabletop play` itself, in a match with one throw; each operation but `/pair` succeeds at least once.
    """
    assert OTHERS.is_dir(), f"expected Schemathesis in {OTHERS.relative_to(ROOT)}: `make others` puts it there"
    har = tmp_path / "requests.har"
    with page_of(tmp_path, "pig", "--players", "Ann,Ben", "--camera", "none") as (address, digits):
        phones = [Visitor(address) for _ in range(PHONES)]
        assert {phone.post("/pair", {"digits": digits}).status for phone in phones} == {204}
        moment = phones[0].state()["asking"]["moment"]
        assert phones[0].post("/act", {"do": "enter", "faces": [4], "moment": moment}).status == 204
        command = [sys.executable, "-m", "schemathesis.cli", "--config-file", str(TESTS / "others" / "page_api.toml")]
        command += ["run", str(FILE), "--url", f"http://{address}", "--no-color"]
        command += ["--exclude-path-regex", f"^({'|'.join(STREAMS)})$"]
        command += ["--seed", SEED, "--max-examples", EXAMPLES, "--generation-database", "none", "--no-shrink"]
        command += ["--report", "har", "--report-har-path", str(har)]
        env = os.environ | {
            "PYTHONPATH": os.pathsep.join(map(str, (TESTS / "others", OTHERS))),
            "SCHEMATHESIS_HOOKS": "page_devices",
            "PAGE_COOKIES": " ".join(phone.cookie for phone in phones),
        }
        done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        assert phones[0].get("/state").status == 200
    found = answers(har)
    operations = {(method, path) for path, of in API["paths"].items() for method in of}
    operations -= {("get", "/events"), ("get", "/tray"), ("post", "/pair")}
    assert {operation for operation in operations if not {200, 204} & {*found[operation]}} == set()
    assert sum(map(len, found.values())) >= FEWEST_REQUESTS
