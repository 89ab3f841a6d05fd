"""`tabletop play` as people start it: in a terminal, with nothing but keys, over simulated dice and the real reader."""

import re
import signal
from pathlib import Path
from urllib.request import urlopen

import pytest
from emulated_terminal import Terminal
from english import english

from tabletop.dialogs.setup import WHICH_GAME
from tabletop.session.snapshotting import ROLL_OR_BANK, THROW_ONE
from tabletop.store import Store


def test_a_turn_of_pig_is_played_with_keys(tmp_path: Path) -> None:
    """Thrown dice are read, the stake is shown, BANK banks it, q leaves the match open in the store."""
    terminal = Terminal("pig", "--players", "Ann,Ben", "--seed", "8", home=tmp_path)
    assert terminal.shows(f"Ann: {english(THROW_ONE)}")
    terminal.type("t")
    assert terminal.shows(f"Ann: {english(ROLL_OR_BANK)}")
    terminal.type("b")
    assert terminal.shows(f"Ben: {english(THROW_ONE)}")
    terminal.type("q")
    assert terminal.end() == 0
    with Store(tmp_path / "a.db", looking=True) as store:
        assert [event.body["kind"] for event in store.events(1)] == ["throw", "choose"]
        assert store.match(1).ending is None


def test_without_a_game_the_menu_asks_and_resumes(tmp_path: Path) -> None:
    """The start menu leads to a match with HOLD and BANK alone; started again it offers the same match."""
    terminal = Terminal("--seed", "8", home=tmp_path)
    assert terminal.shows(WHICH_GAME)
    terminal.type("b")
    assert terminal.shows("Who plays?")
    terminal.type("b")
    assert terminal.shows("> Start")
    terminal.type("b")
    assert terminal.shows(f"Ann: {english(THROW_ONE)}")
    terminal.type("q")
    assert terminal.end() == 0
    again = Terminal(home=tmp_path)
    assert again.shows("> Again: Pig")
    again.type("b")
    assert again.shows(f"Ann: {english(THROW_ONE)}")
    again.type("q")
    assert again.end() == 0


def test_the_page_is_served_to_this_machine(tmp_path: Path) -> None:
    """Its address stays on the screen with its code; a second table takes another port, and both end clean."""
    tables = [Terminal("pig", "--store", str(tmp_path / f"{at}.db"), home=tmp_path) for at in range(2)]
    found = []
    for table in tables:
        assert table.shows("http://127.0.0.1:")
        address, code = re.findall(r"(http://127\.0\.0\.1:\d+/)#(\d{4})", table.text)[0]
        found.append(address)
        with urlopen(address, timeout=30) as answer:  # noqa: S310 - an address of our own
            assert answer.status == 200
        assert code.isdigit()
    assert len(set(found)) == 2
    for table in tables:
        table.type("q")
        assert table.end() == 0


def test_before_a_match_there_are_no_dice_to_throw(tmp_path: Path) -> None:
    """A key for the dice says in the start menu that it does nothing there."""
    terminal = Terminal("--seed", "8", home=tmp_path, size=(60, 18))
    assert terminal.shows(WHICH_GAME)
    terminal.type("t")
    assert terminal.shows("t does nothing here")
    terminal.type("q")
    assert terminal.end() == 0


@pytest.mark.parametrize("size", [(60, 18), pytest.param((120, 40), marks=pytest.mark.slow)])
def test_a_turn_is_played_at_each_size_in_the_longer_words(tmp_path: Path, size: tuple[int, int]) -> None:
    """The dice thrown are read from the tray's picture and drawn below it; behind ? are the rules of the game."""
    seed, three = ("--seed", "3", "--language", "de"), "└3┘" if size == (60, 18) else "└───3────┘"
    terminal = Terminal("ten-thousand", "--players", "Ann,Ben", *seed, home=tmp_path, size=size)
    assert terminal.shows("Ann: 6 Würfel werfen")
    assert terminal.shows("▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀")
    terminal.type("t")
    assert terminal.shows("Wurf 2 3 3 3 3 6")
    terminal.type("#")
    assert terminal.shows(three)
    terminal.type("?")
    assert terminal.shows("TAB")
    for page in range(2, 4 if size == (60, 18) else 3):
        assert terminal.shows(f" {page} ")  # the page that comes next
        terminal.type(" ")
    assert terminal.shows("Die Regeln: Zehntausend")
    terminal.type("\x1b")
    assert terminal.shows(three)
    terminal.type("q")
    assert terminal.end() == 0


@pytest.mark.parametrize("size", [(20, 30), (100, 5)])
def test_a_terminal_that_is_too_small_is_told(tmp_path: Path, size: tuple[int, int]) -> None:
    """One clear line and status 2, before a match begins."""
    terminal = Terminal("pig", home=tmp_path, size=size)
    assert terminal.end() == 2
    said = terminal.child.before.decode()
    assert "expected a terminal of at least" in said
    assert "Traceback" not in said
    with Store(tmp_path / "a.db") as store:
        assert store.matches() == ()


def test_it_gives_the_terminal_back_when_it_is_ended(tmp_path: Path) -> None:
    """SIGTERM ends the table properly: status 0, the cursor shown, the other screen left."""
    terminal = Terminal("pig", "--seed", "1", home=tmp_path)
    assert terminal.shows(english(THROW_ONE))
    terminal.child.kill(signal.SIGTERM)
    assert terminal.end() == 0
    assert b"\x1b[?1049l" in terminal.child.before
    assert b"\x1b[?25h" in terminal.child.before
