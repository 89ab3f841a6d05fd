"""docs/page-api.json held against a played table: Schemathesis makes requests out of it, right and wrong ones."""

import json
import os
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from page_program import page_of
from page_visitor import Visitor

ROOT = Path(__file__).resolve().parents[2]
API = ROOT / "docs" / "page-api.json"
TESTS, OTHERS = ROOT / "tests", ROOT / "build" / "others"
STREAMS = "^/(events|tray)$"  # they have no end; tests/web/test_server.py reads them
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
        command += ["run", str(API), "--url", f"http://{address}", "--exclude-path-regex", STREAMS, "--no-color"]
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
    operations = {(method, path) for path, of in json.loads(API.read_text())["paths"].items() for method in of}
    operations -= {("get", "/events"), ("get", "/tray"), ("post", "/pair")}
    assert {operation for operation in operations if not {200, 204} & {*found[operation]}} == set()
    assert sum(map(len, found.values())) >= FEWEST_REQUESTS
