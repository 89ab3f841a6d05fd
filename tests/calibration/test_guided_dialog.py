"""The guided run in the table's own menu: reached by two presses, with the camera in use, and used at once."""

from argparse import Namespace
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from calibration.guided.dialog import GuidedDialog
from calibration.guided.state import STEPS
from calibration.mat import see_mat
from tabletop.cli.wiring.args import profile_in_use, usual_setup
from tabletop.cli.wiring.attended import calibration_handlers, setup_source
from tabletop.config.mat import mat_of
from tabletop.config.profile import load_profile, previous, replace_profile, save_profile
from tabletop.core.errors import InputError
from tabletop.core.ports import Press
from tabletop.core.values import Profile, Reading
from tabletop.dialogs.commands import Inbox, MenuAction, NewMatch
from tabletop.dialogs.menu import Menu
from tabletop.dialogs.setup import setup_dialog
from tabletop.dialogs.setup_state import SetupContext, SetupState, Step
from tabletop.perception.pipeline import FrameResult, PerceptionPipeline
from tabletop.rules.catalog import load
from tabletop.session.camera_thread import CameraThread
from tabletop.session.table_loop import TableLoop
from tabletop.simulator.mat_tray import MatTray
from tabletop.store import Store
from tabletop.vision.reader import read

BANK, HOLD = Press("bank"), Press("hold")


def test_the_menu_offers_it_where_there_is_a_camera() -> None:
    """The last line of the settings, and only there where the camera can be set up."""
    games = (load("pig")[0],)
    for calibrates in (True, False):
        context = SetupContext(games, calibrates=calibrates)
        dialog = setup_dialog(SetupState(context, (Step("first"), Step("settings"))), home=False)
        menu = dialog.snapshot.menu
        assert menu is not None
        assert ("calibrate" in menu.items) == calibrates
    setup = setup_dialog(
        SetupState(SetupContext(games, calibrates=True), (Step("first"), Step("settings"))), home=False
    )
    asked: object = setup
    while isinstance(asked, type(setup)):
        shown = asked.snapshot.menu
        assert shown is not None
        asked = asked.press(BANK if shown.items[shown.at] == "calibrate" else HOLD)
    assert asked is MenuAction.CALIBRATE


def test_the_installed_package_offers_the_dialog(tmp_path: Path) -> None:
    """By its entry point, for the profile that is in use, else for the usual set-up."""
    handlers = calibration_handlers(lambda: None, tmp_path / "club.toml", lambda _: None)
    dialog = handlers[MenuAction.CALIBRATE](MenuAction.CALIBRATE, None)
    assert isinstance(dialog, GuidedDialog)
    shown = dialog.snapshot.menu
    assert shown is not None
    assert shown.items == ("no picture yet",)
    assert dialog.press(Press("bank", long=True)) is MenuAction.START_MENU


def unit_of(thread: CameraThread) -> str:
    assert thread.newest is not None
    return thread.newest.reading.unit


def test_what_was_saved_is_used_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Mat in view, BANK, the other steps skipped, BANK: the table reads in millimetres from then on."""
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    tray = MatTray(mat_of("A4", "left"), chance=Random(3), fps=8.0)
    watch = PerceptionPipeline(read)
    thread = CameraThread(tray, watch)
    out, applied = tmp_path / "setups" / "table.toml", list[Profile | None]()

    def apply(profile: Profile | None) -> None:
        applied.append(profile)
        watch.use(profile)

    dialog = GuidedDialog(lambda: thread.newest, out, apply)
    for _ in range(10):
        thread.step()
        assert dialog.snapshot.menu is not None
    assert unit_of(thread) == "px"
    then: object = dialog
    for press in (BANK, HOLD, HOLD, HOLD, HOLD, BANK):
        then = dialog.press(press)
    assert isinstance(then, Menu)
    assert then.press(BANK) is MenuAction.START_MENU
    assert applied == [None, None, load_profile(out)]  # the throws are read without one, and there was none before
    thread.step()
    assert unit_of(thread) == "mm"
    assert usual_setup("usb:0") == out
    assert usual_setup("sim") is None


def test_a_damaged_set_up_that_nobody_named_does_not_keep_the_table_from_playing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It plays without, says so on the table until it is calibrated, and where; one that is named is an error."""
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    usual = tmp_path / "setups" / "table.toml"
    usual.parent.mkdir(parents=True)
    usual.write_text("version = 5\nwidth_px = 64")
    options = Namespace(profile=None, camera="usb:0")
    assert profile_in_use(options) is None
    assert options.profile == usual
    told = capsys.readouterr().err
    assert "table.toml: expected a line height_px" in told or "table.toml, line 2" in told
    assert "`tabletop calibrate`" in told
    assert told.endswith("; until then it plays without\n")
    tray = MatTray(mat_of("A4", "left"), chance=Random(1), fps=8.0)
    watch = PerceptionPipeline(read, None, fault=options.setup_fault)
    assert watch.process(tray.read()).drift == "set-up cannot be read: calibrate"
    watch.use(see_mat([tray.read().pixels]).profile(16.0))
    assert watch.process(tray.read()).drift == ""
    with pytest.raises(InputError, match=r"table\.toml"):
        profile_in_use(Namespace(profile=usual, camera="usb:0"))
    assert profile_in_use(Namespace(profile=None, camera="sim")) is None


def test_all_steps_skipped_there_is_nothing_to_save(tmp_path: Path) -> None:
    """The old profile would be written again, and be its own `previous`: both files stay byte for byte."""
    out = tmp_path / "table.toml"
    tray = MatTray(mat_of("A4", "left"), chance=Random(3), fps=8.0)
    profile = see_mat([tray.read().pixels]).profile(16.0)
    for die_mm in (12.0, 16.0):
        replace_profile(replace(profile, die_mm=die_mm), out)
    before = out.read_bytes(), previous(out).read_bytes()
    run = GuidedDialog(lambda: None, out)
    frame = tray.read()
    nothing = Reading(frame.time_s, frame.pixels.shape[1], frame.pixels.shape[0])
    run.see(FrameResult(frame, nothing, nothing, None))
    for press in (*[HOLD] * len(STEPS), BANK):
        run.press(press)
    assert (run.state.note, run.over, run.saved) == ("nothing to save: show the mat", False, None)
    assert (out.read_bytes(), previous(out).read_bytes()) == before


def test_somebody_with_larger_dice_calibrates_again(tmp_path: Path) -> None:
    """Set up for dice of 9 mm, dice of 24: play reads none, the guided run all; left, all is as it was."""
    tray = MatTray(mat_of("A4", "left"), chance=Random(3), fps=8.0, die_mm=24.0)
    out, used = tmp_path / "table.toml", list[Profile | None]()
    small = see_mat([tray.read().pixels]).profile(9.0)
    save_profile(small, out)
    watch = PerceptionPipeline(read, small)
    thread = CameraThread(tray, watch)

    def apply(profile: Profile | None) -> None:
        used.append(profile)
        watch.use(profile)

    tray.throw()
    for _ in range(16):
        thread.step()
    assert thread.newest is not None
    assert not thread.newest.reading.dice
    dialog = GuidedDialog(lambda: thread.newest, out, apply)
    for press in (HOLD, HOLD, HOLD, HOLD):
        assert dialog.snapshot.menu is not None
        dialog.press(press)
    assert used == [None]
    for _ in range(3):
        tray.throw()
        for _ in range(16):
            thread.step()
            assert dialog.snapshot.menu is not None
    assert [throw.dice for throw in dialog.state.throws] == [5, 5, 5]
    assert dialog.state.die_mm == pytest.approx(24.0, rel=0.03)
    dialog.press(Press("bank", long=True))
    assert used == [None, small]


def test_a_match_begun_from_the_page_is_read_with_the_profile_that_was_there(tmp_path: Path) -> None:
    """In the step about dice, which reads without one, a command closes the dialog: it reads in millimetres again."""
    tray, out = MatTray(mat_of("A4", "left"), chance=Random(3), fps=8.0), tmp_path / "table.toml"
    before = see_mat([tray.read().pixels]).profile(16.0)
    save_profile(before, out)
    watch, inbox = PerceptionPipeline(read, before), Inbox(lambda: 0.0)
    thread = CameraThread(tray, watch)
    dialog = GuidedDialog(lambda: thread.newest, out, watch.use)
    loop = TableLoop(
        thread,
        [],
        {MenuAction.CALIBRATE: lambda *_: dialog, NewMatch: lambda *_: None},
        lambda: GuidedDialog(lambda: None, out),
        inbox=inbox,
    )
    inbox.put(MenuAction.CALIBRATE)
    loop.tick(1.0)
    for _ in range(4):
        dialog.press(HOLD)
    thread.step()
    assert (dialog.state.step, unit_of(thread)) == ("dice", "px")
    inbox.put(NewMatch("pig"))
    loop.tick(2.0)
    thread.step()
    assert unit_of(thread) == "mm"


def test_the_first_steps_are_short_and_write_nothing_of_nothing(tmp_path: Path) -> None:
    """Tray and dice put off: the start menu is back, without a report and without a profile."""
    handlers = calibration_handlers(lambda: None, tmp_path / "table.toml", lambda _: None)
    dialog = handlers[MenuAction.FIRST_STEPS](MenuAction.FIRST_STEPS, None)
    assert isinstance(dialog, GuidedDialog)
    assert dialog.press(Press("hold")) is dialog
    menu = dialog.snapshot.menu
    assert menu is not None
    assert (menu.guided, menu.throws) == (True, 0)
    assert dialog.press(Press("hold")) is MenuAction.START_MENU
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("calibrates", [True, False])
def test_the_page_knows_whether_there_is_a_camera_to_set_up(tmp_path: Path, *, calibrates: bool) -> None:
    """Else it could never begin the guided run."""
    Store(tmp_path / "a.db").close()
    known = setup_source(tmp_path / "a.db", (), calibrates=calibrates)(0)
    assert known.calibrates is calibrates
