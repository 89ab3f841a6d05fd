"""A calibration or a lesson that is stopped while it writes: every file is the old one or the new one, whole."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tabletop.config.own_dice import beside, load_own_dice, save_own_dice
from tabletop.config.profile import load_profile, names, previous, replace_profile
from tabletop.core.values import Profile, SetUp
from tabletop.vision.own_dice import SIDE_PX, Sample

TRAY = ((100.0, 100.0), (500.0, 100.0), (500.0, 300.0), (100.0, 300.0))
MATRIX = ((0.5, 0, -50.0), (0, 0.5, -50.0), (0, 0, 1.0))
PLAIN = Profile(640, 480, TRAY, (200.0, 100.0), MATRIX, 2.0, 16.0)
OLDEST, OLD, NEW = (replace(PLAIN, setup=SetUp(level, 0.2, 15, 0.0)) for level in (90, 120, 150))
DIE = Sample(np.full((SIDE_PX, SIDE_PX, 3), 200, np.uint8), 3, "white")
MOMENTS = 12  # more than there are, so that the last ones stop nothing
CALLS = ("fsync", "replace", "rename", "write")  # of the system: each is a moment at which somebody may stop it


def stopping(at: int, sort: signal.Signals) -> None:
    """Let this process get the signal just before the call of this number to write, to sync or to rename."""
    left = [at]

    def counted(call: Callable[..., Any]) -> Callable[..., Any]:
        def before(*words: Any, **named: Any) -> Any:  # noqa: ANN401 - whatever the system is given
            left[0] -= 1
            if not left[0]:
                os.kill(os.getpid(), sort)
            return call(*words, **named)

        return before

    for name in CALLS:
        setattr(os, name, counted(getattr(os, name)))


def saved(path: Path) -> None:
    replace_profile(NEW, path)
    save_own_dice([DIE], beside(path))


@pytest.mark.parametrize("sort", [signal.SIGKILL, signal.SIGINT], ids=["killed", "interrupted"])
@pytest.mark.parametrize("at", range(1, MOMENTS + 1))
def test_each_file_is_whole_whenever_it_is_stopped(tmp_path: Path, at: int, sort: signal.Signals) -> None:
    """The set-up is the old or the new one, the previous one too, dice are there or not; the next run ends well."""
    path = tmp_path / "home.toml"
    replace_profile(OLDEST, path)
    replace_profile(OLD, path)
    child = os.fork()
    if not child:
        status = 1
        try:
            signal.signal(signal.SIGINT, signal.default_int_handler)
            stopping(at, sort)
            saved(path)
            status = 0
        except KeyboardInterrupt:
            status = 3
        finally:
            os._exit(status)
    ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert ended in (0, -signal.SIGKILL if sort is signal.SIGKILL else 3)
    assert load_profile(path) in (OLD, NEW)
    assert load_profile(previous(path)) in (OLDEST, OLD)
    if load_profile(path) == NEW:
        assert load_profile(previous(path)) == OLD
    assert len(load_own_dice(beside(path))) in (0, 1)
    assert names(tmp_path) == ["home"]
    saved(path)
    assert load_profile(path) == NEW


@pytest.mark.slow
@pytest.mark.parametrize("step", ["Show the mat", "Report"])
def test_a_guided_run_killed_in_a_step_leaves_the_folder_whole(tmp_path: Path, step: str) -> None:
    """The command itself, killed as soon as it has said the step's line; only in the last one may it have saved."""
    path = tmp_path / "home.toml"
    replace_profile(OLDEST, path)
    replace_profile(OLD, path)
    words = ["-m", "tabletop", "calibrate", "--camera", "sim", "--seed", "1", "--profile", str(path)]
    with subprocess.Popen([sys.executable, *words], stdout=subprocess.PIPE, text=True) as run:
        assert run.stdout is not None
        assert any(line.startswith(step) for line in run.stdout)
        run.kill()
    assert names(tmp_path) == ["home"]
    profile, before = load_profile(path), load_profile(previous(path))
    assert (profile, before) == (OLD, OLDEST) or (step == "Report" and before in (OLDEST, OLD))


def test_the_moments_reach_to_the_last_file(tmp_path: Path) -> None:
    """Counted here: fewer calls than moments, and at least one for each sync and rename of three files."""
    calls = list[str]()
    originals = {name: getattr(os, name) for name in CALLS}
    path = tmp_path / "home.toml"
    replace_profile(OLD, path)

    def noted(name: str) -> Callable[..., Any]:
        def call(*words: Any) -> Any:  # noqa: ANN401 - whatever the system is given
            calls.append(name)
            return originals[name](*words)

        return call

    try:
        for name in CALLS:
            setattr(os, name, noted(name))
        saved(path)
    finally:
        for name, call in originals.items():
            setattr(os, name, call)
    assert 6 <= len(calls) < MOMENTS
