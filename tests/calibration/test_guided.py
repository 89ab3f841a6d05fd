"""The guided run: a mat, a camera and two buttons, through the real reader; stopped anywhere, nothing half-written."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from disturbed_mat import Disturbance, DisturbedMat

from calibration.guided.dialog import KEPT, GuidedDialog
from calibration.guided.live import DiceWatch, GuidedCommand, guide_simulated, states_of
from calibration.guided.look import Lighting, Look, Watcher
from calibration.guided.signs import NO_MARKER, guided_snapshot
from calibration.guided.state import (
    FIRST_STEPS,
    LEAST_SHARPNESS,
    STEPS,
    Guided,
    Throw,
    checks_of_dice,
    focus_advice,
    light_advice,
    looks_of,
)
from tabletop.cli.main import main
from tabletop.config.mat import mat_of
from tabletop.config.profile import load_profile, previous, save_profile
from tabletop.core.ports import ButtonName, Press
from tabletop.core.values import SetUp, UnsureReason
from tabletop.dialogs.menu import Menu
from tabletop.simulator.devices import TrayButtons
from tabletop.views.oled.screen import layout
from tabletop.views.snapshot import Snapshot

BANK, HOLD, BACK = Press("bank"), Press("hold"), Press("bank", long=True)
GOOD_LIGHT = Lighting(200.0, 0.0, 0.1, 0.001)


def pressed(state: Guided, presses: Sequence[Press]) -> Guided:
    for press in presses:
        state = state.press(press)
    return state


# The steps, without a camera


def test_each_step_can_be_skipped_and_gone_back_to() -> None:
    """HOLD goes through all steps to the report, long BANK all the way back, and once more leaves."""
    state = Guided()
    for step in STEPS:
        assert state.step == step
        state = state.press(HOLD)
    assert (state.step, state.checks, state.line) == ("report", (), 0)
    for step in reversed(STEPS):
        state = state.press(BACK)
        assert (state.step, state.outcome) == (step, "")
    assert state.press(BACK).outcome == "leave"


def test_bank_waits_for_what_a_step_needs() -> None:
    """Without a mat or a throw BANK says so and stays; a long hold of HOLD skips one step only."""
    state = Guided().press(BANK)
    assert (state.step, state.note) == ("markers", "the mat is not seen yet")
    assert state.see(Look(0.0, GOOD_LIGHT)).press(BANK).step == "markers"
    at_dice = replace(Guided(), done=STEPS[:4])
    assert at_dice.press(BANK).note == "throw the dice first"
    assert state.press(HOLD).press(Press("hold", long=True, repeat=True)).step == "light"


def test_menu_goes_back_and_leaves_no_throw_out() -> None:
    """The third button, which is a long HOLD elsewhere, is a long BANK here: back a step, from the first one out."""
    menu, thrown = Press("hold", long=True, menu=True), replace(Guided(), done=STEPS[:4]).threw(Throw(5))
    assert (thrown.press(menu).step, thrown.press(menu).throws) == ("lock", thrown.throws)
    assert Guided().press(menu) == Guided().press(BACK)
    assert Guided().press(menu).outcome == "leave"


def test_bank_leaves_what_hinders_on_the_screen() -> None:
    """A marker hidden, the fifth marker of a mat, or nothing printed: BANK does not take the page's advice away."""
    for look, hindrance in (
        (Look(0.0, GOOD_LIGHT, (0, 1, 2), (3,)), "marker 3 is not seen"),
        (Look(0.0, GOOD_LIGHT, (0, 1, 2, 3), (), nameless=True), "show the fifth marker too"),
        (Look(0.0, GOOD_LIGHT, mirrored=True), "mirrored: switch that off"),
        (Look(0.0, GOOD_LIGHT), NO_MARKER),
    ):
        shown = guided_snapshot(Guided().see(look).press(BANK)).menu
        assert shown is not None
        assert shown.note == hindrance


def test_three_throws_are_a_report_and_a_line_of_it_is_repeated() -> None:
    """BANK ends the step about dice; BANK on one of its lines asks for three new throws."""
    looks = (("red", "light"), ("red", "light"), ("red", "dark"), ("white", ""))
    throw = Throw(5, (UnsureReason.GLARE,), (16.0, 16.2, 15.8, 16.1), (1, 2, 3, 6), looks)
    state = replace(Guided(), done=STEPS[:4])
    for _ in range(3):
        state = state.threw(throw)
    state = state.press(BANK)
    assert state.step == "report"
    assert state.die_mm == pytest.approx(16.05)
    assert state.dice == (15, 3)
    assert looks_of(state.throws) == {"red": "light", "white": ""}
    assert [check.text for check in state.checks] == ["dice of 16.1 mm", "red: light pips", "glare: 3 of 15 dice"]
    assert state.checks[2].advice == "move the lamp to the side"
    assert state.threw(throw) is state
    again = pressed(state, [HOLD, HOLD, BANK])
    assert (again.step, again.throws, again.checks) == ("dice", (), ())
    assert pressed(state, [BANK]).outcome == "save"
    assert pressed(state, [HOLD, BANK]).outcome == "leave"


def test_throws_of_different_counts_are_asked_about() -> None:
    """One die forgotten, or lying where the camera sees none: nothing is wrong, but the report has it. Else no line."""
    five = Throw(5, (), (16.0,) * 5, (1, 2, 3, 4, 5))
    four = replace(five, dice=4)
    (asked,) = (check for check in checks_of_dice([four, five, five]) if check.asks)
    assert (asked.text, asked.asks, asked.good) == ("throws of 4 5 5", "was a die not seen?", True)
    assert not any(check.text.startswith("throws") for check in checks_of_dice([five, five, five]))
    report = replace(Guided(), done=STEPS[:4]).threw(four).threw(five).press(BANK)
    for presses in range(report.lines):
        check_drawn(guided_snapshot(pressed(report, [HOLD] * presses)))


def test_a_throw_that_was_read_wrongly_is_left_out() -> None:
    """HOLD after a throw takes it away; without one it skips the step; other dice than the thrown never count."""
    first, second = (Throw(2, (), (16.0, 16.0), faces) for faces in ((1, 3), (2, 6)))
    state = replace(Guided(), done=STEPS[:4]).threw(first).threw(second)
    shown = guided_snapshot(state)
    assert shown.menu is not None
    assert (shown.hold, shown.menu.items, shown.menu.note) == ("wrong", ("throw 3 of 3",), "read 2 6")
    state = state.press(HOLD)
    assert (state.throws, state.note) == ((first,), "left out: throw again")
    state = state.press(HOLD)
    assert (state.step, state.throws) == ("dice", ())
    assert state.press(HOLD).step == "report"


def test_light_and_focus_say_what_to_change() -> None:
    """The worst comes first; a lens that was turned too far is said by its best figure."""
    assert light_advice(GOOD_LIGHT) == ""
    assert light_advice(replace(GOOD_LIGHT, level=30.0)) == "too dark: more light"
    assert light_advice(replace(GOOD_LIGHT, blown=0.2, level=30.0)) == "too bright: less light"
    assert light_advice(replace(GOOD_LIGHT, flicker=0.2)) == "flicker: use another lamp"
    assert light_advice(replace(GOOD_LIGHT, uneven=0.9)) == "uneven: lamp farther away"
    assert [focus_advice(*figures) for figures in ((None, 0.0), (10.0, 10.0), (30.0, 60.0), (60.0, 60.0))] == [
        "show a marker, or dice",
        "turn the lens",
        "turn the lens back",
        "",
    ]
    assert checks_of_dice([Throw(2, (UnsureReason.LEANS,) * 2)])[0].advice == "hang the camera straighter"


def test_the_report_names_of_how_many_dice_what_hinders() -> None:
    """The commonest first, each with its remedy; without any, that none was unsure."""
    glare, leans, either = UnsureReason.GLARE, UnsureReason.LEANS, UnsureReason.TWO_FACES
    checks = checks_of_dice([Throw(4, (leans, glare)), Throw(4, (glare,)), Throw(4, (glare, either, leans))])
    assert [(check.text, check.advice) for check in checks] == [
        ("glare: 3 of 12 dice", "move the lamp to the side"),
        ("leans: 2 of 12 dice", "hang the camera straighter"),
        ("two faces possible: 1 of 12 dice", "other dice, or more light"),
    ]
    assert [(check.text, check.good) for check in checks_of_dice([Throw(5)])] == [("unsure: 0 of 5 dice", True)]


def test_every_page_fits_the_small_screen() -> None:
    """Each step and each line of the report is drawn at both heights, nothing cut off."""
    look = Look(0.0, GOOD_LIGHT, (0, 1), (2, 3))
    throw = Throw(8, tuple(UnsureReason), (16.0,))
    states = [Guided(), Guided(held=(("exposure", "free"), ("focus", "locked"))), Guided().see(look)]
    for state in states:
        for skipped in range(len(STEPS)):
            check_drawn(guided_snapshot(pressed(state, [HOLD] * skipped)))
    report = replace(Guided(), done=STEPS[:4], found=look).threw(throw)
    for size_mm in (17.0, 11.3, 19.1):
        sized = replace(report, throws=(replace(throw, sizes_mm=(size_mm,) * 3),)).press(BANK)
        for presses in range(sized.lines):
            check_drawn(guided_snapshot(pressed(sized, [HOLD] * presses)))


def check_drawn(shown: Snapshot) -> None:
    for height in (64, 32):
        boxes = [box for page in layout(shown, height=height) for box in page]
        assert all(box.x >= 0 and box.x + box.width <= 128 for box in boxes)


# With a camera over a tray


class Guest:
    """Somebody with two buttons and a mat with dice, in simulated time. tray: what the camera sees."""

    def __init__(self, out: Path, state: Guided | None = None, fps: float = 8.0) -> None:
        self.tray = DisturbedMat(mat_of("A4", "left"), 5, chance=Random(3), fps=fps)
        self._buttons = TrayButtons(lambda: self.tray.now_s, Random(0))
        self.run = GuidedCommand(self.tray, out, state or Guided())
        self.table = self.run.table((self._buttons,))
        self.table.begin(None)
        self.shown = Snapshot()

    def pause(self, seconds: float) -> None:
        end_s = self.tray.now_s + seconds
        while self.tray.now_s < end_s:
            assert self.run.thread.step()
            self.shown = self.table.tick(self.tray.now_s)

    def press(self, button: ButtonName, *, long: bool = False) -> None:
        """Press, and wait until that has been obeyed."""
        self._buttons.press(button, long=long)
        self.pause(1.4 if long else 0.6)


def test_dice_are_read_and_judge_the_lens_where_no_marker_is() -> None:
    """Nothing printed, no tray known: a large die is read, and the figure of the lens falls with blur."""
    tray = DisturbedMat(mat_of("A4", "left"), 1, chance=Random(3), die_mm=32.0, fps=1.0)
    tray.wrong = Disturbance(hidden=tuple(tray.mat.markers))
    tray.throw()
    wanted = list[bool]()
    watch = DiceWatch(lambda: bool(wanted))
    assert watch.process(tray.read()).reading.dice == ()
    wanted.append(True)
    assert sorted(die.face for die in watch.process(tray.read()).reading.dice) == sorted(tray.faces)
    figures = list[float]()
    for blur_px in (0.0, 1.0, 2.0, 4.0):
        tray.wrong = replace(tray.wrong, blur_px=blur_px)
        look = Watcher().look(tray.read().pixels, 0.0)
        assert look.markers == ()
        assert look.sharpness is not None
        figures.append(look.sharpness)
    assert figures == sorted(figures, reverse=True)
    assert figures[0] > 1.5 * LEAST_SHARPNESS > 2 * figures[-1]


@pytest.mark.slow
def test_from_the_mat_to_the_profile_and_once_more(tmp_path: Path) -> None:
    """Four presses, three throws, one press: the profile is the truth; a step alone keeps the rest."""
    out = tmp_path / "setups" / "home.toml"
    run = guide_simulated(Guided(), out, seed=1)
    assert run.saved
    assert [check.text for check in run.state.checks if not check.good] == []
    profile = load_profile(out)
    assert profile.tray_mm == (247.0, 171.0)
    assert profile.px_per_mm == pytest.approx(2.5, rel=0.005)
    assert profile.die_mm == pytest.approx(16, abs=0.4)
    assert profile.setup is not None
    assert (profile.setup.dice, profile.setup.unsure_share) == (15, 0.0)
    assert (profile.setup.die_colours, profile.setup.die_pips) == (("red",), ("light",))
    assert profile.setup.light_level == pytest.approx(215, abs=2)
    light_alone = guide_simulated(states_of("light"), out, seed=1)
    assert light_alone.saved
    assert (load_profile(out), load_profile(previous(out))) == (profile, profile)


@pytest.mark.slow
@pytest.mark.parametrize(("die_mm", "share", "kept"), [(16.0, 0.2, True), (9.0, 0.0, False)])
def test_only_a_better_profile_replaces_one(tmp_path: Path, die_mm: float, share: float, kept: bool) -> None:
    """Dice unsure now, and sure with the old profile in the same picture: it stays. One for small dice finds none."""
    out = tmp_path / "home.toml"
    guest = Guest(out)
    guest.pause(1.0)
    guest.press("bank")
    found = guest.run.state.found
    assert found is not None
    assert found.view is not None
    old = replace(found.view.profile(die_mm), setup=SetUp(215.0, 0.1, 15, share))
    save_profile(old, out)
    guest = Guest(out, states_of("dice"))
    guest.pause(1.0)
    guest.tray.throw()
    guest.pause(4.0)
    (throw,) = guest.run.state.throws
    guest.run.state = replace(guest.run.state, throws=(replace(throw, reasons=(UnsureReason.GLARE,)),))
    short = GuidedDialog(lambda: None, out, state=replace(guest.run.state, steps=FIRST_STEPS, done=("markers",)))
    guest.press("bank")
    guest.press("bank")
    assert (guest.run.over, guest.run.state.note) == (not kept, KEPT if kept else "")
    assert (load_profile(out) == old, previous(out).exists()) == (kept, not kept)
    if kept:  # the page's first steps say so, too
        ended = short.press(BANK)
        assert isinstance(ended, Menu)
        assert ended.snapshot.menu is not None
        assert ended.snapshot.menu.note == KEPT


@pytest.mark.slow
def test_where_pictures_come_too_seldom_bank_takes_the_dice(tmp_path: Path) -> None:
    """One picture a second: nothing is seen to come to rest. BANK takes what lies there, once; HOLD leaves it out."""
    guest = Guest(tmp_path / "home.toml", states_of("dice"), fps=1.0)
    guest.press("bank")
    assert guest.run.state.note == "throw the dice first"
    guest.tray.throw()
    guest.pause(10.0)
    assert not guest.run.state.throws
    guest.press("bank")
    throw = guest.run.state.throws[-1]
    assert sorted(throw.faces) == sorted(guest.tray.faces)
    guest.press("hold")
    assert (len(guest.run.state.throws), guest.run.state.note) == (0, "left out: throw again")
    guest.press("bank")
    guest.press("bank")
    assert guest.run.state.step == "report"


@pytest.mark.slow
def test_dice_alone_learn_the_light_as_well(tmp_path: Path) -> None:
    """With a profile that knows nothing of light, one throw, saved: the mat's paper, not black for later pictures."""
    out = tmp_path / "home.toml"
    guest = Guest(out)
    guest.pause(1.0)
    guest.press("bank")
    found = guest.run.state.found
    assert found is not None
    assert found.view is not None
    save_profile(found.view.profile(16.0), out)
    guest = Guest(out, states_of("dice"))
    guest.pause(1.0)
    guest.tray.throw()
    guest.pause(4.0)
    guest.press("bank")
    guest.press("bank")
    setup = load_profile(out).setup
    assert setup is not None
    assert setup.light_level == pytest.approx(215, abs=5)
    assert setup.dice == 5


@pytest.mark.slow
def test_the_set_up_is_seen_as_it_is(tmp_path: Path) -> None:
    """A hidden marker, the dark, a blurred lens, a lamp that flickers: each is said while it lasts."""
    guest = Guest(tmp_path / "home.toml")

    def note_with(wrong: Disturbance, step: int) -> str:
        guest.tray.wrong = wrong
        guest.run.state = replace(guest.run.state, done=STEPS[:step])
        guest.pause(1.6)
        assert guest.shown.menu is not None
        return guest.shown.menu.note

    assert note_with(Disturbance(hidden=(2, 3)), 0) == "marker 2 is not seen"
    assert note_with(Disturbance(), 0) == "A4, good to 0.3 mm"
    assert note_with(Disturbance(light=0.2), 1) == "too dark: more light"
    assert note_with(Disturbance(light=1.4), 1) == "too bright: less light"
    assert note_with(Disturbance(light=0.7, flicker=0.15), 1) == "flicker: use another lamp"
    assert note_with(Disturbance(light=0.9), 1) == "good"
    assert note_with(Disturbance(blur_px=3.0), 2) == "turn the lens back"
    guest.run.state = replace(guest.run.state, best=0.0)
    assert note_with(Disturbance(blur_px=3.0), 2) == "turn the lens"
    assert note_with(Disturbance(), 2) == "good"


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """`tabletop calibrate --camera sim --profile club` makes that set-up; without anybody to ask it says so."""
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    assert main(["calibrate", "markers", "--camera", "sim", "--profile", "club"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("Show the mat: 4 of 4 markers, A4, good to 0.3 mm\nReport: save it, good\n  places good")
    assert "places good to 0.3 mm  good" in said
    assert "play with --profile club): written" in said
    assert load_profile(tmp_path / "setups" / "club.toml").tray_mm == (247.0, 171.0)
    assert main(["calibrate", "--profile", "a/b c"]) == 2
    assert main(["calibrate", "--profile", "no name!"]) == 2
    assert "expected a name of letters, digits and hyphens" in capsys.readouterr().err
