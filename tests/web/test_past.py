"""Past matches on the page: listed, filtered, exported, imported, renamed, deleted; only by devices that are let in."""

import csv
import json
from io import StringIO
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from page_visitor import Visitor, let_in
from played_events import AT, played

from tabletop.broadcast.interchange import export
from tabletop.rules import Match
from tabletop.store import Store
from tabletop.views.i18n.catalogue import load_language
from tabletop.views.i18n.translate import translated
from tabletop.views.snapshot import Snapshot
from tabletop.web.guards import MOST_IMPORT
from tabletop.web.page import Page
from tabletop.web.past import course_of

ADDRESSES = ("/past", "/played/1", "/export?format=csv")


@pytest.fixture
def phone(page: Page, tmp_path: Path) -> Visitor:
    """Serve a table with 45 matches of Pig in October, one of Yacht in November, and one of Pig that is played."""
    store = tmp_path / "tabletop.db"
    with Store(store) as opened:
        for day in range(45):
            opened.begin(
                "pig", ["Ann", "Ben"] if day % 3 else ["Zoë", "Ben"], {}, f"2026-10-{1 + day // 2:02}T12:00:00Z"
            )
        opened.begin("yacht", ["Cid", "Ann"], {}, "2026-11-05T12:00:00Z")
        opened.same_names.merge("Zoë", "Cid")
    session, _ = played(store, Match("pig", ["Dan", "Eve"]), 1)
    page.show(translated(Snapshot(number=session.journal.number), load_language("de")), None, 2.0)
    return let_in(page)


def asked(phone: Visitor, **wish: object) -> Any:  # noqa: ANN401 - values of JSON
    answer = phone.get(f"/past?{urlencode(wish)}")
    return json.loads(answer.body) | {"status": answer.status}


def numbers(found: Any) -> list[int]:  # noqa: ANN401
    return [match["number"] for match in found["matches"]]


def test_nobody_else_sees_or_changes_them(phone: Visitor) -> None:
    stranger = Visitor(phone.address)
    assert {stranger.get(address).status for address in ADDRESSES} == {401}
    for address, wish in (("/erase", {"match": 1}), ("/import", {"text": "[]"})):
        assert stranger.post(address, wish).status == 403
        assert phone.post(address, wish, Origin="http://elsewhere").status == 403
    assert numbers(asked(phone))[0] == 47


def test_filters_page_by_page(phone: Visitor) -> None:
    """By a player with the names merged into theirs, by game and by time; twenty at once, the newest first."""
    everything = []
    found = asked(phone)
    while True:
        everything += numbers(found)
        if not found["more"]:
            break
        found = asked(phone, before=everything[-1])
    assert everything == [*range(47, 0, -1)]
    assert (found["players"], found["games"]) == (
        ["Ann", "Ben", "Cid", "Dan", "Eve"],
        [["pig", "Böse Eins"], ["yacht", "Yacht"]],
    )
    of_cid = asked(phone, player="Cid")
    assert numbers(of_cid) == [46, 43, 40, 37, 34, 31, 28, 25, 22, 19, 16, 13, 10, 7, 4, 1]
    assert numbers(asked(phone, player="Cid", game="yacht")) == [46]
    assert numbers(asked(phone, since="2026-10-02T12:00:00Z", until="2026-10-03T12:00:00Z")) == [4, 3]
    assert numbers(asked(phone, player="An")) == []
    assert asked(phone, before="1e9")["status"] == 422


def test_the_course_is_that_of_the_rules(phone: Visitor, tmp_path: Path) -> None:
    """Pig, by hand: Ann banks 5, Ben throws a one, Ann banks 6, corrected to 4; and a match played at random."""
    match = Match("pig", ["Ann", "Ben"])
    for answer in ([5], "bank", [1], [6], "bank"):
        match.choose(answer) if isinstance(answer, str) else match.throw(answer)
    match.correct(4, [4])
    assert course_of(match) == {"Ann": [0, 5, 9], "Ben": [0, 0]}
    with Store(tmp_path / "tabletop.db", looking=True) as store:
        kinds = [event.body["kind"] for event in store.events(47)]
    told = json.loads(phone.get("/played/47").body)
    assert [line["kind"] for line in told["lines"]] == kinds
    assert {"throw", "undo", "correct", "choose"} <= {*kinds}
    history = json.loads(phone.get("/api/v1/matches/47").body)["events"]
    scores = [event["scores"] for event in history if "scores" in event][-1]
    assert {name: course[-1] for name, course in told["course"].items()} == scores


@pytest.mark.parametrize("form", ["csv", "json"])
def test_what_is_exported_can_be_imported(phone: Visitor, tmp_path: Path, form: str) -> None:
    """The file is that of `tabletop export`, for one match or all."""
    answer = phone.get(f"/export?format={form}")
    for wanted in ([*range(1, 48)], [47]):
        assert answer.body.decode() == "".join(export(tmp_path / "tabletop.db", wanted, form))
        assert answer.headers["content-disposition"].endswith(f'.{form}"')
        answer = phone.get(f"/export?format={form}&match=47")
    read = json.loads(answer.body) if form == "json" else [*csv.DictReader(StringIO(answer.body.decode()))]
    assert {int(event["match"]) for event in read} == {47}
    known = phone.post("/import", {"text": answer.body.decode()})
    assert json.loads(known.body)["said"].startswith("0 ")
    assert phone.get(f"/export?format={form}&match=99").status == 422
    assert phone.get("/export?format=xml").status == 422


def test_an_import_is_not_trusted(phone: Visitor) -> None:
    """Nonsense is refused in words and changes nothing; a new match is stored under a new number."""
    one = json.loads(phone.get("/export?format=json&match=46").body)
    new = [event | {"time": AT} for event in one]
    for text in ("[[]]", "[1]", '{"match": 1}', json.dumps([new[0] | {"game": "poker"}]), "match,kind\n1,", "[" * 9999):
        answer = phone.post("/import", {"text": text})
        assert answer.status == 422, text
        assert json.loads(answer.body)["why"]
    assert phone.post("/import", {"text": 5}).status == 400
    assert phone.post("/import", b"x", Content_Length=str(MOST_IMPORT + 1)).status == 413
    assert phone.post("/erase", b'{"match": 1' + b" " * 5000 + b"}").status == 413
    assert phone.post("/import", {"text": json.dumps(new)}).status == 200
    assert numbers(asked(phone))[:2] == [48, 47]


def test_players_and_matches_are_changed_for_good(phone: Visitor, tmp_path: Path) -> None:
    assert phone.post("/erase", {"match": 46}).status == 204
    assert phone.post("/erase", {"player": "Ann", "new": "Änne"}).status == 204
    assert phone.post("/erase", {"match": 47}).status == 422  # it is played
    found = asked(phone)
    assert 46 not in numbers(found)
    assert "Ann" not in found["players"]
    assert b'"Ann"' not in (tmp_path / "tabletop.db").read_bytes()
    for wrong in (
        {"player": "Dan"},
        {"player": "Nobody"},
        {"player": "Ben", "new": "a b"},
        {"player": "Ben", "new": "Änne"},
    ):
        answer = phone.post("/erase", wrong)
        assert (answer.status, bool(json.loads(answer.body)["why"])) == (422, True), wrong
    assert phone.post("/erase", {}).status == phone.post("/erase", {"match": True}).status == 400
