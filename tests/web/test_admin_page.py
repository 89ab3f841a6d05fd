"""Versions and updates on the page: what a browser sends reaches the root's helper behind a real socket."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from admin_machine import Helper, archive_of, give_key, installed
from admin_socket import serving
from page_visitor import Answer, Visitor

from tabletop.dialogs.update import WHY
from tabletop.service import admin
from tabletop.web.admin import MOST_LINE, WORDS
from tabletop.web.guards import MOST_UPDATE
from tabletop.web.page import Page

MOST_ARCHIVE = 160 * 2**20  # bytes that the helper takes


@pytest.fixture
def helper(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Helper]:
    helper = installed(tmp_path / "machine")
    give_key(helper)
    monkeypatch.setenv(admin.VARIABLE, str(tmp_path / "socket"))
    with serving(helper, tmp_path / "socket"):
        yield helper


@pytest.fixture
def visitor(page: Page) -> Visitor:
    """Return a device that was let in."""
    visitor = Visitor(page.address)
    assert visitor.post("/pair", {"digits": page.pairing.digits}).status == 204
    return visitor


def lines(answer: Answer) -> list[dict[str, Any]]:
    assert answer.status == 200
    return [json.loads(line) for line in answer.body.splitlines()]


def upload(archive: bytes, signature: str, size: int | None = None) -> bytes:
    facts = {"size": len(archive) if size is None else size, "signature": signature}
    return json.dumps(facts).encode() + b"\n" + archive


def test_a_file_from_a_browser_is_installed(helper: Helper, visitor: Visitor) -> None:
    """Each step comes as a line; then the versions."""
    archive, signature = archive_of(helper)
    told = lines(visitor.post("/update", upload(archive, signature)))
    assert [line["n"] for line in told if line.get("step") == "install"] == [1, 2]
    assert told[-1]["done"]["current"] == "0.2"
    assert (helper.home / "ran-as-root").exists()


@pytest.mark.parametrize(
    ("more", "less", "forged", "code"),
    [
        (1, 0, False, "forged"),
        (5_000_000, 0, False, "forged"),
        (0, 9, False, "cut"),
        (0, 0, True, "bad-request"),
        (5_000_000, 0, True, "bad-request"),
    ],
)
def test_what_is_refused_is_refused_in_a_line(
    helper: Helper, visitor: Visitor, more: int, less: int, forged: bool, code: str
) -> None:
    """However much of it was still to come. more, less: bytes of the archive."""
    archive, signature = archive_of(helper)
    packed = archive[: len(archive) - less] + b"x" * more
    body = upload(packed, "a signature" if forged else signature, len(packed) + less)
    assert lines(visitor.post("/update", body))[-1]["refused"] == code
    assert not (helper.home / "ran-as-root").exists()


def test_only_paired_devices_ask(helper: Helper, page: Page) -> None:
    """Nor do other pages; a body that is no request, or too long, does not get as far as the helper."""
    stranger = Visitor(page.address)
    assert stranger.get("/version").status == 403
    for path in ("/admin", "/update"):
        assert stranger.post(path, {"do": "previous"}).status == 403
    visitor = Visitor(page.address)
    visitor.post("/pair", {"digits": page.pairing.digits})
    for path in ("/admin", "/update"):
        assert visitor.post(path, {"do": "previous"}, Origin="http://example.org").status == 403
        assert visitor.get(path).status == 405
        assert visitor.post(path, b"[]\n").status == visitor.post(path, b"\xff\n").status == 400
    for verb in ("update", "reboot", "", None, ["state"], 1):
        assert visitor.post("/admin", {"do": verb}).status == 400
    assert visitor.send("POST", "/update", b"", {
        "Origin": f"http://{page.address}", "Content-Type": "application/json", "Content-Length": str(MOST_UPDATE + 1)
    }).status == 413  # fmt: skip
    assert helper.calls() == []
    assert MOST_UPDATE >= MOST_ARCHIVE + MOST_LINE


def test_the_version_before_comes_back_by_hand(helper: Helper, visitor: Visitor) -> None:
    """And the page says which ones there are."""
    told = json.loads(visitor.get("/version").body)
    assert (told["done"]["versions"]["current"], told["done"]["versions"]["previous"]) == ("0.2", "0.1")
    assert lines(visitor.post("/admin", {"do": "previous"}))[-1]["done"]["current"] == "0.1"
    assert helper.ask("state")["done"]["versions"]["current"] == "0.1"


def test_a_table_that_was_not_installed_says_so(
    visitor: Visitor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the table's words."""
    monkeypatch.setenv(admin.VARIABLE, str(tmp_path / "nothing"))
    told = json.loads(visitor.get("/version").body)
    assert told["refused"] == "missing"
    assert told["why"] == WHY
    assert told["words"] == WORDS
    assert lines(visitor.post("/admin", {"do": "state"})) == [{"refused": "missing"}]


def test_each_refusal_has_its_sentence() -> None:
    """Each code of the helper, but those that only a broken page would see."""
    folder = Path(__file__).resolve().parents[2] / "systemd" / "admin"
    text = (
        (folder / "versions.py").read_text() + (folder / "sources.py").read_text() + (folder / "trial.py").read_text()
    )
    for code in WHY:
        assert code in {"busy", "cut", "came-back", "missing"} or f'"{code}"' in text
