"""Matches set up in a real Chromium: from the empty table to the winner with the browser alone, and on from there."""

from pathlib import Path

import pytest
from browser import Browser
from page_program import page_of

from tabletop.rules import game_ids
from tabletop.store import Store

pytestmark = pytest.mark.slow

NAMES = ("Wilhelmina-A", "Bartholomäus", "Élodie", "Śćibor", "Maximilianus", "Jo")
FORM = "document.querySelector('#setup').open && document.querySelector('#setup-games').children.length"
KEYS = "document.querySelector('#face-6')"
MOMENT = "document.body.dataset.moment"
WIDE = (
    "[document.documentElement, ...document.querySelectorAll('#setup, #setup *')]"
    ".filter(e => e.checkVisibility() && e.getBoundingClientRect().right > 360.5).map(e => e.id || e.className)"
)

BUTTONS = "[...document.querySelectorAll('#stage button, #bar button')].filter(e => e.checkVisibility()).map(e => e.id)"


def open_form(phone: Browser, way: str = "#open-setup") -> None:
    """Open the form. way: the button that does."""
    phone.until(f"document.querySelector('{way}').checkVisibility()")
    phone.tap(way)
    phone.until(FORM)


def sit_down(phone: Browser, *names: str) -> None:
    for name in names:
        phone.write("#new-name", name)
        phone.tap("#add-name")


def test_a_match_from_the_empty_table_to_the_winner(phone: Browser, tmp_path: Path) -> None:
    """No camera, no OLED, no buttons: game, names, a house rule, throws, banks, the end, and the same match again."""
    with page_of(tmp_path, "--camera", "none") as (address, digits):
        phone.open(f"http://{address}/#{digits}")
        open_form(phone)
        phone.write(".search", "farkle")
        assert phone.value("[...document.querySelectorAll('.game')].map(card => card.id)") == ["game-ten-thousand"]
        phone.value("document.querySelector('.search').value = ''")
        phone.write(".search", "pig")
        phone.tap("#game-pig")
        sit_down(phone, "Ann", "Ben")
        phone.tap(".seat:nth-child(2) .begins")
        phone.tap("details.house summary")
        phone.value("document.querySelector('#option-of-target').value = ''")
        phone.write("#option-of-target", "11\t")
        phone.tap("#setup-start")
        for _ in range(3):  # Ben 6, Ann 6, Ben 12
            phone.until(KEYS)
            moment = str(phone.value(MOMENT))
            phone.tap("#face-6")
            phone.until(f"{MOMENT} !== '{moment}'")
            phone.tap("#bank")
            phone.until(f"{KEYS} || document.querySelector('#scores .won')")
        phone.until("document.querySelector('#scores .won')")
        assert phone.text("#scores .won .name") == "Ben"
        phone.until("document.querySelector('#another').checkVisibility()")
        assert phone.value(BUTTONS) == ["another", "bank"]  # another game, or the same again
        phone.tap("#bank")
        phone.until("document.querySelector('#list .item')?.checkVisibility()")
        assert phone.text("#list .item.here").splitlines()[0] == "Ben begins"
        assert not phone.value("document.querySelector('#open-setup').checkVisibility()")
        phone.tap("#undo")
        open_form(phone, "#another")
        phone.tap("#setup-again .again:nth-child(1)")
        assert phone.value("[...document.querySelectorAll('.seat .name')].map(name => name.innerText)") == [
            "Ben",
            "Ann",
        ]
        assert phone.value("document.querySelector('#option-of-target').value") == "11"
        phone.tap("#setup-start")
        phone.until(f"!document.querySelector('#setup').open && {KEYS}")
    with Store(tmp_path / "a.db") as store:
        again, first = store.matches()
    assert (first.ending, first.players, first.options["target"]) == ("over", ("Ben", "Ann"), 11)
    assert (again.ending, again.players, again.options["target"]) == (None, ("Ben", "Ann"), 11)


def test_a_name_that_nobody_can_play_under_is_refused_when_it_is_typed(phone: Browser, tmp_path: Path) -> None:
    """Thirteen letters, or a space: the reason at once, in the table's own words, and the field to change it."""
    with page_of(tmp_path, "--camera", "none") as (address, digits):
        phone.open(f"http://{address}/#{digits}")
        open_form(phone)
        phone.tap("#game-pig")
        phone.tap("#setup-start")  # nobody sits there yet
        phone.until("document.activeElement.id === 'new-name' && document.querySelector('#setup-wrong').innerText")
        for name, why in (("A" * 13, "is too long: 12 letters at most"), ("Anna Lena", ": no spaces")):
            phone.value("document.querySelector('#new-name').value = ''")
            sit_down(phone, name)
            assert name in phone.text("#setup-wrong")
            assert why in phone.text("#setup-wrong")
            assert phone.value("document.querySelectorAll('.seat').length") == 0
        phone.value("document.querySelector('#new-name').value = ''")
        sit_down(phone, "Śćibor" + "\u0301" * 6)  # twelve code points, six letters
        assert phone.value("document.querySelectorAll('.seat').length") == 1
        assert phone.text("#setup-wrong") == ""


def test_who_taps_a_line_without_being_let_in_is_asked_for_the_digits(phone: Browser, tmp_path: Path) -> None:
    """The first thing a stranger does is to tap a game."""
    with page_of(tmp_path, "--camera", "none") as (address, _):
        phone.cdp("Network.clearBrowserCookies", {})
        phone.open(f"http://{address}/")
        phone.until("document.querySelector('#list .item')")
        phone.tap("#list .item")
        phone.until("document.activeElement.id === 'digits'")


def test_a_match_is_put_aside_and_goes_on(phone: Browser, tmp_path: Path) -> None:
    """Put aside on the page, it can go on from there; ended for good, after a second tap, it cannot."""
    words = ("pig", "--players", "Ann,Ben", "--camera", "none")
    with page_of(tmp_path, *words) as (address, digits):
        phone.open(f"http://{address}/#{digits}")
        phone.until(KEYS)
        phone.tap("#face-4")
        phone.until(f"!{KEYS}")
        phone.tap("#menu")
        open_form(phone)
        phone.tap("#setup-again .stop")
        phone.until("document.querySelector('#who').innerText === 'Go on?'")
        open_form(phone)
        phone.tap("#setup-again .again:nth-child(1)")
        phone.until("document.querySelector('#stake').checkVisibility()")
        assert phone.text("#stake") == "at stake 4"
        phone.tap("#menu")
        open_form(phone)
        phone.tap("#setup-again .end")
        phone.tap("#setup-again .end.sure")
        phone.until("document.querySelector('#list').checkVisibility() && !document.querySelector('#setup').open")
    with Store(tmp_path / "a.db") as store:
        (match,) = store.matches()
    assert match.ending == "left"


def test_a_preset_is_kept_changed_and_begun_with_one_tap(phone: Browser, tmp_path: Path) -> None:
    """Named by somebody, listed first, begun with one tap; another rule text keeps the house rule that was changed."""
    with page_of(tmp_path, "--camera", "none") as (address, digits):
        phone.open(f"http://{address}/#{digits}")
        open_form(phone)
        phone.tap("#game-yahtzee")
        sit_down(phone, "Ann", "Ben")
        phone.tap("details.house summary")
        phone.value("document.querySelector('#option-of-joker_after_zero').scrollIntoView({ block: 'center' })")
        phone.tap("#option-of-joker_after_zero")
        phone.write("#option-of-rules", "kniffel")
        phone.until("document.querySelector('#option-of-rules').value === 'kniffel'")
        assert phone.value("document.querySelector('#option-of-joker_after_zero').checked") is False
        phone.value("document.querySelector('#setup-keep').scrollIntoView({ block: 'center' })")
        phone.tap("#setup-keep summary")
        phone.write("#keep-name", "Friday\n")
        phone.until("document.querySelector('#toast').checkVisibility()")
        assert phone.value("document.activeElement.innerText") == "Keep as a preset"  # the keyboard goes on there
        phone.tap("#other-game")
        phone.tap(".own .step")
        assert phone.value("document.activeElement.ariaLabel") == "Friday: Change or delete"
        phone.write("#preset-name", " night\n")
        phone.until("document.querySelector('.own b').innerText === 'Friday night'")
        phone.tap(".own .again")
        phone.until(f"!document.querySelector('#setup').open && {KEYS}")
    with Store(tmp_path / "a.db") as store:
        (match,) = store.matches()
        (preset,) = store.presets.all()
    assert (match.game, match.players) == ("yahtzee", ("Ann", "Ben"))
    assert (match.options["rules"], match.options["joker_after_zero"]) == ("kniffel", False)
    assert preset.name == "Friday night"


def test_the_form_of_every_game_fits_a_small_phone(phone: Browser, tmp_path: Path) -> None:
    """Six long names, all house rules, how it is played: nothing stands beyond the edge."""
    with page_of(tmp_path, "--camera", "none") as (address, digits):
        phone.open(f"http://{address}/#{digits}")
        open_form(phone)
        phone.tap("#game-pig")
        sit_down(phone, *NAMES)
        wide = {}
        for game_id in game_ids():
            phone.tap("#other-game")
            assert not phone.value("document.querySelector('#setup footer').checkVisibility()")  # it would cover games
            phone.tap(f"#game-{game_id}")
            phone.value("document.querySelectorAll('#setup details').forEach(details => { details.open = true })")
            if beyond := phone.value(WIDE):
                wide[game_id] = beyond
            told = phone.value("[...document.querySelectorAll('#setup-games details p')].map(line => line.innerText)")
            assert [line for line in told if line[-1] not in ".:!?"] == []  # no paragraph ends within a sentence
        assert wide == {}
