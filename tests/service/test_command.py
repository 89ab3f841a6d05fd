"""`tabletop` as a person calls it on a machine where the table is a service: whose are the files that it makes."""

import os
import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.uncounted
COMMAND = Path(__file__).resolve().parents[2] / "systemd" / "tabletop-command"
MAKER, SERVICE = 1000, 61234  # numbers of users
PROGRAM = """#!/bin/sh
echo "$STATE_DIRECTORY $*"
touch "$STATE_DIRECTORY/tabletop.db" table.zip
mkdir own && touch own/00001.png
touch "$XDG_CONFIG_HOME/tabletop/tabletop.toml"
exit 3
"""


def test_files_in_a_persons_folder_are_theirs(tmp_path: Path) -> None:
    """A backup may be copied away by its owner; what root had there stays root's, and matches stay the service's.

    A configuration that was put back may be read by the service, which is a user of its own.
    """
    if os.geteuid() != 0 and "CI" not in os.environ:  # there it is root, or the test fails
        pytest.skip("gives files to other users: needs root")
    state, home, program, settings = (tmp_path / name for name in ("state", "home", "program", "etc/tabletop"))
    for folder in (state, home, settings):
        folder.mkdir(parents=True)
    os.chown(state, SERVICE, SERVICE)
    os.chown(home, MAKER, MAKER)
    (home / "roots").touch()
    os.utime(home / "roots", (0, 0))
    program.write_text(PROGRAM)
    program.chmod(0o755)
    command = tmp_path / "command"
    text = COMMAND.read_text().replace("/opt/tabletop/current/bin/tabletop", str(program))
    command.write_text(text.replace("/var/lib/tabletop", str(state)).replace("/etc/tabletop", str(settings)))
    environ = {**os.environ, "SUDO_UID": str(MAKER), "SUDO_GID": str(MAKER)}
    before = set(tmp_path.iterdir())
    done = subprocess.run(
        ["sh", command, "backup", "table.zip"], cwd=home, env=environ, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (3, f"{state} backup table.zip\n", "")
    assert set(tmp_path.iterdir()) == before
    owners = {str(path.relative_to(home)): path.stat().st_uid for path in home.rglob("*")}
    assert owners == {"roots": 0, "table.zip": MAKER, "own": MAKER, "own/00001.png": MAKER}
    assert (state / "tabletop.db").stat().st_uid == SERVICE
    assert (settings / "tabletop.toml").stat().st_mode & 0o777 == 0o644
