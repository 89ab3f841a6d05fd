"""Matches set up in a real Chromium: from the empty table to the winner with the browser alone, and on from there."""

import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import PHONE, Browser
from page_program import page_of, program_of
from screens import FAULTS, SIZES

from tabletop.core.values import Moment
from tabletop.rules import Match, Throw, game_ids
from tabletop.session.match_library import MatchLibrary
from tabletop.store import Store
from tabletop.views.snapshot import Snapshot

pytestmark = pytest.mark.slow

WORDS = Snapshot().phrases.page
NAMES = ("Wilhelmina-A", "Bartholomäus", "Élodie", "Śćibor", "Maximilianus", "Jo")
LOBBY = "document.body.classList.contains('lobby') && document.querySelector('.game')?.checkVisibility()"
FORM = "document.querySelector('#setup').open && document.querySelector('.game')"
CLOSED = "!document.querySelector('#setup').open"
MOMENT = "document.body.dataset.moment"
WIDE = (
    "[document.documentElement, ...document.querySelectorAll('#setup, #setup *')]"
    ".filter(e => e.checkVisibility() && e.getBoundingClientRect().right > 360.5).map(e => e.id || e.className)"
)
HASTE = "globalThis.usual ??= AbortSignal.timeout.bind(AbortSignal); AbortSignal.timeout = () => usual(300);"
LEISURE = "AbortSignal.timeout = usual;"
AWAY = "document.querySelector('#away').checkVisibility()"

STAND_UP = "(() => { for (let one; (one = document.querySelector('.seat .step:last-child')); ) one.click(); })()"
BEGIN_ELSEWHERE = """
const sent = { do: "begin", match: 0, game: "pig", players: ["Ann", "Ben"], settings: [] };
const path = "/api/v1/command";
fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(sent) });
"""
Empty = tuple[str, str, subprocess.Popen[str]]


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Empty]:
    """Serve a table at which no match is begun: its address, its digits, its program."""
    with program_of(tmp_path_factory.mktemp("empty"), "--camera", "none") as opened:
        yield opened


def open_form(phone: Browser, way: str = "#open-setup") -> None:
    phone.until_seen(way)
    phone.tap(way)
    phone.until(FORM)


def arrive(phone: Browser, address: str, digits: str) -> None:
    phone.open(f"http://{address}/#{digits}")
    phone.until(LOBBY)


def seeded(folder: Path) -> None:
    """Keep three matches that can go on, one with long names, and a preset."""
    with Store(folder / "a.db") as store:
        library = MatchLibrary(store, lambda: Moment("2026-01-01T00:00:00Z"), lambda _: None)
        for game, players in (("pig", ("Ann", "Ben")), ("lcr", NAMES), ("ten-thousand", NAMES[:3])):
            session = library.begin(Match(game, players))
            session.answer(Throw((1,) * int(str(session.match.request.dice))))
        store.presets.keep("Friday night", "pig", NAMES[:2], {})


def sit_down(phone: Browser, *names: str) -> None:
    for name in names:
        phone.write("#new-name", name)
        phone.tap("#add-name")


def write_anew(phone: Browser, field: str, text: str) -> None:
    phone.value(f"document.querySelector('{field}').value = ''")
    phone.write(field, text)


def test_a_match_from_the_empty_table_to_the_winner(phone: Browser, tmp_path: Path) -> None:
    """No camera, no OLED, no buttons: from the game to the winner and again; put aside it goes on, ended it cannot."""
    with page_of(tmp_path, "--camera", "none") as (address, digits):
        arrive(phone, address, digits)
        phone.write(".search", "farkle")
        assert phone.all_of(".game", "id") == ["game-ten-thousand"]
        write_anew(phone, ".search", "pig")
        phone.tap("#game-pig")
        sit_down(phone, "Ann", "Ben")
        phone.tap(".seat:nth-child(2) .begins")
        phone.tap(".rules summary")
        write_anew(phone, "#option-of-target", "11\t")
        phone.tap("#setup-start")
        for _ in range(3):  # Ben 6, Ann 6, Ben 12
            phone.until_seen("#face-6")
            moment = str(phone.value(MOMENT))
            phone.tap("#face-6")
            phone.until(f"{MOMENT} !== '{moment}'")
            phone.tap("#bank")
            phone.until("document.querySelector('#face-6, #board .won')")
        phone.until("document.querySelector('#board .won')")
        assert phone.value("document.querySelector('#board .won').dataset.player") == "Ben"
        open_form(phone, "#another")
        phone.tap("#setup-again .last")
        assert phone.all_of(".seat .name", "innerText") == ["Ben", "Ann"]
        assert phone.value("document.querySelector('#option-of-target').value") == "11"
        phone.tap("#setup-start")
        phone.until_seen("#face-4")
        phone.tap("#face-4")
        phone.until_seen("#stake")
        phone.tap("#device-open")
        phone.tap("#menu")
        open_form(phone)
        phone.tap(".match summary")
        phone.tap("#setup-again .stop")
        phone.until(LOBBY)
        phone.tap("#setup-again .first")
        phone.until_seen("#stake")
        assert "4" in phone.text("#stake").split()
        phone.tap("#device-open")
        phone.tap("#menu")
        open_form(phone)
        phone.tap(".match summary")
        phone.tap("#setup-again .end")
        phone.tap("#setup-again .end.sure")
        phone.until(LOBBY)
    with Store(tmp_path / "a.db") as store:
        again, first = store.matches()
    assert (first.ending, first.players, first.options["target"]) == ("over", ("Ben", "Ann"), 11)
    assert (again.ending, again.players, again.options["target"]) == ("left", ("Ben", "Ann"), 11)


def test_a_preset_is_kept_changed_and_begun_with_one_tap(phone: Browser, tmp_path: Path) -> None:
    """Named by somebody, listed first, begun with one tap; another rule text keeps the house rule that was changed."""
    with page_of(tmp_path, "--camera", "none") as (address, digits):
        arrive(phone, address, digits)
        phone.tap("#game-yahtzee")
        sit_down(phone, "Ann", "Ben")
        phone.tap(".rules summary")
        phone.tap("#option-of-joker_after_zero")
        phone.tap(".rule:first-of-type .chip:nth-child(5)")  # Kniffel's
        phone.tap("#setup-keep summary")
        phone.write("#keep-name", "Friday\n")
        phone.until_seen("#toast")
        phone.tap("#other-game")
        phone.tap(".own .step")
        phone.write("#preset-name", " night\n")
        phone.until("document.querySelector('.own b').innerText === 'Friday night'")
        phone.tap(".own .again")
        phone.until(f"{CLOSED} && document.querySelector('#face-6')")
    with Store(tmp_path / "a.db") as store:
        (match,) = store.matches()
        (preset,) = store.presets.all()
    assert (match.game, match.players) == ("yahtzee", ("Ann", "Ben"))
    assert (match.options["rules"], match.options["joker_after_zero"]) == ("kniffel", False)
    assert preset.name == "Friday night"


def test_who_only_looks_sees_that_nobody_plays(phone: Browser, empty: Empty) -> None:
    """No menu of somebody else's, and a tap on the only button asks for the digits."""
    phone.open(f"http://{empty[0]}/")
    phone.until_seen("#join")
    assert phone.text("#who").lower() == WORDS["nobody"]
    assert not phone.sees("#list")
    assert phone.value(CLOSED)
    phone.tap("#join")
    phone.until("document.activeElement.id === 'digits'")


def test_a_match_is_tried_without_setting_anything_up(phone: Browser, tmp_path: Path) -> None:
    """One tap, and it is on; left with one tap, its made-up players are offered nowhere."""
    with page_of(tmp_path, "--camera", "none") as table:
        arrive(phone, *table)
        phone.tap(".trial.first")
        phone.until_seen("#face-6")
        assert (phone.value(CLOSED), phone.sees("#trial")) == (True, True)
        moment = str(phone.value(MOMENT))
        phone.tap("#face-6")
        phone.until(f"{MOMENT} !== '{moment}'")
        phone.tap("#trial-end")
        phone.until(LOBBY)
        assert not phone.sees("#trial")
        assert phone.all_of("#setup-again .again", "className") == ["again trial first"]
        phone.tap("#game-pig")
        assert phone.all_of("#setup .names button, .seat", "innerText") == []
    with Store(tmp_path / "a.db") as store:
        (match,) = store.matches()
    assert (match.game, match.ending, ", ".join(match.players)) == ("pig", "left", WORDS["samples"])


def test_a_game_is_played_under_the_name_that_was_found(phone: Browser, tmp_path: Path) -> None:
    """A search for Kniffel begins Kniffel, by its rules; other spellings find it, too."""
    with page_of(tmp_path, "--camera", "none") as table:
        arrive(phone, *table)
        phone.write(".search", "KNIF fel")
        assert phone.all_of(".game .label", "innerText") == ["Kniffel"]
        phone.tap("#game-yahtzee")
        sit_down(phone, "Ann")
        phone.tap("#setup-start")
        phone.until_seen("#face-6")
        assert phone.text("#game") == "Kniffel"
    with Store(tmp_path / "a.db") as store:
        (match,) = store.matches()
    assert (match.game, match.options["rules"]) == ("yahtzee", "kniffel")


def test_what_another_device_begins_takes_the_place_of_the_lobby(phone: Browser, tmp_path: Path) -> None:
    """The lobby stands in place of an empty table, not of one that is played at."""
    with page_of(tmp_path, "--camera", "none") as table:
        arrive(phone, *table)
        phone.run(BEGIN_ELSEWHERE)
        phone.until(f"{CLOSED} && document.querySelector('#face-6')?.checkVisibility()")


@pytest.mark.parametrize("code", ["en", "de"])
def test_the_lobby_fits_every_screen(phone: Browser, tmp_path: Path, code: str) -> None:
    """All games, what is found, a match of six with all rules open: nothing cut off, broken or too small."""
    found = dict[tuple[str, tuple[int, int]], object]()

    def look(state: str) -> None:
        for size in SIZES:
            phone.resize(*size, scale=1.0)
            phone.until("!document.getAnimations().length")
            if faults := phone.run(FAULTS):
                found[state, size] = faults
        phone.resize(*PHONE)

    seeded(tmp_path)
    with page_of(tmp_path, "--camera", "none", "--language", code) as table:
        phone.open(f"http://{table[0]}/")
        phone.until_seen("#join")
        look("nobody")
        arrive(phone, *table)
        look("popular")
        phone.tap(".others summary")
        phone.tap(".own .step")
        look("unfolded")
        phone.tap("[data-kind=all]")
        look("all")
        phone.write(".search", "bo")
        look("found")
        phone.tap("#game-pig")
        phone.value(STAND_UP)
        sit_down(phone, *NAMES)
        look("six")
        phone.value("document.querySelectorAll('#setup details').forEach(details => { details.open = true })")
        look("rules")
    assert found == {}


def test_a_name_that_nobody_can_play_under_is_refused_when_it_is_typed(phone: Browser, empty: Empty) -> None:
    """Thirteen letters, a space, or one who sits there: the reason at once, beside the field to change it."""
    arrive(phone, *empty[:2])
    phone.tap("#game-pig")
    phone.tap("#setup-start")  # nobody sits there yet
    phone.until("document.activeElement.id === 'new-name' && document.querySelector('#setup-wrong').innerText")
    for name, why in (("A" * 13, "is too long: 12 letters at most"), ("Anna Lena", ": no spaces")):
        phone.value("document.querySelector('#new-name').value = ''")
        sit_down(phone, name)
        assert phone.text("#name-wrong").startswith(f"{name}{' ' if why[0] == 'i' else ''}{why}")
        assert phone.all_of(".seat", "id") == []
    phone.value("document.querySelector('#new-name').value = ''")
    sit_down(phone, "Śćibor" + "\u0301" * 6)  # twelve code points, six letters
    assert (len(phone.all_of(".seat", "id")), phone.text("#name-wrong")) == (1, "")
    phone.write("#new-name", "śćiBOR" + "\u0301" * 6)
    phone.until("document.querySelector('#name-wrong').innerText.endsWith('is at the table already')")
    phone.tap("#setup-start")
    assert (len(phone.all_of(".seat", "id")), phone.value("document.activeElement.id")) == (1, "new-name")


def test_who_was_sent_away_is_not_left_in_the_form(phone: Browser, empty: Empty) -> None:
    """A tap that is refused there closes the form, and what lets this device in again stands where buttons stood."""
    arrive(phone, *empty[:2])
    phone.cdp("Network.clearBrowserCookies", {})
    phone.tap("#game-pig")
    phone.write("#new-name", "Ann")
    phone.tap("#setup-start")
    phone.until(f"{CLOSED} && document.querySelector('#join').checkVisibility()")


def test_a_form_that_a_table_does_not_send_is_told(phone: Browser, empty: Empty) -> None:
    """The table hangs before the form's first load, and again later: the page says so; then the form opens."""
    arrive(phone, *empty[:2])
    table = empty[2]
    phone.tap("#setup-menu")
    phone.until_seen("#open-setup")
    for _ in range(2):
        phone.run(HASTE)
        table.send_signal(signal.SIGSTOP)
        try:
            phone.tap("#open-setup")
            phone.until(AWAY)
        finally:
            table.send_signal(signal.SIGCONT)
        phone.until(f"!{AWAY}")
        phone.run(LEISURE)
        assert phone.value(CLOSED)
        open_form(phone)
        phone.tap("#setup-menu")


def test_the_form_of_every_game_fits_a_small_phone(phone: Browser, empty: Empty) -> None:
    """Six long names, all house rules, how it is played: nothing stands beyond the edge."""
    arrive(phone, *empty[:2])
    phone.tap("[data-kind=all]")
    phone.tap("#game-pig")
    sit_down(phone, *NAMES)
    wide = {}
    for game_id in game_ids():
        phone.value("document.querySelector('#other-game').click()")
        phone.value(f"document.querySelector('#game-{game_id}').click()")
        phone.value("document.querySelectorAll('#setup details').forEach(details => { details.open = true })")
        wide[game_id] = phone.value(WIDE)
    assert {game: beyond for game, beyond in wide.items() if beyond} == {}
