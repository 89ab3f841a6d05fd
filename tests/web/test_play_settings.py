"""`tabletop play` with new settings on trial: it asks first whether they stay, and the real helper hears the answer."""

from collections.abc import Iterator
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import pytest
from admin_machine import Helper, installed
from admin_socket import serving
from english import english
from page_program import page_of
from page_visitor import WAIT_S, Visitor

from tabletop.dialogs.menu import parts_page, trial_page
from tabletop.service import admin

TRIAL, TEST = trial_page().pages[0], parts_page(in_match=False).pages[0]


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Helper, SimpleQueue[None]]]:
    """Have settings on trial: the ones before lie beside them."""
    found = installed(tmp_path)
    found.config.write_text('language = "en"\nname = "Attic"\n', encoding="utf-8")
    found.config.with_name("tabletop.toml.trial").write_text("# as before\n", encoding="utf-8")
    (found.home / "trial").symlink_to("current")
    monkeypatch.setenv(admin.VARIABLE, str(tmp_path / "socket"))
    with serving(found, tmp_path / "socket") as served:
        yield found, served


def until_title(visitor: Visitor, title: str, *, other: bool = False) -> dict[str, Any]:
    """Follow the table until its list has this title, or another one."""
    with visitor.events() as events:
        return next(
            dict(now)
            for kind, now in events
            if kind == "message" and ((now["menu"] or {}).get("title") == title) is not other
        )


def paired(address: str, digits: str) -> Visitor:
    visitor = Visitor(address)
    assert visitor.post("/pair", {"digits": digits}).status == 204
    return visitor


@pytest.mark.parametrize(("line", "verb"), [(0, "keep"), (1, "back")])
def test_the_table_asks_whether_new_settings_stay(
    machine: tuple[Helper, SimpleQueue[None]], tmp_path: Path, line: int, verb: str
) -> None:
    """BANK takes the first line, which keeps them; the other one has the old ones brought back."""
    (helper, served), title = machine, english(TRIAL.title)
    with page_of(tmp_path, "--camera", "none", "--config", str(helper.config)) as (address, digits):
        visitor = paired(address, digits)
        asked = until_title(visitor, title)
        assert asked["menu"]["at"] == 0
        assert visitor.act("take", asked["asks"], line) == 204
        until_title(visitor, title, other=True)
        served.get(timeout=WAIT_S)
    calls = helper.calls()
    assert "systemctl stop tabletop-trial.timer" in calls
    assert ("systemctl start tabletop-trial.service" in calls) is (verb == "back")
    assert helper.config.with_name("tabletop.toml.previous").exists() is (verb == "keep")


def test_the_page_keeps_them_too(machine: tuple[Helper, SimpleQueue[None]], tmp_path: Path) -> None:
    """The question at the table is closed by that, and what the match asked is asked again."""
    (helper, served), title = machine, english(TRIAL.title)
    words = ["pig", "--players", "Ann,Ben", "--camera", "none", "--config", str(helper.config)]
    with page_of(tmp_path, *words) as (address, digits):
        visitor = paired(address, digits)
        until_title(visitor, title)
        assert visitor.post("/settings/do", {"do": "keep"}).status == 204
        until_title(visitor, title, other=True)
        assert visitor.state()["asked"] == "Ann"
        served.get(timeout=WAIT_S)
    assert helper.config.with_name("tabletop.toml.previous").read_text() == "# as before\n"


def test_parts_are_tested_at_the_table(tmp_path: Path) -> None:
    """The display says what to read and press; presses are seen on the page, and BANK ends it. The match goes on."""
    title = english(TEST.title)
    with page_of(tmp_path, "pig", "--players", "Ann,Ben", "--camera", "none") as (address, digits):
        visitor = paired(address, digits)
        assert visitor.post("/settings/do", {"do": "test"}).status == 204
        shown = until_title(visitor, title)
        assert visitor.act("hold", shown["asks"]) == 204
        stepped = visitor.state()
        assert stepped["menu"]["at"] == 1
        assert visitor.act("bank", stepped["asks"]) == 204
        until_title(visitor, title, other=True)
        assert visitor.post("/settings/do", {"do": "test"}).status == 204
        until_title(visitor, title)
        assert visitor.post("/settings/do", {"do": "end"}).status == 204
        assert until_title(visitor, title, other=True)["asked"] == "Ann"
