"""docs/page-api.json and docs/api-v1.json (OpenAPI) say what all addresses take and answer: held against the server.

Schemathesis makes requests out of it, right and wrong ones.
"""

import json
import os
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from page_program import page_of
from page_visitor import Visitor
from starlette.routing import Route

from tabletop.web import guards
from tabletop.web.api import application
from tabletop.web.app import BAD, FULL
from tabletop.web.commands import READERS
from tabletop.web.page import Page
from tabletop.web.setup import DECISIONS

ROOT = Path(__file__).resolve().parents[2]
FILE = ROOT / "docs" / "page-api.json"
PROMISED = ROOT / "docs" / "api-v1.json"
API: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
V1: dict[str, Any] = json.loads(PROMISED.read_text(encoding="utf-8"))
PATHS: dict[str, Any] = API["paths"] | V1["paths"]
COMMAND = "/api/v1/command"
PRESSES = ("bank", "hold", "undo", "menu", "take", "throw")
TESTS, OTHERS = ROOT / "tests", ROOT / "build" / "others"
STREAMS = ("/events", "/tray", "/api/v1/events")  # they have no end; test_server.py and test_api.py read them
OF_A_MATCH_THAT_IS_OVER = ("/costs", "/recap.svg", "/recap.txt", "/played/{number}")  # refused while it is played
SEED, EXAMPLES = "2", "20"  # the same requests each time; so many of each operation and kind
PHONES = 60  # of the 64 that a table lets in
FEWEST_REQUESTS = 200
TOKENS = 32  # as many as a table knows
NOT_LET_IN = 401


def answers(har: Path) -> dict[tuple[str, str], list[int]]:
    """Return the statuses of each method and path in the log of all requests (HTTP Archive 1.2)."""
    found = defaultdict[tuple[str, str], list[int]](list)
    for entry in json.loads(har.read_text(encoding="utf-8"))["log"]["entries"]:
        asked = entry["request"]
        found[asked["method"].lower(), urlsplit(asked["url"]).path].append(entry["response"]["status"])
    return found


def promises(routes: list[Route]) -> Iterator[tuple[str, set[str]]]:
    """Yield what is below /api/v1, with its methods."""
    for route in routes:
        if route.path.startswith("/api/v1/"):
            yield route.path, set(route.methods or ())


def test_what_guards_every_address_is_described() -> None:
    """The guard and the limit of connections stand before all addresses: each of them lists what these refuse with."""
    always = {guards.MISDIRECTED, guards.TOO_LONG, guards.LONG_HEAD, guards.FLOOD, FULL}
    post = {guards.FORBIDDEN, guards.NO_LENGTH, guards.NO_JSON, BAD}
    for path, of_path in PATHS.items():
        for method, operation in of_path.items():
            assert always | (post if method == "post" else set()) <= {*map(int, operation["responses"])}, path


def test_every_address_is_described(served: Page) -> None:
    """What is described is there, for this method alone; all that is no file, and every command, is described."""
    visitor = Visitor(served.address)
    served_routes = application(served._api).routes  # noqa: SLF001 - what is served, as the server has it
    routes = [route for route in served_routes if isinstance(route, Route)]
    for path in {route.path for route in routes} - PATHS.keys():
        if "{" not in path:
            assert "etag" in visitor.get(path).headers, path
    promised = {(path, "post" if "POST" in methods else "get") for path, methods in promises(routes)}
    assert promised == {(path, method) for path, of_path in V1["paths"].items() for method in of_path}
    for path, of_path in API["paths"].items():
        if path not in STREAMS:
            assert visitor.get(path).status == 405 if "post" in of_path else visitor.get(path).status != 404
    act = PATHS[COMMAND]["post"]["requestBody"]["content"]["application/json"]["schema"]
    described = [do for sent in act["oneOf"] for do in sent["properties"]["do"]["enum"]]
    assert Counter(described) == Counter((*PRESSES, *READERS, *DECISIONS))


def schemathesis(
    folder: Path, file: Path, address: str, who: Mapping[str, str], *words: str
) -> dict[tuple[str, str], list[int]]:
    """Let Schemathesis ask everything that a file describes; return the statuses. who: the secrets that it has."""
    assert OTHERS.is_dir(), f"expected Schemathesis in {OTHERS.relative_to(ROOT)}: `make others` puts it there"
    har = folder / "requests.har"
    command = [sys.executable, "-m", "schemathesis.cli", "--config-file", str(TESTS / "others" / "page_api.toml")]
    command += ["run", str(file), "--url", f"http://{address}", "--no-color"]
    command += ["--exclude-path-regex", f"^({'|'.join(STREAMS)})$"]
    command += ["--seed", SEED, "--max-examples", EXAMPLES, "--generation-database", "none", "--no-shrink", *words]
    command += ["--report", "har", "--report-har-path", str(har)]
    env = os.environ | {
        "PYTHONPATH": os.pathsep.join(map(str, (TESTS / "others", OTHERS))),
        "SCHEMATHESIS_HOOKS": "page_devices",
        **who,
    }
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return answers(har)


@contextmanager
def phones_at(folder: Path) -> Iterator[tuple[str, list[Visitor]]]:
    """Play a match with one throw; yield the address of the page and paired phones."""
    with page_of(folder, "pig", "--players", "Ann,Ben", "--camera", "none") as (address, digits):
        phones = [Visitor(address) for _ in range(PHONES)]
        assert {phone.post("/pair", {"digits": digits}).status for phone in phones} == {204}
        moment = phones[0].state()["asking"]["moment"]
        assert phones[0].post(COMMAND, {"do": "enter", "faces": [4], "moment": moment}).status == 204
        yield address, phones


@pytest.mark.slow
def test_schemathesis_finds_no_fault(tmp_path: Path) -> None:
    """Its own checks: no 5xx, only described statuses, types and values; what is against the description is refused.

    The table is `tabletop play` itself, in a match with one throw; each operation but `/pair`, and those that need a
    match that is over, succeeds at least once.
    """
    with phones_at(tmp_path) as (address, phones):
        found = schemathesis(tmp_path, FILE, address, {"PAGE_COOKIES": " ".join(phone.cookie for phone in phones)})
        assert phones[0].get("/state").status == 200
    operations = {(method, path) for path, of in API["paths"].items() for method in of}
    operations -= {("get", "/events"), ("get", "/tray"), ("post", "/pair"), ("post", "/erase")}
    operations -= {("post", "/settings/save"), ("get", "/networks"), ("post", "/network")}  # of an installed table
    operations -= {("get", path) for path in OF_A_MATCH_THAT_IS_OVER}
    assert {operation for operation in operations if not {200, 204} & {*found[operation]}} == set()
    assert sum(map(len, found.values())) >= FEWEST_REQUESTS


@pytest.mark.slow
def test_schemathesis_finds_no_fault_in_the_promised_api(tmp_path: Path) -> None:
    """Fuzz the API with and without tokens: without one it reveals and changes nothing."""
    with phones_at(tmp_path) as (address, phones):
        made = [phone.post("/tokens/change", {"name": f"no {n}"}) for n, phone in enumerate(phones[:TOKENS])]
        tokens = [json.loads(answer.body)["token"] for answer in made]
        own = {"API_TOKENS": " ".join(tokens)}  # also where it wants to ask with a wrong one: test_api.py does
        found = schemathesis(tmp_path, PROMISED, address, own, "--exclude-checks", "ignored_auth")
        kept = [phones[0].get(f"/api/v1/matches{more}").body for more in ("", "/1")]
        checks = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"
        refused = schemathesis(tmp_path, PROMISED, address, {}, "--checks", checks)
        assert [phones[0].get(f"/api/v1/matches{more}").body for more in ("", "/1")] == kept
    gets = {path for (method, path), statuses in found.items() if method == "get" and 200 in statuses}
    assert {"/api/v1/state", "/api/v1/matches", "/api/v1/matches/1"} <= gets
    assert 204 in found["post", COMMAND]
    assert min(status for statuses in refused.values() for status in statuses) >= NOT_LET_IN
    assert sum(map(len, refused.values())) >= FEWEST_REQUESTS / 3
