"""Matches played in a real Chromium with nothing but taps on the page: no camera, no OLED, no buttons."""

from pathlib import Path
from random import Random

import pytest
from browser import PHONE, Browser
from page_program import page_of

from tabletop.store import Store

pytestmark = pytest.mark.slow

PAIRED = "document.querySelector('#menu').checkVisibility()"
COUNT = "document.body.dataset.count"
SCORES = (
    "Object.fromEntries([...document.querySelectorAll('#scores li')]"
    ".map(row => [row.querySelector('.name').firstChild.data, Number(row.querySelector('.score').innerText)]))"
)
OVER = "document.querySelector('#scores .won') !== null"
MOMENT = "document.body.dataset.moment"
KEY = "(box => [box.left, box.top])(document.querySelector('#face-6').getBoundingClientRect())"


def on(phone: Browser, selector: str) -> bool:
    return bool(
        phone.value(f"(e => Boolean(e && e.checkVisibility() && !e.disabled))(document.querySelector('{selector}'))")
    )


def answered(phone: Browser, moment: str) -> None:
    phone.until(f"{MOMENT} !== '{moment}'")


def test_a_whole_yahtzee_by_taps(phone: Browser, tmp_path: Path) -> None:
    """Five dice in five taps; tapped dice are kept, a tapped box is written; the sums are those of the faces."""
    chance, written = Random(8), 0
    with page_of(tmp_path, "yahtzee", "--players", "Ann", "--camera", "none") as (address, digits):
        phone.open(f"http://{address}/#{digits}")
        phone.until(PAIRED)
        while not phone.value(OVER):
            moment = str(phone.value(MOMENT))
            if on(phone, "#answers .key"):
                due = int(phone.value("document.querySelectorAll('#answers .due').length"))
                for face in (chance.randint(1, 6) for _ in range(due)):
                    phone.tap(f"#face-{face}")
            elif on(phone, "#dice[data-tap=keep]"):
                phone.tap(f"#dice .die:nth-child({chance.randint(1, 5)})")
                assert on(phone, "#answer")
                phone.tap("#answer")
            elif not on(phone, "#answers .option"):
                phone.tap("#bank")  # the last throw is shown first: who won?
                phone.until(OVER)
                break
            else:
                best = phone.value(
                    "Math.max(...[...document.querySelectorAll('#answers .option b')].map(b => +b.innerText))"
                )
                before = phone.value(SCORES)["Ann"]
                phone.tap("#answers li:has(b) .option.here")
                answered(phone, moment)
                written += 1
                assert phone.value(SCORES)["Ann"] >= before + best  # and a bonus
                continue
            answered(phone, moment)
        assert written == 12  # the last of thirteen boxes is written without a question
        total = phone.value(SCORES)["Ann"]
        assert phone.value("document.documentElement.scrollWidth") == PHONE[0]
    with Store(tmp_path / "a.db") as store:
        (match,) = store.matches()
    assert (match.ending, match.game) == ("over", "yahtzee")
    assert total > 0


def test_a_wrong_tap_is_taken_back(phone: Browser, tmp_path: Path) -> None:
    """Before the last die: what was entered is gone again, by tap and by key, and of it what is tapped."""
    with page_of(tmp_path, "yahtzee", "--players", "Ann", "--camera", "none") as (address, digits):
        phone.open(f"http://{address}/#{digits}")
        phone.until(PAIRED)
        moment = str(phone.value(MOMENT))
        place = phone.value(KEY)
        for face in (6, 6):
            phone.tap(f"#face-{face}")
            assert phone.value(KEY) == place  # no face moves under a finger
        phone.tap("#clear")
        phone.write("body", "66\ue003222")  # Backspace (W3C WebDriver, 17.4.2)
        answered(phone, moment)
        faces = phone.value("[...document.querySelectorAll('#dice .die')].map(die => die.ariaLabel[0])")
        assert sorted(faces) == ["2", "2", "2", "6", "6"]
        assert phone.text("#offer") == "keep 2 2 2 6 6"
        phone.tap("#dice .die.kept")  # what BANK would keep is no longer what is kept
        phone.until("document.querySelector('#answer').innerText === 'Keep 2 2 6 6'")
        assert not phone.value("document.querySelector('#offer').checkVisibility()")
        phone.tap("#undo")  # "Back" in what it asks takes nothing back
        phone.until("document.querySelector('#who').innerText === 'Take back?'")
        assert phone.text("#undo") == "Back"
        phone.tap("#undo")
        phone.until("document.querySelector('#dice .die')?.checkVisibility()")
        assert phone.value("document.querySelectorAll('#events li').length") == 1
