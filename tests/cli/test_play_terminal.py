"""`tabletop play` as people start it: in a terminal, with nothing but keys, over simulated dice and the real reader."""

import signal
from pathlib import Path

import pytest
from emulated_terminal import Terminal

from tabletop.store import Store

pytestmark = pytest.mark.uncounted


def test_a_turn_of_pig_is_played_with_keys(tmp_path: Path) -> None:
    """Thrown dice are read, the stake is shown, BANK banks it, q leaves the match open in the store."""
    terminal = Terminal("pig", "--players", "Ann,Ben", "--seed", "8", home=tmp_path)
    assert terminal.shows("Ann: throw one die")
    terminal.type("t")
    assert terminal.shows("Ann: roll or bank?")
    terminal.type("b")
    assert terminal.shows("Ben: throw one die")
    terminal.type("q")
    assert terminal.end() == 0
    with Store(tmp_path / "a.db", looking=True) as store:
        assert [event.body["kind"] for event in store.events(1)] == ["throw", "choose"]
        assert store.match(1).ending is None


def test_without_a_game_the_menu_asks_and_resumes(tmp_path: Path) -> None:
    """The start menu leads to a match with HOLD and BANK alone; started again it offers to go on."""
    terminal = Terminal("--seed", "8", home=tmp_path)
    assert terminal.shows("Which game?")
    terminal.type("b")
    assert terminal.shows("Who plays?")
    terminal.type("b")
    assert terminal.shows("start")
    terminal.type("b")
    assert terminal.shows("Ann: throw one die")
    terminal.type("q")
    assert terminal.end() == 0
    again = Terminal(home=tmp_path)
    assert again.shows("Go on?")
    again.type("b")
    assert again.shows("Ann: throw one die")
    again.type("q")
    assert again.end() == 0


@pytest.mark.parametrize("size", [(20, 30), (100, 5)])
def test_a_terminal_that_is_too_small_is_told(tmp_path: Path, size: tuple[int, int]) -> None:
    """One clear line and status 2."""
    terminal = Terminal("pig", home=tmp_path, size=size)
    assert terminal.end() == 2
    said = terminal.child.before.decode()
    assert "expected a terminal of at least" in said
    assert "Traceback" not in said


def test_it_gives_the_terminal_back_when_it_is_ended(tmp_path: Path) -> None:
    """SIGTERM ends the table properly: status 0, the cursor shown, the other screen left."""
    terminal = Terminal("pig", "--seed", "1", home=tmp_path)
    assert terminal.shows("throw one die")
    terminal.child.kill(signal.SIGTERM)
    assert terminal.end() == 0
    assert b"\x1b[?1049l" in terminal.child.before
    assert b"\x1b[?25h" in terminal.child.before


def test_why_a_display_shows_a_seat_is_told_where_people_quit(tmp_path: Path) -> None:
    """The line would be lost in the terminal's other screen: it comes after it is left, once a name."""
    terminal = Terminal("pig", "--players", "Ann,سارة", "--seed", "8", home=tmp_path)
    assert terminal.shows("Ann: throw one die")
    terminal.type("q")
    assert terminal.end() == 0
    said = terminal.child.before.decode().partition("\x1b[?1049l")[2]
    assert said.count("the display shows player 2 for سارة: it cannot draw such letters") == 1
