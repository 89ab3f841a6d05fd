"""The guided run killed, in each step and at each moment of saving: the folder is as before or as after."""

import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from stopped_writing import DIE, OLD, OLDEST, PLAIN

from tabletop.config.own_dice import beside, load_own_dice, save_own_dice
from tabletop.config.profile import load_profile, names, previous, replace_profile

ROOT = Path(__file__).resolve().parents[2]
STEPS = ("Show the mat", "Light", "Turn the lens", "The camera holds", "Roll your dice", "Report")
RUN = "from tabletop.cli.main import main; import sys; sys.exit(main(sys.argv[1:]))"
FEWEST_MOMENTS = 4  # two files: the previous profile and the new one, each synced and renamed


def set_up(folder: Path) -> Path:
    folder.mkdir()
    path = folder / "home.toml"
    replace_profile(OLDEST, path)
    replace_profile(OLD, path)
    save_own_dice([DIE], beside(path))
    return path


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def check_whole(path: Path) -> bool:
    """Check that all there loads, as before or as after; return whether it is as after."""
    assert names(path.parent) == ["home"]
    profile, before = load_profile(path), load_profile(previous(path))
    assert before in (OLDEST, OLD)
    assert len(load_own_dice(beside(path))) == 1  # a calibration leaves taught dice as they are
    if profile == OLD:
        return False
    assert profile.tray_mm == (247.0, 171.0)  # of the simulated mat
    assert before == OLD
    return True


@pytest.mark.slow
@pytest.mark.parametrize("step", STEPS)
def test_killed_in_a_step_the_folder_is_as_it_was(tmp_path: Path, step: str) -> None:
    """The command itself, killed as soon as it has said the step's line; only in the last one may it have saved."""
    path = set_up(tmp_path / "setups")
    before = contents(path.parent)
    command = [sys.executable, "-c", RUN, "calibrate", "--camera", "sim", "--seed", "1", "--profile", str(path)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as run:
        assert run.stdout is not None
        assert any(line.startswith(step) for line in run.stdout)
        run.kill()
    assert run.returncode in ((-signal.SIGKILL, 0) if step == "Report" else (-signal.SIGKILL,))
    if not check_whole(path) and step != "Report":  # there the kill may come while it saves
        assert {name: text for name, text in contents(path.parent).items() if not name.startswith(".")} == before


@pytest.mark.slow
def test_killed_while_it_saves_each_file_is_whole(tmp_path: Path) -> None:
    """Before each call that writes, syncs or renames; then it is saved over what was left, and no rest stays."""
    set_up(tmp_path / "0")
    program = ROOT / "tests" / "support" / "guided_killed.py"
    environment = os.environ | {"PYTHONPATH": str(program.parent)}
    ended = subprocess.run([sys.executable, str(program), str(tmp_path)], cwd=ROOT, env=environment, check=False)
    assert ended.returncode == 0
    folders = sorted(tmp_path.iterdir(), key=lambda folder: int(folder.name))
    after = [check_whole(folder / "home.toml") for folder in folders]
    assert not after[0]  # where it was guided, nothing was written
    assert len(folders) > FEWEST_MOMENTS
    assert after == sorted(after)
    assert after[-1]
    newest = replace(PLAIN, setup=OLD.setup)
    for folder in folders:
        replace_profile(newest, folder / "home.toml", anyway=True)
        assert load_profile(folder / "home.toml") == newest
        assert not [name for name in contents(folder) if name.startswith(".home.toml")]
