"""The picture of a throw in a real Chromium: opened from what has happened, looked at again, corrected by a tap."""

import json
from pathlib import Path

import pytest
from browser import Browser
from page_program import page_of

from tabletop.core.message import say
from tabletop.store.throws import are_kept, events_with_picture

pytestmark = pytest.mark.slow

SHOWN, SHOT, AGAIN, FIX = "#throw-shown", "#events .shot", "#throw-shown > .large", "#throw-shown .main"
LINES = "[...document.querySelectorAll('#throw-shown p')].map(line => line.innerText.toLowerCase())"
FACE = "document.querySelector('#events .throw .die').ariaLabel"


def said(text: str) -> str:
    """Return the condition that the dialog says this."""
    return f"{LINES}.includes({json.dumps(text)})"


def test_a_throw_is_looked_at_again_and_put_right(phone: Browser, tmp_path: Path) -> None:
    """With dice still due, so that the page has a button to throw them beside the dialog."""
    with page_of(tmp_path, "pig", "--players", "Ann,Ben", "--seed", "3") as (address, digits):
        phone.open(f"http://{address}/{digits}")
        phone.until_seen("#throw")
        phone.tap("#throw")
        phone.until_seen("#dice .die")
        face = int(phone.value(FACE).split()[-1])
        phone.tap("#view-happened")
        phone.until_seen(SHOT)
        phone.tap(SHOT)
        phone.until(said(say("read: {text}", text=str(face))))
        phone.tap(AGAIN)
        phone.until(said(say("that is how the throw counts")))
        assert not phone.sees(FIX)
        phone.tap(f"{SHOWN} > .large:last-child")
        phone.until_seen(SHOWN, gone=True)
        other = 5 if face == 6 else 6  # a player's mistake, by the page's own correction
        phone.tap("#events .throw .die")
        phone.tap(f"#choice-{other}")
        phone.until(f"{FACE}.endsWith('{other}')")
        phone.until_seen(SHOT)
        phone.tap(SHOT)
        phone.until(said(say("corrected to: {text}", text=str(other))))
        phone.tap(AGAIN)
        phone.until_seen(FIX)
        assert phone.value(FACE).endswith(str(other))
        phone.tap(FIX)
        phone.until(f"{FACE}.endsWith('{face}')")
        phone.until_seen(SHOWN, gone=True)


def test_pictures_are_switched_off_on_the_page(phone: Browser, tmp_path: Path) -> None:
    with page_of(tmp_path, "pig", "--players", "Ann,Ben", "--seed", "3") as (address, digits):
        phone.open(f"http://{address}/{digits}")
        phone.until_seen("#throw")
        phone.tap("#device-open")
        phone.until_seen("#keeps")
        phone.tap("#keeps")
        phone.tap("#device-close")
        phone.tap("#throw")
        phone.until_seen("#dice .die")
    assert not are_kept(tmp_path / "a.db")
    assert events_with_picture(tmp_path / "a.db", 1) == set()
