"""`tabletop play` as systemd starts it, with a socket of the test for its manager: ready, stopped, switched off."""

import time
from pathlib import Path

import pytest
from emulated_terminal import Terminal
from english import english
from notify_listener import PATIENCE_S
from service_program import listening, service

from tabletop.session.snapshotting import THROW_ONE

STOP_S = 2.0  # the longest that a stop may take
MENU_LINES = 12  # more than the menu of a match has


def test_without_camera_and_display_it_is_ready_and_stops_in_time(tmp_path: Path) -> None:
    """READY though both are missing, the camera as the status says; the watchdog is fed; SIGTERM ends it within 2 s."""
    configured = 'camera = "usb:63"\nbuttons = "none"\nscreen = "ssd1306:bus=9"\nlisten = "local"\ngame = "pig"\n'
    with listening(tmp_path) as manager, service(tmp_path, configured) as program:
        assert manager.hears("READY=1".__eq__)
        assert "usb:63" in manager.hears(lambda line: line.startswith("STATUS=") and "camera" in line)
        assert manager.hears("WATCHDOG=1".__eq__)
        begun_s = time.monotonic()
        program.terminate()
        assert manager.hears("STOPPING=1".__eq__)
        assert program.wait(PATIENCE_S) == 0
        assert time.monotonic() - begun_s < STOP_S


def test_a_mistake_in_the_configuration_is_told_and_mended(tmp_path: Path) -> None:
    """The status names the line; once the file has been changed the program ends, so that it is started again."""
    with listening(tmp_path) as manager, service(tmp_path, 'camera = "none"\nscreen = "ssd1305"\n') as program:
        said = manager.hears(lambda line: line.startswith("STATUS="))
        assert "line 2: expected screen to be" in said
        assert program.poll() is None
        (tmp_path / "tabletop.toml").write_text('screen = "none"\n')
        assert program.wait(PATIENCE_S) == 2
        assert program.stderr is not None
        assert program.stderr.read().count("\n") == 1


@pytest.mark.slow
@pytest.mark.parametrize(("managed", "status"), [(True, 77), (False, 0)])
def test_switch_off(tmp_path: Path, managed: bool, status: int) -> None:
    """Switched off in the menu, the program asks its manager to switch the machine off; without one it just quits."""
    with listening(tmp_path):
        environ = {"NOTIFY_SOCKET": str(tmp_path / "notify")} if managed else {}
        table = Terminal("pig", "--players", "Ann,Ben", home=tmp_path, environ=environ)
        assert table.shows(f"Ann: {english(THROW_ONE)}")
        table.type("H")
        assert table.shows("Play on")
        for _ in range(MENU_LINES):
            chosen = table.chosen()
            if chosen == "Switch off":
                table.type("b")
                assert table.shows("Yes, switch off")
                break
            table.type("h")
            assert table.chooses_other_than(chosen)
        table.type("b")
        assert table.end() == status
