"""Matches in a real Chromium with taps and keys alone: letting in, throws, answers, undo, correction, the end."""

import time
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest
from browser import HEAR, SCORES, Browser
from english import english
from page_program import page_of
from taken_commands import taken

from tabletop.core.ports import Frame, Press
from tabletop.core.values import Die, Reading, Unsure, UnsureReason
from tabletop.dialogs.commands import Correct, SetFace
from tabletop.interpret.hints import ONE_MISSING
from tabletop.interpret.press_table import WHOSE_GO
from tabletop.rules import Choose, Match, Throw
from tabletop.session.match_session import MatchSession
from tabletop.session.snapshotting import THROW_ONE, snapshot
from tabletop.views.snapshot import Asking, Snapshot
from tabletop.web.page import Page

pytestmark = pytest.mark.slow

TABLE = Snapshot("Pig", ("Ann", "Ben"), (3, 7), "Ann", THROW_ONE, hold="pause", bank=WHOSE_GO)
TOUCH = 44  # CSS pixels of a finger (WCAG 2.2, 2.5.5)
FACES = "[...document.querySelectorAll('#dice .die')].map(die => parseInt(die.ariaLabel))"
AT_STAKE = "at stake {n}"  # the name of the text
LIVE = "document.querySelector('#live').innerText.startsWith('{}')"
MOMENT = "document.body.dataset.moment"
NOTE = "document.querySelector('#correct-faces .note')?.innerText"
OUTSIDE = (
    "performance.getEntriesByType('resource').map(entry => entry.name)"
    ".filter(name => !name.startsWith(location.origin))"
)
TAB, ENTER, BACKSPACE = "\ue004", "\ue007", "\ue003"  # W3C WebDriver, 17.4.2
PIG = ("pig", "--players", "Ann,Ben")


def test_a_turn_of_pig_with_the_buttons_of_the_page(phone: Browser, tmp_path: Path) -> None:
    """Watch, enter wrong digits and then the right ones, throw until points are at stake, bank, and see the score."""
    with page_of(tmp_path, *PIG, "--seed", "3") as (address, digits):
        phone.open(f"http://{address}/")
        phone.until("document.querySelector('#who').innerText === 'Ann'")
        assert not phone.sees("#bank")
        phone.tap("#join")
        phone.write("#digits", "0000" if digits != "0000" else "0001")
        phone.tap("#enter")
        phone.until("document.querySelector('#wrong').innerText")
        phone.write("#digits", digits)
        phone.tap("#enter")
        phone.until_seen("#throw")
        while not phone.sees("#stake"):
            events = len(phone.all_of("#events li", "id"))
            phone.until_seen("#hint", gone=True)  # BANK would dismiss the first hint
            phone.tap("#throw")
            phone.until(f"document.querySelectorAll('#events li').length > {events}")
        stake, name = "".join(filter(str.isdigit, phone.text("#stake"))), phone.text("#who").removesuffix(" threw")
        phone.tap("#bank")
        phone.until(f"({SCORES})['{name}'] === {stake}")
        assert phone.value("document.cookie") == ""


def test_a_die_is_set_right_in_two_taps(phone: Browser, tmp_path: Path) -> None:
    """The die, then its face: the reader's second guess comes first, and only what is new is spoken."""
    with page_of(tmp_path, *PIG, "--seed", "3") as (address, digits):
        phone.open(f"http://{address}/{digits}")
        phone.until_seen("#throw")
        assert phone.value("location.pathname") == "/"
        phone.tap("#throw")
        phone.until_seen("#dice .die")
        phone.until(LIVE.format("Ann: roll or bank?"))
        phone.tap("#dice .die")
        first, *others = phone.all_of("#correct-faces button", "ariaLabel")
        phone.until(NOTE)
        assert len(others) == 4
        assert phone.text("#correct-faces .note").startswith(english(AT_STAKE, n=first))
        phone.tap("#correct-faces button")
        phone.until(f"{FACES}.join() === '{first}' && {LIVE.format(f'{first}. {english(AT_STAKE, n=first)}.')}")
        assert not phone.value("document.querySelector('#correct').open")
        assert "Ann" not in phone.text("#live")


def test_an_old_throw_is_set_right_in_the_history(phone: Browser, page: Page) -> None:
    """Short at first, whole on demand, each throw with its faces."""
    session, chance = MatchSession(Match("one-o-five", ["Ann", "Ben"])), Random(5)
    while len(session.match.events) < 40:
        dice = session.match.request.dice
        assert isinstance(dice, int)
        session.give(Throw(tuple(chance.randint(1, 6) for _ in range(dice))))
    page.show(snapshot(session, None), None, time.monotonic())
    phone.enter(page.address, page.pairing.digits, "#who")
    phone.tap("#view-happened")
    phone.until_seen("#all")
    short = len(phone.all_of("#events li", "id"))
    phone.tap("#all")
    phone.until(f"document.querySelectorAll('#events li').length > {short}")
    phone.tap("#events li:last-child .die.tap")
    phone.until(NOTE)
    with taken(page.inbox) as wanted:
        phone.tap("#correct-faces button")
        phone.until("!document.querySelector('#correct').open")
    (correction,) = wanted
    assert isinstance(correction, Correct)
    assert (correction.number, correction.was) == (1, session.match.events[0].answer)


def test_a_die_that_cannot_be_read_is_told_in_two_taps(phone: Browser, page: Page) -> None:
    """The die on the picture, then its face: the likeliest come first, and it may be no die at all."""
    unsure = Unsure(100.0, 60.0, 40.0, UnsureReason.TWO_FACES, faces=(2, 6))
    seen = Reading(1.0, 400, 200, (Die(3, 200.0, 100.0, 40.0, 0.0, "red", 0.9),), (unsure,))
    page.show(replace(TABLE, reading=seen), Frame(np.full((200, 400, 3), 90, np.uint8), 1.0), time.monotonic())
    phone.open(f"http://{page.address}/#{page.pairing.digits}")
    phone.tap("#view-tray")
    phone.until("document.querySelector('#outlines .unsure.tap')")
    phone.tap("#outlines .unsure .reach")
    phone.until("document.querySelector('#correct').open")
    offered = phone.all_of("#correct-faces button", "ariaLabel")
    assert offered == ["2", "6", "1", "3", "4", "5", "no dice"]
    with taken(page.inbox) as wanted:
        phone.tap("#correct-faces li:nth-child(2) button")
        phone.until("!document.querySelector('#correct').open")
    assert wanted == [SetFace(100, 60, 6)]


def test_turns_of_yahtzee_by_taps(phone: Browser, tmp_path: Path) -> None:
    """Five dice in five taps, of which wrong ones are taken back; tapped dice are kept, tapped boxes are written."""
    chance, written = Random(8), 0
    with page_of(tmp_path, "yahtzee", "--players", "Ann", "--camera", "none") as (address, digits):
        phone.enter(address, digits, "#face-6")
        for face in (6, 6):
            phone.tap(f"#face-{face}")
        phone.tap("#clear")
        phone.write("body", f"66{BACKSPACE}222")
        phone.until_seen("#dice .die.kept")
        assert sorted(phone.value(FACES)) == [2, 2, 2, 6, 6]
        phone.tap("#dice .die.kept")  # what BANK would keep is no longer what is kept
        phone.until("document.querySelector('#keep').innerText === 'Keep 2 2 6 6, roll 1'")
        phone.tap("#undo")  # "Back" in what it asks takes nothing back
        phone.until("document.querySelector('#who').innerText === 'Take back?'")
        phone.tap("#back")
        phone.until_seen("#dice .die")
        while written < 3:
            moment = str(phone.value(MOMENT))
            if phone.sees("#answers .key"):
                for _ in phone.all_of("#answers .due", "id"):
                    phone.tap(f"#face-{chance.randint(1, 6)}")
            elif phone.value("document.querySelector('#dice[data-tap=keep]') !== null"):
                phone.tap(f"#dice .die:nth-child({chance.randint(1, 5)})")
                phone.tap("#keep")
            else:
                before, written = phone.value(SCORES)["Ann"], written + 1
                gives = max(map(int, phone.all_of("#board .box", "innerText")))
                phone.tap("#board .box.here")
                phone.until(f"({SCORES}).Ann === {before + gives}")
            phone.until(f"{MOMENT} !== '{moment}'")


def test_who_keeps_and_rolls_is_not_asked_again(phone: Browser, tmp_path: Path) -> None:
    """Two actions of one tap, without a camera as well: what is entered next are the dice that were not kept."""
    with page_of(tmp_path, "ten-thousand", "--players", "Ann,Ben", "--camera", "none") as (address, digits):
        phone.open(f"http://{address}/#{digits}")
        for face in (1, 1, 1, 2, 3, 4):
            phone.until_seen(f"#face-{face}")
            phone.tap(f"#face-{face}")
        phone.until_seen("#keep")
        assert phone.text("#keep") == "Keep 1 1 1, roll 3"
        phone.tap("#keep")
        phone.until("document.querySelectorAll('#answers .due').length === 3")
        assert phone.text("#stake").lower() == english(AT_STAKE, n="1,000").lower()


def test_a_pig_with_the_keyboard_alone(phone: Browser, tmp_path: Path) -> None:
    """From the digits to the winner without a pointer, and without a request to anybody but the table."""
    with page_of(tmp_path, *PIG, "--set", "target=8", "--camera", "none") as (address, digits):
        phone.open(f"http://{address}/")
        phone.until_seen("#join")
        for _ in range(8):
            phone.press(TAB)
            if phone.value("document.activeElement.id") == "join":
                break
        phone.press(ENTER)
        phone.until("document.activeElement.id === 'digits'")
        phone.press(digits + ENTER)
        for face in "4635":  # Ann 4, Ben 6, Ann 7, Ben 11
            phone.until_seen("#face-5")
            phone.press(face)
            phone.until_seen("#stake")
            phone.press("b")
            phone.until_seen("#stake", gone=True)
        phone.until("document.querySelector('#board .won')")
        assert phone.value(SCORES) == {"Ann": 7, "Ben": 11}
        assert phone.value(OUTSIDE) == []


def test_taps_for_a_throw_that_somebody_else_enters_are_not_dropped_in_silence(phone: Browser, page: Page) -> None:
    """A slower device reads that it is there."""
    asking = Asking((1, 0), "roll", due=(("Ann", 5),))
    page.show(replace(TABLE, number=1, asking=asking), None, time.monotonic())
    phone.enter(page.address, page.pairing.digits, "#face-5")
    phone.run(HEAR)
    phone.tap("#face-5")
    page.show(replace(TABLE, number=1, asking=replace(asking, moment=(1, 1))), None, time.monotonic())
    phone.until("heard !== '' && !document.querySelector('#answers .entered .die')")


def test_a_question_in_words_offers_nothing_else(phone: Browser, page: Page) -> None:
    """Where Shut the Box asks how many dice, its tiles are shut, but none is asked for."""
    session = MatchSession(Match("shut-the-box", ["Ann", "Ben"]))
    for faces, tiles in (((6, 1), "7"), ((6, 2), "8"), ((6, 3), "9")):
        session.give(Throw(faces))
        session.give(Choose(tiles))
    assert session.match.request.options == ("one die", "two dice")
    page.show(snapshot(session, None), None, time.monotonic())
    phone.enter(page.address, page.pairing.digits, "[data-actions] button")
    assert phone.all_of("[data-actions] button:enabled", "innerText") == ["Two dice", "One die"]
    assert phone.all_of("[data-actions] button:disabled", "innerText") == []


def test_buttons_are_as_large_as_a_finger_and_keys_press(phone: Browser, page: Page) -> None:
    """Dice and what changes are named and spoken."""
    page.show(replace(TABLE, thrown=(4, 2), kept=(True, False)), None, time.monotonic())
    phone.enter(page.address, page.pairing.digits, "#bank")
    sizes = "[...document.querySelectorAll('button')].filter(e => e.checkVisibility())"
    sizes += ".map(e => Math.min(e.offsetWidth, e.offsetHeight))"
    assert min(phone.value(sizes)) >= TOUCH
    assert phone.value("location.hash") == ""
    assert phone.all_of("#dice > *", "ariaLabel") == ["4, set aside", "2"]
    assert phone.text("#live") == "Ann: throw one die."
    page.show(replace(TABLE, hint=ONE_MISSING), None, time.monotonic())
    phone.until(LIVE.format("one die is missing."))
    with taken(page.inbox) as wanted:
        phone.write("body", "h")
        phone.until("performance.getEntriesByName(location.origin + '/api/v1/command').length === 1")
    assert wanted == [Press("hold")]
