"""The table's manners, row by row: what it does and says when something goes wrong in the tray.

Most rows are played through the real loop over the simulated living room; its truth says what was thrown.
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import TypeVar

import numpy as np
import pytest
from manners_table import MANNERS
from table_play import Lying
from world_table import WorldTable

from tabletop.core.ports import Frame, Press
from tabletop.interpret import hints
from tabletop.perception.pipeline import PerceptionPipeline
from tabletop.rules import Match, Throw
from tabletop.session.match_session import MatchSession
from tabletop.simulator.render import compose
from tabletop.simulator.scene import Look, PosedDie, lying
from tabletop.simulator.tray import HEIGHT_PX, SIZE_PX, WIDTH_PX, profile_of
from tabletop.vision.reader import read
from tools.room.chance import felt
from tools.room.world import RoomWorld

README = Path(__file__).parents[2] / "tabletop" / "interpret" / "README.md"
FPS = 10.0
SHOWN: set[str] = set()
Test = TypeVar("Test", bound=Callable[..., None])


def row(case: str) -> Callable[[Test], Test]:
    SHOWN.add(case)
    return pytest.mark.slow


def table(game: str, seed: int = 1, **options: object) -> WorldTable:
    match = Match(game, ["Ann", "Ben"], **options)
    return WorldTable(RoomWorld(match.game.dice, chance=Random(seed), fps=FPS, noise=0.0), match)


def words(game: str, **options: object) -> tuple[MatchSession, Lying]:
    match = Match(game, ["Ann", "Ben"], **options)
    return MatchSession(match), Lying()


def test_the_readme_has_the_same_table() -> None:
    lines = README.read_text().partition("| what happens |")[2].partition("\n\n")[0].splitlines()[2:]
    cells = [[cell.strip(' "') for cell in line.strip("|").split("|")] for line in lines]
    told = [tuple(row) for row in cells]
    assert told == [(case, row.does, row.says) for case, row in MANNERS.items()]


def test_each_row_has_a_test_and_each_hint_is_one_short_line() -> None:
    assert set(MANNERS) == SHOWN
    assert all(len(row.says) <= 45 and "\n" not in row.says for row in MANNERS.values())


@row("a die is missing")
def test_a_die_on_the_floor_is_missed_and_thrown_after() -> None:
    """Yahtzee, one of five dice over the wall: said; picked up and thrown alone it completes the throw."""
    ann = table("yahtzee")
    ann.world.throw(lost=1)
    assert ann.run().hint == MANNERS["a die is missing"].says
    assert ann.throws == []
    gone = next(index for index, piece in enumerate(ann.world.tray.pieces) if piece.place is None)
    ann.world.tray.throw(which=[gone])
    ann.run()
    assert ann.throws == [ann.world.truth().faces]


@row("one die too many")
def test_a_sixth_die_is_taken_away_again() -> None:
    """Six dice where five are due: said; with one of them picked up the others count."""
    ann = table("yahtzee")
    ann.world.tray.own(6)
    ann.world.throw()
    assert ann.run().hint == MANNERS["one die too many"].says
    ann.world.tray.pick_up([5])
    ann.run()
    assert ann.throws == [ann.world.truth().faces]


@row("a die leans or lies on another")
@pytest.mark.parametrize(("how", "seed"), [("leaning", 4), ("stacked", 11)])
def test_a_die_that_leans_or_lies_on_another_is_named_and_nudged(how: str, seed: int) -> None:
    """A leaning one's place is named; none of the throw counts until it is nudged flat, with the face then up."""
    ann = table("yahtzee", seed=seed)
    ann.world.throw(leaning=int(how == "leaning"), stacked=int(how == "stacked"))
    shown = ann.run()
    assert ann.throws == []
    wrong = next(die for die in ann.world.truth().dice if getattr(die, how))
    place = f"die at the {'top' if wrong.y < 240 else 'bottom'}"
    assert (shown.hint.startswith(place) and "nudge it" in shown.hint) or (how == "stacked" and shown.hint)
    ann.world.nudge(wrong.index)
    ann.run()
    assert ann.throws == [ann.world.truth().faces]


@row("a die is turned by hand afterwards")
@pytest.mark.parametrize(("game", "seconds"), [("yahtzee", 0.0), ("pig", 0.0), ("pig", 1.5), ("pig", 4.0)])
def test_a_turned_die_changes_nothing(game: str, seconds: float) -> None:
    """The throw stands, and it is said; also where one die is all that the game throws, and with slow fingers."""
    ann = table(game, seed=2)
    ann.world.throw()
    ann.run()
    thrown = ann.world.truth().faces
    piece = ann.world.tray.pieces[0]
    ann.world.turn(0, 2 if piece.face in (1, 6) else 6, seconds)
    shown = ann.run()
    assert ann.throws == [thrown]
    assert shown.thrown == thrown
    assert shown.hint == MANNERS["a die is turned by hand afterwards"].says


@row("picked up before it was read")
def test_dice_picked_up_at_once_are_asked_for_again() -> None:
    """Taken up while the last one still rolls: nothing is taken, it is said, and the next throw counts."""
    ann = table("yahtzee", seed=3)
    end_s = ann.world.throw()
    for piece in ann.world.tray.pieces:
        piece.lift((WIDTH_PX + SIZE_PX, HEIGHT_PX / 2), end_s - 0.15, end_s + 0.15)
    assert ann.run(end_s - ann.world.now_s + 2.5).hint == MANNERS["picked up before it was read"].says
    assert ann.throws == []
    ann.world.throw()
    ann.run()
    assert ann.throws == [ann.world.truth().faces]
    assert ann.shown.hint != MANNERS["picked up before it was read"].says


@pytest.mark.slow
def test_who_rolls_on_and_picks_up_at_once_is_asked_to_throw_again() -> None:
    """Pig, after a first throw: taken up before it was read, it is said there too, and BANK has not been pressed."""
    ann = table("pig", seed=3)
    ann.world.throw(faces=(5,))
    ann.run()
    end_s = ann.world.throw(faces=(4,))
    ann.world.tray.pieces[0].lift((WIDTH_PX + SIZE_PX, HEIGHT_PX / 2), end_s, end_s + 0.3)
    assert ann.run(end_s - ann.world.now_s + 2.5).hint == MANNERS["picked up before it was read"].says
    assert ann.throws == [(5,)]
    ann.world.throw(faces=(3,))
    ann.run()
    assert ann.throws == [(5,), (3,)]
    assert ann.shown.hint != MANNERS["picked up before it was read"].says


def test_a_throw_that_could_not_be_read_is_asked_for_again() -> None:
    """Four dice and one that leaned, all picked up: again, please; not where somebody took away one die of a try."""
    session, tray = words("yahtzee")
    session.on_rest(tray.throw(1, 2, 3, 4), moving_hint=False)
    session.on_rest(tray.lean(), moving_hint=False)
    session.on_rest(tray.pick_up(), moving_hint=False)
    assert session.notices.hint == hints.AGAIN
    session.on_rest(tray.throw(1, 2, 3, 4, 5), moving_hint=False)
    assert len(session.match.log) == 1
    other, tray = words("yahtzee")
    other.on_rest(tray.throw(6), moving_hint=False)
    other.on_rest(tray.pick_up(), moving_hint=False)
    assert other.notices.hint == ""


@row("thrown while a choice is open")
def test_a_throw_at_a_choice_waits_and_counts_afterwards() -> None:
    """Around a box of Yahtzee: five dice wait with a hint; BANK takes the box, and then they are Ben's throw."""
    session, tray = words("yahtzee")
    for _ in range(3):
        session.on_rest(tray.pick_up() if tray.dice else None, moving_hint=False)
        session.on_rest(tray.throw(1, 2, 2, 5, 6), moving_hint=False)
    session.on_rest(tray.pick_up(), moving_hint=False)
    assert session.match.request.kind == "choose"
    session.on_rest(tray.throw(3, 3, 3, 4, 4), moving_hint=False)
    assert session.notices.hint == hints.CHOOSE_FIRST
    session.press(Press("bank"), tray.now_s)
    session.on_rest(tray.rest(), moving_hint=False)
    throw = session.match.events[-1]
    assert (throw.player, throw.answer) == ("Ben", Throw((3, 3, 3, 4, 4)))


@row("thrown twice")
@row("two throws quickly after one another")
def test_a_second_throw_rolls_on() -> None:
    """Pig, thrown again a quarter of a second after the first came to rest: both count; long BANK shows the newest."""
    ann = table("pig", seed=11)
    first = ann.world.throw(faces=[4])
    ann.run(first - ann.world.now_s + 0.25)
    ann.world.throw(faces=[5])
    ann.run()
    assert ann.throws == [(4,), (5,)]
    assert ann.shown.at_stake == 9
    menu = ann.press("bank", long=True).menu
    assert menu is not None
    assert "threw 5" in menu.items[0] + menu.items[1]


@row("children fiddle with the dice")
def test_dice_pushed_about_are_no_throw() -> None:
    """Pushed four times they change nothing; paused, not even a throw does, and it is none afterwards."""
    ann = table("pig", seed=5)
    ann.world.throw(faces=[4])
    ann.run()
    for _ in range(4):
        ann.world.nudge(0)
        ann.run(0.9)
    assert ann.throws == [(4,)]
    ann.press("bank")
    ann.press("hold")
    ann.world.throw(faces=[3])
    assert ann.run().paused
    assert ann.press("bank").hint == MANNERS["children fiddle with the dice"].says
    ann.press("hold")
    ann.run()
    assert ann.throws == [(4,)]


@row("nothing happens for ten minutes")
def test_after_ten_minutes_the_table_says_for_whom_it_waits() -> None:
    """Said once nobody has thrown or pressed for ten minutes; the next throw counts."""
    ann = table("pig")
    now_s = ann.world.now_s
    assert ann.tick(now_s + 590).hint == ""
    assert ann.tick(now_s + 601).hint == MANNERS["nothing happens for ten minutes"].says
    ann.world.throw(faces=[4])
    ann.run()
    assert ann.throws == [(4,)]
    assert "still there" not in ann.shown.hint


@row("other dice are put in")
def test_other_dice_count_as_those_before() -> None:
    ann = table("pig", seed=6)
    ann.world.throw(faces=[4])
    ann.run()
    ann.world.tray.pick_up()
    ann.run()
    ann.world.tray.pieces[0].look = Look(body=(160, 60, 20), pip=(240, 240, 240))
    ann.world.tray.throw(faces=[6])
    ann.run()
    assert ann.throws == [(4,), (6,)]
    reading = ann.shown.reading
    assert reading is not None
    assert [die.colour for die in reading.dice] == ["blue"]


@row("other dice are put in")
@pytest.mark.parametrize("size_px", [36.0, 92.0])
def test_dice_of_another_size_count_as_those_before(size_px: float) -> None:
    """A die is thrown seven times and taken away, a smaller or larger one thrown: its throw counts as the next."""
    ground = felt(HEIGHT_PX, WIDTH_PX, (52, 96, 44), np.random.default_rng(1))
    dice = [PosedDie(80.0 + 70 * n, 180.0, 48.0, lying(4, 20.0, Look())) for n in range(7)]
    dice.append(PosedDie(420.0, 300.0, size_px, lying(6, 50.0, Look())))
    ann, watch = (MatchSession(Match("pig", ["Ann", "Ben"])), PerceptionPipeline(read))
    frames = [frame for die in dice for frame in (*[ground] * 15, *[compose(ground, [die])] * 15)]
    for n, frame in enumerate((*frames, *[frames[-1]] * 15)):
        ann.on_rest(watch.process(Frame(frame, n / FPS), 1).rest)
    assert [event.answer.faces for event in ann.match.log if isinstance(event.answer, Throw)] == [(4,)] * 7 + [(6,)]


@row("a die lies on the tray's edge")
def test_a_die_on_the_wall_is_named_until_it_is_in() -> None:
    """A tray so narrow that one of five dice lies on its right wall: named, and thrown in it completes the throw."""
    match = Match("yahtzee", ["Ann", "Ben"])
    world = RoomWorld(5, chance=Random(8), fps=FPS, noise=0.0)
    world.throw()
    tray = world.tray
    places = [piece.place for piece in tray.pieces if piece.place is not None]
    last = max(range(5), key=lambda index: places[index].x)
    profile = profile_of(tray)
    width_px = places[last].x - 0.75 * SIZE_PX - tray.layout.felt.left
    narrow = replace(profile, tray_mm=(width_px / profile.px_per_mm, profile.tray_mm[1]))
    ann = WorldTable(world, match, profile=narrow)
    shown = ann.run()
    assert "right is on the edge: push it in" in shown.hint
    assert ann.throws == []
    while (place := tray.pieces[last].place) is None or place.x > tray.layout.felt.left + width_px:
        tray.throw(which=[last])
    ann.run()
    assert ann.throws == [world.truth().faces]


@row("more dice are due than lie there")
def test_seven_dice_are_thrown_with_five() -> None:
    """Aces, Ben holds seven dice and five lie there: five, picked up, and two of them again are one throw of seven."""
    match = Match("aces", ["Ann", "Ben"])
    match.throw([2, 2, 3, 3, 3])
    match.throw([3, 4, 6])
    world = RoomWorld(5, chance=Random(9), fps=FPS, noise=0.0)
    ben = WorldTable(world, match)
    world.throw()
    assert ben.run().hint == MANNERS["more dice are due than lie there"].says
    first = world.truth().faces
    world.tray.pick_up()
    assert ben.run().hint == hints.parts_counted(7, 5)
    world.throw(which=[0, 1])
    ben.run()
    assert ben.throws[2:] == [tuple(sorted((*first, *world.truth().faces)))]


def test_a_throw_in_parts_begins_anew_with_more_than_are_due() -> None:
    """Of seven due four are counted, then five thrown: the four are forgotten; all seven at once count as well."""
    for thrown, count in ((((1, 1, 1, 1), (2, 2, 2, 2, 2), (3, 3)), 7), (((1, 1), (4, 4, 4, 4, 6, 6, 6)), 7)):
        session, tray = words("aces")
        session.give(Throw((2, 2, 3, 3, 3)))
        session.give(Throw((3, 4, 6)))
        for faces in thrown:
            session.on_rest(tray.throw(*faces), moving_hint=False)
            session.on_rest(tray.pick_up(), moving_hint=False)
        assert session.match.log[2].answer == Throw(tuple(sorted((*thrown[-2], *thrown[-1])[-count:])))


@row("thrown by the wrong player")
def test_long_bank_takes_a_throw_back() -> None:
    """Ben throws though Ann is asked: it counts for her; long BANK twice, and she throws."""
    ann = table("pig", seed=12)
    ann.world.throw(faces=[4])
    assert ann.run().thrower in ("Ann", "")
    assert [event.player for event in ann.session.match.log] == ["Ann"]
    ann.press("bank", long=True)
    assert ann.press("bank", long=True).at_stake == 0
    ann.world.throw(faces=[6])
    assert ann.run().at_stake == 6
