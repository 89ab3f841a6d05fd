"""The settings on the page: what is set and found, what is written by root's real helper, and what the table asks."""

import json
import time
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from admin_machine import Helper, installed
from admin_socket import serving
from gpiozero.pins.mock import MockFactory
from hypothesis import given
from hypothesis import strategies as st
from mock_pins import LaterPressedPin, mock_pins
from page_visitor import Visitor

from tabletop.core.checks import Check
from tabletop.core.message import say
from tabletop.dialogs.commands import MenuAction
from tabletop.dialogs.setup_state import SetupContext
from tabletop.service import admin
from tabletop.views.i18n.catalogue import load_language
from tabletop.views.i18n.translate import translated
from tabletop.web import settings
from tabletop.web.listening import listen
from tabletop.web.page import DEVICES, Page
from tabletop.web.settings import ITEMS, WORDS, joined, shown_values, split, to_write

SHIPPED = (Path(__file__).resolve().parents[2] / "systemd" / "tabletop.toml").read_text(encoding="utf-8")
FOUND = (
    Check(say("display"), say("I2C bus"), found=True, right=True, figure="/dev/i2c-1"),
    Check(say("display"), say("address"), found=True, right=False, figure="0x3d", instead="screen.address=0x3d"),
)


@dataclass(frozen=True, slots=True)
class Table:
    """An installed table with its page, and a phone that was let in. helper: of the root."""

    page: Page
    phone: Visitor
    helper: Helper

    def now(self) -> dict[str, Any]:
        return dict(json.loads(self.phone.get("/settings/now").body))

    def item(self, key: str) -> dict[str, Any]:
        return next(item for group in self.now()["groups"] for item in group["items"] if item["key"] == key)

    def written(self) -> dict[str, Any]:
        return tomllib.loads(self.helper.config.read_text(encoding="utf-8"))


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    helper = installed(tmp_path)
    helper.config.write_text(SHIPPED.replace('"usb:0"', '"none"'), encoding="utf-8")
    monkeypatch.setenv(admin.VARIABLE, str(tmp_path / "socket"))
    page = Page(listen("local", 0), time.monotonic, tmp_path / DEVICES, config=helper.config, name="Attic")
    page.offer(lambda _: SetupContext(()), lambda: None, lambda: FOUND, tmp_path / "matches.db")
    phone = Visitor(page.address)
    with serving(helper, tmp_path / "socket"):
        yield Table(page, phone, helper)
        page.close()


def let_in(table: Table) -> None:
    assert table.phone.post("/pair", {"digits": table.page.pairing.digits}).status == 204


def test_only_who_was_let_in_sees_and_sets_them(table: Table) -> None:
    """Nothing is written, and the table does nothing."""
    assert table.phone.get("/settings/now").status == 403
    assert table.phone.post("/settings/save", {"values": {"language": "de"}}).status == 403
    assert table.phone.post("/settings/do", {"do": "test"}).status == 403
    assert (table.page.inbox.take(), table.helper.calls()) == ([], [])


def test_it_says_what_is_set_and_what_was_found(table: Table) -> None:
    """In the language of the table; the address at which the display answers can be taken."""
    table.page.show(translated(table.page.shown, load_language("de")), None, time.monotonic())
    let_in(table)
    told = table.now()
    assert (told["language"], told["words"]["title"], told["trial"], told["why"]) == ("de", "Einstellungen", False, "")
    assert all(text != WORDS[name] for name, text in told["words"].items())  # German has a word of its own for each
    values = {item["key"]: item["value"] for group in told["groups"] for item in group["items"]}
    assert values["screen"] == "ssd1306"  # of the file
    assert (values["pins.bank"], values["pins.hold"], values["pins.menu"]) == ("17", "27", "")  # of docs/wiring.md
    assert (values["screen.rotate"], values["record"], values["throw_pictures"]) == ("0", "false", "true")
    display = next(group for group in told["groups"] if group["part"] == "display")
    assert display["offers"] == [{"key": "screen.address", "value": "0x3d", "text": "0x3d"}]
    assert [line["right"] for line in display["found"]] == [True, False]
    for group in told["groups"]:
        for item in group["items"]:
            assert not item["choices"] or item["value"] in [value for value, _ in item["choices"]]


def test_new_settings_are_tried_by_the_helper(table: Table, tmp_path: Path) -> None:
    """The old ones can be had back, the choice made in the menu goes, and a second trial has to wait."""
    (tmp_path / "language").write_text("en\n")
    let_in(table)
    sent = {"language": "de", "screen.rotate": "180", "pins.menu": "25", "record": "true", "throw_pictures": "false"}
    assert table.phone.post("/settings/save", {"values": sent}).status == 202
    assert (table.now()["trial"], table.item("screen.rotate")["value"]) == (True, "180")  # once the helper is done
    assert table.written()["screen"] == "ssd1306:rotate=180"
    assert (table.written()["pins"], table.written()["throw_pictures"]) == ({"menu": 25}, False)
    assert not (tmp_path / "language").exists()
    assert "systemctl restart tabletop.service" in table.helper.calls()
    refused = table.phone.post("/settings/save", {"values": {"language": "en"}})
    assert refused.status == 422
    assert "why" in json.loads(refused.body)
    assert next(admin.ask("keep", {})) == {"done": {}}
    assert table.now()["trial"] is False


@pytest.mark.parametrize(
    "values", [None, [], {"game": "pig"}, {"language": None}, {"pins.hold": 5}, {"camera.fps": "30"}, {"record": True}]
)
def test_what_is_no_setting_is_not_understood(table: Table, values: object) -> None:
    """It does not even reach the helper."""
    let_in(table)
    assert table.phone.post("/settings/save", {"values": values}).status == 400
    assert table.helper.calls() == []


def test_a_value_that_cannot_be_is_refused_in_words(table: Table) -> None:
    """GPIO17 is the other button's; the file stays as it was."""
    let_in(table)
    before = table.written()
    answer = table.phone.post("/settings/save", {"values": {"pins.hold": "17"}})
    assert (answer.status, table.written()) == (422, before)
    assert "bank" in json.loads(answer.body)["why"]


def test_a_broken_file_is_left_alone(table: Table) -> None:
    """The page says so."""
    let_in(table)
    table.helper.config.write_text("camera = usb\n")
    assert table.now()["why"]
    assert table.phone.post("/settings/save", {"values": {"language": "de"}}).status == 422
    assert table.helper.config.read_text() == "camera = usb\n"


def test_without_a_helper_there_is_nothing_to_set(page: Page, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A table that was not installed says so."""
    monkeypatch.setenv(admin.VARIABLE, str(tmp_path / "none"))
    visitor = Visitor(page.address)
    visitor.post("/pair", {"digits": page.pairing.digits})
    told = json.loads(visitor.get("/settings/now").body)
    assert told["why"]
    assert visitor.post("/settings/save", {"values": {"language": "de"}}).status == 422


@pytest.mark.parametrize(
    ("do", "action"),
    [
        ("test", MenuAction.TEST_PARTS),
        ("end", MenuAction.START_MENU),
        ("keep", MenuAction.KEEP_SETTINGS),
        ("back", MenuAction.OLD_SETTINGS),
    ],
)
def test_what_is_done_at_the_table(table: Table, do: str, action: MenuAction) -> None:
    """Each is a decision for the thread that plays."""
    let_in(table)
    assert table.phone.post("/settings/do", {"do": do}).status == 204
    (command,) = table.page.inbox.take()
    assert command.wants == action
    assert table.phone.post("/settings/do", {"do": "reboot"}).status == 400


DEVICES_AND_WORDS = st.sampled_from(
    ["usb:0", "usb:1,size=640x480,fps=30", "pi", "pi:0,white=auto", "usb:size=640x480", "ssd1306:address=0x3d,bus=1"]
)


@given(DEVICES_AND_WORDS)
def test_a_device_is_taken_apart_and_put_together(word: str) -> None:
    """What was there is there again."""
    assert joined(*split(word)) == word


@given(st.sampled_from(["usb:0", "usb:1,size=640x480,fps=30", "pi:0,white=auto", "none"]), st.sampled_from([*ITEMS]))
def test_saving_what_is_shown_changes_nothing(camera: str, key: str) -> None:
    """Of all settings, whatever the file says of the camera."""
    file = {"camera": camera, "screen": "sh1106:address=0x3d,offset=0", "buttons": "gpio", "pins": {"hold": 5}}
    written = to_write(file, {key: shown_values(file)[key]})
    assert shown_values({**file, **_nested(written)})[key] == shown_values(file)[key]
    if key.startswith(("camera", "screen")):
        (word,) = written.values()
        assert word == file[key.partition(".")[0]]


def _nested(written: dict[str, object]) -> dict[str, object]:
    pins = {name.removeprefix("pins."): value for name, value in written.items() if name.startswith("pins.")}
    plain = {name: value for name, value in written.items() if not name.startswith("pins.") and value is not None}
    plain.pop("record", None)
    return plain | ({"pins": {name: pin for name, pin in pins.items() if pin is not None}} if pins else {})


def test_another_camera_takes_no_options_along() -> None:
    """Those of a USB camera may mean nothing to the ribbon camera; another USB camera keeps them."""
    file = {"camera": "usb:0,size=640x480,format=yuyv"}
    assert to_write(file, {"camera": "pi"}) == {"camera": "pi"}
    assert to_write(file, {"camera": "usb:1"}) == {"camera": "usb:1,size=640x480,format=yuyv"}
    assert to_write(file, {"camera.size": "1280x720"}) == {"camera": "usb:0,format=yuyv"}


def test_pins_go_with_their_buttons() -> None:
    """The table takes pins only with buttons; the buzzer stays."""
    file = {"buttons": "gpio", "pins": {"hold": 5, "buzzer": 12}}
    assert to_write(file, {"buttons": "none"}) == {"buttons": "none", "pins.hold": None}


def test_a_button_on_another_pin_is_offered(table: Table) -> None:
    """The first one pressed, of those that no setting names; none where there are no pins."""
    let_in(table)
    with mock_pins(MockFactory(pin_class=LaterPressedPin)):
        answer = table.phone.post("/settings/do", {"do": "find"})
    assert (answer.status, json.loads(answer.body)) == (200, {"pin": 22})


def test_without_a_search_no_button_is_offered(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """The packages for the Pi's pins are not installed everywhere."""
    let_in(table)
    monkeypatch.setattr(settings, "entry_points", lambda **_: ())
    answer = table.phone.post("/settings/do", {"do": "find"})
    assert (answer.status, json.loads(answer.body)) == (200, {"pin": None})
