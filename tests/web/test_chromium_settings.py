"""The settings in a real Chromium: changed, tried and kept with taps, on a phone and a laptop, in both languages."""

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from admin_machine import Helper, installed
from admin_socket import serving
from browser import PHONE, Browser
from gpiozero.pins.mock import MockFactory
from mock_pins import LaterPressedPin, mock_pins

from tabletop.core.checks import Check
from tabletop.core.message import say
from tabletop.dialogs.commands import MenuAction
from tabletop.dialogs.setup_state import SetupContext
from tabletop.service import admin
from tabletop.views.i18n.catalogue import load_language
from tabletop.views.i18n.translate import NOTE, translated
from tabletop.web.page import Page
from tabletop.web.settings import WORDS

pytestmark = pytest.mark.slow

LAPTOP = (1280, 800)
SHIPPED = Path(__file__).resolve().parents[2] / "systemd" / "tabletop.toml"
FOUND = (
    Check(say("display"), say("address"), found=True, right=False, figure="0x3d", instead="screen.address=0x3d"),
    Check(say("buttons"), say("pins"), found=True, right=True, figure="/dev/gpiochip0"),
)
WIDER = "document.documentElement.scrollWidth"
FIELDS = "[...document.querySelectorAll('button, select, input')]"
SMALL = f"{FIELDS}.filter(e => e.checkVisibility() && e.offsetHeight < 24)"


@pytest.fixture
def helper(page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Helper]:
    """Install the table of the page: root's helper serves it, and systemd is a stand-in."""
    found = installed(tmp_path)
    found.config.write_text(SHIPPED.read_text(encoding="utf-8").replace('"usb:0"', '"none"'), encoding="utf-8")
    monkeypatch.setenv(admin.VARIABLE, str(tmp_path / "socket"))
    page._site.config = found.config  # noqa: SLF001 - as `tabletop play --config` has it
    page.offer(lambda _: SetupContext(()), lambda: None, lambda: FOUND)
    with serving(found, tmp_path / "socket"):
        yield found


def opened(phone: Browser, page: Page) -> None:
    """Go there from the page's own menu."""
    phone.open(f"http://{page.address}/#{page.pairing.digits}")
    phone.until_seen("#device-open")
    phone.tap("#device-open")
    phone.until_seen("#settings-link")
    phone.tap("#settings-link")
    phone.until("document.body.dataset.drawn")


def obeyed(page: Page) -> MenuAction:
    """Return what the phone wants of the table."""
    (command,) = page.inbox.take()
    assert isinstance(command.wants, MenuAction)
    return command.wants


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_setting_is_changed_tried_and_kept(phone: Browser, page: Page, helper: Helper, language: str) -> None:
    """Nothing is wider than the screen, and nothing to tap is smaller than 24 px (WCAG 2.2, 2.5.8)."""
    words = load_language(language)
    page.show(translated(page.shown, words), None, time.monotonic())
    opened(phone, page)
    for size in (LAPTOP, PHONE):
        phone.resize(*size)
        assert (phone.value(WIDER), phone.value(f"{SMALL}.length")) == (size[0], 0)
    assert phone.text("h1") == words.template(WORDS["title"], ("menus",))
    phone.run("const s = document.querySelector('[data-key=language] select'); s.value = 'de';"
              "s.dispatchEvent(new Event('input'))")  # fmt: skip
    phone.tap("#save")
    phone.until_seen("#trial")
    assert phone.text("#trial-ask") == words.template(WORDS["trial"], NOTE)
    assert 'language = "de"' in helper.config.read_text().splitlines()
    phone.tap("#keep")
    phone.until_seen("#trial", gone=True)
    assert obeyed(page) == MenuAction.KEEP_SETTINGS
    assert [*admin.ask("keep", {})] == [{"done": {}}]  # as the table does
    phone.until(f"document.querySelector('#say').textContent === {words.template(WORDS['kept'], NOTE)!r}")


def test_what_was_found_is_taken_with_one_tap(phone: Browser, page: Page, helper: Helper) -> None:
    """The display answers at its second address; when nobody keeps that, the page says that the old ones are back."""
    opened(phone, page)
    phone.tap("[data-part=display] .offer button")
    phone.until_seen("#trial")
    assert 'screen = "ssd1306:address=0x3d"' in helper.config.read_text().splitlines()
    helper.config.with_name("tabletop.toml.trial").replace(helper.config)  # as tabletop-trial.service does
    (helper.home / "trial").unlink()
    phone.until(f"document.querySelector('#say').textContent === {WORDS['returned']!r}")
    assert phone.value("document.querySelector('[data-key=\"screen.address\"] select').value") == "0x3c"


def test_buttons_that_are_the_wrong_way_round_are_swapped(phone: Browser, page: Page, helper: Helper) -> None:
    """HOLD is asked for and BANK comes: the pins are changed in the form, and nothing is written yet."""
    before = helper.config.read_text()
    opened(phone, page)
    phone.tap("[data-part=buttons] .test button")
    phone.until_seen("[data-part=buttons] [role=status]")
    assert obeyed(page) == MenuAction.TEST_PARTS
    page.show(replace(page.shown, pressed="bank"), None, time.monotonic())
    phone.until("document.querySelectorAll('[data-part=buttons] .test button').length === 2")
    phone.tap("[data-part=buttons] .test button")
    phone.until("document.querySelector('[data-key=\"pins.bank\"] select').value === '27'")
    assert phone.value("document.querySelector('[data-key=\"pins.hold\"] select').value") == "17"
    assert not phone.value("document.querySelector('#save').disabled")
    assert helper.config.read_text() == before


def test_a_button_on_another_pin_is_taken_with_one_tap(phone: Browser, page: Page, helper: Helper) -> None:
    """It is pressed while the table tests its buttons."""
    assert helper.config.exists()
    opened(phone, page)
    with mock_pins(MockFactory(pin_class=LaterPressedPin)):
        phone.tap("[data-part=buttons] .test button")
        phone.until("document.querySelectorAll('[data-part=buttons] .test button').length === 3")
    phone.tap("[data-part=buttons] .test button.main")
    phone.until("document.querySelector('[data-key=\"pins.bank\"] select').value === '22'")


def test_the_display_is_turned(phone: Browser, page: Page, helper: Helper) -> None:
    """Is the text upright? No: the rotation is chosen, and the test ends."""
    assert helper.config.exists()
    opened(phone, page)
    phone.tap("[data-part=display] .test button")
    phone.until_seen("[data-part=display] [role=status]")
    assert obeyed(page) == MenuAction.TEST_PARTS
    phone.tap("[data-part=display] .test button")
    phone.until("document.querySelector('[data-key=\"screen.rotate\"] select').value === '180'")
    assert obeyed(page) == MenuAction.START_MENU
