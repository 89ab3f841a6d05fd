"""New settings on a booted Debian 13: the real helper over its socket, systemd, and the table itself."""

import os
from pathlib import Path
from subprocess import Popen

import pytest
from booted_machine import why_not
from card_machine import asked, make_card
from update_machine import answers, installed_machine, running, up

pytestmark = [pytest.mark.longest, pytest.mark.slow]
SOON_S = 5  # until a trial that nobody answers is over, in place of a minute and a half
UNTIL_OVER = "while [ -e /opt/tabletop/trial ]; do sleep 0.2; done"


def installed(folder: Path) -> tuple[Path, Path]:
    """Return a machine with a table, whose trials end soon, and its configuration."""
    if why_not() and "CI" not in os.environ:  # there it can be booted, or the test fails
        pytest.skip(why_not())
    (folder / "card").mkdir()
    machine = installed_machine(folder, make_card(folder / "card"))
    drop_in = machine / "etc/systemd/system/tabletop-trial.timer.d/soon.conf"
    drop_in.parent.mkdir(exist_ok=True)
    drop_in.write_text(f"[Timer]\nOnActiveSec=\nOnActiveSec={SOON_S}\n")
    return machine, machine / "etc/tabletop/tabletop.toml"


def is_active(process: Popen[bytes]) -> bool:
    asked(process, "systemctl", "start", "tabletop.service")  # a restart that is under way has ended then
    shown = running(process)
    return (shown["ActiveState"], shown["SubState"]) == ("active", "running")


def test_new_settings_stay_only_if_the_table_starts_and_they_are_kept(tmp_path: Path) -> None:
    """What keeps the table from starting comes back, and so does what nobody keeps, or what the power cut ends.

    What is kept is there after the next boot. The file is the old one, byte by byte, in all other cases.
    """
    machine, config = installed(tmp_path)
    before = config.read_bytes()
    with up(machine) as process:
        assert answers(process, "settings", values={"language": "xx"})[-1]["refused"] == "not-ready"
        assert (config.read_bytes(), is_active(process)) == (before, True)
        assert "keep_s" in answers(process, "settings", values={"language": "de", "name": "Attic"})[-1]["done"]
        assert (b'\nlanguage = "de"\n' in config.read_bytes(), is_active(process)) == (True, True)
        asked(process, "timeout", "60", "sh", "-c", UNTIL_OVER)
        assert (config.read_bytes(), is_active(process)) == (before, True)
        assert "keep_s" in answers(process, "settings", values={"name": "Attic"})[-1]["done"]
    with up(machine) as process:  # the power was cut meanwhile
        assert (config.read_bytes(), is_active(process)) == (before, True)
        assert "keep_s" in answers(process, "settings", values={"name": "Attic", "throw_pictures": False})[-1]["done"]
        assert answers(process, "keep")[-1] == {"done": {}}
        kept = config.read_bytes()
    with up(machine) as process:
        assert (config.read_bytes(), is_active(process)) == (kept, True)
        assert answers(process, "state")[-1]["done"]["trial"] is None
    assert kept != before
    assert all(line in kept.splitlines() for line in before.splitlines())
