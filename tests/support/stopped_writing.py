"""A process that is stopped just before one of its calls to the disk, and profiles to write meanwhile."""

import os
import signal
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from tabletop.core.values import Profile, SetUp
from tabletop.vision.own_dice import SIDE_PX, Sample

TRAY = ((100.0, 100.0), (500.0, 100.0), (500.0, 300.0), (100.0, 300.0))
MATRIX = ((0.5, 0, -50.0), (0, 0.5, -50.0), (0, 0, 1.0))
PLAIN = Profile(640, 480, TRAY, (200.0, 100.0), MATRIX, 2.0, 16.0)
OLDEST, OLD, NEW = (replace(PLAIN, setup=SetUp(level, 0.2, 15, 0.0)) for level in (90, 120, 150))
DIE = Sample(np.full((SIDE_PX, SIDE_PX, 3), 200, np.uint8), 3, "white")
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
