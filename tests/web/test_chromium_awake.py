"""A phone that sleeps and a screen that must not: the page in a real Chromium over plain http."""

import pytest
from browser import Browser

from tabletop.dialogs.commands import STALE
from tabletop.views.snapshot import Snapshot
from tabletop.web.page import Page

pytestmark = pytest.mark.slow

TABLE = Snapshot("Pig", ("Ann", "Ben"), (3, 7), "Ann", "throw one die", hold="pause", bank="whose go?")
NO_LOCK = "Object.defineProperty(navigator, 'wakeLock', { value: undefined, configurable: true })"
NO_FILM = "HTMLVideoElement.prototype.play = () => Promise.reject(new Error('refused'))"
PLAYED = "[...document.querySelectorAll('body > video')].some(film => !film.paused && film.checkVisibility())"
DEAF = (
    "window.EventSource = class extends EventTarget {"
    " static made = 0; constructor() { super(); window.EventSource.made += 1; } close() {} }"
)


def test_a_film_inside_the_page_keeps_the_screen_on(phone: Browser, page: Page) -> None:
    """Where there is no lock; it goes when wall mode ends. Where it may not play either, the page says so."""
    phone.open(f"http://{page.address}/")
    phone.until("document.querySelector('#who').innerText === 'Ann'")
    phone.run(NO_LOCK)
    phone.run("document.querySelector('#wall').click()")
    phone.until(f"document.body.dataset.awake === 'film' && {PLAYED}")
    promised = phone.value("document.querySelector('#wall-note').textContent")
    phone.run("document.querySelector('#wall').click()")
    phone.until("!document.querySelector('video') && !document.body.dataset.awake")
    phone.run(NO_FILM)
    phone.run("document.querySelector('#wall').click()")
    phone.until("document.querySelector('#wall-note').textContent.length")
    assert phone.value("document.querySelector('#wall-note').textContent") != promised


@pytest.mark.parametrize(
    "waking", ["document.dispatchEvent(new Event('visibilitychange'))", "dispatchEvent(new Event('online'))"]
)
def test_a_phone_that_wakes_opens_its_stream_at_once(phone: Browser, page: Page, waking: str) -> None:
    """Whether or not the old one says that it is dead; one that does not begin is opened again."""
    phone.open(f"http://{page.address}/")
    phone.until("document.querySelector('#who').innerText === 'Ann'")
    phone.run(DEAF)
    phone.run(waking)
    assert phone.value("window.EventSource.made") >= 1
    made = phone.value("window.EventSource.made")
    phone.until(f"window.EventSource.made > {made}")


def test_a_late_press_fetches_the_state(phone: Browser, page: Page) -> None:
    """A stream that has died in silence shows what is asked no longer: the 409 opens a new one."""
    phone.open(f"http://{page.address}/#{page.pairing.digits}")
    phone.until("document.querySelector('#bank').checkVisibility()")
    phone.run(DEAF)
    phone.run("document.querySelector('#bank').click()")
    while not (commands := page.inbox.take()):
        pass  # on its way
    commands[0].result.set_result(STALE)  # and no stream says so
    phone.until("window.EventSource.made === 1")
