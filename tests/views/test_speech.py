"""What is said for a change at the table, and what is not said again."""

from dataclasses import replace
from pathlib import Path

import pytest
from people import People

from tabletop.dialogs.menu import EMPTY_CELL
from tabletop.interpret.offers import STOPS
from tabletop.interpret.press_table import PRESS_TABLE
from tabletop.rules import Match, Throw
from tabletop.session.snapshotting import ROLL_OR_BANK, THROW_ONE
from tabletop.store import Store
from tabletop.views.i18n.catalogue import load_language
from tabletop.views.i18n.translate import translated
from tabletop.views.snapshot import DieInTray, Entry, MenuView, Snapshot, Spelling, TrayDrawing
from tabletop.views.speech import HELP, OVER, SCORE, STARTED, TURN, remembered, sounds, spoken

BUTTONS = f"HOLD: {PRESS_TABLE['roll or stop'].hold.label} BANK: {STOPS[0]}"
AT_STAKE, HAS, POINTS = "{n} at stake", "{name} now has {text}", "{n} points"  # ids in the catalogue
WAIT_S = 5.0  # until a message has gone


class Listener:
    """Somebody who hears a live table with a camera. said: all sentences; kinds: of the sounds."""

    def __init__(self, people: People, code: str = "en") -> None:
        self.people, self.language, self._before = people, load_language(code), Snapshot()
        self.kinds = list[tuple[str, ...]]()

    def hear(self, *shown: Snapshot) -> str:
        self.people.now_s += WAIT_S
        said = [self._hear(now) for now in (*shown, self.people.table.tick(self.people.now_s))]
        return " | ".join(filter(None, said))

    def _hear(self, now: Snapshot) -> str:
        now = translated(now, self.language)
        text, kinds = spoken(self._before, now), sounds(self._before, now)
        self.kinds += [kinds] if kinds else []
        assert spoken(remembered(self._before, now), now) == ""
        self._before = remembered(self._before, now)
        return text


@pytest.fixture
def people(tmp_path: Path) -> People:
    people = People(Store(tmp_path / "a.db"))
    people.table.begin(people.matches.begin(Match("pig", ["Ann", "Ben"])))
    return people


def has(name: str, n: int) -> str:
    return HAS.format(name=name, text=POINTS.format(n=n))


def test_a_turn_is_called_as_by_somebody_at_the_table(people: People) -> None:
    """The game and who throws; the die, the stake and the question; the buttons once; who banked, and who is next."""
    ear = Listener(people)
    assert ear.hear() == f"Pig. Ann: {THROW_ONE}"
    assert ear.hear(people.throw(5)) == f"5. {AT_STAKE.format(n=5)}. {ROLL_OR_BANK} {BUTTONS}"
    assert ear.hear(people.throw(3)) == f"3. {AT_STAKE.format(n=8)}. {ROLL_OR_BANK}"
    banked = ear.hear(people.press("bank"))
    assert people.session.match.said in banked
    assert banked.endswith(f"{has('Ann', 8)}. Ben: {THROW_ONE}")
    assert ear.kinds[1:] == [("throw",), ("throw",), (SCORE, "choose", TURN)]


def test_after_a_correction_only_what_changed_is_said(people: People) -> None:
    """Ann's five was a four: her die and her score, nothing of Ben's."""
    ear = Listener(people)
    ear.hear(people.throw(5))
    ear.hear(people.press("bank"))
    ear.hear(people.throw(2))
    people.session.correct(1, Throw((4,)), people.now_s)
    said = ear.hear()
    assert people.session.notices.news[1] in said
    assert f"Ann: 4. {has('Ann', 4)}" in said
    assert has("Ben", 0) not in said
    assert ear.kinds[-1][:1] == ("correct",)


def test_after_an_undo_the_question_is_asked_again(people: People) -> None:
    """Ann takes her BANK back: her score, the stake and the question as before."""
    ear = Listener(people)
    ear.hear(people.throw(5))
    ear.hear(people.press("bank"))
    asked = ear.hear(people.press("long bank"))
    assert "Ann" in asked
    said = ear.hear(people.press("bank"))
    assert f"{has('Ann', 0)}. {AT_STAKE.format(n=5)}. Ann: {ROLL_OR_BANK}" in said
    assert ear.kinds[-1][0] == "undo"


def test_a_menu_is_read_line_by_line_and_then_the_match_goes_on(people: People) -> None:
    """HOLD says the next line only; back in the match the question is there again, and no score."""
    ear = Listener(people)
    ear.hear(people.throw(5))
    opened = people.press("long hold").menu
    assert opened is not None
    assert ear.hear().startswith(f"{opened.title}. {opened.items[0]}. ")
    second = translated(people.press("hold"), ear.language)
    assert second.menu is not None
    assert ear.hear(second) == f"{second.menu.items[1]}. {second.menu.note}"
    said = ear.hear(people.choose(opened.items[0]))
    assert ROLL_OR_BANK in said
    assert has("Ann", 0) not in said


def test_the_whole_score_sheet_can_be_heard(people: People) -> None:
    """Menu, scores, Ann: HOLD reads her column row by row, with the cells that the screens show."""
    people.table.begin(people.matches.begin(Match("yahtzee", ["Ann", "Ben"])))
    ear = Listener(people)
    people.throw(5, 5, 5, 5, 5)
    people.press("bank", "bank")
    sheet = translated(people.shown, ear.language).sheet
    ear.hear(people.menu("scores"))
    heard = [ear.hear(people.press("bank"))] + [ear.hear(people.press("hold")) for _ in sheet[1:]]
    for row, said in zip(sheet, heard, strict=True):
        assert f"{row[0]}: {row[1] or EMPTY_CELL}" in said


def test_a_pause_is_said_and_its_end(people: People) -> None:
    ear = Listener(people)
    ear.hear()
    assert ear.hear(people.press("hold")).startswith(Snapshot().phrases.paused)
    assert ear.hear(people.press("hold")) == THROW_ONE


def test_the_end_is_said_with_the_scores_in_german_too(tmp_path: Path) -> None:
    """The winner and everybody's score, in words of the language."""
    people = People(Store(tmp_path / "a.db"))
    people.table.begin(people.matches.begin(Match("pig", ["Ann", "Ben"], target=5)))
    ear = Listener(people, "de")
    ear.hear(people.throw(5))
    won = ear.hear(people.press("bank"))
    language = load_language("de")
    for name, n in (("Ann", 5), ("Ben", 0)):
        points = language.template(POINTS, ("said",)).format(n=n)
        assert language.template(HAS, ("said",)).format(name=name, text=points) in won
    assert language.template(Snapshot().phrases.wins, ("screen",)).format(names="Ann") in won
    assert ear.kinds[-1][0] == OVER


PLAYING = Snapshot("Pig", ("Ann", "Ben"), (0, 0), "Ann", THROW_ONE)


def test_a_warning_that_comes_and_goes_is_said_once(people: People) -> None:
    """As with a die that is now and then hidden by a hand."""
    table = people.table.tick(people.now_s)
    warned = replace(table, hint="one die is missing")
    before, said = Snapshot(), list[str]()
    for now in (table, warned, table, warned, table):
        said.append(spoken(before, now))
        before = remembered(before, now)
    assert said[1:] == [warned.hint, "", "", ""]


@pytest.mark.parametrize(
    ("before", "now", "text"),
    [
        (Snapshot(), Snapshot(menu=MenuView("Menu", ("undo", "scores"), 1, "the sheet")), "Menu. scores. the sheet"),
        (
            Snapshot(spelling=Spelling("Name", "A", ("a", "b"))),
            Snapshot(spelling=Spelling("Name", "A", ("a", "b"), 1)),
            "b",
        ),
        (Snapshot(entry=Entry("Ann", (), 2, 3)), Snapshot(entry=Entry("Ann", (), 2, 4)), "4"),
        (PLAYING, replace(PLAYING, hold="next", bank=""), "HOLD: next"),
        (PLAYING, replace(PLAYING, hint="5 5 2 lie there, 1 x 6"), "5, 5, 2 lie there, 1 \N{MULTIPLICATION SIGN} 6"),
    ],
)
def test_lists_are_said_as_far_as_they_changed(before: Snapshot, now: Snapshot, text: str) -> None:
    """A line, a letter, a face; faces with a pause between, and a claim as "one times six"."""
    assert spoken(before, now) == text
    assert spoken(now, now) == ""


def test_a_die_in_question_and_a_match_that_begins_have_sounds(people: People) -> None:
    table = people.table.tick(people.now_s)
    assert sounds(Snapshot(), table)[0] == STARTED
    assert sounds(table, replace(table, tray=TrayDrawing(1.5, (DieInTray(0.5, 0.5, asked=True),)))) == (HELP,)
